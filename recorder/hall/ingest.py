"""The hub's side of the message server: rows into the storage, requests out to the devices."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy, StorageType, StreamConfig
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from recorder.hall.background import Background, together
from recorder.hall.link import FAULTS, Link, connect
from recorder.hall.storage import OpenRequest, Storage, StoredState
from recorder.hall.subjects import ALL, HallNameError, Subjects, checked
from recorder.hall.wire import (
    Answer,
    DeviceState,
    HallMessageError,
    Heads,
    Request,
    format_answer,
    format_heads,
    format_request,
    parse_answer,
    parse_rows,
    parse_state,
)

log = logging.getLogger(__name__)

AT_ONCE = 256
"""So many messages are committed together."""

UNCONFIRMED = 4096
"""So many messages may be under way to this hub."""

REDELIVER_S = 5
"""A message that was not committed for so long is delivered again."""

WATCH_S = 2.0
STATES_S = 0.5
"""States are taken in and answered together, so that 200 devices cost two transactions a second."""

STALLED_S = 15.0
"""When a log gets no further for so long though its device sends, the stream is read anew."""

MOST_STALLED_S = 240.0
"""The wait doubles up to this for as long as that does not help."""

BACK_S = 900.0
"""So far back the server is asked then; what is older, devices send again."""

ASK_S = 9.0
GIVE_UP_S = 12.0
"""An observation that could not be delivered for so long is answered with an error."""


@dataclass(frozen=True, slots=True)
class Keep:
    """What the message server is asked to keep."""

    replicas: int = 1
    days: float = 7.0
    megabytes: int = 2048


class Ingest:
    """Keeps a hub's storage up to date, on a thread of its own."""

    def __init__(self, link: Link, storage: Storage, keep: Keep = Keep()) -> None:
        self._link = link
        self._subjects = Subjects(link.event)
        self._storage = storage
        self._keep = keep
        self._heads = dict(storage.heads())
        self._stalled: dict[tuple[str, str], tuple[int, float]] = {}
        self._stalled_s = STALLED_S
        self._heard: dict[str, tuple[DeviceState, StoredState]] = {}
        self._consumer: _Consumer | None = None
        self._queue: asyncio.Queue[Msg] = asyncio.Queue()
        self._background = Background("ingest", self._work)

    def start(self) -> None:
        """Take what comes from now on."""
        self._background.start()

    def stop(self) -> None:
        """Stop after what is being committed."""
        self._background.stop()

    async def _work(self) -> None:
        client = await connect(self._link)
        try:
            await client.subscribe(self._subjects.state(), cb=self._hear)
            names = (self._subjects, self._link.name)
            self._consumer = _Consumer(client, *names, self._keep, self._queue)
            await together(
                self._consumer.watch(),
                self._commit_all(),
                self._tend_states(client),
                self._serve_requests(client),
            )
        finally:
            await client.close()

    # Rows

    async def _commit_all(self) -> None:
        while True:
            messages = [await self._queue.get()]
            while len(messages) < AT_ONCE and not self._queue.empty():
                messages.append(self._queue.get_nowait())
            # Aside: the disk must not keep the loop from its other work.
            await asyncio.to_thread(self._commit, messages)
            for message in messages:
                try:
                    await message.ack()
                except FAULTS as error:
                    # It will be delivered again, and found to be there.
                    log.debug("not acknowledged: %r", error)

    def _commit(self, messages: Sequence[Msg]) -> None:
        """Put messages on disk in one transaction."""
        received = datetime.now(UTC).isoformat(timespec="milliseconds")
        grown: set[tuple[str, str]] = set()
        with self._storage.transaction():
            for message in messages:
                try:
                    board, part = self._board_of(message), parse_rows(message.data)
                except (HallMessageError, HallNameError) as error:
                    log.warning("a message on %s makes no sense: %s", message.subject, error)
                    continue
                strays = self._storage.add_rows(board, part.log, part.rows, received)
                if strays:
                    log.error("board %s sent other rows for numbers that are known", board)
                grown.add((board, part.log))
        for board, name in grown:
            self._advance(board, name)
        if grown:
            self._stalled_s = STALLED_S

    def _board_of(self, message: Msg) -> str:
        """Return which board a message is from; raise `HallNameError` if there can be none."""
        return checked(self._subjects.board_of(message.subject) or "", "board")

    def _advance(self, board: str, name: str) -> None:
        """Find up to where a log is complete."""
        head = self._heads.get((board, name), 0)
        for stored in self._storage.rows_of_log(board, name, head):
            if stored.row.number != head + 1:
                break
            head += 1
        self._heads[board, name] = head

    # States

    async def _hear(self, message: Msg) -> None:
        """Note a device's state; of several within a moment the last counts."""
        try:
            board, state = self._board_of(message), parse_state(message.data)
        except (HallMessageError, HallNameError) as error:
            log.warning("a state on %s makes no sense: %s", message.subject, error)
            return
        received = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._heard[board] = (state, StoredState(message.data.decode(), received))

    async def _tend_states(self, client: Client) -> None:
        """Keep the devices' states; tell each what is here of its logs."""
        while True:
            await asyncio.sleep(STATES_S)
            heard, self._heard = self._heard, {}
            if heard:
                kept = {board: stored for board, (_, stored) in heard.items()}
                await asyncio.to_thread(self._keep_states, kept)
            for board, (state, _) in heard.items():
                await self._report(client, board, state)
                if self._is_stalled(board, state) and self._consumer is not None:
                    log.warning("board %s sends and nothing arrives", board)
                    self._stalled.clear()
                    self._stalled_s = min(2 * self._stalled_s, MOST_STALLED_S)
                    self._consumer.is_astray = True

    def _keep_states(self, states: Mapping[str, StoredState]) -> None:
        with self._storage.transaction():
            for board, stored in states.items():
                self._storage.put_state(board, stored)

    async def _report(self, client: Client, board: str, state: DeviceState) -> None:
        heads = {name: self._heads.get((board, name), 0) for name in state.logs}
        report = format_heads(Heads(self._link.name, heads))
        try:
            await client.publish(self._subjects.heads(board), report)
        except FAULTS as error:
            log.debug("heads not reported: %r", error)

    def _is_stalled(self, board: str, state: DeviceState) -> bool:
        """Return whether some log has got no further for long, though there is more of it."""
        now_s = time.monotonic()
        for name, last in state.logs.items():
            key, head = (board, name), self._heads.get((board, name), 0)
            if head >= last:
                self._stalled.pop(key, None)
                continue
            known, since_s = self._stalled.get(key, (-1, now_s))
            if known != head:
                self._stalled[key] = (head, now_s)
            elif now_s - since_s > self._stalled_s:
                return True
        return False

    # Requests

    async def _serve_requests(self, client: Client) -> None:
        asked: set[str] = set()
        async with asyncio.TaskGroup() as group:
            while True:
                wanted = self._storage.open_requests()
                for request in wanted:
                    if request.id not in asked:
                        group.create_task(self._serve(client, request))
                asked = {request.id for request in wanted}
                await asyncio.sleep(0.1)

    async def _serve(self, client: Client, request: OpenRequest) -> None:
        try:
            answer = await self._ask(client, request)
            if request.kind == "picture" and not answer.error:
                await self._fetch(client, request)
        except (*FAULTS, HallMessageError) as error:
            answer = Answer(error=f"the board does not answer: {error or type(error).__name__}")
        await asyncio.to_thread(self._storage.answer, request.id, format_answer(answer).decode())

    async def _ask(self, client: Client, request: OpenRequest) -> Answer:
        """Ask a device, again and again for a while; it knows a request that it has answered."""
        late = datetime.fromisoformat(request.asked) + timedelta(seconds=GIVE_UP_S)
        if request.kind == "picture":
            asked = Request(request.id, picture=request.body)
            await self._make_bucket(client, request.board)
        else:
            asked = Request(request.id, observation=request.body)
        subject = self._subjects.requests(request.board)
        while datetime.now(UTC) < late:
            try:
                answered = await client.request(subject, format_request(asked), timeout=ASK_S)
                return parse_answer(answered.data)
            except NoRespondersError:
                await asyncio.sleep(0.5)
        return Answer(error="the board is offline")

    async def _make_bucket(self, client: Client, board: str) -> None:
        bucket = self._subjects.picture_bucket(board)
        stream = client.jetstream()
        try:
            await stream.object_store(bucket)
        except NotFoundError:
            await stream.create_object_store(bucket, ttl=round(self._keep.days * 86400))

    async def _fetch(self, client: Client, request: OpenRequest) -> None:
        store = await client.jetstream().object_store(self._subjects.picture_bucket(request.board))
        found = await store.get(request.body)
        self._storage.put_picture(request.board, request.body, found.data or b"")


class _Consumer:
    """The hub's durable consumer, made again whenever the server has lost it."""

    def __init__(
        self, client: Client, subjects: Subjects, hub: str, keep: Keep, queue: asyncio.Queue[Msg]
    ) -> None:
        self._client = client
        self._stream: JetStreamContext = client.jetstream()
        self._subjects = subjects
        self._durable = f"hub-{hub}"
        self._keep = keep
        self._queue = queue
        self._bound: JetStreamContext.PushSubscription | None = None
        self.is_astray = False
        """The server was rolled back, and its numbers have grown past the consumer's again."""

    async def watch(self) -> None:
        """Look after stream and consumer for as long as the hub runs."""
        while True:
            try:
                await self._look()
            except FAULTS as error:
                log.debug("the stream is not ready: %r", error)
            await asyncio.sleep(WATCH_S if self._bound is not None else 0.3)

    async def _look(self) -> None:
        name = self._subjects.stream
        try:
            # The consumer first: asked the other way round, what comes between looks astray.
            info = await self._stream.consumer_info(name, self._durable)
        except NotFoundError:
            await self._make_streams()
            await self._bind()
            return
        delivered = info.delivered.stream_seq if info.delivered else 0
        last = (await self._stream.stream_info(name)).state.last_seq
        if self.is_astray or delivered > last:
            # The stream was rolled back behind the consumer, which would skip what comes next.
            log.warning("the stream ends at %s, the consumer at %s", last, delivered)
            self.is_astray = False
            await self._stream.delete_consumer(name, self._durable)
            await self._bind(since=datetime.now(UTC) - timedelta(seconds=BACK_S))
        elif self._bound is None:
            await self._bind()

    async def _make_streams(self) -> None:
        keep = self._keep
        for name, subject, last_only in (
            (self._subjects.stream, self._subjects.rows(ALL), False),
            (f"KV_{self._subjects.state_bucket}", self._subjects.state(">"), True),
        ):
            config = StreamConfig(
                name=name,
                subjects=[subject],
                storage=StorageType.FILE,
                num_replicas=keep.replicas,
                max_age=keep.days * 86400,
                max_bytes=keep.megabytes << 20,
                max_msgs_per_subject=1 if last_only else -1,
                duplicate_window=120,
                allow_rollup_hdrs=last_only,
                deny_delete=last_only,
                allow_direct=True,
            )
            try:
                await self._stream.stream_info(name)
            except NotFoundError:
                await self._stream.add_stream(config)

    async def _bind(self, since: datetime | None = None) -> None:
        await self._unbind()
        config = ConsumerConfig(
            durable_name=self._durable,
            deliver_policy=DeliverPolicy.ALL if since is None else DeliverPolicy.BY_START_TIME,
            opt_start_time=since,
            ack_policy=AckPolicy.EXPLICIT,
            ack_wait=REDELIVER_S,
            max_ack_pending=UNCONFIRMED,
            max_deliver=-1,
        )
        self._bound = await self._stream.subscribe(
            self._subjects.rows(ALL),
            stream=self._subjects.stream,
            durable=self._durable,
            config=config,
            cb=self._queue.put,
            manual_ack=True,
        )

    async def _unbind(self) -> None:
        if self._bound is not None:
            bound, self._bound = self._bound, None
            await bound.unsubscribe()

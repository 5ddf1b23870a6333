"""Sends a device's log to the hall, from a thread of its own; the device never waits for it."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.client import JetStreamContext

from recorder.game import Game
from recorder.goban import format_diagram
from recorder.hall.background import Background, together
from recorder.hall.link import FAULTS, Link, connect
from recorder.hall.outbox import Outbox, OutgoingLog
from recorder.hall.requests import Requests, Submit
from recorder.hall.subjects import Subjects, checked
from recorder.hall.wire import (
    Answer,
    DeviceState,
    HallMessageError,
    Rows,
    format_answer,
    format_rows,
    format_state,
    parse_heads,
    parse_request,
)
from recorder.publish import Batch

log = logging.getLogger(__name__)

AHEAD = 32
"""So many messages are sent before the first is confirmed."""

CONFIRM_S = 5.0


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a publisher does what."""

    look_s: float = 0.5
    """Looks for new rows even if nobody told it of any."""

    state_s: float = 5.0
    """Says that it is there, and how far its logs go."""

    patience_s: float = 8.0
    """A hub that gets no further for so long is sent the rows again."""

    retry_s: float = 1.0
    """Waits after an attempt that failed."""


class HallPublisher:
    """A Publisher of the pipeline that only wakes the thread which reads the log and sends it.

    What is sent is read from the log file itself, so nothing depends on having been told.
    """

    def __init__(
        self,
        link: Link,
        root: Path,
        *,
        submit: Submit | None = None,
        pictures: Path | None = None,
        pace: Pace = Pace(),
    ) -> None:
        """Prepare to send.

        Parameters
        ----------
        link
            Its name is the board's.
        root
            The log, or the folder with the logs of all games.
        submit
            Takes rulings of the hall; None: this board takes none.
        pictures
            Folder with `GAME/evidence/alert-0001/before.jpg`, or of one game's evidence.
        """
        checked(link.name, "board")
        self._link = link
        self._subjects = Subjects(link.event)
        self._root = root
        self._pace = pace
        self._requests = Requests(submit, pictures)
        self._instance = secrets.token_hex(8)
        self._wake = asyncio.Event()
        self._background = Background("hall", self._work)
        self._game: Game | None = None

    def start(self) -> None:
        """Send from now on."""
        self._background.start()

    def stop(self) -> None:
        """Stop; what was not sent yet is sent after the next start."""
        self._background.stop()

    def publish(self, batch: Batch) -> None:
        """Note that the log has something new; on the pipeline's thread, returns at once."""
        self._game = batch.game
        self.wake()

    def wake(self) -> None:
        """Look at the log now; from any thread, returns at once."""
        self._background.call(self._wake.set)

    async def _work(self) -> None:
        client = await connect(self._link)
        outbox = Outbox(self._root, patience_s=self._pace.patience_s)
        try:
            await self._listen(client, outbox)
            await together(self._send(client, outbox), self._beat(client, outbox))
        finally:
            outbox.close()
            await client.close()

    async def _listen(self, client: Client, outbox: Outbox) -> None:
        async def hear(message: Msg) -> None:
            try:
                outbox.take_heads(parse_heads(message.data))
            except HallMessageError as error:
                log.warning("a hub's report makes no sense: %s", error)
            self._wake.set()

        async def take(message: Msg) -> None:
            try:
                request = parse_request(message.data)
            except HallMessageError as error:
                await message.respond(format_answer(Answer(error=str(error))))
                return
            if request.picture:
                bucket = self._subjects.picture_bucket(self._link.name)
                answer = await self._requests.put_picture(client, bucket, request.picture)
            else:
                answer = await self._requests.observe(request)
            await message.respond(format_answer(answer))

        async def take_aside(message: Msg) -> None:
            # Beside the others: a picture must not hold up a ruling.
            task = asyncio.create_task(take(message))
            aside.add(task)
            task.add_done_callback(aside.discard)

        aside: set[asyncio.Task[None]] = set()
        await client.subscribe(self._subjects.heads(self._link.name), cb=hear)
        await client.subscribe(self._subjects.requests(self._link.name), cb=take_aside)

    async def _send(self, client: Client, outbox: Outbox) -> None:
        stream = client.jetstream(timeout=CONFIRM_S)
        while True:
            outbox.look()
            has_sent = False
            for one in tuple(outbox.due()):
                has_sent = await self._send_some(stream, one) or has_sent
            if not has_sent:
                await _until(self._wake, self._pace.look_s)
            self._wake.clear()

    async def _send_some(self, stream: JetStreamContext, one: OutgoingLog) -> bool:
        """Send the next rows of a log; return whether there were any and all were confirmed."""
        parts, again = one.parts(AHEAD), one.again
        if not parts:
            return False
        sending = (self._send_part(stream, part, again) for part in parts)
        confirmed = await asyncio.gather(*sending)
        for part, is_confirmed in zip(parts, confirmed, strict=True):
            if not is_confirmed:
                await asyncio.sleep(self._pace.retry_s)
                return False
            if one.again == again:
                one.sent = part.rows[-1].number
        return True

    async def _send_part(self, stream: JetStreamContext, part: Rows, again: int) -> bool:
        board = self._link.name
        try:
            await stream.publish(
                self._subjects.rows(board),
                format_rows(part),
                headers={"Nats-Msg-Id": part.id(board, again)},
            )
        except FAULTS as error:
            log.debug("not confirmed: %r", error)
            return False
        return True

    async def _beat(self, client: Client, outbox: Outbox) -> None:
        """Say again and again how far the logs go; hubs answer what they have."""
        subject = self._subjects.state(self._link.name)
        told: Game | None = None
        while True:
            current, game = outbox.current, self._game
            state = DeviceState(
                self._instance,
                datetime.now(UTC).isoformat(timespec="milliseconds"),
                "" if current is None else current.name,
                outbox.numbers(),
                {} if game is None else describe_game(game),
            )
            try:
                await client.publish(subject, format_state(state))
            except FAULTS as error:
                log.debug("state not sent: %r", error)
            told = game
            for _ in range(max(1, round(self._pace.state_s))):
                await asyncio.sleep(min(1.0, self._pace.state_s))
                if self._game is not told:
                    break


def describe_game(game: Game) -> Mapping[str, Any]:
    """Return what somebody who joins late wants to see at once."""
    return {
        "size": game.info.size,
        "black": game.info.black,
        "white": game.info.white,
        "moves": len(game.moves),
        "phase": game.phase.value,
        "result": game.result,
        "view": game.view.value,
        "position": format_diagram(game.board),
    }


async def _until(event: asyncio.Event, timeout_s: float) -> None:
    """Wait for an event, but not longer than a time."""
    try:
        await asyncio.wait_for(event.wait(), timeout_s)
    except TimeoutError:
        return

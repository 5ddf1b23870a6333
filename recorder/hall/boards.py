"""The boards of a hall as the pages show them: followed in the storage, row by row."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from recorder.codec import CodecError, parse_event
from recorder.events import Record
from recorder.game import Game, apply
from recorder.hall.storage import Storage, StoredRow, StoredState
from recorder.hall.wire import DeviceState, HallMessageError, parse_state
from recorder.public import NO_DELAY, Delay
from recorder.publish import Batch
from recorder.web.live import LiveGame, age_s
from recorder.web.private import PrivateGame

log = logging.getLogger(__name__)

LOOK_S = 0.03
"""How often the storage is asked for new rows: what a move waits at most, twice over."""

STATES_S = 1.0
AT_ONCE = 500

OFFLINE_S = 15.0
"""A device says every five seconds that it is there."""

CLONED_S = 30.0
"""Two devices that send as one board within this time are reported."""


@dataclass
class LogFeed:
    """What has come of one log: complete up to `head`, and what came too early."""

    head: int = 0
    early: dict[int, StoredRow] = field(default_factory=dict)

    def take(self, stored: StoredRow) -> Iterator[StoredRow]:
        """Give the rows that are in order now."""
        if stored.row.number > self.head:
            self.early[stored.row.number] = stored
        while self.head + 1 in self.early:
            self.head += 1
            yield self.early.pop(self.head)


class HallBoard:
    """One board: its newest game, for the public and for the referee."""

    def __init__(self, name: str, delay: Delay, *, is_reading: bool) -> None:
        self.name = name
        self.live = LiveGame(delay=delay, is_reading=is_reading)
        self.private = PrivateGame()
        self.log = ""
        """The log that is shown."""

        self.state: DeviceState | None = None
        self.heard = ""
        """When the device was heard last, ISO by the hub's clock."""

        self.cloned_at = ""
        """When a second device sent as this board."""

        self._instances: tuple[str, ...] = ()

    @property
    def game_id(self) -> str:
        """The game that is shown, empty before the first one."""
        return self.private.state().game_id

    def show(self, name: str, rows: Iterable[StoredRow], now: datetime) -> None:
        """Show a log from its beginning."""
        self.log = name
        batches = [(age_s(part[0].received, now), records_of(part)) for part in groups(rows)]
        self.live.catch_up((age, records) for age, records in batches if records)
        self.private.rebuild([record for _, records in batches for record in records])

    def take(self, rows: Sequence[StoredRow]) -> None:
        """Take rows of the log that is shown, in order."""
        for part in groups(rows):
            records = records_of(part)
            if records:
                batch = Batch(records, self._game_after(records))
                self.live.publish(batch)
                self.private.publish(batch)

    def _game_after(self, records: Sequence[Record]) -> Game:
        state = self.private.state()
        game, game_id = state.game, state.game_id
        for record in records:
            if record.game_id != game_id:
                game, game_id = Game(), record.game_id
            game = apply(game, record.event)
        return game

    def hear(self, stored: StoredState) -> None:
        """Take what the device says of itself."""
        try:
            state = parse_state(stored.state.encode())
        except HallMessageError as error:
            log.warning("board %s: %s", self.name, error)
            return
        if self.state is not None and state.instance != self.state.instance:
            gap_s = age_s(self.heard, datetime.fromisoformat(stored.received))
            log.info("board %s: another start of its device after %.0f s", self.name, gap_s)
            if state.instance in self._instances:
                # One that was replaced speaks again: both are alive.
                self.cloned_at = stored.received
                log.warning("two devices send as board %s since %s", self.name, self.heard)
        self._instances = (*self._instances, state.instance)[-10:]
        self.state, self.heard = state, stored.received

    def is_online(self, now: datetime) -> bool:
        """Whether the device was heard lately."""
        return bool(self.heard) and age_s(self.heard, now) <= OFFLINE_S

    def is_cloned(self, now: datetime) -> bool:
        """Whether two devices send as this board."""
        return bool(self.cloned_at) and age_s(self.cloned_at, now) <= CLONED_S


def groups(rows: Iterable[StoredRow]) -> Iterator[tuple[StoredRow, ...]]:
    """Iterate over rows in the batches in which they were logged: an observation, its events."""
    part: list[StoredRow] = []
    for stored in rows:
        if part and stored.row.kind == "observation":
            yield tuple(part)
            part = []
        part.append(stored)
    if part:
        yield tuple(part)


def records_of(rows: Iterable[StoredRow]) -> tuple[Record, ...]:
    """Return the events among some rows."""
    records = []
    for stored in rows:
        number, game_id, t_s, utc, kind, body = stored.row
        if kind != "event":
            continue
        try:
            records.append(Record(number, game_id, t_s, utc, parse_event(body)))
        except CodecError as error:
            # A device with a later version; what the hub does know is shown all the same.
            log.warning("board %s, row %s cannot be read: %s", stored.board, number, error)
    return tuple(records)


class Boards:
    """Every board of the hall, kept up to date by a thread of its own."""

    def __init__(
        self, storage: Storage, *, names: Sequence[str] = (), delay: Delay = NO_DELAY
    ) -> None:
        """Prepare; `names` are shown before their devices have come."""
        self._storage = storage
        self._delay = delay
        self._boards: dict[str, HallBoard] = {}
        self._feeds: dict[tuple[str, str], LogFeed] = {}
        self._place = 0
        self._states_s = 0.0
        self._changed = threading.Condition()
        self._count = 0
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = None
        self._is_reading = True
        for name in names:
            self._board(name)

    def start(self) -> None:
        """Follow the storage from now on."""
        self._is_over.clear()
        self._thread = threading.Thread(target=self._run, name="boards", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop following, and let everybody who waits look up."""
        self._is_over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.wake()

    def wake(self) -> None:
        """Let everybody who waits look up, for example because the server stops."""
        for board in self.all():
            board.live.wake()
        self.touch()

    def all(self) -> tuple[HallBoard, ...]:
        """Return the boards, by number where they have one."""
        return tuple(sorted(self._boards.values(), key=lambda board: by_number(board.name)))

    def find(self, name: str) -> HallBoard | None:
        """Return a board, None if there is none of that name."""
        return self._boards.get(name)

    def wait(self, after: int, timeout_s: float) -> int:
        """Return the number of changes once it is not `after` any more, or after the timeout."""
        with self._changed:
            self._changed.wait_for(lambda: self._count != after or self.is_over(), timeout_s)
            return self._count

    def touch(self) -> None:
        """Tell those who wait that something has changed."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def is_over(self) -> bool:
        """Whether following has stopped."""
        return self._is_over.is_set()

    def look(self) -> bool:
        """Take what is new in the storage; return whether there was anything."""
        rows = self._storage.rows_after(self._place, AT_ONCE)
        for (board, name), part in _by_log(rows).items():
            self._take(board, name, part)
        if rows:
            self._place = rows[-1].place
        now_s = time.monotonic()
        if now_s - self._states_s >= STATES_S:
            self._states_s = now_s
            self.hear()
        if rows:
            self.touch()
        return bool(rows)

    def _run(self) -> None:
        self.catch_up()
        while not self._is_over.is_set():
            try:
                is_busy = self.look()
            except Exception:
                log.exception("the boards cannot be followed, going on")
                is_busy = False
            if not is_busy:
                self._is_over.wait(LOOK_S)

    def catch_up(self) -> None:
        """Show what was there before this start, board after board."""
        # The place first: what comes meanwhile is met again, and known by its number.
        self._place = self._storage.last_place()
        heads, current = self._storage.heads(), dict[str, str]()
        for board, name, _, _ in self._storage.games():
            current[board] = name
            feed = self._feeds.setdefault((board, name), LogFeed(heads.get((board, name), 0)))
            for stored in self._storage.rows_of_log(board, name, feed.head):
                feed.early[stored.row.number] = stored
        for board, stored_state in self._storage.states().items():
            self._board(board).hear(stored_state)
            state = self._board(board).state
            if state is not None and (board, state.current) in heads:
                current[board] = state.current
        for board, name in sorted(current.items(), key=lambda item: by_number(item[0])):
            if self._is_over.is_set():
                return
            self._switch(self._board(board), name)
        self._is_reading = False
        for one in self.all():
            if one.live.is_reading:
                one.live.catch_up(())
        self.touch()

    def _take(self, board_name: str, name: str, rows: Sequence[StoredRow]) -> None:
        feed = self._feeds.setdefault((board_name, name), LogFeed())
        ready = [one for stored in rows for one in feed.take(stored)]
        board = self._board(board_name)
        if not board.log and ready:
            self._switch(board, name)
        elif board.log == name and ready:
            board.take(ready)

    def hear(self) -> None:
        """Take what the devices said last."""
        for name, stored in self._storage.states().items():
            board = self._board(name)
            if stored.received == board.heard:
                continue
            board.hear(stored)
            current = "" if board.state is None else board.state.current
            if current and current != board.log and (name, current) in self._feeds:
                self._switch(board, current)
                self.touch()

    def _switch(self, board: HallBoard, name: str) -> None:
        head = self._feeds.get((board.name, name), LogFeed()).head
        rows = self._storage.rows_of_log(board.name, name)
        board.show(name, (r for r in rows if r.row.number <= head), datetime.now(UTC))

    def _board(self, name: str) -> HallBoard:
        if name not in self._boards:
            board = HallBoard(name, self._delay, is_reading=self._is_reading)
            self._boards = {**self._boards, name: board}
        return self._boards[name]


def _by_log(rows: Iterable[StoredRow]) -> dict[tuple[str, str], list[StoredRow]]:
    parts: dict[tuple[str, str], list[StoredRow]] = {}
    for stored in rows:
        parts.setdefault((stored.board, stored.log), []).append(stored)
    return parts


def by_number(name: str) -> tuple[str, int, str]:
    """Return what sorts boards as people count them: 2 before 10, A2 before A10."""
    letters = name.rstrip("0123456789")
    digits = name[len(letters) :]
    return (letters, int(digits or 0), name)

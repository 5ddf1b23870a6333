"""The append-only log of a device: every observation and the events it led to, numbered."""

from __future__ import annotations

import contextlib
import fcntl
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple, Self, TypeVar

from recorder.codec import (
    CodecError,
    format_event,
    format_observation,
    parse_event,
    parse_observation,
)
from recorder.events import Event, Record
from recorder.observations import Observation

FORMAT_VERSION = 1
"""Version of the file format (SQLite user_version); docs/log-format.md tells what it holds."""

APPLICATION_ID = 0x42616E6D
"""SQLite application_id of a game log: "Banm"."""

SCHEMA = """
CREATE TABLE log (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    game_id TEXT NOT NULL,
    t_s REAL NOT NULL,
    utc TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('observation', 'event')),
    body TEXT NOT NULL
) STRICT;
CREATE INDEX log_by_game ON log (game_id, number);
CREATE TRIGGER log_keeps_rows BEFORE UPDATE ON log
    BEGIN SELECT RAISE(ABORT, 'the game log is append-only'); END;
CREATE TRIGGER log_loses_no_rows BEFORE DELETE ON log
    BEGIN SELECT RAISE(ABORT, 'the game log is append-only'); END;
"""


class GameLogError(ValueError):
    """The file is no game log, of a later format, or a row in it cannot be read."""


class DamagedLogError(GameLogError):
    """The file is a database no more, or parts of it are missing; `rescue` takes what is good."""


class GameLogInUseError(OSError):
    """Another process writes to this log."""


@dataclass(frozen=True, slots=True)
class LoggedObservation:
    """An observation as it is in the log; its events follow it with the next numbers."""

    number: int
    game_id: str
    observation: Observation


@dataclass(frozen=True, slots=True)
class Appended:
    """What one call of `append` wrote."""

    number: int
    """That of the observation."""

    records: tuple[Record, ...]


class LogRow(NamedTuple):
    """A row as it is stored."""

    number: int
    game_id: str
    t_s: float
    utc: str
    kind: str
    body: str


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Prepared:
    """One call of `append` before it is on disk."""

    rows: tuple[LogRow, ...]
    appended: Appended


class GameLog:
    """One log file, open for reading, or for appending by one process at a time.

    A row is on disk when `append` returns: WAL with synchronous=FULL. All rows of one call are
    one transaction, so a process killed at any moment leaves whole batches.
    """

    def __init__(self, path: Path, *, is_writer: bool = False) -> None:
        """Open a log; a writer makes the file if it is not there.

        Raises
        ------
        FileNotFoundError
            There is no such log to read.
        GameLogError
            The file is something else, or of a later format.
        GameLogInUseError
            Another writer has it open.
        """
        self.path = path
        self._lock: IO[str] | None = lock_log(path) if is_writer else None
        try:
            self._db = _open(path, is_writer=is_writer)
            self._next = self.last_number() + 1
        except BaseException:
            self._unlock()
            raise

    def append(self, game_id: str, observation: Observation, events: Sequence[Event]) -> Appended:
        """Commit an observation and the events it led to; return their numbers."""
        prepared = self.prepare(game_id, observation, events)
        try:
            self.write((prepared,))
        except sqlite3.Error:
            self._next = prepared.appended.number
            raise
        return prepared.appended

    def prepare(self, game_id: str, observation: Observation, events: Sequence[Event]) -> Prepared:
        """Give an observation and its events their numbers; nothing is on disk yet.

        What is prepared has to be written in the same order.
        """
        head = (game_id, observation.t_s, observation.utc)
        number = self._next
        rows = [LogRow(number, *head, "observation", format_observation(observation))]
        rows += [
            LogRow(place, *head, "event", format_event(event))
            for place, event in enumerate(events, number + 1)
        ]
        self._next = number + len(rows)
        records = tuple(
            Record(row.number, *head, e) for row, e in zip(rows[1:], events, strict=True)
        )
        return Prepared(tuple(rows), Appended(number, records))

    def write(self, batches: Iterable[Prepared]) -> None:
        """Commit what was prepared, all of it or nothing.

        Raises
        ------
        sqlite3.Error
            The disk is full, or gives way.
        """
        with self._db:
            # A transaction of our own: sqlite3 would begin it at the insert, this says it.
            self._db.execute("BEGIN IMMEDIATE")
            rows = (row for batch in batches for row in batch.rows)
            self._db.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", rows)

    def records(self, game_id: str | None = None, *, after: int = 0) -> Iterator[Record]:
        """Iterate over the events of a game (None: of all games) with a number above `after`."""
        for number, game, t_s, utc, _, body in self._rows("event", game_id, after):
            yield Record(number, game, t_s, utc, self._parsed(number, parse_event, body))

    def observations(
        self, game_id: str | None = None, *, after: int = 0
    ) -> Iterator[LoggedObservation]:
        """Iterate over the observations of a game (None: of all games) in order."""
        for number, game, _, _, _, body in self._rows("observation", game_id, after):
            yield LoggedObservation(number, game, self._parsed(number, parse_observation, body))

    def rows(self, *, after: int = 0) -> Iterator[LogRow]:
        """Iterate over the rows themselves with a number above `after`, for exact copies."""
        return self._rows(None, None, after)

    def game_ids(self) -> tuple[str, ...]:
        """Return the games in the log, the oldest first."""
        found = self._db.execute("SELECT game_id FROM log GROUP BY game_id ORDER BY min(number)")
        return tuple(str(game_id) for (game_id,) in found)

    def last_number(self) -> int:
        """Return the number of the newest row, 0 if there is none."""
        (number,) = self._db.execute("SELECT max(number) FROM log").fetchone()
        return int(number or 0)

    def check(self) -> None:
        """Look at every page of the file; raise `DamagedLogError` if one is missing or wrong."""
        try:
            (found,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            raise DamagedLogError(f"{self.path} is damaged: {error}") from error
        if found != "ok":
            raise DamagedLogError(f"{self.path} is damaged: {found}")

    def export(self, game_id: str, path: Path) -> None:
        """Write one game's rows, with the device's numbers, into a log file of its own."""
        with GameLog(path, is_writer=True) as other, other._db:
            other._db.execute("BEGIN IMMEDIATE")
            for row in self._rows(None, game_id, other.last_number()):
                other._db.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", row)

    def close(self) -> None:
        """Close the file; a writer folds the WAL into it first."""
        if self._lock is not None:
            # Without room for it, the WAL stays: it is read back with the file.
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.close()
        self._unlock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _rows(self, kind: str | None, game_id: str | None, after: int) -> Iterator[LogRow]:
        query = (
            "SELECT number, game_id, t_s, utc, kind, body FROM log WHERE number > ?"
            " AND (? IS NULL OR kind = ?) AND (? IS NULL OR game_id = ?) ORDER BY number"
        )
        found = self._db.execute(query, (after, kind, kind, game_id, game_id))
        yield from map(LogRow._make, found)

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()

    def _parsed(self, number: int, parse: Callable[[str], T], body: str) -> T:
        try:
            return parse(body)
        except CodecError as error:
            raise GameLogError(f"{self.path}: row {number} cannot be read: {error}") from error


def lock_log(path: Path) -> IO[str]:
    """Take the writer's lock until the result is closed.

    It is a file beside the log: SQLite's own locks would keep readers out.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = Path(f"{path}.lock").open("a")  # noqa: SIM115 - held as long as the log is open
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise GameLogInUseError(f"{path} is written by another process") from error
    return file


def _open(path: Path, *, is_writer: bool) -> sqlite3.Connection:
    if not is_writer and not path.is_file():
        raise FileNotFoundError(f"there is no game log {path}")
    mode = "rwc" if is_writer else "ro"
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=5
    )
    try:
        _prepare(db, path, is_writer=is_writer)
    except sqlite3.DatabaseError as error:
        db.close()
        # A disk that is full or gives way is another thing than a file that is damaged.
        is_busy = isinstance(error, sqlite3.OperationalError)
        kind = GameLogError if is_busy else DamagedLogError
        raise kind(f"{path} is not a game log: {error}") from error
    except GameLogError:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection, path: Path, *, is_writer: bool) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if is_writer:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
    if is_writer and tables == 0 and version == 0:
        db.executescript(
            f"BEGIN; {SCHEMA} PRAGMA user_version = {FORMAT_VERSION};"
            f" PRAGMA application_id = {APPLICATION_ID}; COMMIT;"
        )
    elif application != APPLICATION_ID or version > FORMAT_VERSION:
        raise GameLogError(
            f"{path} must be a game log of format {FORMAT_VERSION} or earlier,"
            f" got application {application:#x}, format {version}"
        )

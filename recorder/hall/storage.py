"""What a hub keeps: the interface, and its form as one SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import local
from typing import NamedTuple, Protocol

from recorder.gamelog import LogRow

BUSY_S = 30.0
"""So long a writer waits for another, for example on a disk that is busy."""

FORMAT_VERSION = 1
APPLICATION_ID = 0x42616E48
"""SQLite application_id of a hub's file: "BanH"."""

SCHEMA = """
CREATE TABLE rows (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    board TEXT NOT NULL,
    log TEXT NOT NULL,
    number INTEGER NOT NULL,
    game_id TEXT NOT NULL,
    t_s REAL NOT NULL,
    utc TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    received TEXT NOT NULL,
    UNIQUE (board, log, number)
) STRICT;
CREATE INDEX rows_by_game ON rows (game_id, number);
CREATE TABLE strays (
    board TEXT NOT NULL, log TEXT NOT NULL, number INTEGER NOT NULL, game_id TEXT NOT NULL,
    t_s REAL NOT NULL, utc TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
    received TEXT NOT NULL,
    UNIQUE (board, log, number, body)
) STRICT;
CREATE TABLE states (
    board TEXT PRIMARY KEY, state TEXT NOT NULL, received TEXT NOT NULL
) STRICT;
CREATE TABLE requests (
    id TEXT PRIMARY KEY, board TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
    asked TEXT NOT NULL, answer TEXT
) STRICT;
CREATE INDEX requests_open ON requests (asked) WHERE answer IS NULL;
CREATE TABLE pictures (
    board TEXT NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (board, name)
) STRICT;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""


class StorageError(ValueError):
    """The file is something else, or of a later format."""


class StoredRow(NamedTuple):
    """A row of a device's log at the hub."""

    place: int
    """By order of arrival."""

    board: str
    log: str
    row: LogRow
    received: str
    """ISO time by the hub's clock."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """Something that a page wants of a device; whoever holds the connection asks it."""

    id: str
    board: str
    kind: str
    """"observation" or "picture"."""

    body: str
    asked: str


@dataclass(frozen=True, slots=True)
class StoredState:
    """The last that a device said of itself."""

    state: str
    received: str


class Storage(Protocol):
    """What the hub needs of a database; every method may be called from any thread."""

    def transaction(self) -> AbstractContextManager[None]:
        """Make everything this thread writes in the block one transaction."""

    def add_rows(self, board: str, log: str, rows: Sequence[LogRow], received: str) -> int:
        """Keep rows, each once; return how many contradict what is kept (also kept, apart)."""

    def rows_after(self, place: int, limit: int) -> Sequence[StoredRow]:
        """Return rows that arrived after a place, in order of arrival."""

    def last_place(self) -> int:
        """Return the place of the newest row, 0 if there is none."""

    def rows_of_log(self, board: str, log: str, after: int = 0) -> Iterator[StoredRow]:
        """Iterate over the rows of one log by number."""

    def rows_of_game(self, game_id: str) -> Sequence[StoredRow]:
        """Return the rows of one game by number, of the log that brought it first."""

    def games(self) -> Sequence[tuple[str, str, str, int]]:
        """Return (board, log, game, number of its last row) of every game, the oldest first."""

    def heads(self) -> Mapping[tuple[str, str], int]:
        """Return by board and log the number up to which every row is there."""

    def put_state(self, board: str, state: StoredState) -> None:
        """Keep what a device says of itself, instead of what it said before."""

    def states(self) -> Mapping[str, StoredState]:
        """Return the last state of each device."""

    def ask(self, request: OpenRequest) -> None:
        """Note a request, unless one with its id is there."""

    def open_requests(self) -> Sequence[OpenRequest]:
        """Return the requests without an answer, the oldest first."""

    def answer(self, request_id: str, answer: str) -> None:
        """Note what came of a request."""

    def answer_of(self, request_id: str) -> str | None:
        """Return what came of a request, None while nothing has."""

    def put_picture(self, board: str, name: str, data: bytes) -> None:
        """Keep a picture."""

    def picture(self, board: str, name: str) -> bytes | None:
        """Return a picture if it is there."""

    def set_setting(self, name: str, value: str) -> None:
        """Keep a setting of the hub's pages."""

    def setting(self, name: str) -> str | None:
        """Return a setting, None if it was never made."""


class SqliteStorage:
    """One file: WAL, synchronous=FULL; a connection for each thread."""

    def __init__(self, path: Path) -> None:
        """Open a hub's file, made if it is not there.

        Raises
        ------
        StorageError
            The file is something else, or of a later format.
        """
        self.path = path
        self._mine = local()
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            if not _is_prepared(self._db, path):
                with self.transaction():
                    _prepare(self._db, path)
        except sqlite3.DatabaseError as error:
            raise StorageError(f"{path} is not a hub's file: {error}") from error

    @property
    def _db(self) -> sqlite3.Connection:
        db: sqlite3.Connection | None = getattr(self._mine, "db", None)
        if db is None:
            db = sqlite3.connect(self.path, isolation_level=None, timeout=BUSY_S)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            self._mine.db = db
        return db

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make everything this thread writes in the block one transaction."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def add_rows(self, board: str, log: str, rows: Sequence[LogRow], received: str) -> int:
        """Keep rows, each once; return how many contradict what is kept (also kept, apart)."""
        db, strays = self._db, 0
        for row in rows:
            values = (board, log, *row, received)
            added = db.execute(
                "INSERT INTO rows (board, log, number, game_id, t_s, utc, kind, body, received)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                values,
            )
            if added.rowcount == 0 and not self._is_known(board, log, row):
                strays += 1
                db.execute("INSERT OR IGNORE INTO strays VALUES (?,?,?,?,?,?,?,?,?)", values)
        return strays

    def _is_known(self, board: str, log: str, row: LogRow) -> bool:
        found = self._db.execute(
            "SELECT number, game_id, t_s, utc, kind, body FROM rows"
            " WHERE board = ? AND log = ? AND number = ?",
            (board, log, row.number),
        ).fetchone()
        return tuple(found) == tuple(row)

    def rows_after(self, place: int, limit: int) -> Sequence[StoredRow]:
        """Return rows that arrived after a place, in order of arrival."""
        return tuple(self._rows("place > ? ORDER BY place LIMIT ?", place, limit))

    def last_place(self) -> int:
        """Return the place of the newest row, 0 if there is none."""
        (place,) = self._db.execute("SELECT max(place) FROM rows").fetchone()
        return int(place or 0)

    def rows_of_log(self, board: str, log: str, after: int = 0) -> Iterator[StoredRow]:
        """Iterate over the rows of one log by number."""
        where = "board = ? AND log = ? AND number > ? ORDER BY number"
        return iter(tuple(self._rows(where, board, log, after)))

    def rows_of_game(self, game_id: str) -> Sequence[StoredRow]:
        """Return the rows of one game by number, of the log that brought it first."""
        rows = tuple(self._rows("game_id = ? ORDER BY place", game_id))
        first = rows[:1]
        own = [r for r in rows if (r.board, r.log) == (first[0].board, first[0].log)]
        return tuple(sorted(own, key=lambda r: r.row.number))

    def _rows(self, where: str, *values: str | int) -> Iterator[StoredRow]:
        columns = "place, board, log, number, game_id, t_s, utc, kind, body, received"
        # `where` is one of the constants above, never a text from outside.
        for found in self._db.execute(f"SELECT {columns} FROM rows WHERE {where}", values):
            place, board, log, *row, received = found
            yield StoredRow(place, board, log, LogRow(*row), received)

    def games(self) -> Sequence[tuple[str, str, str, int]]:
        """Return (board, log, game, number of its last row) of every game, the oldest first."""
        found = self._db.execute(
            "SELECT board, log, game_id, max(number) FROM rows"
            " GROUP BY board, log, game_id ORDER BY min(place)"
        )
        return tuple((board, log, game_id, number) for board, log, game_id, number in found)

    def heads(self) -> Mapping[tuple[str, str], int]:
        """Return by board and log the number up to which every row is there."""
        # The first number that is there while its successor is not, where there is a row 1.
        found = self._db.execute(
            "SELECT r.board, r.log, min(r.number) FROM rows r WHERE NOT EXISTS (SELECT 1 FROM rows"
            " s WHERE s.board = r.board AND s.log = r.log AND s.number = r.number + 1)"
            " AND EXISTS (SELECT 1 FROM rows f WHERE f.board = r.board AND f.log = r.log"
            " AND f.number = 1) GROUP BY r.board, r.log"
        )
        return {(board, log): number for board, log, number in found}

    def put_state(self, board: str, state: StoredState) -> None:
        """Keep what a device says of itself, instead of what it said before."""
        values = (board, state.state, state.received)
        self._db.execute("INSERT OR REPLACE INTO states VALUES (?, ?, ?)", values)

    def states(self) -> Mapping[str, StoredState]:
        """Return the last state of each device."""
        found = self._db.execute("SELECT board, state, received FROM states")
        return {board: StoredState(state, received) for board, state, received in found}

    def ask(self, request: OpenRequest) -> None:
        """Note a request, unless one with its id is there."""
        values = (request.id, request.board, request.kind, request.body, request.asked)
        self._db.execute("INSERT OR IGNORE INTO requests VALUES (?, ?, ?, ?, ?, NULL)", values)

    def open_requests(self) -> Sequence[OpenRequest]:
        """Return the requests without an answer, the oldest first."""
        found = self._db.execute(
            "SELECT id, board, kind, body, asked FROM requests WHERE answer IS NULL ORDER BY asked"
        )
        return tuple(OpenRequest(*row) for row in found)

    def answer(self, request_id: str, answer: str) -> None:
        """Note what came of a request."""
        self._db.execute("UPDATE requests SET answer = ? WHERE id = ?", (answer, request_id))

    def answer_of(self, request_id: str) -> str | None:
        """Return what came of a request, None while nothing has."""
        query = "SELECT answer FROM requests WHERE id = ?"
        found = self._db.execute(query, (request_id,)).fetchone()
        return None if found is None else found[0]

    def put_picture(self, board: str, name: str, data: bytes) -> None:
        """Keep a picture."""
        self._db.execute("INSERT OR REPLACE INTO pictures VALUES (?, ?, ?)", (board, name, data))

    def picture(self, board: str, name: str) -> bytes | None:
        """Return a picture if it is there."""
        query = "SELECT data FROM pictures WHERE board = ? AND name = ?"
        found = self._db.execute(query, (board, name)).fetchone()
        return None if found is None else bytes(found[0])

    def set_setting(self, name: str, value: str) -> None:
        """Keep a setting of the hub's pages."""
        self._db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    def setting(self, name: str) -> str | None:
        """Return a setting, None if it was never made."""
        query = "SELECT value FROM settings WHERE name = ?"
        found = self._db.execute(query, (name,)).fetchone()
        return None if found is None else str(found[0])


def _is_prepared(db: sqlite3.Connection, path: Path) -> bool:
    """Return whether a file is a hub's; False for a new one."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables == 0 and version == 0:
        return False
    if application != APPLICATION_ID or version > FORMAT_VERSION:
        raise StorageError(
            f"{path} must be a hub's file of format {FORMAT_VERSION} or earlier,"
            f" got application {application:#x}, format {version}"
        )
    return True


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    """Make the tables, unless another process just did."""
    if _is_prepared(db, path):
        return
    for statement in SCHEMA.split(";"):
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")

"""The finished games of a device, read from their logs: what the public may keep of each."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from recorder.events import GameStarted, Record
from recorder.gamelog import GameLog, GameLogError, LogRow
from recorder.public import NO_DELAY, OVER, PublicGame, PublicView, project, take_batch
from recorder.rebuild import batches

log = logging.getLogger(__name__)

LOG, GAMES = "game.db", "games"
GAME_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class Kept:
    """One game of the library."""

    game_id: str
    view: PublicView
    """Its main line without delay; no alerts, reasons or notes."""

    ended_utc: str
    """When its last record was written, ISO."""

    is_over: bool
    """Whether it ended as the public knows it; False: it was broken off, or goes on."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a log, and of which state of its files."""

    stamp: tuple[int, ...] = ()
    last: LogRow | None = None
    """The last row that was read; a file that has another in its place is another log."""

    games: Mapping[str, Kept | None] = field(default_factory=dict)
    """None: a game that never began."""


class Library:
    """Reads `ROOT/game.db` and `ROOT/games/*/game.db`; thread-safe.

    A log is read again only when its files have changed, and then only the games that have new
    rows: the game being played must not cost the reading of all others with every visitor.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._read: dict[Path, _Read] = {}
        self._lock = Lock()

    def games(self) -> tuple[Kept, ...]:
        """Return every game that has begun, the newest first."""
        with self._lock:
            found = [kept for path in self._logs() for kept in self._games_of(path)]
        return tuple(sorted(found, key=lambda kept: kept.game_id, reverse=True))

    def game(self, game_id: str) -> Kept | None:
        """Return one game, None if there is none of that id."""
        return next((kept for kept in self.games() if kept.game_id == game_id), None)

    def _logs(self) -> Iterator[Path]:
        folders = (self._root, *sorted((self._root / GAMES).glob("*/")))
        return (folder / LOG for folder in folders if (folder / LOG).is_file())

    def _games_of(self, path: Path) -> tuple[Kept, ...]:
        stamp, known = _stamp(path), self._read.get(path, _Read())
        if known.stamp != stamp:
            known = _read_on(path, replace(known, stamp=stamp))
            self._read[path] = known
        return tuple(kept for kept in known.games.values() if kept is not None)


def _stamp(path: Path) -> tuple[int, ...]:
    """Return what changes with a log: the sizes and times of its file and its write-ahead log."""
    stamp: list[int] = []
    for file in (path, path.with_name(path.name + "-wal")):
        try:
            status = file.stat()
        except FileNotFoundError:
            continue
        # Readers leave an empty write-ahead log behind, or take it away: that is no change.
        stamp += (status.st_size, status.st_mtime_ns) if status.st_size else ()
    return tuple(stamp)


def _read_on(path: Path, known: _Read) -> _Read:
    """Return what is known of a log with the games that have rows after the last known one."""
    try:
        with GameLog(path) as gamelog:
            known, rows = _new_rows(gamelog, known)
            changed = {
                game_id: keep(tuple(gamelog.records(game_id)))
                for game_id in {row.game_id for row in rows}
            }
    except (GameLogError, OSError) as error:
        # Not a log, or one that another version wrote: the others are shown all the same.
        log.warning("%s is left out of the list of games: %s", path, error)
        return _Read(known.stamp)
    last = rows[-1] if rows else known.last
    return replace(known, last=last, games={**known.games, **changed})


def _new_rows(gamelog: GameLog, known: _Read) -> tuple[_Read, list[LogRow]]:
    """Return the rows after the last known one; all of another log in its place."""
    if known.last is None:
        return known, list(gamelog.rows())
    rows = list(gamelog.rows(after=known.last.number - 1))
    if rows[:1] == [known.last]:
        return known, rows[1:]
    return _Read(known.stamp), list(gamelog.rows())


def keep(records: tuple[Record, ...]) -> Kept | None:
    """Return what the public keeps of a game's records, None if it never began."""
    if not any(isinstance(record.event, GameStarted) for record in records):
        return None
    game_id = records[0].game_id
    if not GAME_ID.fullmatch(game_id):
        return None
    game = PublicGame(game_id, 0.0)
    for batch in batches(records):
        game = take_batch(game, batch.records, known_s=0.0, delay=NO_DELAY)
    view = project(game, now_s=0.0, delay=NO_DELAY)
    return Kept(game_id, view, records[-1].utc, view.game.phase in OVER)

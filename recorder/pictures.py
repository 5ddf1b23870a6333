"""The pictures of all games on a device: which go first, and when they are deleted for good."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

log = logging.getLogger(__name__)

EVIDENCE = "evidence"
"""Folder with the pictures, in that of a game."""

DAY_S = 86400.0

FOREVER_DAYS = 3650.0
"""Pictures that seem older than that have to do with a clock that was not set."""


def free_bytes(folder: Path) -> int:
    """Return how much room the disk has where a folder is, or will be."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free


def delete_pictures(game: Path) -> int:
    """Delete all pictures of a game; return how many files that were. The record stays.

    Raises
    ------
    OSError
        Some of them cannot be deleted, and are still there.
    """
    folder = game / EVIDENCE
    if not folder.is_dir():
        return 0
    files = sum(1 for path in folder.rglob("*") if path.is_file())
    shutil.rmtree(folder)
    return files


def _are_gone(game: Path) -> bool:
    """Delete the pictures of a game; return whether there were any, and it could be done."""
    try:
        return delete_pictures(game) > 0
    except OSError as error:
        log.error("the pictures of %s cannot be deleted: %s", game.name, error)
        return False


def expire(games: Path, keep_days: float, *, now_s: float | None = None) -> tuple[Path, ...]:
    """Delete the pictures of games that ended long ago; return the games.

    Parameters
    ----------
    games
        Folder with a folder for each game.
    keep_days
        How long pictures are kept; 0: for ever.
    now_s
        Wall clock in seconds since 1970, default: now.
    """
    now_s = time.time() if now_s is None else now_s
    gone = []
    for game in _with_pictures(games) if keep_days else ():
        age_days = (now_s - _ended_s(game)) / DAY_S
        if keep_days < age_days < FOREVER_DAYS:
            log.info("the pictures of %s are deleted after %s days", game.name, round(age_days))
            if _are_gone(game):
                gone.append(game)
    return tuple(gone)


def make_room(games: Path, wanted_bytes: int, *, but: str = "") -> bool:
    """Delete pictures until so much is free; return whether any were there to delete.

    First those of whole games, the oldest game first, last those of plain moves of the game `but`;
    the pictures of its alerts stay.
    """
    had_any = False
    for game in _with_pictures(games):
        if free_bytes(games) >= wanted_bytes:
            return True
        if game.name != but:
            log.error("the disk is full: the pictures of %s are deleted", game.name)
            had_any |= _are_gone(game)
    for move in sorted((games / but / EVIDENCE).glob("move-*")) if but else ():
        if free_bytes(games) >= wanted_bytes:
            return True
        had_any = True
        shutil.rmtree(move, ignore_errors=True)
    return had_any


def _with_pictures(games: Path) -> Iterator[Path]:
    """Iterate over the games that have pictures, the one that ended first first."""
    found = (
        [game for game in games.iterdir() if (game / EVIDENCE).is_dir()] if games.is_dir() else []
    )
    yield from sorted(found, key=_ended_s)


def _ended_s(game: Path) -> float:
    """Return when a game was last written to, seconds since 1970."""
    times = [path.stat().st_mtime for path in game.iterdir() if path.is_file()]
    return max(times, default=0.0)


class Expiry:
    """A chore of the loop: deletes pictures of old games, once an hour."""

    def __init__(self, games: Path, keep_days: float, *, every_s: float = 3600.0) -> None:
        self._games = games
        self._keep_days = keep_days
        self._every_s = every_s
        self._due_s: float | None = None

    def tend(self, now_s: float) -> None:
        """Delete what is due."""
        if self._due_s is None or now_s >= self._due_s:
            self._due_s = now_s + self._every_s
            expire(self._games, self._keep_days)

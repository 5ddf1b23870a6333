"""Keeps appending to the log when the disk takes nothing: in memory, until it does again."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence

from recorder.events import Event
from recorder.gamelog import Appended, GameLog, Prepared
from recorder.observations import Observation

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""So often it is tried again to write what waits in memory."""


class LogKeeper:
    """Appends to a game log as `GameLog.append` does, and never fails for want of a disk.

    What the disk does not take waits in memory with its numbers, in order, and is written before
    anything that comes later: a process killed meanwhile loses what waits, and leaves a whole
    log. Used on the loop's thread; `trouble` and `waiting` may be read from others.
    """

    def __init__(self, gamelog: GameLog, *, make_room: Callable[[], bool] = lambda: False) -> None:
        """Keep a log; `make_room` gives up what matters less, and tells whether that freed any."""
        self._gamelog = gamelog
        self._make_room = make_room
        self._waiting: list[Prepared] = []
        self._retry_s = 0.0
        self.trouble: str | None = None
        """Why the log takes nothing; None while it does."""

    @property
    def waiting(self) -> int:
        """How many observations with their events are in memory only."""
        return len(self._waiting)

    def append(self, game_id: str, observation: Observation, events: Sequence[Event]) -> Appended:
        """Write an observation and the events it led to, or keep them; return their numbers."""
        prepared = self._gamelog.prepare(game_id, observation, events)
        self._waiting.append(prepared)
        if self.trouble is None:
            self._write()
        return prepared.appended

    def tend(self, now_s: float) -> None:
        """Try again to write what waits, once in a while."""
        if self.trouble is not None and now_s >= self._retry_s:
            self._retry_s = now_s + RETRY_S
            self._write()

    def close(self) -> None:
        """Try a last time, and say what is lost."""
        if self._waiting:
            self._write()
        if self._waiting:
            log.error("%s observations could not be written and are lost", self.waiting)

    def _write(self) -> None:
        fault = self._fault()
        if fault is not None and self._make_room():
            fault = self._fault()
        if fault is None:
            if self.trouble is not None:
                log.warning("the game log takes everything again, nothing is missing in it")
            self._waiting.clear()
        elif self.trouble is None:
            log.error("the game log takes nothing (%s): recording goes on in memory only", fault)
        self.trouble = fault

    def _fault(self) -> str | None:
        try:
            self._gamelog.write(self._waiting)
        except sqlite3.DatabaseError as error:
            return str(error)
        return None

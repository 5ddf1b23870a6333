"""What a device still has to send: its logs, and how much of each has arrived where."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from recorder.gamelog import GameLog, GameLogError
from recorder.hall.wire import Heads, Rows, chunks

log = logging.getLogger(__name__)

LOG_NAME = "game.db"

MOST_TRIES = 5
"""The patience with a hub that gets no further doubles so often: a slow one needs no flood."""

FORGET_HUB_S = 30.0
"""A hub that reported nothing for so long is not waited for."""


def find_logs(root: Path) -> tuple[Path, ...]:
    """Return the logs of a device, the newest last: a file, or all in a folder and below it."""
    if root.is_file():
        return (root,)
    found = [*root.glob(LOG_NAME), *root.glob(f"*/{LOG_NAME}"), *root.glob(f"games/*/{LOG_NAME}")]
    # The folders of games are named by the time of their start.
    return tuple(sorted(found, key=lambda path: path.parent.name))


@dataclass
class OutgoingLog:
    """One log of a device, and what became of its rows."""

    name: str
    gamelog: GameLog
    sent: int = 0
    """The server has confirmed everything up to this number."""

    again: int = 0
    """How often a hub asked for rows again that the server had confirmed."""

    is_reported: bool = False
    """Some hub has said what it has of this log."""

    heads: dict[str, tuple[int, float]] = field(default_factory=dict)
    """What each hub has, and when it said so."""

    behind: tuple[int, float] | None = None
    """What the slowest hub lacks from, and since when it got no further."""

    tries: int = 0
    """How often it was sent the rows again and got no further all the same."""

    def parts(self, most: int) -> tuple[Rows, ...]:
        """Return the next messages to be sent, at most so many."""
        rows = chunks(self.gamelog.rows(after=self.sent))
        return tuple(Rows(self.name, part) for part in islice(rows, most))

    def take_report(self, hub: str, number: int, now_s: float, *, patience_s: float) -> None:
        """Take what a hub has; where it gets no further, its missing rows will be sent again."""
        self.heads[hub] = (number, now_s)
        fresh = {h: n for h, (n, at) in self.heads.items() if now_s - at <= FORGET_HUB_S}
        lowest = min(fresh.values())
        if not self.is_reported:
            self.is_reported = True
            # Known from before this start of the device; the server need not be told again.
            self.sent = max(self.sent, min(lowest, self.gamelog.last_number()))
        if lowest >= self.sent:
            self.behind, self.tries = None, 0
        elif self.behind is None or self.behind[0] != lowest:
            self.behind, self.tries = (lowest, now_s), 0
        elif now_s - self.behind[1] >= patience_s * 2 ** min(self.tries, MOST_TRIES):
            log.warning("a hub lacks the rows of %s after %s, sending again", self.name, lowest)
            self.sent, self.again = lowest, self.again + 1
            self.behind, self.tries = (lowest, now_s), self.tries + 1


class Outbox:
    """The logs of one device. Used by one thread."""

    def __init__(
        self,
        root: Path,
        *,
        patience_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = root
        self._patience_s = patience_s
        self._clock = clock
        self._logs: dict[Path, OutgoingLog] = {}

    def look(self) -> None:
        """Open logs that are new."""
        for path in find_logs(self._root):
            if path not in self._logs:
                self._open(path)

    def _open(self, path: Path) -> None:
        try:
            gamelog = GameLog(path)
        except (GameLogError, OSError) as error:
            log.debug("%s is not read yet: %s", path, error)
            return
        games = gamelog.game_ids()
        if games:
            self._logs[path] = OutgoingLog(games[0], gamelog)
        else:
            gamelog.close()

    @property
    def current(self) -> OutgoingLog | None:
        """The log of the newest game."""
        paths = sorted(self._logs, key=lambda path: path.parent.name)
        return self._logs[paths[-1]] if paths else None

    def due(self) -> Iterator[OutgoingLog]:
        """Iterate over the logs to be sent: the current one, and those that hubs lack."""
        current = self.current
        if current is not None:
            yield current
        for one in self._logs.values():
            # An old log is sent only to a hub that has said what it lacks.
            if one is not current and one.is_reported:
                yield one

    def numbers(self) -> Mapping[str, int]:
        """Return the last number of each log."""
        return {one.name: one.gamelog.last_number() for one in self._logs.values()}

    def take_heads(self, heads: Heads) -> None:
        """Take a hub's report."""
        now_s = self._clock()
        for one in self._logs.values():
            if one.name in heads.heads:
                number = heads.heads[one.name]
                one.take_report(heads.hub, number, now_s, patience_s=self._patience_s)

    def close(self) -> None:
        """Close every log."""
        for one in self._logs.values():
            one.gamelog.close()

"""Who is told what has happened: the Publisher protocol and the fan-out to all of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from recorder.events import Record
from recorder.game import Game

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Batch:
    """What one observation led to, already in the log."""

    records: tuple[Record, ...]
    game: Game
    """The game after these records."""


class Publisher(Protocol):
    """Somebody who is told after the log has it: a file writer, a page, the hall."""

    def publish(self, batch: Batch) -> None:
        """Take note of one batch, on the loop's thread; must return at once."""


class EachRecord:
    """Tells a function about single records."""

    def __init__(self, tell: Callable[[Record], None]) -> None:
        self._tell = tell

    def publish(self, batch: Batch) -> None:
        """Call the function once a record, in order."""
        for record in batch.records:
            self._tell(record)


class FanOut:
    """Tells several publishers; one that fails stops neither the loop nor the others."""

    def __init__(self, publishers: Sequence[Publisher]) -> None:
        self._publishers = tuple(publishers)
        self._failing: set[int] = set()

    def publish(self, batch: Batch) -> None:
        """Tell every publisher; log a failure once until that publisher works again."""
        for place, publisher in enumerate(self._publishers):
            try:
                publisher.publish(batch)
            except Exception:
                if place not in self._failing:
                    log.exception("%s cannot publish", type(publisher).__name__)
                self._failing.add(place)
            else:
                if place in self._failing:
                    log.info("%s publishes again", type(publisher).__name__)
                self._failing.discard(place)

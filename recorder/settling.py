"""What settling remembers from reading to reading, and what the game expects next."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recorder.goban import Board, Color
from recorder.labels import Labels, labels_of
from recorder.observations import LooseStones

Seconds = NDArray[np.float64]
Mask = NDArray[np.bool_]

NO_LOOSE = LooseStones()


@dataclass(frozen=True)
class Settling:
    """What is remembered from reading to reading. All arrays are (N, N), never modified."""

    settled: Labels
    """The label last reported for each point."""

    candidate: Labels
    """The label that may settle next; equal to `settled` where nothing is going on."""

    since_s: Seconds
    """When the candidate was first seen."""

    clear_s: Seconds
    """For how long it was seen, weighed by confidence."""

    seen_s: Seconds
    """For how long it was seen, however unsurely."""

    peak: Seconds
    """The highest confidence with which it was seen."""

    sightings: NDArray[np.int32]
    """In how many readings."""

    empty_s: Seconds
    """When the point was last seen empty; -inf: never."""

    doubt_since_s: Seconds
    """Since when a point that was empty has looked as if it may not be; inf: it looks empty."""

    was_hidden: Mask
    """Where the point has been hidden since it was last seen empty."""

    known: Mask
    """False where nothing has settled yet since the game was joined."""

    last_s: float | None = None
    """Time of the last reading."""

    begun_s: float | None = None
    """Time of the first reading."""

    hidden_since_s: float | None = None
    """Since when most of the goban has been hidden."""

    is_blocked: bool = False
    loose: LooseStones = NO_LOOSE
    """As last reported."""

    loose_next: LooseStones = NO_LOOSE
    loose_since_s: float = 0.0


def new_settling(size: int) -> Settling:
    """Return the memory before the first reading: no point is known yet."""
    empty = np.zeros((size, size), np.uint8)
    return Settling(
        settled=empty,
        candidate=empty,
        since_s=np.zeros((size, size)),
        clear_s=np.zeros((size, size)),
        seen_s=np.zeros((size, size)),
        peak=np.zeros((size, size)),
        sightings=np.zeros((size, size), np.int32),
        empty_s=np.full((size, size), -np.inf),
        doubt_since_s=np.full((size, size), np.inf),
        was_hidden=np.zeros((size, size), bool),
        known=np.zeros((size, size), bool),
    )


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the game expects, to tell the likely from the odd; it never hides anything."""

    official: Board
    """The position by the record."""

    to_move: Color | None
    """Whose stone may come next; None: either."""

    played_s: float = -math.inf
    """When the last move of the record was played."""


def turned_settling(memory: Settling, quarters: int) -> Settling:
    """Return the memory of the same goban, read from another side: as `np.rot90` turns."""
    arrays: dict[str, Any] = {
        name: np.rot90(value, quarters)
        for name, value in vars(memory).items()
        if isinstance(value, np.ndarray)
    }
    return replace(memory, **arrays)


def resettle(memory: Settling, physical: Board) -> Settling:
    """Return the memory of a goban whose position is known, for example after a restart."""
    fresh = new_settling(physical.size)
    labels = labels_of(physical)
    return replace(
        fresh, settled=labels, candidate=labels, known=np.ones_like(fresh.known), loose=memory.loose
    )

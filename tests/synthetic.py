"""Frames whose pixels tell what stands on the goban, for tests that are not about seeing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from recorder.engine import Known, NoSight
from recorder.events import ViewState
from recorder.eye import Eye, Look
from recorder.goban import Board, Color, Point, Stone
from recorder.labels import labels_of
from vision.types import Frame, StoneReading

RATE = 5.0
NOTHING = 255
"""Value of a pixel where no goban is in view."""


def picture(board: Board | None) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return an image of a goban of any size; None: there is none in view."""
    if board is None:
        return np.full((19, 19, 3), NOTHING, np.uint8)
    labels = labels_of(board)
    return np.ascontiguousarray(np.repeat(labels[:, :, None], 3, axis=2).astype(np.uint8))


def looking(eye: Eye, frame: Frame, known: Known | None) -> tuple[Eye, Look]:
    """Read what the pixels tell."""
    labels = frame.image[:, :, 0]
    if labels.max() == NOTHING:
        return eye, Look(NoSight(frame.seen_at_s, ViewState.NO_GRID, "no goban found"), None)
    probabilities = np.eye(3, dtype=np.float32)[labels]
    return eye, Look(
        StoneReading(probabilities, np.ones(labels.shape, bool), frame.seen_at_s), None
    )


def stones(text: str, size: int = 9) -> tuple[Stone, ...]:
    """Return the stones of "B22 W66": color, row, column."""
    return tuple(Stone(Color(w[0]), Point(int(w[1]), int(w[2]))) for w in text.split())


@dataclass
class Film:
    """A recorded source: scenes one after the other, each so many seconds long."""

    scenes: Sequence[tuple[float, Board | None]]
    is_live: bool = False
    duration_s: float | None = None

    def frames(self) -> Iterator[Frame]:
        """Iterate over the frames, five a second."""
        number = 0
        for seconds, board in self.scenes:
            for _ in range(round(seconds * RATE)):
                yield Frame(picture(board), number / RATE, number=number)
                number += 1

    def close(self) -> None:
        """Nothing to close."""


def played(text: str, size: int = 9, *, pace_s: float = 4.0) -> list[tuple[float, Board]]:
    """Return the scenes of a game: the empty goban, then stone after stone."""
    all_stones = stones(text, size)
    return [(pace_s, Board(size, all_stones[:n])) for n in range(len(all_stones) + 1)]

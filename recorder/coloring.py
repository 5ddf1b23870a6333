"""The color of a stone that is plainly one, when its reading cannot tell which."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recorder.labels import LABEL_OF
from recorder.settling import Expectation, Settling
from vision.types import Label, StoneReading

MOST_EMPTY = 0.1
"""Below this probability of an empty point there is a stone."""

LEAST_OTHER = 0.2
"""From this probability of the less likely color on, the color is not told by the picture."""


def colored(memory: Settling, reading: StoneReading, expected: Expectation) -> StoneReading:
    """Return the reading with the color of doubtful stones as the game has it.

    In a reflection or in the dark a stone is plain and its color is not. A stone that stands keeps
    its color, and a new one has that of the side to move. The probabilities of the two colors are
    exchanged where that makes a difference, so the reading is as unsure as before.
    """
    given = reading.probabilities
    black, white = given[..., Label.BLACK], given[..., Label.WHITE]
    likely = memory.settled
    if expected.to_move is not None:
        awaited = LABEL_OF[expected.to_move]
        likely = np.where(memory.settled == Label.EMPTY, awaited, memory.settled)
    is_doubtful = (given[..., Label.EMPTY] < MOST_EMPTY) & (np.minimum(black, white) >= LEAST_OTHER)
    is_other = is_doubtful & (likely != Label.EMPTY) & (reading.labels != likely)
    if not is_other.any():
        return reading
    probabilities = given.copy()
    probabilities[is_other, Label.BLACK] = white[is_other]
    probabilities[is_other, Label.WHITE] = black[is_other]
    return replace(reading, probabilities=probabilities)

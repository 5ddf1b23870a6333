"""The only bridge between the labels of vision and the colors of the game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from recorder.goban import Board, Color
from vision.types import Label

Labels = NDArray[np.uint8]

COLOR_OF = {Label.BLACK: Color.BLACK, Label.WHITE: Color.WHITE}
LABEL_OF = {None: Label.EMPTY, Color.BLACK: Label.BLACK, Color.WHITE: Label.WHITE}


def labels_of(board: Board) -> Labels:
    """Return the (N, N) labels of a position."""
    labels = np.zeros((board.size, board.size), np.uint8)
    for color, point in board.stones():
        labels[point] = LABEL_OF[color]
    return labels

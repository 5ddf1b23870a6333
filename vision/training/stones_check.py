"""Draw stored boards with their labels, to look at."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.stones_data import CELL_PX, MARGIN_CELLS, Board, load_boards
from vision.training.stones_truth import COVERED, UNKNOWN

COLORS = {1: (0, 0, 255), 2: (255, 0, 0), COVERED: (0, 255, 0), UNKNOWN: (0, 255, 255)}


def drawn(board: Board) -> NDArray[np.uint8]:
    """Return the board (S, S, 3) with a mark on each point that is not empty."""
    image = board.image()
    for (row, col), label in np.ndenumerate(board.labels):
        if int(label) in COLORS:
            at = ((np.array([col, row]) + MARGIN_CELLS) * CELL_PX).astype(int)
            cv2.circle(image, tuple(map(int, at)), 4, COLORS[int(label)], -1)
    return image


def main() -> None:
    """Write a sheet of boards chosen at random."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--source", default="")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    boards = load_boards(arguments.boards)
    boards = [board for board in boards if arguments.source in board.source]
    chosen = np.random.default_rng(arguments.seed).choice(len(boards), 12, replace=False)
    tiles = [cv2.resize(drawn(boards[int(i)]), (480, 480)) for i in chosen]
    rows = [np.hstack(tiles[start : start + 4]) for start in (0, 4, 8)]
    cv2.imwrite(str(arguments.out), np.vstack(rows))


if __name__ == "__main__":
    main()

"""Take back labels of video boards that a trained reader contradicts about what is hidden.

A hand that rests on the board in a view thought clear spoils that view, and all that was labelled
by its difference from it. Stones and empty points are never judged here: the truth knows those.

    python -m vision.training.stones_clean BOARDS CLEANED --model stones.onnx
"""

from __future__ import annotations

import argparse
import pickle
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.net import Forward, load_model, normalized
from vision.training.stones_augment import MARGIN, READER_CELL_PX, READER_MARGIN_CELLS
from vision.training.stones_data import CELL_PX, MARGIN_CELLS, Board
from vision.training.stones_truth import COVERED, UNKNOWN

LIKELY, UNLIKELY = 0.5, 0.1
"""How probable it must be that a point is covered to doubt a label of the other kind."""

MOST_COVERED = 2
"""Points that may look covered in a clear view: highlights do."""


def covered_share(forward: Forward, board: Board) -> NDArray[np.float32]:
    """Return (N, N), [0, 1]: how probable the reader finds it that a point is covered."""
    cut = round((MARGIN_CELLS - READER_MARGIN_CELLS) * CELL_PX)
    side = round((len(board.labels) - 1 + 2 * READER_MARGIN_CELLS) * READER_CELL_PX)
    image, known = board.image()[cut:-cut, cut:-cut], board.known()[cut:-cut, cut:-cut]
    small = np.asarray(cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
    inside = cv2.resize(known.astype(np.uint8), (side, side), interpolation=cv2.INTER_NEAREST)
    answer = forward(normalized(small, np.asarray(inside) > 0))[
        0, :4, MARGIN:-MARGIN, MARGIN:-MARGIN
    ]
    powers = np.exp(answer - answer.max(axis=0))
    return np.asarray(powers[3] / powers.sum(axis=0), np.float32)


def cleaned(forward: Forward, boards: list[Board]) -> list[Board]:
    """Return the boards of one video without spoilt views, doubtful labels set to UNKNOWN."""
    kept: list[Board] = []
    is_spoilt = True
    for board in boards:
        covered = covered_share(forward, board)
        if board.hand_png is None:
            is_spoilt = int((covered > LIKELY).sum()) > MOST_COVERED
        if is_spoilt:
            continue
        labels = board.labels.copy()
        seen = labels < COVERED
        doubtful = (seen & (covered > LIKELY)) | ((labels == COVERED) & (covered < UNLIKELY))
        labels[doubtful] = UNKNOWN
        kept.append(replace(board, labels=labels))
    return kept


def main() -> None:
    """Clean every file of boards of a folder; photographs and stills are copied as they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--model", type=Path, required=True)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    forward = load_model(arguments.model)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for path in sorted(arguments.boards.glob("*.pickle")):
        boards: list[Board] = pickle.loads(path.read_bytes())
        if path.stem not in ("photos", "rows_only", "stills"):
            count = len(boards)
            boards = cleaned(forward, boards)
            print(f"{path.stem}: {len(boards)} of {count} kept", flush=True)
        (arguments.out / path.name).write_bytes(pickle.dumps(boards))


if __name__ == "__main__":
    main()

"""Training samples are made from stored boards, which stay as they are."""

from __future__ import annotations

import cv2
import numpy as np
from boards import grid, photograph

from vision.cells import rectified, shrink_factor
from vision.geometry import rectify_map
from vision.training.stones_augment import make_sample
from vision.training.stones_data import CELL_PX, MARGIN_CELLS, Board

POSITION = "\n".join(["." * 9] * 3 + ["..X...O.."] + ["." * 9] * 5)


def stored() -> Board:
    fit = grid(9)
    sampling = rectify_map(fit, cell=CELL_PX, margin_cells=MARGIN_CELLS)
    image = rectified(photograph(POSITION).image, sampling, shrink_factor(fit, CELL_PX))
    known = np.full(image.shape[:2], 255, np.uint8)
    labels = np.array([[".XO".index(c) for c in row] for row in POSITION.split()], np.uint8)
    jpeg, png = (bytes(cv2.imencode(e, i)[1]) for e, i in ((".jpg", image), (".png", known)))
    return Board("drawn", "drawn", jpeg, png, labels, 1.0)


def test_no_sample_changes_the_board_it_was_made_from() -> None:
    board, rng = stored(), np.random.default_rng(2)
    before = board.labels.copy()
    samples = [make_sample(board, [], rng) for _ in range(40)]
    assert (board.labels == before).all()
    assert any(len(np.unique(sample.labels)) > 1 for sample in samples)

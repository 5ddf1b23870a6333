"""Generated boards say what stands where, and what nobody can tell."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.stones_data import CELL_PX, MARGIN_CELLS, Board
from vision.training.stones_scenes import scene_boards
from vision.training.stones_truth import COVERED


@pytest.fixture(scope="module")
def boards() -> list[Board]:
    return list(scene_boards(12, np.random.default_rng(3)))


def brightness(board: Board) -> np.ndarray:
    """Return (N, N), the mean of a small square on each intersection."""
    at = np.round((np.arange(len(board.labels)) + MARGIN_CELLS) * CELL_PX).astype(int)
    gray = board.image().mean(axis=2)
    squares = [gray[np.ix_(at + i, at + j)] for i in (-2, 0, 2) for j in (-2, 0, 2)]
    return np.asarray(np.mean(squares, axis=0))


def test_white_stones_are_brighter_than_black_ones(boards: list[Board]) -> None:
    both = [b for b in boards if (b.labels == 1).any() and (b.labels == 2).any()]
    assert both
    for board in both:
        light = brightness(board)
        assert np.median(light[board.labels == 2]) > np.median(light[board.labels == 1]) + 30


def test_what_an_arm_or_the_border_hides_is_labelled_as_hidden(boards: list[Board]) -> None:
    assert any((board.labels == COVERED).any() for board in boards)
    for board in boards:
        at = np.round((np.arange(len(board.labels)) + MARGIN_CELLS) * CELL_PX).astype(int)
        outside = ~board.known()[np.ix_(at, at)]
        assert (board.labels[outside] >= COVERED).all()


def test_the_same_seed_draws_the_same_boards(boards: list[Board]) -> None:
    again = next(scene_boards(1, np.random.default_rng(3)))
    assert again.jpeg == boards[0].jpeg
    assert (again.labels == boards[0].labels).all()

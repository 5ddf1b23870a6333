"""The grid from frame to frame: nothing moves, a hand passes, lights change, the board slides."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.follow import GridMemory, _remember, follow_grid, numbered_like, shift_cells
from vision.geometry import corners_px
from vision.training.photos import known_grid
from vision.training.scenes import draw_arm
from vision.types import Frame, GridFit, NoGrid, NoGridReason


@dataclass(frozen=True)
class Board:
    """A golden frame and its grid."""

    image: np.ndarray
    grid: GridFit


@lru_cache(maxsize=1)
def board() -> Board:
    path = Path(__file__).parent / "data" / "frames" / "grid_19_2.jpg"
    image = np.asarray(cv2.imread(str(path)), np.uint8)
    numbers = path.with_suffix(".txt").read_text().split("corners_px: ")[1].split("\n")[0]
    corners = np.array(numbers.split(), float).reshape(4, 2)
    return Board(image, known_grid(image.shape, 19, corners))


def remembered() -> GridMemory:
    """Return the memory after the first frame, with the true grid."""
    return _remember(board().grid, Frame(board().image, 0.0))


def frame_at(seconds: float, image: np.ndarray | None = None) -> Frame:
    return Frame(board().image if image is None else np.ascontiguousarray(image), seconds)


def test_a_still_scene_keeps_exactly_the_same_fit() -> None:
    memory = remembered()
    noise = np.random.default_rng(0)
    for number in range(20):
        image = np.clip(board().image + noise.normal(0, 3, board().image.shape), 0, 255)
        memory, answer = follow_grid(memory, frame_at(number / 5, image.astype(np.uint8)))
        assert answer is board().grid


def test_a_passing_hand_is_not_motion() -> None:
    memory = remembered()
    rng = np.random.default_rng(1)
    for number in range(30):
        image = board().image.copy()
        if 5 <= number < 15:
            draw_arm(rng, image, np.array([540.0, 330.0]), 45)
        memory, answer = follow_grid(memory, frame_at(number / 5, image))
        assert answer is board().grid


def test_less_light_is_not_motion() -> None:
    memory = remembered()
    for number in range(30):
        image = board().image if number < 5 else (board().image * 0.45).astype(np.uint8)
        memory, answer = follow_grid(memory, frame_at(number / 5, image))
        assert isinstance(answer, GridFit)
        assert shift_cells(answer, remembered().fit or answer) < 0.1


def test_darkness_keeps_the_fit() -> None:
    memory = remembered()
    for number in range(30):
        image = board().image if number < 5 else np.zeros_like(board().image)
        memory, answer = follow_grid(memory, frame_at(number / 5, image))
        assert answer is board().grid


@pytest.mark.parametrize("shift", [(40, 25), (-12, 60)])
def test_a_bumped_camera_asks_for_a_new_search(shift: tuple[int, int]) -> None:
    memory = remembered()
    moved = np.roll(board().image, shift, axis=(1, 0))
    answers = []
    for number in range(20):
        image = board().image if number < 5 else moved
        memory, answer = follow_grid(memory, frame_at(number / 5, image))
        answers.append(answer)
    reasons = [a.reason for a in answers if isinstance(a, NoGrid)]
    assert reasons == [NoGridReason.MOVED]
    last = answers[-1]
    assert isinstance(last, GridFit)
    assert np.abs(corners_px(last) - corners_px(board().grid) - np.array(shift)).max() < 4


def test_a_found_grid_keeps_the_numbering_of_the_one_before() -> None:
    grid = board().grid
    turned = grid.turned(3)
    assert np.allclose(corners_px(numbered_like(turned, grid)), corners_px(grid))


def test_memory_is_never_modified() -> None:
    memory = remembered()
    before = memory.patches.copy()
    follow_grid(memory, frame_at(9.0, np.zeros_like(board().image)))
    assert np.array_equal(memory.patches, before)

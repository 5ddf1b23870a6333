"""Boards are found where they are, and nowhere else."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.geometry import corners_px
from vision.grid import find_grid, search
from vision.quads import in_order
from vision.training.scenes import draw_scene
from vision.types import CameraModel, Frame, GridFit, NoGrid, NoGridReason

FRAMES = Path(__file__).parent / "data" / "frames"
GOLDEN = sorted(FRAMES.glob("grid_*.jpg"))
TOLERANCE_CELLS = 0.3


def golden(path: Path) -> tuple[np.ndarray, int, np.ndarray]:
    """Return picture, size and corners (4, 2) of a golden frame."""
    lines = path.with_suffix(".txt").read_text().splitlines()
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    corners = np.array(fields["corners_px"].split(), float).reshape(4, 2)
    return np.asarray(cv2.imread(str(path))), int(fields["size"]), corners


def found(image: np.ndarray) -> GridFit:
    answer = find_grid(Frame(np.ascontiguousarray(image), 0.0))
    assert isinstance(answer, GridFit), answer
    return answer


def corner_error_cells(fit: GridFit, truth: np.ndarray) -> float:
    apart = np.linalg.norm(in_order(corners_px(fit)) - in_order(truth), axis=1)
    return float(apart.max()) / fit.cell_px


def test_there_are_golden_frames_of_every_size() -> None:
    assert {golden(path)[1] for path in GOLDEN} == {9, 13, 19}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_boards_are_found(path: Path) -> None:
    image, size, corners = golden(path)
    fit = found(image)
    assert fit.size == size
    assert corner_error_cells(fit, corners) < TOLERANCE_CELLS
    assert fit.confidence > 0.5


@pytest.mark.parametrize("path", GOLDEN[::3], ids=lambda path: path.stem)
def test_turning_the_picture_turns_the_grid(path: Path) -> None:
    image, size, corners = golden(path)
    height = image.shape[0]
    fit = found(np.rot90(image, -1))
    assert fit.size == size
    turned = np.column_stack([height - 1 - corners[:, 1], corners[:, 0]])
    assert corner_error_cells(fit, turned) < TOLERANCE_CELLS


@pytest.mark.parametrize("path", GOLDEN[1::3], ids=lambda path: path.stem)
def test_mirroring_the_picture_mirrors_the_grid(path: Path) -> None:
    image, size, corners = golden(path)
    fit = found(image[:, ::-1])
    assert fit.size == size
    mirrored = np.column_stack([image.shape[1] - 1 - corners[:, 0], corners[:, 1]])
    assert corner_error_cells(fit, mirrored) < TOLERANCE_CELLS


@pytest.mark.parametrize("path", GOLDEN[2::3], ids=lambda path: path.stem)
def test_a_larger_picture_has_the_same_grid(path: Path) -> None:
    image, size, corners = golden(path)
    large = cv2.resize(image, None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC)
    fit = found(large)
    assert fit.size == size
    assert corner_error_cells(fit, corners * 2.5) < TOLERANCE_CELLS


def test_rows_are_numbered_as_seen() -> None:
    fit = found(golden(GOLDEN[0])[0])
    upper_left, upper_right, lower_right, lower_left = corners_px(fit)
    assert upper_left[0] < upper_right[0]
    assert lower_left[0] < lower_right[0]
    assert upper_left[1] < lower_left[1]


def test_a_known_lens_is_kept() -> None:
    image, _, corners = golden(GOLDEN[0])
    camera = CameraModel(image.shape[1], image.shape[0], k1=0.001)
    fit = find_grid(Frame(image, 0.0), camera)
    assert isinstance(fit, GridFit)
    assert fit.camera == camera
    assert corner_error_cells(fit, corners) < TOLERANCE_CELLS


def test_the_picture_is_not_modified() -> None:
    image, _, _ = golden(GOLDEN[0])
    before = image.copy()
    find_grid(Frame(image, 0.0))
    assert np.array_equal(image, before)


@pytest.mark.parametrize("seed", range(6))
def test_a_table_without_a_board_has_no_grid(seed: int) -> None:
    picture = draw_scene(np.random.default_rng(100 + seed), 960, 540, has_board=False)
    assert isinstance(find_grid(Frame(picture.image, 0.0)), NoGrid)


ODD = {
    "black": np.zeros((480, 640, 3), np.uint8),
    "white": np.full((480, 640, 3), 255, np.uint8),
    "one pixel": np.zeros((1, 1, 3), np.uint8),
    "a line": np.zeros((2, 900, 3), np.uint8),
    "a strip": np.full((40, 2000, 3), 90, np.uint8),
    "huge": np.full((3000, 4000, 3), 90, np.uint8),
}


@pytest.mark.parametrize("name", ODD)
def test_a_picture_of_nothing_has_no_grid(name: str) -> None:
    assert isinstance(find_grid(Frame(ODD[name], 0.0)), NoGrid)


def test_noise_has_no_grid() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (480, 640, 3)).astype(np.uint8)
    assert isinstance(find_grid(Frame(noise, 0.0)), NoGrid)


def test_a_tiny_picture_is_reported_as_too_small() -> None:
    answer = find_grid(Frame(np.zeros((20, 20, 3), np.uint8), 0.0))
    assert isinstance(answer, NoGrid)
    assert answer.reason is NoGridReason.TOO_SMALL


def test_a_board_cut_by_the_picture_is_not_guessed() -> None:
    image, _, corners = golden(GOLDEN[0])
    middle = int(corners[:, 0].mean())
    answer = find_grid(Frame(np.ascontiguousarray(image[:, middle:]), 0.0))
    assert isinstance(answer, NoGrid)


def test_a_search_keeps_what_it_saw() -> None:
    seen = search(Frame(golden(GOLDEN[0])[0], 0.0))
    assert seen.field.max() > 0.5
    assert seen.looks
    assert seen.looks[-1].fits


@pytest.mark.parametrize("side", ["left", "right"])
def test_of_two_boards_side_by_side_the_one_in_the_middle_is_meant(side: str) -> None:
    image, size, corners = golden(GOLDEN[0])
    height, width = image.shape[:2]
    table = np.full((height, 2 * width, 3), image[5, 5], np.uint8)
    table[:, width // 2 : width // 2 + width] = image
    # The neighbors' board is cut by nothing; only the room beside the middle is left for it.
    beside = cv2.resize(image, (width // 2, height // 2))
    x = 0 if side == "left" else 3 * width // 2
    table[height // 4 : height // 4 + height // 2, x : x + width // 2] = beside
    fit = found(table)
    assert fit.size == size
    assert corner_error_cells(fit, corners + np.array([width // 2, 0])) < TOLERANCE_CELLS

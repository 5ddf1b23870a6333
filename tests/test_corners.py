"""Corners by hand: they snap to lines, keep what cannot be seen, and say which side is Black's."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.corners import (
    CornersError,
    Snapped,
    checked_corners,
    place_grid,
    side_of_black,
    snapped_corner,
    snapped_to_lines,
    turned_for_black,
)
from vision.follow import shift_cells
from vision.geometry import corners_px
from vision.still import load_still
from vision.training.photos import known_grid
from vision.types import CameraModel, Frame, GridFit, Label, Side

PICTURE = Path(__file__).parent / "data" / "frames" / "grid_09_1.jpg"
FRAME = load_still(PICTURE)
HEIGHT, WIDTH = FRAME.image.shape[:2]
CORNERS = checked_corners(
    np.array(
        PICTURE.with_suffix(".txt").read_text().split("corners_px: ")[1].split("\n")[0].split(),
        float,
    ).reshape(4, 2),
    WIDTH,
    HEIGHT,
)
TRUE = known_grid(FRAME.image.shape, 9, CORNERS)
OFF = np.array([[5.0, 4.0], [-6, 3], [4, -5], [-3, -6]])


def drawn(ink: int, wood: int) -> Frame:
    """Return a grid of bare lines, as a network has never seen one."""
    image = np.full((HEIGHT, WIDTH, 3), wood, np.uint8)
    for k in range(9):
        for a, b in (((k, 0), (k, 8)), ((0, k), (8, k))):
            ends = [tuple(map(int, np.round(_at(point) * 16))) for point in (a, b)]
            cv2.line(image, ends[0], ends[1], (ink,) * 3, 2, cv2.LINE_AA, 4)
    return Frame(image, 0.0)


def _at(grid_xy: tuple[int, int]) -> np.ndarray:
    mapped = TRUE.homography @ [*grid_xy, 1.0]
    return np.asarray(mapped[:2] / mapped[2])


def test_a_grid_put_down_roughly_is_corrected_to_a_twentieth_of_a_cell() -> None:
    placed = place_grid(FRAME, 9, CORNERS + OFF)
    assert placed.by is Snapped.NETWORK
    assert shift_cells(placed.fit, TRUE) < 0.07
    assert placed.fit.confidence == 1.0
    assert placed.moved_cells > 0.1


@pytest.mark.parametrize(("ink", "wood"), [(20, 170), (230, 60)])
def test_lines_darker_or_brighter_than_the_wood_are_snapped_to(ink: int, wood: int) -> None:
    start = known_grid(FRAME.image.shape, 9, CORNERS + OFF)
    found = snapped_to_lines(drawn(ink, wood).image, start)
    assert found is not None
    assert shift_cells(found, TRUE) < 0.08


def test_each_corner_snaps_while_the_others_are_still_roughly_placed() -> None:
    image = drawn(20, 170).image
    for index in range(4):
        rough = CORNERS + 0.5 * OFF
        rough[index] = CORNERS[index] + OFF[index]
        found = snapped_corner(image, 9, rough, index)
        assert np.linalg.norm(found - CORNERS[index]) < 0.1 * TRUE.cell_px


def test_a_corner_snaps_whatever_the_order_of_the_marks() -> None:
    image, turned = drawn(20, 170).image, np.roll(CORNERS, 1, axis=0)
    rough = turned + np.array([[4.0, 3.0], [0, 0], [0, 0], [0, 0]])
    assert np.linalg.norm(snapped_corner(image, 9, rough, 0) - turned[0]) < 0.1 * TRUE.cell_px


def test_where_nothing_is_seen_the_corners_stay_as_given() -> None:
    blank = Frame(np.full((HEIGHT, WIDTH, 3), 120, np.uint8), 0.0)
    placed = place_grid(blank, 9, CORNERS)
    assert placed.by is Snapped.NOTHING
    assert np.abs(corners_px(placed.fit) - CORNERS).max() < 1e-3
    assert (snapped_corner(blank.image, 9, CORNERS + OFF, 2) == (CORNERS + OFF)[2]).all()


def test_a_known_lens_is_kept() -> None:
    lens = CameraModel(WIDTH, HEIGHT, 0.02)
    assert place_grid(FRAME, 9, CORNERS, lens).fit.camera == lens


@pytest.mark.parametrize(
    ("corners", "said"),
    [
        (np.zeros((3, 2)), "four corners"),
        (np.array([[0.0, 0], [100, 0], [np.nan, 100], [0, 100]]), "four corners"),
        (np.array([[0.0, 0], [9000, 0], [100, 100], [0, 100]]), "in the picture"),
        (np.array([[100.0, 100], [300, 110], [200, 130], [110, 300]]), "dents"),
        (np.array([[100.0, 100], [102, 100], [102, 102], [100, 102]]), "dents"),
    ],
)
def test_corners_of_no_board_are_refused(corners: np.ndarray, said: str) -> None:
    with pytest.raises(CornersError, match=said):
        place_grid(FRAME, 9, corners)


def test_a_size_that_no_board_has_is_refused() -> None:
    with pytest.raises(CornersError, match="size must be one of"):
        place_grid(FRAME, 11, CORNERS)


@pytest.mark.parametrize(
    ("side", "left_hand"),
    [(Side.BOTTOM, 3), (Side.LEFT, 0), (Side.TOP, 1), (Side.RIGHT, 2)],
)
def test_a1_lies_at_blacks_left_hand(side: Side, left_hand: int) -> None:
    square = np.array([[200.0, 100.0], [500.0, 100.0], [500.0, 400.0], [200.0, 400.0]])
    fit = turned_for_black(known_grid((500, 700, 3), 9, square), side)
    assert np.abs(corners_px(fit)[3] - square[left_hand]).max() < 1e-6
    assert isinstance(fit, GridFit)


def test_the_first_hands_tell_where_black_sits() -> None:
    assert side_of_black([(Side.LEFT, Label.BLACK), (Side.RIGHT, Label.WHITE)]) is Side.LEFT
    hands = [(Side.TOP, Label.WHITE), (Side.LEFT, Label.BLACK), (Side.BOTTOM, Label.BLACK)]
    assert side_of_black(hands) is Side.BOTTOM
    assert side_of_black([(Side.LEFT, Label.BLACK), (Side.TOP, Label.BLACK)]) is None
    assert side_of_black([]) is None

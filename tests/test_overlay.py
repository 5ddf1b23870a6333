"""What people see when they ask what the camera sees."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import grid_to_raw_px, homography_from_corners
from vision.overlay import draw_overlay
from vision.types import CameraModel, Frame, GridFit, Label, LooseStone, StoneReading

WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def gray_frame() -> Frame:
    return Frame(np.full((480, 640, 3), 128, np.uint8), 0.0)


def fit(size: int = 9) -> GridFit:
    camera = CameraModel(640, 480, k1=0.05)
    corners = np.array([[180.0, 80.0], [470.0, 90.0], [540.0, 400.0], [100.0, 390.0]])
    return GridFit(size, homography_from_corners(camera, size, corners), camera, 0.3, 1.0)


def reading(size: int = 9, loose: tuple[LooseStone, ...] = ()) -> StoneReading:
    probabilities = np.zeros((size, size, 3), np.float32)
    probabilities[..., Label.EMPTY] = 1
    probabilities[2, 3] = (0, 1, 0)
    probabilities[4, 4] = (0, 0, 1)
    visible = np.ones((size, size), bool)
    visible[7, 7] = False
    return StoneReading(probabilities, visible, 0.0, loose)


def pixel(image: np.ndarray, grid_xy: tuple[float, float]) -> tuple[int, ...]:
    x, y = np.round(grid_to_raw_px(fit(), np.array(grid_xy))).astype(int)
    return tuple(int(value) for value in image[y, x])


def test_stones_are_filled_with_their_color() -> None:
    image = draw_overlay(gray_frame(), fit(), reading())
    assert pixel(image, (3, 2)) == BLACK
    assert pixel(image, (4, 4)) == WHITE


def test_lines_are_drawn_where_the_grid_says() -> None:
    image = draw_overlay(gray_frame(), fit(), None)
    # Smoothed edges mix a little of the frame's gray in.
    assert np.abs(np.subtract(pixel(image, (2, 5)), (0, 220, 255))).max() < 60


def test_loose_stones_are_drawn_where_they_lie() -> None:
    loose = (LooseStone(Label.WHITE, (9.2, 3.5), 0.8),)
    assert pixel(draw_overlay(gray_frame(), fit(), reading(loose=loose)), (9.2, 3.5)) == WHITE


def test_the_frame_is_not_changed() -> None:
    frame = gray_frame()
    draw_overlay(frame, fit(), reading())
    assert (frame.image == 128).all()


def test_a_frame_without_grid_is_only_copied() -> None:
    assert (draw_overlay(gray_frame(), None, None) == 128).all()


def test_a_grid_far_outside_the_picture_is_drawn_without_harm() -> None:
    far = fit()
    shifted = GridFit(
        9, np.array([[1e7, 0, 1e9], [0, 1e7, 1e9], [0, 0, 1.0]]), far.camera, 0.0, 0.0
    )
    assert draw_overlay(gray_frame(), shifted, reading()).shape == (480, 640, 3)


def test_sizes_must_agree() -> None:
    with pytest.raises(ValueError, match="reading has 9 lines, grid 13"):
        draw_overlay(gray_frame(), fit(13), reading(9))

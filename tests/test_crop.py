"""Cutting boards out of pictures, and making pictures small, without losing where things are."""

import numpy as np

from vision.crop import CROP_PX, cut, halvings, on_canvas, shrunk, unit_to_crop
from vision.geometry import apply_homography

UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)


def spotted(width: int, height: int, spot: tuple[int, int]) -> np.ndarray:
    """Return a black picture with a white spot, smooth enough to be found after scaling."""
    ys, xs = np.mgrid[0:height, 0:width]
    bright = 255 * np.exp(-((xs - spot[0]) ** 2 + (ys - spot[1]) ** 2) / (2 * 9.0**2))
    return np.repeat(bright[..., None], 3, axis=2).astype(np.uint8)


def center_of(image: np.ndarray) -> np.ndarray:
    weight = image[..., 0].astype(float)
    ys, xs = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    return np.array([(xs * weight).sum(), (ys * weight).sum()]) / weight.sum()


def test_a_small_picture_is_not_scaled() -> None:
    image = np.zeros((480, 640, 3), np.uint8)
    same, scale = shrunk(image)
    assert same is image
    assert scale == 1.0


def test_a_large_picture_is_scaled_to_the_longest_side() -> None:
    small, scale = shrunk(np.zeros((3000, 4000, 3), np.uint8), 1280)
    assert small.shape == (960, 1280, 3)
    assert scale == 0.32


def test_each_level_is_half_of_the_one_before() -> None:
    levels = halvings(np.zeros((720, 1280, 3), np.uint8))
    assert [level.shape[:2] for level in levels] == [(720, 1280), (360, 640)]


def test_a_crop_knows_where_its_pixels_come_from() -> None:
    image = spotted(1280, 720, (700, 300))
    square = np.array([[400, 100, 0], [0, 400, 0], [0, 0, 1]]) @ np.array(
        [[1, 0, 1.0], [0, 1, 0.3], [0, 0, 1.0]]
    )
    crop = cut(halvings(image), square)
    there = apply_homography(crop.to_picture, center_of(crop.image)[None])[0]
    assert np.abs(there - [700, 300]).max() < 1.0


def test_outside_the_picture_nothing_is_known() -> None:
    image = np.full((200, 200, 3), 90, np.uint8)
    crop = cut(halvings(image), np.diag([400.0, 400.0, 1.0]))
    inside = apply_homography(np.linalg.inv(crop.to_picture), np.array([[100.0, 100.0]]))[0]
    assert crop.known[round(inside[1]), round(inside[0])]
    assert not crop.known[-1, -1]
    assert not crop.image[-1, -1].any()


def test_the_unit_square_keeps_a_margin() -> None:
    corners = apply_homography(unit_to_crop(CROP_PX, 0.1), UNIT)
    assert np.allclose(corners[0], 0.1 * CROP_PX - 0.5)
    assert np.allclose(corners[2], 0.9 * CROP_PX - 0.5)


def test_a_canvas_has_sides_that_the_network_takes() -> None:
    for shape in ((720, 1280), (1280, 720), (960, 1280), (100, 900)):
        canvas = on_canvas(np.zeros((*shape, 3), np.uint8))
        assert canvas.image.shape[0] % 32 == 0
        assert canvas.image.shape[1] % 32 == 0
        assert canvas.known.any()


def test_a_canvas_knows_where_its_pixels_come_from() -> None:
    image = spotted(1280, 720, (900, 200))
    canvas = on_canvas(image)
    there = apply_homography(canvas.to_picture, center_of(canvas.image)[None])[0]
    assert np.abs(there - [900, 200]).max() < 2.0

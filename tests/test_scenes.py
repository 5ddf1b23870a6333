"""Generated scenes say exactly where their grid is, and samples keep it."""

import numpy as np
import pytest

from vision.crop import CROP_PX
from vision.geometry import apply_homography, grid_to_raw_px, intersections
from vision.lattice import evidence, rival_fits
from vision.training.heatmap_data import CANVASES, board_sample, crossing_sample, prepared
from vision.training.photos import BoardPicture
from vision.training.relight import coarsened, relit
from vision.training.scenes import draw_scene


def scene(seed: int, *, has_board: bool = True) -> BoardPicture:
    return draw_scene(np.random.default_rng(seed), 640, 480, has_board=has_board)


def test_the_same_seed_draws_the_same_scene() -> None:
    assert np.array_equal(scene(3).image, scene(3).image)


def test_a_table_without_a_board_has_no_grid() -> None:
    assert scene(3, has_board=False).grid is None


@pytest.mark.parametrize("seed", range(4))
def test_rows_and_columns_are_in_front_of_the_camera(seed: int) -> None:
    grid = scene(seed).grid
    assert grid is not None
    points = grid_to_raw_px(grid, intersections(grid.size))
    # Neighbors never change sides: no line crosses the horizon.
    across, down = np.diff(points, axis=1)[:-1], np.diff(points, axis=0)[:, :-1]
    turns = across[..., 0] * down[..., 1] - across[..., 1] * down[..., 0]
    assert (turns > 0).all() or (turns < 0).all()


@pytest.mark.parametrize("seed", range(6))
def test_the_maps_of_a_sample_lead_back_to_its_grid(seed: int) -> None:
    rng = np.random.default_rng(seed)
    source = prepared(scene(seed))
    sample = crossing_sample(rng, source)
    maps = sample.target.copy()
    clipped = np.clip(maps[[0, 3, 4]], 0.01, 0.99)
    maps[[0, 3, 4]] = np.log(clipped / (1 - clipped))
    fits = rival_fits(evidence(maps, np.ones((CROP_PX, CROP_PX), np.bool_)), (9, 13, 19))
    assert source.picture.grid is not None
    peaks = (sample.target[0] > 0.8).sum()
    if peaks < 0.9 * source.picture.grid.size**2:
        pytest.skip("this sample shows only a part of the board")
    assert fits[0].size == source.picture.grid.size
    center = np.full((1, 2), (fits[0].size - 1) / 2)
    column, row = np.round(apply_homography(fits[0].matrix, center)[0]).astype(int)
    assert sample.target[4][row, column] == 1.0
    assert fits[0].overlap > 0.9


def test_samples_have_the_shapes_the_networks_take() -> None:
    rng = np.random.default_rng(0)
    source = prepared(scene(1))
    fine = crossing_sample(rng, source)
    assert fine.blob.shape == (3, CROP_PX, CROP_PX)
    assert fine.target.shape == fine.weight.shape == (5, CROP_PX // 4, CROP_PX // 4)
    for width, height in CANVASES:
        coarse = board_sample(rng, source, [source], (width, height))
        assert coarse.blob.shape == (3, height, width)
        assert coarse.target.shape == (2, height // 4, width // 4)


def test_a_sample_without_a_board_asks_for_dark_maps() -> None:
    source = prepared(scene(1, has_board=False))
    assert not crossing_sample(np.random.default_rng(0), source).target.any()


def test_other_light_keeps_the_shape_of_a_picture() -> None:
    rng = np.random.default_rng(0)
    image = scene(2).image
    for _ in range(12):
        assert relit(rng, image).shape == image.shape
        assert coarsened(rng, image).shape == image.shape

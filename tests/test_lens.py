"""The lens, from crossings of one board and from a printed sheet."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.lens import (
    Crossings,
    LensEstimate,
    NoLens,
    board_crossings,
    estimate_lens,
    refitted,
)
from vision.geometry import (
    corners_px,
    grid_to_raw_px,
    homography_from_corners,
    intersections,
    undistort_points,
)
from vision.grid import find_grid
from vision.still import load_still
from vision.stones import read_stones
from vision.types import CameraModel, GridFit

STILLS = Path(__file__).parents[2] / "shared" / "stills"
CORNERS = np.array([[250.0, 130.0], [900.0, 100.0], [1050.0, 620.0], [120.0, 640.0]])


def grid_seen_by(camera: CameraModel, corners: np.ndarray = CORNERS, size: int = 19) -> GridFit:
    """Return the grid through four raw corners."""
    return GridFit(size, homography_from_corners(camera, size, corners), camera, 0.0, 1.0)


def crossings_of(fit: GridFit, noise_px: float, seed: int = 0) -> Crossings:
    """Return all crossings of a grid as a noisy camera sees them."""
    grid = intersections(fit.size).reshape(-1, 2)
    rng = np.random.default_rng(seed)
    return Crossings(grid, grid_to_raw_px(fit, grid) + rng.normal(0, noise_px, grid.shape))


@pytest.mark.parametrize("k1", [-0.08, 0.0, 0.06, 0.15])
def test_a_known_distortion_is_found_from_one_board(k1: float) -> None:
    true = grid_seen_by(CameraModel(1280, 720, k1=k1, k2=0.01))
    found = estimate_lens([crossings_of(true, 0.25)], 1280, 720)
    assert isinstance(found, LensEstimate)
    fit = refitted(grid_seen_by(CameraModel(1280, 720)), crossings_of(true, 0.25), found.camera)
    exact = crossings_of(true, 0.0)
    apart = np.linalg.norm(grid_to_raw_px(fit, exact.grid_xy) - exact.raw_px, axis=1)
    assert np.median(apart) < 0.1
    assert abs(found.camera.k1 - k1) < 0.02


def test_several_pictures_tell_the_lens_better_than_one() -> None:
    lens = CameraModel(1280, 720, k1=0.05)
    smaller = 0.45 * (CORNERS - [640, 360]) + [640, 360]
    places = [smaller + shift for shift in ([0, 0], [-260, -120], [280, -110], [260, 130])]
    views = [crossings_of(grid_seen_by(lens, at), 0.3, seed) for seed, at in enumerate(places)]
    one, all_of_them = (estimate_lens(some, 1280, 720) for some in (views[:1], views))
    assert isinstance(one, LensEstimate)
    assert isinstance(all_of_them, LensEstimate)
    assert abs(all_of_them.camera.k1 - 0.05) < abs(one.camera.k1 - 0.05)
    assert all_of_them.reach > one.reach


def test_some_crossings_that_are_something_else_do_not_bend_the_lens() -> None:
    seen = crossings_of(grid_seen_by(CameraModel(1280, 720, k1=0.04)), 0.2)
    raw = seen.raw_px.copy()
    raw[::12] += np.random.default_rng(3).uniform(-6, 6, raw[::12].shape)
    found = estimate_lens([Crossings(seen.grid_xy, raw)], 1280, 720)
    assert isinstance(found, LensEstimate)
    assert abs(found.camera.k1 - 0.04) < 0.02


def test_few_crossings_are_not_enough() -> None:
    seen = crossings_of(grid_seen_by(CameraModel(1280, 720), size=9), 0.2)
    few = Crossings(seen.grid_xy[:30], seen.raw_px[:30])
    found = estimate_lens([few], 1280, 720)
    assert isinstance(found, NoLens)
    assert "30 crossings" in found.message


def test_what_the_crossings_do_not_tell_stays_near_zero() -> None:
    small = 0.12 * (CORNERS - [640, 360]) + [640, 360]
    seen = crossings_of(grid_seen_by(CameraModel(1280, 720, k1=0.05), small), 0.4)
    found = estimate_lens([seen], 1280, 720)
    assert isinstance(found, LensEstimate)
    assert abs(found.camera.k1) < 0.2
    assert found.reach < 0.2


@pytest.mark.skipif(not STILLS.exists(), reason="the rendered stills are not beside this checkout")
@pytest.mark.parametrize("name", ["s_still_030", "s_still_042", "s_still_118"])
def test_the_board_itself_calibrates_the_lens_of_a_rendered_picture(name: str) -> None:
    truth = json.loads((STILLS / f"{name}.json").read_text())
    frame = load_still(STILLS / f"{name}.jpg")
    height, width = frame.image.shape[:2]
    lens = CameraModel(width, height, truth["lens"]["k1"], truth["lens"]["k2"])
    true = grid_seen_by(lens, np.array(truth["corners_px"]))
    fit = find_grid(frame)
    assert isinstance(fit, GridFit)
    memory, reading = read_stones(None, frame, fit)
    seen = board_crossings(frame, memory.fit, reading)
    found = estimate_lens([seen], width, height)
    assert isinstance(found, LensEstimate)
    better = refitted(fit, seen, found.camera)
    turns = [better.turned(turn) for turn in range(4)]
    best = min(turns, key=lambda turn: float(np.abs(corners_px(turn) - corners_px(true)).sum()))
    grid = intersections(19)
    apart = np.linalg.norm(grid_to_raw_px(best, grid) - grid_to_raw_px(true, grid), axis=-1)
    assert np.median(apart) < 0.5
    off = np.linalg.norm(corners_px(best) - corners_px(true), axis=1)
    assert np.median(off) < 0.05 * true.cell_px


def test_straight_lines_of_the_sheet_stay_straight_after_undistortion() -> None:
    lens = CameraModel(1280, 720, k1=-0.1)
    row = crossings_of(grid_seen_by(lens), 0.0).raw_px.reshape(19, 19, 2)[0]
    ideal = undistort_points(lens, row)
    direction = ideal[-1] - ideal[0]
    offset = ideal - ideal[0]
    cross = offset[:, 0] * direction[1] - offset[:, 1] * direction[0]
    assert np.abs(cross).max() / np.linalg.norm(direction) < 1e-6

"""Where the camera stands, and which point a stone that stands up from the board belongs to."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.pose import (
    CELL_MM,
    TOP_HEIGHT,
    WIDEST_HEIGHT,
    assigned,
    estimate_focal,
    parallax_cells,
    pose_of,
    raised,
    spacings_px,
)
from vision.geometry import apply_homography, corners_px, grid_to_raw_px, intersections
from vision.training.scenes import Camera, ellipses, project
from vision.types import CameraModel, GridFit

WIDTH, HEIGHT = 1280, 720
ASPECT = 1.077


def camera_at(elevation_deg: float, azimuth_deg: float, focal_px: float = 1100.0) -> Camera:
    """Return a camera that looks at the board's middle from 26 spacings away."""
    up, around = np.radians([elevation_deg, azimuth_deg])
    direction = np.array([np.cos(up) * np.sin(around), -np.cos(up) * np.cos(around), np.sin(up)])
    eye = 32.0 * direction
    right = np.array([np.cos(around), np.sin(around), 0.0])
    down = np.cross(-direction, right)
    rotation = np.stack([right, down, -direction])
    inner = np.array([[focal_px, 0, WIDTH / 2], [0, focal_px, HEIGHT / 2], [0, 0, 1.0]])
    return Camera(inner @ np.column_stack([rotation, -rotation @ eye]), eye)


def grid_of(camera: Camera, size: int = 19) -> GridFit:
    """Return the true grid of a board in the middle of the world."""
    last = size - 1
    to_world = np.array([[1, 0, -last / 2], [0, -ASPECT, last / 2 * ASPECT], [0, 0, 1.0]])
    return GridFit(size, camera.plane(0.0) @ to_world, CameraModel(WIDTH, HEIGHT), 0.0, 1.0)


def world_of(grid_xy: np.ndarray, height: float, size: int = 19) -> np.ndarray:
    """Return (K, 3) world points over (K, 2) grid_xy."""
    half = (size - 1) / 2
    return np.column_stack(
        [grid_xy[:, 0] - half, (half - grid_xy[:, 1]) * ASPECT, np.full(len(grid_xy), height)]
    )


@pytest.mark.parametrize("elevation_deg", [30.0, 45.0, 60.0, 85.0])
@pytest.mark.parametrize("azimuth_deg", [0.0, 30.0, 45.0])
def test_the_pose_tells_from_where_the_board_is_seen(
    elevation_deg: float, azimuth_deg: float
) -> None:
    camera = camera_at(elevation_deg, azimuth_deg)
    pose = pose_of(grid_of(camera), 1100.0)
    assert pose.elevation_deg == pytest.approx(elevation_deg, abs=1e-6)
    assert pose.aspect == pytest.approx(ASPECT, abs=1e-9)
    assert pose.eye[2] == pytest.approx(camera.eye[2], abs=1e-6)


def test_the_focal_length_follows_from_the_proportions_of_the_board() -> None:
    views = [grid_of(camera_at(45, around)) for around in (0, 25, 45)]
    assert estimate_focal(views).focal_px == pytest.approx(1100, rel=0.06)
    above = estimate_focal([grid_of(camera_at(89.9, 0))])
    oblique = estimate_focal(views)
    assert above.spread_px > 3 * oblique.spread_px
    with pytest.raises(ValueError, match="at least 1"):
        estimate_focal([])


@pytest.mark.parametrize("height", [WIDEST_HEIGHT, TOP_HEIGHT])
def test_what_stands_up_from_the_board_appears_where_the_pose_says(height: float) -> None:
    camera = camera_at(38, 20)
    fit = grid_of(camera)
    grid = intersections(19).reshape(-1, 2)
    true_px = project(camera, world_of(grid, height))
    lifted = raised(fit, pose_of(fit, 1100.0), height)
    assert np.abs(apply_homography(lifted.homography, grid) - true_px).max() < 1e-6


def test_from_straight_above_nothing_is_displaced_in_the_middle() -> None:
    fit = grid_of(camera_at(90, 0))
    shift = parallax_cells(fit, pose_of(fit, 1100.0), WIDEST_HEIGHT)
    assert np.linalg.norm(shift[9, 9]) < 1e-6
    assert np.linalg.norm(shift[0, 0]) > 0.05


def drawn_stones(camera: Camera, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the points (col, row) of stones put down by people, and their outlines' centers."""
    rng = np.random.default_rng(seed)
    points = intersections(19).reshape(-1, 2)
    placed = points + np.clip(rng.normal(0, 0.1, points.shape), -0.25, 0.25)
    # Stones are 7 to 10 mm high, lines at least 22 mm apart; the pose assumes a usual stone.
    half = 0.5 * rng.uniform(7, 10) / CELL_MM
    centers = world_of(placed, half)
    return points.astype(int), ellipses(camera, centers, 0.48, half)[:, :2]


@pytest.mark.parametrize("elevation_deg", [35.0, 40.0, 45.0])
@pytest.mark.parametrize("azimuth_deg", [0.0, 40.0])
def test_stones_of_far_and_near_rows_are_assigned_right_only_with_the_correction(
    elevation_deg: float, azimuth_deg: float
) -> None:
    camera = camera_at(elevation_deg, azimuth_deg)
    fit = grid_of(camera)
    # The focal length is not told: it follows from the proportions of the board.
    pose = pose_of(fit, estimate_focal([fit]).focal_px)
    wrong_with = wrong_without = 0
    for seed in range(5):
        points, seen_px = drawn_stones(camera, seed)
        wrong_with += int((assigned(fit, seen_px, pose) != points).any(axis=1).sum())
        wrong_without += int((assigned(fit, seen_px) != points).any(axis=1).sum())
    assert wrong_with == 0
    # The lower the camera, the more: at 45 degrees a stone's middle is a fifth of a cell away.
    assert wrong_without >= {35.0: 10, 40.0: 1, 45.0: 0}[elevation_deg], f"{wrong_without} of 1805"


def test_highlights_of_stones_go_to_the_next_point_without_the_correction() -> None:
    camera = camera_at(38, 0)
    fit = grid_of(camera)
    pose = pose_of(fit, estimate_focal([fit]).focal_px)
    grid = intersections(19).reshape(-1, 2)
    tops = project(camera, world_of(grid, TOP_HEIGHT))
    without = np.linalg.norm(np.array([assigned(fit, tops)]) - grid, axis=-1)
    assert (without > 0).mean() > 0.25
    lifted = raised(fit, pose, TOP_HEIGHT)
    back = apply_homography(np.linalg.inv(lifted.homography), tops)
    assert np.abs(back - grid).max() < 0.1


def test_the_far_side_has_the_shortest_spacing() -> None:
    fit = grid_of(camera_at(40, 0))
    cells = spacings_px(fit)
    assert cells.shape == (18, 18, 2)
    assert cells[0, 9, 1] == cells[:, 9, 1].min()
    assert corners_px(fit).shape == (4, 2)
    top = grid_to_raw_px(fit, np.array([[9.0, 0.0], [9.0, 1.0]]))
    assert cells[0, 8:10, 1].mean() == pytest.approx(np.linalg.norm(top[1] - top[0]), rel=0.02)

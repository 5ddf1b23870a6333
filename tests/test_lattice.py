"""The lattice behind the crossings, from maps that are known exactly."""

import cv2
import numpy as np
import pytest

from vision.geometry import apply_homography, intersections, outer_corners
from vision.lattice import evidence, grown_lattice, rival_fits
from vision.quads import in_order

SIDE = 88


def logit(p: np.ndarray) -> np.ndarray:
    p = np.clip(p, 0.01, 0.99)
    return np.log(p / (1 - p)).astype(np.float32)


def drawn_maps(size: int, matrix: np.ndarray, *, hidden: float = 0.0, seed: int = 0) -> np.ndarray:
    """Return the fine network's maps as they would be if it were never wrong."""
    rng = np.random.default_rng(seed)
    maps = np.zeros((5, SIDE, SIDE), np.float32)
    ys, xs = np.mgrid[0:SIDE, 0:SIDE]
    for row in range(size):
        for column in range(size):
            if rng.random() < hidden:
                continue
            x, y = apply_homography(matrix, np.array([[column, row]], float))[0]
            spot = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * 0.9**2))
            maps[0] = np.maximum(maps[0], spot)
            if row in (0, size - 1) or column in (0, size - 1):
                maps[3] = np.maximum(maps[3], spot)
            near = (abs(xs - x) <= 1) & (abs(ys - y) <= 1)
            maps[1][near], maps[2][near] = (x - xs)[near], (y - ys)[near]
    corners = apply_homography(matrix, outer_corners(size))
    field = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillConvexPoly(field, np.round(corners * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    maps[4] = field
    for channel in (0, 3, 4):
        maps[channel] = logit(maps[channel])
    return maps


def bent_square(size: int, seed: int) -> np.ndarray:
    """Return a homography from grid_xy to map pixels, as after a coarse search."""
    rng = np.random.default_rng(seed)
    corners = np.array([[9, 9], [79, 9], [79, 79], [9, 79]]) + rng.uniform(-5, 5, (4, 2))
    return cv2.getPerspectiveTransform(
        outer_corners(size).astype(np.float32), corners.astype(np.float32)
    )


def everywhere() -> np.ndarray:
    return np.ones((4 * SIDE, 4 * SIDE), np.bool_)


@pytest.mark.parametrize("size", [9, 13, 19])
@pytest.mark.parametrize("seed", range(4))
def test_maps_without_a_fault_give_the_grid(size: int, seed: int) -> None:
    matrix = bent_square(size, seed)
    seen = evidence(drawn_maps(size, matrix), everywhere())
    best = rival_fits(seen, (9, 13, 19))[0]
    assert best.size == size
    found = in_order(apply_homography(best.matrix, outer_corners(size)))
    truth = in_order(apply_homography(matrix, outer_corners(size)))
    assert np.abs(found - truth).max() < 0.15


@pytest.mark.parametrize("size", [9, 13, 19])
def test_half_of_the_crossings_are_enough(size: int) -> None:
    matrix = bent_square(size, 7)
    seen = evidence(drawn_maps(size, matrix, hidden=0.5), everywhere())
    best = rival_fits(seen, (9, 13, 19))[0]
    assert best.size == size
    found = in_order(apply_homography(best.matrix, outer_corners(size)))
    truth = in_order(apply_homography(matrix, outer_corners(size)))
    assert np.abs(found - truth).max() < 0.4


def test_a_start_next_to_the_grid_ends_on_the_grid() -> None:
    matrix = bent_square(19, 3)
    shifted = matrix @ np.array([[1, 0, 1.0], [0, 1, 0.0], [0, 0, 1.0]])
    seen = evidence(drawn_maps(19, matrix), everywhere())
    best = rival_fits(seen, (9, 13, 19), start=shifted)[0]
    found = apply_homography(best.matrix, outer_corners(19))
    assert np.abs(found - apply_homography(matrix, outer_corners(19))).max() < 0.15


def test_nothing_seen_is_no_fit() -> None:
    blank = np.full((5, SIDE, SIDE), -6.0, np.float32)
    assert rival_fits(evidence(blank, everywhere()), (9, 13, 19)) == []


def test_scattered_crossings_fit_badly() -> None:
    rng = np.random.default_rng(5)
    maps = np.full((5, SIDE, SIDE), -5.0, np.float32)
    maps[0, rng.integers(0, SIDE, 60), rng.integers(0, SIDE, 60)] = 3.0
    fits = rival_fits(evidence(maps, everywhere()), (9, 13, 19))
    assert all(fit.seen < 0.4 for fit in fits)


def test_neighbors_are_numbered_across_gaps() -> None:
    grid = intersections(9).reshape(-1, 2)
    kept = np.random.default_rng(1).random(81) > 0.25
    points = grid[kept] * 10 + 5
    chosen, index = grown_lattice(points)
    assert len(chosen) > 0.8 * kept.sum()
    moved = points[chosen] / 10 - index
    assert np.ptp(moved, axis=0).max() < 1e-6

"""Homographies from points that are noisy and partly wrong."""

import numpy as np
import pytest

from vision.geometry import apply_homography, intersections, outer_corners
from vision.homography import fit_homography, is_regular


def test_a_homography_is_recovered_from_noisy_points() -> None:
    rng = np.random.default_rng(2)
    matrix = np.array([[3.5, 0.2, 9.0], [-0.1, 3.8, 8.0], [0.002, 0.004, 1.0]])
    grid = intersections(19).reshape(-1, 2)
    points = apply_homography(matrix, grid) + rng.normal(0, 0.2, (361, 2))
    points[:20] += 3.0
    found = fit_homography(grid, points, np.ones(361))
    apart = apply_homography(found, outer_corners(19)) - apply_homography(matrix, outer_corners(19))
    assert np.abs(apart).max() < 0.35


def test_three_points_are_not_enough_for_a_homography() -> None:
    with pytest.raises(ValueError, match="at least 4, got 3"):
        fit_homography(np.zeros((3, 2)), np.zeros((3, 2)), np.ones(3))


def test_a_flat_homography_is_not_regular() -> None:
    assert is_regular(np.eye(3))
    assert not is_regular(np.diag([1.0, 0.0, 1.0]))
    assert not is_regular(np.full((3, 3), np.nan))

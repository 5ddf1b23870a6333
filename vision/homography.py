"""Fit a homography to points that are noisy and partly wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.geometry import apply_homography

Matrix = NDArray[np.floating[Any]]


def is_regular(matrix: Matrix) -> bool:
    """Tell whether a (3, 3) homography can be inverted, and safely so."""
    return bool(np.isfinite(matrix).all()) and float(np.linalg.cond(matrix)) < 1e9


def fit_homography(
    grid_xy: Matrix, points: Matrix, weights: NDArray[np.floating[Any]], *, rounds: int = 3
) -> Matrix:
    """Return the (3, 3) homography that maps (N, 2) grid_xy onto points with least weighted error.

    Starts with the linear solution, then minimizes the distance in the picture; far points count
    less (Huber).

    Raises
    ------
    ValueError
        With fewer than four points.
    """
    if len(points) < 4:
        raise ValueError(f"points must be at least 4, got {len(points)}")
    source, target = _normalizer(grid_xy), _normalizer(points)
    a, b = apply_homography(source, grid_xy), apply_homography(target, points)
    ones, zeros = np.ones(len(a)), np.zeros((len(a), 3))
    h = np.column_stack([a, ones])
    upper = np.column_stack([h, zeros, -b[:, :1] * h])
    lower = np.column_stack([zeros, h, -b[:, 1:] * h])
    root = np.sqrt(weights)[:, None]
    system = np.vstack([upper * root, lower * root])
    matrix = np.linalg.eigh(system.T @ system)[1][:, 0].reshape(3, 3)
    for _ in range(rounds):
        matrix = _polished(matrix, h, b, weights)
    return np.asarray(np.linalg.inv(target) @ matrix @ source)


def _normalizer(points: Matrix) -> Matrix:
    center = points.mean(axis=0)
    scale = 1.4 / max(float(np.linalg.norm(points - center, axis=1).mean()), 1e-9)
    return np.array([[scale, 0, -scale * center[0]], [0, scale, -scale * center[1]], [0, 0, 1.0]])


def _polished(matrix: Matrix, h: Matrix, b: Matrix, weights: NDArray[np.floating[Any]]) -> Matrix:
    """Return the matrix after one Gauss-Newton step on the distances in the picture."""
    mapped = h @ matrix.T
    depth = mapped[:, 2:]
    if np.abs(depth).min() < 1e-9:
        return matrix
    at = mapped[:, :2] / depth
    error = b - at
    distance = np.linalg.norm(error, axis=1)
    limit = 2.0 * float(np.median(distance)) + 1e-9
    weight = np.sqrt(weights * np.minimum(1.0, limit / np.maximum(distance, 1e-12)))[:, None]
    scaled, zeros = h / depth, np.zeros_like(h)
    upper = np.column_stack([scaled, zeros, -at[:, :1] * scaled]) * weight
    lower = np.column_stack([zeros, scaled, -at[:, 1:] * scaled]) * weight
    jacobian = np.vstack([upper, lower])
    residual = np.concatenate([error[:, 0], error[:, 1]]) * np.concatenate([weight, weight])[:, 0]
    normal = jacobian.T @ jacobian
    # The overall scale is free: hold it where it is.
    normal += np.outer(matrix.ravel(), matrix.ravel()) * np.trace(normal) / 9
    normal += np.eye(9) * 1e-12 * np.trace(normal)
    step = np.linalg.lstsq(normal, jacobian.T @ residual, rcond=None)[0]
    return np.asarray(matrix + step.reshape(3, 3))

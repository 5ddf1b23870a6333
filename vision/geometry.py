"""Lens distortion, homographies and rectified pictures."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import CameraModel, GridFit

Points = NDArray[np.floating[Any]]


def _lens_frame(camera: CameraModel) -> tuple[NDArray[np.float64], float]:
    center = np.array([camera.width_px / 2, camera.height_px / 2])
    return center, float(np.hypot(camera.width_px, camera.height_px) / 2)


def undistort_points(camera: CameraModel, raw_px: Points) -> Points:
    """Map raw pixels to ideal ones.

    Parameters
    ----------
    raw_px
        (..., 2), (x, y) in the picture as taken.

    Returns
    -------
    (..., 2) undistorted pixels; equal to `raw_px` at the picture's center.
    """
    center, unit = _lens_frame(camera)
    offset = (np.asarray(raw_px, float) - center) / unit
    r2 = (offset**2).sum(axis=-1, keepdims=True)
    return np.asarray(center + unit * offset * (1 + camera.k1 * r2 + camera.k2 * r2**2))


def distort_points(camera: CameraModel, ideal_px: Points) -> Points:
    """Map ideal pixels to raw ones; the inverse of `undistort_points` by Newton's method."""
    center, unit = _lens_frame(camera)
    offset = (np.asarray(ideal_px, float) - center) / unit
    target = np.sqrt((offset**2).sum(axis=-1, keepdims=True))
    r = target.copy()
    for _ in range(6):
        value = r * (1 + camera.k1 * r**2 + camera.k2 * r**4) - target
        slope = 1 + 3 * camera.k1 * r**2 + 5 * camera.k2 * r**4
        r = np.clip(r - value / np.where(np.abs(slope) < 0.2, 0.2, slope), 0, 3)
    scale = np.divide(r, target, out=np.ones_like(r), where=target > 1e-9)
    return np.asarray(center + unit * offset * scale)


def apply_homography(homography: Points, points: Points) -> Points:
    """Map (..., 2) points through a (3, 3) homography."""
    homogeneous = np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1)
    mapped = homogeneous @ homography.T
    return np.asarray(mapped[..., :2] / mapped[..., 2:])


def grid_to_raw_px(fit: GridFit, grid_xy: Points) -> Points:
    """Map (..., 2) grid coordinates (col, row) to raw pixels (x, y)."""
    return distort_points(fit.camera, apply_homography(fit.homography, np.asarray(grid_xy, float)))


def raw_px_to_grid(fit: GridFit, raw_px: Points) -> Points:
    """Map (..., 2) raw pixels (x, y) to grid coordinates (col, row)."""
    ideal = undistort_points(fit.camera, np.asarray(raw_px, float))
    return apply_homography(np.linalg.inv(fit.homography), ideal)


def intersections(size: int) -> Points:
    """Return (N, N, 2): the grid_xy = (col, row) of every point, indexed [row, col]."""
    rows, cols = np.mgrid[0:size, 0:size]
    return np.stack([cols, rows], axis=-1).astype(float)


def outer_corners(size: int) -> Points:
    """Return (4, 2): grid_xy of the outer crossings, TL, TR, BR, BL."""
    last = float(size - 1)
    return np.array([[0.0, 0.0], [last, 0.0], [last, last], [0.0, last]])


def corners_px(fit: GridFit) -> Points:
    """Return (4, 2): raw pixels of the outer crossings, TL, TR, BR, BL."""
    return grid_to_raw_px(fit, outer_corners(fit.size))


def homography_from_corners(
    camera: CameraModel, size: int, raw_corners_px: Points
) -> NDArray[np.float64]:
    """Return the (3, 3) homography from grid_xy to ideal pixels given four raw corners."""
    ideal = undistort_points(camera, raw_corners_px).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(outer_corners(size).astype(np.float32), ideal)
    return np.asarray(matrix, dtype=np.float64)


def rectify_map(fit: GridFit, *, cell: int, margin_cells: float) -> NDArray[np.float32]:
    """Return the sampling map of the rectified picture, for `cv2.remap`.

    Parameters
    ----------
    cell
        Pixels per line spacing in the rectified picture.
    margin_cells
        What is shown outside the outer lines, in line spacings.

    Returns
    -------
    (S, S, 2) float32 raw pixels (x, y), S = round((N - 1 + 2 * margin_cells) * cell).
    Pixel (0, 0)'s upper left corner lies at grid_xy = (-margin_cells, -margin_cells).
    """
    side = round((fit.size - 1 + 2 * margin_cells) * cell)
    axis = (np.arange(side) + 0.5) / cell - margin_cells
    grid = np.stack(np.meshgrid(axis, axis), axis=-1)
    return grid_to_raw_px(fit, grid).astype(np.float32)


def rectify(image: NDArray[np.uint8], sampling: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Sample a picture through a map of `rectify_map`; outside the picture is black."""
    # Two maps, not one of pairs: with an empty second map OpenCV 5 reads the first one wrongly.
    columns, rows = (np.ascontiguousarray(sampling[..., axis]) for axis in range(2))
    return np.asarray(
        cv2.remap(image, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT),
        dtype=np.uint8,
    )

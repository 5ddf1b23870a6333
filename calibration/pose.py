"""Where the camera stands over the board, and where stones appear that stand up from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import (
    apply_homography,
    corners_px,
    grid_to_raw_px,
    intersections,
    raw_px_to_grid,
)
from vision.types import CameraModel, GridFit

Matrix = NDArray[np.float64]

USUAL_FOCAL_WIDTHS, FOCAL_SPREAD = 0.9, 0.3
"""Focal length of usual cameras in widths of the picture (58 degrees), and its relative spread."""

LONGER, LONGER_SPREAD = 0.07, 0.03
"""Logarithm of the longer spacing over the shorter: boards have 22 to 24 mm by 23.7 to 25.5 mm."""

ORTHOGONAL_SPREAD = 0.01
"""Cosine between rows and columns that is left over from noise in the crossings."""

STONE_HEIGHT_MM = 8.5
"""Of usual stones, 22.5 to 23.5 mm wide and up to 10 mm high (equipment rules of the CWA)."""

CELL_MM = 22.0
"""The shorter spacing of a usual board."""

WIDEST_HEIGHT = 0.5 * STONE_HEIGHT_MM / CELL_MM
"""Height, in shorter spacings, at which a stone is widest: its outline's center lies there."""

TOP_HEIGHT = STONE_HEIGHT_MM / CELL_MM
"""Height of a stone's top, where its highlight lies."""


@dataclass(frozen=True)
class Focal:
    """A focal length and how sure it is."""

    focal_px: float
    spread_px: float
    """Standard deviation; from straight above the views tell nothing and this stays large."""


@dataclass(frozen=True)
class Pose:
    """The camera over the board; lengths in spacings between columns."""

    eye: NDArray[np.float64]
    """(3,), (x along rows, y along columns, height over the board) from the first crossing."""

    rotation: NDArray[np.float64]
    """(3, 3), board to camera axes; the board's third axis points down, into the wood."""

    focal_px: float
    aspect: float
    """Spacing between rows over spacing between columns."""

    elevation_deg: float
    """Of the camera over the board, seen from the board's middle; 90 is straight above."""


def pose_of(fit: GridFit, focal_px: float) -> Pose:
    """Return where the camera stands, given its focal length (Zhang 2000, section 3.1)."""
    m = np.linalg.inv(_inner(fit.camera, focal_px)) @ fit.homography
    m = m * np.sign(m[2] @ [(fit.size - 1) / 2, (fit.size - 1) / 2, 1.0])
    one, two = (float(np.linalg.norm(m[:, axis])) for axis in range(2))
    first = m[:, 0] / one
    # Rows and columns come out nearly at right angles; the rest is noise, shared between both.
    second = m[:, 1] / two
    skew = 0.5 * float(first @ second)
    first, second = (_unit(first - skew * second), _unit(second - skew * first))
    rotation = np.column_stack([first, second, _unit(np.cross(first, second))])
    eye = -rotation.T @ (m[:, 2] / one)
    eye[2] = -eye[2]
    middle = (fit.size - 1) / 2
    away = eye - [middle, middle * two / one, 0.0]
    elevation = np.degrees(np.arcsin(np.clip(away[2] / np.linalg.norm(away), -1, 1)))
    return Pose(np.asarray(eye, np.float64), rotation, focal_px, two / one, float(elevation))


def _unit(vector: Matrix) -> Matrix:
    return np.asarray(vector / np.linalg.norm(vector))


def _inner(camera: CameraModel, focal_px: float) -> Matrix:
    """Return (3, 3), from directions of the camera to ideal pixels."""
    return np.array(
        [[focal_px, 0, camera.width_px / 2], [0, focal_px, camera.height_px / 2], [0, 0, 1.0]]
    )


def estimate_focal(fits: Sequence[GridFit]) -> Focal:
    """Return the focal length that makes the boards' cells rectangles of the usual proportion.

    A grid search over focal lengths: rows must be at right angles to columns, the spacings differ
    as those of boards do, and cameras are as wide as cameras usually are. The fits are of one
    camera and one board.

    Raises
    ------
    ValueError
        Without a fit.
    """
    if not fits:
        raise ValueError("fits must be at least 1, got 0")
    width = fits[0].camera.width_px
    trials = width * np.exp(np.linspace(np.log(0.45), np.log(2.8), 120))
    costs = np.array([_focal_cost(fits, float(trial)) for trial in trials])
    weights = np.exp(-0.5 * (costs - costs.min()))
    mean = float(np.average(trials, weights=weights))
    spread = float(np.sqrt(np.average((trials - mean) ** 2, weights=weights)))
    return Focal(mean, spread)


def _focal_cost(fits: Sequence[GridFit], focal_px: float) -> float:
    """Return minus twice the log probability of a focal length, up to a constant."""
    logs, cost = [], 0.0
    for fit in fits:
        m = np.linalg.inv(_inner(fit.camera, focal_px)) @ fit.homography
        one, two = (float(np.linalg.norm(m[:, axis])) for axis in range(2))
        cost += float(m[:, 0] @ m[:, 1] / (one * two) / ORTHOGONAL_SPREAD) ** 2
        logs.append(np.log(two / one))
    mean = float(np.mean(logs))
    # Pictures of one board agree about its proportion.
    cost += float(((np.array(logs) - mean) ** 2).sum()) / ORTHOGONAL_SPREAD**2
    cost += ((abs(mean) - LONGER) / LONGER_SPREAD) ** 2
    usual = USUAL_FOCAL_WIDTHS * fits[0].camera.width_px
    return cost + float(np.log(focal_px / usual) / FOCAL_SPREAD) ** 2


def raised(fit: GridFit, pose: Pose, height: float) -> GridFit:
    """Return the grid on a plane above the board: where points at that height appear.

    Parameters
    ----------
    height
        In shorter spacings; `WIDEST_HEIGHT` for the outlines of stones.
    """
    up = height * min(1.0, pose.aspect)
    inner = _inner(fit.camera, pose.focal_px)
    m = np.linalg.inv(inner) @ fit.homography
    scale = float(np.linalg.norm(m[:, 0])) * float(
        np.sign(m[2] @ [(fit.size - 1) / 2, (fit.size - 1) / 2, 1.0])
    )
    lifted = m.copy()
    lifted[:, 2] -= up * scale * pose.rotation[:, 2]
    return replace(fit, homography=np.asarray(inner @ lifted, np.float64))


def parallax_cells(fit: GridFit, pose: Pose, height: float) -> NDArray[np.float64]:
    """Return (N, N, 2), (col, row): how far from its point something that high seems to stand."""
    grid = intersections(fit.size)
    seen = apply_homography(raised(fit, pose, height).homography, grid)
    return np.asarray(apply_homography(np.linalg.inv(fit.homography), seen) - grid)


def assigned(fit: GridFit, raw_px: Matrix, pose: Pose | None = None) -> NDArray[np.int64]:
    """Return (K, 2), the (col, row) of the points that stones seen at (K, 2) raw pixels stand on.

    With a pose the centers of the stones' outlines are taken to lie at half a stone's height,
    without one on the wood.
    """
    plane = fit if pose is None else raised(fit, pose, WIDEST_HEIGHT)
    return np.round(raw_px_to_grid(plane, raw_px)).astype(np.int64)


def spacings_px(fit: GridFit) -> NDArray[np.float64]:
    """Return (N - 1, N - 1, 2): how many raw pixels a cell measures along rows and columns."""
    places = grid_to_raw_px(fit, intersections(fit.size))
    along = np.linalg.norm(places[:, 1:] - places[:, :-1], axis=-1)
    down = np.linalg.norm(places[1:] - places[:-1], axis=-1)
    return np.stack([0.5 * (along[1:] + along[:-1]), 0.5 * (down[:, 1:] + down[:, :-1])], axis=-1)


def margin_cells(fit: GridFit) -> float:
    """Return how far, in line spacings, the outer lines stay inside the picture; negative: not."""
    last_px = [fit.camera.width_px - 1, fit.camera.height_px - 1]
    corners = corners_px(fit)
    return float(np.minimum(corners, last_px - corners).min()) / fit.cell_px

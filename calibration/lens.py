"""Radial distortion and focal length, from the board's own crossings or from a printed sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import (
    apply_homography,
    distort_points,
    grid_to_raw_px,
    intersections,
    undistort_points,
)
from vision.homography import fit_homography, is_regular
from vision.types import CameraModel, Frame, GridFit, Label, StoneReading

LEAST_POINTS = 40
"""Fewer crossings do not tell a lens from a slightly wrong homography."""

NOISE_PX = 0.3
"""How exactly one crossing is seen; measured on rendered frames, where it is 0.25 to 0.4."""

PRIOR_K1, PRIOR_K2 = 0.08, 0.015
"""Spread of the distortion of usual lenses: what the crossings do not tell stays near zero."""

WINDOW_CELLS = 0.3
"""Half the side of the window in which two lines are made to cross."""

STRAY_CELLS = 0.25
"""A crossing seen further from where the grid has it is something else."""


@dataclass(frozen=True)
class Crossings:
    """The crossings seen in one picture of a flat grid."""

    grid_xy: NDArray[np.float64]
    """(K, 2), (col, row) in spacings of the grid."""

    raw_px: NDArray[np.float64]
    """(K, 2), where they were seen."""

    def __post_init__(self) -> None:
        if self.grid_xy.shape != self.raw_px.shape or self.grid_xy.shape[1:] != (2,):
            raise ValueError(
                f"grid_xy and raw_px must have one shape (K, 2), got {self.grid_xy.shape}"
                f" and {self.raw_px.shape}"
            )


@dataclass(frozen=True)
class LensEstimate:
    """A lens, and how well it explains what was seen."""

    camera: CameraModel
    residual_px: float
    """Median distance between predicted and seen crossings, raw pixels."""

    points: int
    reach: float
    """Largest distance of a crossing from the picture's center, in half diagonals: beyond it the
    distortion is a guess."""


@dataclass(frozen=True, slots=True)
class NoLens:
    """The pictures do not tell the lens; `message` is one sentence for people."""

    message: str


def board_crossings(frame: Frame, fit: GridFit, reading: StoneReading) -> Crossings:
    """Return where the lines really cross, to a fraction of a pixel, on points that are empty.

    Every line near a crossing points at it, so the place is where the gradients around it agree
    best (Förstner & Gülch 1987, as `cv2.cornerSubPix`).
    """
    grid = intersections(fit.size)
    usable = (reading.labels == Label.EMPTY) & reading.visible & (reading.confidence > 0.9)
    meant = grid_to_raw_px(fit, grid)[usable]
    height, width = frame.image.shape[:2]
    half = max(3, round(WINDOW_CELLS * fit.cell_px))
    margin = half + 2
    inside = ((meant > margin) & (meant < [width - margin, height - margin])).all(axis=1)
    meant, grid_xy = meant[inside], grid[usable][inside]
    if not len(meant):
        return Crossings(np.zeros((0, 2)), np.zeros((0, 2)))
    gray = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
    start = np.ascontiguousarray(meant, np.float32).reshape(-1, 1, 2)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 30, 0.01)
    seen = cv2.cornerSubPix(gray, start, (half, half), (-1, -1), stop).reshape(-1, 2)
    near = np.linalg.norm(seen - meant, axis=1) < STRAY_CELLS * fit.cell_px
    return Crossings(grid_xy[near], np.asarray(seen[near], float))


def estimate_lens(
    views: Sequence[Crossings], width_px: int, height_px: int
) -> LensEstimate | NoLens:
    """Return the radial distortion that explains the crossings of one or several pictures best.

    For each trial of k1 and k2 every picture gets the homography that fits best; Gauss-Newton then
    moves k1 and k2 (variable projection, Golub & Pereyra 1973). Distances count in raw pixels:
    in ideal ones a lens that shrinks the picture would seem better. The focal length is not
    estimated here.

    Parameters
    ----------
    views
        A picture each; those with fewer than 12 crossings are left out.
    """
    used = [view for view in views if len(view.grid_xy) >= 12]
    count = sum(len(view.grid_xy) for view in used)
    if count < LEAST_POINTS:
        return NoLens(f"{count} crossings are too few to tell a lens, {LEAST_POINTS} are needed")
    lens = np.zeros(2)
    blank = CameraModel(width_px, height_px)
    for _ in range(12):
        residual = _residuals(used, blank, lens)
        if residual is None:
            return NoLens("the crossings do not lie on a flat grid")
        step = _step(used, blank, lens, residual)
        lens = np.clip(lens + step, -0.5, 0.5)
        if float(np.abs(step).max()) < 1e-5:
            break
    return _described(used, replace(blank, k1=float(lens[0]), k2=float(lens[1])))


def _fitted(
    view: Crossings, camera: CameraModel
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the homography to ideal pixels and the errors (K, 2) in raw ones."""
    ideal = undistort_points(camera, view.raw_px)
    matrix = np.asarray(fit_homography(view.grid_xy, ideal, np.ones(len(ideal))), np.float64)
    back = distort_points(camera, apply_homography(matrix, view.grid_xy))
    return matrix, np.asarray(back - view.raw_px)


def _residuals(
    views: Sequence[Crossings], blank: CameraModel, lens: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    camera = replace(blank, k1=float(lens[0]), k2=float(lens[1]))
    parts = []
    for view in views:
        matrix, error = _fitted(view, camera)
        if not is_regular(matrix):
            return None
        parts.append(error.ravel())
    return np.concatenate(parts)


def _step(
    views: Sequence[Crossings],
    blank: CameraModel,
    lens: NDArray[np.float64],
    residual: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return one damped Gauss-Newton step; crossings far off count less (Huber)."""
    small = 1e-3
    columns = []
    for axis in range(2):
        moved = _residuals(views, blank, lens + small * np.eye(2)[axis])
        columns.append(np.zeros_like(residual) if moved is None else (moved - residual) / small)
    jacobian = np.column_stack(columns)
    limit = 2.5 * max(float(np.median(np.abs(residual))), 0.02)
    weight = np.minimum(1.0, limit / np.maximum(np.abs(residual), 1e-9)) / NOISE_PX**2
    prior = np.diag([PRIOR_K1**-2, PRIOR_K2**-2])
    normal = (jacobian * weight[:, None]).T @ jacobian + prior
    gradient = (jacobian * weight[:, None]).T @ residual + prior @ lens
    return np.asarray(-np.linalg.solve(normal, gradient))


def _described(views: Sequence[Crossings], camera: CameraModel) -> LensEstimate:
    errors = np.concatenate([np.linalg.norm(_fitted(v, camera)[1], axis=1) for v in views])
    center = np.array([camera.width_px, camera.height_px]) / 2
    half = float(np.linalg.norm(center))
    reach = max(float(np.linalg.norm(view.raw_px - center, axis=1).max()) for view in views) / half
    return LensEstimate(
        camera,
        residual_px=float(np.median(errors)),
        points=len(errors),
        reach=reach,
    )


def refitted(fit: GridFit, view: Crossings, camera: CameraModel) -> GridFit:
    """Return the grid of a picture again, with a measured lens and its crossings as seen.

    The fit given, if fewer than twelve crossings are seen.
    """
    if len(view.grid_xy) < 12:
        return fit
    matrix, error = _fitted(view, camera)
    rms_px = float(np.sqrt((error**2).sum(axis=1).mean()))
    return GridFit(fit.size, matrix, camera, rms_px, fit.confidence)

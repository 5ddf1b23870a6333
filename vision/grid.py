"""Find the grid of a Go board in a picture: frame -> GridFit or NoGrid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop import Canvas, halvings, on_canvas, shrunk
from vision.geometry import (
    apply_homography,
    corners_px,
    grid_to_raw_px,
    outer_corners,
    undistort_points,
)
from vision.homography import fit_homography
from vision.lattice import STRIDE, LatticeFit
from vision.look import (
    TO_MAP,
    UNIT,
    Look,
    best_looks,
    better_of,
    confidence_of,
    is_plain,
    look_at,
)
from vision.net import normalized, shipped_model
from vision.othergame import is_other_game
from vision.quads import Quad, boxed, bright_quads, in_order, snapped
from vision.types import SIZES, CameraModel, Frame, GridFit, NoGrid, NoGridReason, Side

Matrix = NDArray[np.floating[Any]]

SMALLEST_CELL_PX = 4.0
"""Boards whose lines lie closer are reported as too small."""

MOST_OUTSIDE_CELLS = 0.6
"""How far an outer crossing may lie outside the picture; a little is a fault of rounding."""


@dataclass(frozen=True)
class Search:
    """Everything a search came across, for people who want to know why."""

    canvas: Canvas
    field: NDArray[np.floating[Any]]
    """(h, w), the coarse network's probability of lying on the board."""

    corner: NDArray[np.floating[Any]]
    """(h, w), the coarse network's probability of an outer crossing."""

    looks: tuple[Look, ...]
    result: GridFit | NoGrid


def _side(quad: Quad) -> float:
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())


def _coarse_quads(
    canvas: Canvas,
) -> tuple[list[Quad], NDArray[np.floating[Any]], NDArray[np.floating[Any]]]:
    """Return where boards may be in the picture (raw pixels), best first, and the coarse maps."""
    maps = shipped_model("board")(normalized(canvas.image, canvas.known))[0]
    field, corner = 1 / (1 + np.exp(-np.clip(maps, -30, 30)))
    known = canvas.known[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
    # Two boards that touch at one level are two regions at a higher one.
    plain = [quad for level in (0.5, 0.75, 0.2) for quad in bright_quads(field, known, level=level)]
    boxes = [boxed(quad) for quad in plain]
    corners = [snapped(quad, corner, reach=0.15 * _side(quad)) for quad in plain]
    quads: list[Quad] = []
    for candidate in [*plain, *boxes, *corners]:
        if all(np.abs(candidate - other).max() > 0.06 * _side(candidate) for other in quads):
            quads.append(candidate)
    to_picture = canvas.to_picture @ np.linalg.inv(TO_MAP)
    return [apply_homography(to_picture, quad) for quad in quads], field, corner


CLOSER = 0.62
"""Share of the picture's sides that a closer look of the coarse network shows."""

MOST_CLOSER_LOOKS = 14
"""As many looks are spent on the parts."""


def _closer_quads(image: NDArray[np.uint8]) -> list[Quad]:
    """Return where boards may be, as parts of the picture show it.

    A small board, one on a checked cloth, or one of two side by side is plain in a part of the
    picture when it is not in the whole. The best guess of each part, the middle's first.
    """
    height, width = (round(CLOSER * side) for side in image.shape[:2])
    room = np.array([image.shape[1] - width, image.shape[0] - height])
    quads = []
    for place in ((0.5, 0.5), (0, 0), (1, 0), (0, 1), (1, 1)):
        x, y = np.round(room * place).astype(int)
        part = np.ascontiguousarray(image[y : y + height, x : x + width])
        quads += [quad + np.array([x, y]) for quad in _coarse_quads(on_canvas(part))[0][:1]]
    return quads


def _lens_and_matrix(
    look: Look, fit: LatticeFit, camera: CameraModel, *, is_known_lens: bool
) -> tuple[CameraModel, Matrix, float]:
    """Fit homography, and radial distortion unless it is known, to the crossings seen.

    Returns the camera, the matrix from grid_xy to ideal pixels, and the rms error in pixels.
    """
    seen = look.evidence
    grid = apply_homography(np.linalg.inv(fit.matrix), seen.points)
    whole = np.round(grid)
    last = fit.size - 1
    near = np.abs(grid - whole).max(axis=1) < 0.3
    used = near & (whole >= 0).all(axis=1) & (whole <= last).all(axis=1)
    whole, weights = whole[used], seen.weights[used]
    to_picture = look.crop.to_picture @ np.linalg.inv(TO_MAP)
    raw = apply_homography(to_picture, seen.points[used])
    cell = float(np.sqrt(abs(np.linalg.det(look.to_picture(fit)[:2, :2]))))

    def fitted(k1: float) -> tuple[float, Matrix, float]:
        ideal = undistort_points(replace(camera, k1=k1), raw)
        matrix = fit_homography(whole, ideal, weights)
        error = np.linalg.norm(apply_homography(matrix, whole) - ideal, axis=1)
        # Most lenses bend little: without a good reason, neither does this one.
        cost = float((weights * np.minimum(error, 0.3 * cell) ** 2).mean())
        prior = (0.04 * cell) ** 2 * (k1 / 0.05) ** 2
        return cost + (0.0 if is_known_lens else prior), matrix, float(np.sqrt((error**2).mean()))

    best_k1 = camera.k1
    if not is_known_lens and len(whole) >= 30:
        trial = np.array([-0.12, -0.06, 0.0, 0.06, 0.12])
        costs = np.array([fitted(float(k1))[0] for k1 in trial])
        middle = int(np.clip(costs.argmin(), 1, len(trial) - 2))
        a, b, c = costs[middle - 1 : middle + 2]
        bend = a - 2 * b + c
        shift = 0.0 if bend <= 0 else float(np.clip(0.5 * (a - c) / bend, -1, 1))
        best_k1 = float(trial[middle] + 0.06 * shift)
    _, matrix, rms = fitted(best_k1)
    return replace(camera, k1=best_k1), matrix, rms


def _upright(fit: GridFit) -> GridFit:
    """Number rows and columns as seen: row 0 at the top, column 0 at the left."""
    corners = grid_to_raw_px(fit, outer_corners(fit.size))
    ordered = in_order(corners)
    turns = int(np.argmin([np.abs(np.roll(corners, -k, axis=0) - ordered).sum() for k in range(4)]))
    return fit.turned(turns)


def _missing_sides(fit: GridFit, width: int, height: int) -> list[Side]:
    """Return the sides of the board that lie outside the picture."""
    corners = grid_to_raw_px(fit, outer_corners(fit.size))
    allowed = MOST_OUTSIDE_CELLS * fit.cell_px
    beyond = np.maximum(np.maximum(-corners, corners - [width - 1, height - 1]), 0).max(axis=1)
    out = beyond > allowed
    sides = (Side.TOP, Side.RIGHT, Side.BOTTOM, Side.LEFT)
    return [side for i, side in enumerate(sides) if out[i] and out[(i + 1) % 4]] or (
        [side for i, side in enumerate(sides) if out[i] or out[(i + 1) % 4]] if out.any() else []
    )


def _scaled(fit: GridFit, scale: float, camera: CameraModel) -> GridFit:
    """Return a fit found in a picture that was shrunk by `scale`, for the whole picture."""
    # Pixel centers: x_small = (x + 0.5) * scale - 0.5.
    shift = 0.5 / scale - 0.5
    grow = np.array([[1 / scale, 0, shift], [0, 1 / scale, shift], [0, 0, 1.0]])
    full = replace(fit.camera, width_px=camera.width_px, height_px=camera.height_px)
    return GridFit(fit.size, grow @ fit.homography, full, fit.rms_px / scale, fit.confidence)


def search(
    frame: Frame, camera: CameraModel | None = None, *, sizes: Sequence[int] = SIZES
) -> Search:
    """Look for a board and keep what was seen on the way; `find_grid` returns its `result`."""
    height, width = frame.image.shape[:2]
    whole = camera or CameraModel(width, height)
    image, scale = shrunk(frame.image)
    canvas = on_canvas(image)
    if min(height, width) < 32:
        empty = np.zeros((1, 1), np.float32)
        small = NoGrid(NoGridReason.TOO_SMALL, f"the picture is only {width} x {height} pixels")
        return Search(canvas, empty, empty, (), small)
    quads, field, corner = _coarse_quads(canvas)
    levels = halvings(image)
    looks = best_looks(levels, quads, sizes)
    if not is_plain(looks, image.shape):
        closer = best_looks(levels, _closer_quads(image), sizes, most=MOST_CLOSER_LOOKS)
        looks = [*looks, *closer, *better_of(looks, closer, image.shape)]
    small_camera = replace(whole, width_px=image.shape[1], height_px=image.shape[0])
    result = _judged(looks, small_camera, is_known_lens=camera is not None, has_quad=bool(quads))
    if isinstance(result, GridFit) and is_other_game(levels, looks[-1]):
        result = NoGrid(
            NoGridReason.OTHER_GAME, "this looks like another game's board, or a part of one"
        )
    if isinstance(result, GridFit):
        result = _scaled(_upright(result), scale, whole)
        result = _checked(result, width, height)
    return Search(canvas, field, corner, tuple(looks), result)


LEAST_CONFIDENCE = 0.3
"""Below this a search says that it found nothing."""


def seen_again(frame: Frame, fit: GridFit, *, least: float = 0.8) -> GridFit | None:
    """Look where a grid was and return it as it is now, or None if it cannot be made out there.

    Finds a grid of the same size that has moved by up to about a line spacing; keeps the lens.
    """
    image, scale = shrunk(frame.image)
    corners = (corners_px(fit) + 0.5) * scale - 0.5
    unit = np.asarray(cv2.getPerspectiveTransform(UNIT, corners.astype(np.float32)), float)
    look = look_at(halvings(image), unit, (fit.size,), fit.size)
    if not look.fits or confidence_of(look) < least:
        return None
    small = replace(fit.camera, width_px=image.shape[1], height_px=image.shape[0])
    result = _judged([look], small, is_known_lens=True, has_quad=True)
    return _scaled(result, scale, fit.camera) if isinstance(result, GridFit) else None


def _judged(
    looks: Sequence[Look], camera: CameraModel, *, is_known_lens: bool, has_quad: bool
) -> GridFit | NoGrid:
    if not looks or not looks[-1].fits:
        if has_quad:
            return NoGrid(NoGridReason.NO_LATTICE, "something like a board, but no grid on it")
        return NoGrid(NoGridReason.NO_LINES, "nothing looks like a board")
    look = looks[-1]
    best = look.fits[0]
    confidence = confidence_of(look)
    if confidence < LEAST_CONFIDENCE:
        reason = NoGridReason.AMBIGUOUS if best.seen > 0.5 else NoGridReason.NO_LATTICE
        return NoGrid(reason, "no grid fits well enough to be believed", 1 - confidence)
    lens, matrix, rms_px = _lens_and_matrix(look, best, camera, is_known_lens=is_known_lens)
    return GridFit(best.size, np.asarray(matrix, np.float64), lens, rms_px, confidence)


def _checked(fit: GridFit, width: int, height: int) -> GridFit | NoGrid:
    if fit.cell_px < SMALLEST_CELL_PX:
        return NoGrid(NoGridReason.TOO_SMALL, f"the lines are only {fit.cell_px:.1f} pixels apart")
    missing = _missing_sides(fit, width, height)
    if missing:
        names = ", ".join(side.value for side in missing)
        return NoGrid(NoGridReason.PARTLY_OUTSIDE, f"outside the picture: {names}", fit.confidence)
    return fit


def find_grid(
    frame: Frame, camera: CameraModel | None = None, *, sizes: Sequence[int] = SIZES
) -> GridFit | NoGrid:
    """Find the grid of the board in a picture that was never seen before.

    Parameters
    ----------
    camera
        The lens, when it is known; otherwise its radial distortion is estimated.
    sizes
        The board sizes to consider.

    Returns
    -------
    GridFit
        Rows numbered from the top of the picture, columns from the left. `confidence` is the
        probability that these are the board's own outer lines.
    NoGrid
        With the reason; a board that is partly outside the picture is not guessed.

    Raises
    ------
    ModelError
        If the networks of this package are missing.
    """
    return search(frame, camera, sizes=sizes).result

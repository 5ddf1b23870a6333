"""The grid from four corners that a person has put down, and which side of it is Black's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import LensEstimate, board_crossings, estimate_lens, refitted
from vision.follow import shift_cells
from vision.geometry import (
    apply_homography,
    grid_to_raw_px,
    homography_from_corners,
    outer_corners,
    rectify,
    rectify_map,
)
from vision.grid import seen_again
from vision.quads import in_order
from vision.stones import read_stones
from vision.types import SIZES, CameraModel, Frame, GridFit, Label, Side

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

SNAP_CELLS = 0.45
"""Lines further from where a person has put a corner are other lines."""

MOVED_CELLS = 0.8
"""The network may correct four corners by so much; more is another grid."""

MARGIN_CELLS = 1.5
"""What of the picture is looked at outside the lines."""

LINE_PX = 16
"""Pixels per line spacing in which lines are looked for."""

LEAST_GAIN = 1.15
"""Lines must answer by this factor better than what lies between them, or they are not seen."""

TURNS = {Side.BOTTOM: 0, Side.LEFT: 1, Side.TOP: 2, Side.RIGHT: 3}
"""Quarter turns that bring the side of the picture where Black sits to the bottom."""


class CornersError(ValueError):
    """Four corners that cannot be those of a board."""


class Snapped(Enum):
    """What a grid put down by hand was corrected by."""

    NETWORK = "network"
    LINES = "lines"
    NOTHING = "nothing"
    """Nothing was seen near the corners: they are as given."""


@dataclass(frozen=True)
class Placed:
    """A grid put down by hand."""

    fit: GridFit
    """Row 0 at the top of the picture."""

    by: Snapped
    moved_cells: float
    """How far the corner that was corrected most has moved."""


def checked_corners(raw_px: Floats, width_px: int, height_px: int) -> Floats:
    """Return (4, 2) corners as TL, TR, BR, BL seen in the picture, whatever their order.

    Raises
    ------
    CornersError
        They are not four points in or near the picture, or no convex quadrilateral.
    """
    corners = np.asarray(raw_px, float)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise CornersError(f"four corners (x, y) are needed, got {corners.tolist()}")
    margin = 0.1 * max(width_px, height_px)
    if (corners < -margin).any() or (corners > [width_px + margin, height_px + margin]).any():
        raise CornersError(f"corners must lie in the picture of {width_px} x {height_px} pixels")
    ordered = np.asarray(in_order(corners), float)
    sides = np.roll(ordered, -1, axis=0) - ordered
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    lengths = np.linalg.norm(sides, axis=1)
    if (turns <= 0).any() or lengths.min() < 0.02 * max(width_px, height_px):
        raise CornersError("the four corners must make a quadrilateral without dents")
    return ordered


def place_grid(
    frame: Frame, size: int, raw_px: Floats, camera: CameraModel | None = None
) -> Placed:
    """Return the grid through four corners put down by hand, corrected by what is seen there.

    The network looks first, where it is told to; where it sees nothing, the lines themselves are
    tried; where there is nothing either, the corners stay as given. Without a known lens it is
    estimated from the crossings.

    Raises
    ------
    CornersError
        The corners cannot be those of a board of this size.
    """
    if size not in SIZES:
        raise CornersError(f"size must be one of {SIZES}, got {size}")
    height, width = frame.image.shape[:2]
    corners = checked_corners(raw_px, width, height)
    lens = camera or CameraModel(width, height)
    start = GridFit(size, homography_from_corners(lens, size, corners), lens, 0.0, 1.0)
    fit, by = _corrected(frame, start)
    if by is not Snapped.NOTHING:
        fit = _refined(frame, fit, is_known_lens=camera is not None)
    return Placed(replace(fit, confidence=1.0), by, shift_cells(fit, start))


def _corrected(frame: Frame, start: GridFit) -> tuple[GridFit, Snapped]:
    again = seen_again(frame, start, least=0.3)
    if again is not None and shift_cells(again, start) < MOVED_CELLS:
        return again, Snapped.NETWORK
    lines = snapped_to_lines(frame.image, start)
    return (start, Snapped.NOTHING) if lines is None else (lines, Snapped.LINES)


def _refined(frame: Frame, fit: GridFit, *, is_known_lens: bool) -> GridFit:
    """Return the grid through the crossings that the reader sees, if it stays where it is."""
    memory, reading = read_stones(None, frame, fit)
    seen = board_crossings(frame, memory.fit, reading)
    camera = fit.camera
    if not is_known_lens:
        found = estimate_lens([seen], camera.width_px, camera.height_px)
        camera = found.camera if isinstance(found, LensEstimate) else camera
    better = refitted(memory.fit, seen, camera)
    return better if shift_cells(better, fit) < SNAP_CELLS else fit


def snapped_corner(image: Image, size: int, raw_px: Floats, index: int) -> Floats:
    """Return (2,): where the outer lines near one of four corners cross; the corner if unseen.

    The other corners only tell how the lines run there, so they may still be roughly placed: the
    patch of the grid at this corner is moved until its lines lie on lines of the picture.

    Raises
    ------
    CornersError
        The four corners are no quadrilateral.
    """
    height, width = image.shape[:2]
    ordered = checked_corners(raw_px, width, height)
    place = int(np.linalg.norm(ordered - raw_px[index], axis=1).argmin())
    lens = CameraModel(width, height)
    start = GridFit(size, homography_from_corners(lens, size, ordered), lens, 0.0, 1.0)
    answers = _line_answers(image, start)
    corner = outer_corners(size)[place]
    patch = _patch(corner, size)
    moves = np.stack(np.meshgrid(*[np.linspace(-0.5, 0.5, 41)] * 2), axis=-1).reshape(-1, 2)
    scores = _patch_scores(answers, patch, moves, corner, size)
    near = np.abs(moves).max(axis=1) <= SNAP_CELLS
    best = moves[near][int(scores[near].argmax())]
    is_at_limit = float(np.abs(best).max()) > SNAP_CELLS - 0.03
    if is_at_limit or scores[near].max() <= LEAST_GAIN * float(np.median(scores)):
        return np.asarray(raw_px[index], float)
    return np.asarray(grid_to_raw_px(start, corner + best), float)


def _patch(corner: Floats, size: int) -> tuple[Floats, Floats]:
    """Return (K, 2) grid_xy on the lines along columns, and on those along rows, near a corner."""
    inward = np.where(corner > (size - 1) / 2, -1.0, 1.0)
    lines, along = np.arange(3.0), np.linspace(0.1, 3.4, 23)
    spots = np.stack(np.meshgrid(lines, along), axis=-1).reshape(-1, 2)
    return corner + inward * spots, corner + inward * spots[:, ::-1]


def _patch_scores(
    answers: tuple[NDArray[np.floating], ...],
    patch: tuple[Floats, Floats],
    moves: Floats,
    corner: Floats,
    size: int,
) -> Floats:
    """Return (M,): how well a patch lies on lines after each of (M, 2) moves of its corner.

    The other corners stay, so what lies farther from this one moves less (bilinearly).
    """
    total = np.zeros(len(moves))
    for answer, spots in zip(answers, patch, strict=True):
        share = np.prod(1 - np.abs(spots - corner) / (size - 1), axis=1)
        moved = spots + moves[:, None] * share[:, None]
        total += _answers_at(answer, moved).mean(axis=1)
    return total


def _line_answers(image: Image, fit: GridFit) -> tuple[NDArray[np.floating], ...]:
    """Return how much the rectified picture looks like a line along columns, and along rows.

    The second derivative across the line, positive in the middle of it whether it is darker or
    brighter than the wood.
    """
    flat = rectify(image, rectify_map(fit, cell=LINE_PX, margin_cells=MARGIN_CELLS))
    gray = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)
    soft = np.asarray(cv2.GaussianBlur(gray, (0, 0), 1.0), np.uint8)
    return tuple(_bend(soft, order) for order in ((2, 0), (0, 2)))


def _bend(gray: Image, order: tuple[int, int]) -> NDArray[np.floating]:
    bend = cv2.Sobel(gray, cv2.CV_32F, *order, ksize=5)
    # Lines are thin, what lies between them is wide: so the strongest bends are theirs.
    bend = bend * np.sign(float((bend**3).mean()) or 1.0)
    # A single strong rim must not outweigh many faint lines.
    return np.asarray(np.clip(bend, 0, 8 * float(np.median(np.abs(bend))) + 1e-6), np.float32)


def _answers_at(answer: NDArray[np.floating], grid: NDArray[np.floating]) -> Floats:
    """Return (...): a map of `_line_answers` at (..., 2) grid_xy."""
    places = ((grid + MARGIN_CELLS) * LINE_PX - 0.5).astype(np.float32)
    flat = places.reshape(-1, places.shape[-2], 2)
    columns, rows = (np.ascontiguousarray(flat[..., axis]) for axis in range(2))
    seen = cv2.remap(answer, columns, rows, cv2.INTER_LINEAR)
    return np.asarray(seen.reshape(places.shape[:-1]), np.float64)


def snapped_to_lines(image: Image, start: GridFit) -> GridFit | None:
    """Return the grid moved so that its lines lie on lines of the picture; None if there are none.

    Moves the corners one after the other by ever smaller steps (coordinate ascent) while the
    picture's second derivative across the lines grows. Within half a spacing there is one summit;
    a grid off by a line is not repaired, for a person has said where it is.
    """
    answers = _line_answers(image, start)
    moves = np.zeros((4, 2))
    best = _line_score(answers, start.size, moves)
    for step in (0.2, 0.1, 0.05, 0.025, 0.012):
        for _ in range(4):
            before = best
            for spot in np.ndindex(4, 2):
                for sign in (1, -1):
                    trial = moves.copy()
                    trial[spot] += sign * step
                    score = _line_score(answers, start.size, trial)
                    if np.abs(trial).max() <= SNAP_CELLS and score > best:
                        moves, best = trial, score
            if best <= before:
                break
    between = _line_score(answers, start.size, moves + 0.5)
    is_at_limit = float(np.abs(moves).max()) > SNAP_CELLS - 0.05
    if is_at_limit or best <= LEAST_GAIN * between:
        return None
    corners = grid_to_raw_px(start, outer_corners(start.size) + moves)
    matrix = homography_from_corners(start.camera, start.size, corners)
    return replace(start, homography=matrix)


def _line_score(answers: tuple[NDArray[np.floating], ...], size: int, moves: Floats) -> float:
    """Return the mean answer along all lines of the grid whose corners have moved by (4, 2)."""
    corners = outer_corners(size)
    moved = (corners + moves).astype(np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), moved), float)
    spots = np.stack(
        np.meshgrid(np.linspace(0, size - 1, 4 * size), np.arange(size, dtype=float)), axis=-1
    )
    total = 0.0
    for answer, grid in zip(answers, (spots[..., ::-1], spots), strict=True):
        total += float(_answers_at(answer, apply_homography(matrix, grid)).mean())
    return total


def turned_for_black(fit: GridFit, side: Side) -> GridFit:
    """Return an upright grid in the kifu's frame, given the side of the picture Black sits at."""
    return fit.turned(TURNS[side])


def side_of_black(hands: Iterable[tuple[Side, Label]]) -> Side | None:
    """Return where Black sits, from the first hands and the stones that they put down.

    Parameters
    ----------
    hands
        The side from which a hand came, in the frame of the grid, and the color of its stone.

    Returns
    -------
    The side most hands speak for; None if two sides have as many, or there were no hands.
    """
    opposite = {
        Side.BOTTOM: Side.TOP,
        Side.TOP: Side.BOTTOM,
        Side.LEFT: Side.RIGHT,
        Side.RIGHT: Side.LEFT,
    }
    votes = Counter(side if label is Label.BLACK else opposite[side] for side, label in hands)
    ranked = votes.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]

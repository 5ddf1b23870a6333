"""Fit a lattice to the maps of a rectified board, and decide which lines are its outer ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import apply_homography, intersections, outer_corners
from vision.homography import fit_homography, is_regular
from vision.quads import bright_quads

Matrix = NDArray[np.floating[Any]]
Map = NDArray[np.floating[Any]]

STRIDE = 4
"""Crop pixels a map pixel."""

EXACT_CELLS = 0.18
"""A peak that is off by less, along rows and along columns, is the lattice's own."""


@dataclass(frozen=True)
class Evidence:
    """What the fine network saw in a rectified board; all in map pixels (h, w)."""

    crossing: Map
    """Probability that two lines cross here."""

    outermost: Map
    """Probability that a crossing on one of the four outer lines is here."""

    field: Map
    """Probability of lying between the outer lines."""

    known: NDArray[np.bool_]
    """True where there is a picture under the map."""

    points: Matrix
    """(N, 2), (x, y) of the crossings seen, in map pixels."""

    weights: NDArray[np.floating[Any]]
    """(N,), how sure each of them is, (0, 1]."""


@dataclass(frozen=True)
class LatticeFit:
    """One hypothesis about size and place of the grid in a rectified board."""

    size: int
    matrix: Matrix
    """(3, 3), from grid_xy to map pixels."""

    score: float
    """Log odds per crossing that this is the grid, larger is better."""

    seen: float
    """[0, 1], mean crossing probability over the crossings that the map covers."""

    overlap: float
    """[0, 1], intersection over union of the grid's square and the field map."""

    matched: float
    """[0, 1], part of the crossings that have a peak of their own, faint ones counting less."""

    explained: float
    """[0, 1], part of the peaks within the grid's square that are one of its crossings."""

    rms_cells: float
    """Root mean square distance between lattice and the peaks that it explains, in spacings."""


def _sigmoid(x: Map) -> Map:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), np.float32)


def evidence(
    maps: NDArray[np.floating[Any]], known: NDArray[np.bool_], *, floor: float = 0.3
) -> Evidence:
    """Read the raw maps of the fine network.

    Parameters
    ----------
    maps
        (5, h, w): logits of crossing, its offset dx and dy in map pixels, logits of outermost
        and field.
    known
        (4 h, 4 w), where the crop has content.
    floor
        Peaks weaker than this are not crossings.
    """
    crossing, outermost, field = (_sigmoid(maps[i]) for i in (0, 3, 4))
    small = known[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
    highest = cv2.dilate(crossing, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((crossing >= highest) & (crossing > floor) & small)
    points = _sharpened(maps[1:3], crossing, rows, columns)
    return Evidence(
        crossing, outermost, field, small, points, crossing[rows, columns].astype(float)
    )


def _sharpened(offset: Map, heat: Map, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Matrix:
    """Return (N, 2): peaks (x, y) to a fraction of a pixel.

    Two measurements are averaged, because each shrinks toward the pixel's center in its own way:
    the offsets that the pixels around a peak vote for, and the top of the parabola through the
    logarithm of the heat, which is a Gaussian.
    """
    padded = np.pad(heat, 1, mode="edge")
    votes = np.pad(offset, ((0, 0), (1, 1), (1, 1)), mode="edge")
    moved, total = np.zeros((len(rows), 2)), np.zeros(len(rows))
    for down in (-1, 0, 1):
        for across in (-1, 0, 1):
            at = (rows + 1 + down, columns + 1 + across)
            weight = padded[at]
            total += weight
            moved[:, 0] += weight * (across + votes[0][at])
            moved[:, 1] += weight * (down + votes[1][at])
    log = np.log(np.clip(padded, 1e-4, 1.0))
    middle = log[rows + 1, columns + 1]
    top = np.empty_like(moved)
    for axis, (down, across) in enumerate(((0, 1), (1, 0))):
        before = log[rows + 1 - down, columns + 1 - across]
        after = log[rows + 1 + down, columns + 1 + across]
        bend = np.maximum(2 * middle - before - after, 1e-3)
        top[:, axis] = np.clip(0.5 * (after - before) / bend, -0.6, 0.6)
    shift = 0.5 * (np.clip(moved / total[:, None], -1, 1) + top)
    return np.asarray(np.column_stack([columns, rows]) + shift)


def _neighbor_spacing(points: Matrix) -> float:
    """Return the typical distance from a crossing to its nearest neighbor."""
    squares = (points**2).sum(axis=1)
    gaps = squares[:, None] + squares[None] - 2 * points @ points.T
    np.fill_diagonal(gaps, np.inf)
    return float(np.sqrt(max(0.0, float(np.median(gaps.min(axis=1))))))


def grown_lattice(points: Matrix) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number crossings by walking from neighbor to neighbor over a roughly upright lattice.

    Returns
    -------
    (M,) which points were reached, and (M, 2) their (col, row), from an arbitrary origin.
    """
    spacing = _neighbor_spacing(points)
    center = points.mean(axis=0)
    best_chosen = np.zeros(0, np.int64)
    best_index = np.zeros((0, 2), np.int64)
    for start in np.argsort(np.linalg.norm(points - center, axis=1))[:4]:
        chosen, index = _walk(points, int(start), spacing)
        if len(chosen) > len(best_chosen):
            best_chosen, best_index = chosen, index
        if len(best_chosen) > 0.6 * len(points):
            break
    return best_chosen, best_index


def _walk(
    points: Matrix, start: int, spacing: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    number = {start: (0, 0)}
    taken = {(0, 0)}
    steps = {start: np.array([[spacing, 0.0], [0.0, spacing]])}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        basis = steps[here]
        for axis in (0, 1):
            for sign in (1, -1):
                column, row = number[here]
                there = (column + sign * (axis == 0), row + sign * (axis == 1))
                if there in taken:
                    continue
                away = points - (points[here] + sign * basis[axis])
                gaps = np.einsum("ij,ij->i", away, away)
                nearest = int(np.argmin(gaps))
                reach = (0.4 if len(number) < 4 else 0.25) ** 2 * float((basis[axis] ** 2).sum())
                if gaps[nearest] > reach or nearest in number:
                    continue
                number[nearest] = there
                taken.add(there)
                learned = basis.copy()
                learned[axis] = 0.5 * basis[axis] + 0.5 * sign * (points[nearest] - points[here])
                if len(number) < 6:
                    # A square cell is a good first guess for the other direction.
                    learned[1 - axis] = learned[axis][::-1] * ([-1, 1] if axis == 0 else [1, -1])
                steps[nearest] = learned
                queue.append(nearest)
    chosen = np.array(list(number), np.int64)
    return chosen, np.array([number[i] for i in number], np.int64).reshape(-1, 2)


def _settled(seen: Evidence, matrix: Matrix, *, reach: float = 0.3) -> tuple[Matrix, int]:
    """Assign peaks to the lattice and fit again until it rests; return it and its exact peaks."""
    for _ in range(4):
        if not is_regular(matrix):
            return matrix, 0
        grid = apply_homography(np.linalg.inv(matrix), seen.points)
        whole = np.round(grid)
        error = np.abs(grid - whole).max(axis=1)
        inlier = (error < reach) & (np.abs(whole).max(axis=1) < 40)
        if inlier.sum() < 8:
            return matrix, 0
        matrix = fit_homography(whole[inlier], seen.points[inlier], seen.weights[inlier], rounds=1)
    if not is_regular(matrix):
        return matrix, 0
    grid = apply_homography(np.linalg.inv(matrix), seen.points)
    error = np.abs(grid - np.round(grid)).max(axis=1)
    return matrix, int((error < EXACT_CELLS).sum())


def _starts(seen: Evidence, sizes: Sequence[int]) -> Iterator[Matrix]:
    """Yield lattices to begin with: grown from the peaks, then by size from the outline."""
    if len(seen.points) >= 9:
        chosen, index = grown_lattice(seen.points)
        if len(chosen) >= 9 and min(np.ptp(index, axis=0)) >= 2:
            yield fit_homography(index.astype(float), seen.points[chosen], seen.weights[chosen])
    outlines = bright_quads(seen.field, seen.known)[:1]
    side = seen.field.shape[0]
    outlines.append(np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]) * side - 0.5)
    for quad in outlines:
        for size in sizes:
            corners = outer_corners(size).astype(np.float32)
            yield np.asarray(cv2.getPerspectiveTransform(corners, quad.astype(np.float32)))


def sampled(image: Map, points: Matrix) -> Map:
    """Return a map (h, w) or picture (h, w, 3) at points (..., 2), (x, y); 0 outside."""
    flat = points.reshape(1, -1, 2).astype(np.float32)
    values = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderValue=0.0)
    return np.asarray(values.reshape(points.shape[:-1] + image.shape[2:]), np.float32)


def _log_odds(
    probability: Map, known: NDArray[np.bool_], prior: float
) -> NDArray[np.floating[Any]]:
    p = np.clip(probability.astype(float), 0.03, 0.97)
    return np.where(known, np.log(p / (1 - p)) - np.log(prior / (1 - prior)), 0.0)


def _ranked(
    seen: Evidence, matrix: Matrix, sizes: Sequence[int]
) -> list[tuple[float, int, Matrix]]:
    """Return the best windows of one endless lattice: score, size, and grid_xy to map pixels."""
    low, high = _extent(seen, matrix)
    count = high - low + 1
    if count.min() < 5 or count.max() > 45:
        return []
    columns, rows = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1))
    points = apply_homography(matrix, np.stack([columns, rows], axis=-1).astype(float))
    known = sampled(seen.known.astype(np.float32), points) > 0.5
    crossing = _log_odds(sampled(seen.crossing, points), known, 0.45)
    edge = _log_odds(sampled(seen.outermost, points), known, 0.4)
    fits: list[tuple[float, int, Matrix]] = []
    for size in sizes:
        if min(count) < size:
            continue
        scores = _window_scores(crossing, edge, size)
        for place in np.argsort(-scores, axis=None)[:6]:
            top, left = np.unravel_index(int(place), scores.shape)
            move = np.array([[1, 0, low[0] + left], [0, 1, low[1] + top], [0, 0, 1.0]])
            fits.append((float(scores[top, left]), size, matrix @ move))
    return fits


def _extent(seen: Evidence, matrix: Matrix) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the lowest and highest (col, row) of the lattice lines that cross the map."""
    height, width = seen.field.shape
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], float) - 0.5
    # Where perspective would put the horizon into the map, the lattice is nonsense.
    inverse = np.linalg.inv(matrix)
    depth = frame @ inverse[2, :2] + inverse[2, 2]
    if depth.min() * depth.max() <= 0:
        return np.zeros(2, np.int64), np.zeros(2, np.int64)
    grid = apply_homography(inverse, frame)
    low = np.ceil(grid.min(axis=0)).astype(np.int64) - 1
    high = np.floor(grid.max(axis=0)).astype(np.int64) + 1
    return low, high


def _box_sums(
    values: NDArray[np.floating[Any]], size: int, wider: int
) -> NDArray[np.floating[Any]]:
    """Return, for each (top, left) of a size x size window, the sum over it grown by `wider`."""
    padded = np.pad(values, 1)
    table = np.zeros((padded.shape[0] + 1, padded.shape[1] + 1))
    table[1:, 1:] = padded.cumsum(axis=0).cumsum(axis=1)
    rows, columns = values.shape[0] - size + 1, values.shape[1] - size + 1
    first, last = 1 - wider, 1 + size + wider

    def at(y: int, x: int) -> NDArray[np.floating[Any]]:
        return table[y : y + rows, x : x + columns]

    return np.asarray(at(last, last) - at(first, last) - at(last, first) + at(first, first))


def _window_scores(
    crossing: NDArray[np.floating[Any]], edge: NDArray[np.floating[Any]], size: int
) -> NDArray[np.floating[Any]]:
    """Log odds for each window of lines: crossings in it, none around it, edges on its rim."""
    inside, whole = _box_sums(crossing, size, 0), _box_sums(crossing, size, 1)
    core, window, wide = (_box_sums(edge, size, wider) for wider in (-1, 0, 1))
    rim = window - core
    # A rim is evidence where it is; inside and beyond, its absence counts less.
    return (2 * inside - (whole - inside) + rim - 0.5 * core - 0.5 * (wide - window)) / 10


def _described(seen: Evidence, score: float, size: int, matrix: Matrix) -> LatticeFit:
    grid = apply_homography(np.linalg.inv(matrix), seen.points)
    whole = np.round(grid)
    inside = (whole >= 0).all(axis=1) & (whole <= size - 1).all(axis=1)
    errors = np.abs(grid - whole).max(axis=1)[inside]
    exact = errors < EXACT_CELLS
    stray = float(seen.weights[inside][~exact].sum())
    places = apply_homography(matrix, intersections(size))
    known = sampled(seen.known.astype(np.float32), places) > 0.5
    values = sampled(seen.crossing, places)
    square = np.zeros(seen.field.shape, np.uint8)
    corners = apply_homography(matrix, outer_corners(size))
    cv2.fillConvexPoly(square, np.round(corners * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    both = float((seen.field * square).sum())
    overlap = both / max(float(seen.field.sum() + square.sum() - both), 1.0)
    return LatticeFit(
        size=size,
        matrix=matrix,
        # A crossing seen between the lines speaks against them as one on them speaks for them.
        score=score + 40 * overlap - 0.5 * stray,
        seen=float(values[known].mean()) if known.any() else 0.0,
        overlap=overlap,
        matched=min(1.0, float(seen.weights[inside][exact].sum() / max(1, known.sum()))),
        explained=float(exact.mean()) if len(exact) else 0.0,
        rms_cells=float(np.sqrt((errors[exact] ** 2).mean())) if exact.any() else 1.0,
    )


def rival_fits(
    seen: Evidence, sizes: Sequence[int], *, start: Matrix | None = None
) -> list[LatticeFit]:
    """Return the hypotheses about the grid, best first; an empty list if nothing fits.

    Parameters
    ----------
    start
        (3, 3), grid_xy to map pixels, where an earlier look has found the grid; it is tried
        first, and others only if it does not explain what is seen.
    """
    settled: list[tuple[int, Matrix]] = []
    for matrix in chain([] if start is None else [start], _starts(seen, sizes)):
        rested, count = _settled(seen, matrix)
        if count >= 8:
            settled.append((count, rested))
        if count > 0.75 * len(seen.points) and count > 40:
            break
    settled.sort(key=lambda pair: -pair[0])
    lattices: list[Matrix] = []
    for _, matrix in settled:
        if len(lattices) < 3 and not any(_is_same_lattice(matrix, other) for other in lattices):
            lattices.append(matrix)
    fits: list[LatticeFit] = []
    for matrix in lattices:
        windows = sorted(_ranked(seen, matrix, sizes), key=lambda window: -window[0])
        fits.extend(_described(seen, *window) for window in windows[:4])
    return sorted(fits, key=lambda fit: -fit.score)


def _is_same_lattice(one: Matrix, other: Matrix) -> bool:
    """Tell whether two lattices have the same lines, numbered differently perhaps."""
    probes = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [7.0, 9.0]])
    seen = apply_homography(np.linalg.inv(one), apply_homography(other, probes))
    is_whole = bool(np.abs(seen - np.round(seen)).max() < 0.1)
    return is_whole and abs(float(np.linalg.norm(seen[1] - seen[0])) - 1) < 0.2

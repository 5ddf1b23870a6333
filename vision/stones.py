"""Read what stands on every intersection of one frame, and read again only what changed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cells import (
    CELL_ARRAYS,
    CELL_PX,
    MARGIN,
    Cells,
    Light,
    inside,
    light_of,
    reader_sampling,
    rectified,
    resized,
    run_cells,
    shrink_factor,
)
from vision.geometry import apply_homography, intersections
from vision.hidden import arm_sides, hidden_points
from vision.types import Frame, GridFit, Label, LooseStone, StoneReading

SAME_GRID_CELLS = 0.06
"""A grid whose corners moved less than this counts as the one read before."""

REFINE_CELLS = 0.04
"""From this largest offset of a corner on, the board is read again on the corrected grid."""

LOOSE_CELLS = 0.4
"""A stone whose center is farther than this from its crossing lies off the points."""

LOOSE_CONFIDENCE = 0.6
"""From this probability on a stone off the points is reported."""

OUTSIDE_CONFIDENCE = 0.85
"""The same beside the lines, where bowls and lids look like stones."""

SAME_STONE_CELLS = 0.65
"""Two stones cannot lie nearer to each other."""

GLANCE_PX = 4
"""Pixels per line spacing in which changes are looked for; each is the mean of four samples."""

CHANGED_LEVELS = 8.0
"""Gray levels by which a glance must differ, above four times what noise makes."""

LEAST_LEVELS = 2.5
"""The same on a board so dim that its own contrast is a few gray levels."""

USUAL_SPREAD = 40.0
"""Spread of the gray levels of a board in plain light; in less, changes are smaller, too."""

REFRESH_S = 2.0
"""After so long everything is read again: a change too faint for a glance must not stay unseen."""

FEW_CELLS = 0.8
"""Share of the picture up to which only the changed part is read again."""

CONTEXT_CELLS = 2
"""Cells read around those that are kept: what the network needs to judge them."""

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class ReadingMemory:
    """What the next reading needs of the last, for economy alone."""

    asked: GridFit
    """The grid as it was given."""

    fit: GridFit
    """The grid corrected by the crossings seen; report its corners."""

    sampling: Floats
    """(S, S, 2) raw pixels: where the rectified picture comes from."""

    glance_maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    """The sampling of the glance in fixed point, for speed."""

    glance: Floats
    """(G, G, 3): the rectified picture in little, as last read."""

    light: Light
    cells: Cells
    whole_s: float
    """When everything was last read."""

    reading: StoneReading
    """What was answered; in a still scene it is answered again with the new time."""


def _inner(array: Floats) -> Floats:
    return array[MARGIN:-MARGIN, MARGIN:-MARGIN]


def refine(fit: GridFit, offsets: Floats, weights: Floats) -> GridFit:
    """Return the grid moved to where its crossings were seen.

    Parameters
    ----------
    offsets
        (N, N, 2), (col, row) in line spacings, from the grid's points to the crossings.
    weights
        (N, N), [0, 1]: how far each is to be trusted.

    Returns
    -------
    A fit with the same size, lens and confidence; the fit given if too few crossings count.
    """
    grid = intersections(fit.size)
    trusted = weights > 0.5
    if trusted.sum() < 4 * fit.size:
        return fit
    ideal = apply_homography(fit.homography, grid + offsets)
    found = _homography(grid[trusted], ideal[trusted])
    if found is None:
        return fit
    left = np.linalg.norm(ideal - apply_homography(found, grid), axis=-1)
    # Least squares is most exact once the few crossings that are misjudged are out.
    near = trusted & (left < 3 * np.median(left[trusted]))
    found = _homography(grid[near], ideal[near])
    if found is None:
        return fit
    return replace(fit, homography=found, rms_px=float(np.sqrt((left[near] ** 2).mean())))


def _homography(
    grid: NDArray[np.floating], ideal: NDArray[np.floating]
) -> NDArray[np.float64] | None:
    matrix, _ = cv2.findHomography(grid.astype(np.float32), ideal.astype(np.float32), 0)
    if matrix is None or not np.isfinite(matrix).all():
        return None
    return np.asarray(matrix, np.float64)


def _corrected(fit: GridFit, cells: Cells) -> GridFit:
    # Crossings under stones are known from their neighbors, covered ones are not.
    return refine(fit, _inner(cells.offsets), 1 - _inner(cells.points)[..., 3])


def _moved_cells(one: GridFit, other: GridFit) -> float:
    """Return the largest distance between the corners of two grids, in cells."""
    if one.size != other.size or one.camera != other.camera:
        return float("inf")
    last = one.size - 1.0
    corners = np.array([[0, 0], [last, 0], [last, last], [0, last]])
    moved = apply_homography(one.homography, corners) - apply_homography(other.homography, corners)
    return float(np.linalg.norm(moved, axis=1).max() / one.cell_px)


def _read_all(frame: Frame, asked: GridFit, start: GridFit) -> ReadingMemory:
    fit = start
    for attempt in range(2):
        sampling = reader_sampling(fit)
        factor = shrink_factor(fit, CELL_PX)
        image, known = rectified(frame.image, sampling, factor), inside(sampling, frame.image)
        light = light_of(image, known)
        cells = run_cells(image, known, light)
        better = _corrected(fit, cells)
        if attempt or _moved_cells(fit, better) < REFINE_CELLS:
            break
        fit = better
    maps = _glance_maps(sampling)
    glance, reading = _glance(frame.image, maps, fit.size), _reading(cells, frame.seen_at_s)
    now = frame.seen_at_s
    return ReadingMemory(asked, better, sampling, maps, glance, light, cells, now, reading)


def _glance_maps(sampling: Floats) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    half = resized(sampling, len(sampling) * 2 * GLANCE_PX // CELL_PX)
    columns, rows = (np.ascontiguousarray(half[..., axis]) for axis in range(2))
    whole, parts = cv2.convertMaps(columns, rows, cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(parts, np.uint16)


def _glance(image: Image, maps: tuple[NDArray[np.int16], NDArray[np.uint16]], size: int) -> Floats:
    seen = cv2.remap(image, maps[0], maps[1], cv2.INTER_LINEAR)
    side = (size + 2 * MARGIN) * GLANCE_PX
    return np.asarray(cv2.resize(seen, (side, side), interpolation=cv2.INTER_AREA), np.float32)


def changed_cells(before: Floats, after: Floats, spread: float = USUAL_SPREAD) -> Mask:
    """Return which cells look different, a common change of the light aside.

    Parameters
    ----------
    before, after
        (G, G, 3) glances with GLANCE_PX pixels a cell.
    spread
        Standard deviation of the board's gray levels: what is little depends on it.

    Returns
    -------
    (R, R), R = G / GLANCE_PX.
    """
    difference = np.asarray(after - before)
    # The median follows the camera's exposure: most of a board does not change at once.
    difference -= np.median(difference.reshape(-1, 3)[::7], axis=0)
    levels = np.abs(cv2.blur(difference, (2, 2))).max(axis=2)
    cells = len(levels) // GLANCE_PX
    worst = levels.reshape(cells, GLANCE_PX, cells, GLANCE_PX).max(axis=(1, 3))
    least = max(LEAST_LEVELS, CHANGED_LEVELS * min(1.0, spread / USUAL_SPREAD))
    return np.asarray(worst > least + 4 * float(np.median(levels[::3, ::3])))


@dataclass(frozen=True)
class Tile:
    """A rectangle of cells: those read, and within them those kept."""

    read: tuple[slice, slice]
    kept: tuple[slice, slice]

    @property
    def area(self) -> int:
        """Cells read."""
        return int(np.prod([part.stop - part.start for part in self.read]))


def _tiles(changed: Mask) -> list[Tile]:
    """Return tiles that hold every changed cell and its neighbors."""
    kept = cv2.dilate(changed.astype(np.uint8), np.ones((3, 3), np.uint8))
    together = cv2.dilate(kept, np.ones((2 * CONTEXT_CELLS + 1,) * 2, np.uint8))
    count, regions = cv2.connectedComponents(together, connectivity=8)
    tiles = []
    for region in range(1, count):
        spots = np.argwhere((regions == region) & (kept > 0))
        low, high = spots.min(axis=0), spots.max(axis=0) + 1
        wide_low = np.maximum(low - CONTEXT_CELLS, 0)
        wide_high = np.minimum(high + CONTEXT_CELLS, len(changed))
        tiles.append(Tile(_slices(wide_low, wide_high), _slices(low, high)))
    return tiles


def _slices(low: NDArray[np.int_], high: NDArray[np.int_]) -> tuple[slice, slice]:
    return slice(int(low[0]), int(high[0])), slice(int(low[1]), int(high[1]))


def _scaled(part: tuple[slice, slice], factor: int) -> tuple[slice, slice]:
    rows, cols = (slice(p.start * factor, p.stop * factor) for p in part)
    return rows, cols


def _read_tiles(
    memory: ReadingMemory, frame: Frame, glance: Floats, tiles: list[Tile]
) -> ReadingMemory:
    arrays = {name: getattr(memory.cells, name).copy() for name in CELL_ARRAYS}
    seen = memory.glance.copy()
    factor = shrink_factor(memory.fit, CELL_PX)
    for tile in tiles:
        sampling = np.ascontiguousarray(memory.sampling[_scaled(tile.read, CELL_PX)])
        image, known = rectified(frame.image, sampling, factor), inside(sampling, frame.image)
        cells = run_cells(image, known, memory.light)
        rows, cols = (
            slice(kept.start - read.start, kept.stop - read.start)
            for kept, read in zip(tile.kept, tile.read, strict=True)
        )
        for name, array in arrays.items():
            array[tile.kept] = getattr(cells, name)[rows, cols]
        fine = _scaled(tile.kept, GLANCE_PX)
        seen[fine] = glance[fine]
    cells = Cells(**arrays)
    return replace(memory, glance=seen, cells=cells, reading=_reading(cells, frame.seen_at_s))


def _read_changes(memory: ReadingMemory, frame: Frame, asked: GridFit) -> ReadingMemory:
    if not 0 <= frame.seen_at_s - memory.whole_s < REFRESH_S:
        return _read_all(frame, asked, memory.fit)
    glance = _glance(frame.image, memory.glance_maps, memory.fit.size)
    changed = changed_cells(memory.glance, glance, float(memory.light.spread.max()))
    if not changed.any():
        return memory
    tiles = _tiles(changed)
    if sum(tile.area for tile in tiles) > FEW_CELLS * changed.size:
        return _read_all(frame, asked, memory.fit)
    return _read_tiles(memory, frame, glance, tiles)


def _loose(cells: Cells, size: int) -> tuple[LooseStone, ...]:
    """Return the stones off the points; one that two cells claim is told once."""
    stone = 1 - cells.stones[..., 0]
    spots = np.argwhere(stone > 0.5)
    # The surest first: a stone on the border of two cells is seen by both.
    spots = spots[np.argsort(-stone[tuple(spots.T)])]
    shifts = cells.centers - cells.offsets
    at = spots[:, ::-1] - float(MARGIN) + shifts[tuple(spots.T)]
    outside = ((at < -0.5) | (at > size - 0.5)).any(axis=1)
    away = np.linalg.norm(shifts[tuple(spots.T)], axis=1) > LOOSE_CELLS
    sure = stone[tuple(spots.T)] > np.where(outside, OUTSIDE_CONFIDENCE, LOOSE_CONFIDENCE)
    loose: list[LooseStone] = []
    for number in np.flatnonzero((outside | away) & sure):
        surer = np.linalg.norm(at[:number] - at[number], axis=1)
        if len(surer) and surer.min() < SAME_STONE_CELLS:
            continue
        row, col = spots[number]
        label = Label(1 + int(cells.stones[row, col, 1:].argmax()))
        x, y = map(float, at[number])
        loose.append(LooseStone(label, (x, y), float(stone[row, col])))
    return tuple(loose)


def _reading(cells: Cells, seen_at_s: float) -> StoneReading:
    points = _inner(cells.points)
    covered = points[..., 3:]
    hidden = hidden_points(covered[..., 0])
    return StoneReading(
        np.asarray(points[..., :3] + covered / 3, np.float32),
        np.asarray(~hidden),
        seen_at_s,
        loose=_loose(cells, len(points)),
        arms=arm_sides(hidden),
    )


def read_stones(
    memory: ReadingMemory | None, frame: Frame, fit: GridFit
) -> tuple[ReadingMemory, StoneReading]:
    """Read the stones of one frame; what time tells about them is not judged here.

    Parameters
    ----------
    memory
        Of the frame before, None at first. It saves work and does not change the answer.
    fit
        Where the grid is; it is corrected by what is seen (`ReadingMemory.fit`).

    Returns
    -------
    The memory for the next frame, and the reading in the frame of reference of `fit`.
    """
    same = memory is not None and _moved_cells(memory.asked, fit) < SAME_GRID_CELLS
    if memory is None or not same:
        memory = _read_all(frame, fit, fit)
    else:
        memory = _read_changes(memory, frame, fit)
    return memory, replace(memory.reading, seen_at_s=frame.seen_at_s)

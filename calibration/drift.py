"""What has moved, told from the history of the grid: a sagging camera, a bump, a pushed board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

STILL_CELLS = 0.08
"""Less is noise of the measured grid."""

STEP_CELLS = 0.25
"""A larger change from one sample to the next is sudden."""

SAG_CELLS = 0.15
"""A slow movement is told when it has come to so much, and again after as much more."""

LOOSE_CELLS = 1.0
"""A camera that has sagged so far will go on: somebody must tighten it."""

RESTED = 3
"""After a step so many samples must agree before it is told what it was."""

LOST_S = 10.0
"""Without a grid for so long, a person must look."""

MOSTLY = 0.75
"""A single step that makes up so much of a small movement was a knock, not a sag."""

LEAST_MARGIN_CELLS = 0.5
"""A board that lies nearer to the picture's edge now is soon outside it."""

SAME_CELLS = 0.1
"""Surroundings that moved less stood still."""


class Drift(Enum):
    """What has happened."""

    SAG = "sag"
    """The camera sinks slowly, or the board slides."""

    BUMP = "bump"
    """The camera was knocked."""

    PUSHED = "pushed"
    """A player moved the board; the camera stands where it stood."""

    LOST = "lost"
    """The board is not found any more."""

    FOUND = "found"
    """It is found again."""


@dataclass(frozen=True)
class GridSample:
    """Where the grid was at a moment."""

    t_s: float
    corners_px: NDArray[np.float64] | None
    """(4, 2), raw pixels of the outer crossings; None while no grid is found."""

    cell_px: float = 1.0
    surroundings_cells: float | None = None
    """How far the picture around the board has moved since `Watch.reference`; None: not known."""

    margin_cells: float | None = None
    """Between the outer lines and the picture's edge."""


@dataclass(frozen=True, slots=True)
class Movement:
    """A movement to tell about."""

    drift: Drift
    t_s: float
    cells: float
    """How far, in line spacings."""

    needs_person: bool
    """False: the grid followed by itself, and this is for the log."""


@dataclass(frozen=True)
class Watch:
    """What is remembered between samples. Immutable."""

    reference: GridSample | None = None
    """Where the grid was when it was last told about."""

    last: GridSample | None = None
    rested: int = 0
    """Samples since the last sudden step."""

    has_stepped: bool = False
    """Whether a sudden step is still to be told about."""

    largest_step: float = 0.0
    """Since the reference, in line spacings."""

    sagged_cells: float = 0.0
    """How far slow movements have come in all."""

    lost_since_s: float | None = None
    is_lost_told: bool = False


def moved_cells(one: GridSample, other: GridSample) -> float:
    """Return how far the corner that moved most has moved, in line spacings."""
    if one.corners_px is None or other.corners_px is None:
        return 0.0
    apart = np.linalg.norm(one.corners_px - other.corners_px, axis=1)
    return float(apart.max()) / max(one.cell_px, 1e-6)


def watch(state: Watch, sample: GridSample) -> tuple[Watch, Movement | None]:
    """Take note of where the grid is; return the movement that this sample completes, if any.

    Samples come about once a second. A step is told once the grid has come to rest, a slow
    movement whenever it has come to `SAG_CELLS`, a lost grid once.
    """
    if sample.corners_px is None:
        return _without_grid(state, sample)
    was_lost = state.is_lost_told
    state = replace(state, lost_since_s=None, is_lost_told=False)
    if state.reference is None or state.last is None:
        return replace(state, reference=sample, last=sample), None
    step = moved_cells(state.last, sample)
    has_stepped = step > STEP_CELLS or state.has_stepped
    state = replace(
        state,
        last=sample,
        rested=0 if step > STEP_CELLS else state.rested + 1,
        has_stepped=has_stepped,
        largest_step=max(state.largest_step, step),
    )
    if was_lost and not has_stepped:
        return state, Movement(Drift.FOUND, sample.t_s, 0.0, needs_person=False)
    return _after_step(state, sample) if has_stepped else _creeping(state, sample)


def _without_grid(state: Watch, sample: GridSample) -> tuple[Watch, Movement | None]:
    since_s = sample.t_s if state.lost_since_s is None else state.lost_since_s
    state = replace(state, lost_since_s=since_s)
    if state.reference is None or state.is_lost_told or sample.t_s - since_s < LOST_S:
        return state, None
    lost = Movement(Drift.LOST, sample.t_s, 0.0, needs_person=True)
    return replace(state, is_lost_told=True), lost


def _after_step(state: Watch, sample: GridSample) -> tuple[Watch, Movement | None]:
    """Tell what a step was, once three samples agree where the grid is now."""
    assert state.reference is not None
    if state.rested < RESTED:
        return state, None
    cells = moved_cells(state.reference, sample)
    after = _told(state, sample, 0.0)
    # There and back: a knock that left nothing behind.
    return after, None if cells < STILL_CELLS else _knock(sample, cells)


def _knock(sample: GridSample, cells: float) -> Movement:
    around = sample.surroundings_cells
    is_pushed = around is not None and around < max(SAME_CELLS, 0.3 * cells)
    is_near_edge = sample.margin_cells is not None and sample.margin_cells < LEAST_MARGIN_CELLS
    drift = Drift.PUSHED if is_pushed else Drift.BUMP
    return Movement(drift, sample.t_s, cells, needs_person=is_near_edge)


def _creeping(state: Watch, sample: GridSample) -> tuple[Watch, Movement | None]:
    assert state.reference is not None
    cells = moved_cells(state.reference, sample)
    if cells < SAG_CELLS:
        return state, None
    if state.largest_step > MOSTLY * cells:
        return _told(state, sample, state.sagged_cells), _knock(sample, cells)
    sagged = state.sagged_cells + cells
    movement = Movement(Drift.SAG, sample.t_s, sagged, needs_person=sagged >= LOOSE_CELLS)
    return _told(state, sample, sagged), movement


def _told(state: Watch, sample: GridSample, sagged_cells: float) -> Watch:
    """Return what is remembered once a movement has been told: the next begins here."""
    return replace(
        state,
        reference=sample,
        has_stepped=False,
        largest_step=0.0,
        sagged_cells=sagged_cells,
    )

"""From a frame to a reading in the kifu's frame: the grid is followed, then the stones are read."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from recorder.engine import NoSight, turn_to_agree
from recorder.events import ViewState
from recorder.settle import Settling
from vision.follow import GridMemory, follow_grid
from vision.geometry import corners_px
from vision.stones import ReadingMemory, read_stones
from vision.types import SIZES, Frame, GridFit, NoGrid, NoGridReason, StoneReading

SEARCH_EVERY_S = 0.5
"""While no grid is known, a new search begins at most this often: a search costs 100 times what
following does."""

JUMP_CELLS = 0.5
"""A grid whose corner lies further from where it was comes from a new search."""


@dataclass(frozen=True)
class Eye:
    """What is remembered from frame to frame. Immutable."""

    sizes: tuple[int, ...] = SIZES
    """Board sizes that are looked for."""

    turn: int = 0
    """Quarter turns from the grid as found to the kifu's frame, as `GridFit.turned` counts."""

    grid: GridMemory | None = None
    stones: ReadingMemory | None = None
    fit: GridFit | None = None
    """The last grid as found, before turning."""

    turned: GridFit | None = None
    """The same in the kifu's frame."""

    searched_s: float | None = None
    """When a grid was last looked for in vain."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame shows."""

    seen: StoneReading | NoSight
    fit: GridFit | None
    """In the kifu's frame; None when no grid was found."""


def look(
    eye: Eye, frame: Frame, *, known: Settling | None = None, is_doubting: bool = False
) -> tuple[Eye, Look]:
    """Look at one frame; return the new memory and what it shows.

    Parameters
    ----------
    known
        What has settled so far: after a new search it tells which turn of the grid is right.
    is_doubting
        Forget the grid and look for it again: it contradicts what is known.
    """
    now = frame.seen_at_s
    is_early = eye.searched_s is not None and now - eye.searched_s < SEARCH_EVERY_S
    is_searching = eye.grid is None or eye.grid.fit is None
    if is_searching and is_early:
        return eye, Look(NoSight(now, ViewState.NO_GRID, "no goban found"), None)
    if is_doubting and not is_early and eye.grid is not None:
        eye = replace(eye, grid=replace(eye.grid, fit=None), searched_s=now)
    memory, found = follow_grid(eye.grid, frame, sizes=eye.sizes)
    eye = replace(eye, grid=memory)
    if isinstance(found, NoGrid):
        # A grid that has moved is looked for with the next frame, not later.
        searched_s = now if is_searching or is_doubting else eye.searched_s
        return replace(eye, fit=None, searched_s=searched_s), Look(_no_sight(found, now), None)
    is_new = eye.fit is None or is_elsewhere(eye.fit, found)
    if found is not eye.fit:
        eye = replace(eye, fit=found, turned=None, stones=None if is_new else eye.stones)
    eye, result = _read(eye, frame, found)
    if is_new and known is not None and isinstance(result.seen, StoneReading):
        turn = turn_to_agree(known, result.seen)
        if turn:
            eye = replace(eye, turn=(eye.turn + turn) % 4, stones=None, turned=None)
            return _read(eye, frame, found)
    return eye, result


def _read(eye: Eye, frame: Frame, found: GridFit) -> tuple[Eye, Look]:
    # The same value again while nothing moves: maps that depend on the grid are made once.
    fit = eye.turned or found.turned(eye.turn)
    stones, reading = read_stones(eye.stones, frame, fit)
    return replace(eye, stones=stones, turned=fit), Look(reading, fit)


def _no_sight(found: NoGrid, t_s: float) -> NoSight:
    is_moved = found.reason is NoGridReason.MOVED
    return NoSight(t_s, ViewState.MOVED if is_moved else ViewState.NO_GRID, found.message)


def is_elsewhere(one: GridFit, other: GridFit) -> bool:
    """Return whether two grids differ by more than following can explain."""
    if one is other:
        return False
    if one.size != other.size:
        return True
    away_px = np.linalg.norm(corners_px(one) - corners_px(other), axis=1)
    return bool(away_px.max() > JUMP_CELLS * one.cell_px)

"""From a frame to a reading in the kifu's frame: the grid is followed, then the stones are read."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from recorder.engine import Known, NoSight, turn_to_agree
from recorder.events import ViewState
from vision.follow import GridMemory, follow_grid
from vision.geometry import corners_px
from vision.stones import ReadingMemory, read_stones
from vision.types import SIZES, CameraModel, Frame, GridFit, NoGrid, NoGridReason, StoneReading

SEARCH_EVERY_S = 0.5
"""While no grid is known, a new search begins at most this often: a search costs 100 times what
following does."""

SURE, HOPE_S = 0.9, 5.0
"""Before anything is known, a grid less sure than SURE is not believed for so many seconds: a hand
in the first picture must not decide what the goban is."""

JUMP_CELLS = 0.5
"""A grid whose corner lies further from where it was comes from a new search."""


@dataclass(frozen=True)
class Eye:
    """What is remembered from frame to frame. Immutable."""

    sizes: tuple[int, ...] = SIZES
    """Board sizes that are looked for."""

    turn: int = 0
    """Quarter turns from the grid as found to the kifu's frame, as `GridFit.turned` counts."""

    turns: int = 0
    """How many of them are a person's, who has turned the record since this eye first looked."""

    camera: CameraModel | None = None
    """The lens, if it was measured; used for pictures of the size that it was measured at."""

    grid: GridMemory | None = None
    stones: ReadingMemory | None = None
    fit: GridFit | None = None
    """The last grid as found, before turning."""

    turned: GridFit | None = None
    """The same in the kifu's frame."""

    searched_s: float | None = None
    """When the whole picture was last searched for a grid."""

    first_s: float | None = None
    """Time of the first frame."""


def with_turns(eye: Eye, turns: int) -> Eye:
    """Return an eye that reads in the frame to which the record has been turned by a person."""
    quarters = (turns - eye.turns) % 4
    if not quarters:
        return eye
    turn = (eye.turn + quarters) % 4
    return replace(eye, turn=turn, turns=turns, stones=None, turned=None)


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame shows."""

    seen: StoneReading | NoSight
    fit: GridFit | None
    """In the kifu's frame; None when no grid was found."""


def look(eye: Eye, frame: Frame, known: Known | None = None) -> tuple[Eye, Look]:
    """Look at one frame; return the new memory and what it shows.

    Parameters
    ----------
    known
        What is known of the goban so far: it tells which turn of a new grid is right, which size
        to look for, and whether to look for the grid again.
    """
    now = frame.seen_at_s
    eye = eye if eye.first_s is not None else replace(eye, first_s=now)
    if eye.fit is not None and not _is_of_size(eye.fit.camera, frame):
        # The camera came back with pictures of another size: nothing known of the old ones holds.
        eye = replace(eye, grid=None, stones=None, fit=None, turned=None)
    is_early = eye.searched_s is not None and now - eye.searched_s < SEARCH_EVERY_S
    is_searching = eye.grid is None or eye.grid.fit is None
    if is_searching and is_early:
        return eye, Look(NoSight(now, ViewState.NO_GRID, "no goban found"), None)
    if known is not None and known.is_doubtful and not is_early and eye.grid is not None:
        eye = replace(eye, grid=replace(eye.grid, fit=None))
        is_searching = True
    sizes = eye.sizes if known is None or not known.is_size_sure else (known.size,)
    memory, found = follow_grid(eye.grid, frame, _lens(eye, frame), sizes=sizes)
    eye = replace(eye, grid=memory, searched_s=now if is_searching else eye.searched_s)
    if isinstance(found, NoGrid):
        return replace(eye, fit=None), Look(_no_sight(found, now), None)
    if known is None and is_searching and not _is_enough(eye, found, now):
        message = f"something like a goban of {found.size} lines, not sure enough yet"
        unsure = replace(eye, grid=None, fit=None)
        return unsure, Look(NoSight(now, ViewState.NO_GRID, message), None)
    return _found(eye, frame, found, known)


def _is_of_size(camera: CameraModel, frame: Frame) -> bool:
    height, width = frame.image.shape[:2]
    return (camera.width_px, camera.height_px) == (width, height)


def _lens(eye: Eye, frame: Frame) -> CameraModel | None:
    """Return the measured lens, never for pictures of another size."""
    return eye.camera if eye.camera is not None and _is_of_size(eye.camera, frame) else None


def _is_enough(eye: Eye, found: GridFit, now: float) -> bool:
    """Return whether a first grid is believed: the surer it is, the sooner."""
    waited_s = now - (now if eye.first_s is None else eye.first_s)
    return found.confidence >= SURE or waited_s >= HOPE_S


def _found(eye: Eye, frame: Frame, found: GridFit, known: Known | None) -> tuple[Eye, Look]:
    """Read the stones on a grid, in the turn that agrees with what is known."""
    is_new = eye.fit is None or is_elsewhere(eye.fit, found)
    if found is not eye.fit:
        eye = replace(eye, fit=found, turned=None, stones=None if is_new else eye.stones)
    eye, result = _read(eye, frame, found)
    if is_new and known is not None and isinstance(result.seen, StoneReading):
        turn = turn_to_agree(known.settling, result.seen)
        if turn:
            eye = replace(eye, turn=(eye.turn + turn) % 4, stones=None, turned=None)
            return _read(eye, frame, found)
    return eye, result


def _read(eye: Eye, frame: Frame, found: GridFit) -> tuple[Eye, Look]:
    # The same value again while nothing moves: maps that depend on the grid are made once.
    fit = eye.turned or found.turned(eye.turn)
    stones, reading = read_stones(eye.stones, frame, fit)
    return replace(eye, stones=stones, turned=fit), Look(reading, stones.fit)


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

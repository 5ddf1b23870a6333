"""Follow a known grid from frame to frame, and notice when camera or board has moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import corners_px, grid_to_raw_px, raw_px_to_grid
from vision.grid import find_grid, seen_again
from vision.types import SIZES, CameraModel, Frame, GridFit, NoGrid, NoGridReason

Gray = NDArray[np.uint8]
Patches = NDArray[np.floating[Any]]

REDUCED_WIDTH_PX = 320
"""Frames are compared at about this width."""

PATCH_PX = 9
"""Side of a compared patch in the reduced frame."""

SAME = 0.6
"""A patch whose correlation with the remembered one is higher has not changed."""

MOVED_CELLS = 0.3
"""More than this is a move: the old numbering of frames ends, and a search begins."""

MOSTLY = 0.7
"""The board is where it was while this part of its patches is unchanged."""

ALL_CHANGED = 0.35
"""Fewer unchanged patches than this, on the board and around it, are no hand."""

STEADY_CELLS = 0.04
"""Less than this is noise: the fit stays exactly as it was."""


@dataclass(frozen=True)
class GridMemory:
    """What `follow_grid` knows from earlier frames; give it back with the next frame."""

    fit: GridFit | None
    """The grid now, None while it is being looked for."""

    last: GridFit | None = None
    """The grid last known: a new one is numbered like it."""

    places: NDArray[np.intp] = field(default_factory=lambda: np.zeros((0, 2), np.intp))
    """(K, 2), (row, col) of the patches' upper left corners in the reduced frame."""

    on_board: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    """(K,), which patches lie on the board; the others lie around it."""

    patches: Patches = field(default_factory=lambda: np.zeros((0, PATCH_PX**2), np.float32))
    """(K, P * P), the remembered patches, mean 0 and length 1."""

    doubtful_since_s: float | None = None
    """Since when too many patches look different, None while all is well."""

    checked_at_s: float = -1e9
    """When the network last looked, or patches were last learned."""

    unproven: int = 0
    """How many patches of the board were learned since the network last looked."""


@dataclass(frozen=True)
class _View:
    """A frame compared with the memory."""

    frame: Frame
    patches: Patches
    same: NDArray[np.bool_]
    """(K,), which patches look as remembered."""

    board_same: float
    """[0, 1], the part of the board's patches that do."""

    around_same: float
    """[0, 1], the part of the patches around the board that do."""


def _view(memory: GridMemory, frame: Frame) -> _View:
    patches = _cut(_reduced(frame.image), memory.places)
    same = np.einsum("ij,ij->i", patches, memory.patches) > SAME
    board, around = same[memory.on_board], same[~memory.on_board]
    board_same = float(board.mean()) if len(board) else 1.0
    around_same = float(around.mean()) if len(around) else board_same
    return _View(frame, patches, same, board_same, around_same)


def _reduced(image: NDArray[np.uint8]) -> Gray:
    """Return a small gray picture; only green is used, which is the least noisy color."""
    factor = max(1, round(image.shape[1] / REDUCED_WIDTH_PX))
    # Every second pixel of every second row: a tenth of the time, and the mean of the rest stays.
    step = 2 if factor >= 2 else 1
    green = np.ascontiguousarray(image[::step, ::step, 1])
    size = (image.shape[1] // factor, image.shape[0] // factor)
    return np.asarray(cv2.resize(green, size, interpolation=cv2.INTER_AREA), np.uint8)


def _cut(reduced: Gray, places: NDArray[np.intp]) -> Patches:
    """Return (K, P * P) patches with mean 0 and length 1, so that light does not matter."""
    windows = np.lib.stride_tricks.sliding_window_view(reduced, (PATCH_PX, PATCH_PX))
    patches = windows[places[:, 0], places[:, 1]].reshape(len(places), -1).astype(np.float32)
    patches -= patches.mean(axis=1, keepdims=True)
    length = np.sqrt(np.einsum("ij,ij->i", patches, patches))
    return np.asarray(patches / np.maximum(length, 12.0)[:, None], np.float32)


def _places(
    fit: GridFit, reduced: Gray, scale: float
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Choose patches with contrast: on the board between the lines, and around the board."""
    last = fit.size - 1
    axis = np.linspace(-0.3, last + 0.3, 9)
    board = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    ring = np.linspace(-0.25 * last, 1.25 * last, 9)
    around = np.stack(np.meshgrid(ring, ring), axis=-1).reshape(-1, 2)
    around = around[((around < -1.5) | (around > last + 1.5)).any(axis=1)]
    grid = np.concatenate([board, around])
    corners = np.round(grid_to_raw_px(fit, grid) * scale - PATCH_PX / 2).astype(np.intp)[:, ::-1]
    limit = np.array(reduced.shape) - PATCH_PX
    fits = ((corners >= 0) & (corners < limit)).all(axis=1)
    is_board = np.arange(len(grid)) < len(board)
    return corners[fits], is_board[fits]


def _remember(fit: GridFit, frame: Frame) -> GridMemory:
    reduced = _reduced(frame.image)
    places, on_board = _places(fit, reduced, reduced.shape[1] / frame.image.shape[1])
    return GridMemory(
        fit=fit,
        last=fit,
        places=places,
        on_board=on_board,
        patches=_cut(reduced, places),
        checked_at_s=frame.seen_at_s,
    )


def placed_grid(fit: GridFit, frame: Frame) -> GridMemory:
    """Return the memory that begins with a grid known from elsewhere, as from corners by hand."""
    return _remember(fit, frame)


def numbered_like(fit: GridFit, earlier: GridFit) -> GridFit:
    """Return the quarter turn of a fit whose corners lie nearest to those of an earlier one."""
    before = corners_px(earlier)
    turns = [fit.turned(k) for k in range(4)]
    return min(turns, key=lambda turn: float(np.abs(corners_px(turn) - before).sum()))


def shift_cells(fit: GridFit, earlier: GridFit) -> float:
    """Return how far the corner that moved most has moved, in line spacings."""
    apart = np.linalg.norm(corners_px(fit) - corners_px(earlier), axis=1)
    return float(apart.max()) / earlier.cell_px


def _found(
    memory: GridMemory | None,
    frame: Frame,
    camera: CameraModel | None,
    sizes: Sequence[int],
) -> tuple[GridMemory, GridFit | NoGrid]:
    last = memory.last if memory else None
    result = find_grid(frame, camera, sizes=sizes)
    if isinstance(result, NoGrid):
        return GridMemory(fit=None, last=last), result
    if last is not None and last.size == result.size:
        result = numbered_like(result, last)
    return _remember(result, frame), result


def _relearned(memory: GridMemory, view: _View) -> GridMemory:
    """Return the memory with the patches that changed for good, as by a new stone."""
    changed = ~view.same
    patches = np.where(changed[:, None], view.patches, memory.patches).astype(np.float32)
    return replace(
        memory,
        patches=patches,
        doubtful_since_s=None,
        checked_at_s=view.frame.seen_at_s,
        unproven=memory.unproven + int((changed & memory.on_board).sum()),
    )


def _looked(memory: GridMemory, fit: GridFit, view: _View) -> tuple[GridMemory, GridFit | NoGrid]:
    """Ask the network whether the grid is still where it was."""
    again = seen_again(view.frame, fit)
    if again is None:
        again = _elsewhere(fit, view)
    if again is None:
        # Covered or too dark to tell: nothing says that it has moved.
        return replace(memory, checked_at_s=view.frame.seen_at_s), fit
    again = numbered_like(again, fit)
    moved = shift_cells(again, fit)
    if moved > MOVED_CELLS:
        lost = GridMemory(fit=None, last=fit)
        message = f"camera or board has moved by {moved:.1f} line spacings"
        return lost, NoGrid(NoGridReason.MOVED, message, again.confidence)
    if moved > 2 * STEADY_CELLS:
        return _remember(again, view.frame), again
    return replace(_relearned(memory, view), unproven=0), fit


def _elsewhere(fit: GridFit, view: _View) -> GridFit | None:
    """Search the whole picture for the same board, moved far; None if there is no sign of it.

    Another board beside a covered one is not taken for it: unless the whole picture has changed,
    the new grid must lie over the old one.
    """
    found = find_grid(view.frame, fit.camera, sizes=(fit.size,))
    if isinstance(found, NoGrid) or found.confidence < 0.9:
        return None
    center = raw_px_to_grid(fit, corners_px(found).mean(axis=0))
    is_over = bool(((center >= 0) & (center <= fit.size - 1)).all())
    is_as_large = 0.7 < found.cell_px / fit.cell_px < 1.4
    return found if is_as_large and (is_over or view.around_same < ALL_CHANGED) else None


def follow_grid(
    memory: GridMemory | None,
    frame: Frame,
    camera: CameraModel | None = None,
    *,
    sizes: Sequence[int] = SIZES,
    patience_s: float = 0.7,
    pause_s: float = 2.0,
) -> tuple[GridMemory, GridFit | NoGrid]:
    """Return the grid in this frame, cheaply while nothing moves.

    Compares small patches of the board and around it with remembered ones. While most of them are
    the same, the fit stays exactly as it is. When many differ for a while, the network looks once
    where the grid was: a hand or changed light keeps the fit, a small shift updates it, a large
    one ends it.

    Parameters
    ----------
    memory
        What the last call returned; None at first. Without a known grid each call searches the
        whole picture: the caller decides how often.
    patience_s
        How long patches must differ before the network looks: a passing hand is faster.
    pause_s
        The network looks at most once in this time while it cannot tell.

    Returns
    -------
    The memory for the next call, and the fit; `NoGrid` with reason MOVED once when camera or
    board has moved by more than 0.3 line spacings.
    """
    if memory is None or memory.fit is None:
        return _found(memory, frame, camera, sizes)
    fit, view = memory.fit, _view(memory, frame)
    idle_s = frame.seen_at_s - memory.checked_at_s
    if view.board_same >= MOSTLY and view.around_same >= 0.5:
        if memory.doubtful_since_s is not None:
            memory = replace(memory, doubtful_since_s=None)
        if view.same.all() or idle_s < 3.0:
            return memory, fit
        # The few patches that changed are learned while the others vouch for them, but not for
        # ever: many small steps could be a slow slide.
        if memory.unproven > (1 - MOSTLY) * memory.on_board.sum():
            return _looked(memory, fit, view)
        return _relearned(memory, view), fit
    if memory.doubtful_since_s is None:
        memory = replace(memory, doubtful_since_s=frame.seen_at_s)
    doubtful_s = frame.seen_at_s - (memory.doubtful_since_s or frame.seen_at_s)
    is_sudden = max(view.board_same, view.around_same) < ALL_CHANGED
    if is_sudden and idle_s >= 0.5 * pause_s:
        return _looked(memory, fit, view)
    if doubtful_s >= patience_s and idle_s >= pause_s:
        return _looked(memory, fit, view)
    return memory, fit

"""A camera being set up: its newest frames, corners set by hand, and what has moved since."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.check import SystemFacts
from calibration.corners import Placed, place_grid, turned_for_black
from calibration.drift import GridSample, Movement, Watch, moved_cells, watch
from calibration.pose import margin_cells
from calibration.store import (
    Calibration,
    board_of,
    grid_for,
    lens_for,
    save_calibration,
)
from calibration.surroundings import Surroundings, moved_px, surroundings_of
from recorder.burst import SECONDS, Burst, Collector
from recorder.engine import Known, NoSight
from recorder.events import ViewState
from recorder.eye import Eye, Look, look
from vision.follow import placed_grid
from vision.geometry import corners_px
from vision.grid import seen_again
from vision.types import CameraModel, Frame, GridFit, Side

log = logging.getLogger(__name__)

SAMPLE_S = 1.0
"""The grid's place is noted so often."""

AGAIN_S = 2.0
"""A grid set by hand that was lost is tried again so often."""

MOST_MOVEMENTS = 50
BURST_S = SECONDS
FIRST_S = 8.0
"""Longer than a burst: a camera that gives nothing for so long gives nothing."""

SURROUNDINGS_FROM_CELLS = 0.08
"""Below this the grid has not moved, and the surroundings need not be looked at."""


class Looking(Protocol):
    """How a frame is looked at: `eye.look`."""

    def __call__(self, eye: Eye, frame: Frame, known: Known | None) -> tuple[Eye, Look]:
        """Return the eye's new memory and what the frame shows."""


class NoFrameError(RuntimeError):
    """The camera has not given a picture yet."""


class SizeError(ValueError):
    """The corners are those of a board of another size than the game's."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """A movement and when it was noticed."""

    movement: Movement
    utc: str


class SetUp:
    """What the pages for setting up need, and what the loop does for them.

    A witness of every frame and, by `look`, the loop's way of looking at frames; both on the
    loop's thread. Everything else is for the pages' threads.
    """

    def __init__(
        self,
        calibration: Calibration,
        path: Path | None = None,
        *,
        facts: Callable[[], SystemFacts] = SystemFacts,
        looking: Looking = look,
    ) -> None:
        """Begin with what is known of a camera; `path` is where corners set by hand are kept."""
        self._path = path
        self._facts = facts
        self._looking = looking
        self._lock = Lock()
        self._calibration = calibration
        self._frame: Frame | None = None
        self._fit: GridFit | None = None
        self._is_waiting = calibration.board is not None
        self._manual: GridFit | None = None
        self._tried_s = -1e9
        self._known: Known | None = None
        self._collector: Collector | None = None
        self._collected = Event()
        self._watch = Watch()
        self._around: Surroundings | None = None
        self._sampled_s = -1e9
        self._movements: deque[Noticed] = deque(maxlen=MOST_MOVEMENTS)

    # On the loop's thread

    def look(self, eye: Eye, frame: Frame, known: Known | None) -> tuple[Eye, Look]:
        """Look at a frame, with the grid that a person has placed where there is one."""
        self._known = known
        eye, placed = self._prepared(eye, frame)
        if placed is not None:
            eye = with_grid(eye, placed, frame)
        eye, seen = self._looking(eye, frame, known)
        if seen.fit is not None:
            return eye, seen
        if isinstance(seen.seen, NoSight) and seen.seen.state is ViewState.MOVED:
            # Corners set by hand are right no more, and a person must set them again.
            self._manual = None
        if self._manual is None or frame.seen_at_s - self._tried_s < AGAIN_S:
            return eye, seen
        self._tried_s = frame.seen_at_s
        return self._looking(with_grid(eye, self._manual, frame), frame, known)

    def _prepared(self, eye: Eye, frame: Frame) -> tuple[Eye, GridFit | None]:
        """Return the eye with the measured lens, and a grid that waits to be used."""
        height, width = frame.image.shape[:2]
        with self._lock:
            calibration, is_waiting = self._calibration, self._is_waiting
            self._is_waiting = False
        if eye.camera is None:
            eye = replace(eye, camera=self.lens(frame))
        if not is_waiting or calibration.board is None:
            return eye, None
        grid = grid_for(calibration, calibration.camera, width, height)
        if not isinstance(grid, GridFit):
            log.warning("the stored corners are not used: %s", grid.message)
            return eye, None
        if calibration.board.source != "hand":
            # Found by itself before: only if it is still there, else it is looked for.
            return eye, seen_again(frame, grid)
        self._manual = grid
        return eye, grid

    def see(self, frame: Frame, seen: Look) -> None:
        """Take note of a frame: for the pages, for a check, and for what has moved."""
        self._frame, self._fit = frame, seen.fit
        with self._lock:
            collector = self._collector
            if collector is not None and collector.take(frame):
                self._collector = None
                self._collected.set()
        if frame.seen_at_s - self._sampled_s >= SAMPLE_S:
            self._sampled_s = frame.seen_at_s
            self._sample(frame, seen.fit)

    def _sample(self, frame: Frame, fit: GridFit | None) -> None:
        before = self._watch.reference
        self._watch, movement = watch(self._watch, self._sample_of(frame, fit))
        if fit is not None and self._watch.reference is not before:
            self._around = surroundings_of(frame, fit)
        if movement is not None:
            self._tell(movement)

    def _sample_of(self, frame: Frame, fit: GridFit | None) -> GridSample:
        if fit is None:
            return GridSample(frame.seen_at_s, None)
        corners = np.asarray(corners_px(fit), np.float64)
        sample = GridSample(frame.seen_at_s, corners, fit.cell_px, margin_cells=margin_cells(fit))
        reference = self._watch.reference
        if reference is None or self._around is None:
            return sample
        if moved_cells(reference, sample) < SURROUNDINGS_FROM_CELLS:
            return sample
        moved = moved_px(self._around, frame)
        around = None if moved is None else moved / fit.cell_px
        return replace(sample, surroundings_cells=around)

    def _tell(self, movement: Movement) -> None:
        level = logging.WARNING if movement.needs_person else logging.INFO
        followed = "a person must look" if movement.needs_person else "followed"
        log.log(
            level, "%s by %.2f line spacings: %s", movement.drift.value, movement.cells, followed
        )
        utc = datetime.now(UTC).isoformat(timespec="seconds")
        self._movements.append(Noticed(movement, utc))

    # For the pages

    @property
    def movements(self) -> tuple[Noticed, ...]:
        """What has moved, the oldest first."""
        return tuple(self._movements)

    @property
    def open_alert(self) -> Noticed | None:
        """The last movement, if a person must look and nothing has put it right since."""
        last = self._movements[-1] if self._movements else None
        return last if last is not None and last.movement.needs_person else None

    @property
    def calibration(self) -> Calibration:
        """What is known of the camera now."""
        with self._lock:
            return self._calibration

    def lens(self, frame: Frame) -> CameraModel | None:
        """Return the lens if it was measured at the resolution of a frame."""
        height, width = frame.image.shape[:2]
        calibration = self.calibration
        found = lens_for(calibration, calibration.camera, width, height)
        return found if isinstance(found, CameraModel) else None

    def frame(self) -> Frame:
        """Return the newest frame; raise `NoFrameError` before the first one."""
        frame = self._frame
        if frame is None:
            raise NoFrameError("the camera has not given a picture yet")
        return frame

    @property
    def fit(self) -> GridFit | None:
        """Where the loop has the grid now, None while it has none."""
        return self._fit

    def facts(self) -> SystemFacts:
        """Return what the device says about itself."""
        return self._facts()

    def burst(self, *, seconds: float = BURST_S, first_s: float = FIRST_S) -> Burst:
        """Wait for the frames of some seconds and return them; few or none if they stop coming."""
        collector = Collector(seconds)
        with self._lock:
            self._collector = collector
            self._collected.clear()
        self._collected.wait(seconds + first_s)
        with self._lock:
            self._collector = None
            return collector.burst()

    def place(self, frame: Frame, size: int, corners: NDArray[np.float64], black: Side) -> Placed:
        """Return the grid through four corners in the kifu's frame, without using it yet.

        Raises `SizeError` while a game on another size is recorded, `CornersError` for corners of
        no board.
        """
        known = self._known
        if known is not None and known.is_size_sure and known.size != size:
            raise SizeError(f"the game is played on {known.size} lines, not on {size}")
        placed = place_grid(frame, size, corners, self.lens(frame))
        return replace(placed, fit=turned_for_black(placed.fit, black))

    def keep(self, fit: GridFit) -> None:
        """Use a grid that was placed from the next frame on, and store it.

        Raises `StoreError` if it cannot be stored; it is used all the same.
        """
        board = board_of(fit, "hand", datetime.now(UTC).isoformat(timespec="seconds"))
        with self._lock:
            self._calibration = replace(self._calibration, board=board)
            self._is_waiting = True
            calibration = self._calibration
        if self._path is not None:
            save_calibration(self._path, calibration)


def with_grid(eye: Eye, fit: GridFit, frame: Frame) -> Eye:
    """Return an eye that has found a grid, given in the kifu's frame."""
    return replace(eye, grid=placed_grid(fit, frame), turn=0, fit=None, turned=None, stones=None)

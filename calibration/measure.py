"""Everything the pre-game check wants to know about a burst of frames: pure measurements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.light import Flicker, Light, measure_flicker, measure_light
from calibration.pose import Pose, estimate_focal, margin_cells, pose_of, spacings_px
from calibration.sharpness import Sharpness, Steadiness, measure_sharpness, measure_steadiness
from vision.grid import find_grid
from vision.stones import read_stones
from vision.types import SIZES, CameraModel, Frame, GridFit, NoGrid, NoGridReason, StoneReading

UNSURE_BELOW = 0.75
"""Points with a lower confidence are not vouched for by the reader."""

TRIES = 2
"""So many frames of a burst are searched for a grid: a hand may cover it in one."""


class BurstError(ValueError):
    """A burst without frames."""


@dataclass(frozen=True)
class Seen:
    """The board as one frame of a burst shows it."""

    frame: Frame
    fit: GridFit
    reading: StoneReading
    pose: Pose
    margin_cells: float
    """Between the outer lines and the nearest edge of the picture; negative: outside."""

    shortest_px: float
    """The shortest spacing, on the far side."""

    light: Light
    sharpness: Sharpness

    @property
    def covered(self) -> float:
        """Share of the points that cannot be seen."""
        return float((~self.reading.visible).mean())

    @property
    def unsure(self) -> float:
        """Share of the visible points whose stone, or emptiness, is not sure."""
        visible = self.reading.visible
        if not visible.any():
            return 1.0
        return float((self.reading.confidence[visible] < UNSURE_BELOW).mean())


@dataclass(frozen=True)
class Measures:
    """What a burst shows."""

    seen: Seen | NoGrid
    frames: int
    rate: float | None
    """Frames a second; None from a single frame."""

    longest_gap_s: float | None
    exposure_s: float | None
    flicker: Flicker | None
    steadiness: Steadiness | None


def measure(
    frames: Sequence[Frame],
    camera: CameraModel | None = None,
    *,
    sizes: Sequence[int] = SIZES,
    given: GridFit | None = None,
    times_s: Sequence[float] | None = None,
) -> Measures:
    """Measure a burst of frames, in order of time.

    Parameters
    ----------
    times_s
        When all frames came, those included that were not kept; empty where times mean nothing.
    camera
        The lens, if it has been measured at this resolution.
    given
        The grid as set by hand; without it the grid is looked for.

    Raises
    ------
    BurstError
        If there is no frame.
    """
    if not frames:
        raise BurstError("a check needs at least 1 frame, got 0")
    seen = _seen(frames, camera, sizes, given)
    times = np.array([f.seen_at_s for f in frames] if times_s is None else times_s)
    gaps = np.diff(times)
    duration_s = float(gaps.sum())
    fit = seen.fit if isinstance(seen, Seen) else None
    return Measures(
        seen=seen,
        frames=len(frames),
        rate=len(gaps) / duration_s if duration_s > 0 else None,
        longest_gap_s=float(gaps.max()) if len(gaps) else None,
        exposure_s=max((f.exposure_s for f in frames if f.exposure_s is not None), default=None),
        flicker=None if fit is None else measure_flicker(frames, fit),
        steadiness=None if fit is None else measure_steadiness(frames, fit),
    )


def _seen(
    frames: Sequence[Frame],
    camera: CameraModel | None,
    sizes: Sequence[int],
    given: GridFit | None,
) -> Seen | NoGrid:
    """Look at a few frames; return what the best of them shows."""
    picks = np.unique(np.linspace(0, len(frames) - 1, TRIES).round().astype(int))
    best: Seen | NoGrid | None = None
    for pick in picks:
        frame = frames[int(pick)]
        fit = given or find_grid(frame, camera, sizes=sizes)
        if isinstance(fit, NoGrid):
            best = best or fit
            if fit.reason in (NoGridReason.PARTLY_OUTSIDE, NoGridReason.TOO_SMALL):
                # A board was seen; no other frame will show it whole or larger.
                break
            continue
        seen = _described(frame, fit)
        if not isinstance(best, Seen) or _merit(seen) > _merit(best):
            best = seen
        if seen.covered == 0 and seen.fit.confidence > 0.9:
            break
    assert best is not None
    return best


def _merit(seen: Seen) -> float:
    return seen.fit.confidence - seen.covered - seen.unsure


def _described(frame: Frame, fit: GridFit) -> Seen:
    memory, reading = read_stones(None, frame, fit)
    fit = memory.fit
    return Seen(
        frame,
        fit,
        reading,
        pose_of(fit, fit.camera.focal_px or estimate_focal([fit]).focal_px),
        margin_cells=margin_cells(fit),
        shortest_px=float(spacings_px(fit).min()),
        light=measure_light(frame, fit, reading),
        sharpness=measure_sharpness(frame, fit, reading),
    )

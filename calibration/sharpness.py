"""How sharp the lines and the rims of the stones are, and how steady the camera stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import grid_to_raw_px, intersections, rectify, rectify_map
from vision.types import Frame, GridFit, Label, StoneReading

Gray = NDArray[np.uint8]
Floats = NDArray[np.float64]

REACH_CELLS = 0.38
"""How far a profile reaches on each side of a line."""

SAMPLES = 33
"""Places along a profile."""

AVERAGED = 7
"""Profiles side by side that are averaged against noise."""

LEAST_PROFILES = 12
"""Fewer do not tell how sharp a picture is."""

LEAST_CONTRAST = 4.0
"""Gray levels: fainter profiles show noise."""

SIGMAS = 2.5066
"""Width of a rectangle as high as a Gaussian and of the same area, in standard deviations."""


@dataclass(frozen=True, slots=True)
class Sharpness:
    """What lines and rims look like."""

    blur_cells: float | None
    """Standard deviation of the blur in line spacings, along rows or columns, the worse of both;
    None when too little is to be seen. A sharp line's own width counts."""

    standing_out: float
    """Share of the lines and rims that stand out from noise."""

    contrast: float
    """Median gray levels between a line or a stone and the wood beside it."""

    noise: float
    """Standard deviation of the noise in gray levels."""


def measure_sharpness(frame: Frame, fit: GridFit, reading: StoneReading) -> Sharpness:
    """Measure the sharpness of a board that has been read."""
    gray = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8)
    noise = noise_of(gray, fit)
    least = max(LEAST_CONTRAST, 3 * noise / np.sqrt(AVERAGED))
    widths, contrasts = [], []
    for axis in range(2):
        lines = _line_blur(_profiles(gray, fit, _between(reading, axis), axis))
        rims = _rim_blur(_profiles(gray, fit, _rims(reading, axis), axis, is_rim=True))
        blur, contrast = np.concatenate([lines, rims], axis=1)
        contrasts.append(contrast)
        strong = contrast > least
        if strong.sum() >= LEAST_PROFILES:
            widths.append(float(np.median(blur[strong])))
    contrast = np.concatenate(contrasts)
    return Sharpness(
        max(widths, default=None),
        float((contrast > least).mean()) if len(contrast) else 0.0,
        float(np.median(contrast)) if len(contrast) else 0.0,
        noise,
    )


def _usable(reading: StoneReading) -> NDArray[np.bool_]:
    return reading.visible & (reading.confidence > 0.8)


def _between(reading: StoneReading, axis: int) -> Floats:
    """Return (K, 2) grid_xy of the middles of line segments between two empty points.

    Axis 0: of lines along columns, which a profile along a row crosses.
    """
    empty = _usable(reading) & (reading.labels == Label.EMPTY)
    one, two = _neighbors(empty, axis)
    return _middles(one & two, axis)


def _rims(reading: StoneReading, axis: int) -> Floats:
    """Return (K, 2) grid_xy between two neighbors along an axis of which one is darker."""
    one, two = _neighbors(reading.labels, 1 - axis)
    are_usable = np.logical_and(*_neighbors(_usable(reading), 1 - axis))
    return _middles((one != two) & are_usable, 1 - axis)


def _neighbors(values: NDArray[Any], down: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the values of all points but the last, and of the next ones, along an array axis."""
    return np.delete(values, -1, down), np.delete(values, 0, down)


def _middles(pairs: NDArray[np.bool_], down: int) -> Floats:
    """Return (K, 2) grid_xy of the middles between neighbors along an array axis."""
    return np.asarray((np.argwhere(pairs) + 0.5 * np.eye(2)[down])[:, ::-1])


def _profiles(
    gray: Gray, fit: GridFit, spots: Floats, axis: int, *, is_rim: bool = False
) -> Floats:
    """Return (K, SAMPLES) gray levels along an axis of the grid through each spot."""
    if not len(spots):
        return np.zeros((0, SAMPLES))
    reach = np.linspace(-REACH_CELLS, REACH_CELLS, SAMPLES) * (1.2 if is_rim else 1.0)
    side = np.linspace(-0.15, 0.15, AVERAGED) * (0.3 if is_rim else 1.0)
    along, across = np.eye(2)[axis], np.eye(2)[1 - axis]
    offsets = reach[:, None, None] * along + side[None, :, None] * across
    places = grid_to_raw_px(fit, spots[:, None, None] + offsets)
    flat = places.reshape(len(spots), -1, 2).astype(np.float32)
    values = rectify(gray, flat)
    return np.asarray(values.reshape(len(spots), SAMPLES, AVERAGED).astype(float).mean(axis=2))


def _line_blur(profiles: Floats) -> Floats:
    """Return (2, K): blur in cells and contrast of lines: area over depth is 2.5 sigma."""
    ends = 0.5 * (profiles[:, :3].mean(axis=1) + profiles[:, -3:].mean(axis=1))
    away = profiles - ends[:, None]
    middle = away[:, SAMPLES // 4 : -SAMPLES // 4]
    depth = np.abs(middle).max(axis=1)
    sign = np.sign(np.take_along_axis(middle, np.abs(middle).argmax(axis=1)[:, None], 1))
    area = np.maximum(away * sign, 0).sum(axis=1) * (2 * REACH_CELLS / (SAMPLES - 1))
    return np.stack([area / np.maximum(depth, 1e-6) / SIGMAS, depth])


def _rim_blur(profiles: Floats) -> Floats:
    """Return (2, K): blur in cells and contrast of rims: height over slope is 2.5 sigma."""
    step = 2 * 1.2 * REACH_CELLS / (SAMPLES - 1)
    height = np.ptp(profiles, axis=1)
    slope = np.abs(np.diff(profiles, axis=1)).max(axis=1) / step
    return np.stack([height / np.maximum(slope, 1e-6) / SIGMAS, height])


def noise_of(gray: Gray, fit: GridFit) -> float:
    """Return the standard deviation of the noise on the board (Immerkaer 1996).

    The median instead of the mean: lines and rims are no noise.
    """
    spots = grid_to_raw_px(fit, intersections(fit.size)).reshape(-1, 2)
    low = np.maximum(spots.min(axis=0), 0).astype(int)
    high = np.minimum(spots.max(axis=0), [gray.shape[1] - 1, gray.shape[0] - 1]).astype(int)
    part = gray[low[1] : high[1] + 1, low[0] : high[0] + 1]
    if min(part.shape, default=0) < 8:
        return 0.0
    mask = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], float)
    response = cv2.filter2D(part, cv2.CV_32F, mask)
    return float(np.median(np.abs(response)) / 0.6745 / 6.0)


FAR_IS_UNLIKELY = 0.12
"""By so much less alike are two pictures held to be that have moved by the most lines."""

MOST_LINES = 2
"""A board that moves by more lines than this within one look is not followed."""


@dataclass(frozen=True, slots=True)
class Steadiness:
    """How far the picture moves from frame to frame."""

    shake_cells: float
    """Largest distance of a frame from where most of them are, in line spacings."""

    drift_cells: float
    """How far the last third of the frames lies from the first."""


def measure_steadiness(frames: Sequence[Frame], fit: GridFit) -> Steadiness | None:
    """Measure by correlation how the board moves over a burst; None for one frame."""
    if len(frames) < 2:
        return None
    cell = 12
    sampling = rectify_map(fit, cell=cell, margin_cells=1.0)
    flat = [_edges(rectify(frame.image, sampling)) for frame in frames]
    shifts = np.array([_shift(flat[0], image, MOST_LINES * cell) for image in flat]) / cell
    away = np.linalg.norm(shifts - np.median(shifts, axis=0), axis=1)
    third = max(1, len(shifts) // 3)
    drift = np.median(shifts[-third:], axis=0) - np.median(shifts[:third], axis=0)
    return Steadiness(float(np.percentile(away, 95)), float(np.linalg.norm(drift)))


def _shift(first: NDArray[np.float32], image: NDArray[np.float32], reach: int) -> Floats:
    """Return by how many pixels (x, y) a rectified board has moved, up to `reach`.

    Every shift is tried: phase correlation takes a grid for itself a line further on.
    """
    core = first[reach:-reach, reach:-reach]
    alike = cv2.matchTemplate(image, core, cv2.TM_CCOEFF_NORMED)
    # Of shifts that are as good, the smaller is the true one: cameras move little.
    rows, cols = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    likely = alike - FAR_IS_UNLIKELY * np.hypot(rows, cols) / reach
    y, x = np.unravel_index(int(likely.argmax()), likely.shape)
    return np.array([_peak(alike[y], int(x)) - reach, _peak(alike[:, x], int(y)) - reach])


def _peak(line: NDArray[Any], at: int) -> float:
    """Return where a parabola through the largest value and its neighbors has its top."""
    if not 0 < at < len(line) - 1:
        return float(at)
    low, top, high = map(float, line[at - 1 : at + 2])
    bend = low - 2 * top + high
    return at if bend >= 0 else at + 0.5 * (low - high) / bend


def _edges(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return a picture of the fine structure alone: a changed light must not look like motion."""
    green = image[..., 1].astype(np.float32)
    return np.asarray(green - cv2.GaussianBlur(green, (0, 0), 4.0), np.float32)

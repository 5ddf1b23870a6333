"""Draw a grid and a reading on a frame, for people to look at."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Points, grid_to_raw_px, intersections
from vision.types import Frame, GridFit, Label, StoneReading

Image = NDArray[np.uint8]
Color = tuple[int, int, int]

GRID: Color = (0, 220, 255)
FIRST_CORNER: Color = (0, 0, 255)
HIDDEN: Color = (255, 0, 255)
DOUBTFUL: Color = (0, 128, 255)
STONES: dict[int, tuple[Color, Color]] = {
    Label.BLACK: ((0, 0, 0), (80, 255, 80)),
    Label.WHITE: ((255, 255, 255), (80, 160, 0)),
}
"""Fill and rim of the mark of a stone; the rim tells a mark from a stone."""

SHIFT_BITS = 4
"""Coordinates are given to OpenCV in sixteenths of a pixel."""


def _fixed(points: Points) -> NDArray[np.int32]:
    # A grid far outside the picture must not overflow what OpenCV can draw.
    limited = np.clip(np.nan_to_num(points), -30000.0, 30000.0)
    return np.asarray(np.round(limited * 2**SHIFT_BITS), np.int32)


def _sub_px(length_px: float) -> int:
    return int(min(length_px, 1000.0) * 2**SHIFT_BITS)


def _draw_grid(image: Image, fit: GridFit, thickness: int) -> None:
    last = fit.size - 1
    # Lines bend with the lens, so each is drawn through all its crossings.
    crossings = _fixed(grid_to_raw_px(fit, intersections(fit.size)))
    lines = [np.ascontiguousarray(line) for line in (*crossings, *crossings.transpose(1, 0, 2))]
    cv2.polylines(image, lines, False, GRID, thickness, cv2.LINE_AA, SHIFT_BITS)
    ends = {(0, 0): FIRST_CORNER, (0, last): GRID, (last, last): GRID, (last, 0): GRID}
    radius = _sub_px(0.2 * fit.cell_px)
    for spot, color in ends.items():
        x, y = map(int, crossings[spot])
        cv2.circle(image, (x, y), radius, color, 2 * thickness, cv2.LINE_AA, SHIFT_BITS)


def _draw_stones(image: Image, fit: GridFit, reading: StoneReading, thickness: int) -> None:
    crossings = _fixed(grid_to_raw_px(fit, intersections(fit.size)))
    for row, col in np.ndindex(reading.visible.shape):
        x, y = map(int, crossings[row, col])
        label, confidence = int(reading.labels[row, col]), float(reading.confidence[row, col])
        if not reading.visible[row, col]:
            half = _sub_px(0.15 * fit.cell_px)
            corners = (x - half, y - half), (x + half, y + half)
            cv2.rectangle(image, *corners, HIDDEN, thickness, cv2.LINE_AA, SHIFT_BITS)
        elif label in STONES:
            fill, rim = STONES[label]
            radius = _sub_px(0.2 * fit.cell_px)
            cv2.circle(image, (x, y), radius, fill, -1, cv2.LINE_AA, SHIFT_BITS)
            cv2.circle(image, (x, y), radius, rim, thickness, cv2.LINE_AA, SHIFT_BITS)
        if confidence < 0.9:
            radius = _sub_px(0.42 * fit.cell_px)
            # The arc that is missing is the confidence that is missing.
            cv2.ellipse(
                image, (x, y), (radius, radius), -90, 0, 360 * confidence, DOUBTFUL,
                thickness, cv2.LINE_AA, SHIFT_BITS,
            )  # fmt: skip


def _draw_loose(image: Image, fit: GridFit, reading: StoneReading, thickness: int) -> None:
    for stone in reading.loose:
        center = _fixed(grid_to_raw_px(fit, np.array(stone.grid_xy)))
        fill, _ = STONES[stone.label]
        half = _sub_px(0.2 * fit.cell_px)
        corners = center + np.array([[-half, 0], [0, -half], [half, 0], [0, half]])
        diamond = corners.astype(np.int32)
        cv2.fillPoly(image, [diamond], fill, cv2.LINE_AA, SHIFT_BITS)
        cv2.polylines(image, [diamond], True, DOUBTFUL, thickness, cv2.LINE_AA, SHIFT_BITS)


def draw_overlay(frame: Frame, fit: GridFit | None, reading: StoneReading | None) -> Image:
    """Return a copy of the frame with grid, stones, doubts and hidden points marked.

    Lines and corner rings show the grid (upper left corner red); filled dots with a green rim the
    stones read; magenta squares the hidden points; an orange arc round a point its confidence
    where that is below 0.9; diamonds stones that lie loose.

    Returns
    -------
    (H, W, 3) BGR, as large as the frame.

    Raises
    ------
    ValueError
        If grid and reading have different sizes.
    """
    image = frame.image.copy()
    if fit is None:
        return image
    if reading is not None and reading.size != fit.size:
        raise ValueError(f"reading has {reading.size} lines, grid {fit.size}")
    thickness = min(max(1, round(fit.cell_px / 30)), 8)
    _draw_grid(image, fit, thickness)
    if reading is not None:
        _draw_stones(image, fit, reading, thickness)
        _draw_loose(image, fit, reading, thickness)
    return image

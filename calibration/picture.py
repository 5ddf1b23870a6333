"""Pictures for the person who sets a board up: coordinates, and where it glares."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import corners_px, grid_to_raw_px
from vision.overlay import draw_overlay
from vision.types import Frame, GridFit, StoneReading

Image = NDArray[np.uint8]

COLUMNS = "ABCDEFGHJKLMNOPQRST"
LABEL = (60, 255, 255)
OUTLINE = (0, 0, 0)
GLARE = (255, 0, 255)
FONT = cv2.FONT_HERSHEY_SIMPLEX
OUTSIDE_CELLS = 0.95
"""Coordinates stand so far outside the lines."""


def draw_coordinates(image: Image, fit: GridFit) -> Image:
    """Return a copy of a picture with the coordinates round the grid, A1 at Black's left."""
    drawn = image.copy()
    last = fit.size - 1
    scale = float(np.clip(fit.cell_px / 38, 0.3, 1.6))
    for number in range(fit.size):
        for side in (-OUTSIDE_CELLS, last + OUTSIDE_CELLS):
            _write(drawn, fit, (number, side), COLUMNS[number], scale)
            _write(drawn, fit, (side, number), str(fit.size - number), scale)
    return drawn


def _write(
    image: Image, fit: GridFit, grid_xy: tuple[float, float], text: str, scale: float
) -> None:
    center = grid_to_raw_px(fit, np.array(grid_xy))
    (wide, high), _ = cv2.getTextSize(text, FONT, scale, 1)
    start = np.clip(np.nan_to_num(center + np.array([-wide / 2, high / 2])), -20000, 20000)
    where = (int(start[0]), int(start[1]))
    cv2.putText(image, text, where, FONT, scale, OUTLINE, 3, cv2.LINE_AA)
    cv2.putText(image, text, where, FONT, scale, LABEL, 1, cv2.LINE_AA)


CLOSE_CELL_PX, MOST_ENLARGED = 28.0, 3.0
"""A close-up shows line spacings at least so large, enlarged at most so many times."""

CLOSE_MARGIN_CELLS = 3.0
"""What of the surroundings a close-up shows."""


def draw_close_up(
    frame: Frame,
    fit: GridFit,
    reading: StoneReading | None,
    glaring: NDArray[np.bool_] | None = None,
) -> Image:
    """Return what `draw_set_up` draws, enlarged if it is small, and cut to the board."""
    scale = float(np.clip(CLOSE_CELL_PX / fit.cell_px, 1.0, MOST_ENLARGED))
    height, width = (round(side * scale) for side in frame.image.shape[:2])
    large = cv2.resize(frame.image, (width, height), interpolation=cv2.INTER_CUBIC)
    # Pixel centers: x_large = (x + 0.5) * scale - 0.5.
    shift = 0.5 * scale - 0.5
    grow = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1.0]])
    lens = replace(fit.camera, width_px=width, height_px=height)
    grown = replace(fit, homography=grow @ fit.homography, camera=lens)
    image = draw_set_up(replace(frame, image=np.asarray(large, np.uint8)), grown, reading, glaring)
    around = CLOSE_MARGIN_CELLS * grown.cell_px
    corners = corners_px(grown)
    low = np.maximum(corners.min(axis=0) - around, 0).astype(int)
    high = np.minimum(corners.max(axis=0) + around, [width, height]).astype(int)
    return image[low[1] : high[1], low[0] : high[0]]


def draw_set_up(
    frame: Frame,
    fit: GridFit,
    reading: StoneReading | None,
    glaring: NDArray[np.bool_] | None = None,
) -> Image:
    """Return the frame with grid, stones and coordinates, and a cross where a lamp is mirrored."""
    image = draw_coordinates(draw_overlay(frame, fit, reading), fit)
    if glaring is None:
        return image
    half = 0.3
    for row, col in np.argwhere(glaring):
        for ends in (((-half, -half), (half, half)), ((-half, half), (half, -half))):
            line = grid_to_raw_px(fit, np.array([col, row]) + np.array(ends))
            start, end = (tuple(map(int, np.round(point))) for point in line)
            cv2.line(image, start, end, GLARE, 2, cv2.LINE_AA)
    return image

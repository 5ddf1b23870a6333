"""Pictures for the person who sets a board up: coordinates, and where it glares."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import grid_to_raw_px
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

"""Draw plain gobans for tests: flat wood, lines, shaded stones, seen by a pinhole camera."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import homography_from_corners
from vision.types import CameraModel, Frame, GridFit

Image = NDArray[np.uint8]

CELL_PX = 40
MARGIN_CELLS = 1.2
COLORS = {"X": (32, 30, 30), "O": (235, 238, 236)}
CORNERS_PX = np.array([[372.0, 96.0], [898.0, 104.0], [1030.0, 640.0], [238.0, 625.0]])
"""Outer crossings in the 1280 x 720 picture: from the front, about 55 degrees up."""


def _flat(rows: list[str]) -> Image:
    size = len(rows)
    side = round((size - 1 + 2 * MARGIN_CELLS) * CELL_PX)
    rng = np.random.default_rng(8)
    grain = cv2.resize(rng.normal(0, 5, (side, 12)).astype(np.float32), (side, side))
    board = np.full((side, side, 3), (120, 180, 220), np.float32) + grain[..., None]
    image = np.clip(board, 0, 255).astype(np.uint8)
    at = [round((i + MARGIN_CELLS) * CELL_PX) for i in range(size)]
    for x in at:
        cv2.line(image, (x, at[0]), (x, at[-1]), (40, 60, 70), 2, cv2.LINE_AA)
        cv2.line(image, (at[0], x), (at[-1], x), (40, 60, 70), 2, cv2.LINE_AA)
    for row, line in enumerate(rows):
        for col, char in enumerate(line):
            if char != ".":
                _stone(image, (at[col], at[row]), COLORS[char])
    return image


def _stone(image: Image, at: tuple[int, int], color: tuple[int, int, int]) -> None:
    x, y = at
    shade = tuple(value * 0.6 for value in (120, 180, 220))
    cv2.circle(image, (x + 3, y + 4), round(0.47 * CELL_PX), shade, -1, cv2.LINE_AA)
    dark = tuple(value * 0.75 for value in color)
    cv2.circle(image, at, round(0.47 * CELL_PX), dark, -1, cv2.LINE_AA)
    cv2.circle(image, (x - 2, y - 2), round(0.4 * CELL_PX), color, -1, cv2.LINE_AA)
    light = tuple(min(255, value + 60) for value in color)
    cv2.circle(image, (x - 6, y - 6), round(0.12 * CELL_PX), light, -1, cv2.LINE_AA)


def grid(size: int, corners_px: NDArray[np.float64] = CORNERS_PX) -> GridFit:
    """Return the true grid of the pictures drawn here."""
    camera = CameraModel(1280, 720)
    matrix = homography_from_corners(camera, size, corners_px)
    return GridFit(size, matrix, camera, 0.2, 1.0)


def photograph(
    diagram: str,
    *,
    seed: int = 1,
    noise: float = 3.0,
    extra: tuple[tuple[str, float, float], ...] = (),
) -> Frame:
    """Return a 1280 x 720 frame of a position: rows of `.`, `X` and `O`.

    Parameters
    ----------
    extra
        More stones: `X` or `O`, and (col, row) in line spacings, wherever they lie.
    """
    rows = diagram.split()
    flat = _flat(rows)
    for char, col, row in extra:
        x, y = (round((value + MARGIN_CELLS) * CELL_PX) for value in (col, row))
        _stone(flat, (x, y), COLORS[char])
    first, last = MARGIN_CELLS * CELL_PX, (len(rows) - 1 + MARGIN_CELLS) * CELL_PX
    ends = np.array([[first, first], [last, first], [last, last], [first, last]], np.float32)
    matrix = cv2.getPerspectiveTransform(ends, CORNERS_PX.astype(np.float32))
    table = np.full((720, 1280, 3), (70, 75, 80), np.uint8)
    mask = cv2.warpPerspective(np.full(flat.shape[:2], 255, np.uint8), matrix, (1280, 720))
    warped = cv2.warpPerspective(flat, matrix, (1280, 720), flags=cv2.INTER_AREA)
    image = np.where(mask[..., None] > 127, warped, table).astype(np.float32)
    image += np.random.default_rng(seed).normal(0, noise, image.shape)
    blurred = cv2.GaussianBlur(image, (0, 0), 0.8)
    return Frame(np.clip(blurred, 0, 255).astype(np.uint8), 0.0)


def diagram_of(labels: NDArray[np.uint8]) -> str:
    """Return the rows of a reading, as `photograph` takes them."""
    return "\n".join("".join(".XO"[label] for label in row) for row in labels)

"""Cut a board out of a picture as if seen from straight above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import apply_homography

Matrix = NDArray[np.floating[Any]]

CROP_PX = 352
"""Side of the rectified picture that the fine network sees."""

CROP_MARGIN = 0.1
"""What is shown outside the outer lines on each side, in parts of the whole crop."""


@dataclass(frozen=True)
class Crop:
    """A square piece of a picture, rectified by a homography."""

    image: NDArray[np.uint8]
    """(S, S, 3) BGR; black where the picture has ended."""

    known: NDArray[np.bool_]
    """(S, S), True where the picture has content."""

    to_picture: Matrix
    """(3, 3), from crop pixels to the picture's raw pixels."""


LONGEST_SIDE_PX = 1280
"""Larger pictures are scaled down to this first; finer detail does not help to find a board."""


def shrunk(
    image: NDArray[np.uint8], longest_px: int = LONGEST_SIDE_PX
) -> tuple[NDArray[np.uint8], float]:
    """Scale a picture down so that its longer side is at most `longest_px`.

    Returns
    -------
    The picture and the factor that its size was multiplied by.
    """
    scale = min(1.0, longest_px / max(image.shape[:2]))
    if scale == 1.0:
        return image, scale
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), scale


def halvings(image: NDArray[np.uint8], smallest_px: int = 200) -> tuple[NDArray[np.uint8], ...]:
    """Return the picture and ever smaller copies, each half as large as the one before."""
    levels = [image]
    while min(levels[-1].shape[:2]) >= 2 * smallest_px:
        half = (levels[-1].shape[1] // 2, levels[-1].shape[0] // 2)
        levels.append(
            np.asarray(cv2.resize(levels[-1], half, interpolation=cv2.INTER_AREA), np.uint8)
        )
    return tuple(levels)


def unit_to_crop(side_px: int = CROP_PX, margin: float = CROP_MARGIN) -> Matrix:
    """Return the (3, 3) map from the unit square between the outer lines to crop pixels."""
    inner = side_px * (1 - 2 * margin)
    shift = side_px * margin - 0.5
    return np.array([[inner, 0.0, shift], [0.0, inner, shift], [0.0, 0.0, 1.0]])


def cut(
    levels: tuple[NDArray[np.uint8], ...], unit_to_picture: Matrix, *, side_px: int = CROP_PX
) -> Crop:
    """Cut out what lies around the image of the unit square.

    Parameters
    ----------
    levels
        The picture and its halvings; the one whose resolution fits is sampled.
    unit_to_picture
        (3, 3), from the unit square between the outer lines to raw pixels of `levels[0]`.
    """
    to_picture = unit_to_picture @ np.linalg.inv(unit_to_crop(side_px))
    center = np.full(2, side_px / 2)
    ends = apply_homography(to_picture, center + np.array([[0, 0], [1, 0], [0, 1]]))
    step = float(np.linalg.norm(ends[1:] - ends[0], axis=1).max())
    level = int(np.clip(np.floor(np.log2(max(step, 1e-6) / 1.3) + 1), 0, len(levels) - 1))
    scale = 0.5**level
    shrink = np.array([[scale, 0, 0.5 * scale - 0.5], [0, scale, 0.5 * scale - 0.5], [0, 0, 1.0]])
    source = levels[level]
    matrix = shrink @ to_picture
    flags = cv2.WARP_INVERSE_MAP
    shape = (side_px, side_px)
    image = cv2.warpPerspective(source, matrix, shape, flags=flags | cv2.INTER_LINEAR)
    solid = np.full(source.shape[:2], 255, np.uint8)
    known = cv2.warpPerspective(solid, matrix, shape, flags=flags | cv2.INTER_NEAREST) > 0
    return Crop(np.asarray(image, np.uint8), np.asarray(known, np.bool_), to_picture)


@dataclass(frozen=True)
class Canvas:
    """A whole picture made small, on a canvas whose sides are multiples of 32."""

    image: NDArray[np.uint8]
    """(H, W, 3) BGR."""

    known: NDArray[np.bool_]
    """(H, W), True where the picture lies."""

    to_picture: Matrix
    """(3, 3), from canvas pixels to the picture's raw pixels."""


def on_canvas(image: NDArray[np.uint8], *, longest_px: int = 236, border_px: int = 10) -> Canvas:
    """Scale a picture to `longest_px` and put it in the middle of a slightly larger canvas."""
    height, width = image.shape[:2]
    scale = longest_px / max(height, width)
    inner = (max(8, round(width * scale)), max(8, round(height * scale)))
    small = cv2.resize(image, inner, interpolation=cv2.INTER_AREA)
    wide, high = (-(-(side + 2 * border_px) // 32) * 32 for side in inner)
    x0, y0 = (wide - inner[0]) // 2, (high - inner[1]) // 2
    canvas = np.zeros((high, wide, 3), np.uint8)
    canvas[y0 : y0 + inner[1], x0 : x0 + inner[0]] = small
    known = np.zeros((high, wide), np.bool_)
    known[y0 : y0 + inner[1], x0 : x0 + inner[0]] = True
    factor_x, factor_y = width / inner[0], height / inner[1]
    to_picture = np.array(
        [
            [factor_x, 0, (0.5 - x0) * factor_x - 0.5],
            [0, factor_y, (0.5 - y0) * factor_y - 0.5],
            [0, 0, 1.0],
        ]
    )
    return Canvas(canvas, known, to_picture)

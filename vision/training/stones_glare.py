"""Let a lamp or a window shine in the board's lacquer, and not in the stones on it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]


def stone_mask(image: Image, labels: NDArray[np.uint8], cell_px: int, margin: float) -> Floats:
    """Return (S, S), [0, 1]: what is not wood, lines left out, judged by its color.

    Parameters
    ----------
    image
        (S, S, 3) rectified board.
    labels
        (N, N); the empty points show the wood.
    """
    rows, cols = np.nonzero(labels == 0)
    # Between the lines, a quarter of a cell from an empty crossing, there is wood.
    at = np.round((np.stack([cols, rows], 1) + margin + 0.25) * cell_px - 0.5).astype(int)
    if len(at) < 8:
        return np.zeros(image.shape[:2], np.float32)
    wood = np.median(image[at[:, 1], at[:, 0]].astype(np.float32), axis=0)
    spread = np.abs(image[at[:, 1], at[:, 0]] - wood).max(axis=1)
    distance = np.abs(image.astype(np.float32) - wood).max(axis=2)
    other = (distance > max(18.0, 2.5 * float(np.median(spread)))).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(0.4 * cell_px),) * 2)
    other = cv2.morphologyEx(other, cv2.MORPH_OPEN, kernel)
    return np.asarray(cv2.GaussianBlur(other.astype(np.float32), (0, 0), 0.8), np.float32)


def _reflection(rng: np.random.Generator, side: int) -> Floats:
    """Return (S, S), [0, 1]: one to three soft lights or window panes."""
    light = np.zeros((side, side), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(0.1, 0.9, 2) * side
        width, height = rng.uniform(0.05, 0.5, 2) * side
        box = ((float(x), float(y)), (float(width), float(height)), float(rng.uniform(0, 180)))
        if rng.random() < 0.4:
            cv2.fillConvexPoly(light, cv2.boxPoints(box).astype(np.int32), 1.0)
        else:
            cv2.ellipse(light, box, 1.0, -1)
    return np.asarray(cv2.GaussianBlur(light, (0, 0), rng.uniform(2, 0.1 * side)), np.float32)


def shone_on(
    rng: np.random.Generator,
    image: Image,
    labels: NDArray[np.uint8],
    *,
    cell_px: int,
    margin: float,
) -> Image:
    """Return the board with a reflection that the stones stand in front of."""
    stones = stone_mask(image, labels, cell_px, margin)
    light = _reflection(rng, len(image)) * np.float32(rng.uniform(40, 260))
    on_stones = np.float32(rng.uniform(0.0, 0.5))
    share = (1 - stones * (1 - on_stones)) * light
    tint = rng.uniform(0.8, 1.0, 3).astype(np.float32)
    # Dim the room, or all that shines would be saturated.
    room = np.float32(rng.uniform(0.45, 1.0))
    return np.clip(image * room + share[..., None] * tint, 0, 255).astype(np.uint8)

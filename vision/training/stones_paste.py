"""Put more stones on a rectified board: crooked, between the points, beside the lines."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.stones_data import CELL_PX, MARGIN_CELLS
from vision.training.stones_truth import COVERED, UNKNOWN

REACH_PX = 18
"""Half the side of a cut-out stone."""

ON_POINT_CELLS = 0.3
OFF_POINT_CELLS = 0.42
"""Up to the first a stone counts for its point, from the second it is loose."""

Image = NDArray[np.uint8]
Labels = NDArray[np.uint8]


@dataclass(frozen=True)
class Cutout:
    """A stone with nothing around it, and how much of each pixel is stone."""

    color: int
    image: Image
    """(2 REACH_PX + 1, 2 REACH_PX + 1, 3); its middle pixel is the crossing it stood on."""

    alpha: NDArray[np.float32]
    """(2 REACH_PX + 1, 2 REACH_PX + 1, 1), [0, 1]."""


@dataclass(frozen=True)
class Pasted:
    """A stone that was put down."""

    color: int
    grid_xy: tuple[float, float]
    """(col, row) of its foot."""


def _pixel(grid_xy: NDArray[np.floating]) -> NDArray[np.int_]:
    return np.round((grid_xy + MARGIN_CELLS) * CELL_PX - 0.5).astype(int)


def _lonely_stones(labels: Labels) -> NDArray[np.int_]:
    """Return (K, 2), (row, col) of stones whose eight neighbors are empty."""
    taken = (labels != 0).astype(np.float32)
    near = cv2.blur(taken, (3, 3), borderType=cv2.BORDER_CONSTANT) * 9
    return np.argwhere(((labels == 1) | (labels == 2)) & (near < 1.5))


def cut_out(image: Image, labels: Labels, spot: tuple[int, int]) -> Cutout | None:
    """Cut a lonely stone out along its rim; None if no clear rim is found."""
    x, y = _pixel(np.array([spot[1], spot[0]], float))
    patch = image[y - REACH_PX : y + REACH_PX + 1, x - REACH_PX : x + REACH_PX + 1]
    side = 2 * REACH_PX + 1
    if patch.shape[:2] != (side, side):
        return None
    ring = np.concatenate([patch[:3].reshape(-1, 3), patch[-3:].reshape(-1, 3)])
    distance = np.abs(patch.astype(np.float32) - np.median(ring, axis=0)).max(axis=2)
    distance = cv2.GaussianBlur(distance, (0, 0), 1.0)
    mask = (distance > 0.45 * np.percentile(distance, 95)).astype(np.uint8)
    count, regions, stats, middles = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    best = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    share = stats[best, cv2.CC_STAT_AREA] / (0.25 * np.pi * CELL_PX**2)
    away = float(np.linalg.norm(middles[best] - REACH_PX)) / CELL_PX
    if not 0.5 < share < 1.5 or away > 0.45:
        return None
    contours = cv2.findContours(
        (regions == best).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )[0]
    hull = cv2.convexHull(max(contours, key=len))
    filled = np.zeros((side, side), np.float32)
    cv2.fillConvexPoly(filled, hull, 1.0)
    alpha = cv2.GaussianBlur(cv2.dilate(filled, np.ones((3, 3))), (0, 0), 0.8)
    return Cutout(int(labels[spot]), patch.copy(), np.asarray(alpha, np.float32)[..., None])


def _draw(image: Image, stone: Cutout, grid_xy: NDArray[np.floating]) -> bool:
    x, y = _pixel(grid_xy)
    low_x, low_y = x - REACH_PX, y - REACH_PX
    window = image[max(0, low_y) : y + REACH_PX + 1, max(0, low_x) : x + REACH_PX + 1]
    if low_x < 0 or low_y < 0 or window.shape[:2] != stone.image.shape[:2]:
        return False
    window[:] = (window * (1 - stone.alpha) + stone.image * stone.alpha).astype(np.uint8)
    return True


def _relabel(labels: Labels, color: int, grid_xy: NDArray[np.floating]) -> None:
    """Write down what a new stone does to the points around it."""
    rows, cols = np.mgrid[0 : len(labels), 0 : len(labels)]
    distance = np.hypot(cols - grid_xy[0], rows - grid_xy[1])
    if distance.min() < ON_POINT_CELLS:
        labels[distance == distance.min()] = color
    elif distance.min() < OFF_POINT_CELLS:
        labels[distance == distance.min()] = UNKNOWN
    else:
        labels[distance < 0.72] = UNKNOWN
        labels[distance < 0.58] = COVERED


def _is_free(labels: Labels, pasted: list[Pasted], grid_xy: NDArray[np.floating]) -> bool:
    rows, cols = np.nonzero(labels)
    taken = np.stack([cols, rows], axis=1).astype(float)
    others = np.concatenate([taken, np.array([p.grid_xy for p in pasted]).reshape(-1, 2)])
    return not len(others) or bool(np.linalg.norm(others - grid_xy, axis=1).min() > 0.97)


def paste_stones(
    image: Image, labels: Labels, count: int, rng: np.random.Generator
) -> list[Pasted]:
    """Put copies of the board's own lonely stones down elsewhere, in place.

    Parameters
    ----------
    image
        (S, S, 3) at CELL_PX, changed.
    labels
        (N, N), changed: the point gets the stone's color, or COVERED where it lies between points.
    """
    lonely = _lonely_stones(labels)
    rng.shuffle(lonely)
    cutouts = [cut_out(image, labels, (int(r), int(c))) for r, c in lonely[:6]]
    stones = [stone for stone in cutouts if stone is not None]
    pasted: list[Pasted] = []
    for _ in range(count if stones else 0):
        stone = stones[int(rng.integers(len(stones)))]
        grid_xy = rng.uniform(-2.3, len(labels) + 1.3, 2)
        if rng.random() < 0.5:
            near = rng.normal(0, 0.13, 2)
            grid_xy = np.clip(np.round(grid_xy), 0, len(labels) - 1) + np.clip(near, -0.25, 0.25)
        if _is_free(labels, pasted, grid_xy) and _draw(image, stone, grid_xy):
            _relabel(labels, stone.color, grid_xy)
            pasted.append(Pasted(stone.color, (float(grid_xy[0]), float(grid_xy[1]))))
    return pasted

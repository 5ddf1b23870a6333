"""Whether the picture around the board has moved: tells a knocked camera from a pushed board."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import grid_to_raw_px, outer_corners
from vision.types import Frame, GridFit

WIDTH_PX = 480
"""Pictures are compared at about this width."""

GROWN_CELLS = 2.5
"""So far around the lines the board itself reaches."""

MOST_SPOTS, LEAST_SPOTS = 120, 12
"""Spots that are followed; with fewer that are found again nothing is said."""


@dataclass(frozen=True)
class Surroundings:
    """Spots around the board, in a small picture."""

    gray: NDArray[np.uint8]
    spots: NDArray[np.float32]
    """(K, 1, 2), (x, y) in the small picture."""


def _small(frame: Frame) -> tuple[NDArray[np.uint8], float]:
    height, width = frame.image.shape[:2]
    scale = min(1.0, WIDTH_PX / width)
    size = (round(width * scale), round(height * scale))
    gray = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.uint8), scale


def surroundings_of(frame: Frame, fit: GridFit) -> Surroundings:
    """Return the spots around a board that are worth following."""
    gray, scale = _small(frame)
    mask = np.full(gray.shape, 255, np.uint8)
    last = fit.size - 1
    corners = outer_corners(fit.size)
    grown = corners + GROWN_CELLS * np.sign(corners - last / 2)
    quad = np.clip(np.nan_to_num(grid_to_raw_px(fit, grown) * scale), -1e4, 1e4)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 0)
    found = cv2.goodFeaturesToTrack(gray, MOST_SPOTS, 0.01, 6, mask=mask)
    spots = np.zeros((0, 1, 2), np.float32) if found is None else found.reshape(-1, 1, 2)
    return Surroundings(gray, np.asarray(spots, np.float32))


def moved_px(before: Surroundings, frame: Frame) -> float | None:
    """Return how many raw pixels most of the surroundings have moved; None if nobody can say.

    The median over spots followed by optical flow (Lucas & Kanade 1981, in pyramids) and back
    again: people who move about are the minority.
    """
    if len(before.spots) < LEAST_SPOTS:
        return None
    gray, scale = _small(frame)
    if gray.shape != before.gray.shape:
        return None
    there, is_found = _followed(before.gray, gray, before.spots)
    back, is_back = _followed(gray, before.gray, there)
    error = np.linalg.norm((back - before.spots).reshape(-1, 2), axis=1)
    good = is_found & is_back & (error < 0.7)
    if good.sum() < LEAST_SPOTS:
        return None
    shift = np.median((there - before.spots).reshape(-1, 2)[good], axis=0)
    return float(np.linalg.norm(shift)) / scale


def _followed(
    one: NDArray[np.uint8], other: NDArray[np.uint8], spots: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return where spots of one picture are in another, and which were found."""
    there, is_found, _ = cv2.calcOpticalFlowPyrLK(one, other, spots, spots.copy())
    return np.asarray(there, np.float32), np.asarray(is_found).ravel() > 0

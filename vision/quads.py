"""Quadrilaterals around the bright part of a map."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Map = NDArray[np.floating[Any]]
Quad = NDArray[np.floating[Any]]
"""(4, 2), (x, y), clockwise as seen, the first corner the one nearest the upper left."""


def in_order(quad: NDArray[np.floating[Any]]) -> Quad:
    """Return the four corners clockwise as seen, beginning at the upper left."""
    center = quad.mean(axis=0)
    angles = np.arctan2(quad[:, 1] - center[1], quad[:, 0] - center[0])
    ordered = quad[np.argsort(angles)]
    # The side that points most to the right is the upper one.
    sides = np.roll(ordered, -1, axis=0) - ordered
    across = sides - np.roll(sides, -2, axis=0)
    first = int(np.argmax(across[:, 0] / np.maximum(np.linalg.norm(across, axis=1), 1e-9)))
    return np.asarray(np.roll(ordered, -first, axis=0))


def _four_corners(contour: NDArray[np.floating[Any]]) -> Quad:
    """Simplify a convex outline to four corners; the smallest rectangle if that fails."""
    points = contour.reshape(-1, 1, 2).astype(np.float32)
    length = float(cv2.arcLength(points, True))
    for part in np.linspace(0.02, 0.16, 15):
        corners = cv2.approxPolyDP(points, float(part * length), True).reshape(-1, 2)
        if len(corners) == 4:
            return in_order(corners.astype(float))
        if len(corners) < 4:
            break
    box = np.asarray(cv2.boxPoints(cv2.minAreaRect(points)))
    return in_order(box.astype(float))


def _straightened(
    quad: Quad, outline: NDArray[np.floating[Any]], is_cut: NDArray[np.bool_]
) -> Quad:
    """Fit a line to the outline along each side and return where the lines meet."""
    lines = []
    for i in range(4):
        start, end = quad[i], quad[(i + 1) % 4]
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
        offset = outline - start
        position = offset @ along / max(float(np.linalg.norm(end - start)), 1e-9)
        distance = np.abs(offset @ np.array([-along[1], along[0]]))
        reach = 0.08 * float(np.linalg.norm(quad - np.roll(quad, 2, axis=0), axis=1).mean())
        near = (position > 0.08) & (position < 0.92) & (distance < reach) & ~is_cut
        if near.sum() < 6:
            lines.append(np.array([-along[1], along[0], along[1] * start[0] - along[0] * start[1]]))
            continue
        fitted = cv2.fitLine(outline[near].astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)
        dx, dy, x0, y0 = fitted.ravel().astype(float)
        lines.append(np.array([-dy, dx, dy * x0 - dx * y0]))
    corners = []
    for i in range(4):
        meeting = np.cross(lines[i - 1], lines[i])
        if abs(meeting[2]) < 1e-9:
            return quad
        corners.append(meeting[:2] / meeting[2])
    result = np.array(corners)
    # Nearly parallel neighbors run away: then the first guess is better.
    size = np.linalg.norm(quad - quad.mean(axis=0), axis=1).max()
    if np.linalg.norm(result - quad, axis=1).max() > 0.5 * size:
        return quad
    return result


def bright_quads(
    field: Map, known: NDArray[np.bool_], *, level: float = 0.5, smallest: float = 0.004
) -> list[Quad]:
    """Return a quadrilateral around each bright region, the largest first.

    Parameters
    ----------
    field
        (h, w), probability of lying on the board.
    known
        (h, w), where the map has a picture under it; an outline along its border is ignored.
    level
        What counts as bright.
    smallest
        Regions smaller than this part of the map are left out.
    """
    bright = (field > level).astype(np.uint8)
    found = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[-2]
    inner = cv2.erode(known.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0) > 0
    quads = []
    for contour in sorted(found, key=cv2.contourArea, reverse=True)[:3]:
        if cv2.contourArea(contour) < smallest * field.size:
            break
        outline = cv2.convexHull(contour).reshape(-1, 2).astype(float)
        if len(outline) < 4:
            continue
        dense = contour.reshape(-1, 2)
        is_cut = ~inner[dense[:, 1], dense[:, 0]]
        quad = _four_corners(outline)
        for _ in range(2):
            quad = _straightened(quad, dense.astype(float), is_cut)
        # The outline runs through the outermost bright pixels' centers, half a pixel inside.
        center = quad.mean(axis=0)
        quad = center + (quad - center) * (1 + 0.5 / max(1.0, float(np.abs(quad - center).mean())))
        # Sides that cross, or a sliver: no board looks like that.
        if cv2.contourArea(quad.astype(np.float32)) > 0.4 * cv2.contourArea(contour):
            quads.append(in_order(quad))
    return quads


def boxed(quad: Quad) -> Quad:
    """Return the smallest rectangle around a quadrilateral: a guess that no blur can skew."""
    return in_order(np.asarray(cv2.boxPoints(cv2.minAreaRect(quad.astype(np.float32))), float))


def snapped(quad: Quad, heat: Map, *, reach: float) -> Quad:
    """Move each corner to the center of the corner heat around it, where there is some."""
    result = quad.copy()
    height, width = heat.shape
    for i, (x, y) in enumerate(quad):
        x0, x1 = int(max(0, x - reach)), int(min(width, x + reach + 2))
        y0, y1 = int(max(0, y - reach)), int(min(height, y + reach + 2))
        window = heat[y0:y1, x0:x1]
        if window.size == 0 or window.max() < 0.3:
            continue
        row, column = np.unravel_index(int(window.argmax()), window.shape)
        top, left = max(0, int(row) - 2), max(0, int(column) - 2)
        peak = window[top : int(row) + 3, left : int(column) + 3]
        ys, xs = np.mgrid[0 : peak.shape[0], 0 : peak.shape[1]]
        total = peak.sum()
        result[i] = (
            x0 + left + (xs * peak).sum() / total,
            y0 + top + (ys * peak).sum() / total,
        )
    return result

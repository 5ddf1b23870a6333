"""Which intersections a hand, a sleeve or a bowl covers, and from which side it reaches in."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Side

Mask = NDArray[np.bool_]


def hidden_points(
    covered: NDArray[np.floating], *, certain: float = 0.5, beside: float = 0.15
) -> Mask:
    """Return which intersections something covers.

    Parameters
    ----------
    covered
        (N, N), [0, 1]: how probable it is that the point cannot be seen.
    certain
        From this on a point counts as covered by itself.
    beside
        From this on it counts as covered if it touches such a point: hands have no holes, and
        their rims are where a reader is deceived.

    Returns
    -------
    (N, N), True where the label of the point means nothing.
    """
    core = covered >= certain
    near = cv2.dilate(core.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return np.asarray(core | (near & (covered >= beside)))


def arm_sides(hidden: Mask, *, least_points: int = 4) -> frozenset[Side]:
    """Return the sides of the board from which a covering region enters.

    Parameters
    ----------
    hidden
        (N, N), True where a point is covered.
    least_points
        Smaller regions are no arms: a finger tip, a coin, a highlight.
    """
    count, regions = cv2.connectedComponents(hidden.astype(np.uint8), connectivity=8)
    sides: set[Side] = set()
    for region in range(1, count):
        mask = np.asarray(regions == region)
        if mask.sum() < least_points:
            continue
        rims = {
            Side.TOP: mask[0],
            Side.RIGHT: mask[:, -1],
            Side.BOTTOM: mask[-1],
            Side.LEFT: mask[:, 0],
        }
        sides |= {side for side, rim in rims.items() if rim.any()}
    return frozenset(sides)

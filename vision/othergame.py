"""Tell a Go board from the boards of other games, whose lines cross as regularly."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop import cut
from vision.geometry import apply_homography
from vision.lattice import sampled
from vision.look import TO_MAP, Levels, Look, crossings_in

Matrix = NDArray[np.floating[Any]]

MOST_SEEN_BEYOND = 0.45
"""See `seen_beyond`: at most 0.2 on 37 pictures of small Go boards, 0.68 and more on 87 drawn
boards of games with more lines."""

MOST_CHECKERED = 0.3
"""See `checkered`: at most 0.21 on 381 pictures of Go boards, 0.37 and more on 29 drawn chess
boards."""


PLACES = ((0, 0), (-0.2, -0.2), (0.2, 0.2), (0.2, -0.2), (-0.2, 0.2))
"""Where in a cell its brightness is taken: a piece or a stone hides some of them at most."""


def is_other_game(levels: Levels, look: Look) -> bool:
    """Tell whether the best grid of a look is part of, or like, the board of another game."""
    best = look.fits[0]
    if checkered(look) > MOST_CHECKERED:
        return True
    # No game has more lines than Go: only a small grid can be a part of a larger one.
    return best.size < 19 and seen_beyond(levels, look) > MOST_SEEN_BEYOND


def checkered(look: Look) -> float:
    """Return how far the brightness of cells alternates, as on a chess board; 0 to 1."""
    best = look.fits[0]
    cells = np.arange(best.size - 1) + 0.5
    centers = np.stack(np.meshgrid(cells, cells), axis=-1)
    signs = (-1.0) ** np.add.outer(np.arange(len(cells)), np.arange(len(cells)))
    to_crop = np.linalg.inv(TO_MAP) @ best.matrix
    smooth = cv2.GaussianBlur(look.crop.image, (0, 0), 1.5).astype(np.float32)
    strengths = []
    for place in PLACES:
        light = sampled(smooth, apply_homography(to_crop, centers + place)).mean(axis=2)
        light -= cv2.blur(light, (3, 3), borderType=cv2.BORDER_REFLECT)
        strengths.append(float((light * signs).mean()) / (float(light.std()) + 1e-6))
    # Stones that alternate darken one diagonal of a cell and brighten the other.
    agree = abs(sum(np.sign(strengths))) == len(PLACES)
    return float(np.median(np.abs(strengths))) if agree else 0.0


def seen_beyond(levels: Levels, look: Look) -> float:
    """Return the mean probability that lines cross one spacing beyond a side, of the worst side.

    The fine network looks once more: the crop of a small board ends less than a spacing outside.
    """
    best = look.fits[0]
    size = best.size
    wider = np.array([[size + 1, 0, -1], [0, size + 1, -1], [0, 0, 1.0]])
    crop = cut(levels, look.to_picture(best) @ wider)
    seen = crossings_in(crop)
    to_map = TO_MAP @ np.linalg.inv(crop.to_picture) @ look.to_picture(best)
    line, before, after = np.arange(size), np.full(size, -1), np.full(size, size)
    sides = [(line, before), (line, after), (before, line), (after, line)]
    means = []
    for x, y in sides:
        places = apply_homography(to_map, np.column_stack([x, y]).astype(float))
        known = sampled(seen.known.astype(np.float32), places) > 0.5
        if known.sum() > size / 2:
            means.append(float(sampled(seen.crossing, places)[known].mean()))
    return max(means, default=0.0)

"""Look at a supposed board with the fine network, again and again until the grid rests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop import Crop, cut, unit_to_crop
from vision.geometry import apply_homography, outer_corners
from vision.lattice import STRIDE, Evidence, LatticeFit, evidence, rival_fits
from vision.net import normalized, shipped_model
from vision.quads import Quad, bright_quads, in_order

Matrix = NDArray[np.floating[Any]]
Levels = tuple[NDArray[np.uint8], ...]
"""A picture and its halvings."""

TO_MAP = np.array(
    [[1 / STRIDE, 0, 0.5 / STRIDE - 0.5], [0, 1 / STRIDE, 0.5 / STRIDE - 0.5], [0, 0, 1]]
)
"""(3, 3), from pixels of a network's input to pixels of its maps."""


UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
"""Corners of the square between the outer lines, as `cut` wants it."""


@dataclass(frozen=True)
class Look:
    """One look of the fine network at a supposed board."""

    crop: Crop
    evidence: Evidence
    fits: tuple[LatticeFit, ...]
    """Hypotheses, best first."""

    def to_picture(self, fit: LatticeFit) -> Matrix:
        """Return the (3, 3) map from grid_xy to raw pixels of the picture that was cut from."""
        return np.asarray(self.crop.to_picture @ np.linalg.inv(TO_MAP) @ fit.matrix)


def look_at(
    levels: Levels,
    unit_to_picture: Matrix,
    sizes: Sequence[int],
    start_size: int | None = None,
) -> Look:
    """Cut out a supposed board and fit lattices to what the fine network sees in it.

    With `start_size` the unit square is believed to be the grid of a board of that size.
    """
    crop = cut(levels, unit_to_picture)
    seen = crossings_in(crop)
    start = None
    if start_size is not None:
        start = TO_MAP @ unit_to_crop() @ np.diag([1 / (start_size - 1), 1 / (start_size - 1), 1.0])
    return Look(crop, seen, tuple(rival_fits(seen, sizes, start=start)))


def crossings_in(crop: Crop) -> Evidence:
    """Return what the fine network sees in a rectified piece of a picture."""
    maps = shipped_model("grid")(normalized(crop.image, crop.known))[0]
    return evidence(maps, crop.known)


def _margin(look: Look) -> float:
    """Return by how much the best hypothesis beats the best one that is another grid."""
    best = look.fits[0]
    corners = apply_homography(best.matrix, outer_corners(best.size))
    cell = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    cell /= best.size - 1
    for fit in look.fits[1:]:
        others = apply_homography(fit.matrix, outer_corners(fit.size))
        if np.linalg.norm(others - corners, axis=1).mean() > 0.5 * cell:
            return best.score - fit.score
    return best.score


CONFIDENCE_WEIGHTS = (-8.0, 1.8, 6.4, 1.7, 0.5, 1.9, -2.0)
"""A constant and the weights of `confidence_terms`, by vision/training/heatmap_confidence.py."""


UNSETTLED = 0.7
"""Factor of the confidence when the last look did not find the grid where it was cut out."""


def confidence_terms(look: Look) -> tuple[float, ...]:
    """Return what the confidence depends on: see `LatticeFit`, and the margin in between."""
    best = look.fits[0]
    margin = min(_margin(look), 60.0) / 20
    return best.seen, best.overlap, best.matched, best.explained, margin, best.rms_cells


def confidence_of(look: Look) -> float:
    """Return the probability that the best hypothesis has the board's own outer lines."""
    constant, *weights = CONFIDENCE_WEIGHTS
    value = constant + float(np.dot(weights, confidence_terms(look)))
    settled = 1.0 if _is_centered(look) else UNSETTLED
    return float(settled / (1 + np.exp(-value)))


MOST_LOOKS = 6
"""How often one supposed board is cut out anew, each time where the look before has seen it."""

MOST_LOOKS_IN_ALL = 24
"""After so many looks no further guess is tried."""

PLAIN = 0.95
"""Above this confidence a board in the middle of the picture ends the search."""

CENTRAL = 0.4
"""A board so far from the middle of the picture, in half its sides, may be the neighbors'."""

WELL_SEEN = 0.6
"""From this share of crossings on, the lattice says better than the outline where the board is."""


def _is_trusted(fit: LatticeFit) -> bool:
    """Tell whether to cut the board out by its lattice, even if the window is still wrong."""
    return fit.seen >= WELL_SEEN or (fit.explained > 0.7 and fit.matched > 0.5)


def looks_at(levels: Levels, quad: Quad, sizes: Sequence[int]) -> list[Look]:
    """Look at a supposed board until a look finds it where it was cut out."""
    looks = [look_at(levels, unit_to(quad), sizes)]
    for number in range(1, MOST_LOOKS):
        look = looks[-1]
        best = look.fits[0] if look.fits else None
        if best is not None and _is_trusted(best):
            scale = np.diag([best.size - 1.0, best.size - 1.0, 1.0])
            again = look_at(levels, look.to_picture(best) @ scale, sizes, best.size)
            is_done = bool(again.fits) and again.fits[0].size == best.size and _is_centered(again)
        else:
            outline = _outline(look)
            if outline is None:
                break
            again = look_at(levels, unit_to(outline), sizes)
            is_done = (
                number >= 3
                and bool(again.fits)
                and (best is not None and again.fits[0].score < best.score)
            )
        looks.append(again)
        if is_done or not again.fits:
            break
    return looks


def _outline(look: Look) -> Quad | None:
    """Return the outline of what the fine network takes for the board, in the picture's pixels.

    Where the field runs on to the edge of the crop, the board is larger than it.
    """
    outlines = bright_quads(look.evidence.field, look.evidence.known, smallest=0.03)
    if not outlines:
        return None
    field = np.where(look.evidence.known, look.evidence.field, 0.0)
    rim = np.concatenate([field[0], field[-1], field[:, 0], field[:, -1]])
    center = outlines[0].mean(axis=0)
    growth = 1 + min(0.4, float((rim > 0.5).mean()))
    grown = center + growth * (outlines[0] - center)
    return apply_homography(look.crop.to_picture @ np.linalg.inv(TO_MAP), grown)


def unit_to(corners: Quad) -> Matrix:
    return np.asarray(cv2.getPerspectiveTransform(UNIT, in_order(corners).astype(np.float32)))


def best_looks(
    levels: Levels, quads: Sequence[Quad], sizes: Sequence[int], *, most: int = MOST_LOOKS_IN_ALL
) -> list[Look]:
    """Look at the supposed boards one after the other; the last look is the one to believe."""
    looks: list[Look] = []
    best: Look | None = None
    height, width = levels[0].shape[:2]
    whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    # The whole picture comes last: the fine network may see what the coarse one has missed.
    for quad in [*quads[:7], whole]:
        some = looks_at(levels, quad, sizes)
        looks.extend(some)
        fitting = [look for look in some if look.fits]
        if not fitting:
            continue
        last = fitting[-1]
        if not _is_centered(last):
            last = max(fitting[-2:], key=lambda look: look.fits[0].score)
        if best is None or _is_better(last, best, width, height):
            best = last
        if is_plain([best], levels[0].shape) or len(looks) >= most:
            break
    return looks if best is None else [*looks, best]


def is_plain(looks: Sequence[Look], shape: tuple[int, ...]) -> bool:
    """Tell whether the last look shows a board that must be the one that is meant.

    Of two boards on one table, that is the one in the middle of the picture (height, width).
    """
    height, width = shape[:2]
    if not looks or not looks[-1].fits or confidence_of(looks[-1]) <= PLAIN:
        return False
    last = looks[-1]
    return _is_inside(last, width, height) and _off_center(last, width, height) < CENTRAL


def better_of(some: Sequence[Look], others: Sequence[Look], shape: tuple[int, ...]) -> list[Look]:
    """Return of two searches the last look that is worth more, if there is any."""
    height, width = shape[:2]
    last = [looks[-1] for looks in (some, others) if looks and looks[-1].fits]
    if len(last) == 2 and _is_better(last[1], last[0], width, height):
        return last[1:]
    return last[:1]


def _is_inside(look: Look, width: int, height: int) -> bool:
    """Tell whether the best fit's corners lie in the picture, up to about a line spacing."""
    best = look.fits[0]
    corners = apply_homography(look.to_picture(best), outer_corners(best.size))
    cell = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    cell /= best.size - 1
    limit = np.array([width - 1, height - 1]) + 0.6 * cell
    return bool(((corners > -0.6 * cell) & (corners < limit)).all())


def _is_better(one: Look, other: Look, width: int, height: int) -> bool:
    """Tell whether one supposed board is worth more than another.

    Of two boards, the whole one is meant. But thirteen lines in the picture, of a board of which
    nineteen are plain although some lie outside, are no board: there the scores alone decide.
    """
    if _is_part(one, other) or _is_part(other, one):
        return one.fits[0].score > other.fits[0].score
    return _merit(one, width, height) > _merit(other, width, height)


def _is_part(one: Look, other: Look) -> bool:
    """Tell whether the middle of one supposed board lies on another."""
    best = one.fits[0]
    middle = apply_homography(one.to_picture(best), np.full((1, 2), (best.size - 1) / 2))[0]
    outline = apply_homography(other.to_picture(other.fits[0]), outer_corners(other.fits[0].size))
    place = (float(middle[0]), float(middle[1]))
    return bool(cv2.pointPolygonTest(outline.astype(np.float32), place, False) > 0)


def _merit(look: Look, width: int, height: int) -> float:
    """Return what one supposed board is worth beside another: a whole one is worth more."""
    score = look.fits[0].score
    if score <= 0:
        return score
    score *= 1 - 0.5 * min(1.0, _off_center(look, width, height))
    return score if _is_inside(look, width, height) else 0.4 * score


def _off_center(look: Look, width: int, height: int) -> float:
    """Return how far a supposed board lies from the picture's center; 1: at its edge."""
    best = look.fits[0]
    middle = np.full((1, 2), (best.size - 1) / 2)
    half = np.array([width, height]) / 2
    away = np.abs(apply_homography(look.to_picture(best), middle)[0] - half) / half
    return float(away.max())


def _is_centered(look: Look) -> bool:
    """Tell whether the best fit's corners lie where the crop was cut for them."""
    best = look.fits[0]
    corners = apply_homography(best.matrix, outer_corners(best.size))
    meant = apply_homography(TO_MAP @ unit_to_crop(), outer_corners(2))
    side = float(np.linalg.norm(meant[1] - meant[0]))
    return bool(np.abs(corners - meant).max() < 0.3 * side / (best.size - 1))

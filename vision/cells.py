"""What the reader's network says about a rectified board: one answer a cell."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import grid_to_raw_px, rectify, rectify_map
from vision.net import shipped_model
from vision.types import GridFit

CELL_PX = 16
"""Pixels per line spacing that the reader sees; the network answers once a cell."""

MARGIN = 2
"""Cells of the answer outside the lines; the picture has half a cell more."""

MODEL = "stones"

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Cells:
    """The network's answer, a cell each, R = N + 2 * MARGIN."""

    points: Floats
    """(R, R, 4), sums to 1: empty, black, white, cannot tell."""

    offsets: Floats
    """(R, R, 2), (col, row) in cells: from the cell's center to the crossing on the wood."""

    stones: Floats
    """(R, R, 3), sums to 1: no, a black or a white stone has its center in this cell."""

    centers: Floats
    """(R, R, 2), (col, row) in cells: from the cell's center to the stone's."""


CELL_ARRAYS = ("points", "offsets", "stones", "centers")


@dataclass(frozen=True)
class Light:
    """How the colors of one board are brought to the network's scale."""

    mean: Floats
    """(3,) BGR."""

    spread: Floats
    """(3,) BGR."""


def light_of(image: Image, known: Mask) -> Light:
    """Return mean and spread of the colors; the same rule as `vision.net.normalized`."""
    if not known.any():
        return Light(np.zeros(3, np.float32), np.ones(3, np.float32))
    mean, spread = (v[:, 0] for v in cv2.meanStdDev(image, mask=known.astype(np.uint8)))
    floor = max(0.3 * float(spread.max()), 2.0)
    return Light(mean.astype(np.float32), np.maximum(spread, floor).astype(np.float32))


def inside(sampling: Floats, image: Image) -> Mask:
    """Return where a sampling map (S, S, 2) stays inside the picture."""
    height, width = image.shape[:2]
    return np.asarray(cv2.inRange(sampling, (0.0, 0.0), (width - 1.0, height - 1.0))) > 0


def shrink_factor(fit: GridFit, cell_px: int) -> int:
    """Return by how much a picture may be shrunk and still show `cell_px` pixels a line spacing."""
    middle = (fit.size - 1) / 2
    spots = np.array([[middle, middle], [middle + 1, middle], [middle, middle + 1]])
    center, right, down = grid_to_raw_px(fit, spots)
    shorter = min(np.linalg.norm(right - center), np.linalg.norm(down - center))
    # A grid far outside the picture has no spacing that a lens could show.
    return int(np.clip(np.nan_to_num(shorter / (0.9 * cell_px), posinf=1.0), 1, 16))


def rectified(image: Image, sampling: Floats, factor: int) -> Image:
    """Sample a picture through a map of `rectify_map`, shrinking it by a whole factor before.

    Sampling a large picture thinly would make patterns that are not there.
    """
    if factor < 2:
        return rectify(image, sampling)
    size = (image.shape[1] // factor, image.shape[0] // factor)
    whole = image[: size[1] * factor, : size[0] * factor]
    small = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)
    # The first small pixel's center lies at (factor - 1) / 2 of the large picture.
    return rectify(small, ((sampling - (factor - 1) / 2) / factor).astype(np.float32))


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float32)


def run_cells(image: Image, known: Mask, light: Light) -> Cells:
    """Read a rectified board or a part of it.

    Parameters
    ----------
    image
        (16 R, 16 C, 3) BGR.
    known
        (16 R, 16 C), False where the picture has no content.
    """
    pixels = (image.astype(np.float32) - light.mean) / light.spread
    pixels[~known] = 0.0
    blob = np.ascontiguousarray(pixels.transpose(2, 0, 1)[None], np.float32)
    answer = shipped_model(MODEL)(blob)[0].transpose(1, 2, 0)
    return Cells(
        _softmax(answer[..., :4]), answer[..., 4:6], _softmax(answer[..., 6:9]), answer[..., 9:11]
    )


def reader_sampling(fit: GridFit) -> Floats:
    """Return the map of `rectify_map` for the reader, exact at four places a cell."""
    coarse = rectify_map(fit, cell=4, margin_cells=MARGIN + 0.5)
    # Undoing a lens is slow; between the places the map is as good as linear.
    return resized(coarse, (fit.size + 2 * MARGIN) * CELL_PX)


def resized(sampling: Floats, side: int) -> Floats:
    """Return a sampling map of the same board with another number of pixels a side."""
    return np.asarray(
        cv2.resize(sampling, (side, side), interpolation=cv2.INTER_LINEAR), np.float32
    )

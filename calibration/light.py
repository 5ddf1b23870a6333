"""The light on the board: how wood and stones look, where it glares, where shadows end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import WIDEST_HEIGHT, estimate_focal, pose_of, raised
from vision.geometry import grid_to_raw_px, intersections, rectify, rectify_map
from vision.types import Frame, GridFit, Label, StoneReading

Image = NDArray[np.uint8]
Map = NDArray[np.float64]

CELL_PX = 16
"""Pixels per line spacing in which the light is measured."""

WHITE_OUT = 240
"""A pixel whose darkest color is at least so bright shows the lamp, not the wood."""

CLIPPED = 253
"""From this value on a color carries nothing."""

GLARE_SHARE = 0.15
"""A point glares from this share of white-out on: about a stone's highlight."""

SHADOW_STEP = 1.35
"""Neighboring empty points whose brightness differs by this factor have a shadow's edge between
them."""

LEAST_POINTS = 4
"""Fewer points of a kind do not tell how it looks."""


@dataclass(frozen=True, slots=True)
class Look:
    """The color of something in this light; the median over its points."""

    blue: float
    green: float
    red: float

    @property
    def brightness(self) -> float:
        """Luma, 0-255 (ITU-R BT.601)."""
        return 0.114 * self.blue + 0.587 * self.green + 0.299 * self.red


@dataclass(frozen=True)
class Light:
    """The light of one frame on one board."""

    wood: Look | None
    black: Look | None
    white: Look | None
    """None where fewer than four points show it."""

    clipped: float
    """Share of the pixels on the board whose green is at the end of its range."""

    glaring: NDArray[np.bool_]
    """(N, N), points on which a lamp is mirrored; white stones are no lamps."""

    shadow_edges: float
    """Share of neighboring pairs of empty points with a shadow's edge between them."""

    brightest: float
    """95th percentile of the luma on the board, 0-255."""


def measure_light(frame: Frame, fit: GridFit, reading: StoneReading) -> Light:
    """Measure the light on a board that has been read; `fit` and `reading` in one orientation."""
    cells = _cells(frame.image, fit)
    core = cells[:, :, 4:12, 4:12]
    sure = reading.visible & (reading.confidence > 0.9)
    empty = sure & (reading.labels == Label.EMPTY)
    is_white = sure & (reading.labels == Label.WHITE)
    luma = _luma(cells)
    points = _stone_points(frame.image, fit)
    # The lines cross in the middle of a cell: wood shows between them.
    wood = np.median(np.delete(cells, slice(6, 10), axis=2)[:, :, :, :5], axis=(2, 3))
    return Light(
        wood=_look(wood[empty]),
        black=_look(points[sure & (reading.labels == Label.BLACK)]),
        white=_look(points[is_white]),
        clipped=float((cells[..., 1] >= CLIPPED).mean()),
        # A reader that is dazzled says that it cannot see: such points count.
        glaring=(_white_share(core) > GLARE_SHARE) & ~is_white,
        shadow_edges=_shadow_edges(np.median(luma, axis=(2, 3)), empty),
        brightest=float(np.percentile(luma, 95)),
    )


def _cells(image: Image, fit: GridFit) -> NDArray[np.uint8]:
    """Return (N, N, CELL_PX, CELL_PX, 3): the pixels of each point's cell."""
    flat = rectify(image, rectify_map(fit, cell=CELL_PX, margin_cells=0.5))
    split = flat.reshape(fit.size, CELL_PX, fit.size, CELL_PX, 3)
    return np.asarray(split.transpose(0, 2, 1, 3, 4), np.uint8)


def _white_share(cells: NDArray[np.uint8]) -> Map:
    return np.asarray((cells.min(axis=-1) >= WHITE_OUT).mean(axis=(2, 3)))


def _luma(pixels: NDArray[np.uint8]) -> Map:
    return np.asarray(pixels.astype(np.float32) @ np.array([0.114, 0.587, 0.299], np.float32))


def _stone_points(image: Image, fit: GridFit) -> Map:
    """Return (N, N, 3): the color where a stone's body appears, which is not over its foot."""
    pose = pose_of(fit, estimate_focal([fit]).focal_px)
    spots = grid_to_raw_px(raised(fit, pose, WIDEST_HEIGHT), intersections(fit.size))
    around = np.stack(np.meshgrid([-0.15, 0.0, 0.15], [-0.15, 0.0, 0.15]), axis=-1).reshape(-1, 2)
    places = (spots[:, :, None] + around * fit.cell_px).astype(np.float32)
    colors = rectify(image, places.reshape(fit.size, -1, 2))
    return np.asarray(np.median(colors.reshape(fit.size, fit.size, 9, 3), axis=2))


def _look(colors: Map) -> Look | None:
    if len(colors) < LEAST_POINTS:
        return None
    return Look(*(float(value) for value in np.median(colors, axis=0)))


def _shadow_edges(luma: Map, empty: NDArray[np.bool_]) -> float:
    """Return the share of neighboring empty points between which the light changes sharply."""
    steps, count = 0, 0
    for values, known in ((luma, empty), (luma.T, empty.T)):
        both = known[1:] & known[:-1]
        ratio = (values[1:][both] + 8.0) / (values[:-1][both] + 8.0)
        steps += int((np.maximum(ratio, 1 / ratio) > SHADOW_STEP).sum())
        count += int(both.sum())
    return steps / count if count else 0.0


@dataclass(frozen=True, slots=True)
class Flicker:
    """How the light changes from frame to frame under lamps on the mains."""

    brightness: float
    """Standard deviation of the board's brightness over the frames, relative."""

    banding: float
    """The same along the picture's rows within one frame: the stripes of a rolling shutter."""


def measure_flicker(frames: Sequence[Frame], fit: GridFit) -> Flicker | None:
    """Measure flicker over at least four frames of a board that rests; None for fewer."""
    if len(frames) < 4:
        return None
    grid = np.stack(np.meshgrid(*[np.linspace(0, fit.size - 1, 48)] * 2), axis=-1)
    places = grid_to_raw_px(fit, grid).astype(np.float32)
    seen = np.stack([rectify(_soft_green(frame.image), places) for frame in frames])
    seen = seen.astype(float)
    usual = np.median(seen, axis=0) + 8.0
    # A hand changes a part of the board, a lamp all of it: the median over points is the lamp's.
    ratio = (seen + 8.0) / usual
    whole = np.median(ratio, axis=(1, 2))
    trend = np.polyval(np.polyfit(np.arange(len(whole)), whole, 1), np.arange(len(whole)))
    return Flicker(
        float((whole - trend).std()), _banding(ratio / whole[:, None, None], places[..., 1])
    )


def _soft_green(image: Image) -> Image:
    return np.asarray(cv2.blur(np.ascontiguousarray(image[..., 1]), (5, 5)), np.uint8)


def _banding(ratio: Map, rows: NDArray[np.float32]) -> float:
    """Return the median over the frames of how much stripes of 1/16 of the board differ."""
    edges = np.quantile(rows, np.linspace(0, 1, 17))
    stripe = np.clip(np.searchsorted(edges, rows.ravel()) - 1, 0, 15)
    flat = ratio.reshape(len(ratio), -1)
    stripes = np.stack([np.median(flat[:, stripe == k], axis=1) for k in range(16)], axis=1)
    return float(np.median(stripes.std(axis=1)))

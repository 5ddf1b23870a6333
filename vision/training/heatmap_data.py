"""Turn pictures with known grids into what the two networks learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop import CROP_PX, cut, halvings, unit_to_crop
from vision.geometry import (
    apply_homography,
    intersections,
    rectify,
    undistort_points,
)
from vision.net import normalized
from vision.training.cameras import Camera, neighbor_camera, random_camera
from vision.training.patterns import ground
from vision.training.photos import BoardPicture
from vision.training.relight import coarsened, relit
from vision.training.scenes import draw_arm

Array = NDArray[np.float32]
Matrix = NDArray[np.floating[Any]]
STRIDE = 4
BORDER_PX = 10
UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True)
class Sample:
    """One training example."""

    blob: Array
    """(3, H, W), normalized picture."""

    target: Array
    """(C, H / 4, W / 4), what the maps should be."""

    weight: Array
    """(C, H / 4, W / 4), 0 where the target says nothing."""


@dataclass(frozen=True)
class Prepared:
    """A picture ready to be cut from many times: its lens is taken out."""

    picture: BoardPicture
    levels: tuple[NDArray[np.uint8], ...]
    """The undistorted picture and its halvings."""

    unit_to_px: Matrix | None
    """(3, 3), from the unit square between the outer lines to its pixels."""


def prepared(picture: BoardPicture) -> Prepared:
    """Take the lens out of a picture and compute its halvings."""
    grid, image = picture.grid, picture.image
    if grid is None:
        return Prepared(picture, halvings(image), None)
    camera = grid.camera
    if camera.k1 or camera.k2:
        height, width = image.shape[:2]
        ideal = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(float)
        # One step of the fixed-point inverse is plenty: these lenses bend by a few pixels.
        raw = ideal - (undistort_points(camera, ideal) - ideal)
        raw = ideal - (undistort_points(camera, raw) - raw)
        image = rectify(image, raw.astype(np.float32))
    unit = np.diag([grid.size - 1.0, grid.size - 1.0, 1.0])
    return Prepared(picture, halvings(image), grid.homography @ unit)


def _jittered(rng: np.random.Generator, strength: float) -> NDArray[np.float32]:
    """Return (4, 2): the unit square's corners as a coarse search would find them."""
    corners = UNIT + rng.normal(0, 0.35 * strength, (4, 2))
    corners = (corners - 0.5) * (1 + rng.uniform(-1, 1, 2) * strength) + 0.5
    turn = rng.normal(0, 0.5 * strength)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = (corners - 0.5) @ spin + 0.5 + rng.uniform(-0.5, 0.5, 2) * strength
    if rng.random() < 0.5:
        corners = corners[:, ::-1]
    return np.asarray(np.roll(corners, rng.integers(0, 4), axis=0), np.float32)


def _wild(rng: np.random.Generator, size: int) -> NDArray[np.float32]:
    """Return (4, 2): a square that shows a part of the board only, or much around it.

    Without such samples the network sees nineteen lines in every crop.
    """
    widest = {19: 0.3, 13: 0.6, 9: 0.8}.get(size, 0.3)
    shared = rng.uniform(-0.8, widest)
    scale = np.exp(np.minimum(shared + rng.normal(0, 0.25, 2), widest))
    turn = rng.normal(0, 0.25)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = ((UNIT - 0.5) * scale) @ spin + 0.5 + rng.uniform(-0.3, 0.3, 2)
    corners = corners + rng.normal(0, 0.08, (4, 2)) * scale
    if rng.random() < 0.5:
        corners = corners[:, ::-1]
    return np.asarray(np.roll(corners, rng.integers(0, 4), axis=0), np.float32)


def _window(points: Matrix, shape: tuple[int, int], reach: int) -> tuple[Matrix, NDArray[np.int64]]:
    """Return the map pixels (row, col) around each (x, y) point, and their offsets to it (x, y)."""
    steps = np.moveaxis(np.mgrid[-reach : reach + 1, -reach : reach + 1], 0, -1).reshape(-1, 2)
    pixels = np.round(points[:, ::-1]).astype(np.int64)[:, None] + steps
    offsets = points[:, None] - pixels[..., ::-1]
    pixels, offsets = pixels.reshape(-1, 2), offsets.reshape(-1, 2)
    kept = ((pixels >= 0) & (pixels < np.array(shape))).all(axis=1)
    return offsets[kept], pixels[kept]


def _heat(points: Matrix, shape: tuple[int, int], sigma: float) -> Array:
    """Return (H, W): a Gaussian of height 1 on each of the (N, 2) points, in map pixels."""
    heat = np.zeros(shape, np.float32)
    offsets, pixels = _window(points, shape, int(np.ceil(2.5 * sigma)))
    value = np.exp(-(offsets**2).sum(axis=1) / (2 * sigma**2)).astype(np.float32)
    np.maximum.at(heat, (pixels[:, 0], pixels[:, 1]), value)
    return heat


def _inside(corners: Matrix, shape: tuple[int, int]) -> Array:
    """Return (H, W): the share of each map pixel inside the quadrilateral, in map pixels."""
    fine = np.zeros((shape[0] * STRIDE, shape[1] * STRIDE), np.uint8)
    points = (corners + 0.5) * STRIDE - 0.5
    cv2.fillConvexPoly(fine, np.round(points * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    small = cv2.resize(fine, (shape[1], shape[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(small / 255.0, np.float32)


def _to_map(points_px: Matrix) -> Matrix:
    return (points_px + 0.5) / STRIDE - 0.5


def _offsets(points: Matrix, shape: tuple[int, int]) -> tuple[Array, Array]:
    """Return (2, H, W) offsets to the nearest point where it is near, and (H, W) where it is."""
    offset, near = np.zeros((2, *shape), np.float32), np.zeros(shape, np.float32)
    offsets, pixels = _window(points, shape, 1)
    # The nearest point is written last.
    order = np.argsort(-(offsets**2).sum(axis=1))
    rows, columns = pixels[order].T
    offset[:, rows, columns] = offsets[order].T
    near[rows, columns] = 1.0
    return offset, near


def _with_arms(
    rng: np.random.Generator, image: NDArray[np.uint8], thick_px: tuple[float, float]
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    image = image.copy()
    cover = np.zeros(image.shape[:2], np.bool_)
    for _ in range(int(rng.integers(1, 3))):
        target = rng.uniform(0.05, 0.95, 2) * image.shape[1::-1]
        cover |= draw_arm(rng, image, target, rng.uniform(*thick_px))
    return image, cover


def _shaded(cover: NDArray[np.bool_]) -> Array:
    shape = (cover.shape[1] // STRIDE, cover.shape[0] // STRIDE)
    small = cv2.resize(cover.astype(np.float32), shape, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def crossing_sample(rng: np.random.Generator, source: Prepared) -> Sample:
    """Return a rectified board as a coarse search would cut it out, for the fine network."""
    # Mostly far off: otherwise the network learns where a grid usually lies, not where it is.
    strength = 0.01 if rng.random() < 0.12 else rng.uniform(0.04, 0.2)
    side = CROP_PX // STRIDE
    if source.unit_to_px is None or source.picture.grid is None:
        return _crossing_negative(rng, source)
    # The crop's unit square is the jittered one; the true square lies somewhere in it.
    size = source.picture.grid.size
    coarse = _wild(rng, size) if rng.random() < 0.3 else _jittered(rng, strength)
    jitter = cv2.getPerspectiveTransform(UNIT, coarse)
    crop = cut(source.levels, source.unit_to_px @ jitter)
    to_crop = unit_to_crop() @ np.linalg.inv(jitter)
    grid = intersections(size) / (size - 1)
    points = apply_homography(to_crop, grid.reshape(-1, 2))
    image, cover = crop.image, np.zeros(crop.known.shape, np.bool_)
    if rng.random() < 0.25:
        image, cover = _with_arms(rng, image, (8, 30))
    if rng.random() < 0.5:
        image = coarsened(rng, image, 2.4)
    blob = normalized(relit(rng, image), crop.known)[0]
    unclear = np.zeros((size, size), np.bool_)
    for row, column in source.picture.unclear:
        unclear[row, column] = True
    weight = np.ones((5, side, side), np.float32)
    hidden = _heat(_to_map(points[unclear.ravel()]), (side, side), 1.5) > 0.1
    shade = _shaded(cover | ~crop.known) > 0.5
    weight[[0, 3], :, :] = np.where(hidden | shade, 0.0, 1.0)
    outer = np.ones((size, size), np.bool_)
    outer[1:-1, 1:-1] = False
    at = _to_map(points)
    target = np.zeros((5, side, side), np.float32)
    target[0] = _heat(at, (side, side), 0.9)
    target[1:3], near = _offsets(at, (side, side))
    weight[1:3] = near * np.where(hidden | shade, 0.0, 1.0)
    target[3] = _heat(at[outer.ravel()], (side, side), 0.9)
    target[4] = _inside(_to_map(apply_homography(to_crop, UNIT.astype(float))), (side, side))
    return Sample(blob, target, weight)


def _crossing_negative(rng: np.random.Generator, source: Prepared) -> Sample:
    side = CROP_PX // STRIDE
    height, width = source.levels[0].shape[:2]
    center = rng.uniform(0.3, 0.7, 2) * (width, height)
    corners = center + (UNIT - 0.5) * rng.uniform(0.3, 0.9) * min(width, height)
    corners += rng.normal(0, 0.06 * min(width, height), (4, 2))
    unit = np.asarray(cv2.getPerspectiveTransform(UNIT, corners.astype(np.float32)), float)
    crop = cut(source.levels, unit)
    blob = normalized(relit(rng, crop.image), crop.known)[0]
    weight = np.ones((5, side, side), np.float32)
    weight[1:3] = 0.0
    return Sample(blob, np.zeros((5, side, side), np.float32), weight)


CANVASES = ((256, 192), (256, 160), (192, 256))
"""(width, height) of the small pictures that the coarse network learns from."""


def board_sample(
    rng: np.random.Generator,
    source: Prepared,
    others: Sequence[Prepared],
    canvas: tuple[int, int],
) -> Sample:
    """Return a small whole picture, for the coarse network."""
    width, height = canvas
    inner = (width - 2 * BORDER_PX, height - 2 * BORDER_PX)
    unit: Matrix | None
    if source.unit_to_px is not None and rng.random() < 0.5:
        image, unit = _pasted(rng, source, others, inner)
    else:
        image, unit = _reframed(rng, source, inner)
    if rng.random() < 0.25:
        image, _ = _with_arms(rng, image, (4, 22))
    if rng.random() < 0.3:
        image = coarsened(rng, image, 1.6)
    image = relit(rng, image)
    full = np.zeros((height, width, 3), np.uint8)
    known = np.zeros((height, width), np.bool_)
    inside = np.s_[BORDER_PX:-BORDER_PX, BORDER_PX:-BORDER_PX]
    full[inside], known[inside] = image, True
    shape = (height // STRIDE, width // STRIDE)
    target = np.zeros((2, *shape), np.float32)
    if unit is not None:
        corners = _to_map(apply_homography(unit, UNIT.astype(float)) + BORDER_PX)
        target[0] = _inside(corners, shape)
        target[1] = _heat(corners, shape, 1.1)
    return Sample(normalized(full, known)[0], target, np.ones_like(target))


def _reframed(
    rng: np.random.Generator, source: Prepared, inner: tuple[int, int]
) -> tuple[NDArray[np.uint8], Matrix | None]:
    """Show the whole picture, or a part of it that holds the board, turned and tilted a bit."""
    levels = source.levels
    height, width = levels[0].shape[:2]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    if source.unit_to_px is not None and rng.random() < 0.6:
        corners = apply_homography(source.unit_to_px, UNIT.astype(float))
        low, high = corners.min(axis=0), corners.max(axis=0)
        reach = (high - low).max() * rng.uniform(0.03, 1.0, 4)
        low, high = low - reach[:2], high + reach[2:]
        low, high = np.maximum(low, -0.02 * width), np.minimum(high, [1.02 * width, 1.02 * height])
        frame = np.array(
            [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]]
        )
    middle = frame.mean(axis=0)
    extent = frame.max(axis=0) - frame.min(axis=0)
    # Keep the shape of things: the view has the canvas's aspect.
    scale = max(extent[0] / inner[0], extent[1] / inner[1])
    view = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(inner) * scale / 2
    turn = rng.normal(0, 0.12) + (rng.integers(0, 4) * np.pi / 2 if rng.random() < 0.3 else 0.0)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    view = view @ spin.T + middle + rng.normal(0, 0.05, (4, 2)) * extent.mean()
    small = np.array([[0, 0], [inner[0], 0], [inner[0], inner[1]], [0, inner[1]]], np.float32)
    level = int(np.clip(np.floor(np.log2(scale / 1.2) + 1), 0, len(levels) - 1))
    factor = 0.5**level
    warp = cv2.getPerspectiveTransform((view * factor).astype(np.float32), small)
    # Never mirror: a second board would appear where the first one leaves the picture.
    border = cv2.BORDER_REPLICATE if rng.random() < 0.3 else cv2.BORDER_CONSTANT
    image = cv2.warpPerspective(
        levels[level], warp, inner, flags=cv2.INTER_LINEAR, borderMode=border
    )
    if source.unit_to_px is None:
        return np.asarray(image, np.uint8), None
    shrink = np.diag([factor, factor, 1.0])
    return np.asarray(image, np.uint8), np.asarray(warp @ shrink @ source.unit_to_px)


def _elsewhere(
    rng: np.random.Generator, others: Sequence[Prepared], inner: tuple[int, int]
) -> NDArray[np.uint8]:
    """Return a background without a board: a surface, or the room beside another board."""
    other = others[int(rng.integers(0, len(others)))]
    image = other.levels[min(1, len(other.levels) - 1)]
    height, width = image.shape[:2]
    if rng.random() < 0.5 or other.unit_to_px is None:
        texture = ground(rng, inner[1], inner[0])
        corners = UNIT * np.array(inner, np.float32)
        bent = corners + rng.normal(0, 0.15, (4, 2)).astype(np.float32) * inner[0]
        warp = cv2.getPerspectiveTransform(corners, bent.astype(np.float32))
        drawn = cv2.warpPerspective(texture, warp, inner, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(drawn, np.uint8)
    factor = image.shape[1] / other.levels[0].shape[1]
    corners = apply_homography(other.unit_to_px, UNIT.astype(float)) * factor
    # The largest strip beside the board; half the rim of the wood is cut away with it.
    low = corners.min(axis=0) - 0.06 * width
    high = corners.max(axis=0) + 0.06 * width
    strips = [
        image[: max(0, int(low[1]))],
        image[min(height, int(high[1])) :],
        image[:, : max(0, int(low[0]))],
        image[:, min(width, int(high[0])) :],
    ]
    strip = max(strips, key=lambda s: s.shape[0] * s.shape[1])
    if min(strip.shape[:2]) < 24:
        strip = ground(rng, inner[1], inner[0])
    return np.asarray(cv2.resize(strip, inner, interpolation=cv2.INTER_AREA), np.uint8)


def _pasted(
    rng: np.random.Generator,
    source: Prepared,
    others: Sequence[Prepared],
    inner: tuple[int, int],
) -> tuple[NDArray[np.uint8], Matrix]:
    """Photograph the board again from another side, on another table, perhaps beside another."""
    assert source.picture.grid is not None
    size = source.picture.grid.size
    image = _elsewhere(rng, others, inner)
    camera = random_camera(rng, inner[0], inner[1], size + 1.0)
    neighbor = others[int(rng.integers(0, len(others)))] if rng.random() < 0.25 else None
    if neighbor is not None and neighbor.unit_to_px is not None:
        beside = neighbor_camera(rng, camera, size, inner)
        if beside is not None:
            _laid(rng, image, beside, neighbor, size)
    return image, _laid(rng, image, camera, source, size)


def _laid(
    rng: np.random.Generator,
    image: NDArray[np.uint8],
    camera: Camera,
    source: Prepared,
    size: int,
) -> Matrix:
    """Draw a photographed board at the origin, as large as one of `size` lines; in place.

    Returns the (3, 3) homography from the unit square between its outer lines to pixels.
    """
    assert source.unit_to_px is not None
    last = size - 1
    aspect = rng.uniform(1.0, 1.1)
    place = np.array([[last, 0, -last / 2], [0, last * aspect, -last / 2 * aspect], [0, 0, 1.0]])
    unit = camera.plane(0.0) @ place
    margin = rng.uniform(0.5, 1.2) / last
    square = (UNIT - 0.5) * (1 + 2 * margin) + 0.5
    top = apply_homography(unit, square.astype(float))
    thick = float(rng.choice([0.1, rng.uniform(0.3, 1.5), rng.uniform(1.5, 6)]))
    foot = apply_homography(camera.plane(-thick) @ place, square.astype(float))
    color = np.median(source.levels[-1].reshape(-1, 3), axis=0)
    for i in range(4):
        face = np.round([top[i], top[i - 1], foot[i - 1], foot[i]]).astype(np.int32)
        shade = tuple(np.clip(color * rng.uniform(0.3, 1.0), 0, 255))
        cv2.fillConvexPoly(image, face, shade, cv2.LINE_AA)
    step = np.sqrt(abs(np.linalg.det(source.unit_to_px[:2, :2])) / abs(np.linalg.det(unit[:2, :2])))
    level = int(np.clip(np.floor(np.log2(step) + 0.8), 0, len(source.levels) - 1))
    shrink = np.diag([0.5**level, 0.5**level, 1.0])
    warp = unit @ np.linalg.inv(shrink @ source.unit_to_px)
    shape = (image.shape[1], image.shape[0])
    drawn = cv2.warpPerspective(
        source.levels[level], warp, shape, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    cover = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(cover, np.round(top * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    share = cover[..., None].astype(np.float32) / 255
    image[:] = (image * (1 - share) + drawn * share).astype(np.uint8)
    return np.asarray(unit)

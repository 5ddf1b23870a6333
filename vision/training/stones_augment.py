"""Make many views of one rectified board: crooked grids, other light, hands, cut borders."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import intersections
from vision.net import normalized
from vision.training.relight import relit
from vision.training.stones_data import CELL_PX, MARGIN_CELLS, Board
from vision.training.stones_glare import shone_on
from vision.training.stones_paste import Pasted, paste_stones
from vision.training.stones_truth import COVERED, UNKNOWN

READER_CELL_PX = 16
READER_MARGIN_CELLS = 2.5
MARGIN = 2
"""Cells of the answer outside the lines."""

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass
class View:
    """A picture on its way to becoming a sample; everything is turned and hidden together."""

    image: Image
    """(S, S, 3) BGR at CELL_PX."""

    known: NDArray[np.bool_]
    labels: NDArray[np.uint8]
    """(N, N)."""

    corner_weight: float
    pasted: list[Pasted] = field(default_factory=list)


@dataclass(frozen=True)
class Sample:
    """What the network gets and must answer."""

    pixels: Floats
    """(3, 16 R, 16 R), R = N + 4."""

    labels: NDArray[np.uint8]
    """(N, N)."""

    offsets: Floats
    """(N, N, 2): (col, row) from the cell's center to the crossing, in cells."""

    corner_weight: float

    stones: NDArray[np.uint8]
    """(R, R): no, a black or a white stone has its center in this cell; or UNKNOWN."""

    centers: Floats
    """(R, R, 3): (col, row) from the cell's center to the stone's, in cells; and its weight."""


def _turned(board: Board, rng: np.random.Generator) -> View:
    quarter, mirror = int(rng.integers(4)), rng.random() < 0.5

    def turn(array: NDArray[Any]) -> NDArray[Any]:
        turned = np.rot90(array, quarter, axes=(0, 1))
        # Always a copy: what is painted over a sample must not stay in the stored labels.
        return np.array(turned[:, ::-1] if mirror else turned, order="C")

    return View(turn(board.image()), turn(board.known()), turn(board.labels), board.corner_weight)


def share_covered(mask: NDArray[np.uint8], size: int) -> NDArray[np.float64]:
    """Return (N, N): the share of each point's surroundings that a mask (S, S) covers."""
    box = round(0.8 * CELL_PX) | 1
    smooth = cv2.blur((mask > 127).astype(np.float32), (box, box))
    at = np.round((np.arange(size) + MARGIN_CELLS) * CELL_PX).astype(int)
    return np.asarray(smooth[np.ix_(at, at)], np.float64)


def lay_hand(view: View, hand: Board, rng: np.random.Generator) -> None:
    """Copy the hand of another board, turned and scaled, onto this one."""
    mask = hand.hand()
    if mask is None:
        return
    side = len(view.image)
    center = np.array(mask.shape[::-1]) / 2
    scale = side / len(mask) * rng.uniform(0.8, 1.7)
    turn = cv2.getRotationMatrix2D(tuple(map(float, center)), rng.uniform(0, 360), scale)
    matrix = np.asarray(turn, np.float64)
    matrix[:, 2] += side / 2 - center + rng.normal(0, 0.15 * side, 2)
    warped = cv2.warpAffine(hand.image(), matrix, (side, side))
    cover = cv2.warpAffine(mask, matrix, (side, side))
    # Sleeves are of any color, often dark; skin is of a few.
    gain = rng.uniform(0.15, 1.3) * (rng.uniform(0.4, 1.3, 3) if rng.random() < 0.5 else 1.0)
    alpha = cv2.GaussianBlur(cover, (0, 0), 1.0).astype(np.float32)[..., None] / 255
    mixed = view.image * (1 - alpha) + np.clip(warped * gain, 0, 255) * alpha
    view.image = mixed.astype(np.uint8)
    share = share_covered(np.asarray(cover, np.uint8), len(view.labels))
    view.labels[share > 0.12] = UNKNOWN
    view.labels[share > 0.6] = COVERED


def _cut_border(view: View, rng: np.random.Generator) -> None:
    """Pretend that the picture ends close to the board."""
    for axis in range(2):
        for end in range(2):
            if rng.random() < 0.25:
                width = int(rng.uniform(0.5, MARGIN_CELLS + 0.1) * CELL_PX)
                index: list[slice] = [slice(None), slice(None)]
                index[axis] = slice(0, width) if end else slice(-width, None)
                view.known[tuple(index)] = False


def _crooked(size: int, rng: np.random.Generator) -> tuple[NDArray[np.float64], float]:
    """Return the four corners of a slightly wrong grid, in cells, and a lens error."""
    last = size - 1
    corners = np.array([[0, 0], [last, 0], [last, last], [0, last]], float)
    wrong = rng.normal(0, 0.09, (4, 2)) + rng.normal(0, 0.07, 2)
    bow = rng.normal(0, 0.08) if rng.random() < 0.4 else 0.0
    return corners + np.clip(wrong, -0.3, 0.3), float(bow)


class Warp:
    """A slightly wrong grid: where the reader looks, against where the board is."""

    def __init__(self, size: int, rng: np.random.Generator) -> None:
        last = size - 1
        corners, self._bow = _crooked(size, rng)
        ideal = np.array([[0, 0], [last, 0], [last, last], [0, last]], np.float32)
        self._matrix = cv2.getPerspectiveTransform(ideal, corners.astype(np.float32))
        self._size = size

    def to_board(self, grid: NDArray[np.floating]) -> NDArray[np.float64]:
        """Map (..., 2) the reader's grid_xy to the board's own."""
        if not grid.size:
            return np.asarray(grid, np.float64)
        half = (self._size - 1) / 2
        flat = np.asarray(grid, np.float64).reshape(1, -1, 2)
        mapped = cv2.perspectiveTransform(flat, self._matrix).reshape(grid.shape)
        centered = (mapped - half) / half
        radius2 = (centered**2).sum(-1, keepdims=True)
        return np.asarray(mapped + self._bow * half / 9 * centered * (radius2 - 1))

    def to_reader(self, grid: NDArray[np.floating]) -> NDArray[np.float64]:
        """Map (..., 2) the board's grid_xy to the reader's; the inverse for small errors."""
        found = np.asarray(grid, np.float64)
        for _ in range(3):
            found = found - (self.to_board(found) - grid)
        return found

    def sampling(self) -> tuple[Floats, Floats]:
        """Return the maps (T, T) of x and of y into the stored picture."""
        count = self._size - 1 + round(2 * READER_MARGIN_CELLS)
        # The error is smooth: four places a cell say it all, the rest is interpolated.
        axis = (np.arange(4 * count) + 0.5) / 4 - READER_MARGIN_CELLS
        coarse = self.to_board(np.stack(np.meshgrid(axis, axis), axis=-1))
        stored = ((coarse + MARGIN_CELLS) * CELL_PX - 0.5).astype(np.float32)
        side = (count * READER_CELL_PX,) * 2
        columns, rows = (cv2.resize(np.ascontiguousarray(stored[..., i]), side) for i in range(2))
        return np.asarray(columns, np.float32), np.asarray(rows, np.float32)


def _stone_cells(view: View, warp: Warp) -> tuple[NDArray[np.uint8], Floats]:
    """Return the stones of each cell (R, R) and their centers (R, R, 3), see `Sample`."""
    size = len(view.labels)
    count = size + 2 * MARGIN
    stones, centers = np.zeros((count, count), np.uint8), np.zeros((count, count, 3), np.float32)
    hidden = np.argwhere(view.labels >= COVERED) + MARGIN
    stones[hidden[:, 0], hidden[:, 1]] = UNKNOWN
    rows, cols = np.nonzero((view.labels == 1) | (view.labels == 2))
    feet = np.stack([cols, rows, view.labels[rows, cols], np.full(len(rows), 0.02)], axis=1)
    extra = [(*stone.grid_xy, stone.color, 1.0) for stone in view.pasted]
    feet = np.concatenate([feet, np.array(extra, float).reshape(-1, 4)])
    at = warp.to_reader(feet[:, :2])
    cell = np.round(at).astype(int) + MARGIN
    inside = ((cell >= 0) & (cell < count)).all(axis=1)
    col, row = cell[inside].T
    stones[row, col] = feet[inside, 2]
    centers[row, col, :2] = (at - cell + MARGIN)[inside]
    centers[row, col, 2] = feet[inside, 3]
    return stones, centers


def _washed_out(image: Image, size: int) -> NDArray[np.bool_]:
    """Return (N, N), True where glare or darkness leaves nothing to see around the point."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    box = (19, 19)
    spread = cv2.blur(gray * gray, box) - cv2.blur(gray, box) ** 2
    at = np.round((np.arange(size) + READER_MARGIN_CELLS) * READER_CELL_PX).astype(int)
    return np.asarray(spread[np.ix_(at, at)] < 1.0)


def make_sample(board: Board, hands: list[Board], rng: np.random.Generator) -> Sample:
    """Return one training sample from a stored board."""
    view = _turned(board, rng)
    if hands and board.hand_png is None and rng.random() < 0.2:
        lay_hand(view, hands[int(rng.integers(len(hands)))], rng)
    if rng.random() < 0.5:
        # Now and then a board is filled: late positions are few among the sources.
        count = int(rng.integers(60, 250)) if rng.random() < 0.1 else int(rng.integers(1, 9))
        view.pasted = paste_stones(view.image, view.labels, count, rng)
    _cut_border(view, rng)
    warp = Warp(len(view.labels), rng)
    columns, rows = warp.sampling()
    picture = np.asarray(cv2.remap(view.image, columns, rows, cv2.INTER_LINEAR), np.uint8)
    known = cv2.remap(view.known.astype(np.uint8), columns, rows, cv2.INTER_NEAREST)
    if rng.random() < 0.3:
        picture = _coarse(picture, rng)
    if rng.random() < 0.28:
        picture = shone_on(
            rng, picture, view.labels, cell_px=READER_CELL_PX, margin=READER_MARGIN_CELLS
        )
    if rng.random() < 0.75:
        picture = relit(rng, picture)
    pixels = normalized(picture, np.asarray(known) > 0)[0]
    stones, centers = _stone_cells(view, warp)
    size = len(view.labels)
    # A real stone stands out of a reflection: where nothing is to be seen there is none. A stone
    # that vanished here is the fault of light that was painted over it.
    stands = (view.labels == 1) | (view.labels == 2)
    view.labels[_washed_out(picture, size) & stands] = UNKNOWN
    points = intersections(size)
    offsets = (warp.to_reader(points) - points).astype(np.float32)
    return Sample(pixels, view.labels, offsets, view.corner_weight, stones, centers)


def _coarse(image: Image, rng: np.random.Generator) -> Image:
    height, width = image.shape[:2]
    factors = rng.uniform(1, 2.0, 2)
    size = (round(width / factors[0]), round(height / factors[1]))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)

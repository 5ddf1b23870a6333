"""The values that pass between the stages of vision."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum, IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

SIZES = (9, 13, 19)
"""Board sizes that are looked for, in lines a side."""


class ShapeError(ValueError):
    """An array does not have the shape that its field asks for."""


class Label(IntEnum):
    """What stands on an intersection; also the last axis of `StoneReading.probabilities`."""

    EMPTY = 0
    BLACK = 1
    WHITE = 2


class Side(Enum):
    """A side of the goban in the frame of reference of the reading (kifu's upper side is TOP)."""

    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Frame:
    """An image and its metadata, taken together."""

    image: NDArray[np.uint8]
    """(H, W, 3), BGR, as shown (after EXIF rotation)."""

    seen_at_s: float
    """Monotonic clock, in seconds, at the middle of the exposure; video time for files."""

    utc: datetime = field(default_factory=lambda: datetime.fromtimestamp(0, UTC))
    """Wall clock at the same moment."""

    number: int = 0
    """Running number within the source, from 0; gaps are frames that were skipped."""

    exposure_s: float | None = None
    """Exposure time, if the camera tells."""

    gain: float | None = None
    """Analogue gain, if the camera tells."""

    def __post_init__(self) -> None:
        if self.image.ndim != 3 or self.image.shape[2] != 3 or self.image.dtype != np.uint8:
            raise ShapeError(
                f"image must be (H, W, 3) uint8, got {self.image.shape} {self.image.dtype}"
            )


@dataclass(frozen=True, slots=True)
class CameraModel:
    """A pinhole with radial distortion, for one camera at one resolution.

    A distorted (raw) pixel at distance r from the center, r in units of half the picture's
    diagonal, belongs to the ideal pixel at distance r * (1 + k1 r^2 + k2 r^4).
    """

    width_px: int
    height_px: int
    k1: float = 0.0
    k2: float = 0.0
    focal_px: float | None = None
    """Focal length, None when unknown."""


@dataclass(frozen=True, slots=True)
class GobanSpec:
    """What is known about the physical goban."""

    size: int
    cell_aspect: float | None = None
    """Spacing along rows divided by spacing along columns, None when unknown."""


class NoGridReason(Enum):
    """Why no grid was found."""

    NO_LINES = "no-lines"
    NO_LATTICE = "no-lattice"
    PARTLY_OUTSIDE = "partly-outside"
    AMBIGUOUS = "ambiguous"
    HIDDEN = "hidden"
    MOVED = "moved"
    TOO_SMALL = "too-small"
    OTHER_GAME = "other-game"


@dataclass(frozen=True, slots=True)
class NoGrid:
    """No grid, and why; `message` is one sentence for people."""

    reason: NoGridReason
    message: str
    confidence: float = 1.0


@dataclass(frozen=True)
class GridFit:
    """Where the 361 intersections are in the picture, and how sure that is."""

    size: int
    """Lines a side: 9, 13 or 19."""

    homography: NDArray[np.float64]
    """(3, 3), from grid_xy = (col, row) in line spacings to undistorted pixels (x, y)."""

    camera: CameraModel
    """The lens that this fit assumes."""

    rms_px: float
    """Root mean square reprojection error over the evidence used, in pixels."""

    confidence: float
    """[0, 1]: that these are the board's own outer lines."""

    def __post_init__(self) -> None:
        if self.homography.shape != (3, 3):
            raise ShapeError(f"homography must have shape (3, 3), got {self.homography.shape}")
        if self.size < 2:
            raise ValueError(f"size must be at least 2, got {self.size}")

    def turned(self, quarter_turns: int) -> GridFit:
        """Return the same grid with its rows and columns renumbered.

        One quarter turn makes the point that was in the upper right corner the upper left one.
        """
        last = float(self.size - 1)
        # grid_xy of the turned frame -> grid_xy of this one: new (0, 0) is old (last, 0).
        one = np.array([[0.0, -1.0, last], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        turn = np.linalg.matrix_power(one, quarter_turns % 4)
        return GridFit(self.size, self.homography @ turn, self.camera, self.rms_px, self.confidence)

    @cached_property
    def cell_px(self) -> float:
        """Mean line spacing in pixels."""
        last = self.size - 1
        corners = np.array([[0, 0, 1], [last, 0, 1], [last, last, 1], [0, last, 1]], float)
        mapped = corners @ self.homography.T
        points = mapped[:, :2] / mapped[:, 2:]
        sides = np.linalg.norm(points - np.roll(points, -1, axis=0), axis=1)
        return float(sides.mean() / last)


@dataclass(frozen=True, slots=True)
class LooseStone:
    """A stone that lies off the points or outside the lines."""

    label: Label
    grid_xy: tuple[float, float]
    """(col, row) in line spacings; outside the lines below 0 or above size - 1."""

    confidence: float


@dataclass(frozen=True, slots=True)
class StoneReading:
    """What one frame shows on every intersection."""

    probabilities: NDArray[np.float32]
    """(N, N, 3), sums to 1 over the last axis: empty, black, white (`Label`)."""

    visible: NDArray[np.bool_]
    """(N, N). False where a hand, a bowl or glare hides the point: its label then means nothing."""

    seen_at_s: float
    """The frame's time, monotonic seconds."""

    loose: tuple[LooseStone, ...] = ()
    """Stones lying off the points, or up to two cells outside the lines."""

    arms: frozenset[Side] = frozenset()
    """The sides from which an arm reaches in."""

    def __post_init__(self) -> None:
        if self.probabilities.ndim != 3 or self.probabilities.shape[2] != 3:
            raise ShapeError(
                f"probabilities must have shape (N, N, 3), got {self.probabilities.shape}"
            )
        if self.visible.shape != self.probabilities.shape[:2]:
            raise ShapeError(
                f"visible must have shape {self.probabilities.shape[:2]}, got {self.visible.shape}"
            )

    @property
    def size(self) -> int:
        """Lines a side."""
        return int(self.probabilities.shape[0])

    @property
    def labels(self) -> NDArray[np.uint8]:
        """(N, N), the most probable `Label` of each intersection, hidden ones included."""
        return np.asarray(self.probabilities.argmax(axis=2), dtype=np.uint8)

    @property
    def confidence(self) -> NDArray[np.float32]:
        """(N, N), probability of the label given."""
        return np.asarray(self.probabilities.max(axis=2), dtype=np.float32)

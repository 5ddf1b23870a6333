"""Where the cameras of generated scenes stand, and what they see of points in space."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """A pinhole above a board; world units are line spacings, the origin is the board's center."""

    matrix: Matrix
    """(3, 4), world to pixels."""

    eye: NDArray[np.float64]
    """(3,), where the camera is."""

    def plane(self, z: float) -> Matrix:
        """Return the (3, 3) homography from world (x, y) at height z to pixels."""
        return np.column_stack(
            [self.matrix[:, 0], self.matrix[:, 1], self.matrix[:, 2] * z + self.matrix[:, 3]]
        )


def random_camera(
    rng: np.random.Generator, width: int, height: int, extent: float, *, least: float = 0.32
) -> Camera:
    """Return a camera that sees a square of side `extent` around the origin, 25-90 degrees up.

    The square fills at least `least` of the picture's height.
    """
    elevation = np.deg2rad(rng.uniform(25, 90) if rng.random() < 0.8 else 87)
    # Most people set the camera square to the board, many at a corner.
    azimuth = np.deg2rad(rng.integers(0, 4) * 90 + rng.uniform(-50, 50))
    focal = 0.5 * max(width, height) / np.tan(np.deg2rad(rng.uniform(35, 80)) / 2)
    fills = rng.uniform(least, 1.0)
    distance = focal * extent / (fills * min(width, height) * rng.uniform(1.0, 1.3))
    distance = max(distance, 0.85 * extent)
    direction = np.array(
        [
            np.cos(elevation) * np.sin(azimuth),
            np.cos(elevation) * np.cos(azimuth),
            np.sin(elevation),
        ]
    )
    eye = direction * distance
    right = np.array([-np.cos(azimuth), np.sin(azimuth), 0.0])
    down = np.cross(-direction, right)
    roll = np.deg2rad(rng.normal(0, 5))
    right, down = (
        right * np.cos(roll) + down * np.sin(roll),
        down * np.cos(roll) - right * np.sin(roll),
    )
    rotation = np.stack([right, down, -direction])
    slack = np.array([width, height]) * max(0.0, 1.05 - fills) * 0.4
    center = np.array([width, height]) / 2 + rng.uniform(-1, 1, 2) * slack
    inner = np.array([[focal, 0, center[0]], [0, focal, center[1]], [0, 0, 1.0]])
    return Camera(inner @ np.column_stack([rotation, -rotation @ eye]), eye)


def shifted(camera: Camera, offset: tuple[float, float], turn: float = 0.0) -> Camera:
    """Return the same camera in a world whose origin is `offset` (x, y), turned by `turn` rad."""
    cos, sin = np.cos(turn), np.sin(turn)
    move = np.eye(4)
    move[:2] = [[cos, -sin, 0, offset[0]], [sin, cos, 0, offset[1]]]
    eye = move[:3, :3].T @ (camera.eye - move[:3, 3])
    return Camera(camera.matrix @ move, eye)


def project(camera: Camera, points: Matrix) -> Matrix:
    """Return the (N, 2) pixels of (N, 3) world points."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ camera.matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:])


def is_in_front(camera: Camera, points: Matrix) -> NDArray[np.bool_]:
    """Return (N,): which of the (N, 3) world points are well in front of the camera."""
    depth = points @ camera.matrix[2, :3] + camera.matrix[2, 3]
    return np.asarray(depth > 0.25 * np.linalg.norm(camera.eye), np.bool_)


def neighbor_camera(
    rng: np.random.Generator, camera: Camera, size: int, shape: tuple[int, int]
) -> Camera | None:
    """Return the camera as a second board beside the first has it, in a picture (width, height).

    None if that board could be meant as well: it may be seen whole only if it looks smaller.
    """
    away = size + 2.6 + rng.uniform(0, 9)
    along = rng.uniform(-0.5, 0.5) * size
    sign = rng.choice([-1, 1])
    offset = (sign * away, along) if rng.random() < 0.5 else (along, sign * away)
    beside = shifted(camera, offset, rng.normal(0, 0.08))
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (size - 1) / 2
    flat = np.column_stack([square, np.zeros(4)])
    if not is_in_front(beside, flat).all():
        return None
    theirs, ours = (project(c, flat).astype(np.float32) for c in (beside, camera))
    is_whole = bool(((theirs > 0) & (theirs < np.array(shape))).all())
    is_small = cv2.contourArea(theirs) < 0.75 * cv2.contourArea(ours)
    return beside if is_small or not is_whole else None

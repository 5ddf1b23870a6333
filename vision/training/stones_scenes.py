"""Boards of the scene generator: rooms, woods and stones without end for the stone reader."""

from __future__ import annotations

import argparse
import pickle
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cells import rectified
from vision.training import scenes
from vision.training.cameras import project, random_camera
from vision.training.stones_data import Board, make_board, point_shares, view_of
from vision.training.stones_truth import COVERED, UNKNOWN
from vision.types import CameraModel, GridFit

WIDTH_PX, HEIGHT_PX = 1280, 960
LEAST_CELL_PX = 10
"""A smaller board is refused by the check before a game."""

Mask = NDArray[np.bool_]


def scene_boards(count: int, rng: np.random.Generator) -> Iterator[Board]:
    """Yield random boards, a third of them with arms over them."""
    number = 0
    while number < count:
        board = scene_board(f"scene_{number}", rng)
        if board is not None:
            number += 1
            yield board


def scene_board(name: str, rng: np.random.Generator) -> Board | None:
    """Draw a room and cut the board out of it; None if the board is too small in the picture."""
    size = int(rng.choice([19, 19, 19, 13, 9]))
    aspect = float(rng.uniform(1.0, 1.1))
    camera = random_camera(rng, WIDTH_PX, HEIGHT_PX, size + 1.5, least=0.5)
    image = scenes.draw_floor(rng, camera, WIDTH_PX, HEIGHT_PX, size)
    homography = scenes.draw_board(rng, image, camera, size, aspect)
    grid = GridFit(size, homography, CameraModel(WIDTH_PX, HEIGHT_PX), rms_px=0.0, confidence=1.0)
    if grid.cell_px < LEAST_CELL_PX:
        return None
    position = scenes.random_position(rng, size)
    scenes.stand_stones(rng, image, camera, position, aspect)
    bare = image.copy()
    scenes.draw_things(rng, image, camera, size * 0.75)
    cover = np.asarray((image != bare).any(axis=2))
    if rng.random() < 0.33:
        target = project(camera, rng.uniform(-0.5, 0.5, (1, 3)) * [size, size, 0])[0]
        cover |= scenes.draw_arm(rng, image, target, float(rng.uniform(0.7, 1.6)) * grid.cell_px)
    view = view_of(grid)
    # What lies outside the picture cannot be told either.
    shown = rectified(np.dstack([~cover * np.uint8(255)] * 3), view.sampling, view.factor)[..., 0]
    shares = point_shares(shown < 128, size)
    labels = np.where(shares > 0.6, COVERED, np.where(shares > 0.1, UNKNOWN, position))
    return make_board(name, "scenes", image, view, labels.astype(np.uint8), 1.0)


def main() -> None:
    """Write boards beside those of stones_data."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="folder of boards; scenes.pickle is written there")
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1000)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    boards = list(scene_boards(arguments.count, np.random.default_rng(arguments.seed)))
    (arguments.out / "scenes.pickle").write_bytes(pickle.dumps(boards))


if __name__ == "__main__":
    main()

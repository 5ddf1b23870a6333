"""Draw the boards of other games: their lines cross as regularly, and none of them is Go's."""

from __future__ import annotations

from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.cameras import random_camera
from vision.training.patterns import Color, random_color, wood, wood_color
from vision.training.scenes import TEXTURE_CELL_PX, draw_floor, lay

Image = NDArray[np.uint8]


class Game(Enum):
    """A game by the lines of its board, (across, down)."""

    CHESS = (9, 9)
    XIANGQI = (9, 10)
    SHOGI = (10, 10)
    GOMOKU = (15, 15)


def draw_other_game(rng: np.random.Generator, width: int, height: int, game: Game) -> Image:
    """Return a picture (height, width, 3) of a table with a board of a game that is not Go."""
    texture = _flat_board(rng, game)
    across, down = texture.shape[1] / TEXTURE_CELL_PX, texture.shape[0] / TEXTURE_CELL_PX
    camera = random_camera(rng, width, height, max(across, down) + 1)
    image = draw_floor(rng, camera, width, height, max(across, down))
    cell = TEXTURE_CELL_PX
    to_world = np.array([[1 / cell, 0, -across / 2], [0, -1 / cell, down / 2], [0, 0, 1.0]])
    lay(image, texture, camera.plane(0.0) @ to_world)
    return image


def _flat_board(rng: np.random.Generator, game: Game) -> Image:
    """Draw the flat board with a margin of one cell, and pieces on it more often than not."""
    cell, (columns, rows) = TEXTURE_CELL_PX, game.value
    color = wood_color(rng)
    image = wood(rng, (rows + 1) * cell, (columns + 1) * cell, color)
    ink: Color = (20.0, 20.0, 20.0) if np.mean(color) > 70 else (220.0, 220.0, 220.0)
    if game is Game.CHESS:
        for row in range(rows - 1):
            for column in range(row % 2, columns - 1, 2):
                x, y = (column + 1) * cell, (row + 1) * cell
                dark = tuple(0.4 * np.array(color))
                cv2.rectangle(image, (x, y), (x + cell, y + cell), dark, -1)
    for row in range(1, rows + 1):
        cv2.line(image, (cell, row * cell), (columns * cell, row * cell), ink, 1, cv2.LINE_AA)
    for column in range(1, columns + 1):
        # The river between the fifth and the sixth line of xiangqi is crossed at its banks only.
        is_crossed = game is not Game.XIANGQI or column in (1, columns)
        for top, end in ((1, rows),) if is_crossed else ((1, 5), (6, 10)):
            ends = (column * cell, top * cell), (column * cell, end * cell)
            cv2.line(image, *ends, ink, 1, cv2.LINE_AA)
    if rng.random() < 0.7:
        _set_up(rng, image, game)
    return image


def _set_up(rng: np.random.Generator, image: Image, game: Game) -> None:
    cell, (columns, rows) = TEXTURE_CELL_PX, game.value
    # Chess and shogi are played in the cells, the others on the crossings.
    shift = 1.5 if game in (Game.CHESS, Game.SHOGI) else 1.0
    for _ in range(int(rng.integers(4, 32))):
        place = rng.integers(0, (columns - 1, rows - 1)) + shift
        x, y = np.round(place * cell).astype(int)
        cv2.circle(image, (int(x), int(y)), int(0.43 * cell), random_color(rng), -1, cv2.LINE_AA)
        sign = chr(int(rng.integers(65, 91)))
        cv2.putText(image, sign, (int(x) - 5, int(y) + 5), 0, 0.4, random_color(rng), 1)

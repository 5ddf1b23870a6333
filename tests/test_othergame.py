"""Boards of other games are not taken for Go boards, nor small Go boards for theirs."""

from __future__ import annotations

import numpy as np
import pytest
from boards import photograph

from vision.grid import find_grid
from vision.training.othergames import Game, draw_other_game
from vision.types import Frame, GridFit, NoGrid, NoGridReason


@pytest.mark.parametrize("game", Game)
@pytest.mark.parametrize("seed", range(3))
def test_the_board_of_another_game_is_no_grid(game: Game, seed: int) -> None:
    image = draw_other_game(np.random.default_rng(seed), 960, 720, game)
    assert isinstance(find_grid(Frame(image, 0.0)), NoGrid)


def test_the_reason_is_named() -> None:
    image = draw_other_game(np.random.default_rng(0), 960, 720, Game.XIANGQI)
    found = find_grid(Frame(image, 0.0))
    assert isinstance(found, NoGrid)
    assert found.reason is NoGridReason.OTHER_GAME


def test_a_small_go_board_with_stones_in_a_checkered_pattern_is_found() -> None:
    rows = "\n".join("".join("XO"[(r + c) % 2] for c in range(9)) for r in range(9))
    found = find_grid(photograph(rows))
    assert isinstance(found, GridFit)
    assert found.size == 9

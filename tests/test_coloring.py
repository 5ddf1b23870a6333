"""A stone whose color cannot be told has the color that the game expects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recorder.coloring import colored
from recorder.goban import Board, Color
from recorder.settling import Expectation, Settling, new_settling
from vision.types import Label, StoneReading

HERE = (2, 3)


def reading(empty: float, black: float, white: float) -> StoneReading:
    """Return an empty 9x9 board but for one point."""
    probabilities = np.zeros((9, 9, 3), np.float32)
    probabilities[..., Label.EMPTY] = 1.0
    probabilities[HERE] = empty, black, white
    return StoneReading(probabilities, np.ones((9, 9), bool), 1.0)


def expecting(to_move: Color | None) -> Expectation:
    return Expectation(Board(9), to_move)


def with_settled(label: Label) -> Settling:
    memory = new_settling(9)
    settled = memory.settled.copy()
    settled[HERE] = label
    return replace(memory, settled=settled)


@pytest.mark.parametrize(
    ("probabilities", "label"),
    [
        ((0.02, 0.68, 0.30), Label.WHITE),
        ((0.02, 0.90, 0.08), Label.BLACK),
        ((0.25, 0.50, 0.25), Label.BLACK),
    ],
    ids=["a stone of unclear color", "a black stone", "what may be no stone"],
)
def test_a_new_stone_of_unclear_color_has_that_of_the_side_to_move(
    probabilities: tuple[float, float, float], label: Label
) -> None:
    given = reading(*probabilities)
    seen = colored(new_settling(9), given, expecting(Color.WHITE))
    assert seen.labels[HERE] == label
    assert seen.confidence[HERE] == given.confidence[HERE]


def test_a_standing_stone_of_unclear_color_keeps_its_own() -> None:
    unclear = reading(0.02, 0.68, 0.30)
    seen = colored(with_settled(Label.WHITE), unclear, expecting(Color.BLACK))
    assert seen.labels[HERE] == Label.WHITE


def test_nothing_is_assumed_while_nobody_knows_who_is_to_move() -> None:
    unclear = reading(0.02, 0.68, 0.30)
    assert colored(new_settling(9), unclear, expecting(None)) is unclear

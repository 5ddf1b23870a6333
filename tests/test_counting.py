"""A game counted as it stands: the terms come from the game unless somebody says otherwise."""

from __future__ import annotations

from fractions import Fraction

import pytest

from recorder.counting import count_game, with_warnings
from recorder.events import GameInfo, GameStarted, Move, MovePlayed
from recorder.game import Game, Tally, fold
from recorder.goban import Color, Point, parse_diagram
from recorder.results import Unit
from recorder.rules import RULESETS, Counting
from recorder.scoring import Marks, ScoringError

B, W = Color.BLACK, Color.WHITE

POSITION = """
. X O . .
. X O X .
O X O . .
. X O . .
. X O . .
"""


def game(ruleset: str = "chinese-2002", komi: float | None = 0.5, handicap: int = 0) -> Game:
    """Return a small finished game: Black passes, White passes."""
    setup = tuple(parse_diagram(POSITION).stones())
    info = GameInfo(5, ruleset, komi, handicap)
    passes = [MovePlayed(1, Move(B, None)), MovePlayed(2, Move(W, None))]
    return fold([GameStarted(info, setup, B), *passes])


DEAD = Marks(dead=frozenset({Point(1, 3), Point(2, 0)}))


def test_komi_warnings_and_handicap_come_from_the_game() -> None:
    counted = count_game(with_warnings(game(), Tally(1, 0)), DEAD)
    assert (counted.total(B), counted.total(W)) == (10, 15)
    assert counted.margin == 10 - 15 - Fraction(1, 2) - 2
    assert (counted.re, counted.describe("zh")) == ("W+7.5", "白胜3又3/4子")
    assert count_game(game(komi=None), DEAD).re == "W+12.5"
    assert count_game(game(komi=None, handicap=2), DEAD).re == "W+5"


def test_other_rules_and_terms_can_be_asked_for() -> None:
    counted = count_game(
        game(),
        DEAD,
        rules=RULESETS["aga"],
        counting=Counting.TERRITORY,
        komi=Fraction(3),
        handicap_return=Fraction(1),
    )
    # Each has one dead stone and one pass stone of the opponent.
    assert (counted.taken(B), counted.taken(W)) == (2, 2)
    assert counted.margin == (5 + 2) - (10 + 2) - 3 - 1
    assert counted.unit is Unit.POINTS
    assert counted.describe("en") == "White wins by 9 points"


def test_a_margin_that_binary_numbers_cannot_hold_is_exact() -> None:
    assert count_game(game(komi=3.8), DEAD).margin == -5 - Fraction(19, 5)


def test_two_warnings_lose_and_are_told_as_such() -> None:
    counted = count_game(with_warnings(game(), Tally(0, 2)), DEAD)
    assert (counted.re, counted.describe("zh")) == ("B+F", "黑胜（白判负）")


def test_marks_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ScoringError):
        count_game(game(), Marks(dead=frozenset({Point(0, 0)})))

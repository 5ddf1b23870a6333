"""Rule sets: which moves are legal, and which positions may not come back."""

from __future__ import annotations

import pytest

from recorder.events import GameInfo, GameStarted, Move, MovePlayed
from recorder.game import Game, apply, fold
from recorder.goban import Color, Point, parse_diagram
from recorder.rules import RULESETS, Fault, RulesError, faults, outcome, repeated, ruleset_of

B, W = Color.BLACK, Color.WHITE


def game_of(diagram: str, to_move: Color, ruleset: str = "chinese-2002") -> Game:
    board = parse_diagram(diagram)
    info = GameInfo(size=board.size, ruleset=ruleset)
    return fold([GameStarted(info, tuple(board.stones()), to_move)])


def played(game: Game, color: Color, point: Point | None) -> Game:
    move = Move(color, point)
    result = outcome(game.board, game.last_move, move, ruleset_of(game.info.ruleset))
    return apply(game, MovePlayed(len(game.moves) + 1, move, result.captured))


EYE = ". X .\nX X .\n. . ."
TWO = "O . X\nX X .\n. . ."


@pytest.mark.parametrize(
    ("ruleset", "single", "pair"),
    [
        ("chinese-2002", True, True),
        ("chinese-older", True, True),
        ("japanese", True, True),
        ("korean", True, True),
        ("aga", True, True),
        ("ing", True, False),
        ("new-zealand", False, False),
        ("tromp-taylor", False, False),
    ],
)
def test_suicide_is_forbidden_as_each_rule_set_says(ruleset: str, single: bool, pair: bool) -> None:
    rules = ruleset_of(ruleset)
    one = faults(game_of(EYE, W, ruleset), Move(W, Point(0, 0)), rules)
    two = faults(game_of(TWO, W, ruleset), Move(W, Point(0, 1)), rules)
    assert (Fault.SUICIDE in one) is single
    assert (Fault.SUICIDE in two) is pair


KO = ". X O .\nX O . O\n. X O .\n. . . ."


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_rule_set_lets_a_ko_be_retaken_at_once(ruleset: str) -> None:
    game = played(game_of(KO, B, ruleset), B, Point(1, 2))
    assert Fault.KO in faults(game, Move(W, Point(1, 1)), ruleset_of(ruleset))


def test_a_ko_may_be_retaken_after_a_move_elsewhere() -> None:
    game = played(game_of(KO, B), B, Point(1, 2))
    game = played(played(game, W, Point(3, 3)), B, Point(3, 0))
    assert not faults(game, Move(W, Point(1, 1)), ruleset_of("chinese-2002"))


def test_taking_one_for_two_is_no_ko() -> None:
    game = game_of(". X X O .\nX O O . O\n. X X O .\n. . . . .\n. . . . .", B)
    game = played(game, B, Point(1, 3))
    assert game.prisoners.black == 2
    assert not faults(game, Move(W, Point(1, 2)), ruleset_of("chinese-2002"))


SEND_TWO = ". X . X .\nO O X X .\nO O X . .\n. O X . .\n. . . . ."


@pytest.mark.parametrize(
    ("ruleset", "is_repetition"),
    [
        ("chinese-2002", True),
        ("tromp-taylor", True),
        ("ing", True),
        ("japanese", True),
        ("aga", False),
        ("new-zealand", False),
    ],
)
def test_sending_two_returning_one_repeats_only_positionally(
    ruleset: str, is_repetition: bool
) -> None:
    game = game_of(SEND_TWO, B, ruleset)
    game = played(played(game, B, Point(0, 0)), W, Point(0, 2))
    move, rules = Move(B, Point(0, 1)), ruleset_of(ruleset)
    result = outcome(game.board, game.last_move, move, rules)
    assert not result.faults
    assert (repeated(game, result.board, B, rules) == 0) is is_repetition


def test_a_stone_out_of_turn_or_on_a_stone_is_a_fault_and_no_error() -> None:
    game = game_of(KO, B)
    found = faults(game, Move(W, Point(0, 1)), ruleset_of("chinese-2002"))
    assert found == {Fault.OUT_OF_TURN, Fault.OCCUPIED}


def test_every_rule_set_names_its_source_and_an_unknown_one_is_refused() -> None:
    assert all(rules.source for rules in RULESETS.values())
    with pytest.raises(RulesError, match="chinese-2002"):
        ruleset_of("bangkok")

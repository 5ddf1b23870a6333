"""The game as a fold of its events."""

from __future__ import annotations

import pytest

from recorder.events import (
    Alert,
    AlertClosed,
    AlertWithdrawn,
    Event,
    GameInfo,
    GameStarted,
    Level,
    Move,
    MovePlayed,
    MovesRetracted,
    MoveVoided,
    PositionCorrected,
    Severity,
)
from recorder.game import Game, GameError, Tally, apply, fold
from recorder.goban import Color, Point, Stone

B, W = Color.BLACK, Color.WHITE
START = GameStarted(GameInfo(size=9), (), B)


def played(number: int, color: Color, row: int, col: int, *captured: Point) -> MovePlayed:
    return MovePlayed(number, Move(color, Point(row, col)), frozenset(captured))


def alert(number: int) -> Alert:
    return Alert(number, "double-move", Level.VIOLATION, Severity.INTERRUPT, B, (), 0, "17.2", "x")


CAPTURE: list[Event] = [
    START,
    played(1, B, 0, 1),
    played(2, W, 0, 0),
    played(3, B, 1, 0, Point(0, 0)),
]


def test_moves_give_board_turn_prisoners_and_history() -> None:
    game = fold(CAPTURE)
    assert game.board.points_of(B) == {Point(0, 1), Point(1, 0)}
    assert not game.board.points_of(W)
    assert game.to_move is W
    assert game.prisoners == Tally(black=1)
    assert len(game.history) == 4


def test_a_legal_suicide_gives_prisoners_to_the_opponent() -> None:
    corner = Point(0, 0)
    events = [START, played(1, B, 0, 1), MovePlayed(2, Move(W, None)), played(3, B, 1, 0)]
    game = fold([*events, played(4, W, 0, 0, corner)])
    assert game.prisoners == Tally(black=1)
    assert game.board[corner] is None


def test_retracted_moves_leave_the_game_as_it_was_before_them() -> None:
    game = fold([*CAPTURE, MovesRetracted(3, "test")])
    assert game == fold(CAPTURE[:3])
    again = fold([played(3, B, 4, 4)], game)
    assert again.moves[-1].move == Move(B, Point(4, 4))
    assert again.board[Point(0, 0)] is W


def test_retraction_keeps_corrections_that_came_before() -> None:
    early = PositionCorrected((Stone(W, Point(8, 8)),), (), W, "test")
    late = PositionCorrected((), (Point(8, 8),), W, "test")
    game = fold([*CAPTURE[:2], early, *CAPTURE[2:], late, MovesRetracted(3, "test")])
    assert game.board[Point(8, 8)] is W
    assert [c.event for c in game.corrections] == [early]


def test_a_correction_before_move_1_is_part_of_the_set_up() -> None:
    stone = Stone(B, Point(2, 2))
    game = fold([START, PositionCorrected((stone,), (), W, "handicap")])
    assert list(game.setup.stones()) == [stone]
    assert game.first_to_move is W
    assert not game.corrections


@pytest.mark.parametrize("end", [AlertWithdrawn(1, "hidden"), AlertClosed(1, "dismiss", "Li")])
def test_a_void_move_lives_as_long_as_its_alert(end: Event) -> None:
    void = MoveVoided(Move(B, Point(5, 5)), frozenset(), 2, "double-move", "17.2", 1)
    game = fold([*CAPTURE[:2], alert(1), void])
    assert game.voids == (void,)
    assert len(game.open_alerts) == 1
    game = apply(game, end)
    assert game.voids == ()
    assert not game.open_alerts
    assert not game.alerts[0].stands


def test_a_confirmed_alert_stands_and_is_open_no_more() -> None:
    game = fold([*CAPTURE, alert(1), AlertClosed(1, "confirm")])
    assert game.alerts[0].stands
    assert not game.open_alerts


@pytest.mark.parametrize(
    "event",
    [
        played(3, B, 5, 5),
        played(2, W, 0, 1),
        MovesRetracted(2, "test"),
        AlertWithdrawn(1, "test"),
        alert(2),
    ],
)
def test_an_event_that_does_not_follow_is_refused(event: Event) -> None:
    with pytest.raises(GameError, match=r"got|occupied"):
        apply(fold(CAPTURE[:2]), event)


def test_a_turn_is_awaited_only_while_the_game_is_played() -> None:
    assert Game().turn is None
    assert fold([START]).turn is B

"""Inputs in, observations and events out: the start of a game, doubt, time and turns."""

from __future__ import annotations

import numpy as np
import pytest

from recorder.engine import (
    Engine,
    Input,
    NoSight,
    Step,
    contradiction,
    doubtful_points,
    feed,
    new_engine,
    turn_to_agree,
)
from recorder.events import GameInfo, GameStarted, Move, ViewChanged, ViewState
from recorder.goban import Board, Color, Point, Stone, parse_diagram
from recorder.labels import labels_of
from recorder.observations import Observation, Pass, SettledView, StartGame, Tick
from recorder.settling import new_settling, resettle
from vision.types import StoneReading

EMPTY = Board(9)
MIDDLE = """
. . . . . . . . .
. . X . . . O . .
. . . . . . . . .
. . . . . . . . .
. . . . X . . . .
. . . . . . . . .
. . O . . . X . .
. . . . . . . . .
. . . . . . . . .
"""


def reading(board: Board, t_s: float) -> StoneReading:
    """Return a clear reading of a position."""
    probabilities = np.eye(3, dtype=np.float32)[labels_of(board)]
    return StoneReading(probabilities, np.ones((board.size, board.size), bool), t_s)


def shown(board: Board, start_s: float, seconds: float) -> list[Input]:
    """Return readings of a position, five a second."""
    return [reading(board, start_s + n / 5) for n in range(round(seconds * 5))]


def run(items: list[Input], engine: Engine | None = None) -> tuple[Engine, list[Step]]:
    """Feed all inputs; return what came of them."""
    engine = engine or new_engine()
    steps: list[Step] = []
    for item in items:
        engine, more = feed(engine, item)
        steps += more
    return engine, steps


def begun(setup: tuple[Stone, ...] | None = None) -> Observation:
    """Return the observation that starts a game."""
    return Observation(0.0, StartGame(GameInfo(size=19, black="Lee"), setup))


def started(steps: list[Step]) -> list[GameStarted]:
    """Return the starts among the events."""
    return [event for s in steps for event in s.events if isinstance(event, GameStarted)]


def test_a_game_begins_with_the_first_settled_view_and_the_size_that_was_seen() -> None:
    _, steps = run([begun(), *shown(EMPTY, 0.0, 3)])
    (start,) = started(steps)
    assert (start.info.size, start.info.black, start.setup) == (9, "Lee", ())


def test_before_the_first_view_nothing_begins() -> None:
    _, steps = run([begun(), *shown(EMPTY, 0.0, 0.4)])
    assert not started(steps)


def test_a_game_joined_in_the_middle_begins_with_what_stands_there() -> None:
    board = parse_diagram(MIDDLE)
    engine, steps = run([begun(), *shown(board, 0.0, 4)])
    (start,) = started(steps)
    assert Board(9, start.setup) == board
    assert engine.game.physical == board
    assert not engine.game.moves


@pytest.mark.parametrize("text", ["B", "BW"])
def test_a_first_stone_that_is_there_when_the_look_begins_is_no_setup(text: str) -> None:
    stones = [Stone(Color(mark), Point(2, 2 + 4 * n)) for n, mark in enumerate(text)]
    engine, steps = run([begun(), *shown(Board(9, stones), 0.0, 4)])
    (start,) = started(steps)
    assert start.setup == ()
    assert engine.game.physical == Board(9, stones)


def test_stones_that_come_while_a_sleeve_delays_the_first_view_are_moves() -> None:
    stones = [Stone(Color("BW"[n % 2]), Point(2, 2 * n)) for n in range(4)]
    items: list[Input] = [begun()]
    for n in range(5):
        for seen in shown(Board(9, stones[:n]), 1.4 * n, 1.4):
            assert isinstance(seen, StoneReading)
            visible = seen.visible.copy()
            visible[8, 8] = False
            items.append(StoneReading(seen.probabilities, visible, seen.seen_at_s))
    engine, steps = run([*items, *shown(Board(9, stones), 7.0, 4)])
    (start,) = started(steps)
    assert start.setup == ()
    assert [event.move for event in engine.game.moves] == [Move(c, p) for c, p in stones]


def test_stones_that_were_there_from_the_first_look_are_a_setup_whatever_comes_later() -> None:
    board = parse_diagram(MIDDLE)
    more = board.with_changes(add=[Stone(Color.WHITE, Point(8, 8))])
    _, steps = run([begun(), *shown(board, 0.0, 0.8), *shown(more, 0.8, 4)])
    (start,) = started(steps)
    assert set(board.stones()) <= set(start.setup)


def test_a_game_with_a_given_start_is_told_how_the_goban_differs_from_it() -> None:
    board = parse_diagram(MIDDLE)
    given = (
        *(s for s in board.stones() if s.point != Point(1, 2)),
        Stone(Color.BLACK, Point(8, 8)),
    )
    engine, steps = run([begun(given), *shown(board, 0.0, 4)])
    (start,) = started(steps)
    assert Board(9, start.setup) == Board(9, given)
    views = [s.observation.content for s in steps if isinstance(s.observation.content, SettledView)]
    assert (views[0].add, views[0].remove) == (
        (Stone(Color.BLACK, Point(1, 2)),),
        (Point(8, 8),),
    )
    assert engine.game.physical == board


def test_time_is_told_though_nothing_changes() -> None:
    _, steps = run([begun(), *shown(EMPTY, 0.0, 10)])
    ticks = [s.observation.t_s for s in steps if isinstance(s.observation.content, Tick)]
    assert len(ticks) == pytest.approx(17, abs=1)


def test_an_observation_older_than_the_last_counts_as_of_the_same_time() -> None:
    engine, _ = run([begun(), *shown(EMPTY, 0.0, 4)])
    _, (step,) = feed(engine, Observation(1.0, Pass(Color.BLACK)))
    assert step.observation.t_s == engine.last_s > 1.0


def test_a_goban_out_of_sight_is_reported_once_and_so_is_its_return() -> None:
    away: list[Input] = [NoSight(4 + n / 5, ViewState.MOVED, "the camera moved") for n in range(30)]
    _, steps = run([begun(), *shown(EMPTY, 0.0, 4), *away, *shown(EMPTY, 10.0, 2)])
    views = [event for s in steps for event in s.events if isinstance(event, ViewChanged)]
    assert [view.state for view in views] == [ViewState.MOVED, ViewState.CLEAR]


def test_a_short_loss_of_sight_is_nothing_to_report() -> None:
    away: list[Input] = [NoSight(4 + n / 5, ViewState.NO_GRID) for n in range(5)]
    _, steps = run([begun(), *shown(EMPTY, 0.0, 4), *away, *shown(EMPTY, 5.0, 2)])
    assert not [event for s in steps for event in s.events if isinstance(event, ViewChanged)]


def test_a_view_that_contradicts_the_goban_leaves_no_trace_when_it_passes() -> None:
    board = parse_diagram(MIDDLE)
    wrong = Board(9, [Stone(Color.WHITE, Point(r, c)) for r in range(4) for c in range(9)])
    items = [begun(), *shown(board, 0.0, 4), *shown(wrong, 4.0, 2), *shown(board, 6.0, 3)]
    engine, steps = run(items)
    assert engine.game.physical == board
    assert not [s for s in steps if s.observation.t_s >= 4 and s.events]


def test_a_view_that_contradicts_the_goban_asks_for_a_new_search_and_is_reported() -> None:
    wrong = Board(9, [Stone(Color.WHITE, Point(r, c)) for r in range(4) for c in range(9)])
    engine, steps = run([begun(), *shown(EMPTY, 0.0, 4), *shown(wrong, 4.0, 5)])
    assert engine.known is not None
    assert engine.known.is_doubtful
    views = [event for s in steps for event in s.events if isinstance(event, ViewChanged)]
    assert [view.state for view in views] == [ViewState.UNCERTAIN]


def test_a_view_that_keeps_contradicting_the_goban_is_believed_in_the_end() -> None:
    wrong = Board(9, [Stone(Color.WHITE, Point(r, c)) for r in range(4) for c in range(9)])
    engine, _ = run([begun(), *shown(EMPTY, 0.0, 4), *shown(wrong, 4.0, 16)])
    assert engine.game.physical == wrong


def test_a_grid_of_another_size_changes_nothing_once_there_are_moves() -> None:
    one = Board(9, [Stone(Color.BLACK, Point(2, 2))])
    items = [begun(), *shown(EMPTY, 0.0, 4), *shown(one, 4.0, 4)]
    engine, steps = run([*items, *shown(Board(13), 8.0, 20), *shown(one, 28.0, 1)])
    assert engine.known is not None
    assert engine.known.is_size_sure
    assert engine.game.physical == one
    assert len(started(steps)) == 1


def test_a_wrong_grid_that_passes_before_the_first_move_changes_nothing() -> None:
    items = [begun(), *shown(EMPTY, 0.0, 4), *shown(Board(13), 4.0, 4), *shown(EMPTY, 8.0, 1)]
    engine, steps = run(items)
    assert engine.known is not None
    assert engine.known.size == 9
    assert len(started(steps)) == 1


def test_a_game_that_began_on_a_wrong_grid_begins_again_on_the_right_one() -> None:
    engine, steps = run([begun(), *shown(Board(13), 0.0, 4), *shown(EMPTY, 4.0, 12)])
    assert [start.info.size for start in started(steps)] == [13, 9]
    assert engine.game.info.size == 9


def test_before_the_goban_is_known_the_newest_size_counts() -> None:
    _, steps = run([begun(), *shown(Board(13), 0.0, 0.6), *shown(EMPTY, 0.6, 4)])
    assert [start.info.size for start in started(steps)] == [9]


def test_a_move_is_seen_in_the_end() -> None:
    one = Board(9, [Stone(Color.BLACK, Point(2, 2))])
    engine, _ = run([begun(), *shown(EMPTY, 0.0, 4), *shown(one, 4.0, 3)])
    assert engine.game.physical == one


@pytest.mark.parametrize("turn", range(4))
def test_after_a_search_the_turn_is_the_one_that_agrees_with_the_record(turn: int) -> None:
    board = parse_diagram(MIDDLE)
    known = resettle(new_settling(9), board)
    straight = reading(board, 0.0)
    turned = StoneReading(
        np.ascontiguousarray(np.rot90(straight.probabilities, -turn)), straight.visible, 0.0
    )
    assert turn_to_agree(known, turned) == turn


def test_a_goban_that_looks_alike_from_two_sides_keeps_its_turn() -> None:
    known = resettle(new_settling(9), Board(9, [Stone(Color.BLACK, Point(4, 4))]))
    assert turn_to_agree(known, reading(Board(9), 0.0)) == 0


def test_a_contradiction_counts_only_points_that_are_seen() -> None:
    board = parse_diagram(MIDDLE)
    known = resettle(new_settling(9), board)
    seen = reading(EMPTY, 0.0)
    assert contradiction(known, seen) == 5
    hidden = StoneReading(seen.probabilities, np.zeros((9, 9), bool), 0.0)
    assert contradiction(known, hidden) == 0
    assert doubtful_points(9) < doubtful_points(19)


def test_feeding_the_same_inputs_again_gives_the_same_steps() -> None:
    items = [begun(), *shown(EMPTY, 0.0, 4), *shown(parse_diagram(MIDDLE), 4.0, 6)]
    assert run(items)[1] == run(items)[1]

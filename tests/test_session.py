"""`step` as a whole: random games, single incidents, and what a camera may get wrong."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rules_play import Table, random_moves

from recorder.events import (
    Alert,
    GameInfo,
    Level,
    Move,
    MovePlayed,
    MovesRetracted,
    Phase,
    Provenance,
    ViewState,
)
from recorder.goban import Board, Color, Point, Stone, parse_vertex
from recorder.observations import (
    Claim,
    EndGame,
    Pass,
    SettledView,
    StartGame,
    Tick,
    ViewStateSeen,
)
from recorder.rules import outcome, ruleset_of
from recorder.session import new_state

B, W = Color.BLACK, Color.WHITE
UNHURRIED = settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
SEEDS = st.integers(0, 10_000_000)
RULES = ruleset_of("chinese-2002")


def stone(text: str, size: int = 19) -> Stone:
    return Stone(Color(text[0]), parse_vertex(text[1:], size))


def point(text: str) -> Point:
    return parse_vertex(text, 19)


def show(table: Table, played: MovePlayed, after_s: float = 12.0) -> None:
    """Show a move with its captures lifted at once."""
    assert played.move.point is not None
    table.view([Stone(played.move.color, played.move.point)], sorted(played.captured), after_s)


def lift_slowly(table: Table, played: MovePlayed, random: Random) -> None:
    """Show a move whose captures are lifted one by one, some before the stone lands."""
    move = played.move
    if move.point is None:
        table.tell(Pass(move.color), 10.0)
        return
    captured = sorted(played.captured)
    random.shuffle(captured)
    early = random.randint(0, len(captured))
    gap = random.uniform(3, 20)
    for taken in captured[:early]:
        table.view([], [taken], gap)
        gap = random.uniform(0.3, 3)
    table.view([Stone(move.color, move.point)], [], gap)
    for taken in captured[early:]:
        table.view([], [taken], random.uniform(0.3, 3))


@UNHURRIED
@given(SEEDS, st.sampled_from([5, 7, 9]))
def test_a_legal_game_raises_no_alert_however_slowly_captures_are_lifted(
    seed: int, size: int
) -> None:
    random = Random(seed)
    moves = random_moves(random, size, 60, passes=0.03)
    table = Table(size=size)
    for played in moves:
        lift_slowly(table, played, random)
    assert not table.alerts()
    assert table.moves == [played.move for played in moves]
    assert table.game.board == table.game.physical
    table.check_fold()


@UNHURRIED
@given(SEEDS)
def test_a_step_that_changes_nothing_leaves_the_state_as_it_is(seed: int) -> None:
    random = Random(seed)
    table = Table(size=7)
    for played in random_moves(random, 7, 20):
        show(table, played)
    before = table.state
    assert table.tell(Tick(), 1.0) == ()
    assert table.tell(SettledView(), 1.0) == ()
    assert table.state.game is before.game
    assert table.state.memory is before.memory


def begun(seed: int, size: int = 9) -> tuple[Table, list[MovePlayed], Random]:
    """Return a table in the middle of a random game, and the moves that are to come."""
    random = Random(seed)
    moves = random_moves(random, size, 40)
    table = Table(size=size)
    half = len(moves) // 2
    for played in moves[:half]:
        show(table, played)
    return table, moves[half:], random


def go_on(table: Table, rest: list[MovePlayed]) -> None:
    for played in rest:
        show(table, played)
    table.check_fold()


def only_alert(table: Table) -> Alert:
    (alert,) = table.alerts()
    return alert


@UNHURRIED
@given(SEEDS)
def test_one_second_stone_in_a_row_is_found_and_nothing_else(seed: int) -> None:
    table, rest, random = begun(seed)
    color = table.moves[-1].color
    free = [
        p
        for p in sorted(table.game.board.empty_points())
        if not outcome(table.game.board, None, Move(color, p), RULES).faults
    ]
    if not free:
        return
    second = random.choice(free)
    taken = outcome(table.game.board, None, Move(color, second), RULES).captured
    table.view([Stone(color, second)], sorted(taken))
    table.view([Stone(color.opponent, p) for p in sorted(taken)], [second])
    record = table.moves
    go_on(table, rest)
    alert = only_alert(table)
    assert (alert.type, alert.color, alert.points) == ("double-move", color, (second,))
    assert table.moves == [*record, *(m.move for m in rest)]


@UNHURRIED
@given(SEEDS)
def test_one_stone_that_slides_is_found_and_nothing_else(seed: int) -> None:
    table, rest, random = begun(seed)
    board, last = table.game.board, table.game.moves[-1].move.point
    stones = sorted((s for s in board.stones() if s.point != last), key=lambda s: s.point)
    random.shuffle(stones)
    for moved in stones:
        near = [
            p
            for p in sorted(board.empty_points())
            if max(abs(p.row - moved.point.row), abs(p.col - moved.point.col)) == 1
        ]
        if near:
            break
    else:
        return
    target = random.choice(near)
    table.view([Stone(moved.color, target)], [moved.point])
    table.tell(Tick(), 9.0)
    table.view([moved], [target])
    go_on(table, rest)
    alert = only_alert(table)
    assert (alert.type, alert.points) == ("moved-stone", (moved.point, target))


@UNHURRIED
@given(SEEDS, st.booleans())
def test_one_take_back_is_found_and_nothing_else(seed: int, is_claimed: bool) -> None:
    table, rest, random = begun(seed)
    last = table.game.moves[-1]
    if last.captured or last.move.point is None:
        return
    color, origin = last.move.color, last.move.point
    before = table.game.board.with_changes(remove=[origin])
    free = [
        p
        for p in sorted(before.empty_points())
        if p != origin and not before.place(color, p).own_lost
    ]
    free = [p for p in free if not before.place(color, p).captured]
    if not free:
        return
    target = random.choice(free)
    table.view([], [origin], 5.0)
    table.view([Stone(color, target)], [], 2.0)
    if is_claimed:
        table.tell(Claim(color.opponent, "take-back"), 2.0)
    table.view([Stone(color, origin)], [target])
    go_on(table, rest)
    alert = only_alert(table)
    assert (alert.type, alert.points) == ("take-back", (origin, target))
    assert alert.level is (Level.VIOLATION if is_claimed else Level.NOTICE)
    assert table.game.warnings.of(color) == is_claimed


@UNHURRIED
@given(SEEDS)
def test_one_scattered_board_is_found_and_play_goes_on_when_it_is_rebuilt(seed: int) -> None:
    table, rest, random = begun(seed)
    stones = sorted(table.game.board.stones(), key=lambda s: s.point)
    gone = random.sample(stones, 10)
    table.view([], [s.point for s in gone])
    table.tell(Tick(), 9.0)
    assert table.game.phase is Phase.SUSPENDED
    table.view(gone[:5])
    table.view(gone[5:])
    assert table.game.phase is Phase.PLAYING
    go_on(table, rest)
    assert only_alert(table).type == "board-scattered"


def test_a_stone_hidden_by_an_arm_is_inserted_where_it_was_played() -> None:
    table = Table()
    table.view([stone("BQ16")])
    table.view([stone("WD4")])
    table.view([stone("WC3")], after_s=5.0)
    assert [a.type for a in table.alerts()] == ["double-move"]
    hidden = stone("BK10")
    late = SettledView((hidden,), (), {}, None, {hidden.point: table.t_s - 4.0})
    table.tell(late, 9.0)
    assert not table.alerts()
    assert table.game.warnings == (0, 0)
    assert [m.point for m in table.moves][-2:] == [hidden.point, stone("WC3").point]
    assert table.game.moves[-2].provenance is Provenance.INFERRED
    table.check_fold()


def test_a_reply_to_a_second_stone_is_no_hidden_stone_when_its_point_was_in_sight() -> None:
    table = Table()
    table.view([stone("BQ16")])
    table.view([stone("BC3")])
    table.view([stone("WK10")])
    assert [a.type for a in table.alerts()] == ["double-move"]
    assert table.moves == [Move(B, point("Q16")), Move(W, point("K10"))]


def test_a_false_reading_beside_the_true_stone_leaves_no_alert() -> None:
    table = Table()
    table.view([stone("BQ16")])
    table.view([stone("WA16")])
    true, seen = stone("WD4"), table.t_s + 0.6
    table.tell(SettledView((true,), (), {true.point: seen}), 1.5)
    table.tell(Tick(), 0.5)
    assert not table.alerts()
    table.view([], [point("A16")], 0.3)
    assert not table.alerts()
    assert table.moves == [Move(B, point("Q16")), Move(W, point("D4"))]
    assert any(isinstance(e, MovesRetracted) for e in table.events)
    table.check_fold()


def test_two_stones_that_come_too_fast_and_both_stay_are_reported_after_all() -> None:
    table = Table()
    table.view([stone("BQ16")])
    second, seen = stone("BD4"), table.t_s + 1.0
    table.tell(SettledView((second,), (), {second.point: seen}), 1.5)
    assert not table.alerts()
    table.tell(Tick(), 3.0)
    assert only_alert(table).type == "double-move"


def tracked(text: str, first_s: float) -> SettledView:
    """Return a stone told as it settled, first seen at a time."""
    shown = stone(text)
    return SettledView((shown,), (), {shown.point: first_s})


def test_a_lifted_stone_that_settles_after_the_new_one_is_a_take_back_all_the_same() -> None:
    table = Table()
    table.tell(tracked("BQ16", 9.5), 10.0)
    table.tell(tracked("WD4", 19.5), 10.0)
    table.tell(tracked("WC16", 24.0), 5.2)
    table.view([], [point("D4")], 0.4)
    table.tell(Tick(), 2.0)
    assert only_alert(table).type == "take-back"
    assert not [s for s in table.game.alerts if s.withdrawn is not None]
    table.tell(tracked("BQ4", 30.0), 5.0)
    assert table.moves[1] == Move(W, point("C16"))
    table.check_fold()


def test_a_take_back_that_was_called_a_second_stone_is_put_right() -> None:
    table = Table()
    table.view([stone("BQ16")])
    table.view([stone("WD4")])
    table.view([stone("WC16")], after_s=5.0)
    assert only_alert(table).type == "double-move"
    table.view([], [point("D4")], 1.5)
    assert only_alert(table).type == "take-back"
    assert table.game.warnings == (0, 0)


def test_a_second_stone_told_as_it_settles_is_reported_a_second_later() -> None:
    table = Table()
    table.tell(tracked("BQ16", 9.5), 10.0)
    table.tell(tracked("BD4", 19.0), 10.0)
    assert not table.alerts()
    table.tell(Tick(), 1.0)
    assert only_alert(table).type == "double-move"


def test_a_reading_older_than_the_last_move_is_neither_a_move_nor_an_offence() -> None:
    table = Table()
    table.tell(tracked("BQ16", 9.5), 10.0)
    table.tell(tracked("WD4", 19.5), 10.0)
    table.tell(tracked("WA19", 12.0), 1.0)
    table.tell(tracked("BQ4", 24.5), 4.0)
    table.tell(Tick(), 3.0)
    assert not table.alerts()
    table.tell(Tick(), 9.0)
    assert only_alert(table).type == "board-mismatch"
    table.tell(tracked("WC16", 41.0), 5.0)
    assert table.moves[-1] == Move(W, point("C16"))
    assert len(table.alerts()) == 1
    table.check_fold()


def test_nothing_is_reported_while_the_view_is_blocked() -> None:
    table = Table()
    table.view([stone("BQ16")])
    table.view([], [point("Q16")], 2.0)
    table.tell(ViewStateSeen(ViewState.BLOCKED), 1.0)
    table.tell(Tick(), 60.0)
    assert not table.alerts()
    table.tell(ViewStateSeen(ViewState.CLEAR), 1.0)
    table.view([stone("BQ16")], [], 1.0)
    table.tell(Tick(), 60.0)
    assert not table.alerts()


def test_a_game_joined_in_the_middle_learns_the_turn_from_the_next_stone() -> None:
    stones = (stone("BQ16"), stone("WD4"), stone("BQ4"))
    table = Table(setup=stones, info=GameInfo())
    table.tell(StartGame(GameInfo(), stones, None))
    assert table.game.to_move is None
    table.view([stone("WC16")])
    table.view([stone("BC14")])
    assert not table.alerts()
    assert table.game.to_move is W


def test_stones_that_stood_before_the_start_are_set_up_and_later_ones_are_moves() -> None:
    table = Table()
    table.state = new_state()
    table.events.clear()
    table.view([stone("BQ16")])
    table.tell(StartGame(GameInfo(), (), B), 0.1)
    assert table.moves == [Move(B, point("Q16"))]
    table.check_fold()


def test_a_session_goes_on_after_a_restart_without_repeating_its_alerts() -> None:
    table = Table()
    for text in ("BQ16", "BD4"):
        table.view([stone(text)])
    again = new_state(table.game, now_s=table.t_s)
    table.state = again
    table.tell(Tick(), 20.0)
    table.view([stone("WC16")])
    assert len(table.alerts()) == 1
    assert table.game.mismatch == (point("D4"),)
    table.check_fold()


def test_time_that_runs_backwards_counts_as_standing_still() -> None:
    table = Table()
    table.view([stone("BQ16")])
    table.t_s = 1.0
    table.view([stone("WD4")], after_s=0.0)
    assert table.state.now_s == 10.0
    assert len(table.moves) == 2


@pytest.mark.parametrize("is_confirmed", [False, True])
def test_clearing_the_goban_after_the_end_raises_nothing(is_confirmed: bool) -> None:
    table = Table()
    for text in ("BQ16", "WD4", "BQ4"):
        table.view([stone(text)])
    table.tell(Pass(W), 5.0)
    table.tell(Pass(B), 5.0)
    assert table.game.phase is Phase.SCORING
    if is_confirmed:
        table.tell(EndGame("B+0.5"))
    for shown in sorted(s.point for s in table.game.physical.stones()):
        table.view([], [shown], 2.0)
    table.view([stone("BA1"), stone("WA2")], [], 9.0)
    table.tell(Tick(), 90.0)
    assert not table.alerts()
    assert table.game.board != Board(19)


@pytest.mark.parametrize("grace_s", [3.0, 20.0])
def test_a_stone_put_elsewhere_and_seen_only_behind_the_reply_is_the_move_it_was(
    grace_s: float,
) -> None:
    table = Table()
    for text in ("BQ16", "WB2"):
        table.view([stone(text)])
    table.view([], [point("B2")])
    replied_s = table.t_s + grace_s
    reply = SettledView((stone("BD16"),), (), {point("D16"): replied_s})
    table.tell(reply, grace_s + 0.5)
    late = SettledView((stone("WF5"),), (), {point("F5"): replied_s - 2.0})
    table.tell(late, 0.5)
    table.tell(Tick(), 20.0)
    table.view([stone("WQ4")])
    expected = [Move(s.color, s.point) for s in map(stone, ("BQ16", "WF5", "BD16", "WQ4"))]
    assert table.moves == expected
    assert [alert.type for alert in table.alerts()] == ["take-back"]
    table.check_fold()


def test_a_stone_seen_before_the_hidden_one_it_answers_is_the_reply() -> None:
    table = Table()
    table.tell(tracked("BQ16", 9.5), 10.0)
    white = stone("WD4")
    # White's stone lay under Black's sleeve from 15 s on; the reply was in sight at once.
    table.tell(SettledView((white,), (), {white.point: 19.5}, None, {white.point: 14.9}), 10.0)
    table.tell(tracked("BC16", 18.7), 0.2)
    assert table.moves[1:] == [Move(W, white.point), Move(B, point("C16"))]
    table.tell(Tick(), 20.0)
    assert not table.alerts()
    table.check_fold()

"""The public sees the corrected main line, as late as it should, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from public_records import INFO, SECRET, Log, alert, vertices_of

from recorder.events import (
    AlertClosed,
    ClockChanged,
    GameInfo,
    InfoChanged,
    MoveVoided,
    Phase,
    PhaseChanged,
    PositionCorrected,
    ResultChanged,
    ViewChanged,
    ViewState,
)
from recorder.game import fold
from recorder.goban import Color, Point, Stone
from recorder.public import (
    NO_DELAY,
    Delay,
    DelayError,
    PublicGame,
    PublicView,
    followed_by_next,
    next_due_s,
    project,
    take_batch,
)
from recorder.publish import Batch

TEN = "C3 G7 C7 G3 E5 E3 E7 C5 G5 D4"


def known(batches: list[Batch], delay: Delay = NO_DELAY) -> PublicGame:
    game = PublicGame("g1", batches[0].records[0].t_s)
    for batch in batches:
        moment = batch.records[0].t_s
        game = take_batch(game, batch.records, known_s=moment, delay=delay)
    return game


def seen(batches: list[Batch], now_s: float, delay: Delay = NO_DELAY) -> PublicView:
    due = [batch for batch in batches if batch.records[0].t_s <= now_s]
    return project(known(due, delay), now_s=now_s, delay=delay)


def line(view: PublicView) -> str:
    return vertices_of(view.game.moves)


def ten_moves() -> tuple[Log, list[Batch]]:
    log = Log()
    return log, [log.start(), *log.play_all(TEN)]


def test_without_delay_every_move_is_public_at_once() -> None:
    _, batches = ten_moves()
    assert line(seen(batches, 40.0)) == "C3 G7 C7 G3"
    assert line(seen(batches, 100.0)) == TEN


def test_a_delay_in_seconds_holds_each_move_back_for_as_long() -> None:
    _, batches = ten_moves()
    delay = Delay(seconds=25.0)
    assert line(seen(batches, 60.0, delay)) == "C3 G7 C7"
    assert line(seen(batches, 64.9, delay)) == "C3 G7 C7"
    assert line(seen(batches, 65.0, delay)) == "C3 G7 C7 G3"


def test_a_delay_in_moves_shows_a_move_when_so_many_have_followed() -> None:
    _, batches = ten_moves()
    assert line(seen(batches, 100.0, Delay(moves=4))) == "C3 G7 C7 G3 E5 E3"


def test_with_both_delays_both_hold() -> None:
    _, batches = ten_moves()
    assert line(seen(batches, 100.0, Delay(seconds=65.0, moves=2))) == "C3 G7 C7"
    assert line(seen(batches, 100.0, Delay(seconds=1.0, moves=8))) == "C3 G7"


def test_the_last_moves_come_out_when_the_game_is_over() -> None:
    log, batches = ten_moves()
    batches.append(log.add(110.0, PhaseChanged(Phase.ENDED, SECRET)))
    assert line(seen(batches, 111.0, Delay(moves=4))) == TEN
    assert line(seen(batches, 111.0, Delay(seconds=5.0, moves=4))) == TEN
    assert seen(batches, 111.0, Delay(seconds=5.0, moves=4)).game.phase is Phase.PLAYING


def test_the_last_moves_come_out_when_the_next_game_begins() -> None:
    _, batches = ten_moves()
    delay = Delay(moves=4)
    game = followed_by_next(known(batches, delay), now_s=120.0, delay=delay)
    assert line(project(game, now_s=120.0, delay=delay)) == TEN


def test_a_move_deleted_within_the_delay_is_never_shown() -> None:
    log, batches = ten_moves()
    batches.append(log.correct(101.0, 10, ""))
    delay = Delay(seconds=25.0)
    shown = [line(seen(batches, now_s / 10, delay)) for now_s in range(900, 1500, 5)]
    assert not any("D4" in text for text in shown)
    assert shown[-1] == TEN.removesuffix(" D4")


def test_a_correction_of_a_move_already_shown_appears_at_once() -> None:
    log, batches = ten_moves()
    batches.append(log.correct(101.0, 3, "C6 G3 E5 E3 E7 C5 G5 D4"))
    assert line(seen(batches, 101.0, Delay(seconds=45.0))) == "C3 G7 C6 G3 E5"


def test_deleting_a_shown_move_lets_nothing_out_early() -> None:
    log, batches = ten_moves()
    batches.append(log.correct(101.0, 3, "G3 E5 E3 E7 C5 G5 D4"))
    for delay in (Delay(seconds=45.0), Delay(moves=5)):
        assert line(seen(batches, 101.0, delay)) == "C3 G7 G3 E5"


def test_inserting_a_move_before_shown_ones_shows_it_at_once() -> None:
    log, batches = ten_moves()
    batches.append(log.correct(101.0, 3, "A1 C7 G3 E5 E3 E7 C5 G5 D4"))
    for delay in (Delay(seconds=45.0), Delay(moves=5)):
        assert line(seen(batches, 101.0, delay)) == "C3 G7 A1 C7 G3 E5"


def test_a_move_taken_back_and_replaced_later_is_a_new_move() -> None:
    log, batches = ten_moves()
    batches += [log.correct(101.0, 10, ""), log.play(130.0, "H1")]
    delay = Delay(seconds=25.0)
    assert line(seen(batches, 154.9, delay)) == TEN.removesuffix(" D4")
    assert line(seen(batches, 155.0, delay)) == TEN.replace("D4", "H1")


def test_a_released_move_stays_when_a_later_one_is_taken_back() -> None:
    log, batches = ten_moves()
    batches.append(log.correct(101.0, 10, ""))
    assert line(seen(batches, 101.0, Delay(moves=4))) == "C3 G7 C7 G3 E5 E3"


def test_two_corrections_in_one_batch_keep_the_times_of_what_comes_again() -> None:
    log, batches = ten_moves()
    first = log.correct(101.0, 8, "C5 G5 D4")
    second = log.correct(101.0, 6, "E3 E7 C5 G5 D4")
    batches.append(Batch((*first.records, *second.records), second.game))
    assert line(seen(batches, 101.0, Delay(seconds=25.0))) == " ".join(TEN.split()[:7])
    third = log.correct(102.0, 6, "E3 E7 C5 G5 D4")
    fourth = log.correct(102.0, 8, "C5 G5 D4")
    batches.append(Batch((*third.records, *fourth.records), fourth.game))
    assert line(seen(batches, 102.0, Delay(seconds=25.0))) == " ".join(TEN.split()[:7])


def test_a_position_corrected_after_a_shown_move_shows_with_it() -> None:
    log, batches = ten_moves()
    stone = Stone(Color.WHITE, Point(0, 0))
    batches.append(log.add(101.0, PositionCorrected((stone,), (), Color.BLACK, SECRET)))
    batches.append(log.play(110.0, "H8"))
    delay = Delay(seconds=5.0)
    assert seen(batches, 104.0, delay).game.board[Point(0, 0)] is None
    view = seen(batches, 120.0, delay)
    assert view.game.board[Point(0, 0)] is Color.WHITE
    assert view.game.corrections[0].event.reason == ""


def test_names_are_corrected_at_once() -> None:
    log, batches = ten_moves()
    batches.append(log.add(101.0, InfoChanged(GameInfo(size=9, black="Lin Hai"))))
    view = seen(batches, 101.0, Delay(seconds=60.0))
    assert view.game.info.black == "Lin Hai"
    assert line(view) == "C3 G7 C7 G3"


def test_a_proposed_result_is_not_public_and_a_resignation_is() -> None:
    log, batches = ten_moves()
    forfeit = [*batches, log.add(105.0, ResultChanged("W+F", SECRET))]
    assert seen(forfeit, 105.0).game.result is None
    confirmed = [*forfeit, log.add(106.0, ResultChanged("W+F", SECRET, is_confirmed=True))]
    assert seen(confirmed, 106.0).game.result == "W+F"
    resigned = [*batches, log.add(107.0, ResultChanged("B+R"))]
    assert seen(resigned, 107.0).game.result == "B+R"


def test_an_end_that_is_only_proposed_is_a_pause() -> None:
    log, batches = ten_moves()
    proposed = [ResultChanged("W+F", SECRET), PhaseChanged(Phase.ENDED, SECRET)]
    batches.append(log.add(105.0, *proposed))
    assert seen(batches, 105.0).game.phase is Phase.PAUSED
    assert line(seen(batches, 105.0, Delay(moves=4))) == "C3 G7 C7 G3 E5 E3"
    batches.append(log.add(106.0, ResultChanged("W+F", SECRET, is_confirmed=True)))
    assert seen(batches, 106.0).game.phase is Phase.ENDED


def test_a_result_taken_back_within_the_delay_is_never_shown() -> None:
    log, batches = ten_moves()
    batches.append(log.add(105.0, ResultChanged("B+R")))
    batches.append(log.add(110.0, ResultChanged(None)))
    delay = Delay(seconds=20.0)
    assert {seen(batches, float(now_s), delay).game.result for now_s in range(300)} == {None}


def test_clocks_are_as_late_as_the_moves_and_absent_behind_by_moves() -> None:
    log, batches = ten_moves()
    batches += [log.add(101.0 + n, ClockChanged(f'{{"n": {n}}}')) for n in range(3)]
    assert seen(batches, 112.5, Delay(seconds=10.0)).clock == '{"n": 1}'
    assert seen(batches, 112.5).clock == '{"n": 2}'
    assert seen(batches, 112.5, Delay(moves=2)).clock == ""


def test_a_view_that_is_not_clear_is_said_without_its_reason() -> None:
    log, batches = ten_moves()
    batches.append(log.add(101.0, ViewChanged(ViewState.LOST, SECRET)))
    view = seen(batches, 101.0)
    assert view.is_interrupted
    assert SECRET not in repr(view)


def test_no_alert_reason_note_or_article_reaches_the_public() -> None:
    log, batches = ten_moves()
    move = log.move("H2").move
    batches.append(log.add(101.0, alert(), log.move("H2")))
    batches.append(log.add(102.0, AlertClosed(1, SECRET, SECRET, SECRET)))
    batches.append(log.add(103.0, MoveVoided(move, frozenset(), 11, SECRET, SECRET, 1)))
    batches.append(log.correct(104.0, 11, "H3"))
    batches.append(log.add(105.0, PhaseChanged(Phase.SUSPENDED, SECRET)))
    view = seen(batches, 200.0)
    assert SECRET not in repr(view)
    assert not view.game.alerts
    assert not view.game.voids


def test_an_order_that_is_not_known_is_said() -> None:
    log = Log()
    batches = [log.start(), log.add(1.0, replace(log.move("C3"), is_order_known=False))]
    assert not seen(batches, 1.0).game.moves[0].is_order_known


def test_times_of_moves_count_from_the_start_of_the_game() -> None:
    log = Log()
    batches = [log.start(0.5), log.play(3.0, "C3")]
    view = seen(batches, 3.0)
    assert view.played_s == (0.5,)
    assert view.played_utc == ("2026-05-01T09:00:03+00:00",)


def test_a_negative_delay_is_refused() -> None:
    with pytest.raises(DelayError, match="must not be negative"):
        Delay(seconds=-1.0)
    with pytest.raises(DelayError):
        Delay(seconds=float("nan"))


class Batches(list[Batch]):
    """Batches that print as what they hold, not with every position on the way."""

    def __repr__(self) -> str:
        return repr([(r.t_s, r.event) for batch in self for r in batch.records])


@st.composite
def histories(draw: st.DrawFn) -> Batches:
    """Games with moves, take-backs and edits at any times."""
    log = Log()
    batches, now_s = Batches([log.start(info=INFO)]), 0.0
    for _ in range(draw(st.integers(0, 25))):
        now_s += draw(st.sampled_from([0.0, 1.0, 7.0]))
        count = len(log.game.moves)
        back = draw(st.integers(0, 5)) if draw(st.booleans()) else 0
        free = sorted(log.game.board.empty_points())
        if back and count:
            first = max(1, count - back + 1)
            # With captures, what follows might no longer fit on the goban.
            is_edit = draw(st.booleans()) and not any(log.game.prisoners)
            kept = vertices_of(log.game.moves[first:]) if is_edit else ""
            batches.append(log.correct(now_s, first, kept))
        elif free:
            point = draw(st.sampled_from(free))
            if not log.game.board.place(log.move(None).move.color, point).own_lost:
                vertex = "ABCDEFGHJ"[point.col] + str(9 - point.row)
                batches.append(log.play(now_s, vertex))
    return batches


@settings(deadline=None)
@given(histories())
def test_without_delay_the_public_line_is_the_record(batches: list[Batch]) -> None:
    record = fold(r.event for batch in batches for r in batch.records)
    view = project(known(batches), now_s=1e9, delay=NO_DELAY)
    assert line(view) == vertices_of(record.moves)
    assert view.game.board == record.board
    assert view.game.prisoners == record.prisoners


@settings(deadline=None)
@given(histories(), st.sampled_from([Delay(5.0), Delay(0.0, 3), Delay(5.0, 3)]))
def test_the_public_line_is_a_beginning_of_the_record(batches: list[Batch], delay: Delay) -> None:
    game, view = PublicGame("g1", 0.0), None
    for batch in batches:
        moment = batch.records[0].t_s
        game = take_batch(game, batch.records, known_s=moment, delay=delay)
        view = project(game, now_s=moment, delay=delay, before=view)
        assert view == project(game, now_s=moment, delay=delay)
        shown = len(view.game.moves)
        whole = [move.move for move in batch.game.moves]
        assert [move.move for move in view.game.moves] == whole[:shown]


@settings(deadline=None)
@given(histories())
def test_everything_is_public_once_the_delay_has_passed(batches: list[Batch]) -> None:
    delay = Delay(seconds=5.0)
    game = known(batches, delay)
    last = batches[-1].records[0].t_s
    assert next_due_s(game, after_s=last + 5.0, delay=delay) is None
    view = project(game, now_s=last + 5.0, delay=delay)
    assert line(view) == vertices_of(batches[-1].game.moves)

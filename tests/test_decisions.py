"""Rulings, corrections and set-ups: the record is folded again, and nothing is lost."""

from __future__ import annotations

import pytest
from rules_play import Table

from recorder.events import GameInfo, Level, Move, Phase, Provenance
from recorder.goban import Color, Point, Stone, parse_vertex
from recorder.observations import Claim, Correction, Pass, Ruling, Seal, Setup, Tick

B, W = Color.BLACK, Color.WHITE


def point(text: str) -> Point:
    return parse_vertex(text, 19)


def stone(text: str) -> Stone:
    return Stone(Color(text[0]), point(text[1:]))


def stones(text: str) -> tuple[Stone, ...]:
    return tuple(map(stone, text.split()))


def move(text: str) -> Move:
    color, place = text.split()
    return Move(Color(color), None if place == "pass" else point(place))


def moves(*texts: str) -> list[Move]:
    return [move(text) for text in texts]


KO = stones("BJ10 BK11 BK9 WM10 WL11 WL9 WK10")


def retaken(ruleset: str = "chinese-2002") -> Table:
    """Return a table on which White has just retaken a ko, and Black played on."""
    table = Table(ruleset=ruleset, setup=KO)
    table.view([stone("BL10")], [point("K10")])
    table.view([stone("WK10")], [point("L10")])
    table.view([stone("BC3")])
    return table


def test_a_confirmed_alert_changes_nothing_but_is_closed() -> None:
    table = retaken()
    before = table.moves
    table.tell(Ruling(1, "confirm", "Li"), 5.0)
    assert table.moves == before
    assert not table.game.open_alerts
    assert table.game.warnings.white == 1
    table.check_fold()


def test_a_dismissed_ko_puts_the_stone_in_place_of_the_pass_and_plays_the_rest_again() -> None:
    table = retaken()
    assert table.moves == moves("B L10", "W pass", "B C3")
    table.tell(Ruling(1, "dismiss", "Li"), 5.0)
    assert table.moves == moves("B L10", "W K10", "B C3")
    assert table.game.moves[1].captured == {point("L10")}
    assert table.game.moves[1].faults == {"ko-violation"}
    assert table.game.moves[1].provenance is Provenance.EDITED
    assert table.game.warnings.white == 0
    assert not table.game.voids
    assert not table.game.mismatch
    table.check_fold()


def test_a_later_move_that_can_no_longer_be_played_becomes_an_alert_and_is_not_lost() -> None:
    table = retaken()
    table.view([stone("WC4")])
    table.view([stone("BL10")], [point("K10")])
    table.tell(Ruling(1, "dismiss", "Li"), 5.0)
    assert table.game.moves[1].move == move("W K10")
    table.tell(Correction(3, tuple(moves("B K10")), "Li"), 5.0)
    assert [a.type for a in table.alerts()][-1] == "record-conflict"
    table.check_fold()


def test_a_dismissed_second_stone_counts_and_play_goes_on_from_it() -> None:
    table = Table()
    for text in ("BQ16", "BD10", "WC3"):
        table.view([stone(text)])
    table.tell(Ruling(1, "dismiss"), 5.0)
    assert table.moves == moves("B Q16", "B D10", "W C3")
    assert not table.game.mismatch
    table.view([stone("BC16")])
    assert len(table.alerts()) == 1
    table.check_fold()


def test_a_proposed_loss_is_confirmed_or_taken_back_by_the_referee() -> None:
    table = Table(ruleset="chinese-older")
    table.view([stone("BQ16")])
    table.view([stone("BD10")])
    assert (table.game.phase, table.game.result) == (Phase.ENDED, "W+F")
    table.tell(Ruling(1, "dismiss"), 5.0)
    assert (table.game.phase, table.game.result) == (Phase.PLAYING, None)
    table.check_fold()
    other = Table(ruleset="japanese")
    other.view([stone("BQ16")])
    other.view([stone("BD10")])
    other.tell(Ruling(1, "confirm"), 5.0)
    assert other.game.is_result_confirmed
    other.view([stone("WC3")])
    assert other.game.phase is Phase.ENDED
    assert other.game.result == "W+F"


def test_a_dismissed_warning_takes_the_loss_by_two_warnings_back() -> None:
    table = Table()
    for text in ("BQ16", "BD10"):
        table.view([stone(text)])
    table.view([], [point("D10")])
    table.view([stone("WC3")])
    table.view([stone("BQ4")])
    table.view([stone("BQ5")])
    assert table.game.result == "W+F"
    table.tell(Ruling(1, "dismiss"), 5.0)
    assert table.game.result is None
    assert table.game.phase is Phase.PLAYING
    assert table.game.warnings == (1, 0)
    table.check_fold()


def test_a_moved_stone_may_be_ruled_valid_where_it_is() -> None:
    table = Table()
    for text in ("BQ16", "WD4", "BQ4"):
        table.view([stone(text)])
    table.view([stone("BR16")], [point("Q16")])
    table.tell(Tick(), 9.0)
    table.tell(Ruling(1, "valid", "chief"), 5.0)
    assert table.game.board[point("R16")] is B
    assert table.game.board[point("Q16")] is None
    assert not table.game.mismatch
    assert len(table.game.corrections) == 1
    table.view([stone("WC16")])
    assert len(table.alerts()) == 1
    table.check_fold()


def test_a_repetition_may_be_ruled_void() -> None:
    setup = stones("BB1 BC2 BD1 BC3 BD3 BC4 WA2 WB2 WA3 WB3 WB4")
    table = Table(setup=setup)
    table.view([stone("BA1")])
    table.view([stone("WC1")], [point("A1"), point("B1")])
    table.view([stone("BB1")], [point("C1")])
    assert table.game.phase is Phase.SUSPENDED
    table.tell(Ruling(1, "void-move", "chief"), 5.0)
    assert table.moves == moves("B A1", "W C1", "B pass")
    assert [v.move for v in table.game.voids] == moves("B B1")
    table.view([stone("WC1")], [point("B1")])
    table.view([stone("WK3")])
    assert table.moves[-1] == move("W K3")
    table.check_fold()


@pytest.mark.parametrize(
    ("decision", "result"), [("draw", "Draw"), ("no-result", "Void"), ("replay", "Void")]
)
def test_a_repetition_may_end_the_game(decision: str, result: str) -> None:
    setup = stones("BB1 BC2 BD1 BC3 BD3 BC4 WA2 WB2 WA3 WB3 WB4")
    table = Table(setup=setup)
    table.view([stone("BA1")])
    table.view([stone("WC1")], [point("A1"), point("B1")])
    table.view([stone("BB1")], [point("C1")])
    table.tell(Ruling(1, decision, "chief"), 5.0)
    assert table.game.result == result
    assert table.game.phase is Phase.ENDED
    table.check_fold()


def test_a_take_back_ruled_valid_follows_the_goban_at_once() -> None:
    table = Table()
    table.view([stone("BQ16")])
    table.view([stone("BC3")], [point("Q16")])
    table.tell(Claim(W, "take-back"), 2.0)
    assert table.alerts()[0].level is Level.VIOLATION
    table.tell(Ruling(1, "stands"), 2.0)
    assert table.moves == moves("B C3")
    assert not table.game.mismatch
    table.check_fold()


def test_a_warning_can_be_added_or_left_out_by_decision() -> None:
    table = retaken()
    table.tell(Ruling(1, "no-warning"), 5.0)
    assert table.game.warnings.white == 0
    table.tell(Ruling(1, "warning"), 5.0)
    assert table.game.warnings.white == 1
    table.check_fold()


def test_a_corrected_record_keeps_the_times_of_what_is_as_before() -> None:
    table = Table()
    for text in ("BQ16", "WD4", "BQ4", "WC16"):
        table.view([stone(text)])
    table.tell(Correction(2, tuple(moves("W D3", "B Q4", "W C16")), "operator", "misread"), 5.0)
    assert table.moves == moves("B Q16", "W D3", "B Q4", "W C16")
    assert table.game.moves[1].provenance is Provenance.EDITED
    assert table.game.moves[1].note == "operator: misread"
    assert table.game.moves[2].t_s == 30.0
    assert set(table.game.mismatch) == {point("D3"), point("D4")}
    table.check_fold()


def test_a_deleted_phantom_does_not_come_back_while_the_picture_stays() -> None:
    table = Table()
    for text in ("BQ16", "WD4"):
        table.view([stone(text)])
    table.tell(Correction(2, (), "operator", "no stone there"), 5.0)
    table.tell(Tick(), 100.0)
    assert table.moves == moves("B Q16")
    assert not table.alerts()
    table.view([], [point("D4")])
    table.view([stone("WD4")])
    assert table.moves == moves("B Q16", "W D4")
    table.check_fold()


def test_a_set_up_changes_position_and_turn_and_play_goes_on_from_it() -> None:
    table = Table()
    table.view([stone("BQ16")])
    table.tell(Setup((stone("WD4"),), (), B, "operator", "missed"), 5.0)
    assert table.game.to_move is B
    table.view([stone("WD4")])
    table.view([stone("BC16")])
    assert not table.alerts()
    assert table.moves == moves("B Q16", "B C16")
    table.check_fold()


def test_an_unknown_alert_and_a_sealed_game_take_no_decision() -> None:
    table = retaken()
    before = table.state.game
    table.tell(Ruling(99, "confirm"))
    assert table.state.game is before
    table.tell(Pass(W), 5.0)
    table.tell(Seal("chief"))
    table.tell(Ruling(1, "dismiss"))
    table.tell(Correction(1, ()))
    table.tell(Setup((), (), None))
    assert table.moves == moves("B L10", "W pass", "B C3", "W pass")


def test_an_illegal_move_stands_under_aga_rules_unless_it_is_claimed_in_time() -> None:
    table = Table(ruleset="aga", setup=KO, info=GameInfo(ruleset="aga"))
    table.view([stone("BL10")], [point("K10")])
    table.view([stone("WK10")], [point("L10")])
    table.view([stone("BC3")])
    table.tell(Claim(B, "ko-violation"), 2.0)
    assert table.moves == moves("B L10", "W K10", "B C3")
    assert table.game.moves[1].faults == {"ko-violation"}
    table.check_fold()

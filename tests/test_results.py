"""Results in SGF and in words."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder.goban import Color
from recorder.results import (
    Ending,
    Result,
    Unit,
    describe_result,
    format_result,
    parse_result,
)

B, W = Color.BLACK, Color.WHITE


@given(
    st.sampled_from(Color),
    st.none() | st.integers(0, 8000).map(lambda n: Fraction(n, 4)),
)
@settings(deadline=None)
def test_a_counted_result_reads_back(winner: Color, points: Fraction | None) -> None:
    result = Result(Ending.COUNTED, winner, points)
    assert parse_result(format_result(result)) == result


@pytest.mark.parametrize("ending", [Ending.RESIGNED, Ending.TIME, Ending.FORFEIT])
def test_every_other_win_reads_back(ending: Ending) -> None:
    for color in Color:
        assert parse_result(format_result(Result(ending, color))) == Result(ending, color)


def test_results_without_a_winner_read_back() -> None:
    for ending in (Ending.DRAW, Ending.VOID, Ending.UNKNOWN):
        assert parse_result(format_result(Result(ending))) == Result(ending)
    assert format_result(Result(Ending.BOTH_LOSE)) == "Void"


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("Draw", Ending.DRAW),
        ("B+Resign", Ending.RESIGNED),
        ("w+time", Ending.TIME),
        ("W+Forfeit", Ending.FORFEIT),
        ("B+", Ending.COUNTED),
        ("B+1e99999999", Ending.COUNTED),
        ("黑胜", Ending.UNKNOWN),
        ("", Ending.UNKNOWN),
    ],
)
def test_results_of_other_programs_are_understood(text: str, ending: Ending) -> None:
    assert parse_result(text).ending is ending


@given(st.text(max_size=12))
@settings(deadline=None)
def test_any_text_is_some_result(text: str) -> None:
    assert describe_result(parse_result(text), "zh")
    assert describe_result(parse_result(text), "en")


@pytest.mark.parametrize(
    ("result", "zh", "en"),
    [
        (Result(Ending.COUNTED, B, Fraction(3, 2)), "黑胜3/4子", "Black wins by 3/4 stone"),
        (Result(Ending.COUNTED, W, Fraction(9, 2)), "白胜2又1/4子", "White wins by 2 1/4 stones"),
        (Result(Ending.COUNTED, B, Fraction(1)), "黑胜1/2子", "Black wins by 1/2 stone"),
        (Result(Ending.COUNTED, W, Fraction(2)), "白胜1子", "White wins by 1 stone"),
        (Result(Ending.COUNTED, W), "白胜", "White wins"),
        (Result(Ending.RESIGNED, B), "黑中盘胜", "Black wins (White resigns)"),
        (Result(Ending.TIME, B), "白超时，黑胜", "Black wins (White is over time)"),
        (Result(Ending.FORFEIT, W), "白胜（黑判负）", "White wins (Black forfeits)"),
        (Result(Ending.DRAW), "和棋", "Draw"),
        (Result(Ending.BOTH_LOSE), "双方判负", "Both lose"),
        (Result(Ending.VOID), "无胜负", "No result"),
        (Result(Ending.UNKNOWN), "结果未知", "Result unknown"),
    ],
)
def test_a_result_has_words_in_chinese_and_english(result: Result, zh: str, en: str) -> None:
    assert describe_result(result, "zh") == zh
    assert describe_result(result, "en") == en


@pytest.mark.parametrize(
    ("points", "zh", "en"),
    [
        (Fraction(1, 2), "黑胜半目", "Black wins by 0.5 points"),
        (Fraction(7, 2), "黑胜3目半", "Black wins by 3.5 points"),
        (Fraction(1), "黑胜1目", "Black wins by 1 point"),
        (Fraction(13, 4), "黑胜3.25目", "Black wins by 3.25 points"),
    ],
)
def test_points_have_words_of_their_own(points: Fraction, zh: str, en: str) -> None:
    result = Result(Ending.COUNTED, B, points)
    assert describe_result(result, "zh", Unit.POINTS) == zh
    assert describe_result(result, "en", Unit.POINTS) == en

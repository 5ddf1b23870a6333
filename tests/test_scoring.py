"""Counting: area and territory, shared points, seki, dead stones, warnings, and the result."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder.game import Tally
from recorder.goban import (
    Board,
    Color,
    GobanError,
    Point,
    Stone,
    format_diagram,
    parse_diagram,
    parse_vertex,
)
from recorder.results import Ending, Result
from recorder.rules import RULESETS, Counting
from recorder.scoring import (
    Marks,
    ScoringError,
    Terms,
    area_margin,
    count,
    decide,
    half_board,
    margin_of,
    territory_margin,
)

B, W = Color.BLACK, Color.WHITE
CHINESE, OLDER, JAPANESE = (RULESETS[n] for n in ("chinese-2002", "chinese-older", "japanese"))
AGA, ING = RULESETS["aga"], RULESETS["ing"]
NO_KOMI = Terms(Fraction(0))

HALVES = """
. X O . .
. X O . .
. X O . .
. X O . .
. X O . .
"""

SEKI = """
O . X O . .
O O X O . .
X X . O . .
O O O O O O
. . . . . .
. . . . . .
"""

DEAD = """
. X O . .
. X O X .
O X O . .
. X O . .
. X O . .
"""


def at(*vertices: str, size: int = 5) -> frozenset[Point]:
    """Return points by their GTP names."""
    return frozenset(parse_vertex(vertex, size) for vertex in vertices)


def test_stones_and_surrounded_points_count_for_their_side() -> None:
    counted = count(parse_diagram(HALVES))
    assert (counted.area(B), counted.area(W)) == (10, 15)
    assert counted.shared == ()


def test_a_point_between_both_sides_is_shared_half_and_half() -> None:
    counted = count(parse_diagram(HALVES.replace(". X O . .", "X . O . .", 1)))
    assert counted.shared == tuple(at("B5"))
    assert (counted.area(B), counted.area(W)) == (10 - 0.5, 15 + 0.5)


def test_liberties_shared_in_seki_are_half_points_and_a_one_sided_eye_is_whole() -> None:
    counted = count(parse_diagram(SEKI))
    assert counted.shared == tuple(at("B6", "C4", size=6))
    assert counted.area(B) + counted.area(W) == 36


def test_dead_stones_come_off_with_their_whole_chain() -> None:
    board = parse_diagram(DEAD)
    counted = count(board, Marks(dead=at("A3", "D4")))
    assert (counted.area(B), counted.area(W)) == (10, 15)
    assert len(counted.black.dead) == len(counted.white.dead) == 1


def test_without_marking_nothing_is_dead() -> None:
    counted = count(parse_diagram(DEAD))
    assert not counted.black.dead | counted.white.dead
    assert len(counted.shared) > 0


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        (Marks(dead=at("A5")), "dead: there must be a stone on A5"),
        (Marks(seki=at("A5")), "seki: there must be a stone on A5"),
        (Marks(dead=frozenset({Point(9, 9)})), "not on a 5x5 goban"),
        (Marks(contested=frozenset({Point(9, 9)})), "not on a 5x5 goban"),
    ],
)
def test_marks_that_do_not_fit_the_position_are_named(marks: Marks, words: str) -> None:
    with pytest.raises(ScoringError, match=words):
        count(parse_diagram(HALVES), marks)


def test_an_open_last_ko_is_shared_when_the_referee_marks_it() -> None:
    plain = count(parse_diagram(HALVES))
    marked = count(parse_diagram(HALVES), Marks(contested=at("A5", "B5")))
    assert marked.area(B) == plain.area(B) - 1
    assert marked.shared == tuple(sorted(at("A5", "B5"), key=lambda p: p.col))


def test_a_border_never_closed_is_closed_by_marking_the_gap() -> None:
    gap = parse_diagram(
        """
        . X . O .
        . X . O .
        . X . O .
        . X . O .
        . . . . .
        """
    )
    assert len(count(gap).shared) == 17
    marked = count(gap, Marks(contested=at("B1", "C1", "C2", "C3", "C4", "C5", "D1")))
    assert (marked.area(B), marked.area(W)) == (12.5, 12.5)
    assert len(marked.shared) == 7


def test_an_empty_goban_is_shared() -> None:
    counted = count(Board(3))
    assert (counted.area(B), counted.area(W)) == (4.5, 4.5)


def test_eyes_in_seki_are_no_territory_but_are_area() -> None:
    board = parse_diagram(HALVES)
    counted = count(board, Marks(seki=at("B1")))
    assert (counted.territory(B), counted.territory(W)) == (0, 10)
    assert counted.area(B) == 10


def test_territory_counts_points_prisoners_and_dead_stones() -> None:
    counted = count(parse_diagram(DEAD), Marks(dead=at("A3", "D4")))
    terms = Terms(Fraction(13, 2), prisoners=Tally(3, 1))
    # Black 5 points + 3 prisoners + 1 dead; White 10 + 1 + 1 and 6.5 komi.
    assert territory_margin(counted, terms, JAPANESE) == 9 - 12 - Fraction(13, 2)


@pytest.mark.parametrize(
    ("warnings", "margin"),
    [(Tally(0, 0), Fraction(-5)), (Tally(1, 0), Fraction(-7)), (Tally(1, 1), Fraction(-5))],
)
def test_one_warning_costs_one_stone_in_the_2002_edition(warnings: Tally, margin: Fraction) -> None:
    counted, terms = count(parse_diagram(HALVES)), replace(NO_KOMI, warnings=warnings)
    assert area_margin(counted, terms, CHINESE) == margin
    assert area_margin(counted, terms, OLDER) == -5


def test_two_warnings_lose_whatever_the_count_says() -> None:
    for rules in (CHINESE, OLDER):
        lost = decide(Fraction(50), replace(NO_KOMI, warnings=Tally(2, 0)), rules)
        assert lost == Result(Ending.FORFEIT, W)
        both = decide(Fraction(50), replace(NO_KOMI, warnings=Tally(2, 3)), rules)
        assert both == Result(Ending.BOTH_LOSE)


def test_warnings_mean_nothing_where_the_rules_have_none() -> None:
    terms = replace(NO_KOMI, warnings=Tally(2, 0))
    assert decide(Fraction(1), terms, JAPANESE) == Result(Ending.COUNTED, B, Fraction(1))
    assert area_margin(count(parse_diagram(HALVES)), terms, AGA) == -5


def test_equal_is_a_draw_and_black_wins_ties_under_ing_rules() -> None:
    assert decide(Fraction(0), NO_KOMI, CHINESE) == Result(Ending.DRAW)
    assert decide(Fraction(0), NO_KOMI, ING) == Result(Ending.COUNTED, B, Fraction(0))


def test_handicap_costs_nothing_in_china_and_one_point_less_than_its_stones_by_aga_area() -> None:
    counted, terms = count(parse_diagram(HALVES)), replace(NO_KOMI, handicap=4)
    assert area_margin(counted, terms, CHINESE) == -5
    assert area_margin(counted, terms, AGA) == -8
    assert territory_margin(counted, terms, AGA) == -5
    assert area_margin(counted, replace(terms, handicap_return=Fraction(4)), CHINESE) == -9


@pytest.mark.parametrize(
    ("black", "quarters"), [(185, 3), (184, -1), (Fraction(369, 2), 1), (Fraction(367, 2), -3)]
)
def test_half_the_board_and_komi_decide_as_article_11_says(black: Fraction, quarters: int) -> None:
    # Whole columns for Black, then single points, so that Black has any number of points.
    points = [Point(row, col) for col in range(19) for row in range(19)]
    whole = int(black)
    shared = int((black - whole) * 2)
    stones = [Stone(B, p) for p in points[:whole]] + [Stone(W, p) for p in points[whole + shared :]]
    counted = count(Board(19, stones))
    assert counted.area(B) == black
    margin = area_margin(counted, Terms(Fraction(15, 2)), CHINESE)
    assert margin / 2 == black - half_board(19) - Fraction(15, 4) == Fraction(quarters, 4)


def test_a_goban_without_a_size_has_no_half() -> None:
    with pytest.raises(GobanError):
        half_board(0)


def played_out(seed: int, size: int) -> tuple[Board, Tally, Tally]:
    """Return a random game's last position, prisoners and passes.

    Black begins, White passes last, as AGA rules want.
    """
    random, board = Random(seed), Board(size)
    prisoners, passes = Tally(), Tally()
    for turn in range(2 * random.randint(1, size * size)):
        color = B if turn % 2 == 0 else W
        points = sorted(board.empty_points())
        placed = board.place(color, random.choice(points)) if points else None
        if placed is None or placed.own_lost or random.random() < 0.1:
            passes = passes.plus(color, 1)
            continue
        board, prisoners = placed.board, prisoners.plus(color, len(placed.captured))
    return board, prisoners, passes


@given(st.integers(0, 2**32), st.integers(2, 7))
@settings(max_examples=40, deadline=None)
def test_area_and_territory_with_pass_stones_agree_under_aga_rules(seed: int, size: int) -> None:
    board, prisoners, passes = played_out(seed, size)
    counted = count(board)
    terms = Terms(Fraction(15, 2), prisoners=prisoners, passes=passes)
    assert area_margin(counted, terms, AGA) == territory_margin(counted, terms, AGA), (
        format_diagram(board)
    )


@given(st.integers(0, 2**32), st.integers(2, 7))
@settings(max_examples=40, deadline=None)
def test_every_point_belongs_to_somebody(seed: int, size: int) -> None:
    board = played_out(seed, size)[0]
    counted = count(board)
    assert counted.area(B) + counted.area(W) == size * size
    owned = counted.black.surrounded | counted.white.surrounded | set(counted.shared)
    assert owned == board.empty_points()


@given(st.integers(0, 2**32), st.integers(2, 7), st.sampled_from(sorted(RULESETS)))
@settings(max_examples=40, deadline=None)
def test_swapping_colors_and_turning_the_goban_swaps_the_result(
    seed: int, size: int, name: str
) -> None:
    board, prisoners, passes = played_out(seed, size)
    rules = RULESETS[name]
    stones = [
        Stone(s.color.opponent, Point(s.point.col, size - 1 - s.point.row)) for s in board.stones()
    ]
    other = count(Board(size, stones))
    for counting in Counting:
        one = margin_of(
            count(board), replace(NO_KOMI, prisoners=prisoners, passes=passes), rules, counting
        )
        swapped = replace(NO_KOMI, prisoners=Tally(*prisoners[::-1]), passes=Tally(*passes[::-1]))
        assert margin_of(other, swapped, rules, counting) == -one

"""The goban: vertices, chains, captures, hashes, and how many positions are legal."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import boards

from recorder.goban import (
    Board,
    Color,
    GobanError,
    Point,
    Stone,
    format_diagram,
    format_vertex,
    parse_diagram,
    parse_vertex,
)

B, W = Color.BLACK, Color.WHITE


@given(st.integers(2, 25), st.data())
def test_a_vertex_reads_back_as_its_point(size: int, data: st.DataObject) -> None:
    point = Point(data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size - 1)))
    assert parse_vertex(format_vertex(point, size), size) == point


@pytest.mark.parametrize("text", ["", "I5", "Q20", "A0", "T-1", "5Q", "Ü3", "A²"])
def test_what_is_no_vertex_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(GobanError, match="got"):
        parse_vertex(text, 19)


def test_a_diagram_reads_back() -> None:
    text = ". X O\n. . X\nO . ."
    assert format_diagram(parse_diagram(text)) == text


@pytest.mark.parametrize(
    ("before", "color", "point", "after"),
    [
        (". X .\nX O X\n. . .", B, Point(2, 1), ". X .\nX . X\n. X ."),
        ("X O .\nO . .\n. . .", W, Point(1, 1), "X O .\nO O .\n. . ."),
        (". O X\nO X X\nX X .", B, Point(0, 0), "X . X\n. X X\nX X ."),
    ],
)
def test_a_stone_takes_the_opponent_s_chains_without_liberties(
    before: str, color: Color, point: Point, after: str
) -> None:
    placed = parse_diagram(before).place(color, point)
    assert format_diagram(placed.board) == after


def test_the_opponent_s_stones_go_first_when_both_have_no_liberty() -> None:
    board = parse_diagram(". O X\nO X .\nX . .")
    placed = board.place(B, Point(0, 0))
    assert placed.captured == {Point(0, 1), Point(1, 0)}
    assert not placed.own_lost


def test_a_suicide_tells_what_is_lost_and_takes_it_off() -> None:
    placed = parse_diagram(". X .\nX . .\n. . .").place(W, Point(0, 0))
    assert placed.own_lost == {Point(0, 0)}
    assert placed.board[Point(0, 0)] is None


def test_equal_positions_hash_alike_however_they_came_about() -> None:
    one = Board(9, [Stone(B, Point(2, 2)), Stone(W, Point(3, 3))])
    other = Board(9).with_changes(add=[Stone(W, Point(3, 3)), Stone(B, Point(4, 4))])
    other = other.with_changes(remove=[Point(4, 4)], add=[Stone(B, Point(2, 2))])
    assert one == other
    assert hash(one) == hash(other)
    assert not one.differences(other)


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 57), (3, 12_675)])
def test_there_are_as_many_legal_positions_as_tromp_counted(size: int, count: int) -> None:
    points = [Point(r, c) for r in range(size) for c in range(size)]
    total = 0
    for colors in product((None, B, W), repeat=len(points)):
        stones = (Stone(c, p) for c, p in zip(colors, points, strict=True) if c is not None)
        board = Board(size, stones)
        total += all(chain.liberties for p in points if (chain := board.chain(p)) is not None)
    assert total == count


@pytest.mark.parametrize("seed", range(8))
def test_random_games_capture_like_sgfmill_s_board(seed: int) -> None:
    random, size = Random(seed), (5, 9, 13, 19)[seed % 4]
    ours, theirs = Board(size), boards.Board(size)
    for number in range(2 * size * size):
        color = (B, W)[number % 2]
        free = sorted(ours.empty_points())
        if not free:
            break
        point = random.choice(free)
        ours = ours.place(color, point).board
        theirs.play(size - 1 - point.row, point.col, color.value.lower())
        held = {(size - 1 - p.row, p.col): c.value.lower() for c, p in ours.stones()}
        assert held == {place: color for color, place in theirs.list_occupied_points()}

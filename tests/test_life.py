"""Unconditional life: what nobody can capture, and what is dead inside it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recorder.goban import Board, Color, Point, Stone, format_diagram, parse_diagram
from recorder.life import alive_chains, find_dead_stones

B, W = Color.BLACK, Color.WHITE

TWO_EYES = """
. X . X .
X X X X O
. O O O O
. . . . .
. . . . .
"""

ONE_EYE = """
. X X O .
X X X O .
O O O O .
. . . . .
. . . . .
"""

FALSE_EYE = """
. X O . .
X X O . .
X O O . .
. X O . .
X O O . .
"""

DEAD_INSIDE = """
. X O X .
X X O X X
X X X X X
O O O O O
. O . O .
"""

SEKI = """
. X O . O X
X X O . O X
X X O O O X
X X X X X X
. X X X X .
. X . X X .
"""

BIG_EYE = """
. X . X .
X X X X X
. . . . .
. . O . .
. . . . .
"""


def alive(diagram: str, color: Color) -> frozenset[Point]:
    """Return the stones of a diagram that are unconditionally alive."""
    chains = alive_chains(parse_diagram(diagram), color)
    return frozenset().union(*(chain.points for chain in chains))


def test_two_eyes_live() -> None:
    assert alive(TWO_EYES, B) == parse_diagram(TWO_EYES).points_of(B)


@pytest.mark.parametrize("diagram", [ONE_EYE, FALSE_EYE])
def test_one_eye_or_a_false_one_does_not_live(diagram: str) -> None:
    assert alive(diagram, B) == frozenset()


def test_stones_in_the_eye_of_a_living_chain_are_dead() -> None:
    dead = find_dead_stones(parse_diagram(DEAD_INSIDE))
    assert dead == {Point(0, 2), Point(1, 2)}


def test_a_seki_beside_a_living_chain_is_not_called_dead() -> None:
    # White's chain has an eye space of its own: not every empty point is Black's liberty.
    assert find_dead_stones(parse_diagram(SEKI)) == frozenset()


def test_a_stone_in_a_large_area_is_left_to_people() -> None:
    assert find_dead_stones(parse_diagram(BIG_EYE)) == frozenset()


def test_an_empty_goban_has_neither_life_nor_death() -> None:
    assert alive_chains(Board(9), B) == frozenset()
    assert find_dead_stones(Board(9)) == frozenset()


def random_board(random: Random, size: int) -> Board:
    """Return the position after random moves of both colors."""
    board, color = Board(size), B
    for _ in range(random.randint(0, 3 * size * size)):
        point = random.choice(sorted(board.empty_points()))
        placed = board.place(color, point)
        if not placed.own_lost and len(placed.board) < size * size:
            board, color = placed.board, color.opponent
    return board


def without_own_eyes(random: Random, size: int) -> Board:
    """Return the position after random moves that do not fill a player's own one-point eyes."""
    board = Board(size)
    for turn in range(2 * size * size):
        color = B if turn % 2 == 0 else W
        for point in random.sample(sorted(board.empty_points()), k=len(board.empty_points())):
            placed = board.place(color, point)
            if not placed.own_lost and not fills_eye(board, color, point):
                board = placed.board
                break
    return board


def fills_eye(board: Board, color: Color, point: Point) -> bool:
    """Return whether all neighbors of a point have a color."""
    near = [Point(point.row + r, point.col + c) for r, c in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    inside = [p for p in near if 0 <= p.row < board.size and 0 <= p.col < board.size]
    return all(board[p] is color for p in inside)


@given(st.integers(0, 2**32), st.integers(3, 6))
@example(seed=2657, size=3)
@settings(max_examples=25, deadline=None)
def test_what_is_alive_survives_any_play_while_its_owner_passes(seed: int, size: int) -> None:
    random = Random(seed)
    board = without_own_eyes(random, size)
    safe = frozenset().union(*(chain.points for chain in alive_chains(board, B)))
    attacked = board
    for _ in range(3 * size * size):
        placed = attacked.place(W, random.choice(sorted(attacked.empty_points())))
        if placed.own_lost:
            # Benson's life is life where suicide is forbidden.
            continue
        attacked = placed.board
        assert safe <= attacked.points_of(B), format_diagram(board)


@given(st.integers(0, 2**32), st.integers(3, 6))
@settings(max_examples=25, deadline=None)
def test_what_is_called_dead_is_never_alive_and_comes_off_in_whole_chains(
    seed: int, size: int
) -> None:
    board = without_own_eyes(Random(seed), size)
    dead = find_dead_stones(board)
    for color in Color:
        for chain in alive_chains(board, color):
            assert not chain.points & dead
    for point in dead:
        chain_of_it = board.chain(point)
        assert chain_of_it is not None
        assert chain_of_it.points <= dead


@given(st.integers(0, 2**32), st.integers(2, 7))
@settings(max_examples=25, deadline=None)
def test_colors_swapped_and_the_goban_turned_give_the_same(seed: int, size: int) -> None:
    board = random_board(Random(seed), size)

    def turned(point: Point) -> Point:
        return Point(point.col, size - 1 - point.row)

    other = Board(size, [Stone(s.color.opponent, turned(s.point)) for s in board.stones()])
    assert find_dead_stones(other) == {turned(point) for point in find_dead_stones(board)}

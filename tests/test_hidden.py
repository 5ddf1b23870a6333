"""What covers the goban, and from where."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.hidden import arm_sides, hidden_points
from vision.types import Side


def covered(diagram: str) -> NDArray[np.float64]:
    """Return (N, N): '#' certainly covered, '+' perhaps, '.' open."""
    values = {"#": 0.95, "+": 0.3, ".": 0.01}
    return np.array([[values[char] for char in row] for row in diagram.split()])


def drawn(hidden: NDArray[np.bool_]) -> list[str]:
    return ["".join("#" if point else "." for point in row) for row in hidden]


def test_doubtful_points_count_as_hidden_only_beside_certain_ones() -> None:
    hidden = hidden_points(covered(".+... ..... ...+# ..+## ....."))
    assert drawn(hidden) == [".....", ".....", "...##", "..###", "....."]


def test_nothing_is_hidden_on_an_open_board() -> None:
    assert not hidden_points(covered("... .+. ...")).any()


def test_an_arm_reaches_in_from_the_side_it_crosses() -> None:
    hidden = covered("..... ..... .#### .##.. .....") > 0.5
    assert arm_sides(hidden) == {Side.RIGHT}


def test_an_arm_across_the_board_crosses_two_sides() -> None:
    hidden = covered("..#.. ..#.. ..#.. ..#.. ..#..") > 0.5
    assert arm_sides(hidden) == {Side.TOP, Side.BOTTOM}


def test_a_coin_on_the_edge_is_no_arm() -> None:
    assert arm_sides(covered("##... ..... ..... ..... .....") > 0.5) == frozenset()


def test_a_hand_in_the_middle_enters_from_no_side() -> None:
    assert arm_sides(covered("..... .###. .###. ..... .....") > 0.5) == frozenset()


def test_turning_the_board_turns_the_sides() -> None:
    hidden = covered("..... ..... .#### .##.. .....") > 0.5
    assert arm_sides(np.rot90(hidden)) == {Side.TOP}
    assert arm_sides(np.rot90(hidden, 2)) == {Side.LEFT}
    assert arm_sides(np.rot90(hidden, 3)) == {Side.BOTTOM}

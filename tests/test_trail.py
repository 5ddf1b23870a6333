"""Sequences that grow without changing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.trail import History, Trail


@given(st.lists(st.integers(), max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers())))
def test_every_branch_of_a_trail_keeps_its_own_items(
    items: list[int], branches: list[tuple[int, int]]
) -> None:
    trails = [Trail[int]()]
    for item in items:
        trails.append(trails[-1].appended(item))
    for place, item in branches:
        trails[place % len(trails)].appended(item)
    for length, trail in enumerate(trails):
        assert trail == tuple(items[:length])
        assert len(trail) == length


def test_a_trail_reads_like_a_tuple() -> None:
    trail = Trail([1, 2, 3])
    assert trail[-1] == 3
    assert trail[1:] == (2, 3)
    assert list(trail) == [1, 2, 3]
    assert hash(trail) == hash(Trail([1, 2, 3]))
    with pytest.raises(IndexError, match="index must be in"):
        trail[3]


def test_a_longer_trail_does_not_lengthen_the_one_it_came_from() -> None:
    short = Trail([1])
    long = short.appended(2)
    with pytest.raises(IndexError):
        short[1]
    assert long[1] == 2


def test_a_branched_history_forgets_what_the_other_branch_saw() -> None:
    root = History([(7, 0)])
    one = root.appended(8, 1)
    other = root.appended(9, 1).appended(7, 2)
    assert one.numbers_of(9) == ()
    assert other.numbers_of(8) == ()
    assert other.numbers_of(7) == (0, 2)
    assert one.numbers_of(7) == (0,)

"""Standings of an event: points, tie-breaks, teams."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder.standings import (
    Highest,
    Played,
    StandingsError,
    by_points_pairing,
    by_round_robin,
    match_points,
    standings,
    total_score,
)

ROUND_ROBIN = (
    Played("An", "Bo", 2, 0),
    Played("Bo", "Cai", 2, 0, white_warnings=1),
    Played("Cai", "An", 2, 0),
    Played("Ding", "An", 1, 1),
    Played("Ding", "Bo", 0, 2),
    Played("Ding", "Cai", 0, 2),
)


def test_the_example_of_seven_rounds_gives_eleven() -> None:
    assert total_score(10, 56, rounds=7, highest=14) == 11


def test_an_average_field_corrects_by_nothing() -> None:
    # Each of seven opponents has as many points as rounds.
    assert total_score(8, 7 * 7, rounds=7, highest=14) == 8


def test_before_anybody_has_a_point_the_total_is_the_own_points() -> None:
    assert total_score(0, 0, rounds=3, highest=0) == 0
    table = standings([Played("An", "Bo", 0, 0)], rounds=1, highest=Highest.REACHED)
    assert [s.total for s in table] == [0, 0]


def test_ties_of_a_round_robin_go_by_the_points_of_beaten_opponents() -> None:
    table = by_round_robin(standings(ROUND_ROBIN, rounds=3))
    assert [(s.player, s.points) for s in table] == [("Bo", 4), ("Cai", 4), ("An", 3), ("Ding", 1)]
    minor = {s.player: s.minor_points for s in table}
    assert minor["Bo"] == 4 + 1
    assert minor["Cai"] == 3 + 1
    assert minor["An"] == 4 + Fraction(1, 2)


def test_fewer_warnings_break_what_points_leave_equal() -> None:
    games = [Played("An", "Bo", 1, 1, black_warnings=1)]
    assert [s.player for s in by_round_robin(standings(games, rounds=1))] == ["Bo", "An"]
    for is_by_total in (True, False):
        table = by_points_pairing(standings(games, rounds=1), is_by_total=is_by_total)
        assert [s.player for s in table] == ["Bo", "An"]


def test_a_points_pairing_goes_by_total_or_by_opponents() -> None:
    table = standings(ROUND_ROBIN, rounds=3)
    assert by_points_pairing(table)[0].player == "Bo"
    assert by_points_pairing(table, is_by_total=False)[0].player == "Bo"


def test_what_highest_points_mean_is_a_choice() -> None:
    attainable = standings(ROUND_ROBIN, rounds=3)
    reached = standings(ROUND_ROBIN, rounds=3, highest=Highest.REACHED)
    assert attainable[0].total == 3 + Fraction(2 * 9, 6) - 3
    assert reached[0].total == 3 + Fraction(2 * 9, 4) - 3


def test_a_team_match_goes_by_board_points() -> None:
    assert match_points([(2, 0), (0, 2), (1, 1)]) == (1, 1)
    assert match_points([(2, 0), (1, 1)]) == (2, 0)
    assert match_points([(0, 2)]) == (0, 2)


def test_impossible_results_are_refused() -> None:
    with pytest.raises(StandingsError, match="0, 1 or 2"):
        Played("An", "Bo", 3, 0)
    with pytest.raises(StandingsError, match="an opponent"):
        Played("An", "An", 2, 0)
    with pytest.raises(StandingsError, match="at least 1"):
        standings([], rounds=0)


@given(st.integers(2, 6), st.data())
@settings(deadline=None)
def test_points_of_all_players_add_up_to_two_a_game(count: int, data: st.DataObject) -> None:
    games = []
    for one, other in combinations("ABCDEF"[:count], 2):
        points = data.draw(st.sampled_from([0, 1, 2]))
        games.append(Played(one, other, points, 2 - points))
    table = standings(games, rounds=count - 1)
    assert sum(s.points for s in table) == 2 * len(games)
    # Among equals everybody's opponents have all the other points.
    for standing in table:
        assert standing.opponents_points == 2 * len(games) - standing.points

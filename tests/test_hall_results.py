"""Tests of the results of an event: what counts, points, teams, and the files."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from recorder.hall.results import (
    GameResult,
    Order,
    counted,
    games_csv,
    standings_csv,
    table,
    team_table,
    teams_csv,
)
from recorder.standings import Highest

GAME = GameResult("1", "g1", "1", "Cho", "Park", "", "", "B+R", "", True, 0, 0, 120)


def played(round_: str, black: str, white: str, result: str, **more: object) -> GameResult:
    fields = {"round": round_, "black": black, "white": white, "result": result, **more}
    return replace(GAME, game_id=f"{round_}{black}{white}", **fields)  # type: ignore[arg-type]


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"))))


@pytest.mark.parametrize(
    ("result", "reason", "points"),
    [
        ("B+3.5", "", (2, 0)),
        ("W+R", "", (0, 2)),
        ("W+F", "absence", (0, 2)),
        ("Draw", "draw", (1, 1)),
        ("Void", "both-lose", (0, 0)),
        ("Void", "replay", None),
        ("", "", None),
    ],
)
def test_a_result_brings_points(result: str, reason: str, points: tuple[int, int] | None) -> None:
    assert replace(GAME, result=result, reason=reason).points == points


def test_only_confirmed_results_of_named_players_count() -> None:
    proposed = replace(GAME, is_confirmed=False)
    unnamed = replace(GAME, white="")
    assert counted([proposed, unnamed]) == ()
    assert counted([GAME, proposed]) == (GAME,)


def test_of_a_game_that_was_replayed_the_later_counts() -> None:
    again = played("1", "Park", "Cho", "B+0.5")
    assert counted([GAME, again]) == (again,)


def test_the_table_is_by_points_opponents_and_warnings() -> None:
    games = [
        played("1", "Cho", "Park", "B+R"),
        played("1", "Yi", "Ke", "B+R", black_warnings=1),
        played("2", "Cho", "Yi", "Draw"),
        played("2", "Park", "Ke", "Draw"),
    ]
    places = table(games)
    assert table(games, Order.TOTAL)[0] == places[0]
    assert table(games, Order.ROUND_ROBIN)[0].points == 3
    assert [(s.player, s.points, s.opponents_points) for s in places[:2]] == [
        ("Cho", 3, 4),
        ("Yi", 3, 4),
    ]
    assert [s.warnings for s in places[:2]] == [0, 1]
    # 3 + 4 / (4 / 2) - 2 = 3 by the attainable maximum.
    assert places[0].total == 3


def test_teams_are_matched_board_by_board() -> None:
    teams = {"black_team": "East", "white_team": "West"}
    turned = {"black_team": "West", "white_team": "East"}
    games = [
        played("1", "A", "B", "B+R", **teams),
        played("1", "D", "C", "B+R", **turned),
        played("1", "E", "F", "B+R", **teams),
    ]
    found = team_table(games)
    assert [(t.team, t.match_points, t.board_points) for t in found] == [
        ("East", 2, 4),
        ("West", 0, 2),
    ]
    assert read(teams_csv(found))[0]["team"] == "East"


def test_the_files_can_be_read_by_a_spreadsheet() -> None:
    games = [played("1", "=cmd()", "林海", "B+R"), replace(GAME, is_confirmed=False)]
    text = games_csv(games)
    assert text.startswith("\ufeff")
    rows = read(text)
    assert rows[0]["black"] == "'=cmd()"
    assert rows[0]["white"] == "林海"
    assert (rows[0]["black_points"], rows[1]["black_points"]) == ("2", "")
    standings = standings_csv(table([GAME]), highest=Highest.REACHED)
    assert read(standings)[0]["player"] == "Cho"
    assert standings.strip().endswith("highest reached")


def test_an_event_without_results_has_empty_files() -> None:
    assert table([]) == []
    assert team_table([]) == []
    assert read(standings_csv([], highest=Highest.ATTAINABLE))[0]["place"].startswith("#")

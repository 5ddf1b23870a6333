"""Two people act at once: the second is shown what the first has done, and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from console_recorder import Recorder, log_in

from recorder.observations import EndGame, TurnBoard
from recorder.web.access import Role
from recorder.web.app import create_app


class Referee:
    """One of several referees of one game."""

    def __init__(self, web: Any, name: str, role: Role = Role.CHIEF) -> None:
        self.web = web.test_client()
        self.headers = log_in(self.web, role, name)

    def act(self, **fields: Any) -> Any:
        return self.web.post("/referee/actions", json=fields, headers=self.headers)

    def count(self, **fields: Any) -> Any:
        return self.web.post("/referee/count", json=fields, headers=self.headers)

    def state(self) -> Any:
        return self.web.get("/referee/state.json").get_json()


@pytest.fixture
def recorder() -> Recorder:
    made = Recorder()
    made.double_move()
    return made


@pytest.fixture
def two(recorder: Recorder) -> tuple[Referee, Referee]:
    app = create_app(recorder.live, console=recorder.console())
    return Referee(app, "Wang"), Referee(app, "Li")


FINISHING: tuple[dict[str, Any], ...] = (
    {"action": "pass", "color": "W"},
    {"action": "resign", "color": "B"},
    {"action": "end", "result": "B+3.5"},
    {"action": "colors-swapped"},
)


@pytest.mark.parametrize("fields", FINISHING)
def test_the_same_tap_of_two_people_counts_once(
    recorder: Recorder, two: tuple[Referee, Referee], fields: dict[str, Any]
) -> None:
    first, second = two
    based_on = second.state()["number"]
    assert first.act(**fields, based_on=based_on).status_code == 200
    before = len(recorder.taken)
    answer = second.act(**fields, based_on=based_on)
    assert (answer.status_code, answer.get_json()["error"]) == (409, "conflict")
    assert answer.get_json()["decision"]["by"] == "Wang (chief)"
    assert len(recorder.taken) == before
    again = second.act(**fields, based_on=second.state()["number"])
    assert again.status_code == 200


def test_what_is_about_something_else_is_no_conflict(two: tuple[Referee, Referee]) -> None:
    first, second = two
    based_on = second.state()["number"]
    first.act(action="pass", color="W", based_on=based_on)
    assert second.act(action="note", kind="note", text="rain", based_on=based_on).status_code == 200


def test_what_changed_nothing_is_in_nobodys_way(two: tuple[Referee, Referee]) -> None:
    first, second = two
    based_on = second.state()["number"]
    restart = {"action": "count-restart", "used_s": 30, "based_on": based_on}
    assert first.act(**restart).status_code == 200
    assert second.act(**restart).status_code == 200


def test_an_action_without_a_number_is_taken_as_it_comes(two: tuple[Referee, Referee]) -> None:
    first, second = two
    first.act(action="pass", color="W", based_on=1)
    assert second.act(action="pass", color="B").status_code == 200


# The end, step by step


def test_a_game_is_counted_confirmed_signed_and_sealed(recorder: Recorder) -> None:
    referee = Referee(create_app(recorder.live, console=recorder.console()), "Wang", Role.REFEREE)
    early = referee.act(action="count", dead=[], shared=[])
    assert (early.status_code, early.get_json()["error"]) == (409, "play-goes-on")
    assert referee.act(action="sign", color="B").get_json()["error"] == "no-result"
    referee.act(action="end", result=None)
    assert referee.act(action="seal").get_json()["error"] == "not-confirmed"
    counted = referee.count().get_json()
    assert referee.act(action="count", dead=[], shared=[]).status_code == 200
    result = referee.state()["result"]
    assert result == counted["result"]
    assert referee.act(action="end", result=result, reason="counted").status_code == 200
    assert referee.act(action="count", dead=[], shared=[]).get_json()["error"] == "result-confirmed"
    assert referee.act(action="seal").status_code == 403
    for color in "BW":
        assert referee.act(action="sign", color=color).status_code == 200
    assert referee.state()["minutes"]["signed"] == ["B", "W"]
    assert referee.act(action="seal").status_code == 200
    assert referee.state()["phase"] == "sealed"


def test_the_count_shows_what_is_whose_and_what_it_comes_to(recorder: Recorder) -> None:
    referee = Referee(create_app(recorder.live, console=recorder.console()), "Wang")
    recorder.observe(EndGame(None))
    whole = referee.count().get_json()
    assert (whole["dead"], whole["shared"], whole["komi"]) == ([], [], 7.5)
    assert whole["black"]["total"] + whole["white"]["total"] == 361
    without = referee.count(dead=["D4", "Q4"], shared=[]).get_json()
    assert without["dead"] == ["D4", "Q4"]
    assert without["black"]["total"] == 361
    assert without["words"]["zh"].startswith("黑胜")
    shared = referee.count(dead=["D4", "Q4"], shared=["A1"]).get_json()
    assert (shared["shared"], shared["black"]["total"]) == (["A1"], 360.5)


@pytest.mark.parametrize(
    "fields", [{"dead": ["Z1"]}, {"dead": ["A1"]}, {"dead": "D4"}, {"shared": ["A99"]}]
)
def test_a_count_that_does_not_fit_is_refused(recorder: Recorder, fields: dict[str, Any]) -> None:
    referee = Referee(create_app(recorder.live, console=recorder.console()), "Wang")
    assert referee.count(**fields).status_code == 400


def test_a_draw_by_the_count_is_for_any_referee(recorder: Recorder) -> None:
    referee = Referee(create_app(recorder.live, console=recorder.console()), "Wang", Role.REFEREE)
    assert referee.act(action="end", result="0").status_code == 403


# Sealed moves


def test_a_sealed_move_is_proved_and_not_shown(recorder: Recorder) -> None:
    referee = Referee(create_app(recorder.live, console=recorder.console()), "Wang")
    sealed = {"color": "W", "point": "R17", "code": "ABCDEFGH23"}
    assert referee.act(action="seal-move", **sealed).status_code == 200
    page = referee.web.get("/referee/state.json").text
    assert "R17" not in page
    assert "digest" not in page
    assert not [record for record in recorder.records if "R17" in str(record)]
    referee.act(action="open-move", **{**sealed, "point": "R16"})
    recorder.observe(TurnBoard(2))
    referee.act(action="open-move", **{**sealed, "point": "C3"})
    notes = referee.state()["minutes"]["notes"]
    assert [note["detail"].get("matches") for note in notes] == [None, "false", "true"]

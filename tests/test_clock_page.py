"""The clock's page shows the recorder's clock, and its presses go through the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from console_recorder import INFO, Recorder, log_in

from recorder.goban import Color
from recorder.observations import ClockPress, StartGame
from recorder.web.access import Role
from recorder.web.app import create_app
from recorder.web.clock_texts import CLOCK


class Table:
    """A tablet with the clock, logged in."""

    def __init__(self, recorder: Recorder) -> None:
        self.web = create_app(recorder.live, console=recorder.console()).test_client()
        self.headers = log_in(self.web, Role.OPERATOR)

    def press(self, color: Any) -> Any:
        return self.web.post("/clock/press", json={"color": color}, headers=self.headers)

    def state(self) -> Any:
        return self.web.get("/clock/state.json").get_json()


def recorder_with(time_control: str) -> Recorder:
    made = Recorder()
    made.observe(StartGame(replace(INFO, time_control=time_control), (), Color.BLACK))
    return made


def test_before_the_first_press_the_clock_shows_the_full_time() -> None:
    state = Table(recorder_with("30 min + 5x60 s")).state()
    assert not state["is_started"]
    assert state["clock"]["running"] is None
    assert (state["clock"]["white"]["main_s"], state["clock"]["white"]["periods"]) == (1800.0, 5)


def test_without_a_time_control_there_is_no_clock() -> None:
    state = Table(recorder_with("")).state()
    assert state["clock"] is None


def test_presses_start_and_switch_the_clock() -> None:
    recorder = recorder_with("30 min + 5x60 s")
    table = Table(recorder)
    assert table.press("W").status_code == 200
    assert recorder.taken[-1] == ClockPress(Color.WHITE)
    assert table.state()["clock"]["running"] == "B"
    recorder.put("B", "Q16")
    table.press("B")
    state = table.state()
    assert state["clock"]["running"] == "W"
    assert state["clock"]["black"]["main_s"] < 1800.0
    assert 0.0 <= state["clock_age"] < 60.0


def test_a_flag_that_fell_is_shown_here_and_not_to_the_public() -> None:
    recorder = recorder_with("1 min")
    table = Table(recorder)
    table.press("W")
    for _ in range(25):
        recorder.put("B", "Q16")
    assert table.state()["flag"] == "B"
    assert "flag" not in table.web.get("/state.json").get_data(as_text=True)


@pytest.mark.parametrize("color", [None, "X", 1, ["B"]])
def test_a_press_of_nobody_is_refused(color: Any) -> None:
    recorder = recorder_with("30 min")
    before = len(recorder.taken)
    assert Table(recorder).press(color).status_code == 400
    assert len(recorder.taken) == before


def test_without_a_login_nobody_presses() -> None:
    recorder = recorder_with("30 min")
    web = create_app(recorder.live, console=recorder.console()).test_client()
    assert web.get("/clock").status_code == 401
    assert web.post("/clock/press", json={"color": "B"}).status_code == 401


def test_every_text_of_the_clock_exists_in_both_languages() -> None:
    for key, (english, chinese) in CLOCK.items():
        assert english, key
        assert chinese, key
        assert ("{0}" in english) == ("{0}" in chinese), key


def test_a_press_carries_when_it_was_pressed_and_how_sure_that_is() -> None:
    recorder = recorder_with("10 min")
    table = Table(recorder)
    t_s = table.web.get("/clock/time").get_json()["t"]
    fields = {"color": "W", "at": t_s - 0.4, "uncertainty": 0.05}
    headers = table.headers
    assert table.web.post("/clock/press", json=fields, headers=headers).status_code == 200
    press = recorder.taken[-1]
    assert isinstance(press, ClockPress)
    assert 0.4 <= press.age_s < 60
    assert press.uncertainty_s == 0.05


@pytest.mark.parametrize("fields", [{"at": "now"}, {"at": 5.0}, {"at": 5.0, "uncertainty": -1}])
def test_a_press_with_a_senseless_moment_is_refused(fields: dict[str, Any]) -> None:
    table = Table(recorder_with("10 min"))
    headers = table.headers
    answer = table.web.post("/clock/press", json={"color": "W", **fields}, headers=headers)
    assert answer.status_code == 400

"""The console: who may see it, what it sends into the log, and that nothing leaks from it."""

from __future__ import annotations

import json
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from console_recorder import PASSWORDS, Recorder, log_in

from recorder.goban import Color
from recorder.mailbox import ClosedError
from recorder.observations import (
    Claim,
    ColorsSwapped,
    Consent,
    Content,
    Dispute,
    EndGame,
    Pass,
    Pause,
    ProposeEnd,
    Report,
    Resign,
    Resume,
    Ruling,
    TurnBoard,
)
from recorder.rules import RULESETS
from recorder.rulings import KINDS
from recorder.web.access import Role
from recorder.web.app import create_app
from recorder.web.private import PrivateGame, format_private
from recorder.web.referee import Console
from recorder.web.referee_texts import ALERTS, CONSOLE, RULINGS, alternatives, for_alert


def plain(content: Content) -> Content:
    """Return what was entered, without who entered it after what."""
    return replace(content, entered_by="", based_on=0)  # type: ignore[call-arg]


PAGES = ("", "/state.json", "/events", "/alerts/1/before.jpg")


class Person:
    """A browser with the console, logged in or not."""

    def __init__(self, recorder: Recorder, console: Console | None = None) -> None:
        app = create_app(recorder.live, console=console or recorder.console())
        self.web = app.test_client()
        self.headers: dict[str, str] = {}

    def log_in(self, role: Role = Role.REFEREE, name: str = "Wang") -> Person:
        self.headers = log_in(self.web, role, name)
        return self

    def act(self, **fields: Any) -> Any:
        return self.web.post("/referee/actions", json=fields, headers=self.headers)

    def state(self) -> Any:
        return self.web.get("/referee/state.json").get_json()


@pytest.fixture
def recorder() -> Recorder:
    made = Recorder()
    made.double_move()
    return made


# Who may


@pytest.mark.parametrize("path", PAGES)
def test_without_a_login_nothing_private_is_shown(recorder: Recorder, path: str) -> None:
    web = Person(recorder).web
    assert web.get(f"/referee{path}").status_code == 401
    answer = web.get(f"/referee{path}", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/login")


def test_an_operator_is_no_referee(recorder: Recorder) -> None:
    person = Person(recorder).log_in(Role.OPERATOR)
    assert person.web.get("/referee/state.json").status_code == 403
    assert person.act(action="pass", color="W").status_code == 403


def test_a_wrong_password_is_refused_and_the_sixth_has_to_wait(recorder: Recorder) -> None:
    person = Person(recorder)
    for _ in range(5):
        assert person.web.post("/login", data={"password": "guess"}).status_code == 403
    answer = person.web.post("/login", data={"password": PASSWORDS[Role.REFEREE]})
    assert answer.status_code == 429
    assert person.web.get("/referee/state.json").status_code == 401


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(recorder: Recorder) -> None:
    form = {"password": PASSWORDS[Role.REFEREE]}
    cookie = Person(recorder).web.post("/login", data=form).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_an_action_needs_the_token_of_the_page(recorder: Recorder) -> None:
    person = Person(recorder).log_in()
    before = len(recorder.taken)
    for headers in ({}, {"X-Banmen-Token": "guess"}, {"X-Banmen-Token": "ü"}):
        fields = {"action": "pass", "color": "W"}
        answer = person.web.post("/referee/actions", json=fields, headers=headers)
        assert answer.status_code == 403
    assert len(recorder.taken) == before


def test_an_action_from_another_site_is_refused(recorder: Recorder) -> None:
    person = Person(recorder).log_in()
    headers = {**person.headers, "Origin": "http://evil.example"}
    answer = person.web.post("/referee/actions", json={"action": "pause"}, headers=headers)
    assert answer.status_code == 403
    form = {"password": PASSWORDS[Role.REFEREE]}
    other = person.web.post("/login", data=form, headers={"Origin": "http://evil.example"})
    assert other.status_code == 403


def test_logging_out_ends_the_session(recorder: Recorder) -> None:
    person = Person(recorder).log_in()
    assert person.web.get("/referee/state.json").status_code == 200
    person.web.post("/logout")
    assert person.web.get("/referee/state.json").status_code == 401


def test_without_a_console_there_is_nothing_to_log_in_to(recorder: Recorder) -> None:
    web = create_app(recorder.live).test_client()
    assert web.get("/login").status_code == 404
    assert web.get("/referee").status_code == 404


# Deciding


def test_the_page_shows_the_alert_with_its_article_and_proposal(recorder: Recorder) -> None:
    (alert,) = Person(recorder).log_in().state()["alerts"]
    assert (alert["type"], alert["severity"], alert["article"]) == ("double-move", 1, "17.2")
    assert (alert["color"], alert["points"], alert["warning"]) == ("B", ["R10"], "B")
    assert alert["is_open"]
    assert "R10" in alert["position"]["B"]


def test_an_alerts_diagram_turns_with_the_record(recorder: Recorder) -> None:
    recorder.observe(TurnBoard(2))
    (alert,) = Person(recorder).log_in().state()["alerts"]
    assert alert["points"] == ["C10"]
    assert "C10" in alert["position"]["B"]


def test_confirming_puts_a_ruling_with_its_author_into_the_log(recorder: Recorder) -> None:
    person = Person(recorder).log_in()
    answer = person.act(action="ruling", alert=1, decision="confirm", note=" ok ")
    assert answer.get_json() == {"number": len(recorder.records)}
    assert plain(recorder.taken[-1]) == Ruling(1, "confirm", "Wang (referee)", "ok")
    state = person.state()
    assert state["warnings"]["B"] == {"confirmed": 1, "proposed": 0}
    assert state["alerts"][0]["decision"]["by"] == "Wang (referee)"
    assert not state["alerts"][0]["is_open"]


def test_dismissing_takes_the_warning_back(recorder: Recorder) -> None:
    person = Person(recorder).log_in()
    person.act(action="ruling", alert=1, decision="dismiss")
    assert person.state()["warnings"]["B"] == {"confirmed": 0, "proposed": 0}


def test_of_two_taps_the_second_is_shown_the_first_decision(recorder: Recorder) -> None:
    first, second = Person(recorder).log_in(), Person(recorder).log_in(name="Li")
    based_on = second.state()["number"]
    first.act(action="ruling", alert=1, decision="confirm", based_on=based_on)
    before = len(recorder.taken)
    answer = second.act(action="ruling", alert=1, decision="dismiss", based_on=based_on)
    assert answer.status_code == 409
    assert answer.get_json()["decision"]["by"] == "Wang (referee)"
    assert len(recorder.taken) == before


def test_a_decision_can_be_taken_again_by_one_who_has_seen_it(recorder: Recorder) -> None:
    person = Person(recorder).log_in()
    person.act(action="ruling", alert=1, decision="confirm", based_on=person.state()["number"])
    again = person.act(
        action="ruling", alert=1, decision="dismiss", based_on=person.state()["number"]
    )
    assert again.status_code == 200
    assert person.state()["alerts"][0]["decision"]["decision"] == "dismiss"


def test_a_loss_is_for_the_chief_referee(recorder: Recorder) -> None:
    referee, chief = Person(recorder).log_in(), Person(recorder).log_in(Role.CHIEF)
    answer = referee.act(action="ruling", alert=1, decision="loss")
    assert (answer.status_code, answer.get_json()) == (403, {"error": "chief"})
    assert chief.act(action="ruling", alert=1, decision="loss").status_code == 200
    assert chief.state()["result"] == "W+F"


@pytest.mark.parametrize(
    ("fields", "content"),
    [
        ({"action": "pass", "color": "W"}, Pass(Color.WHITE)),
        ({"action": "resign", "color": "B"}, Resign(Color.BLACK)),
        ({"action": "claim", "color": "B", "about": "take-back"}, Claim(Color.BLACK, "take-back")),
        (
            {"action": "consent", "color": "W", "about": "dropped-stone"},
            Consent(Color.WHITE, "dropped-stone"),
        ),
        ({"action": "propose-end", "color": "W"}, ProposeEnd(Color.WHITE)),
        (
            {"action": "dispute", "color": "W", "points": ["D4"], "claim": "dead"},
            Dispute(Color.WHITE, ((15, 3),), "dead"),  # type: ignore[arg-type]
        ),
        ({"action": "resume"}, Resume()),
        ({"action": "resume", "color": "B"}, Resume(Color.BLACK)),
        ({"action": "colors-swapped"}, ColorsSwapped()),
        ({"action": "pause"}, Pause("Wang (chief)")),
        ({"action": "end", "result": "B+3.5"}, EndGame("B+3.5", "Wang (chief)")),
        ({"action": "end", "result": None}, EndGame(None, "Wang (chief)")),
        ({"action": "end", "result": "W+F"}, EndGame("W+F", "Wang (chief)")),
        (
            {"action": "report", "type": "conduct-report", "color": "", "note": "phone"},
            Report("conduct-report", None, "phone"),
        ),
    ],
)
def test_every_action_is_one_observation(
    recorder: Recorder, fields: dict[str, Any], content: Content
) -> None:
    person = Person(recorder).log_in(Role.CHIEF)
    assert person.act(**fields).status_code == 200
    assert plain(recorder.taken[-1]) == content


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"action": "reset"},
        {"action": ["pass"]},
        {"action": "pass"},
        {"action": "pass", "color": "blue"},
        {"action": "claim", "color": "B", "about": "everything"},
        {"action": "dispute", "color": "B", "points": ["Z99"], "claim": "dead"},
        {"action": "dispute", "color": "B", "points": [], "claim": "dead"},
        {"action": "ruling", "alert": 9, "decision": "confirm"},
        {"action": "ruling", "alert": "1", "decision": "confirm"},
        {"action": "ruling", "alert": True, "decision": "confirm"},
        {"action": "ruling", "alert": 1, "decision": "shoot"},
        {"action": "ruling", "alert": 1, "decision": "replay"},
        {"action": "ruling", "alert": 1, "decision": "confirm", "note": "x" * 501},
        {"action": "ruling", "alert": 1, "decision": "confirm", "note": 5},
        {"action": "end", "result": "Black wins"},
        {"action": "end", "result": 7},
        {"action": "report", "type": "double-move", "color": "B"},
        {"action": "end", "result": "0", "reason": "because"},
        {"action": "seen", "alert": 9},
        {"action": "late", "color": "B", "late_s": -1, "limit_s": 900},
        {"action": "late", "color": "B", "late_s": float("nan"), "limit_s": 900},
        {"action": "clock-check", "black_s": 0, "white_s": 0, "real_s": 60},
        {"action": "clock-set"},
        {"action": "clock-set", "black": [1]},
        {"action": "clock-set", "black": {"main_s": "1"}, "white": {"main_s": 1}},
        {"action": "count-restart", "used_s": 6000},
        {"action": "nigiri", "guess": "both", "stones": 5},
        {"action": "nigiri", "guess": "odd", "stones": 0},
        {"action": "note", "kind": "rumor"},
        {"action": "seal-move", "color": "B", "point": "C3", "code": "short"},
        {"action": "open-move", "color": "B", "point": "C3", "code": "ABCDEFGH23"},
        {"action": "pass", "color": "B", "based_on": -1},
        {"action": "pass", "color": "B", "based_on": True},
    ],
)
def test_a_senseless_request_is_refused_and_changes_nothing(
    recorder: Recorder, fields: dict[str, Any]
) -> None:
    before = len(recorder.taken)
    answer = Person(recorder).log_in(Role.CHIEF).act(**fields)
    assert answer.status_code == 400
    assert answer.get_json()["error"]
    assert len(recorder.taken) == before


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "end", "result": "W+F"},
        {"action": "end", "result": "Void"},
        {"action": "end", "result": "0", "reason": "draw"},
        {"action": "clock-set", "black": {"main_s": 60}},
    ],
)
def test_what_is_final_is_for_the_chief_referee(recorder: Recorder, fields: dict[str, Any]) -> None:
    assert Person(recorder).log_in().act(**fields).status_code == 403


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'"text"'])
def test_a_body_that_is_no_object_is_refused(recorder: Recorder, body: bytes) -> None:
    person = Person(recorder).log_in()
    headers = {**person.headers, "Content-Type": "application/json"}
    answer = person.web.post("/referee/actions", data=body, headers=headers)
    assert answer.status_code == 400


def test_a_recorder_that_has_ended_says_so(recorder: Recorder) -> None:
    def submit(content: Content) -> Future[int]:
        raise ClosedError("the recorder has ended")

    console = replace(recorder.console(), submit=submit)
    person = Person(recorder, console).log_in()
    headers = person.headers
    for answer in (
        person.act(action="pause"),
        person.web.post("/referee/alerts/1/seen", headers=headers),
    ):
        assert (answer.status_code, answer.get_json()["error"]) == (503, "the recorder has ended")


def test_a_fault_of_the_recorder_is_no_success(recorder: Recorder) -> None:
    def submit(content: Content) -> Future[int]:
        answer: Future[int] = Future()
        answer.set_exception(ValueError("broken"))
        return answer

    console = replace(recorder.console(), submit=submit)
    answer = Person(recorder, console).log_in().act(action="pause")
    assert answer.status_code == 500


# Pictures


def test_pictures_need_a_login_and_a_known_name(recorder: Recorder, tmp_path: Path) -> None:
    folder = tmp_path / "alert-0001"
    folder.mkdir()
    (folder / "before.jpg").write_bytes(b"picture")
    (tmp_path / "secret.txt").write_text("secret")
    console = recorder.console(tmp_path)
    assert Person(recorder, console).web.get("/referee/alerts/1/before.jpg").status_code == 401
    person = Person(recorder, console).log_in()
    assert person.state()["alerts"][0]["pictures"] == ["before.jpg"]
    with person.web.get("/referee/alerts/1/before.jpg") as answer:
        assert answer.data == b"picture"
    for name in ("after.jpg", "reading.json", "..%2f..%2fsecret.txt", "%2e%2e/secret.txt"):
        assert person.web.get(f"/referee/alerts/1/{name}").status_code == 404


# What it knows


def test_after_a_restart_the_console_shows_what_it_showed(recorder: Recorder) -> None:
    person = Person(recorder).log_in()
    person.act(action="ruling", alert=1, decision="confirm")
    again = PrivateGame()
    again.rebuild(recorder.records)
    assert format_private(again.state()) == format_private(recorder.private.state())


def test_an_alert_that_was_seen_is_marked_for_everybody(recorder: Recorder) -> None:
    one, other = Person(recorder).log_in(), Person(recorder).log_in()
    assert not other.state()["alerts"][0]["is_acknowledged"]
    headers = one.headers
    assert one.web.post("/referee/alerts/1/seen", headers=headers).status_code == 200
    assert one.web.post("/referee/alerts/77/seen", headers=headers).status_code == 200
    assert other.state()["alerts"][0]["is_acknowledged"]


def test_waiting_ends_with_the_next_record(recorder: Recorder) -> None:
    private = recorder.private
    key = private.state().key
    assert private.wait(key, timeout_s=0.0, is_over=lambda: False) is None
    recorder.put("W", "O17")
    state = private.wait(key, timeout_s=0.0, is_over=lambda: False)
    assert state is not None
    assert format_private(state)["alerts"][0]["moves_since"] == 1


def test_the_public_hears_nothing_of_an_alert(recorder: Recorder) -> None:
    web = Person(recorder).web
    for address in ("/", "/state.json", "/game.sgf", "/overlay"):
        assert "double-move" not in web.get(address).get_data(as_text=True)


# Words


def test_every_alert_and_ruling_has_words_in_both_languages() -> None:
    assert set(ALERTS) >= set(KINDS)
    assert set(RULINGS) >= {kind.ruling for kind in KINDS.values()}
    for kind in KINDS:
        for ruleset in RULESETS:
            for color in (None, Color.BLACK):
                assert set(RULINGS) >= set(for_alert(alternatives(kind, ruleset), color))
    for table in (CONSOLE, ALERTS, RULINGS):
        for key, (english, chinese) in table.items():
            assert english, key
            assert chinese, key
            assert ("{0}" in english, "{1}" in english) == ("{0}" in chinese, "{1}" in chinese), key


def test_the_page_is_in_the_language_of_the_referee(recorder: Recorder) -> None:
    web = Person(recorder).log_in().web
    page = web.get("/referee", headers={"Accept-Language": "zh-CN", "Accept": "text/html"})
    text = page.get_data(as_text=True)
    assert '<html lang="zh-Hans">' in text
    # Inside JSON blocks of a page, Chinese is escaped.
    assert json.dumps("连下两着") in text

"""The public addresses: what they answer, to whom, and that nothing private is in it."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from http.client import HTTPConnection, HTTPResponse
from typing import Any

import pytest
from hypothesis import given, settings
from public_records import INFO, SECRET, START, Log, alert
from test_public import TEN, histories

from recorder.clock import new_clock, press, start
from recorder.clock_state import format_state as format_clock
from recorder.clock_text import parse_control
from recorder.events import (
    ClockChanged,
    Phase,
    PhaseChanged,
    PositionCorrected,
    Record,
    ResultChanged,
)
from recorder.goban import Color, Point, Stone
from recorder.public import NO_DELAY, Delay
from recorder.publish import Batch
from recorder.web.app import create_app
from recorder.web.live import LiveGame
from recorder.web.places import Places
from recorder.web.server import PageServer, PageServerError
from recorder.web.texts import PAGE, RULESET_NAMES

ANY_TIME = 1e9


class Hands:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def never() -> bool:
    return False


def live_game(log: Log, delay: Delay = NO_DELAY) -> LiveGame:
    live = LiveGame(delay=delay)
    live.rebuild(log.records)
    return live


def ten_moves() -> Log:
    log = Log()
    log.start()
    log.play_all(TEN)
    return log


def feed(live: LiveGame, hands: Hands, batches: list[Batch]) -> None:
    for batch in batches:
        hands.now_s = batch.records[0].t_s
        live.publish(batch)


def apply_message(state: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """Do what the pages' `applyMessage` does."""
    if "state" in message:
        return dict(message["state"])
    line = state["line"][: message["keep"]] + message["line"]
    return {**state, **message["set"], "line": line}


# The holder


@settings(deadline=None)
@given(histories())
def test_the_messages_lead_to_the_state(batches: list[Batch]) -> None:
    hands = Hands()
    live = LiveGame(delay=Delay(seconds=5.0), clock=hands)
    state, number = live.snapshot().state(), live.snapshot().number
    feed(live, hands, batches)
    hands.now_s += 6.0
    for message in live.wait(number, timeout_s=0.0, is_over=never):
        state = {**apply_message(state, json.loads(message.data)), "id": message.number}
    assert state == live.snapshot().state()


@pytest.mark.parametrize("delay", [Delay(), Delay(seconds=25.0), Delay(moves=3)])
def test_after_a_restart_the_messages_have_the_numbers_they_had(delay: Delay) -> None:
    log, hands = Log(), Hands()
    batches = [log.start(), *log.play_all(TEN), log.correct(101.0, 9, "G5 A1")]
    live = LiveGame(delay=delay, clock=hands)
    feed(live, hands, batches)
    hands.now_s = 110.0
    before = live.wait("", timeout_s=0.0, is_over=never)
    number = live.snapshot().number

    later = Hands()
    later.now_s = 7.0
    again = LiveGame(delay=delay, clock=later, utc_now=lambda: START + timedelta(seconds=110.0))
    again.rebuild(log.records)
    assert again.snapshot().number == number
    assert again.wait("", timeout_s=0.0, is_over=never) == before


@pytest.mark.parametrize("delay", [Delay(), Delay(seconds=25.0), Delay(moves=3)])
def test_catching_up_shows_what_following_shows(delay: Delay) -> None:
    log, hands = Log(), Hands()
    batches = [log.start(), *log.play_all(TEN), log.correct(101.0, 9, "G5 A1")]
    live = LiveGame(delay=delay, clock=hands)
    feed(live, hands, batches)
    hands.now_s = 110.0
    again = LiveGame(delay=delay, clock=hands)
    again.catch_up((110.0 - batch.records[0].t_s, batch.records) for batch in batches)
    for later_s in (110.0, 140.0):
        hands.now_s = later_s
        assert {**again.snapshot().state(), "id": ""} == {**live.snapshot().state(), "id": ""}


def test_a_viewer_who_missed_messages_gets_only_those() -> None:
    log, hands = Log(), Hands()
    live = LiveGame(clock=hands)
    feed(live, hands, [log.start(), *log.play_all("C3 G7")])
    number = live.snapshot().number
    feed(live, hands, log.play_all("C7 G3"))
    messages = live.wait(number, timeout_s=0.0, is_over=never)
    assert [json.loads(m.data)["line"][0]["point"] for m in messages] == ["C7", "G3"]


@pytest.mark.parametrize("number", ["", "nonsense", "3-0", "999-abc"])
def test_an_unknown_number_is_answered_with_the_whole_state(number: str) -> None:
    live = live_game(ten_moves())
    (message,) = live.wait(number, timeout_s=0.0, is_over=never)
    assert json.loads(message.data)["state"] == live.snapshot().state()


def test_waiting_ends_with_the_next_move() -> None:
    log = ten_moves()
    live = live_game(log)
    number, got = live.snapshot().number, []
    waiter = threading.Thread(
        target=lambda: got.extend(live.wait(number, timeout_s=60.0, is_over=never))
    )
    waiter.start()
    live.publish(log.play(101.0, "H1"))
    waiter.join(60.0)
    assert json.loads(got[0].data)["line"][0]["point"] == "H1"


def test_the_next_game_waits_until_the_delay_has_let_the_last_one_out() -> None:
    log, hands = ten_moves(), Hands()
    live = LiveGame(delay=Delay(seconds=60.0), clock=hands)
    for record in log.records:
        hands.now_s = record.t_s
        live.publish(Batch((record,), log.game))
    following = Log("g2")
    hands.now_s = 110.0
    live.publish(following.start(info=replace(INFO, black="Somebody")))
    hands.now_s = 165.0
    view = live.snapshot().view
    assert (view.game_id, len(view.game.moves)) == ("g1", 10)
    hands.now_s = 170.0
    assert live.snapshot().view.game.info.black == "Somebody"


def test_a_changed_delay_holds_from_then_on() -> None:
    log, hands = Log(), Hands()
    live = LiveGame(clock=hands)
    feed(live, hands, [log.start(), *log.play_all("C3 G7 C7")])
    live.set_delay(Delay(moves=2))
    feed(live, hands, log.play_all("G3 E5"))
    live.set_delay(Delay())
    assert len(live.snapshot().view.game.moves) == 5


def test_a_record_without_a_time_counts_as_new() -> None:
    log = ten_moves()
    records = [replace(record, utc="") for record in log.records]
    live = LiveGame(delay=Delay(seconds=60.0))
    live.rebuild(records)
    assert not live.snapshot().view.game.moves


def test_a_camera_without_frames_is_noticed() -> None:
    hands = Hands()
    live = LiveGame(clock=hands)
    assert live.is_fresh()
    live.touch()
    hands.now_s = 10.0
    assert not live.is_fresh()
    live.finish()
    assert live.is_fresh()


# The addresses


def client(live: LiveGame) -> Any:
    return create_app(live).test_client()


def test_the_state_names_players_moves_and_captures() -> None:
    log = Log()
    log.start()
    log.play_all("B1 A1 A2")
    state = client(live_game(log)).get("/state.json").get_json()
    assert state["white"] == {"name": "Ada Stone", "rank": "6d", "team": ""}
    assert state["line"][2]["captured"] == ["A1"]
    assert state["prisoners"] == {"B": 1, "W": 0}
    assert (state["to_move"], state["phase"]) == ("W", "playing")


def test_a_corrected_position_is_a_node_of_the_line() -> None:
    log = ten_moves()
    stone = Stone(Color.WHITE, Point(0, 0))
    log.add(101.0, PositionCorrected((stone,), (Point(6, 2),), Color.BLACK, SECRET))
    state = client(live_game(log)).get("/state.json").get_json()
    assert state["line"][10] == {"black": [], "white": ["A9"], "empty": ["C3"]}


def test_the_clocks_are_public_with_their_age_and_without_a_fallen_flag() -> None:
    log, hands = ten_moves(), Hands()
    live = LiveGame(clock=hands)
    live.publish(Batch(tuple(log.records), log.game))
    control = parse_control("30 min + 5x60 s")
    clock = press(start(new_clock(control), 100.0, Color.BLACK).clock, 130.0, Color.BLACK).clock
    hands.now_s = 130.0
    live.publish(log.add(130.0, ClockChanged(format_clock(clock))))
    hands.now_s = 137.5
    state = client(live).get("/state.json").get_json()
    assert state["clock_age"] == 7.5
    assert state["clock"]["running"] == "W"
    assert state["clock"]["black"]["main_s"] == 1770.0
    assert state["clock"]["control"] == {"kind": "byo-yomi", "period_s": 60.0}
    assert "flag" not in state["clock"]


def test_nothing_private_is_in_any_public_answer() -> None:
    log = ten_moves()
    log.add(101.0, alert(), PhaseChanged(Phase.SUSPENDED, SECRET), ResultChanged("W+F", SECRET))
    web = client(live_game(log))
    for address in ("/", "/overlay", "/state.json", "/game.sgf", "/healthz"):
        text = web.get(address).get_data(as_text=True)
        assert SECRET not in text, address
        assert "W+F" not in text, address


def test_the_record_is_an_sgf_with_the_players_in_its_name() -> None:
    answer = client(live_game(ten_moves())).get("/game.sgf")
    assert answer.status_code == 200
    assert answer.get_data(as_text=True).startswith("(;FF[4]")
    assert "PB[林海]" in answer.get_data(as_text=True)
    assert "filename*=UTF-8''" in answer.headers["Content-Disposition"]


@pytest.mark.parametrize("name", ['a"b', "a/../b", "a\r\nSet-Cookie: x", "\\", "", "\x00"])
def test_no_name_breaks_the_download(name: str) -> None:
    log = Log()
    log.start(info=replace(INFO, black=name, white="", date=""))
    answer = client(live_game(log)).get("/game.sgf")
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers


def test_the_record_is_sent_again_only_when_it_has_changed() -> None:
    log = ten_moves()
    live = live_game(log)
    web = client(live)
    tag = web.get("/game.sgf").headers["ETag"]
    assert web.get("/game.sgf", headers={"If-None-Match": tag}).status_code == 304
    live.publish(log.play(101.0, "H1"))
    assert web.get("/game.sgf", headers={"If-None-Match": tag}).status_code == 200


def test_a_delay_holds_for_every_public_address() -> None:
    live = live_game(ten_moves(), Delay(moves=4))
    web = client(live)
    assert len(web.get("/state.json").get_json()["line"]) == 6
    assert web.get("/game.sgf").get_data(as_text=True).split("WR")[1].count("B[") == 3
    for address in ("/", "/overlay"):
        assert '"point":"D4"' not in web.get(address).get_data(as_text=True).replace(" ", "")
    (message,) = live.wait("", timeout_s=0.0, is_over=never)
    assert "D4" not in message.data


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("zh-TW", "zh-Hans"),
        ("en-GB", "en"),
        ("fr,zh;q=0.5,en;q=0.7", "en"),
        ("fr", "en"),
        ("", "en"),
    ],
)
def test_the_visitors_language_decides(header: str, language: str) -> None:
    page = client(LiveGame()).get("/", headers={"Accept-Language": header})
    assert f'<html lang="{language}">' in page.get_data(as_text=True)


def test_a_language_that_was_asked_for_is_remembered() -> None:
    web = client(LiveGame())
    web.get("/?lang=zh", headers={"Accept-Language": "en"})
    again = web.get("/", headers={"Accept-Language": "en"})
    assert '<html lang="zh-Hans">' in again.get_data(as_text=True)
    assert '<html lang="en">' in web.get("/?lang=en").get_data(as_text=True)


def test_every_text_exists_in_both_languages_with_the_same_gaps() -> None:
    for table in (PAGE, RULESET_NAMES):
        for key, (english, chinese) in table.items():
            assert english, key
            assert chinese, key
            assert ("{0}" in english) == ("{0}" in chinese), key


def test_no_page_runs_inline_scripts_or_loads_from_elsewhere() -> None:
    web = client(live_game(ten_moves()))
    for address in ("/", "/overlay", "/nothing-here"):
        page = web.get(address)
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        text = page.get_data(as_text=True)
        assert "http://" not in text
        assert "https://" not in text
        assert " style=" not in text
        assert " onclick=" not in text


def test_a_player_named_like_a_script_stays_a_name() -> None:
    log = Log()
    log.start(info=replace(INFO, black="</script><script>alert(1)</script>"))
    text = client(live_game(log)).get("/").get_data(as_text=True)
    assert "<script>alert" not in text


def test_a_wrong_address_is_answered_in_the_visitors_language() -> None:
    answer = client(LiveGame()).get("/nothing-here", headers={"Accept-Language": "zh"})
    assert answer.status_code == 404
    assert "没有这个页面" in answer.get_data(as_text=True)


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_no_public_address_can_be_changed(method: str) -> None:
    web = client(live_game(ten_moves()))
    for address in ("/", "/overlay", "/state.json", "/events", "/game.sgf", "/healthz"):
        assert getattr(web, method)(address).status_code == 405


def test_until_the_log_has_been_read_viewers_are_asked_to_wait() -> None:
    live = LiveGame(is_reading=True)
    web = client(live)
    for address in ("/events", "/state.json", "/game.sgf"):
        answer = web.get(address)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    live.rebuild(ten_moves().records)
    assert len(web.get("/state.json").get_json()["line"]) == 10


def test_health_is_bad_while_no_frames_come() -> None:
    hands = Hands()
    live = LiveGame(clock=hands)
    web = client(live)
    assert web.get("/healthz").status_code == 200
    live.touch()
    hands.now_s = 10.0
    answer = web.get("/healthz")
    assert answer.status_code == 503
    assert answer.get_json() == {"is_fresh": False, "is_well": False}


# The stream and the server


class Browser:
    """Opens connections and closes them at the end."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.open: list[HTTPConnection] = []

    def get(self, address: str, **headers: str) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        self.open.append(connection)
        connection.request("GET", address, headers=headers)
        return connection.getresponse()

    def stream(self, after: str = "") -> HTTPResponse:
        return self.get(f"/events?after={after}")

    def close(self) -> None:
        for connection in self.open:
            connection.close()


@dataclass
class Served:
    """A running server with ten moves, and somebody who looks at it."""

    live: LiveGame
    log: Log
    server: PageServer
    browser: Browser


@pytest.fixture
def served() -> Iterator[Served]:
    log = ten_moves()
    live = live_game(log)
    server = PageServer(live, viewers=2, beat_s=0.05)
    browser = Browser(server.start(port=0))
    yield Served(live, log, server, browser)
    browser.close()
    server.stop()


def next_event(stream: HTTPResponse) -> dict[str, str]:
    """Return the fields of the next event, `retry` left out."""
    fields: dict[str, str] = {}
    while True:
        text = stream.readline().decode().rstrip("\n")
        if not text and fields:
            return fields
        name, _, value = text.partition(": ")
        if name and name != "retry":
            fields[name] = value


def next_message(stream: HTTPResponse) -> dict[str, str]:
    event = next_event(stream)
    while event.get("event") == "beat":
        event = next_event(stream)
    return event


def test_a_stream_begins_with_the_state_and_goes_on_with_each_move(served: Served) -> None:
    stream = served.browser.stream()
    assert stream.getheader("Content-Type", "").startswith("text/event-stream")
    first = next_message(stream)
    assert len(json.loads(first["data"])["state"]["line"]) == 10
    served.live.publish(served.log.play(101.0, "H1"))
    second = next_message(stream)
    assert json.loads(second["data"])["line"][0]["point"] == "H1"
    assert second["id"] == served.live.snapshot().number


def test_a_stream_goes_on_after_the_last_event_of_the_browser(served: Served) -> None:
    number = served.live.snapshot().number
    served.live.publish(served.log.play(101.0, "H1"))
    for stream in (
        served.browser.stream(number),
        served.browser.get("/events", **{"Last-Event-ID": number}),
    ):
        assert json.loads(next_message(stream)["data"])["keep"] == 10


def test_a_silent_stream_beats(served: Served) -> None:
    stream = served.browser.stream(served.live.snapshot().number)
    assert next_event(stream) == {"event": "beat", "data": '{"is_fresh":true}'}


def test_a_full_server_refuses_streams_and_answers_everything_else(served: Served) -> None:
    streams = [served.browser.stream() for _ in range(2)]
    full = served.browser.stream()
    assert (full.status, full.getheader("Retry-After")) == (503, "10")
    assert served.browser.get("/state.json").status == 200
    assert [stream.status for stream in streams] == [200, 200]


def test_a_stream_that_ends_frees_its_place() -> None:
    places = Places(1)
    web = create_app(live_game(ten_moves()), places=places).test_client()
    for _ in range(3):
        answer = web.get("/events", buffered=False)
        assert answer.status_code == 200
        assert places.taken == 1
        answer.close()
        assert places.taken == 0
    assert web.head("/events").status_code == 200
    assert places.taken == 0


def test_a_stopped_server_ends_streams_and_frees_the_port(served: Served) -> None:
    number = served.live.snapshot().number
    stream = served.browser.stream(number)
    next_event(stream)
    served.server.stop()
    rest = stream.read()
    assert rest.endswith(b"\n\n") or not rest
    served.live.publish(served.log.play(101.0, "H1"))
    assert served.server.start(port=served.browser.port) == served.browser.port
    assert json.loads(next_message(served.browser.stream(number))["data"])["keep"] == 10


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PageServerError, match=f"127.0.0.1:{port}"):
            PageServer(LiveGame()).start(port=port)


def test_a_server_that_was_not_started_can_be_stopped() -> None:
    PageServer(LiveGame()).stop()


def test_records_of_a_log_are_taken_batch_by_batch() -> None:
    log = ten_moves()
    log.correct(101.0, 3, "C6 G3 E5 E3 E7 C5 G5 D4")
    records: list[Record] = log.records
    view = live_game(log).snapshot().view
    assert len(records) == 20
    assert view.game.moves[2].move.point == Point(3, 2)

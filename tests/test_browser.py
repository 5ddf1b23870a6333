"""The pages in a real browser: what people see, do and are told."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from browsers import (
    SERVER_AWAY,
    assert_fits_and_is_accessible,
    expect,
    in_chromium,
    note_complaints,
)
from public_records import INFO, SECRET, Log, alert

from recorder.clock import new_clock, press, start
from recorder.clock_state import format_state
from recorder.clock_text import parse_control
from recorder.events import (
    ClockChanged,
    GameStarted,
    Phase,
    PhaseChanged,
    ResultChanged,
    ViewChanged,
    ViewState,
)
from recorder.gamelog import GameLog
from recorder.goban import Color
from recorder.library import Library
from recorder.observations import EndGame, Observation
from recorder.public import NO_DELAY, Delay
from recorder.web.live import LiveGame
from recorder.web.server import PageServer

MOVES = "C3 G7 C7 G3 E5 E3 E7 C5 G5 D4"

pytestmark = in_chromium


@dataclass
class Hall:
    """A game, the server that shows it, and what the browser complained about."""

    log: Log
    live: LiveGame
    server: PageServer
    port: int
    complaints: list[str] = field(default_factory=list)

    def address(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def play(self, vertices: str) -> None:
        for batch in self.log.play_all(vertices):
            self.live.publish(batch)

    def restart(self) -> None:
        """Come back as after a power cut: from the log alone."""
        self.live = LiveGame()
        self.live.rebuild(self.log.records)
        self.server = PageServer(self.live)
        self.server.start(port=self.port)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    log = Log()
    live = LiveGame()
    live.publish(log.start())
    finish_a_game(tmp_path)
    server = PageServer(live, library=Library(tmp_path))
    made = Hall(log, live, server, server.start(port=0))
    yield made
    made.server.stop()
    assert made.complaints == []


def finish_a_game(folder: Path) -> None:
    """Leave a game that ended yesterday."""
    events = (
        GameStarted(INFO, (), Color.BLACK),
        ResultChanged("W+R", "", is_confirmed=True),
        PhaseChanged(Phase.ENDED, "confirmed"),
    )
    with GameLog(folder / "game.db", is_writer=True) as log:
        said = Observation(0.0, EndGame("W+R"), "2026-04-30T16:00:00+00:00")
        log.append("20260430-140000-a1b2c3", said, events)


class Visitors:
    """Opens pages for visitors and notes what their browsers complain about."""

    def __init__(self, chromium: Any, hall: Hall) -> None:
        self.chromium = chromium
        self.hall = hall
        self.contexts: list[Any] = []

    def context(self, language: str = "en-GB", width: int = 1280, height: int = 800) -> Any:
        context = self.chromium.new_context(
            locale=language, viewport={"width": width, "height": height}
        )
        context.set_default_timeout(60_000)
        self.contexts.append(context)
        return context

    def open(self, path: str = "/", *, context: Any = None, **looks: Any) -> Any:
        page = (context or self.context(**looks)).new_page()
        # While the server is away the browser says so; everything else is a fault.
        note_complaints(page, self.hall.address(""), self.hall.complaints, SERVER_AWAY)
        page.goto(self.hall.address(path))
        return page


@pytest.fixture
def visitors(chromium: Any, hall: Hall) -> Iterator[Visitors]:
    made = Visitors(chromium, hall)
    yield made
    for context in made.contexts:
        context.close()


def move_number(page: Any) -> Any:
    return page.locator("#now-number")


def stones(page: Any) -> Any:
    return page.locator(".goban .stone")


def test_the_page_follows_a_game_through_a_reload_and_a_restart(
    hall: Hall, visitors: Visitors
) -> None:
    page = visitors.open()
    expect(move_number(page)).to_have_text("No move yet")
    hall.play("C3")
    expect(move_number(page)).to_have_text("Move 1")
    expect(stones(page)).to_have_count(1)
    hall.play("G7 C7 G3 E5")
    expect(move_number(page)).to_have_text("Move 5")
    expect(page.locator("#now-vertex")).to_have_text("E5")
    page.reload()
    expect(move_number(page)).to_have_text("Move 5")
    expect(stones(page)).to_have_count(5)
    hall.server.stop()
    expect(page.locator("#notice")).to_contain_text("Connection lost")
    hall.log.play_all("E3 E7")
    hall.restart()
    expect(move_number(page)).to_have_text("Move 7")
    expect(page.locator("#notice")).to_be_hidden()
    hall.play("C5")
    expect(move_number(page)).to_have_text("Move 8")


def test_captures_leave_the_board_and_are_counted(hall: Hall, visitors: Visitors) -> None:
    page = visitors.open()
    hall.play("B1 A1 A2")
    expect(stones(page)).to_have_count(2)
    expect(page.locator("#player-B [data-part=prisoners]")).to_have_text("1")


def test_a_visitor_steps_back_while_the_game_goes_on(hall: Hall, visitors: Visitors) -> None:
    hall.play(MOVES)
    page = visitors.open()
    expect(move_number(page)).to_have_text("Move 10")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Back one move").click()
    expect(move_number(page)).to_have_text("Move 8")
    hall.play("H1")
    live = page.locator("#to-live")
    expect(live).to_have_text("Back to live (3 new)")
    expect(move_number(page)).to_have_text("Move 8")
    live.click()
    expect(move_number(page)).to_have_text("Move 11")
    expect(live).to_be_hidden()
    hall.play("H2")
    expect(move_number(page)).to_have_text("Move 12")


def test_every_step_can_be_made_with_the_keyboard(hall: Hall, visitors: Visitors) -> None:
    hall.play(MOVES)
    page = visitors.open()
    for key, text in (
        ("Home", "No move yet"),
        ("ArrowRight", "Move 1"),
        ("PageDown", "Move 10"),
        ("PageUp", "No move yet"),
        ("End", "Move 10"),
    ):
        page.keyboard.press(key)
        expect(move_number(page)).to_have_text(text)
    page.keyboard.press("n")
    expect(page.locator(".goban .number")).to_have_count(10)


def test_a_link_leads_to_a_move(hall: Hall, visitors: Visitors) -> None:
    hall.play(MOVES)
    page = visitors.open("/#3")
    expect(move_number(page)).to_have_text("Move 3")
    expect(stones(page)).to_have_count(3)
    page.get_by_role("button", name="Move 5 Black E5").click()
    expect(page).to_have_url(hall.address("/#5"))


def test_a_correction_reaches_viewers_without_reloading(hall: Hall, visitors: Visitors) -> None:
    hall.play(MOVES)
    page = visitors.open()
    expect(move_number(page)).to_have_text("Move 10")
    hall.live.publish(hall.log.correct(200.0, 3, "C6 G3 E5"))
    expect(move_number(page)).to_have_text("Move 5")
    expect(page.locator('[data-vertex="C6"]')).to_have_count(1)
    expect(page.locator('[data-vertex="C7"]')).to_have_count(0)
    expect(page.locator("#moves li")).to_have_count(5)


def test_eight_tabs_share_one_stream(hall: Hall, visitors: Visitors) -> None:
    context = visitors.context()
    pages = [visitors.open(context=context) for _ in range(8)]
    hall.play("C3")
    for page in pages:
        expect(move_number(page)).to_have_text("Move 1")
    assert hall.server.streams == 1


def test_a_silent_connection_is_called_stale_within_20_seconds(
    hall: Hall, visitors: Visitors
) -> None:
    page = visitors.context().new_page()
    page.clock.install()
    page.goto(hall.address())
    hall.play("C3")
    expect(move_number(page)).to_have_text("Move 1")
    page.clock.fast_forward(20_000)
    expect(page.locator("#notice")).to_contain_text("Connection lost")


def test_an_interrupted_view_is_said_and_an_alert_is_not(hall: Hall, visitors: Visitors) -> None:
    hall.play("C3")
    page = visitors.open()
    hall.live.publish(hall.log.add(20.0, alert(), ViewChanged(ViewState.LOST, SECRET)))
    expect(page.locator("#notice")).to_contain_text("view of the board is interrupted")
    assert SECRET not in page.content()


def test_a_camera_without_frames_is_said(chromium: Any) -> None:
    log, ahead_s = Log(), [0.0]
    live = LiveGame(clock=lambda: time.monotonic() + ahead_s[0])
    server = PageServer(live, beat_s=0.2)
    live.publish(log.start())
    hall = Hall(log, live, server, server.start(port=0))
    visitors = Visitors(chromium, hall)
    page = visitors.open()
    expect(page.locator("#notice")).to_be_hidden()
    live.touch()
    ahead_s[0] = 10.0
    expect(page.locator("#notice")).to_contain_text("view of the board is interrupted")
    visitors.contexts[0].close()
    server.stop()


def test_the_clocks_run_on_the_page_and_say_byo_yomi(hall: Hall, visitors: Visitors) -> None:
    hall.play("C3")
    page = visitors.open()
    clock = new_clock(parse_control("1 min + 5x60 s"))
    clock = start(clock, 100.0, Color.WHITE).clock
    clock = press(clock, 170.0, Color.WHITE).clock
    hall.live.publish(hall.log.add(170.0, ClockChanged(format_state(clock))))
    expect(page.locator("#player-W [data-part=clock]")).to_have_text("1:00 ×5")
    running = page.locator("#player-B [data-part=clock]")
    expect(running).to_have_text(re.compile(r"0:5\d"))
    page.reload()
    expect(running).to_have_text(re.compile(r"0:[1-5]\d"))


def test_the_result_is_said_in_the_visitors_language(hall: Hall, visitors: Visitors) -> None:
    hall.play(MOVES)
    english, chinese = visitors.open(), visitors.open(language="zh-CN")
    ended = [PhaseChanged(Phase.ENDED), ResultChanged("B+3.5", is_confirmed=True)]
    hall.live.publish(hall.log.add(200.0, *ended))
    expect(english.locator("#result")).to_have_text("Black wins by 3.5 points")
    expect(chinese.locator("#result")).to_have_text("黑胜 1又3/4 子")
    expect(chinese.locator("#pulse")).to_contain_text("已结束")


def test_a_switch_changes_the_language(hall: Hall, visitors: Visitors) -> None:
    hall.play("C3")
    page = visitors.open(language="zh-CN")
    expect(move_number(page)).to_have_text("第 1 手")
    page.locator("#language").click()
    expect(move_number(page)).to_have_text("Move 1")


@pytest.mark.parametrize(
    ("width", "height"), [(360, 640), (390, 844), (820, 1180), (1280, 800), (1920, 1080)]
)
def test_nothing_is_cut_off_on_any_screen(
    hall: Hall, visitors: Visitors, width: int, height: int
) -> None:
    info = replace(INFO, black="Maximilian Featherstonehaugh-Smythe", event="Long " * 12)
    hall.live.publish(hall.log.start(info=info))
    hall.play(MOVES)
    page = visitors.open(width=width, height=height)
    expect(stones(page)).to_have_count(10)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator(".goban").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 0.55 * min(width, height)
    assert abs(box["width"] - box["height"]) < 2


@pytest.mark.parametrize(
    "path",
    ["/", "/?lang=zh", "/games/", "/nothing-here", "/overlay", "/overlay?parts=bar",
     "/overlay?parts=board&coordinates=1"],
)  # fmt: skip
def test_every_page_is_accessible_on_every_screen(
    hall: Hall, visitors: Visitors, path: str
) -> None:
    hall.play(MOVES)
    page = visitors.context().new_page()
    page.goto(hall.address(path))
    assert_fits_and_is_accessible(page)


def test_finished_games_are_a_tap_away_on_a_phone(hall: Hall, visitors: Visitors) -> None:
    page = visitors.open(language="zh-CN", width=360)
    page.get_by_role("link", name="已结束的对局").click()
    expect(page.locator(".games li")).to_contain_text("白中盘胜")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    with page.expect_download() as waiting:
        page.locator(".games a.tool").click()
    assert waiting.value.url.endswith("/games/20260430-140000-a1b2c3.sgf")


def test_the_record_can_be_downloaded(hall: Hall, visitors: Visitors) -> None:
    hall.play(MOVES)
    page = visitors.open()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download SGF").click()
    assert waiting.value.suggested_filename == "2026-05-01 - 林海 - Ada Stone.sgf"


def test_the_overlay_shows_the_asked_parts_on_a_transparent_ground(
    hall: Hall, visitors: Visitors
) -> None:
    hall.play("C3")
    page = visitors.open("/overlay?parts=bar&bar=900")
    expect(page.locator("#vertex")).to_have_text("C3")
    hall.play("G7")
    expect(page.locator("#vertex")).to_have_text("G7")
    expect(page.locator("#board")).to_be_hidden()
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert re.fullmatch(r"rgba\(0, 0, 0, 0\)", ground)


def test_a_delay_holds_on_the_page_and_is_said(chromium: Any) -> None:
    log, live = Log(), LiveGame(delay=Delay(moves=2))
    server = PageServer(live)
    live.publish(log.start())
    hall = Hall(log, live, server, server.start(port=0))
    visitors = Visitors(chromium, hall)
    hall.play("C3 G7 C7")
    page = visitors.open()
    expect(move_number(page)).to_have_text("Move 1")
    expect(page.locator("#pulse")).to_contain_text("2 moves behind")
    live.set_delay(NO_DELAY)
    expect(move_number(page)).to_have_text("Move 3")
    visitors.contexts[0].close()
    server.stop()
    assert hall.complaints == []

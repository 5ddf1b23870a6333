"""The wall and the referees' queue in a real browser: twelve boards, one offline, one alert."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from browsers import assert_fits_and_is_accessible, expect, in_chromium, note_complaints
from console_recorder import ACCESS, PASSWORDS
from hall_tables import INFO, Hall, Table, a_hall

from recorder.hall.app import create_hall_app
from recorder.hall.serve import HallServer
from recorder.hall.storage import SqliteStorage
from recorder.web.access import Role
from recorder.web.places import Places

pytestmark = [pytest.mark.hall, *in_chromium]

NAMES = tuple(str(n) for n in range(1, 13))
OFFLINE, ALARMED = "5", "7"
OPENING = "Q16 D4 D16 Q4 C6 R10 F17 O3 K10 C14"


@dataclass
class Venue:
    """A hall of twelve boards, its server and a browser."""

    hall: Hall
    tables: dict[str, Table]
    port: int
    chromium: Any
    contexts: list[Any] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def visit(self, path: str, *, language: str = "en-GB", width: int = 1100) -> Any:
        """Return a page of a new visitor."""
        viewport = {"width": width, "height": 800}
        context = self.chromium.new_context(locale=language, viewport=viewport)
        context.set_default_timeout(60_000)
        self.contexts.append(context)
        page = context.new_page()
        # The boards of this hall have no camera: there are no pictures of an alert.
        home, pictures = f"http://127.0.0.1:{self.port}", ("before.jpg", "after.jpg", "frame.jpg")
        note_complaints(page, home, self.complaints, pictures)
        page.goto(f"http://127.0.0.1:{self.port}{path}")
        return page

    def referee(self, path: str = "/referee", *, language: str = "en-GB", width: int = 1100) -> Any:
        """Return a page of a referee who has logged in."""
        page = self.visit("/login", language=language, width=width)
        page.fill("input[name=name]", "Li")
        page.fill("input[name=password]", PASSWORDS[Role.REFEREE])
        page.click("button.primary")
        page.wait_for_url("**/referee")
        if path != "/referee":
            page.goto(f"http://127.0.0.1:{self.port}{path}")
        return page


@pytest.fixture
def venue(chromium: Any, tmp_path: Path) -> Iterator[Venue]:
    storage = SqliteStorage(tmp_path / "hub.db")
    hall = a_hall(storage, names=NAMES, sections={"Upper": NAMES[:6], "Lower": NAMES[6:]})
    tables = {name: Table(storage, name) for name in NAMES}
    for name, table in tables.items():
        info = replace(INFO, black=f"Black {name}", white=f"白{name}", round="3")
        if name == ALARMED:
            table.double_move(info)
        else:
            table.start(info)
            table.play(OPENING)
        table.say(ago_s=60.0 if name == OFFLINE else 0.0)
    hall.boards.start()
    over, places = threading.Event(), Places(32)
    app = create_hall_app(hall.boards, hall.office, access=ACCESS, places=places)
    server = HallServer(app, hall.boards, places)
    devices = threading.Thread(target=_be_there, args=(tables, over))
    devices.start()
    try:
        made = Venue(hall, tables, server.start("127.0.0.1", 0), chromium)
        yield made
        for context in made.contexts:
            context.close()
        assert made.complaints == []
    finally:
        over.set()
        devices.join()
        server.stop()
        hall.boards.stop()


def _be_there(tables: dict[str, Table], over: threading.Event) -> None:
    """Answer for the devices: signs of life, and what the hub asks."""
    while not over.wait(0.2):
        for name, table in tables.items():
            if name != OFFLINE:
                table.serve()
                table.say()


def tile(page: Any, board: str) -> Any:
    return page.locator(f'.tile[data-board="{board}"]')


def test_the_public_wall_shows_twelve_boards_and_no_alert(venue: Venue) -> None:
    page = venue.visit("/")
    expect(page.locator(".tile")).to_have_count(12)
    expect(tile(page, OFFLINE)).to_contain_text("Offline")
    expect(tile(page, OFFLINE)).to_have_class(re.compile("is-offline"))
    expect(tile(page, "1")).to_contain_text("Playing")
    expect(tile(page, "1")).to_contain_text("Black 1")
    expect(page.locator(".tile-alerts:visible")).to_have_count(0)
    expect(tile(page, ALARMED)).not_to_contain_text("to decide")
    venue.tables["1"].put("B", "Q10")
    expect(tile(page, "1")).to_contain_text("Move 11")


def test_the_referees_wall_puts_the_alert_first(venue: Venue) -> None:
    page = venue.referee("/referee/wall")
    expect(page.locator(".tile").first).to_have_attribute("data-board", ALARMED)
    expect(tile(page, ALARMED)).to_contain_text("1 to decide")
    expect(tile(page, OFFLINE)).to_contain_text("last heard")
    page.select_option("#show", "alerts")
    expect(page.locator(".tile")).to_have_count(1)


def test_the_wall_is_filtered_by_name(venue: Venue) -> None:
    page = venue.visit("/", language="zh-CN", width=390)
    expect(tile(page, OFFLINE)).to_contain_text("离线")
    page.fill("#find", "白12")
    expect(page.locator(".tile")).to_have_count(1)
    page.fill("#find", "nobody")
    expect(page.locator("#none")).to_be_visible()


def test_a_tile_leads_to_the_board(venue: Venue) -> None:
    page = venue.visit("/")
    tile(page, "3").click()
    page.wait_for_url("**/boards/3/")
    expect(page.locator(".stone")).to_have_count(10)
    venue.tables["3"].put("B", "Q10")
    expect(page.locator(".stone")).to_have_count(11)
    assert page.locator("#download").get_attribute("href") == "/boards/3/game.sgf"


def test_a_referee_decides_an_alert_of_his_section(venue: Venue) -> None:
    page = venue.referee(width=390)
    group = page.locator(f'.board-group[data-board="{ALARMED}"]')
    expect(group).to_contain_text("Two moves in a row")
    page.select_option("#section", "Upper")
    expect(page.locator("#empty")).to_be_visible()
    page.select_option("#section", "Lower")
    group.locator('[data-decision="confirm"]').click()
    expect(page.locator("#empty")).to_be_visible()
    expect(page.locator("#toast")).to_contain_text("Saved")
    rulings = [row for row in venue.tables[ALARMED].rows if '"observation":"Ruling"' in row.body]
    assert len(rulings) == 1


def test_the_office_takes_pairings_after_a_look(venue: Venue, tmp_path: Path) -> None:
    file = tmp_path / "pairings.csv"
    file.write_text("Table,Round,Black,White\n1,4,Cho,Park\n2,4,Yi,Ke\n", encoding="utf-8")
    page = venue.referee("/office")
    page.set_input_files("#file", str(file))
    expect(page.locator("#preview tbody tr")).to_have_count(2)
    page.click("#take")
    expect(page.locator("#seats tbody tr")).to_have_count(2)
    assert venue.hall.office.round == "4"


@pytest.mark.parametrize("language", ["zh-CN", "en-GB"])
def test_the_halls_pages_are_accessible_on_every_screen(venue: Venue, language: str) -> None:
    page = venue.visit("/", language=language)
    expect(page.locator(".tile")).to_have_count(12)
    assert_fits_and_is_accessible(page)
    page = venue.referee("/referee", language=language)
    expect(page.locator(f'.board-group[data-board="{ALARMED}"]')).to_be_visible()
    assert_fits_and_is_accessible(page)
    for path in ("/referee/wall", "/office", f"/boards/{ALARMED}/"):
        page.goto(page.url.split("/referee")[0].split("/office")[0] + path)
        expect(page.locator("main")).to_be_visible()
        assert_fits_and_is_accessible(page)

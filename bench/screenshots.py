"""Draw the pictures of the pages for docs/images: the bundled game, with incidents, in Chromium."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from recorder.commands.demo import CLIP
from recorder.commands.options import Recording
from recorder.commands.page import Referee
from recorder.commands.recording import Listeners, open_job, record_game
from recorder.events import (
    GameInfo,
    InfoChanged,
    Phase,
    PhaseChanged,
    Record,
    ResultChanged,
)
from recorder.game import Game
from recorder.gamelog import GameLog
from recorder.goban import Color, Stone, parse_vertex
from recorder.library import Library
from recorder.observations import (
    ChangeInfo,
    ClockPress,
    Content,
    EndGame,
    Observation,
    Report,
    SettledView,
    StartGame,
)
from recorder.pictures import EVIDENCE
from recorder.publish import Batch
from recorder.session import new_state, step
from recorder.web.access import Role, new_access
from recorder.web.live import LiveGame
from recorder.web.server import PageServer

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
PIN = "12345678"
PATIENCE_MS = 180_000
"""For a page on a busy machine."""

INFO = GameInfo(
    event="Spring Cup",
    round="Round 3",
    place="Table 12",
    black="林海",
    black_rank="5d",
    black_team="Hangzhou",
    white="Ada Stone",
    white_rank="4d",
    white_team="London",
    date="2026-05-01",
    time_control="30 min + 5x60 s reserved",
)


class Table:
    """Goes on with a recorded game: what pages send is judged and told at once."""

    def __init__(self, live: LiveGame, referee: Referee) -> None:
        self._live, self._referee = live, referee
        self._state = new_state()
        self._number = 0

    def go_on(self, game: Game, records: list[Record]) -> None:
        """Begin where a recording has ended."""
        last_s = records[-1].t_s
        self._state = new_state(game, now_s=last_s)
        self._number = records[-1].number
        self._game_id = records[-1].game_id

    @property
    def game(self) -> Game:
        """The game so far."""
        return self._state.game

    def submit(self, content: Content) -> Future[int]:
        """Take one observation, as the loop does."""
        now_s = self._state.now_s + 1.0
        self._state, events = step(self._state, Observation(now_s, content))
        utc = datetime.now(UTC).isoformat()
        self._number += 1
        records = []
        for event in events:
            self._number += 1
            records.append(Record(self._number, self._game_id, now_s, utc, event))
        if records:
            batch = Batch(tuple(records), self._state.game)
            self._live.publish(batch)
            self._referee.game.publish(batch)
        number: Future[int] = Future()
        number.set_result(self._number)
        return number


class Keeper:
    """Keeps every record that a recording announces."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def publish(self, batch: Batch) -> None:
        """Take one batch."""
        self.records += batch.records


def record(folder: Path, live: LiveGame, referee: Referee, table: Table) -> None:
    """Record the bundled clip, and let the table go on from its end."""
    job = Recording(str(CLIP), folder, StartGame(INFO))
    keeper = Keeper()
    listeners = Listeners(live, (keeper,), (referee.snapshot,), referee)
    outcome = record_game(job, open_job(job), listeners)
    table.go_on(outcome.game, keeper.records)
    referee.inbox.connect(table.submit)


ENDINGS = {"20260501-100000-a1b2c3": "B+3.5", "20260501-140000-d4e5f6": "W+R"}
"""Results of the games in the list, by their ids."""


def keep_as_finished(folder: Path, library: Path) -> None:
    """Write the recorded game into a library, as games that have ended."""
    with GameLog(folder / "game.db") as log:
        records = tuple(log.records())
    for place, (game_id, result) in enumerate(ENDINGS.items(), start=1):
        kept = library / "games" / game_id
        kept.mkdir(parents=True)
        events = [record.event for record in records if not isinstance(record.event, InfoChanged)]
        info = replace(INFO, round=f"Round {place}")
        closing = (InfoChanged(info), ResultChanged(result, "", is_confirmed=True))
        with GameLog(kept / "game.db", is_writer=True) as log:
            said = Observation(0.0, EndGame(result), "2026-05-01T12:00:00+00:00")
            log.append(game_id, said, (*events, *closing, PhaseChanged(Phase.ENDED, "confirmed")))


@contextmanager
def visit(browser: Browser, address: str, path: str, **looks: Any) -> Iterator[Page]:
    """Give a page as everybody sees it; closed afterwards, because open pages keep drawing."""
    context = browser.new_context(**looks)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(address + path, wait_until="commit")
    yield page
    context.close()


@contextmanager
def log_in(browser: Browser, address: str, path: str, **looks: Any) -> Iterator[Page]:
    """Give a private page as the chief referee sees it."""
    with visit(browser, address, "/login", **looks) as page:
        page.locator("[name=name]").fill("Wang")
        page.locator("[name=password]").fill(PIN)
        page.locator("button.primary").click()
        page.wait_for_url("**/referee")
        page.goto(address + path, wait_until="commit")
        yield page


def unstick(page: Page) -> None:
    """Let the bar stay at the top: in a picture taller than the screen it would cover the rest."""
    page.evaluate("document.querySelector('.bar')?.style.setProperty('position', 'static')")


def shoot(page: Page, path: Path, *, whole: bool = False) -> None:
    """Write a picture, as small as it still reads well."""
    page.wait_for_load_state("load")
    page.wait_for_timeout(900)
    if whole:
        unstick(page)
    page.screenshot(path=str(path), type="jpeg", quality=72, full_page=whole)
    print(path, flush=True)


HALL = {"viewport": {"width": 1920, "height": 1080}, "locale": "en-GB"}
DESKTOP = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB"}
PHONE = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2, "has_touch": True}
BAR = {"viewport": {"width": 1280, "height": 72}, "locale": "en-GB"}
TABLET = {"viewport": {"width": 1024, "height": 600}, "locale": "en-GB"}


def public_pages(browser: Browser, address: str, out: Path) -> None:
    """Draw what everybody sees."""
    with visit(browser, address, "/", **HALL) as page:
        shoot(page, out / "board-hall.jpg")
    with visit(browser, address, "/", **PHONE, locale="zh-CN", color_scheme="dark") as page:
        shoot(page, out / "board-phone.jpg")
    with visit(browser, address, "/overlay?parts=bar", **BAR) as page:
        shoot(page, out / "overlay.jpg")


def during_the_game(browser: Browser, address: str, out: Path) -> None:
    """Draw console, desk and clock while the game goes on."""
    with log_in(browser, address, "/referee", **PHONE, locale="en-GB") as page:
        shoot(page, out / "referee-phone.jpg")
        double_move = page.locator('[data-alert="1"]')
        double_move.locator(".others summary").click()
        unstick(page)
        double_move.screenshot(path=str(out / "referee-card.jpg"), type="jpeg", quality=72)
    with log_in(browser, address, "/referee", **PHONE, locale="zh-CN") as page:
        page.locator("#actions > summary").click()
        unstick(page)
        page.locator("#actions").screenshot(
            path=str(out / "referee-actions.jpg"), type="jpeg", quality=72
        )
    with log_in(browser, address, "/desk", **DESKTOP) as page:
        page.locator("#moves li button").nth(4).click()
        shoot(page, out / "desk.jpg", whole=True)
    with log_in(browser, address, "/desk", **PHONE, locale="zh-CN") as page:
        shoot(page, out / "desk-phone.jpg", whole=True)
    with log_in(browser, address, "/clock", **TABLET) as page:
        shoot(page, out / "clock.jpg")


def at_the_end(browser: Browser, address: str, out: Path, table: Table) -> None:
    """Draw the count, and the list of finished games."""
    table.submit(EndGame(None))
    with log_in(browser, address, "/referee", **DESKTOP) as page:
        page.locator("#actions > summary").click()
        page.locator("#open-count").click()
        page.locator(".count-result").wait_for()
        shoot(page, out / "count.jpg")
    with visit(browser, address, "/games/", **DESKTOP) as page:
        shoot(page, out / "games.jpg")


def main() -> None:
    """Draw every picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="folder of the pictures, docs/images")
    out = parser.parse_args().out
    live, referee = LiveGame(), Referee()
    table = Table(live, referee)
    folder = Path(tempfile.mkdtemp()) / "game"
    access = new_access({Role.CHIEF: PIN})
    console = referee.console(access, lambda game_id: folder / EVIDENCE)
    library = Library(folder.parent / "library")
    server = PageServer(live, console=console, library=library)
    port = server.start(port=0)
    address = f"http://127.0.0.1:{port}"
    try:
        record(folder, live, referee, table)
        keep_as_finished(folder, folder.parent / "library")
        live.finish()
        table.submit(ChangeInfo(replace(table.game.info, komi=7.5)))
        side = table.game.to_move or Color.BLACK
        table.submit(ClockPress(side.opponent))
        table.submit(Report("call-referee", None, "table 12"))
        table.submit(SettledView(add=(Stone(side, parse_vertex("O3", 19)),)))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
            )
            public_pages(browser, address, out)
            during_the_game(browser, address, out)
            at_the_end(browser, address, out, table)
            browser.close()
    finally:
        server.stop()
        shutil.rmtree(folder.parent)


if __name__ == "__main__":
    main()

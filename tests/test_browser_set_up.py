"""Check and corners in a real browser: four marks are dragged on a picture no search can do."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from browsers import assert_fits_and_is_accessible, expect, in_chromium, note_complaints
from console_recorder import PASSWORDS, Recorder

from calibration.check import SystemFacts
from calibration.drift import Drift, Movement
from calibration.store import Calibration, load_calibration
from recorder.eye import Eye
from recorder.set_up import Noticed, SetUp
from recorder.web.access import Role
from recorder.web.server import PageServer
from vision.follow import numbered_like, shift_cells
from vision.geometry import grid_to_raw_px, raw_px_to_grid
from vision.grid import find_grid
from vision.quads import in_order
from vision.still import load_still
from vision.training.photos import known_grid
from vision.types import Frame, NoGrid

pytestmark = in_chromium

PICTURE = Path(__file__).parent / "data" / "frames" / "grid_09_1.jpg"
GOOD = load_still(PICTURE)
CORNERS = np.array(
    PICTURE.with_suffix(".txt").read_text().split("corners_px: ")[1].split("\n")[0].split(), float
).reshape(4, 2)
TRUE = known_grid(GOOD.image.shape, 9, CORNERS)


ROWS = (
    ".........",
    "..B...W..",
    ".WB......",
    "..W..B...",
    "....B....",
    ".B..WW...",
    "......B..",
    "..W...BW.",
    ".........",
)


def with_stones(image: np.ndarray) -> np.ndarray:
    """Return a picture of the board with stones on it: flat bodies, a highlight on each."""
    drawn = image.copy()
    around = np.linspace(0, 2 * np.pi, 40)
    ring = np.stack([np.cos(around), np.sin(around)], axis=-1)
    for row, col in np.ndindex(9, 9):
        if ROWS[row][col] == ".":
            continue
        body, top = ((30, 30, 34), (75, 75, 80)) if ROWS[row][col] == "B" else (
            (214, 220, 222), (250, 250, 250)
        )  # fmt: skip
        for radius, color in ((0.46, body), (0.2, top)):
            outline = grid_to_raw_px(TRUE, np.array([col, row]) + radius * ring)
            points = np.round(outline * 16).astype(np.int32)
            cv2.fillPoly(drawn, [points], color, cv2.LINE_AA, 4)
    return drawn


def hard_picture() -> Frame:
    """Return the drawn board with lines that go on without an edge: no search can tell its size."""
    rows, cols = np.mgrid[0 : GOOD.image.shape[0], 0 : GOOD.image.shape[1]]
    grid = raw_px_to_grid(TRUE, np.stack([cols, rows], axis=-1).astype(float))
    is_line = (np.abs(grid - np.round(grid)) < 0.05).any(axis=-1)
    outside = ((grid < -0.06) | (grid > 8.06)).any(axis=-1)
    image = GOOD.image.copy()
    wood = np.median(image[~outside], axis=0)
    image[outside] = wood
    image[outside & is_line] = 0.4 * wood
    return Frame(with_stones(image), 0.0)


@dataclass
class Table:
    """A recorder whose camera shows one picture, and operators who look at it."""

    set_up: SetUp
    server: PageServer
    port: int
    chromium: Any
    path: Path
    contexts: list[Any] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def operator(self, path: str, language: str = "en-GB", width: int = 1000, **looks: Any) -> Any:
        context = self.chromium.new_context(
            locale=language, viewport={"width": width, "height": 900}, **looks
        )
        context.set_default_timeout(60_000)
        self.contexts.append(context)
        page = context.new_page()
        home = f"http://127.0.0.1:{self.port}"
        note_complaints(page, home, self.complaints)
        page.goto(f"{home}/desk")
        page.locator("[name=password]").fill(PASSWORDS[Role.OPERATOR])
        page.locator("button.primary").click()
        page.wait_for_url("**/desk")
        page.goto(home + path)
        return page


@pytest.fixture
def table(chromium: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Table]:
    frame: Frame = request.param() if hasattr(request, "param") else GOOD
    path = tmp_path / "camera.toml"
    facts = SystemFacts(20_000_000_000, True, 50.0, False, False)
    set_up = SetUp(Calibration("camera"), path, facts=lambda: facts)
    recorder, ended = Recorder(), threading.Event()
    recorder.start()

    def film() -> None:
        eye, number = Eye(), 0
        # Five frames a second, as a camera gives them.
        while not ended.wait(0.2):
            shown = replace(frame, seen_at_s=number / 5)
            eye, seen = set_up.look(eye, shown, None)
            set_up.see(shown, seen)
            number += 1

    camera = threading.Thread(target=film, daemon=True)
    camera.start()
    server = PageServer(recorder.live, console=replace(recorder.console(), set_up=set_up))
    made = Table(set_up, server, server.start(port=0), chromium, path)
    yield made
    for context in made.contexts:
        context.close()
    server.stop()
    ended.set()
    camera.join()
    assert made.complaints == []


def drag(page: Any, number: int, place_px: np.ndarray, *, snaps: int = 1) -> None:
    """Drag a mark to a place of the picture, given in its own pixels; so many marks snap then."""
    box = page.locator("#frame").bounding_box()
    scale = box["width"] / GOOD.image.shape[1]
    x, y = box["x"] + (place_px[0] + 0.5) * scale, box["y"] + (place_px[1] + 0.5) * scale
    mark = page.locator(f".mark[data-corner='{number}']")
    held = mark.bounding_box()
    page.mouse.move(held["x"] + held["width"] / 2, held["y"] + held["height"] / 2)
    page.mouse.down()
    page.mouse.move(x - 20, y - 10)
    page.mouse.move(x, y)
    expect(page.locator("#magnifier")).to_be_visible()
    answered: list[Any] = []
    page.on("response", lambda answer: answered.append(answer.url))
    page.mouse.up()
    expect(page.locator("#magnifier")).to_be_hidden()
    for done in range(snaps):
        if sum(url.endswith("/corners/snap") for url in answered) <= done:
            page.wait_for_event("response", lambda answer: answer.url.endswith("/corners/snap"))


@pytest.mark.parametrize("table", [hard_picture], indirect=True)
def test_four_dragged_corners_make_the_reading_of_a_hard_picture_right(table: Table) -> None:
    hard = hard_picture()
    found = find_grid(hard)
    is_right = not isinstance(found, NoGrid) and found.size == 9
    assert not (is_right and shift_cells(numbered_like(found, TRUE), TRUE) < 0.5)
    page = table.operator("/corners")
    expect(page.locator("#news")).to_be_visible()
    page.locator("#size").select_option("9")
    # As people do: a few pixels off, in the order in which the marks lie.
    off = np.array([[4, -3], [-4, 3], [3, 4], [-3, -4]])
    for number, place in enumerate(in_order(CORNERS) + off):
        # Only when all four are about right can lines be told apart.
        drag(page, number, place, snaps=4 if number == 3 else 0)
    page.locator("#try").click()
    expect(page.locator("#told")).to_contain_text("stones are read")
    seen = page.locator("#tried").get_attribute("data-rows").split("\n")
    truth = np.array([list(row) for row in ROWS])
    assert seen in [["".join(row) for row in np.rot90(truth, turn)] for turn in range(4)]
    page.locator("#keep").click()
    expect(page.locator("#toast")).to_contain_text("used from now on")
    stored = load_calibration(table.path)
    assert stored is not None
    assert stored.board is not None
    apart = np.abs(np.array(stored.board.corners_px)[:, None] - CORNERS).max(axis=-1).min(axis=1)
    assert apart.max() < 0.08 * TRUE.cell_px
    # The loop reads with them from then on.
    page.goto(page.url.replace("/corners", "/check"))
    page.locator("#run").click()
    board = page.locator("#items [data-topic=board]")
    expect(board).to_have_attribute("data-level", "good")
    expect(page.locator("#picture")).to_be_visible()


def test_marks_snap_to_the_crossing_and_move_by_keys(table: Table) -> None:
    page = table.operator("/corners")
    expect(page.locator("#news")).to_contain_text("Found by itself")
    place = in_order(CORNERS)[0]
    drag(page, 0, place + np.array([5, 4]))
    mark = page.locator(".mark[data-corner='0']")

    def at() -> np.ndarray:
        style = mark.evaluate("mark => [parseFloat(mark.style.left), parseFloat(mark.style.top)]")
        height, width = GOOD.image.shape[:2]
        return np.array(style) / 100 * [width, height] - 0.5

    assert np.abs(at() - place).max() < 0.1 * TRUE.cell_px
    before = at()
    mark.press("ArrowRight")
    mark.press("Shift+ArrowDown")
    assert np.abs(at() - before - [1, 10]).max() < 0.05


def test_the_check_says_what_is_good_and_shows_the_coordinates(table: Table) -> None:
    page = table.operator("/check")
    page.locator("#run").click()
    expect(page.locator("#verdict")).to_have_attribute("data-level", re.compile("good|poor"))
    expect(page.locator("#items li")).to_have_count(17)
    expect(page.locator("#items [data-topic=cell]")).to_contain_text("33 pixels between lines")
    expect(page.locator("#picture")).to_be_visible()
    expect(page.locator("#movements")).to_contain_text("Nothing has moved")


def test_the_desk_leads_to_the_check_and_the_check_to_the_corners(table: Table) -> None:
    page = table.operator("/desk", language="zh-CN")
    page.locator("a[href='/check']").click()
    expect(page.locator("h1")).to_have_text("赛前检查")
    page.locator("a[href='/corners']").first.click()
    expect(page.locator("h1")).to_have_text("手动设定四角")


def test_a_lost_board_is_an_alert_on_the_desk(table: Table) -> None:
    page = table.operator("/desk")
    expect(page.locator("#moved")).to_be_hidden()
    lost = Movement(Drift.LOST, 0.0, 0.0, needs_person=True)
    table.set_up._movements.append(Noticed(lost, "2026-05-01T09:00:00+00:00"))
    expect(page.locator("#moved")).to_contain_text("set the corners by hand")


@pytest.mark.parametrize("language", ["zh-CN", "en-GB"])
def test_check_and_corners_are_accessible_on_every_screen(table: Table, language: str) -> None:
    page = table.operator("/check", language=language)
    page.locator("#run").click()
    expect(page.locator("#items li")).to_have_count(17)
    assert_fits_and_is_accessible(page)
    page.goto(page.url.replace("/check", "/corners"))
    expect(page.locator("#news")).to_be_visible()
    assert_fits_and_is_accessible(page)

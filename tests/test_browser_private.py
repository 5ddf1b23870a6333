"""Console and desk in a real browser: alerts are decided, the record is corrected."""

from __future__ import annotations

import json
import re
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
from console_recorder import INFO, PASSWORDS, Recorder

from recorder.goban import Color, Stone, parse_vertex
from recorder.observations import ChangeInfo, ClockPress, Resign, SettledView, StartGame, Tick
from recorder.web.access import Role
from recorder.web.first_start import FirstStart
from recorder.web.server import PageServer

pytestmark = in_chromium

# Counts what sounds: a headless browser has no loudspeaker to listen to.
COUNT_TONES = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...times) {
  window.tones += 1;
  start.apply(this, times);
};
"""


@dataclass
class Room:
    """A recorder, its server, and referees who look at it."""

    recorder: Recorder
    server: PageServer
    port: int
    chromium: Any
    evidence: Path
    """The folder of the game's pictures."""

    contexts: list[Any] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def visit(self, path: str, language: str = "en-GB", width: int = 1000, **looks: Any) -> Any:
        viewport = {"width": width, "height": 800}
        context = self.chromium.new_context(locale=language, viewport=viewport, **looks)
        context.set_default_timeout(60_000)
        context.add_init_script(COUNT_TONES)
        self.contexts.append(context)
        page = context.new_page()
        # The browser reports these answers as errors; here they are what is asked for: a komi that
        # is no number, a second tap, and streams that a clock running fast opens too soon.
        expected = (*SERVER_AWAY, "400 (BAD REQUEST)", "409 (", "503 (")
        note_complaints(page, self.address(""), self.complaints, expected)
        page.goto(self.address(path))
        return page

    def referee(self, role: Role = Role.REFEREE, **looks: Any) -> Any:
        page = self.visit("/referee", **looks)
        page.locator("[name=name]").fill("Wang")
        page.locator("[name=password]").fill(PASSWORDS[role])
        page.locator("button.primary").click()
        expect(page.locator("#players")).to_contain_text("林海")
        return page

    def operator(self, **looks: Any) -> Any:
        page = self.visit("/desk", **looks)
        page.locator("[name=password]").fill(PASSWORDS[Role.OPERATOR])
        page.locator("button.primary").click()
        expect(page.locator("#players")).to_contain_text("林海")
        return page

    def play_up_to(self, count: int) -> None:
        """Play on, on points so far apart that nothing is captured."""
        points = [f"{column}{row}" for row in (2, 8, 10, 12, 18) for column in "ABEFGHJLMNOST"]
        for number in range(len(self.recorder.state.game.moves), count):
            self.recorder.put("BW"[number % 2], points.pop())


@pytest.fixture
def room(chromium: Any, tmp_path: Path) -> Iterator[Room]:
    recorder = Recorder()
    recorder.start()
    recorder.play("Q16 D4 D16 Q4 C6")
    evidence = tmp_path / "evidence"
    evidence.mkdir()
    server = PageServer(recorder.live, console=recorder.console(evidence))
    made = Room(recorder, server, server.start(port=0), chromium, evidence)
    yield made
    for context in made.contexts:
        context.close()
    made.server.stop()
    assert made.complaints == []


def card(page: Any, alert: int = 1) -> Any:
    return page.locator(f'#open [data-alert="{alert}"]')


def test_a_referee_confirms_a_double_move_and_the_warning_shows(room: Room) -> None:
    page, public = room.referee(), room.visit("/")
    expect(page.locator("#empty")).to_be_visible()
    room.recorder.put("B", "R10")
    expect(card(page)).to_contain_text("Two moves in a row")
    expect(card(page)).to_contain_text("Article 17.2")
    expect(card(page)).to_contain_text("with one warning for Black")
    expect(card(page).locator(".ring")).to_have_count(1)
    expect(page.locator("#warned-B [data-part=count]")).to_have_text("1")
    card(page).get_by_label("Note").fill("both saw it")
    card(page).get_by_role("button", name="Confirm").click()
    expect(page.locator("#toast")).to_contain_text("Saved as number")
    earlier = page.locator('#earlier [data-alert="1"]')
    expect(earlier).to_contain_text("as proposed by Wang (referee) – both saw it")
    expect(page.locator("#warned-B [data-part=cost]")).to_have_text("1 stone(s) in counting")
    expect(public.locator("#now-number")).to_have_text("Move 5")
    assert "Two moves" not in public.content()


def test_a_referee_dismisses_an_alert_and_may_decide_again(room: Room) -> None:
    page = room.referee()
    room.recorder.put("B", "R10")
    card(page).get_by_role("button", name="Dismiss").click()
    earlier = page.locator('#earlier [data-alert="1"]')
    expect(earlier).to_contain_text("dismissed, no infraction")
    expect(page.locator("#warned-B [data-part=count]")).to_have_text("0")
    earlier.get_by_role("button", name="Decide again").click()
    earlier.get_by_role("button", name="Confirm").click()
    expect(earlier).to_contain_text("as proposed by Wang")
    expect(page.locator("#warned-B [data-part=count]")).to_have_text("1")


def test_the_second_of_two_taps_is_shown_the_first_decision(room: Room) -> None:
    room.recorder.put("B", "R10")
    slow, quick = room.referee(), room.referee()
    # The slow referee's page has not heard of the decision yet: its requests are held back.
    slow.route("**/referee/actions", lambda route: held.append(route))
    held: list[Any] = []
    card(slow).get_by_role("button", name="Dismiss").click()
    card(quick).get_by_role("button", name="Confirm").click()
    expect(quick.locator("#toast")).to_contain_text("Saved")
    held[0].continue_()
    expect(slow.locator("#toast")).to_contain_text("Already decided meanwhile: as proposed by Wang")
    expect(slow.locator("#warned-B [data-part=count]")).to_have_text("1")


def test_only_the_chief_referee_may_decide_a_loss(room: Room) -> None:
    room.recorder.put("B", "R10")
    referee, chief = room.referee(), room.referee(Role.CHIEF)
    for page in (referee, chief):
        card(page).locator(".others summary").click()
    expect(card(referee).locator("[data-decision=loss]")).to_be_disabled()
    card(chief).locator("[data-decision=loss]").click()
    chief.locator("#sure button[value=no]").click()
    expect(card(chief)).to_be_visible()
    card(chief).locator("[data-decision=loss]").click()
    chief.locator("#sure button[value=yes]").click()
    expect(chief.locator("#status")).to_contain_text("Result W+F, confirmed")


def test_an_urgent_alert_sounds_until_it_has_been_seen(room: Room) -> None:
    # Waiting for a value evaluates text in the page, which the page's own policy forbids.
    page = room.visit("/login", bypass_csp=True)
    page.clock.install()
    page.locator("[name=password]").fill(PASSWORDS[Role.REFEREE])
    page.locator("button.primary").click()
    # The players' names come with the script that makes the button work.
    expect(page.locator("#players")).to_contain_text("林海")
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_text("Sound is on")
    page.evaluate("window.tones = 0")
    room.recorder.put("B", "R10")
    page.wait_for_function("window.tones === 4")
    page.clock.run_for(61_000)
    page.wait_for_function("window.tones >= 8")
    card(page).locator("h3").click()
    page.wait_for_function(
        """() => fetch("/referee/state.json")
            .then((answer) => answer.json())
            .then((state) => state.alerts[0].is_acknowledged)"""
    )


def test_a_note_being_written_survives_the_next_move(room: Room) -> None:
    room.recorder.put("B", "R10")
    page = room.referee()
    note = card(page).get_by_label("Note")
    note.fill("half a")
    room.recorder.observe(SettledView(remove=(parse_vertex("R10", 19),)))
    room.recorder.put("W", "O17")
    expect(card(page)).to_contain_text("moves since: 1")
    expect(note).to_have_value("half a")


def test_what_a_player_says_goes_into_the_log(room: Room) -> None:
    page = room.referee()
    page.locator("#actions > summary").click()
    page.locator("[data-action=pass][data-color=W]").click()
    expect(page.locator("#status")).to_contain_text("Move 6")
    page.locator("[data-action=resign][data-color=B]").click()
    page.locator("#sure button[value=yes]").click()
    expect(page.locator("#status")).to_contain_text("W+R")


def test_a_lost_connection_is_said_within_20_seconds(room: Room) -> None:
    page = room.referee()
    room.server.stop()
    expect(page.locator("#stale")).to_contain_text("Connection lost", timeout=20_000)


@pytest.mark.parametrize("language", ["zh-CN", "en-GB"])
def test_the_console_is_accessible_on_every_screen(room: Room, language: str) -> None:
    room.recorder.put("B", "R10")
    page = room.referee(language=language)
    card(page).locator(".others summary").click()
    page.locator("#actions > summary").click()
    assert_fits_and_is_accessible(page)


def test_an_operator_deletes_move_20_of_60_and_viewers_see_it(room: Room) -> None:
    room.play_up_to(60)
    viewer, page = room.visit("/"), room.operator()
    expect(viewer.locator("#now-number")).to_have_text("Move 60")
    moves = page.locator("#moves li button")
    expect(moves).to_have_count(60)
    deleted = room.recorder.state.game.moves[19].move
    moves.nth(19).click()
    expect(page.locator("#chosen")).to_contain_text("Move 20: White")
    page.get_by_role("button", name="Delete this move").click()
    expect(page.locator("#toast")).to_contain_text("Saved as number")
    expect(moves).to_have_count(59)
    expect(viewer.locator("#now-number")).to_have_text("Move 59")
    expect(viewer.locator(".goban .stone")).to_have_count(59)
    assert deleted not in [played.move for played in room.recorder.state.game.moves]


def test_a_move_is_changed_by_tapping_the_board(room: Room) -> None:
    page = room.operator()
    page.locator("#moves li button").nth(2).click()
    # The goban's middle is K10 whatever its margins.
    page.locator("#board .goban").click()
    expect(page.locator("#point")).to_have_value("K10")
    page.get_by_role("button", name="Change it").click()
    expect(page.locator("#moves li").nth(2)).to_contain_text("K10")
    expect(page.locator("#moves li").nth(2)).to_contain_text("edited")


def test_an_operator_turns_the_record_and_viewers_see_it(room: Room) -> None:
    viewer, page = room.visit("/"), room.operator()
    expect(viewer.locator('[data-vertex="C6"]')).to_have_count(1)
    page.get_by_role("button", name="Turn the record left").click()
    page.locator("#sure button[value=yes]").click()
    expect(page.locator("#moves li").last).to_contain_text("O3")
    expect(viewer.locator('[data-vertex="O3"]')).to_have_count(1)
    expect(viewer.locator('[data-vertex="C6"]')).to_have_count(0)
    # What the camera reads is turned, too, so the next stone is the next move.
    room.recorder.put("W", "R10")
    expect(viewer.locator("#now-vertex")).to_have_text("R10")
    assert room.recorder.state.game.alerts == ()


def test_a_correction_that_comes_too_late_is_told_so(room: Room) -> None:
    page = room.operator()
    page.locator("#moves li button").nth(2).click()
    held: list[Any] = []
    page.route("**/desk/actions", lambda route: held.append(route))
    page.get_by_role("button", name="Delete this move").click()
    other = room.operator()
    other.locator("#moves li button").nth(1).click()
    other.get_by_role("button", name="Delete this move").click()
    expect(other.locator("#moves li")).to_have_count(4)
    held[0].continue_()
    expect(page.locator("#toast")).to_contain_text("The record has changed meanwhile")
    expect(page.locator("#moves li")).to_have_count(4)


def test_names_and_delay_reach_the_public_page(room: Room) -> None:
    viewer, page = room.visit("/"), room.operator()
    page.locator("[name=black]").fill("张三")
    page.locator("#info button.primary").click()
    expect(viewer.locator("#player-B h2")).to_have_text("张三")
    page.locator("[name=moves]").fill("2")
    page.locator("#delay button.primary").click()
    expect(page.locator("#toast")).to_contain_text("holds from now on")
    expect(viewer.locator("#pulse")).to_contain_text("2 moves behind")


@pytest.mark.parametrize(
    ("language", "waiting", "recording"),
    [("en-GB", "Waiting for a board", "Recording"), ("zh-CN", "等待棋盘", "记录中")],
)
def test_the_desk_says_at_once_what_the_table_is_at(
    room: Room, language: str, waiting: str, recording: str
) -> None:
    room.recorder.private.tell_stage("looking")
    page = room.operator(language=language)
    expect(page.locator("#status")).to_contain_text(waiting)
    room.recorder.private.tell_stage("playing")
    expect(page.locator("#status")).to_contain_text(recording)


def test_pictures_of_an_ended_game_are_deleted_after_a_question(room: Room) -> None:
    page = room.operator()
    button = page.locator("#delete-pictures")
    expect(button).to_be_hidden()
    room.recorder.observe(Resign(Color.BLACK))
    for answer, is_there in (("no", True), ("yes", False)):
        button.click()
        page.locator(f"#sure [value={answer}]").click()
        expect(button).to_be_visible(visible=is_there)
        assert room.evidence.exists() is is_there
    expect(page.locator("#toast")).to_contain_text("are deleted")


@pytest.mark.parametrize("language", ["zh-CN", "en-GB"])
def test_the_desk_is_accessible_on_every_screen(room: Room, language: str) -> None:
    page = room.operator(language=language)
    page.locator("#moves li button").nth(2).click()
    room.recorder.observe(SettledView(remove=(parse_vertex("C6", 19),)))
    expect(page.locator("#differs")).to_be_visible()
    assert_fits_and_is_accessible(page)


@pytest.mark.parametrize("language", ["zh-CN", "en-GB"])
def test_login_and_clock_are_accessible_on_every_screen(room: Room, language: str) -> None:
    room.recorder.observe(ChangeInfo(replace(INFO, time_control="10 min + 3x30 s")))
    page = room.visit("/login", language=language)
    assert_fits_and_is_accessible(page)
    page.locator("[name=password]").fill(PASSWORDS[Role.OPERATOR])
    page.locator("button.primary").click()
    page.wait_for_url("**/desk")
    page.goto(room.address("/clock"))
    expect(page.locator("#half-B")).to_contain_text("10:00")
    assert_fits_and_is_accessible(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#half-B")).to_have_class(re.compile("is-running"))
    assert_fits_and_is_accessible(page)


def test_the_first_start_is_accessible_on_every_screen(room: Room, tmp_path: Path) -> None:
    room.server.stop()
    first = FirstStart(tmp_path / "access.json", "1234-5678")
    console = replace(room.recorder.console(), first_start=first, access=first.access)
    room.server = PageServer(room.recorder.live, console=console)
    room.server.start(port=room.port)
    page = room.visit("/login", language="zh-CN")
    expect(page.locator("h1")).to_have_text("首次启动")
    page.locator("[name=code]").fill("0000-0000")
    assert_fits_and_is_accessible(page)


def test_the_clock_is_pressed_by_touch_and_by_key(room: Room) -> None:
    info = replace(INFO, time_control="10 min + 3x30 s")
    room.recorder.observe(StartGame(info, (), Color.BLACK))
    page = room.visit("/login")
    page.locator("[name=password]").fill(PASSWORDS[Role.OPERATOR])
    page.locator("button.primary").click()
    page.goto(room.address("/clock"))
    black, white = page.locator("#half-B"), page.locator("#half-W")
    expect(black).to_contain_text("10:00")
    expect(page.locator("#message")).to_contain_text("White presses to start")
    white.click()
    expect(black).to_have_class(re.compile("is-running"))
    expect(black).to_contain_text("9:5")
    room.recorder.put("B", "Q16")
    page.keyboard.press("a")
    expect(white).to_have_class(re.compile("is-running"))
    presses = [c.color for c in room.recorder.taken if isinstance(c, ClockPress)]
    assert presses == [Color.WHITE, Color.BLACK]


def test_byo_yomi_is_called_out_as_the_rules_say(room: Room) -> None:
    page = room.visit("/")
    calls = page.evaluate(
        """async () => {
          const { callsBetween } = await import("/static/clock.js");
          const control = { kind: "byo-yomi", period_s: 60 };
          const all = (periods) => {
            const found = [];
            for (let used = 0; used < 60; used += 0.1) {
              const side = (gone) => ({ seconds: 60 - gone, periods });
              found.push(...callsBetween(control, side(used), side(used + 0.1)));
            }
            return found.map((call) => call.number).join(" ");
          };
          const ends = (from, to) => callsBetween(
            control, { seconds: 0.05, periods: from }, { seconds: 60, periods: to },
          );
          return [all(3), all(1), JSON.stringify(ends(3, 2)), JSON.stringify(ends(1, 0))];
        }"""
    )
    assert calls == [
        "30 40 50 55 58",
        "30 40 50 1 2 3 4 5 6 7 8 9",
        '[{"kind":"left","number":2}]',
        '[{"kind":"count","number":10}]',
    ]


def test_the_login_is_refused_in_words(room: Room) -> None:
    page = room.visit("/login", language="zh-CN")
    page.locator("[name=password]").fill("guess")
    room.complaints.clear()
    page.locator("button.primary").click()
    expect(page.locator(".login-message")).to_have_text("密码不正确。")
    room.complaints.clear()


def open_form(page: Any, name: str) -> Any:
    """Open one of the console's forms; return it."""
    if not page.locator("#action-grid").is_visible():
        page.locator("#actions > summary").click()
    details = page.locator(".action-details", has=page.locator(f'[data-form="{name}"]'))
    details.locator("summary").click()
    return page.locator(f'[data-form="{name}"]')


def test_a_card_tells_the_article_and_what_it_allows(room: Room) -> None:
    page = room.referee(language="zh-CN", width=360)
    room.recorder.put("B", "R10")
    expect(card(page).locator(".card-article p")).to_contain_text("判第二着无效，并警告一次")
    card(page).locator(".others summary").click()
    offered = card(page).locator(".others button").all_text_contents()
    assert offered == ["按建议但不警告", "判负"]


def test_an_alert_that_nobody_has_seen_is_marked_for_the_chief_referee(room: Room) -> None:
    page = room.referee(Role.CHIEF)
    room.recorder.put("B", "R10")
    expect(card(page)).to_be_visible()
    for _ in range(21):
        room.recorder.observe(Tick())
    expect(card(page).locator(".card-escalated")).to_contain_text("for the chief referee")
    card(page).locator("h3").click()
    expect(card(page)).to_contain_text("seen by Wang (chief)")


def test_confirmed_and_proposed_warnings_are_told_apart(room: Room) -> None:
    page = room.referee()
    room.recorder.put("B", "R10")
    cost = page.locator("#warned-B [data-part=cost]")
    expect(cost).to_contain_text("0 confirmed, 1 proposed")
    card(page).get_by_role("button", name="Confirm").click()
    expect(cost).to_have_text("1 stone(s) in counting")


def test_lateness_becomes_a_card_and_its_confirmation_takes_the_time(room: Room) -> None:
    room.recorder.observe(ChangeInfo(replace(INFO, time_control="30 min")))
    page = room.referee()
    form = open_form(page, "late")
    form.get_by_label("Player").select_option("W")
    form.get_by_label("Minutes late").fill("4")
    form.locator("button.primary").click()
    expect(card(page)).to_contain_text("4 min late, 8 min to be deducted")
    card(page).get_by_role("button", name="Confirm").click()
    expect(page.locator("#minutes")).to_contain_text(
        "Time deducted · White · 480 s", timeout=20_000
    )
    clock = json.loads(room.recorder.state.game.clock)
    assert clock["white"]["main_s"] == 1800 - 480


def test_a_game_is_counted_by_tapping_confirmed_by_all_and_sealed(room: Room) -> None:
    public = room.visit("/")
    page = room.referee(width=360)
    page.locator("#actions > summary").click()
    page.get_by_role("button", name="Go to counting").click()
    page.locator("#sure button[value=yes]").click()
    expect(page.locator("#status")).to_contain_text("Counting")
    page.locator("#open-count").click()
    expect(page.locator(".count-result")).to_contain_text("wins")
    for vertex in ("D4", "Q4"):
        page.locator(f'#count-board [data-vertex="{vertex}"]').click(force=True)
        expect(page.locator("#count-board .cross")).to_have_count(1 if vertex == "D4" else 2)
    expect(page.locator("#count-summary")).to_contain_text("Black: 361")
    page.locator("#count-enter").click()
    expect(page.locator("#count")).to_be_hidden()
    expect(page.locator("#status")).to_contain_text("proposed")
    expect(public.locator("#result")).to_be_hidden()
    page.locator("#confirm-result").click()
    page.locator("#sure button[value=yes]").click()
    expect(public.locator("#result")).to_contain_text("Black wins")
    seal = page.locator('[data-action="seal"]')
    expect(seal).to_be_disabled()
    for color in ("B", "W"):
        page.locator(f'[data-action="sign"][data-color="{color}"]').click()
    seal.click()
    page.locator("#sure button[value=yes]").click()
    expect(page.locator("#status")).to_contain_text("Sealed")


def test_a_sealed_move_is_opened_with_the_code_on_the_envelope(room: Room) -> None:
    page = room.referee()
    form = open_form(page, "seal_move")
    form.get_by_label("Point").fill("r17")
    code = form.locator(".code").text_content()
    form.locator("button.primary").click()
    expect(page.locator("#minutes-count")).to_have_text("1")
    form = open_form(page, "open_move")
    form.get_by_label("Point").fill("r17")
    form.get_by_label("Code").fill(code)
    form.locator("button.primary").click()
    page.locator("#minutes-group summary").click()
    expect(page.locator("#minutes li").first).to_contain_text("as sealed")
    expect(page.locator("#minutes li").last).not_to_contain_text("R17")


def test_the_operator_takes_a_pairing_from_a_file_and_calls_the_referee(room: Room) -> None:
    referee, page = room.referee(), room.operator(language="zh-CN", width=360)
    data = "台号,轮次,黑方,黑方段位,白方,让子\n3,5,王芳,4段,赵六,2\n4,5,甲,,乙,\n".encode("gb18030")
    page.locator(".pairings summary").click()
    file = {"name": "pairings.csv", "mimeType": "text/csv", "buffer": data}
    page.locator("#pairings-file").set_input_files(file)
    expect(page.locator("#pairings tr")).to_have_count(2)
    page.locator("#table").fill("3")
    expect(page.locator("#pairings tr")).to_have_count(1)
    page.locator("#pairings button").click()
    page.locator("#info button.primary").click()
    expect(page.locator("#players")).to_have_text("王芳 – 赵六")
    assert room.recorder.state.game.info.handicap == 2
    page.locator("#info [name=komi]").fill("7,5x")
    page.locator("#info button.primary").click()
    expect(page.locator("#toast")).to_contain_text("got '7,5x'")
    page.locator("#call").click()
    page.locator("#sure button[value=yes]").click()
    expect(card(referee)).to_contain_text("The referee is called")


def test_an_uncertain_stretch_is_shown_and_confirmed(room: Room) -> None:
    page = room.operator()
    expect(page.locator("#unsure")).to_be_hidden()
    both = tuple(
        Stone(color, parse_vertex(vertex, 19))
        for color, vertex in ((Color.WHITE, "R10"), (Color.BLACK, "K3"))
    )
    room.recorder.observe(SettledView(add=both))
    expect(page.locator("#unsure li")).to_have_count(1)
    page.locator("#unsure [data-action=confirm]").click()
    expect(page.locator("#unsure")).to_be_hidden()
    expect(page.locator("#moves .how").last).to_have_text("edited")


def test_a_press_is_stamped_by_the_recorders_time(room: Room) -> None:
    room.recorder.observe(ChangeInfo(replace(INFO, time_control="10 min")))
    page = room.visit("/login", language="zh-CN")
    page.locator("[name=password]").fill(PASSWORDS[Role.OPERATOR])
    page.locator("button.primary").click()
    with page.expect_response("**/clock/time"):
        page.goto(room.address("/clock"))
    page.keyboard.press("ArrowRight")
    expect(page.locator("#half-B")).to_have_class(re.compile("is-running"))
    press = next(c for c in room.recorder.taken if isinstance(c, ClockPress))
    assert 0 <= press.age_s < 20

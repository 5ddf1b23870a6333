"""Time controls: what is called, charged and left, however time is cut into pieces."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder.case_files import CaseError, Fields, load_cases
from recorder.cli import main
from recorder.clock import (
    Announcer,
    Bank,
    Blocks,
    ByoYomi,
    Call,
    CallKind,
    Clock,
    ClockError,
    Control,
    Flag,
    SideTime,
    Ticked,
    advance,
    correct,
    new_clock,
    pass_on_application,
    pause,
    press,
    restart_count,
    resume,
    start,
)
from recorder.clock_calls import format_call
from recorder.clock_cases import run_case
from recorder.clock_rulings import judge_fault, judge_lateness, split_evenly
from recorder.clock_state import ClockStateError, format_state, parse_state
from recorder.clock_text import EXAMPLES, format_control, parse_control
from recorder.goban import Color

CASES = Path(__file__).parents[2] / "shared" / "rules" / "clock_cases.json"
B, W = Color.BLACK, Color.WHITE

CONTROLS = st.one_of(
    st.builds(Bank, st.integers(1, 300), st.integers(0, 20), st.none() | st.integers(1, 400)),
    st.builds(
        ByoYomi,
        st.integers(0, 200),
        st.integers(1, 4),
        st.sampled_from([10.0, 20.0, 30.0, 60.0]),
        st.sampled_from(Announcer),
    ),
    st.builds(Blocks, st.integers(0, 100), st.integers(1, 120), st.integers(1, 5), st.booleans()),
)
STEPS = st.lists(
    st.tuples(st.integers(0, 40), st.sampled_from(["tick", "press", "pause", "resume"])),
    max_size=25,
)


def call_words(calls: tuple[Call, ...]) -> list[str]:
    """Return what was said, in Chinese."""
    return [format_call(call) for call in calls]


def run_for(control: Control, seconds: float) -> Ticked:
    """Let Black's time run from the start."""
    return advance(start(new_clock(control), 0, B).clock, seconds)


def act(clock: Clock, t_s: float, action: str) -> Ticked:
    """Do one of the actions of `STEPS`; it is always the player to move who presses."""
    if action == "press" and clock.running is not None:
        return press(clock, t_s, clock.running)
    actions: dict[str, Callable[[Clock, float], Ticked]] = {"pause": pause, "resume": resume}
    return actions.get(action, advance)(clock, t_s)


def play(
    control: Control, steps: list[tuple[int, str]], first: Color = B, *, pieces: int = 1
) -> Ticked:
    """Follow steps of (seconds, action), each stretch of time cut into equal pieces."""
    clock, t_s = start(new_clock(control), 0, first).clock, 0.0
    calls: list[Call] = []
    for seconds, action in steps:
        for piece in range(1, pieces):
            now = advance(clock, t_s + seconds * piece / pieces)
            clock, calls = now.clock, [*calls, *now.calls]
        t_s += seconds
        now = act(clock, t_s, action)
        clock, calls = now.clock, [*calls, *now.calls]
    return Ticked(clock, tuple(calls))


def rounded(now: Ticked) -> tuple[object, ...]:
    """Return everything about a clock, without the noise of adding floats."""

    def side(value: SideTime) -> tuple[float, ...]:
        return (
            round(value.main_s, 3),
            value.periods,
            round(value.used_s, 3),
            round(value.block_s, 3),
            value.moves_left,
        )

    flag = now.clock.flag
    return (
        side(now.clock.black),
        side(now.clock.white),
        now.clock.running,
        None if flag is None else (round(flag.t_s, 3), flag.color),
        [(round(c.t_s, 3), c.color, c.kind, c.seconds, c.left) for c in now.calls],
    )


@given(CONTROLS, STEPS, st.integers(2, 7))
@settings(deadline=None)
def test_how_often_the_clock_is_looked_at_changes_nothing(
    control: Control, steps: list[tuple[int, str]], pieces: int
) -> None:
    assert rounded(play(control, steps, pieces=pieces)) == rounded(play(control, steps))


@given(CONTROLS, STEPS)
@settings(deadline=None)
def test_colors_swapped_give_the_same_with_colors_swapped(
    control: Control, steps: list[tuple[int, str]]
) -> None:
    one, other = play(control, steps, B).clock, play(control, steps, W).clock
    assert (one.black, one.white) == (other.white, other.black)


@given(CONTROLS, STEPS)
@settings(deadline=None)
def test_a_clock_survives_its_json_text(control: Control, steps: list[tuple[int, str]]) -> None:
    clock = play(control, steps).clock
    assert parse_state(format_state(clock)) == clock


@given(CONTROLS, STEPS)
@settings(deadline=None)
def test_a_pause_of_any_length_costs_nobody_anything(
    control: Control, steps: list[tuple[int, str]]
) -> None:
    played = [step for step in steps if step[1] in ("tick", "press")]
    paused: list[tuple[int, str]] = []
    for seconds, action in played:
        paused += [(seconds, "pause"), (500, "tick"), (0, "resume"), (0, action)]
    with_pauses, without = play(control, paused).clock, play(control, played).clock
    assert (with_pauses.black, with_pauses.white) == (without.black, without.white)


@given(CONTROLS, STEPS)
@settings(deadline=None)
def test_nothing_is_ever_below_zero_and_nothing_runs_after_the_flag(
    control: Control, steps: list[tuple[int, str]]
) -> None:
    clock = play(control, steps).clock
    for side in (clock.black, clock.white):
        assert min(side.main_s, side.periods, side.used_s, side.block_s, side.moves_left) >= 0
    later = advance(clock, clock.t_s + 10_000)
    if clock.flag is not None:
        assert (later.clock.black, later.clock.white) == (clock.black, clock.white)


@given(st.integers(1, 500), STEPS)
@settings(deadline=None)
def test_in_sudden_death_time_used_and_time_left_add_up(
    main_s: int, steps: list[tuple[int, str]]
) -> None:
    played = [step for step in steps if step[1] in ("tick", "press")]
    clock = play(Bank(main_s), played).clock
    end_s = clock.flag.t_s if clock.flag is not None else clock.t_s
    assert clock.black.main_s + clock.white.main_s == pytest.approx(2 * main_s - end_s)


def test_a_reserved_minute_is_called_as_article_12_3_says() -> None:
    said = call_words(run_for(ByoYomi(0, 3, announcer=Announcer.CHINESE_2002), 60).calls)
    assert said == ["30秒", "40秒", "50秒", "55秒", "58秒", "1分，还剩2分"]


@pytest.mark.parametrize(
    ("announcer", "last"),
    [(Announcer.CHINESE_2002, "10"), (Announcer.CHINESE_OLDER, "10，超时判负")],
)
def test_the_last_minute_is_counted_down_to_ten(announcer: Announcer, last: str) -> None:
    now = run_for(ByoYomi(0, 1, announcer=announcer), 61)
    assert call_words(now.calls) == ["30秒", "40秒", "50秒", *"123456789", last]
    assert now.clock.flag == Flag(60, B)


def test_a_period_of_thirty_seconds_is_called_by_analogy() -> None:
    said = call_words(run_for(ByoYomi(0, 2, 30, Announcer.CHINESE_2002), 59).calls)
    assert said[:5] == ["10秒", "20秒", "25秒", "28秒", "30秒，还剩1次"]
    assert said[5:] == ["10秒", "20秒", *"123456789"]


def test_a_period_of_ten_seconds_is_counted_from_one() -> None:
    said = call_words(run_for(ByoYomi(0, 1, 10, Announcer.CHINESE_2002), 10).calls)
    assert said == [*"123456789", "10"]


def test_calls_have_english_words() -> None:
    calls = run_for(ByoYomi(0, 3, announcer=Announcer.CHINESE_OLDER), 180).calls
    said = [format_call(call, "en") for call in calls]
    assert said[0] == "30 seconds"
    assert said[5] == "1 minute, 2 minutes left"
    assert said[11] == "1 minute, 1 minute left"
    assert said[-2:] == ["9", "10, over time, lost"]
    short = Call(30, B, CallKind.PERIOD_USED, 30, 1)
    assert format_call(short, "en") == "30 seconds, 1 period left"


def test_a_press_on_the_very_second_is_late() -> None:
    for control, seconds in ((Bank(60), 60), (ByoYomi(30, 1, 30), 60), (Blocks(30, 30, 5), 60)):
        at_the_second = press(start(new_clock(control), 0, B).clock, seconds, B).clock
        just_before = press(start(new_clock(control), 0, B).clock, seconds - 0.01, B).clock
        assert at_the_second.flag == Flag(60, B)
        assert just_before.flag is None


def test_the_move_under_way_when_main_time_ends_is_the_first_of_the_block() -> None:
    clock = start(new_clock(Blocks(10, 100, 3)), 0, B).clock
    assert press(clock, 12, B).clock.black == SideTime(0, block_s=98, moves_left=2)


@pytest.mark.parametrize(("is_carried_over", "block_s"), [(True, 190.0), (False, 100.0)])
def test_unused_block_time_goes_on_only_with_carry_over(
    is_carried_over: bool, block_s: float
) -> None:
    clock = start(new_clock(Blocks(0, 100, 1, is_carried_over)), 0, B).clock
    assert press(clock, 10, B).clock.black == SideTime(0, block_s=block_s, moves_left=1)


def test_a_bank_never_grows_beyond_its_cap_and_never_shrinks_to_it() -> None:
    capped = start(new_clock(Bank(600, 20, 605)), 0, B).clock
    assert press(capped, 5, B).clock.black.main_s == 605
    above = start(new_clock(Bank(600, 20, 300)), 0, B).clock
    assert press(above, 5, B).clock.black.main_s == 595


def test_a_press_out_of_turn_or_while_paused_is_ignored() -> None:
    clock = start(new_clock(Bank(60)), 0, B).clock
    assert press(clock, 5, W).clock.running is B
    assert press(pause(clock, 5).clock, 9, B).clock.running is B


def test_a_lost_last_minute_can_be_turned_into_a_pass() -> None:
    over = run_for(ByoYomi(0, 1), 70).clock
    passed = pass_on_application(over, 80).clock
    assert (passed.flag, passed.running) == (None, W)
    assert passed.black == SideTime(0, periods=1)


def test_only_a_flag_in_byo_yomi_can_be_turned_into_a_pass() -> None:
    for clock in (run_for(Bank(60), 70).clock, run_for(ByoYomi(0, 2), 70).clock):
        with pytest.raises(ClockError, match="only a flag"):
            pass_on_application(clock, 80)


def test_a_count_restarts_where_it_went_wrong() -> None:
    clock = run_for(ByoYomi(0, 1, announcer=Announcer.CHINESE_2002), 55).clock
    again = restart_count(clock, 55, 40)
    assert again.clock.black.used_s == 40
    assert call_words(advance(again.clock, 65).calls) == ["50秒"]


def test_a_count_can_only_restart_inside_a_running_period() -> None:
    running = run_for(ByoYomi(0, 1), 5).clock
    with pytest.raises(ClockError, match="must be in 0-60"):
        restart_count(running, 6, 60)
    with pytest.raises(ClockError, match="only a running byo-yomi"):
        restart_count(run_for(Bank(60), 5).clock, 6, 0)


def test_a_correction_sets_the_reading_and_takes_the_flag_back() -> None:
    over = run_for(Bank(60), 70).clock
    corrected = correct(over, 80, B, SideTime(30)).clock
    assert (corrected.flag, corrected.black) == (None, SideTime(30))
    assert correct(over, 80, W, SideTime(30)).clock.flag is not None


def test_time_never_goes_back() -> None:
    with pytest.raises(ClockError, match="must not go back"):
        advance(run_for(Bank(60), 5).clock, 4)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Bank(0),
        lambda: ByoYomi(0, 0),
        lambda: ByoYomi(-1, 5),
        lambda: ByoYomi(1, 5, 0),
        lambda: Blocks(60, 0, 5),
        lambda: Blocks(60, 60, 0),
    ],
)
def test_a_control_without_time_is_refused(make: Callable[[], Control]) -> None:
    with pytest.raises(ClockError):
        make()


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"control": {"kind": "sand"}}'])
def test_a_text_that_is_no_clock_is_named(text: str) -> None:
    with pytest.raises(ClockStateError, match="expected the state of a clock"):
        parse_state(text)


def test_an_hour_late_is_allowed_and_deducted_double() -> None:
    assert judge_lateness(3600, 3600).is_lost is False
    assert judge_lateness(3601, 3600).is_lost is True
    assert judge_lateness(600, 900).deducted_s == 1200
    with pytest.raises(ClockError):
        judge_lateness(-1, 900)


@given(st.floats(1, 5000), st.floats(1, 5000), st.floats(600, 20000))
@settings(deadline=None)
def test_a_faulty_clock_is_set_anew_so_that_both_readings_add_up(
    black_s: float, white_s: float, real_s: float
) -> None:
    fault = judge_fault(black_s, white_s, real_s)
    used_s = fault.black_used_s + fault.white_used_s
    assert used_s == pytest.approx(real_s if fault.is_set_anew else black_s + white_s)
    assert fault.black_used_s * white_s == pytest.approx(fault.white_used_s * black_s)


def test_two_minutes_an_hour_is_the_limit_for_a_faulty_clock() -> None:
    assert judge_fault(1740, 1740, 3600).is_set_anew is True
    assert judge_fault(1741, 1740, 3600).is_set_anew is False
    assert judge_fault(1860, 1860, 3600).is_set_anew is True
    with pytest.raises(ClockError):
        judge_fault(0, 0, 3600)
    assert split_evenly(100) == (50, 50)


def shared_cases() -> list[Fields]:
    """Return the scenario cases, none where they are absent."""
    return load_cases(CASES) if CASES.exists() else []


@pytest.mark.skipif(not CASES.exists(), reason="the rules' cases are not beside this checkout")
def test_every_scenario_case_is_answered_as_expected() -> None:
    for case in shared_cases():
        answer, expected = run_case(case), case.fields("expect").values
        assert {key: answer[key] for key in expected} == dict(expected), case.place


WRONG: list[object] = [None, "x", -1, [], {}, 10**400, True]


@given(st.data())
@settings(deadline=None)
def test_a_damaged_case_is_answered_or_named(data: st.DataObject) -> None:
    case = {
        "id": "x",
        "mode": data.draw(st.sampled_from(["byoyomi-cn", "canadian", "late", "fault", "no"])),
        "config": {
            "main_s": 300,
            "reserve_min": 2,
            "block_s": 60,
            "block_moves": 2,
            "limit_s": 60,
            "shown_s": {"B": 1, "W": 2},
            "real_elapsed_s": 5,
        },
        "events": [{"t": 0, "start": "B"}, {"t": 70, "press": "B"}, {"t": 80, "arrive": "W"}],
    }
    wrong = data.draw(st.sampled_from(WRONG))
    target = data.draw(st.sampled_from([case, case["config"], case["events"][1]]))  # type: ignore[index]
    key = data.draw(st.sampled_from(sorted(target)))
    target[key] = wrong
    try:
        assert run_case(Fields(case, "x"))["id"] is not None
    except CaseError as error:
        assert "x" in str(error)  # noqa: PT017


def test_every_event_can_be_used_in_a_case() -> None:
    case = {
        "id": "x",
        "mode": "byoyomi-cn",
        "config": {"main_s": 60, "reserve_min": 1},
        "events": [
            {"t": 0, "start": "B"},
            {"t": 50},
            {"t": 50, "restart_count": 30, "note": "16.2"},
            {"t": 80},
            {"t": 90, "pass_on_application": True},
            {"t": 95, "press": "W"},
            {"t": 96, "correct": {"B": {"reserve_min": 3}}},
        ],
    }
    answer = run_case(Fields(case, "x"))
    assert answer["flag"] == {"t": 80, "color": "B"}
    assert answer["remaining"]["B"] == {"main_s": 0, "reserve_min": 3}


def write_cases(folder: Path, *cases: object) -> str:
    """Write a file of cases and return its path."""
    path = folder / "cases.json"
    path.write_text(json.dumps({"cases": cases}), encoding="utf-8")
    return str(path)


GOOD = {"id": "good", "mode": "absolute", "config": {"main_s": 60}, "events": [{"t": 70}]}


def test_a_wrong_case_is_named_and_the_others_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = {**GOOD, "id": "bad", "events": [{"t": 0, "start": "R"}]}
    path = write_cases(tmp_path, bad, GOOD)
    assert main(["clock", "--cases", path, "--json"]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["good"]
    assert "cases.json, bad, events[0]: start must be one of B, W, got 'R'" in err


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cases": 1}', '{"cases": [1]}', "\xff"])
def test_a_file_that_is_no_list_of_cases_ends_with_code_2(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.json"
    path.write_bytes(text.encode("latin-1"))
    assert main(["clock", "--cases", str(path)]) == 2
    assert "cases.json" in capsys.readouterr().err


def test_a_missing_file_ends_with_code_2_and_no_traceback(tmp_path: Path) -> None:
    program = "import sys; from recorder.cli import main; sys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", program, "clock", "--cases", str(tmp_path / "none.json")]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "none.json" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_the_readable_report_has_calls_flag_and_time_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fell = {**GOOD, "events": [{"t": 0, "start": "B"}, {"t": 70}]}
    assert main(["clock", "--cases", write_cases(tmp_path, fell)]) == 0
    out = capsys.readouterr().out
    assert "60 s  B  time is over" in out
    assert "W has left: 60 s" in out


def test_a_clock_is_a_value() -> None:
    clock = new_clock(Bank(60))
    assert replace(clock) == clock
    assert start(clock, 0, B).clock != clock


@pytest.mark.parametrize("line", EXAMPLES)
def test_a_time_control_as_people_write_it_reads_back(line: str) -> None:
    assert format_control(parse_control(line)) == line


@given(CONTROLS)
@settings(deadline=None)
def test_every_time_control_has_a_line_that_reads_back(control: Control) -> None:
    again = parse_control(format_control(control))
    is_plain = isinstance(control, Bank) and not control.increment_s
    assert again == (Bank(control.main_s) if is_plain else control)


@pytest.mark.parametrize("line", ["", "soon", "30", "30 min +", "30 min + x", "5 x 60 s"])
def test_a_line_that_is_no_time_control_is_named(line: str) -> None:
    with pytest.raises(ClockError, match="a time control must look like one of"):
        parse_control(line)

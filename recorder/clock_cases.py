"""Clock scenario files: events with their times in, calls, flag and what is left out.

A case is `{"id", "mode", "config", "events"}`; `banmen clock --help` lists modes and events.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from math import floor
from typing import Any

from recorder.case_files import CaseError, Fields, plain_number
from recorder.clock import (
    Announcer,
    Bank,
    Blocks,
    ByoYomi,
    Call,
    Clock,
    ClockError,
    Control,
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
from recorder.clock_rulings import judge_fault, judge_lateness
from recorder.goban import Color

EVENTS = {
    "start": "this color's time runs from now on",
    "press": "this color presses its button",
    "pause": "the clock is stopped",
    "resume": "the clock goes on",
    "correct": 'the referee sets what is left, {"B": {"main_s": 60, ...}}',
    "restart_count": "the running count goes on from so many seconds (16.2)",
    "pass_on_application": "the flag that fell is turned into a pass (22.5)",
    "arrive": "this color takes its seat (mode late)",
}
"""What an event may say besides `t`; an event with `t` alone lets time pass."""


def run_case(case: Fields) -> dict[str, Any]:
    """Return the answer to one case as plain JSON values.

    Raises
    ------
    CaseError
        A field is missing, wrong or out of order; the message names the place.
    """
    mode = case.choice("mode", MODES)
    try:
        answer = MODES[mode](case)
    except ClockError as error:
        raise CaseError(f"{case.place}: {error}") from error
    return {"id": case.text("id"), **answer}


def read_control(mode: str, config: Fields) -> Control:
    """Return the time control that a mode and its config describe."""
    main_s = config.number("main_s")
    if mode == "byoyomi-cn":
        return _chinese(main_s, config)
    if mode == "japanese-byoyomi":
        return ByoYomi(main_s, config.integer("periods"), config.number("period_s"))
    if mode == "canadian":
        carry_over = config.truth("carry_over", default=False)
        moves = config.integer("block_moves", minimum=1)
        return Blocks(main_s, config.number("block_s"), moves, carry_over)
    if mode == "fischer":
        cap_s = config.number("cap_s") if config.values.get("cap_s") is not None else None
        return Bank(main_s, config.number("increment_s"), cap_s)
    return Bank(main_s)


def _chinese(main_s: float, config: Fields) -> ByoYomi:
    """Return byo-yomi whose main time is the allotment without the reserve."""
    reserve, period_s = config.integer("reserve_min"), config.number("period_s", 60.0)
    if main_s < reserve * period_s:
        raise config.fault("main_s", f"at least the reserve of {reserve * period_s:g} s")
    edition = Announcer(config.choice("edition", ["2002", "older"], "2002"))
    return ByoYomi(main_s - reserve * period_s, reserve, period_s, edition)


def _run_clock(case: Fields) -> dict[str, Any]:
    mode = case.text("mode")
    clock = new_clock(read_control(mode, case.fields("config")))
    calls: list[Call] = []
    flag = None
    for event in case.rows("events"):
        now = _follow(clock, event)
        clock, calls = now.clock, [*calls, *now.calls]
        # A flag turned into a pass has fallen all the same.
        flag = clock.flag or flag
    return {
        "announcements": [
            {"t": plain_number(c.t_s), "color": c.color.value, "say": format_call(c)} for c in calls
        ],
        "flag": None if flag is None else _flag(flag.t_s, flag.color),
        "remaining": {c.value: _left(mode, clock.side(c)) for c in Color},
    }


def _follow(clock: Clock, event: Fields) -> Ticked:
    """Let one event happen; an event that names nothing lets time pass."""
    t_s = event.number("t")
    unknown = event.unknown({"t", "note", *EVENTS})
    if unknown:
        raise CaseError(f"{event.place}: {unknown[0]!r} is none of {', '.join(EVENTS)}")
    try:
        now = advance(clock, t_s)
        calls = now.calls
        for name in event.values:
            if name in _ACTIONS:
                now = _ACTIONS[name](now.clock, t_s, event)
    except ClockError as error:
        raise CaseError(f"{event.place}: {error}") from error
    return Ticked(now.clock, calls)


def _correct(clock: Clock, t_s: float, event: Fields) -> Ticked:
    now = Ticked(clock)
    changes = event.fields("correct")
    for name in changes.values:
        if name not in ("B", "W"):
            raise changes.fault(name, "left out: only B and W have time")
        color, change = Color(name), changes.fields(name)
        before = now.clock.side(color)
        side = SideTime(
            change.number("main_s", before.main_s),
            change.integer("reserve_min" if "reserve_min" in change else "periods", before.periods),
            change.number("used_s", before.used_s),
            change.number("block_s", before.block_s),
            change.integer("moves_left", before.moves_left),
        )
        now = correct(now.clock, t_s, color, side)
    return now


def _do(action: Callable[[Clock, float], Ticked], name: str) -> Callable[..., Ticked]:
    """Return the action of an event such as `"pause": true`."""

    def run(clock: Clock, t_s: float, event: Fields) -> Ticked:
        if not event.values[name]:
            raise event.fault(name, "true, or be left out")
        return action(clock, t_s)

    return run


_ACTIONS: dict[str, Callable[..., Ticked]] = {
    "start": lambda clock, t_s, event: start(clock, t_s, event.color("start")),
    "press": lambda clock, t_s, event: press(clock, t_s, event.color("press")),
    "pause": _do(pause, "pause"),
    "resume": _do(resume, "resume"),
    "correct": _correct,
    "restart_count": lambda clock, t_s, event: restart_count(
        clock, t_s, event.number("restart_count")
    ),
    "pass_on_application": _do(pass_on_application, "pass_on_application"),
}


def _left(mode: str, side: SideTime) -> Any:
    """Return what a player has left under the names that the mode uses."""
    values = {name: plain_number(value) for name, value in asdict(side).items()}
    if mode == "byoyomi-cn":
        return {"main_s": values["main_s"], "reserve_min": values["periods"]}
    if mode == "japanese-byoyomi":
        return {"main_s": values["main_s"], "periods": values["periods"]}
    if mode == "canadian":
        return {name: values[name] for name in ("main_s", "block_s", "moves_left")}
    return values["main_s"]


def _flag(t_s: float, color: Color) -> dict[str, Any]:
    return {"t": plain_number(t_s), "color": color.value}


def _run_lateness(case: Fields) -> dict[str, Any]:
    """Judge arrivals from the start of the round at t = 0; the clock counts whole seconds."""
    config = case.fields("config")
    limit_s, main_s = config.number("limit_s"), config.number("main_s")
    arrived: dict[Color, float] = {}
    now_s = 0.0
    for event in case.rows("events"):
        t_s = event.number("t")
        if t_s < now_s:
            raise event.fault("t", f"not earlier than {now_s:g}")
        now_s = t_s
        if "arrive" in event:
            arrived.setdefault(event.color("arrive"), t_s)
    judged = {color: judge_lateness(arrived.get(color, now_s), limit_s) for color in Color}
    flags = [_flag(limit_s + 1, color) for color, late in judged.items() if late.is_lost]
    left = {c: max(main_s - late.deducted_s, 0.0) for c, late in judged.items()}
    return {
        "announcements": [],
        "flag": None if not flags else flags[0] if len(flags) == 1 else flags,
        "remaining": {color.value: plain_number(value) for color, value in left.items()},
        "deducted": {color.value: plain_number(late.deducted_s) for color, late in judged.items()},
    }


def _run_fault(case: Fields) -> dict[str, Any]:
    config = case.fields("config")
    main_s, shown = config.number("main_s"), config.fields("shown_s")
    fault = judge_fault(shown.number("B"), shown.number("W"), config.number("real_elapsed_s"))
    used = {"B": fault.black_used_s, "W": fault.white_used_s}
    return {
        "announcements": [],
        "flag": None,
        "remaining": {
            color: max(floor(main_s - used_s + 0.5), 0) for color, used_s in used.items()
        },
        "deducted": {"replace_clock": fault.is_set_anew, "adjust_reading": fault.is_set_anew},
    }


MODES: dict[str, Callable[[Fields], dict[str, Any]]] = {
    "byoyomi-cn": _run_clock,
    "absolute": _run_clock,
    "canadian": _run_clock,
    "japanese-byoyomi": _run_clock,
    "fischer": _run_clock,
    "late": _run_lateness,
    "fault": _run_fault,
}

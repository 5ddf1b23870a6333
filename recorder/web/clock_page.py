"""The clock beside the board: two large buttons, whose presses go through the rules."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from math import inf
from typing import Any

from flask import Blueprint, Response, jsonify

from recorder.clock import ClockError, new_clock
from recorder.clock_state import format_state
from recorder.clock_text import parse_control
from recorder.game import Game
from recorder.observations import ClockPress, Content
from recorder.web.access import Role
from recorder.web.area import Area, make_area
from recorder.web.clock_texts import CLOCK
from recorder.web.fields import color_of, seconds_of
from recorder.web.messages import Fields, format_clock
from recorder.web.private import PrivateState
from recorder.web.sessions import Session, Sessions
from recorder.web.taking import Taker, Telling
from recorder.web.texts import pick

CLOCKS = 4
"""Event streams for clocks."""


def make_clock(sessions: Sessions, taker: Taker, telling: Telling) -> Blueprint:
    """Return the clock's pages; they need the role of an operator."""
    area = Area(
        "clock",
        Role.OPERATOR,
        "clock.html",
        lambda language: pick(CLOCK, language),
        format_clock_page,
        _parse,
        CLOCKS,
        sends_to="/press",
    )
    pages = make_area(area, sessions, taker, telling)

    @pages.get("/time")
    def now() -> Response:
        return jsonify(t=time.monotonic())

    return pages


def _parse(fields: Mapping[str, Any], _: PrivateState, __: Session) -> Content:
    """Return a press; `at` is when it happened by this machine's clock, as the page measured."""
    color = color_of(fields)
    if "at" not in fields:
        return ClockPress(color)
    at_s = seconds_of(fields, "at", 0.0, inf)
    uncertainty_s = seconds_of(fields, "uncertainty", 0.0, inf)
    return ClockPress(color, max(0.0, time.monotonic() - at_s), uncertainty_s)


def format_clock_page(state: PrivateState) -> Fields:
    """Return what the clock shows as JSON fields; before the first press, the full time."""
    game = state.game
    text = game.clock or _unused(game)
    flag = json.loads(text)["flag"] if text else None
    return {
        "number": state.number,
        "phase": game.phase.value,
        "players": {"B": game.info.black, "W": game.info.white},
        "moves": len(game.moves),
        "time_control": game.info.time_control,
        "clock": format_clock(text),
        "clock_age": round(state.clock_age_s, 2) if game.clock else 0.0,
        "is_started": bool(game.clock),
        "flag": flag["color"] if flag else None,
        "source": game.info.clock_source,
    }


def _unused(game: Game) -> str:
    """Return the state of a clock nobody has pressed, empty where no time control is known."""
    try:
        return format_state(new_clock(parse_control(game.info.time_control)))
    except ClockError:
        return ""

"""The clock beside the board: two large buttons, whose presses go through the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, make_response, render_template, request

from recorder.clock import ClockError, new_clock
from recorder.clock_state import format_state
from recorder.clock_text import parse_control
from recorder.game import Game
from recorder.goban import Color
from recorder.observations import ClockPress, Content
from recorder.web.access import Role
from recorder.web.actions import ActionError
from recorder.web.clock_texts import CLOCK
from recorder.web.language import page_words, remember_language
from recorder.web.messages import Fields, dump, format_clock
from recorder.web.places import Places
from recorder.web.private import PrivateState
from recorder.web.referee import Console
from recorder.web.sessions import Session, Sessions, private_pages
from recorder.web.taking import Taker, private_events
from recorder.web.texts import pick

CLOCKS = 4
"""Event streams for clocks."""


def make_clock(
    console: Console, sessions: Sessions, taker: Taker, is_closed: Callable[[], bool]
) -> Blueprint:
    """Return the clock's pages; they need the role of an operator."""
    pages = private_pages("clock", sessions, Role.OPERATOR)
    places = Places(CLOCKS)

    @pages.get("")
    def page() -> Response:
        return _page(format_clock_page(console.game.state()), sessions.current())

    @pages.get("/state.json")
    def state() -> Response:
        return Response(dump(format_clock_page(console.game.state())), mimetype="application/json")

    @pages.get("/events")
    def events() -> Response:
        return private_events(console.game, format_clock_page, places, is_closed)

    @pages.post("/press")
    def press() -> Response:
        return taker.take(_parse)

    return pages


def _parse(fields: Mapping[str, Any], _: PrivateState) -> Content:
    try:
        return ClockPress(Color(fields.get("color")))
    except ValueError:
        raise ActionError(f"color must be B or W, got {fields.get('color')!r}") from None


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
    }


def _unused(game: Game) -> str:
    """Return the state of a clock nobody has pressed, empty where no time control is known."""
    try:
        return format_state(new_clock(parse_control(game.info.time_control)))
    except ClockError:
        return ""


def _page(state: Fields, session: Session) -> Response:
    words = page_words(request)
    words["words"] = pick(CLOCK, words["language"])
    page = render_template("clock.html", **words, state=state, session={"token": session.token})
    response = make_response(page)
    remember_language(request, response)
    return response

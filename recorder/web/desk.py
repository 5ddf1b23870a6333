"""The operator's desk: camera picture, names, corrections of the record, the public's delay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, make_response, render_template, request

from recorder.observations import Content
from recorder.web.access import Role
from recorder.web.actions import ActionError
from recorder.web.corrections import TEXTS, describe_move, parse_delay, parse_desk_action
from recorder.web.desk_texts import DESK
from recorder.web.language import page_words, remember_language
from recorder.web.live import LiveGame
from recorder.web.messages import Fields, dump
from recorder.web.places import Places
from recorder.web.private import PrivateState, format_position
from recorder.web.referee import Console
from recorder.web.sessions import Session, Sessions, private_pages
from recorder.web.taking import Taker, private_events, refused
from recorder.web.texts import pick

DESKS = 4
"""Event streams for operators."""


def make_desk(
    console: Console,
    live: LiveGame,
    sessions: Sessions,
    taker: Taker,
    is_closed: Callable[[], bool],
) -> Blueprint:
    """Return the operator's pages; all of them need that role."""
    pages = private_pages("desk", sessions, Role.OPERATOR)
    places = Places(DESKS)

    def form(state: PrivateState) -> Fields:
        has_camera = console.picture is not None
        return {**format_desk(state), "delay": _format_delay(live), "has_camera": has_camera}

    @pages.get("")
    def page() -> Response:
        return _page(form(console.game.state()), sessions.current())

    @pages.get("/state.json")
    def state() -> Response:
        return Response(dump(form(console.game.state())), mimetype="application/json")

    @pages.get("/events")
    def events() -> Response:
        return private_events(console.game, form, places, is_closed)

    @pages.post("/actions")
    def act() -> Response:
        return taker.take(lambda fields, state: _parse(fields, state, sessions.current()))

    @pages.post("/delay")
    def delay() -> Response:
        return _set_delay(live)

    @pages.get("/camera.jpg")
    def camera() -> Response:
        return _camera(console)

    return pages


def _parse(fields: Mapping[str, Any], state: PrivateState, session: Session) -> Content:
    return parse_desk_action(fields, state.game, session.by)


def format_desk(state: PrivateState) -> Fields:
    """Return what the desk shows as JSON fields."""
    game, info = state.game, state.game.info
    return {
        "number": state.number,
        "size": info.size,
        "phase": game.phase.value,
        "view": game.view.value,
        "view_reason": game.view_reason,
        "to_move": game.to_move.value if game.to_move else None,
        "result": game.result,
        "setup": format_position(game.setup),
        "official": format_position(game.board),
        "physical": format_position(game.physical),
        "differs": len(game.board.differences(game.physical)),
        "info": {**{key: getattr(info, key) for key in TEXTS}, "komi": info.komi},
        "moves": [
            {
                "move": describe_move(played.move, info.size),
                "provenance": played.provenance.value,
                "is_order_known": played.is_order_known,
                "note": played.note,
            }
            for played in game.moves
        ],
        "alerts": len(game.open_alerts),
    }


def _format_delay(live: LiveGame) -> Fields:
    delay = live.delay
    return {"seconds": delay.seconds, "moves": delay.moves}


def _set_delay(live: LiveGame) -> Response:
    fields = request.get_json(silent=True)
    if not isinstance(fields, dict):
        return refused(400, "the body must be a JSON object")
    try:
        live.set_delay(parse_delay(fields))
    except ActionError as error:
        return refused(400, str(error))
    return jsonify(_format_delay(live))


def _camera(console: Console) -> Response:
    picture = console.picture() if console.picture is not None else None
    if picture is None:
        # No fault: the camera has not delivered anything yet.
        return Response(status=204)
    return Response(picture, mimetype="image/jpeg")


def _page(state: Fields, session: Session) -> Response:
    words = page_words(request)
    words["words"] = pick(DESK, words["language"])
    page = render_template(
        "desk.html",
        **words,
        state=state,
        session={"token": session.token, "role": int(session.role), "by": session.by},
    )
    response = make_response(page)
    remember_language(request, response)
    return response

"""The operator's desk: camera picture, names, corrections of the record, the public's delay."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify, request

from recorder.clock import ClockError
from recorder.clock_text import parse_control
from recorder.events import Phase
from recorder.minutes import PICTURES_DELETED
from recorder.observations import Content, Note
from recorder.pairing import PairingError, parse_pairings
from recorder.pictures import delete_pictures
from recorder.web.access import Role
from recorder.web.area import Area, make_area
from recorder.web.corrections import (
    CHOICES,
    TEXTS,
    describe_move,
    is_unsure,
    parse_delay,
    parse_desk_action,
)
from recorder.web.desk_texts import DESK
from recorder.web.fields import ActionError
from recorder.web.live import LiveGame
from recorder.web.messages import Fields
from recorder.web.private import PrivateState, format_position
from recorder.web.referee import Console, evidence_of
from recorder.web.sessions import Session, Sessions
from recorder.web.settings import Settings, format_delay, save_settings
from recorder.web.taking import Taker, Telling, refused, sent_fields
from recorder.web.texts import RULESET_NAMES, pick

log = logging.getLogger(__name__)

DESKS = 4
"""Event streams for operators."""


def make_desk(
    console: Console, live: LiveGame, sessions: Sessions, taker: Taker, telling: Telling
) -> Blueprint:
    """Return the operator's pages; all of them need that role."""

    def form(state: PrivateState) -> Fields:
        return {
            **format_desk(state),
            "delay": format_delay(live.delay),
            "has_camera": console.picture is not None,
            "has_pictures": _pictures(console, state) is not None,
        }

    area = Area("desk", Role.OPERATOR, "desk.html", _words, form, _parse, DESKS)
    pages = make_area(area, sessions, taker, telling)

    @pages.post("/delay")
    def delay() -> Response:
        return _set_delay(live, console)

    @pages.post("/pairings")
    def pairings() -> Response:
        return _read_pairings()

    @pages.post("/delete-pictures")
    def delete() -> Response:
        return _delete_pictures(console, taker, sessions.current())

    @pages.get("/camera.jpg")
    def camera() -> Response:
        return _camera(console)

    return pages


def _words(language: str) -> dict[str, Any]:
    return {**pick(DESK, language), "rulesets": pick(RULESET_NAMES, language)}


def _parse(fields: Mapping[str, Any], state: PrivateState, session: Session) -> Content:
    return parse_desk_action(fields, state.game, session.by)


def format_desk(state: PrivateState) -> Fields:
    """Return what the desk shows as JSON fields."""
    game, info = state.game, state.game.info
    return {
        "number": state.number,
        "size": info.size,
        "phase": game.phase.value,
        "stage": state.stage,
        "view": game.view.value,
        "view_reason": game.view_reason,
        "to_move": game.to_move.value if game.to_move else None,
        "result": game.result,
        "setup": format_position(game.setup),
        "official": format_position(game.board),
        "physical": format_position(game.physical),
        "differs": len(game.board.differences(game.physical)),
        "info": {key: getattr(info, key) for key in (*TEXTS, *CHOICES, "komi", "handicap")},
        "is_time_known": is_time_known(info.time_control),
        "moves": [
            {
                "is_unsure": is_unsure(played),
                "move": describe_move(played.move, info.size),
                "provenance": played.provenance.value,
                "is_order_known": played.is_order_known,
                "note": played.note,
            }
            for played in game.moves
        ],
        "alerts": len(game.open_alerts),
    }


def is_time_known(text: str) -> bool:
    """Return whether the device's clock can follow a time control; none at all is no trouble."""
    try:
        return not text or parse_control(text) is not None
    except ClockError:
        return False


def _set_delay(live: LiveGame, console: Console) -> Response:
    try:
        delay = parse_delay(sent_fields())
    except ActionError as error:
        return refused(400, str(error))
    # On disk first: a delay that is forgotten would show the public what it must not see yet.
    if console.settings is not None:
        try:
            save_settings(console.settings, Settings(delay))
        except OSError as error:
            log.error("cannot keep the delay in %s: %s", console.settings, error)
            return refused(503, "the delay cannot be kept")
    live.set_delay(delay)
    return jsonify(format_delay(delay))


def _read_pairings() -> Response:
    """Return the pairings of a file as they would be taken; nothing is kept."""
    try:
        return jsonify(pairings=[asdict(one) for one in parse_pairings(request.get_data())])
    except PairingError as error:
        return refused(400, str(error))


def _pictures(console: Console, state: PrivateState) -> Path | None:
    """Return the folder of a game that has ended and has pictures, None for any other."""
    folder = evidence_of(console)
    is_over = state.game.phase in (Phase.ENDED, Phase.SEALED)
    return folder.parent if folder is not None and is_over and folder.is_dir() else None


def _delete_pictures(console: Console, taker: Taker, session: Session) -> Response:
    game = _pictures(console, console.game.state())
    if game is None:
        return refused(409, "a game has to end before its pictures are deleted")
    # In the log first: pictures that are gone do not tell who deleted them.
    noted = taker.note(Note(kind=PICTURES_DELETED), session)
    if noted.status_code != 200:
        return noted
    try:
        return jsonify(files=delete_pictures(game))
    except OSError as error:
        log.error("pictures of %s cannot be deleted: %s", game, error)
        return refused(503, "some pictures cannot be deleted")


def _camera(console: Console) -> Response:
    picture = console.picture() if console.picture is not None else None
    if picture is None:
        # No fault: the camera has not delivered anything yet.
        return Response(status=204)
    return Response(picture, mimetype="image/jpeg")

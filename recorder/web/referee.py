"""The referee's console: the alerts with their pictures, and decisions into the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, jsonify, send_from_directory

from recorder.observations import Content, Ruling, SeeAlert
from recorder.set_up import SetUp
from recorder.web.access import Access, Role
from recorder.web.actions import Asked, parse_action
from recorder.web.area import Area, make_area
from recorder.web.article_texts import article_words
from recorder.web.count import format_count
from recorder.web.fields import ActionError
from recorder.web.first_start import FirstStart
from recorder.web.inbox import Submit
from recorder.web.messages import Fields
from recorder.web.openings import Openings
from recorder.web.private import PrivateGame, PrivateState, format_decision, format_private
from recorder.web.referee_texts import (
    ALERTS,
    CONSOLE,
    RULINGS,
    alternatives,
    for_alert,
    needs_chief,
)
from recorder.web.sessions import Session, Sessions
from recorder.web.taking import DecidedError, Taker, Telling, refused, sent_fields
from recorder.web.texts import pick

CONSOLES = 8
"""Event streams for referees; viewers cannot take them."""

PICTURES = ("before.jpg", "after.jpg", "frame.jpg")

Picture = Callable[[], bytes | None]


@dataclass(frozen=True)
class Console:
    """What the private pages need besides the public ones."""

    game: PrivateGame
    submit: Submit
    """Puts an observation into the pipeline; the future gives its number in the log."""

    access: Access
    evidence: Callable[[str], Path] | None = None
    """Gives a game's folder with `alert-0001/before.jpg` and so on, by the id of the game."""

    picture: Picture | None = None
    """The camera's last picture with what was read on it, JPEG."""

    settings: Path | None = None
    """File in which what the operator sets outlasts a restart."""

    set_up: SetUp | None = None
    """Adds the pages on which a board is set up."""

    first_start: FirstStart | None = None
    """Lets whoever has the device's code choose the passwords."""


def make_referee(console: Console, sessions: Sessions, taker: Taker, telling: Telling) -> Blueprint:
    """Return the referee's pages; all of them need that role."""
    area = Area(
        "referee",
        Role.REFEREE,
        "referee.html",
        referee_words,
        lambda state: _format(state, evidence_of(console)),
        parse_for_referee,
        CONSOLES,
    )
    pages = make_area(area, sessions, taker, telling)
    openings = Openings(taker)

    @pages.post("/alerts/<int:alert_id>/seen")
    def seen(alert_id: int) -> Response:
        return taker.note(SeeAlert(alert_id), sessions.current())

    @pages.post("/count")
    def count() -> Response:
        try:
            return jsonify(format_count(console.game.state().game, sent_fields()))
        except ActionError as error:
            return refused(400, str(error))

    @pages.get("/alerts/<int:alert_id>/<name>")
    def picture(alert_id: int, name: str) -> Response:
        answer = _picture(evidence_of(console), alert_id, name)
        openings.note(console.game.state().game_id, alert_id, sessions.current())
        return answer

    return pages


def evidence_of(console: Console) -> Path | None:
    """Return the folder of the present game's pictures, None if there are none."""
    game_id = console.game.state().game_id
    return console.evidence(game_id) if console.evidence is not None and game_id else None


def _format(state: PrivateState, evidence: Path | None) -> Fields:
    """Return what the console shows, with the pictures that there are of each alert."""
    fields = format_with_offers(state)
    for alert in fields["alerts"]:
        folder = None if evidence is None else _folder(evidence, alert["id"])
        alert["pictures"] = [name for name in PICTURES if folder and (folder / name).is_file()]
    return fields


def format_with_offers(state: PrivateState) -> Fields:
    """Return what a console shows, with the decisions on offer for each alert."""
    fields = format_private(state)
    for alert, found in zip(fields["alerts"], state.game.alerts, strict=False):
        kind, color = found.alert.type, found.alert.color
        alert["offers"] = [
            {"decision": code, "needs_chief": needs_chief(kind, code)}
            for code in for_alert(alternatives(kind, state.game.info.ruleset), color)
        ]
        alert["confirm_needs_chief"] = needs_chief(kind, "confirm")
    return fields


def parse_for_referee(fields: Mapping[str, Any], state: PrivateState, session: Session) -> Content:
    """Return what a request asks for; of two decisions the later is shown the first."""
    content = parse_action(fields, Asked(state.game, session.role, session.by))
    if isinstance(content, Ruling):
        decided = dict(state.decided).get(content.alert_id)
        based_on = fields.get("based_on")
        if decided is not None and decided.number > (based_on if isinstance(based_on, int) else 0):
            closed = state.game.alerts[content.alert_id - 1].closed
            raise DecidedError(format_decision(closed, decided))
    return content


def referee_words(language: str) -> dict[str, Any]:
    """Return the words of the console in a language."""
    return {
        **pick(CONSOLE, language),
        "alerts": pick(ALERTS, language),
        "rulings": pick(RULINGS, language),
        "articles": article_words(language),
    }


def _picture(evidence: Path | None, alert_id: int, name: str) -> Response:
    if evidence is None or name not in PICTURES:
        abort(404)
    return send_from_directory(_folder(evidence, alert_id).resolve(), name, max_age=0)


def _folder(evidence: Path, alert_id: int) -> Path:
    return evidence / f"alert-{alert_id:04d}"

"""The referee's console: the alerts with their pictures, and decisions into the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    jsonify,
    make_response,
    render_template,
    request,
    send_from_directory,
)

from recorder.observations import Content
from recorder.web.access import Access, Role
from recorder.web.actions import parse_action
from recorder.web.inbox import Submit
from recorder.web.language import page_words, remember_language
from recorder.web.messages import Fields, dump
from recorder.web.places import Places
from recorder.web.private import PrivateGame, PrivateState, format_private
from recorder.web.referee_texts import (
    ALERTS,
    ALTERNATIVES,
    CONSOLE,
    RULINGS,
    alternatives,
    needs_chief,
)
from recorder.web.sessions import Session, Sessions, private_pages
from recorder.web.taking import DecidedError, Taker, private_events
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


def make_referee(
    console: Console, sessions: Sessions, taker: Taker, is_closed: Callable[[], bool]
) -> Blueprint:
    """Return the referee's pages; all of them need that role."""
    pages = private_pages("referee", sessions, Role.REFEREE)
    places = Places(CONSOLES)

    def form(state: PrivateState) -> Fields:
        return _format(state, _evidence(console))

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

    @pages.post("/alerts/<int:alert_id>/seen")
    def seen(alert_id: int) -> Response:
        console.game.acknowledge(alert_id)
        return jsonify(alert=alert_id)

    @pages.get("/alerts/<int:alert_id>/<name>")
    def picture(alert_id: int, name: str) -> Response:
        return _picture(_evidence(console), alert_id, name)

    return pages


def _evidence(console: Console) -> Path | None:
    """Return the folder of the present game's pictures, None if there are none."""
    game_id = console.game.state().game_id
    return console.evidence(game_id) if console.evidence is not None and game_id else None


def _format(state: PrivateState, evidence: Path | None) -> Fields:
    """Return what the console shows, with the pictures that there are of each alert."""
    fields = format_private(state)
    for alert in fields["alerts"]:
        folder = None if evidence is None else _folder(evidence, alert["id"])
        is_there = folder is not None and folder.is_dir()
        alert["pictures"] = [
            name for name in PICTURES if is_there and folder and (folder / name).is_file()
        ]
    return fields


def _parse(fields: Mapping[str, Any], state: PrivateState, session: Session) -> Content:
    """Return what a request asks for; of two decisions the later is shown the first."""
    alert_id = fields.get("alert")
    alerts = {alert.alert.id: alert.alert for alert in state.game.alerts}
    alert = alerts.get(alert_id) if isinstance(alert_id, int) else None
    content = parse_action(
        fields,
        size=state.game.info.size,
        role=session.role,
        by=session.by,
        alert_type=alert.type if alert is not None else "",
    )
    decided = dict(state.decided).get(alert.id) if alert is not None else None
    based_on = fields.get("based_on")
    if decided is not None and decided.number > (based_on if isinstance(based_on, int) else 0):
        assert alert is not None
        raise DecidedError(format_private(state)["alerts"][alert.id - 1]["decision"])
    return content


def _page(state: Fields, session: Session) -> Response:
    words = page_words(request)
    language = words["language"]
    words["words"] = {
        **pick(CONSOLE, language),
        "alerts": pick(ALERTS, language),
        "rulings": pick(RULINGS, language),
    }
    response = make_response(
        render_template(
            "referee.html",
            **words,
            state=state,
            offers=_offers(),
            session={"token": session.token, "role": int(session.role), "by": session.by},
        )
    )
    remember_language(request, response)
    return response


def _offers() -> Fields:
    """Return the alternatives by type of alert, and which are the chief referee's."""
    return {
        kind: [
            {"decision": code, "needs_chief": needs_chief(kind, code)}
            for code in alternatives(kind)
        ]
        for kind in {*ALERTS, *ALTERNATIVES}
    }


def _picture(evidence: Path | None, alert_id: int, name: str) -> Response:
    if evidence is None or name not in PICTURES:
        abort(404)
    return send_from_directory(_folder(evidence, alert_id).resolve(), name, max_age=0)


def _folder(evidence: Path, alert_id: int) -> Path:
    return evidence / f"alert-{alert_id:04d}"

"""The referee's console: a login, the alerts with their pictures, and decisions into the log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
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

from recorder.mailbox import ClosedError
from recorder.observations import Content, Ruling
from recorder.web.access import Access, Role
from recorder.web.actions import ActionError, RoleError, parse_action
from recorder.web.inbox import Submit
from recorder.web.language import page_words, remember_language
from recorder.web.messages import dump
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
from recorder.web.sessions import Sessions
from recorder.web.texts import pick

log = logging.getLogger(__name__)

ANSWER_S = 10.0
"""The pipeline answers within one frame; without an answer for so long something is wrong."""

CONSOLES = 8
"""Event streams for referees; viewers cannot take them."""

PICTURES = ("before.jpg", "after.jpg", "frame.jpg")


@dataclass(frozen=True)
class Console:
    """What the console needs besides the pages."""

    game: PrivateGame
    submit: Submit
    """Puts an observation into the pipeline; the future gives its number in the log."""

    access: Access
    evidence: Path | None = None
    """Folder with `alert-0001/before.jpg` and so on."""


def make_referee(console: Console, sessions: Sessions, is_closed: Callable[[], bool]) -> Blueprint:
    """Return the private pages; everything but the login needs the role of a referee."""
    pages = Blueprint("referee", __name__, url_prefix="/referee")
    desk = _Desk(console, Lock())
    places = Places(CONSOLES)

    @pages.before_request
    def guard() -> Response | None:
        return sessions.refuse(request, Role.REFEREE)

    @pages.after_request
    def keep_private(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        return response

    @pages.get("")
    def page() -> Response:
        return _page(desk, sessions)

    @pages.get("/state.json")
    def state() -> Response:
        return Response(dump(desk.fields(console.game.state())), mimetype="application/json")

    @pages.get("/events")
    def events() -> Response:
        return _events(desk, places, is_closed)

    @pages.post("/actions")
    def act() -> Response:
        return desk.act(sessions)

    @pages.post("/alerts/<int:alert_id>/seen")
    def seen(alert_id: int) -> Response:
        console.game.acknowledge(alert_id)
        return jsonify(alert=alert_id)

    @pages.get("/alerts/<int:alert_id>/<name>")
    def picture(alert_id: int, name: str) -> Response:
        return _picture(console.evidence, alert_id, name)

    return pages


@dataclass(frozen=True)
class _Desk:
    """Takes one action after the other, so that of two taps at once the second sees the first."""

    console: Console
    lock: Lock

    def fields(self, state: PrivateState) -> dict[str, Any]:
        """Return what the console shows, with the pictures that there are of each alert."""
        fields = format_private(state)
        evidence = self.console.evidence
        for alert in fields["alerts"]:
            folder = None if evidence is None else _folder(evidence, alert["id"])
            is_there = folder is not None and folder.is_dir()
            alert["pictures"] = [
                name for name in PICTURES if is_there and folder and (folder / name).is_file()
            ]
        return fields

    def act(self, sessions: Sessions) -> Response:
        fields = request.get_json(silent=True)
        if not isinstance(fields, dict):
            return _refused(400, "the body must be a JSON object")
        with self.lock:
            state = self.console.game.state()
            try:
                content = _parse(fields, state, sessions)
            except ActionError as error:
                return _refused(400, str(error))
            except RoleError:
                return _refused(403, "chief")
            conflict = _conflict(content, fields, state)
            if conflict is not None:
                answer = jsonify(error="conflict", decision=conflict)
                answer.status_code = 409
                return answer
            return self._submit(content)

    def _submit(self, content: Content) -> Response:
        try:
            number = self.console.submit(content).result(ANSWER_S)
        except ClosedError:
            return _refused(503, "the recorder has ended")
        except TimeoutError:
            log.error("an action of the console was not taken within %s s", ANSWER_S)
            return _refused(503, "the recorder does not answer")
        return jsonify(number=number)


def _parse(fields: dict[str, Any], state: PrivateState, sessions: Sessions) -> Content:
    session = sessions.current()
    alerts = {alert.alert.id: alert.alert for alert in state.game.alerts}
    alert_id = fields.get("alert")
    alert = alerts.get(alert_id) if isinstance(alert_id, int) else None
    return parse_action(
        fields,
        size=state.game.info.size,
        role=session.role,
        by=session.by,
        alert_type=alert.type if alert is not None else "",
    )


def _conflict(content: Content, fields: dict[str, Any], state: PrivateState) -> Any:
    """Return the decision that was taken since the page was drawn, None if there is none."""
    if not isinstance(content, Ruling):
        return None
    based_on = fields.get("based_on")
    if not isinstance(based_on, int):
        based_on = 0
    decided = dict(state.decided).get(content.alert_id)
    if decided is None or decided.number <= based_on:
        return None
    return format_private(state)["alerts"][content.alert_id - 1]["decision"]


def _refused(status: int, error: str) -> Response:
    answer = jsonify(error=error)
    answer.status_code = status
    return answer


def _page(desk: _Desk, sessions: Sessions) -> Response:
    session = sessions.current()
    words = page_words(request)
    language = words["language"]
    offers = {
        kind: [
            {"decision": code, "needs_chief": needs_chief(kind, code)}
            for code in alternatives(kind)
        ]
        for kind in {*ALERTS, *ALTERNATIVES}
    }
    words["words"] = {
        **pick(CONSOLE, language),
        "alerts": pick(ALERTS, language),
        "rulings": pick(RULINGS, language),
    }
    response = make_response(
        render_template(
            "referee.html",
            **words,
            state=desk.fields(desk.console.game.state()),
            offers=offers,
            session={"token": session.token, "role": int(session.role), "by": session.by},
        )
    )
    remember_language(request, response)
    return response


def _picture(evidence: Path | None, alert_id: int, name: str) -> Response:
    if evidence is None or name not in PICTURES:
        abort(404)
    return send_from_directory(_folder(evidence, alert_id).resolve(), name, max_age=0)


def _folder(evidence: Path, alert_id: int) -> Path:
    return evidence / f"alert-{alert_id:04d}"


def _events(desk: _Desk, places: Places, is_closed: Callable[[], bool]) -> Response:
    if not places.take():
        return _refused(503, "all places are taken")
    response = Response(_stream(desk, is_closed), mimetype="text/event-stream")
    response.call_on_close(places.give_back)
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _stream(desk: _Desk, is_closed: Callable[[], bool], beat_s: float = 5.0) -> Iterator[str]:
    """Send the whole state whenever it has changed: there is no message that could be missed."""
    key = ""
    while not is_closed():
        state = desk.console.game.wait(key, timeout_s=beat_s, is_over=is_closed)
        if is_closed():
            return
        if state is None:
            yield "event: beat\ndata: {}\n\n"
        else:
            key = state.key
            yield f"id: {state.number}\ndata: {dump(desk.fields(state))}\n\n"

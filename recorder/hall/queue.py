"""The referees' queue across boards: every open alert, and decisions to the board it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, abort, jsonify, make_response, render_template, request

from recorder.hall.boards import Boards, HallBoard
from recorder.hall.office import Office
from recorder.hall.texts import QUEUE, WALL
from recorder.hall.wall import Wall, for_referees
from recorder.observations import SeeAlert
from recorder.web.access import Role
from recorder.web.language import page_words, remember_language
from recorder.web.messages import Fields, dump
from recorder.web.places import Places
from recorder.web.private import PrivateState
from recorder.web.referee import PICTURES, format_with_offers, parse_for_referee, referee_words
from recorder.web.sessions import Session, Sessions, private_pages
from recorder.web.taking import Taker, refused
from recorder.web.texts import PAGE, pick

CONSOLES = 32
"""Referees at once."""

BEAT_S = 5.0
EARLIER = 5
"""So many decided alerts of a board stay in the queue."""


def make_queue(
    boards: Boards,
    office: Office,
    wall: Wall,
    sessions: Sessions,
    is_closed: Callable[[], bool],
) -> Blueprint:
    """Return the referees' pages of a hub; all of them need that role."""
    pages = private_pages("referee", sessions, Role.REFEREE)
    pages.name = "queue"
    queue = Queue(boards, office)
    _add_views(pages, queue, office, wall, sessions)
    _add_decisions(pages, boards, office, sessions)
    places = Places(CONSOLES)

    @pages.get("/events")
    def events() -> Response:
        if not places.take():
            return refused(503, "all places are taken")
        response = Response(_stream(queue, is_closed), mimetype="text/event-stream")
        response.call_on_close(places.give_back)
        response.headers["X-Accel-Buffering"] = "no"
        return response

    return pages


def _add_views(
    pages: Blueprint, queue: Queue, office: Office, wall: Wall, sessions: Sessions
) -> None:
    """Add what referees look at."""
    boards = queue.boards

    @pages.get("")
    def page() -> Response:
        return _page("queue.html", queue.fields(), sessions.current())

    @pages.get("/wall")
    def private_wall() -> Response:
        return _wall_page(wall, boards)

    @pages.get("/wall.json")
    def wall_data() -> Response:
        return jsonify(for_referees(boards, datetime.now(UTC)))

    @pages.get("/state.json")
    def state() -> Response:
        return Response(dump(queue.fields()), mimetype="application/json")

    @pages.get("/boards/<name>/alerts/<int:alert_id>/<file>")
    def picture(name: str, alert_id: int, file: str) -> Response:
        board = _found(boards, name)
        if file not in PICTURES:
            abort(404)
        data = office.picture(board.name, f"{board.game_id}/{alert_id}/{file}")
        if data is None:
            abort(404)
        return Response(data, mimetype="image/jpeg")


def _add_decisions(pages: Blueprint, boards: Boards, office: Office, sessions: Sessions) -> None:
    """Add what referees send to a board."""
    takers = _Takers(office)

    @pages.post("/boards/<name>/actions")
    def act(name: str) -> Response:
        return takers.of(_found(boards, name)).take(parse_for_referee, sessions.current())

    @pages.post("/boards/<name>/alerts/<int:alert_id>/seen")
    def seen(name: str, alert_id: int) -> Response:
        return takers.of(_found(boards, name)).note(SeeAlert(alert_id), sessions.current())


class _Takers:
    """One taker a board, so that of two referees the second sees what the first decided."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._takers: dict[str, Taker] = {}

    def of(self, board: HallBoard) -> Taker:
        fresh = Taker(board.private, self._office.submit(board.name))
        return self._takers.setdefault(board.name, fresh)


def _found(boards: Boards, name: str) -> HallBoard:
    board = boards.find(name)
    if board is None:
        abort(404)
    return board


class Queue:
    """The queue's data; the part of each board is made once for all who ask. Thread-safe."""

    def __init__(self, boards: Boards, office: Office) -> None:
        self.boards = boards
        self._office = office
        self._parts: dict[str, tuple[tuple[str, int, bool], Fields | None]] = {}

    def fields(self) -> Fields:
        """Return every board that has an alert to decide, or had one lately."""
        now = datetime.now(UTC)
        parts = [self._part(board, now) for board in self.boards.all()]
        return {
            "event": self._office.event,
            "sections": {name: list(names) for name, names in self._office.sections.items()},
            "boards": [part for part in parts if part],
        }

    def _part(self, board: HallBoard, now: datetime) -> Fields | None:
        state, is_online = board.private.state(), board.is_online(now)
        key = (state.game_id, state.number, is_online)
        kept = self._parts.get(board.name)
        if kept is None or kept[0] != key:
            kept = (key, _format_board(board.name, state, is_online=is_online))
            self._parts[board.name] = kept
        return kept[1]


def _format_board(name: str, state: PrivateState, *, is_online: bool) -> Fields | None:
    if not any(found.alert.severity < 4 for found in state.game.alerts):
        return None
    fields = format_with_offers(state)
    alerts = [alert for alert in fields["alerts"] if alert["severity"] < 4]
    is_open = [alert for alert in alerts if alert["is_open"]]
    closed = [alert for alert in alerts if not alert["is_open"]][-EARLIER:]
    for alert in (*is_open, *closed):
        # Asked of the device only when somebody looks at the card.
        alert["pictures"] = list(PICTURES) if is_online else []
    return {
        "board": name,
        "is_online": is_online,
        **{key: fields[key] for key in ("number", "size", "players", "ruleset")},
        "alerts": [*is_open, *closed],
    }


def _stream(queue: Queue, is_closed: Callable[[], bool]) -> Iterator[str]:
    """Tell the whole queue whenever it is another: there is no message that could be missed."""
    told, count = "", -1
    while not is_closed():
        count = queue.boards.wait(count, BEAT_S)
        if is_closed():
            return
        data = dump(queue.fields())
        if data != told:
            told = data
            yield f"id: {count}\ndata: {data}\n\n"
        else:
            yield 'event: beat\ndata: {"is_fresh":true}\n\n'


def _page(template: str, state: Fields, session: Session) -> Response:
    words = page_words(request)
    language = words["language"]
    words["words"] = {**pick(WALL, language), **referee_words(language), **pick(QUEUE, language)}
    given = {"token": session.token, "role": int(session.role), "by": session.by}
    response = make_response(render_template(template, state=state, session=given, **words))
    remember_language(request, response)
    return response


def _wall_page(wall: Wall, boards: Boards) -> Response:
    words: dict[str, Any] = page_words(request)
    words["words"] = {**pick(PAGE, words["language"]), **pick(WALL, words["language"])}
    words["words"] |= pick(QUEUE, words["language"])
    hidden = for_referees(boards, datetime.now(UTC))
    answer = render_template("wall.html", state=wall.fields(), private=hidden, **words)
    response = make_response(answer)
    remember_language(request, response)
    return response

"""The wall of boards: every position small, with what the public may know, and no more."""

from __future__ import annotations

import json
import threading
import time
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime

from flask import Blueprint, Response, abort, make_response, render_template, request

from recorder.events import ViewState
from recorder.goban import Board, Color, Point
from recorder.hall.boards import Boards, HallBoard
from recorder.hall.office import Office
from recorder.hall.texts import WALL
from recorder.web.language import page_words, remember_language
from recorder.web.messages import PUBLIC_PHASE, Fields, dump
from recorder.web.pages import open_to_all
from recorder.web.texts import PAGE, pick

KEPT_S = 0.5
"""The wall is made at most twice a second, however many look at it."""

_LETTERS = {None: ".", Color.BLACK: "X", Color.WHITE: "O"}


class Wall:
    """The wall's data, made once for all who ask. Thread-safe."""

    def __init__(self, boards: Boards, office: Office) -> None:
        self._boards = boards
        self._office = office
        self._lock = threading.Lock()
        self._made_s = -KEPT_S
        self._data = b""
        self._positions: dict[str, tuple[str, Fields]] = {}

    def fields(self) -> Fields:
        """Return the public wall."""
        fields: Fields = json.loads(self.public())
        return fields

    def public(self) -> bytes:
        """Return the public wall as JSON."""
        with self._lock:
            now_s = time.monotonic()
            if now_s - self._made_s >= KEPT_S:
                wall = {"event": self._office.event, "boards": self._public()}
                self._data = dump(wall).encode()
                self._made_s = now_s
            return self._data

    def _public(self) -> Sequence[Fields]:
        now = datetime.now(UTC)
        return [self._board(board, now) for board in self._boards.all()]

    def _board(self, board: HallBoard, now: datetime) -> Fields:
        shot = board.live.snapshot()
        kept = self._positions.get(board.name)
        if kept is None or kept[0] != shot.number:
            kept = (shot.number, describe(board))
            self._positions[board.name] = kept
        fields = {**kept[1], "is_online": board.is_online(now)}
        if not fields["black"]["name"] and not fields["white"]["name"]:
            fields |= self._office.seated(board.name)
        return fields


def describe(board: HallBoard) -> Fields:
    """Return what the wall shows of a board: the public view alone."""
    view = board.live.snapshot().view
    game, info = view.game, view.game.info
    last = game.last_move
    point = None if last is None else last.move.point
    return {
        "name": board.name,
        "game": view.game_id,
        "size": info.size,
        "round": info.round,
        "black": {"name": info.black, "rank": info.black_rank, "team": info.black_team},
        "white": {"name": info.white, "rank": info.white_rank, "team": info.white_team},
        "ruleset": info.ruleset,
        "position": compact(game.board),
        "last": None if point is None else point.row * info.size + point.col,
        "moves": len(game.moves),
        "last_at": view.played_utc[-1] if view.played_utc else "",
        "phase": PUBLIC_PHASE[game.phase],
        "result": game.result,
        "is_interrupted": view.is_interrupted,
    }


def compact(board: Board) -> str:
    """Return a position as one letter a point, row after row."""
    points = (Point(row, col) for row in range(board.size) for col in range(board.size))
    return "".join(_LETTERS[board[point]] for point in points)


def for_referees(boards: Boards, now: datetime) -> dict[str, Fields]:
    """Return what only referees see on the wall: open alerts, and how each device is."""
    return {board.name: _private(board, now) for board in boards.all()}


def _private(board: HallBoard, now: datetime) -> Fields:
    state = board.private.state()
    open_alerts = [a.alert for a in state.game.alerts if a.is_open and a.alert.severity < 4]
    return {
        "alerts": len(open_alerts),
        "severity": min((int(alert.severity) for alert in open_alerts), default=0),
        "is_online": board.is_online(now),
        "heard": board.heard,
        "view": state.game.view.value if board.game_id else ViewState.CLEAR.value,
        "is_cloned": board.is_cloned(now),
    }


def make_wall(wall: Wall, office: Office, *, has_login: bool) -> Blueprint:
    """Return the wall's pages."""
    pages = Blueprint("wall", __name__)

    @pages.get("/")
    def page() -> Response:
        words = page_words(request)
        language = words["language"]
        words["words"] = {**pick(PAGE, language), **pick(WALL, language)}
        state = wall.fields()
        answer = render_template("wall.html", state=state, has_login=has_login, **words)
        response = make_response(answer)
        response.headers["Cache-Control"] = "no-store"
        remember_language(request, response)
        return response

    @pages.get("/wall.json")
    def data() -> Response:
        body = wall.public()
        response = Response(body, mimetype="application/json")
        response.set_etag(f"{zlib.crc32(body):x}")
        response.make_conditional(request)
        return open_to_all(response)

    @pages.get("/rounds/<name>.zip")
    def records(name: str) -> Response:
        data = office.records_of_round(name)
        if not data:
            abort(404)
        response = Response(data, mimetype="application/zip")
        response.headers["Content-Disposition"] = "attachment; filename=round.zip"
        return response

    @pages.get("/healthz")
    def health() -> Response:
        return Response("ok\n", mimetype="text/plain", headers={"Cache-Control": "no-store"})

    return pages

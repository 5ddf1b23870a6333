"""The hub's pages under one roof: the wall, each board's public pages, and the private ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Flask, Response, abort, g, request, url_for

from recorder.hall.boards import Boards, HallBoard
from recorder.hall.office import Office
from recorder.hall.office_page import make_office
from recorder.hall.queue import make_queue
from recorder.hall.wall import Wall, make_wall
from recorder.web.access import Access, Role
from recorder.web.app import BEAT_S, protect
from recorder.web.language import page_words
from recorder.web.live import LiveGame
from recorder.web.pages import make_pages
from recorder.web.places import Places
from recorder.web.sessions import Sessions, make_login

SHARED_S = 1
"""A cache between hub and crowd may answer for so long what it was answered."""

_SHARED = ("wall.data", "pages.state", "pages.sgf")
"""The endpoints of what is public and changes."""


def create_hall_app(
    boards: Boards,
    office: Office,
    *,
    access: Access | None = None,
    places: Places,
    beat_s: float = BEAT_S,
) -> Flask:
    """Return the application of a hub; without `access` it has no private pages."""
    app = Flask("recorder.web.app", static_folder="static")
    app.config["MAX_CONTENT_LENGTH"] = 4 << 20
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
    home = Blueprint(
        "hall", __name__, template_folder="templates", static_folder="static",
        static_url_path="/hall-static",
    )  # fmt: skip
    app.register_blueprint(home)
    wall = Wall(boards, office)
    app.register_blueprint(make_wall(wall, office, has_login=access is not None))
    app.register_blueprint(_board_pages(boards, places, beat_s))
    if access is not None:
        sessions = Sessions(access)
        sessions.prepare(app)
        homes = {Role.OPERATOR: "office.page", Role.REFEREE: "queue.page", Role.CHIEF: "queue.page"}
        app.register_blueprint(make_login(sessions, homes, "wall.page"))
        app.register_blueprint(make_queue(boards, office, wall, sessions, places.is_closed))
        app.register_blueprint(make_office(office, sessions))
    app.after_request(protect)
    app.after_request(_share)
    app.context_processor(lambda: {"has_games": False})
    app.register_error_handler(404, lambda _: (_not_found(), 404))
    return app


def _board_pages(boards: Boards, places: Places, beat_s: float) -> Blueprint:
    """Return the pages of one device, for the board that the address names."""
    pages = make_pages(_live_of_request, places, beat_s)
    pages.url_prefix = "/boards/<board>"

    @pages.url_value_preprocessor
    def find(endpoint: str | None, values: dict[str, Any] | None) -> None:
        name = (values or {}).pop("board", "")
        g.board = boards.find(name)
        if g.board is None:
            abort(404)

    @pages.url_defaults
    def name(endpoint: str, values: dict[str, Any]) -> None:
        found: HallBoard | None = g.get("board")
        values.setdefault("board", "" if found is None else found.name)

    return pages


def _live_of_request() -> LiveGame:
    board: HallBoard = g.board
    return board.live


def _share(response: Response) -> Response:
    """Let caches carry the crowd: what is public is the same for everybody for a second."""
    if request.endpoint in _SHARED and response.status_code in (200, 304):
        response.headers["Cache-Control"] = f"public, max-age={SHARED_S}"
    return response


def _not_found() -> str:
    words: Mapping[str, Any] = page_words(request)["words"]
    link = f'<p><a href="{url_for("wall.page")}">{words["home"]}</a></p>'
    return f"<!doctype html><title>404</title><h1>{words['not_found']}</h1>{link}"

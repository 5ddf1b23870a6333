"""The Flask application: what every answer carries, and which pages there are."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, current_app, render_template, request

from recorder.health import Health
from recorder.library import Library
from recorder.web.check import make_check, make_corners
from recorder.web.clock_page import make_clock
from recorder.web.desk import make_desk
from recorder.web.first_start import make_first_start
from recorder.web.games import make_games
from recorder.web.health import make_health
from recorder.web.language import page_words
from recorder.web.live import LiveGame
from recorder.web.pages import make_pages
from recorder.web.places import Places
from recorder.web.referee import Console, make_referee
from recorder.web.sessions import Sessions, make_login
from recorder.web.taking import Taker, Telling

VIEWERS = 48
"""Event streams at once unless set otherwise; each holds a thread."""

BEAT_S = 15.0
"""A silent stream says so often that it is alive."""

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)


def create_app(
    live: LiveGame,
    *,
    places: Places | None = None,
    beat_s: float = BEAT_S,
    console: Console | None = None,
    library: Library | None = None,
    health: Health | None = None,
) -> Flask:
    """Return the application that shows a live game.

    Parameters
    ----------
    live
        Fed by the pipeline; the application only reads it.
    places
        Limit of event streams; whoever runs the application closes it before stopping.
    beat_s
        Seconds between two signs of life of a silent stream.
    console
        Adds the private pages; without it there is nothing to log in to.
    library
        Adds the list of finished games.
    health
        Adds what is measured; without it `/healthz` only tells whether frames come.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = 1 << 20
    # Browsers ask again each time whether a script has changed, so an update shows at once.
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
    places = places or Places(VIEWERS)
    app.register_blueprint(make_pages(lambda: live, places, beat_s))
    if library is not None:
        app.register_blueprint(make_games(library, live))
    sessions = None if console is None else Sessions(console.access)
    app.register_blueprint(make_health(live, health, sessions))
    if console is not None and sessions is not None:
        sessions.prepare(app)
        app.register_blueprint(make_login(sessions))
        if console.first_start is not None:
            app.register_blueprint(make_first_start(console.first_start, sessions))
        taker = Taker(console.game, console.submit)
        telling = Telling(console.game, places.is_closed, live.is_fresh)
        app.register_blueprint(make_referee(console, sessions, taker, telling))
        app.register_blueprint(make_desk(console, live, sessions, taker, telling))
        app.register_blueprint(make_clock(sessions, taker, telling))
        if console.set_up is not None:
            app.register_blueprint(make_check(console.set_up, sessions))
            app.register_blueprint(make_corners(console.set_up, sessions))
    app.context_processor(_pages_there)
    app.after_request(protect)
    app.register_error_handler(404, _not_found)
    return app


def protect(response: Response) -> Response:
    """Add what every answer carries against mischief in the browser."""
    headers = response.headers
    headers.setdefault("Content-Security-Policy", CONTENT_POLICY)
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    return response


def _pages_there() -> dict[str, bool]:
    there = current_app.blueprints
    return {"has_games": "games" in there, "has_set_up": "check" in there}


def _not_found(_: Any) -> tuple[str, int]:
    return render_template("not_found.html", **page_words(request)), 404

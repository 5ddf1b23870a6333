"""The public addresses: board, overlay, state, events and SGF, all from the public view alone."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, make_response, render_template, request, send_file

from recorder.public import PublicView
from recorder.sgf import format_sgf
from recorder.web.language import page_words, remember_language
from recorder.web.live import LiveGame
from recorder.web.messages import dump
from recorder.web.places import Places

RETRY_AFTER_S = 10


def make_pages(find: Callable[[], LiveGame], places: Places, beat_s: float) -> Blueprint:
    """Return the public pages of the live game that a request is about."""
    pages = Blueprint("pages", __name__)

    @pages.before_request
    def wait_for_log() -> Response | None:
        is_data = request.path.endswith(("/events", "/state.json", "/game.sgf"))
        is_reading = is_data and find().is_reading
        return _later("the game log is being read\n") if is_reading else None

    @pages.get("/")
    def board() -> Response:
        return _page("index.html", find())

    @pages.get("/overlay")
    def overlay() -> Response:
        return _page("overlay.html", find())

    @pages.get("/state.json")
    def state() -> Response:
        return open_to_all(Response(dump(find().snapshot().state()), mimetype="application/json"))

    @pages.get("/events")
    def events() -> Response:
        return _events(find(), places, beat_s)

    @pages.get("/game.sgf")
    def sgf() -> Response:
        return sgf_response(find().snapshot().view)

    return pages


def _page(template: str, live: LiveGame) -> Response:
    state = live.snapshot().state()
    response = make_response(render_template(template, state=state, **page_words(request)))
    response.headers["Cache-Control"] = "no-store"
    remember_language(request, response)
    return response


def open_to_all(response: Response) -> Response:
    """Let pages from elsewhere read what is public anyway, and nobody keep an old copy."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers.setdefault("Cache-Control", "no-cache")
    return response


def sgf_response(view: PublicView) -> Response:
    """Return the record that a view shows; 304 for who has it already."""
    data = format_sgf(view.game).encode()
    info = view.game.info
    name = " - ".join(part for part in (info.date, info.black, info.white) if part) or "game"
    response = send_file(
        io.BytesIO(data),
        mimetype="application/x-go-sgf",
        as_attachment=True,
        # A path or a control character in a player's name must not reach the header.
        download_name="".join(c if c.isprintable() and c not in '/\\"' else "_" for c in name)
        + ".sgf",
        etag=hashlib.sha256(data).hexdigest()[:20],
        conditional=True,
        max_age=0,
    )
    response.headers["Cache-Control"] = "no-cache"
    return open_to_all(response)


def _events(live: LiveGame, places: Places, beat_s: float) -> Response:
    """Answer with the stream of messages after the one the browser has seen last."""
    if request.method == "HEAD":
        return Response(mimetype="text/event-stream")
    if not places.take():
        return _later("all places are taken\n")
    after = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    response = Response(_stream(live, places, beat_s, after), mimetype="text/event-stream")
    response.call_on_close(places.give_back)
    response.headers["Cache-Control"] = "no-store"
    # A proxy that collects the answer before passing it on would hold every move back.
    response.headers["X-Accel-Buffering"] = "no"
    return open_to_all(response)


def _later(reason: str) -> Response:
    response = Response(reason, status=503, mimetype="text/plain")
    response.headers["Retry-After"] = str(RETRY_AFTER_S)
    return response


def _stream(live: LiveGame, places: Places, beat_s: float, after: str) -> Iterator[str]:
    yield "retry: 1000\n\n"
    while not places.is_closed():
        messages = live.wait(after, timeout_s=beat_s, is_over=places.is_closed)
        if messages:
            after = messages[-1].number
            yield "".join(f"id: {m.number}\ndata: {m.data}\n\n" for m in messages)
        elif not places.is_closed():
            yield f"event: beat\ndata: {dump({'is_fresh': live.is_fresh()})}\n\n"

"""The finished games: a list, and each game's SGF at an address that stays."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, abort, jsonify, make_response, render_template, request

from recorder.counting import IN_STONES
from recorder.library import Kept, Library
from recorder.public import OVER
from recorder.results import Unit, describe_result, parse_result
from recorder.web.language import page_words, remember_language
from recorder.web.live import LiveGame, age_s
from recorder.web.pages import open_to_all, sgf_response


def make_games(library: Library, live: LiveGame) -> Blueprint:
    """Return the pages of the finished games; the public's delay holds for them, too."""
    pages = Blueprint("games", __name__, url_prefix="/games")

    @pages.get("/")
    def index() -> Response:
        words = page_words(request)
        language = words["language"]
        games = [_describe(kept, language) for kept in public_games(library, live)]
        response = make_response(render_template("games.html", **words, games=games))
        response.headers["Cache-Control"] = "no-cache"
        remember_language(request, response)
        return response

    @pages.get("/index.json")
    def listed() -> Response:
        games = [_describe(kept, "en") for kept in public_games(library, live)]
        return open_to_all(jsonify(games=games))

    @pages.get("/<game_id>.sgf")
    def sgf(game_id: str) -> Response:
        kept = library.game(game_id)
        if kept is None or not _is_public(kept, live, datetime.now(UTC)):
            abort(404)
        return sgf_response(kept.view)

    return pages


def public_games(library: Library, live: LiveGame) -> tuple[Kept, ...]:
    """Return the games that the public may see whole, the newest first."""
    now = datetime.now(UTC)
    return tuple(kept for kept in library.games() if _is_public(kept, live, now))


def _is_public(kept: Kept, live: LiveGame, now: datetime) -> bool:
    """Return whether a game has ended for the public: its last moves are not held back any more."""
    if live.is_reading or age_s(kept.ended_utc, now) < live.delay.seconds:
        return False
    view = live.snapshot().view
    return view.game_id != kept.game_id or view.game.phase in OVER


def _describe(kept: Kept, language: str) -> dict[str, Any]:
    """Return what the list says about a game."""
    game, info = kept.view.game, kept.view.game.info
    # As on the live page: who reads Chinese counts by these rules in stones.
    is_in_stones = language == "zh" and info.ruleset in IN_STONES
    unit = Unit.STONES if is_in_stones else Unit.POINTS
    result = game.result and describe_result(parse_result(game.result), language, unit)
    return {
        "id": kept.game_id,
        "black": info.black,
        "black_rank": info.black_rank,
        "white": info.white,
        "white_rank": info.white_rank,
        "event": info.event,
        "round": info.round,
        "date": info.date or kept.ended_utc[:10],
        "moves": len(game.moves),
        "result": game.result,
        "result_text": result or "",
        "sgf": f"/games/{kept.game_id}.sgf",
    }

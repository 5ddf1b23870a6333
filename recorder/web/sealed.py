"""Sealed moves (older edition, 5): the log keeps a proof of the move, the envelope the move.

Nobody who reads the log can tell the move: it holds a salted digest. On resumption the referee
enters what the envelope says, and the log tells whether that is what was sealed.
"""

from __future__ import annotations

import hashlib
import hmac

from recorder.game import Game
from recorder.goban import Color, Point, format_vertex
from recorder.observations import Note
from recorder.turning import turned_point
from recorder.web.fields import ActionError, Fields, color_of, point_of, text_of

SEALED, OPENED = "sealed-move", "sealed-move-opened"
CODE_LENGTH = 10
"""Made by the page from 32 signs: with 50 bits beside 361 moves, the digest tells nobody."""


def seal_move(fields: Fields, game: Game) -> Note:
    """Return the note of a move sealed under a code that the page has shown."""
    color, code = color_of(fields), _code(fields)
    digest = _digest(color, _point(fields, game), code, game)
    return Note(SEALED, color, "", (("digest", digest),))


def open_move(fields: Fields, game: Game) -> Note:
    """Return the note of an envelope opened, with whether it is the move that was sealed."""
    color, point = color_of(fields), _point(fields, game)
    sealed = game.minutes.noted(SEALED)
    if not sealed:
        raise ActionError("no move was sealed in this game")
    digest = dict(sealed[-1].detail).get("digest", "")
    is_same = hmac.compare_digest(digest, _digest(color, point, _code(fields), game))
    vertex = format_vertex(point, game.info.size)
    return Note(OPENED, color, vertex, (("matches", str(is_same).lower()),))


def _point(fields: Fields, game: Game) -> Point:
    return point_of(fields, "point", game.info.size)


def _code(fields: Fields) -> str:
    code = text_of(fields, "code", 40).upper()
    if len(code) < CODE_LENGTH:
        raise ActionError(f"code must have {CODE_LENGTH} letters and digits")
    return code


def _digest(color: Color, point: Point, code: str, game: Game) -> str:
    """Return the proof of a move: the same however the record has been turned meanwhile."""
    size = game.info.size
    vertex = format_vertex(turned_point(point, -game.info.turns, size), size)
    return hashlib.sha256(f"{code} {color.value} {vertex}".encode()).hexdigest()

"""The count as the referee's page shows it, before anybody enters it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from recorder.counting import Counted, count_game, with_warnings
from recorder.game import Game
from recorder.goban import Color, Point, format_vertex
from recorder.life import find_dead_stones
from recorder.proceedings import confirmed_warnings
from recorder.scoring import Marks, ScoringError
from recorder.web.fields import ActionError, Fields, points_of


def format_count(game: Game, fields: Fields) -> dict[str, Any]:
    """Return the official position as counted with `dead` and `shared` of a request.

    Without `dead` in it, the stones that are dead beyond doubt are taken for it. Raises
    `ActionError` where the points do not fit the position.
    """
    size = game.info.size
    is_said = "dead" in fields
    dead = frozenset(points_of(fields, "dead", size)) if is_said else find_dead_stones(game.board)
    marks = Marks(dead, frozenset(points_of({"shared": [], **fields}, "shared", size)))
    try:
        counted = count_game(with_warnings(game, confirmed_warnings(game)), marks)
    except ScoringError as error:
        raise ActionError(str(error)) from error
    return {
        "dead": _vertices((*counted.count.black.dead, *counted.count.white.dead), size),
        "shared": _vertices(marks.contested, size),
        "neutral": _vertices(set(counted.count.shared) - marks.contested, size),
        "black": _side(counted, Color.BLACK, size),
        "white": _side(counted, Color.WHITE, size),
        "komi": float(counted.terms.komi),
        "counting": counted.counting.value,
        "margin": float(counted.margin),
        "result": counted.re,
        "words": {language: counted.describe(language) for language in ("en", "zh")},
    }


def _side(counted: Counted, color: Color, size: int) -> dict[str, Any]:
    side = counted.count.side(color)
    return {
        "total": counted.total(color),
        "stones": len(side.stones),
        "surrounded": _vertices(side.surrounded, size),
        "warnings": counted.terms.warnings.of(color),
    }


def _vertices(points: Iterable[Point], size: int) -> list[str]:
    return [format_vertex(point, size) for point in sorted(points)]

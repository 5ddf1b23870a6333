"""What the operator's desk asks for, as observations; nothing here touches a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from recorder.events import GameInfo, Move, MovePlayed, Provenance
from recorder.game import Game
from recorder.goban import Color, Stone, format_vertex
from recorder.observations import (
    ChangeInfo,
    ColorsSwapped,
    ConfirmMoves,
    Content,
    Correction,
    EndGame,
    Pause,
    Report,
    Resume,
    Setup,
    StartGame,
    TurnBoard,
)
from recorder.public import Delay
from recorder.rules import RULESETS
from recorder.web.fields import (
    ActionError,
    Fields,
    color_of,
    point_of,
    seconds_of,
    text_of,
    whole_of,
)

TEXTS = (
    "black",
    "white",
    "black_rank",
    "white_rank",
    "black_team",
    "white_team",
    "event",
    "round",
    "place",
    "date",
    "time_control",
)
"""Fields of a game's information that are free text."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "ruleset": tuple(RULESETS),
    "superko": ("refer", "void-pass"),
    "clock_source": ("buttons", "camera"),
}
"""Fields that are one of several words."""

MAX_TEXT = 120
MAX_HANDICAP = 9
MAX_KOMI = 1000.0
MAX_DELAY_S, MAX_DELAY_MOVES = 24 * 3600.0, 400


class ChangedError(ValueError):
    """The move to be corrected is not there any more; the message says what is."""


def describe_move(move: Move, size: int) -> str:
    """Return a move as the desk names it: "B Q16", "W pass"."""
    point = "pass" if move.point is None else format_vertex(move.point, size)
    return f"{move.color.value} {point}"


def parse_desk_action(fields: Fields, game: Game, by: str) -> Content:
    """Return the observation that a request of the desk stands for.

    Parameters
    ----------
    fields
        The request's JSON object: `action` and what it needs (docs/pages.md).
    game
        As it is now; a correction keeps every move it does not name.

    Raises
    ------
    ActionError
        The request makes no sense.
    ChangedError
        The move with that number is another than the page showed.
    """
    name = fields.get("action")
    if not isinstance(name, str) or name not in _ACTIONS:
        raise ActionError(f"action must be one of {sorted(DESK_ACTIONS)}, got {name!r}")
    return _ACTIONS[name](fields, game, by)


def _delete(fields: Fields, game: Game, by: str) -> Content:
    number = _number(fields, game)
    return _correction(number, _moves(game)[number:], by, "deleted")


def _cut(fields: Fields, game: Game, by: str) -> Content:
    return _correction(_number(fields, game), (), by, "cut")


def _replace(fields: Fields, game: Game, by: str) -> Content:
    number = _number(fields, game)
    moves = (_move(fields, game), *_moves(game)[number:])
    return _correction(number, moves, by, "changed")


def _insert(fields: Fields, game: Game, by: str) -> Content:
    is_last = fields.get("number") == len(game.moves) + 1
    number = len(game.moves) + 1 if is_last else _number(fields, game)
    moves = (_move(fields, game), *_moves(game)[number - 1 :])
    return _correction(number, moves, by, "inserted")


def _correction(number: int, moves: tuple[Move, ...], by: str, reason: str) -> Correction:
    return Correction(number, moves, by, reason)


def _moves(game: Game) -> tuple[Move, ...]:
    return tuple(played.move for played in game.moves)


def _number(fields: Fields, game: Game) -> int:
    """Return the number of an existing move, which must be the one that the page showed."""
    number = fields.get("number")
    if not isinstance(number, int) or isinstance(number, bool):
        raise ActionError(f"number must be the number of a move, got {number!r}")
    if not 1 <= number <= len(game.moves):
        raise ChangedError(f"there are {len(game.moves)} moves")
    found = describe_move(game.moves[number - 1].move, game.info.size)
    if fields.get("was") != found:
        raise ChangedError(f"move {number} is {found}")
    return number


def _move(fields: Fields, game: Game) -> Move:
    color = color_of(fields)
    point = None if fields.get("point") is None else point_of(fields, "point", game.info.size)
    return Move(color, point)


def is_unsure(played: MovePlayed) -> bool:
    """Return whether a move was only inferred, or its order is not known."""
    return played.provenance is Provenance.INFERRED or not played.is_order_known


def _confirm(fields: Fields, game: Game, by: str) -> Content:
    """Confirm a stretch of moves; `was` is what the page showed of its last one."""
    last = _number(fields, game)
    return ConfirmMoves(whole_of({"first": last, **fields}, "first", 1, last), last)


def _call(fields: Fields, game: Game, by: str) -> Content:
    return Report("call-referee", None, text_of(fields, "note"))


def _accept(fields: Fields, game: Game, by: str) -> Content:
    """Take the goban as it stands for the official position."""
    official, physical = game.board, game.physical
    points = sorted(official.differences(physical))
    add = tuple(Stone(color, p) for p in points if (color := physical[p]) is not None)
    remove = tuple(p for p in points if official[p] is not None and physical[p] is None)
    to_move = game.to_move
    if fields.get("to_move") in ("B", "W"):
        to_move = Color(fields["to_move"])
    return Setup(add, remove, to_move, by, "accepted as it stands")


def _info(fields: Fields, game: Game, by: str) -> Content:
    return ChangeInfo(_parse_info(fields, game.info))


def _start(fields: Fields, game: Game, by: str) -> Content:
    kept = {key: getattr(game.info, key) for key in ("size", *CHOICES)}
    blank = GameInfo(**kept)
    return StartGame(_parse_info(fields, blank))


def _parse_info(fields: Fields, before: GameInfo) -> GameInfo:
    given = fields.get("info")
    known = (*TEXTS, *CHOICES, "komi", "handicap")
    if not isinstance(given, dict) or not set(given) <= set(known):
        raise ActionError(f"info must be an object with fields of {list(known)}")
    texts: dict[str, Any] = {}
    for key, allowed in CHOICES.items():
        texts[key] = given.get(key, getattr(before, key))
        if texts[key] not in allowed:
            raise ActionError(f"{key} must be one of {list(allowed)}, got {texts[key]!r}")
    texts["handicap"] = whole_of(
        {"handicap": before.handicap, **given}, "handicap", 0, MAX_HANDICAP
    )
    for key in TEXTS:
        value = given.get(key, getattr(before, key))
        if not isinstance(value, str) or len(value) > MAX_TEXT or not value.isprintable():
            raise ActionError(f"{key} must be one line of at most {MAX_TEXT} characters")
        texts[key] = value.strip()
    komi = given.get("komi", before.komi)
    is_number = isinstance(komi, int | float) and not isinstance(komi, bool)
    if komi is not None and not (is_number and abs(komi) <= MAX_KOMI):
        raise ActionError(f"komi must be a number of points or null, got {komi!r}")
    return replace(before, komi=komi, **texts)


_ACTIONS: Mapping[str, Callable[[Fields, Game, str], Content]] = {
    "delete": _delete,
    "cut": _cut,
    "replace": _replace,
    "insert": _insert,
    "accept": _accept,
    "info": _info,
    "start": _start,
    "confirm": _confirm,
    "end-play": lambda fields, game, by: EndGame(None, by),
    "call-referee": _call,
    "turn": lambda fields, game, by: TurnBoard(whole_of(fields, "quarters", 1, 3)),
    "pause": lambda fields, game, by: Pause(by),
    "resume": lambda fields, game, by: Resume(),
    "colors-swapped": lambda fields, game, by: ColorsSwapped(),
}

DESK_ACTIONS = frozenset(_ACTIONS)
"""Every action of the desk that goes into the log."""


def parse_delay(fields: Fields) -> Delay:
    """Return the delay a request asks for; raise `ActionError` if it makes no sense."""
    return Delay(
        seconds_of(fields, "seconds", 0.0, MAX_DELAY_S),
        whole_of(fields, "moves", 0, MAX_DELAY_MOVES),
    )

"""What the console asks for, as observations; nothing here touches a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from recorder.events import Phase
from recorder.game import Game
from recorder.goban import Color
from recorder.observations import (
    AgreeEnd,
    CheckClock,
    Claim,
    ColorsSwapped,
    Consent,
    Content,
    Dispute,
    EndGame,
    EnterCount,
    GiveUp,
    Late,
    Note,
    Pass,
    Pause,
    ProposeEnd,
    Reading,
    Report,
    Resign,
    RestartCount,
    Resume,
    Ruling,
    Seal,
    SeeAlert,
    SetClock,
    Sign,
    TurnBoard,
)
from recorder.web.access import Role
from recorder.web.fields import (
    ActionError,
    Fields,
    color_of,
    one_of,
    optional_color,
    points_of,
    seconds_of,
    text_of,
    whole_of,
)
from recorder.web.referee_texts import RULINGS, alternatives, for_alert, needs_chief
from recorder.web.sealed import open_move, seal_move

_RESULT = re.compile(r"0|[BW]\+(R|T|F|\d{1,3}(\.(25|5|75))?)|Void")

CLAIMS = (
    "take-back",
    "illegal-play",
    "double-move",
    "ko-violation",
    "forbidden-point",
    "whole-board-repetition",
)
"""What a player can claim."""

REPORTS = ("conduct-report", "absence", "clock-fault", "flag-fall", "board-scattered")
"""What only a person can see."""

NOTES = ("note", "times-confirmed", "clock-replaced")
"""Notes for the minutes whose text is free."""

REASONS = ("", "draw", "replay", "no-result", "both-lose", "forfeit", "counted")
"""Why a result was entered."""

MAX_LATE_S = 24 * 3600.0


class RoleError(PermissionError):
    """An action that another role has to take."""


class EarlyError(ValueError):
    """An action for which something else has to be done first; the message is its code."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks, and how things stand."""

    game: Game
    role: Role
    by: str

    def need_chief(self, is_needed: bool, what: str) -> None:
        """Raise `RoleError` if only the chief referee may do this and somebody else asks."""
        if is_needed and self.role < Role.CHIEF:
            raise RoleError(what)


def parse_action(fields: Fields, asked: Asked) -> Content:
    """Return the observation that a request stands for.

    Parameters
    ----------
    fields
        The request's JSON object: `action` and what it needs (docs/api.md).

    Raises
    ------
    ActionError
        The request makes no sense.
    EarlyError
        It makes sense, but not yet.
    RoleError
        The role may not do this.
    """
    name = fields.get("action")
    if not isinstance(name, str) or name not in _ACTIONS:
        raise ActionError(f"action must be one of {sorted(ACTIONS)}, got {name!r}")
    return _ACTIONS[name](fields, asked)


def _ruling(fields: Fields, asked: Asked) -> Content:
    id_ = fields.get("alert")
    alerts = {state.alert.id: state.alert for state in asked.game.alerts}
    if not isinstance(id_, int) or isinstance(id_, bool) or id_ not in alerts:
        raise ActionError(f"alert must be the number of an alert, got {id_!r}")
    alert, decision = alerts[id_], fields.get("decision")
    offered = for_alert(alternatives(alert.type, asked.game.info.ruleset), alert.color)
    allowed = ("confirm", "dismiss", *offered)
    if decision not in allowed or decision not in RULINGS:
        raise ActionError(f"decision must be one of {list(allowed)}, got {decision!r}")
    asked.need_chief(needs_chief(alert.type, str(decision)), str(decision))
    return Ruling(id_, str(decision), asked.by, text_of(fields, "note"))


def _seen(fields: Fields, asked: Asked) -> Content:
    return SeeAlert(whole_of(fields, "alert", 1, max(1, len(asked.game.alerts))))


def _dispute(fields: Fields, asked: Asked) -> Content:
    points = points_of(fields, "points", asked.game.info.size)
    if not points:
        raise ActionError("points must be a list of at least one point")
    return Dispute(color_of(fields), points, one_of(fields, "claim", ("dead", "alive")))


def _end(fields: Fields, asked: Asked) -> Content:
    """Enter a result, or go to the count for null."""
    result, reason = fields.get("result"), one_of({"reason": "", **fields}, "reason", REASONS)
    if result is None:
        return EndGame(None, asked.by)
    if not isinstance(result, str) or not _RESULT.fullmatch(result):
        raise ActionError(f"result must be like B+3.5, W+R, B+T, 0 or Void, got {result!r}")
    is_final = result in ("Void", "0") or result[-1] == "F"
    is_counted = asked.game.result == result and asked.game.minutes.count is not None
    asked.need_chief(is_final and not is_counted, result)
    return EndGame(result, asked.by, reason)


def _count(fields: Fields, asked: Asked) -> Content:
    if asked.game.phase not in (Phase.SCORING, Phase.ENDED):
        raise EarlyError("play-goes-on")
    if asked.game.is_result_confirmed:
        raise EarlyError("result-confirmed")
    size = asked.game.info.size
    return EnterCount(points_of(fields, "dead", size), points_of(fields, "shared", size))


def _sign(fields: Fields, asked: Asked) -> Content:
    if asked.game.result is None:
        raise EarlyError("no-result")
    return Sign(color_of(fields))


def _seal(fields: Fields, asked: Asked) -> Content:
    """Make the result final: confirmed, and signed by both players or sealed by the chief."""
    if not asked.game.is_result_confirmed:
        raise EarlyError("not-confirmed")
    asked.need_chief(not asked.game.minutes.has_both_signatures, "sealing")
    return Seal(asked.by)


def _late(fields: Fields, asked: Asked) -> Content:
    late_s = seconds_of(fields, "late_s", 0.0, MAX_LATE_S)
    return Late(color_of(fields), late_s, seconds_of(fields, "limit_s", 0.0, MAX_LATE_S))


def _clock_check(fields: Fields, asked: Asked) -> Content:
    black_s, white_s = (seconds_of(fields, f"{key}_s", 0.0, MAX_LATE_S) for key in _SIDES.values())
    real_s = seconds_of(fields, "real_s", 1.0, MAX_LATE_S)
    if not black_s + white_s:
        raise ActionError("black_s and white_s must not both be 0")
    return CheckClock(black_s, white_s, real_s)


def _clock_set(fields: Fields, asked: Asked) -> Content:
    given = {color: fields.get(key) for color, key in _SIDES.items() if fields.get(key)}
    if not given or not all(isinstance(side, dict) for side in given.values()):
        raise ActionError("black or white must be an object with main_s")
    asked.need_chief(len(given) == 1, "one clock alone")
    readings = tuple(_reading(color, side) for color, side in given.items() if side)
    return SetClock(readings, text_of(fields, "note"))


_SIDES = {Color.BLACK: "black", Color.WHITE: "white"}


def _reading(color: Color, side: Fields) -> Reading:
    optional = {"periods": 0, "used_s": 0.0, "block_s": 0.0, "moves_left": 0, **side}
    return Reading(
        color,
        seconds_of(side, "main_s", 0.0, MAX_LATE_S),
        whole_of(optional, "periods", 0, 999),
        seconds_of(optional, "used_s", 0.0, MAX_LATE_S),
        seconds_of(optional, "block_s", 0.0, MAX_LATE_S),
        whole_of(optional, "moves_left", 0, 999),
    )


def _nigiri(fields: Fields, asked: Asked) -> Content:
    """Note a draw for colors: who guessed, what, and the stones that were held (10)."""
    guesser, stones = text_of(fields, "guesser", 80), whole_of(fields, "stones", 1, 180)
    guess = one_of(fields, "guess", ("odd", "even"))
    is_right = guess == ("odd" if stones % 2 else "even")
    detail = (("guess", guess), ("stones", str(stones)), ("right", str(is_right).lower()))
    return Note("nigiri", Color.BLACK if is_right else Color.WHITE, guesser, detail)


def _note(fields: Fields, asked: Asked) -> Content:
    return Note(one_of(fields, "kind", NOTES), optional_color(fields), text_of(fields, "text"))


_ACTIONS: Mapping[str, Callable[[Fields, Asked], Content]] = {
    "ruling": _ruling,
    "seen": _seen,
    "pass": lambda f, asked: Pass(color_of(f)),
    "resign": lambda f, asked: Resign(color_of(f)),
    "claim": lambda f, asked: Claim(color_of(f), one_of(f, "about", CLAIMS)),
    "consent": lambda f, asked: Consent(
        color_of(f), one_of(f, "about", ("dropped-stone", "take-back"))
    ),
    "propose-end": lambda f, asked: ProposeEnd(color_of(f)),
    "agree-end": lambda f, asked: AgreeEnd(color_of(f)),
    "give-up": lambda f, asked: GiveUp(color_of(f)),
    "dispute": _dispute,
    "resume": lambda f, asked: Resume(optional_color(f)),
    "colors-swapped": lambda f, asked: ColorsSwapped(),
    "pause": lambda f, asked: Pause(asked.by),
    "end": _end,
    "count": _count,
    "sign": _sign,
    "seal": _seal,
    "report": lambda f, asked: Report(
        one_of(f, "type", REPORTS), optional_color(f), text_of(f, "note")
    ),
    "late": _late,
    "clock-check": _clock_check,
    "clock-set": _clock_set,
    "count-restart": lambda f, asked: RestartCount(seconds_of(f, "used_s", 0.0, 600.0)),
    "nigiri": _nigiri,
    "note": _note,
    "seal-move": lambda f, asked: seal_move(f, asked.game),
    "open-move": lambda f, asked: open_move(f, asked.game),
}

ACTIONS = frozenset(_ACTIONS)
"""Every action of the console."""


def subject_of(content: Content) -> str:
    """Return what an action is about: of two about the same the second is shown the first.

    Empty where two never contradict each other. A ruling is about its alert, see `referee`.
    """
    return next((name for kinds, name in _SUBJECTS if isinstance(content, kinds)), "")


_SUBJECTS: tuple[tuple[tuple[type, ...], str], ...] = (
    (
        (Pass, Resign, ProposeEnd, AgreeEnd, GiveUp, Pause, Resume, ColorsSwapped),
        "play",
    ),
    ((EndGame, EnterCount, Seal), "result"),
    ((SetClock, RestartCount), "clock"),
    ((TurnBoard,), "turn"),
)


def describe(fields: Mapping[str, Any]) -> str:
    """Return an action in one word or two for whoever comes second: "pass B"."""
    parts = (fields.get(key) for key in ("action", "color", "result"))
    return " ".join(part for part in parts if isinstance(part, str))

"""What the console asks for, as observations; nothing here touches a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from recorder.goban import Color, GobanError, Point, parse_vertex
from recorder.observations import (
    AgreeEnd,
    Claim,
    ColorsSwapped,
    Consent,
    Content,
    Dispute,
    EndGame,
    Pass,
    Pause,
    ProposeEnd,
    Report,
    Resign,
    Resume,
    Ruling,
    Seal,
)
from recorder.web.access import Role
from recorder.web.referee_texts import RULINGS, alternatives, needs_chief

MAX_NOTE = 500
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

REPORTS = ("conduct-report", "late-arrival", "absence", "clock-fault")
"""What only a person can see."""


class ActionError(ValueError):
    """A request that names no action, or not all it needs; the message says what was expected."""


class RoleError(PermissionError):
    """An action that another role has to take."""


Fields = Mapping[str, Any]


def parse_action(fields: Fields, *, size: int, role: Role, by: str, alert_type: str) -> Content:
    """Return the observation that a request stands for.

    Parameters
    ----------
    fields
        The request's JSON object: `action` and what it needs (docs/pages.md).
    size
        Of the goban.
    alert_type
        Type of the alert that a ruling names; empty for other actions.

    Raises
    ------
    ActionError
        The request makes no sense.
    RoleError
        The role may not do this.
    """
    name = fields.get("action")
    if name == "ruling":
        return _ruling(fields, role, by, alert_type)
    if name == "dispute":
        return Dispute(_color(fields), _points(fields, size), _one_of(fields, "claim", _CLAIMED))
    if name == "end":
        result = _result(fields)
        if role < Role.CHIEF and result is not None and (result == "Void" or result[-1] == "F"):
            raise RoleError(result)
        return EndGame(result, by)
    if name == "seal":
        if role < Role.CHIEF:
            raise RoleError("sealing")
        return Seal(by)
    if not isinstance(name, str) or name not in _SIMPLE:
        raise ActionError(f"action must be one of {sorted(ACTIONS)}, got {name!r}")
    return _SIMPLE[name](fields, by)


_CLAIMED = ("dead", "alive")

_SIMPLE: Mapping[str, Callable[[Fields, str], Content]] = {
    "pass": lambda f, by: Pass(_color(f)),
    "resign": lambda f, by: Resign(_color(f)),
    "claim": lambda f, by: Claim(_color(f), _one_of(f, "about", CLAIMS)),
    "consent": lambda f, by: Consent(
        _color(f), _one_of(f, "about", ("dropped-stone", "take-back"))
    ),
    "propose-end": lambda f, by: ProposeEnd(_color(f)),
    "agree-end": lambda f, by: AgreeEnd(_color(f)),
    "resume": lambda f, by: Resume(_color(f) if f.get("color") else None),
    "colors-swapped": lambda f, by: ColorsSwapped(),
    "pause": lambda f, by: Pause(by),
    "report": lambda f, by: Report(
        _one_of(f, "type", REPORTS), _color(f) if f.get("color") else None, _note(f)
    ),
}

ACTIONS = frozenset({"ruling", "dispute", "end", "seal", *_SIMPLE})
"""Every action of the console."""


def _ruling(fields: Fields, role: Role, by: str, alert_type: str) -> Content:
    alert_id, decision = fields.get("alert"), fields.get("decision")
    if not isinstance(alert_id, int) or isinstance(alert_id, bool) or not alert_type:
        raise ActionError(f"alert must be the number of an alert, got {alert_id!r}")
    allowed = ("confirm", "dismiss", *alternatives(alert_type))
    if decision not in allowed or decision not in RULINGS:
        raise ActionError(f"decision must be one of {list(allowed)}, got {decision!r}")
    if role < Role.CHIEF and needs_chief(alert_type, str(decision)):
        raise RoleError(str(decision))
    return Ruling(alert_id, str(decision), by, _note(fields))


def _color(fields: Fields) -> Color:
    try:
        return Color(fields.get("color"))
    except ValueError:
        raise ActionError(f"color must be B or W, got {fields.get('color')!r}") from None


def _one_of(fields: Fields, key: str, allowed: tuple[str, ...]) -> str:
    value = fields.get(key)
    if value not in allowed:
        raise ActionError(f"{key} must be one of {list(allowed)}, got {value!r}")
    return str(value)


def _points(fields: Fields, size: int) -> tuple[Point, ...]:
    names = fields.get("points")
    if not isinstance(names, list) or not names or len(names) > size * size:
        raise ActionError(f"points must be a list of points, got {names!r}")
    try:
        return tuple(parse_vertex(str(name), size) for name in names)
    except GobanError as error:
        raise ActionError(str(error)) from error


def _note(fields: Fields) -> str:
    note = fields.get("note", "")
    if not isinstance(note, str) or len(note) > MAX_NOTE:
        raise ActionError(f"note must be a text of at most {MAX_NOTE} characters")
    return note.strip()


def _result(fields: Fields) -> str | None:
    """Return the entered result, None for going to the count."""
    result = fields.get("result")
    if result is None:
        return None
    if not isinstance(result, str) or not _RESULT.fullmatch(result):
        raise ActionError(f"result must be like B+3.5, W+R, B+T, 0 or Void, got {result!r}")
    return result

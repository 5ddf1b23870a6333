"""Values of a request's JSON object, checked; every message says what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite, nan
from typing import Any

from recorder.goban import Color, GobanError, Point, parse_vertex

MAX_NOTE = 500

Fields = Mapping[str, Any]


class ActionError(ValueError):
    """A request that names no action, or not all it needs; the message says what was expected."""


def color_of(fields: Fields, key: str = "color") -> Color:
    """Return a color, given as "B" or "W"."""
    try:
        return Color(fields.get(key))
    except ValueError:
        raise ActionError(f"{key} must be B or W, got {fields.get(key)!r}") from None


def optional_color(fields: Fields) -> Color | None:
    """Return a color, None where none is given."""
    return color_of(fields) if fields.get("color") else None


def one_of(fields: Fields, key: str, allowed: tuple[str, ...]) -> str:
    """Return one of several words."""
    value = fields.get(key)
    if value not in allowed:
        raise ActionError(f"{key} must be one of {list(allowed)}, got {value!r}")
    return str(value)


def points_of(fields: Fields, key: str, size: int) -> tuple[Point, ...]:
    """Return points, given as a list of vertices, perhaps an empty one."""
    names = fields.get(key)
    if not isinstance(names, list) or len(names) > size * size:
        raise ActionError(f"{key} must be a list of points, got {names!r}")
    return tuple(_point(name, size) for name in names)


def point_of(fields: Fields, key: str, size: int) -> Point:
    """Return one point."""
    return _point(fields.get(key), size)


def _point(name: Any, size: int) -> Point:
    try:
        return parse_vertex(str(name), size)
    except GobanError as error:
        raise ActionError(str(error)) from error


def text_of(fields: Fields, key: str, most: int = MAX_NOTE) -> str:
    """Return a text, stripped; empty where none is given."""
    text = fields.get(key, "")
    if not isinstance(text, str) or len(text) > most:
        raise ActionError(f"{key} must be a text of at most {most} characters")
    return text.strip()


def seconds_of(fields: Fields, key: str, least: float, most: float) -> float:
    """Return a number of seconds in a range."""
    value = fields.get(key)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    number = float(value) if is_number and value is not None else nan
    if isfinite(number) and least <= number <= most:
        return number
    raise ActionError(f"{key} must be seconds in {least:g}-{most:g}, got {value!r}")


def whole_of(fields: Fields, key: str, least: int, most: int) -> int:
    """Return a whole number in a range."""
    value = fields.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ActionError(f"{key} must be a whole number in {least}-{most}, got {value!r}")
    return value

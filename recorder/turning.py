"""The same in another frame: points turned by quarters about the middle of the goban."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from recorder.goban import Board, Point
from recorder.trail import Trail

T = TypeVar("T")


def turned_point(point: Point, quarters: int, size: int) -> Point:
    """Return a point after quarter turns counterclockwise, as `np.rot90` and `GridFit.turned`."""
    for _ in range(quarters % 4):
        point = Point(size - 1 - point.col, point.row)
    return point


def turned(value: T, quarters: int, size: int) -> T:
    """Return a value with every point in it turned, in whatever it is kept.

    Reaches into data classes, tuples, sets, mappings, trails and boards of this size; what is none
    of them stays as it is. Points in texts are not found.
    """
    return _turned(value, quarters, size) if quarters % 4 else value


def _turned(value: Any, quarters: int, size: int) -> Any:
    def again(part: Any) -> Any:
        return _turned(part, quarters, size)

    match value:
        case Point():
            return turned_point(value, quarters, size)
        case Board():
            return Board(size, map(again, value.stones()))
        case Mapping():
            return {again(key): again(part) for key, part in value.items()}
        case Trail() | frozenset():
            return type(value)(map(again, value))
        case tuple():
            parts = map(again, value)
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if is_dataclass(value) and not isinstance(value, type):
        named = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
        return replace(value, **{name: again(part) for name, part in named.items()})
    return value

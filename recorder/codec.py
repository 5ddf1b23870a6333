"""Events and observations to and from JSON, one exact inverse of the other, for the game log."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from recorder.events import Event
from recorder.observations import Content, Observation


class CodecError(ValueError):
    """A text that is no event or observation; the message names the place and what was expected."""


def format_event(event: Event) -> str:
    """Return an event as one line of JSON; the kind of event is under "event"."""
    return _dump({"event": type(event).__name__, **_fields_out(event)})


def parse_event(text: str) -> Event:
    """Return the event of a line of JSON, the inverse of `format_event`.

    Raises
    ------
    CodecError
        The text is no JSON object, or a field is missing, unknown or of another type.
    """
    return _tagged_in(_load(text), Event, "event")  # type: ignore[no-any-return]


def format_observation(observation: Observation) -> str:
    """Return an observation as one line of JSON; the kind is under "observation"."""
    content = observation.content
    head = {"observation": type(content).__name__, "t_s": observation.t_s, "utc": observation.utc}
    return _dump({**head, "content": _fields_out(content)})


def parse_observation(text: str) -> Observation:
    """Return the observation of a line of JSON, the inverse of `format_observation`.

    Raises
    ------
    CodecError
        The text is no JSON object, or a field is missing, unknown or of another type.
    """
    data = _load(text)
    body = data.get("content")
    if not isinstance(body, dict):
        raise CodecError(f"content must be an object, got {body!r}")
    content = _tagged_in({"observation": data.get("observation"), **body}, Content, "observation")
    t_s = _value_in(data.get("t_s"), float, "t_s")
    return Observation(t_s, content, _value_in(data.get("utc", ""), str, "utc"))


def _dump(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _load(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise CodecError(f"not JSON: {error}") from error
    if not isinstance(data, dict):
        raise CodecError(f"must be a JSON object, got {type(data).__name__}")
    return data


def _fields_out(value: Any) -> dict[str, Any]:
    return {f.name: _value_out(getattr(value, f.name)) for f in fields(value)}


def _value_out(value: Any) -> Any:
    """Return plain JSON values; sets and mappings in a fixed order, so equal values read alike."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return _fields_out(value)
    if isinstance(value, frozenset):
        return [_value_out(item) for item in sorted(value)]
    if isinstance(value, tuple):
        return [_value_out(item) for item in value]
    if isinstance(value, Mapping):
        return [[_value_out(k), _value_out(v)] for k, v in sorted(value.items())]
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def _kinds(union: Any) -> dict[str, type]:
    return {kind.__name__: kind for kind in get_args(union)}


def _tagged_in(data: dict[str, Any], union: Any, tag: str) -> Any:
    kinds, name = _kinds(union), data.get(tag)
    if name not in kinds:
        raise CodecError(f"{tag} must be one of {', '.join(sorted(kinds))}, got {name!r}")
    body = {key: value for key, value in data.items() if key != tag}
    return _fields_in(body, kinds[name], name)


def _fields_in(data: Any, kind: type, place: str) -> Any:
    if not isinstance(data, dict):
        raise CodecError(f"{place} must be an object, got {data!r}")
    hints = _hints(kind)
    unknown = sorted(set(data) - set(hints))
    if unknown:
        raise CodecError(f"{place} has no field {unknown[0]!r}")
    values = {key: _value_in(value, hints[key], f"{place}.{key}") for key, value in data.items()}
    try:
        return kind(**values)
    except TypeError as error:
        raise CodecError(f"{place}: {error}") from error


def _value_in(value: Any, hint: Any, place: str) -> Any:
    """Return the value of a type that a JSON value stands for."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _union_in(value, hint, place)
    if origin is not None:
        return _collection_in(value, origin, get_args(hint), place)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _enum_in(value, hint, place)
    if is_dataclass(hint) and isinstance(hint, type):
        return _fields_in(value, hint, place)
    if isinstance(hint, type) and issubclass(hint, tuple):
        return hint(*_items_in(value, tuple(_hints(hint).values()), place))
    return _plain_in(value, hint, place)


def _union_in(value: Any, hint: Any, place: str) -> Any:
    choices = get_args(hint)
    if value is None and type(None) in choices:
        return None
    (kind,) = (choice for choice in choices if choice is not type(None))
    return _value_in(value, kind, place)


def _collection_in(value: Any, origin: Any, args: tuple[Any, ...], place: str) -> Any:
    if origin is tuple and (len(args) != 2 or args[1] is not Ellipsis):
        return tuple(_items_in(value, args, place))
    if not isinstance(value, list):
        raise CodecError(f"{place} must be a list, got {value!r}")
    if origin is Mapping:
        pairs = [_items_in(item, args, f"{place}[{i}]") for i, item in enumerate(value)]
        return dict(pairs)
    items = (_value_in(item, args[0], f"{place}[{i}]") for i, item in enumerate(value))
    return frozenset(items) if origin is frozenset else tuple(items)


def _items_in(value: Any, hints: tuple[Any, ...], place: str) -> list[Any]:
    if not isinstance(value, list) or len(value) != len(hints):
        raise CodecError(f"{place} must be a list of {len(hints)}, got {value!r}")
    pairs = enumerate(zip(value, hints, strict=True))
    return [_value_in(item, hint, f"{place}[{i}]") for i, (item, hint) in pairs]


def _enum_in(value: Any, kind: type[Enum], place: str) -> Enum:
    try:
        return kind(value)
    except ValueError as error:
        expected = ", ".join(repr(member.value) for member in kind)
        raise CodecError(f"{place} must be one of {expected}, got {value!r}") from error


def _plain_in(value: Any, kind: type, place: str) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise CodecError(f"{place} must be of type {kind.__name__}, got {value!r}")
    return value

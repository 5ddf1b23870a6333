"""Messages between devices and hubs, to and from JSON; rows are carried exactly as stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recorder.gamelog import LogRow

MOST_ROWS = 200
"""Rows of one message, unless a single observation led to more."""

MOST_BYTES = 300_000
"""Of the bodies of one message; a server takes a megabyte."""


class HallMessageError(ValueError):
    """A message that is not what its subject promises."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of one log, in order and without a gap."""

    log: str
    """The log's name: that of its first game, which no other device shares."""

    rows: tuple[LogRow, ...]

    def id(self, board: str, again: int = 0) -> str:
        """Return the message id by which a server drops what it was sent twice.

        What a hub asks for `again` is another message: the server may have it, the hub has not.
        """
        name = f"{board}:{self.log}:{self.rows[0].number}-{self.rows[-1].number}"
        return f"{name}:{again}" if again else name


@dataclass(frozen=True, slots=True)
class DeviceState:
    """How a device stands: sent when something changed and as a sign of life."""

    instance: str
    """Another one for each start of a device: two at one board show that a card was cloned."""

    at: str
    """ISO time by the device's clock."""

    current: str = ""
    """The log of the game that is played now."""

    logs: Mapping[str, int] = field(default_factory=dict)
    """The last number of each log that the device holds."""

    game: Mapping[str, Any] = field(default_factory=dict)
    """The position and the like, for whoever joins late; hubs follow the rows."""


@dataclass(frozen=True, slots=True)
class Heads:
    """What a hub has of a device's logs: everything up to these numbers."""

    hub: str
    heads: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Request:
    """What a hub wants of a device."""

    id: str
    """The same when it is asked again."""

    observation: str = ""
    """JSON of an observation, `codec.format_observation`."""

    picture: str = ""
    """Name of a picture, "GAME/ALERT/FILE"."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request."""

    number: int = 0
    """Of the observation in the device's log."""

    error: str = ""


def chunks(rows: Iterable[LogRow]) -> Iterator[tuple[LogRow, ...]]:
    """Iterate over rows in parts of a message each; an observation and its events stay together."""
    part: list[LogRow] = []
    size = 0
    for row in rows:
        is_full = len(part) >= MOST_ROWS or size >= MOST_BYTES
        if part and is_full and row.kind == "observation":
            yield tuple(part)
            part, size = [], 0
        part.append(row)
        size += len(row.body)
    if part:
        yield tuple(part)


def format_rows(rows: Rows) -> bytes:
    """Return the message of some rows."""
    return _dump({"log": rows.log, "rows": rows.rows})


def parse_rows(data: bytes) -> Rows:
    """Return the rows of a message; raise `HallMessageError` for anything else."""
    fields = _load(data)
    rows = tuple(_row(item) for item in _list(fields, "rows"))
    numbers = [row.number for row in rows]
    if not rows or numbers != list(range(numbers[0], numbers[0] + len(rows))) or numbers[0] < 1:
        raise HallMessageError(f"rows must be numbered without a gap, got {numbers[:5]}")
    return Rows(_text(fields, "log"), rows)


def _row(item: Any) -> LogRow:
    kinds: tuple[type | tuple[type, ...], ...] = (int, str, (int, float), str, str, str)
    if not isinstance(item, list) or len(item) != len(kinds):
        raise HallMessageError(f"a row must have {len(kinds)} fields, got {item!r}")
    if not all(isinstance(value, kind) for value, kind in zip(item, kinds, strict=True)):
        raise HallMessageError(f"a row must be of number, texts and seconds, got {item!r}")
    if item[4] not in ("observation", "event"):
        raise HallMessageError(f"a row must be an observation or an event, got {item[4]!r}")
    number, game_id, t_s, *texts = item
    return LogRow(number, game_id, float(t_s), *texts)


def format_state(state: DeviceState) -> bytes:
    """Return the message of a device's state."""
    return _dump(
        {
            "instance": state.instance,
            "at": state.at,
            "current": state.current,
            "logs": dict(state.logs),
            "game": dict(state.game),
        }
    )


def parse_state(data: bytes) -> DeviceState:
    """Return a device's state; raise `HallMessageError` for anything else."""
    fields = _load(data)
    game = fields.get("game", {})
    if not isinstance(game, dict):
        raise HallMessageError(f"game must be an object, got {game!r}")
    texts = [_text(fields, name) for name in ("instance", "at", "current")]
    return DeviceState(texts[0], texts[1], texts[2], _numbers(fields, "logs"), game)


def format_heads(heads: Heads) -> bytes:
    """Return the message of what a hub has."""
    return _dump({"hub": heads.hub, "heads": dict(heads.heads)})


def parse_heads(data: bytes) -> Heads:
    """Return what a hub has; raise `HallMessageError` for anything else."""
    fields = _load(data)
    return Heads(_text(fields, "hub"), _numbers(fields, "heads"))


def format_request(request: Request) -> bytes:
    """Return the message of a request."""
    fields = {"observation": request.observation, "picture": request.picture}
    return _dump({"id": request.id, **{key: value for key, value in fields.items() if value}})


def parse_request(data: bytes) -> Request:
    """Return a request; raise `HallMessageError` for anything else."""
    fields = {"observation": "", "picture": "", **_load(data)}
    texts = [_text(fields, name) for name in ("id", "observation", "picture")]
    return Request(*texts)


def format_answer(answer: Answer) -> bytes:
    """Return the message of an answer."""
    return _dump({"number": answer.number, "error": answer.error})


def parse_answer(data: bytes) -> Answer:
    """Return an answer; raise `HallMessageError` for anything else."""
    fields = _load(data)
    number = fields.get("number")
    if not isinstance(number, int):
        raise HallMessageError(f"number must be a number, got {number!r}")
    return Answer(number, _text(fields, "error"))


def _dump(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _load(data: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(data)
    except ValueError as error:
        raise HallMessageError(f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise HallMessageError(f"must be a JSON object, got {type(fields).__name__}")
    return fields


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise HallMessageError(f"{name} must be a text, got {value!r}")
    return value


def _list(fields: Mapping[str, Any], name: str) -> Sequence[Any]:
    value = fields.get(name)
    if not isinstance(value, list):
        raise HallMessageError(f"{name} must be a list, got {value!r}")
    return value


def _numbers(fields: Mapping[str, Any], name: str) -> dict[str, int]:
    value = fields.get(name)
    if not isinstance(value, dict) or not all(isinstance(n, int) for n in value.values()):
        raise HallMessageError(f"{name} must be numbers by name, got {value!r}")
    return value

"""A clock as JSON text and back: for the log, and for the pages that show it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from recorder.clock import (
    Announcer,
    Bank,
    Blocks,
    ByoYomi,
    Clock,
    ClockError,
    Control,
    Flag,
    SideTime,
)
from recorder.goban import Color


class ClockStateError(ValueError):
    """A text that is no state of a clock."""


_KINDS: dict[str, type[Control]] = {"bank": Bank, "byo-yomi": ByoYomi, "blocks": Blocks}


def format_state(clock: Clock) -> str:
    """Return a clock as one line of JSON.

    Keys: `control` (with its `kind`), `black`, `white` (the fields of `SideTime`), `t_s`,
    `running` ("B", "W" or null), `is_paused`, `flag` (null or `t_s` and `color`),
    `is_press_pending`. A reader lets `running`'s time pass from `t_s` on unless paused.
    """
    kind = next(name for name, control in _KINDS.items() if isinstance(clock.control, control))
    flag = clock.flag
    return json.dumps(
        {
            "control": {"kind": kind, **_plain(asdict(clock.control))},
            "black": asdict(clock.black),
            "white": asdict(clock.white),
            "t_s": clock.t_s,
            "running": None if clock.running is None else clock.running.value,
            "is_paused": clock.is_paused,
            "flag": None if flag is None else {"t_s": flag.t_s, "color": flag.color.value},
            "is_press_pending": clock.is_press_pending,
        },
        separators=(",", ":"),
    )


def parse_state(text: str) -> Clock:
    """Return the clock of a JSON text, the inverse of `format_state`.

    Raises
    ------
    ClockStateError
        The text is no such JSON, or describes no possible clock.
    """
    try:
        return _clock(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ClockStateError(
            f"expected the state of a clock, got {text[:80]!r}: {error}"
        ) from error


def _clock(data: Any) -> Clock:
    flag = data["flag"]
    return Clock(
        _control(dict(data["control"])),
        SideTime(**data["black"]),
        SideTime(**data["white"]),
        t_s=float(data["t_s"]),
        running=None if data["running"] is None else Color(data["running"]),
        is_paused=bool(data["is_paused"]),
        flag=None if flag is None else Flag(float(flag["t_s"]), Color(flag["color"])),
        is_press_pending=bool(data.get("is_press_pending", False)),
    )


def _control(data: dict[str, Any]) -> Control:
    kind = _KINDS.get(data.pop("kind"))
    if kind is None:
        raise ClockError(f"kind must be one of {', '.join(_KINDS)}")
    if "announcer" in data:
        data["announcer"] = Announcer(data["announcer"])
    return kind(**data)


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {k: v.value if isinstance(v, Announcer) else v for k, v in values.items()}

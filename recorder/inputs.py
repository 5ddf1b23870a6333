"""Clock presses and words of the players that come beside a video, from a file of JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from recorder.case_files import CaseError, Fields
from recorder.observations import (
    AgreeEnd,
    Claim,
    ClockPress,
    ColorsSwapped,
    Consent,
    Content,
    Dispute,
    Observation,
    Pass,
    ProposeEnd,
    Resign,
    Resume,
    Tick,
)

LARGEST = 25
"""Points are checked against the largest goban until the size of the real one is known."""


class InputsError(ValueError):
    """A file of inputs that cannot be read; the message names the line and what was expected."""


def _resume(fields: Fields, size: int) -> Content:
    return Resume(fields.color("first") if "first" in fields else None)


def _dispute(fields: Fields, size: int) -> Content:
    points = tuple(fields.points("about", size))
    claim = fields.choice("claim", ("dead", "alive"), "dead")
    return Dispute(fields.color("by"), points, claim)


def _swapped(fields: Fields, size: int) -> Content:
    return ColorsSwapped(fields.color("by") if "by" in fields else None)


EVENTS: Mapping[str, Callable[[Fields, int], Content]] = {
    "claim": lambda fields, size: Claim(fields.color("by"), fields.text("about")),
    "consent": lambda fields, size: Consent(fields.color("by"), fields.text("about")),
    "propose-end": lambda fields, size: ProposeEnd(fields.color("by")),
    "agree-end": lambda fields, size: AgreeEnd(fields.color("by")),
    "dispute": _dispute,
    "resume": _resume,
    "colors-swapped-reported": _swapped,
}
"""What can stand under "event"."""


def parse_input(fields: Fields, size: int) -> Observation:
    """Return the observation of one entry; raise `CaseError` naming the place where it is wrong."""
    t_s = fields.number("t")
    if "clock_press" in fields:
        return Observation(t_s, ClockPress(fields.color("clock_press")))
    if "pass" in fields:
        return Observation(t_s, Pass(fields.color("pass")))
    if "resign" in fields:
        return Observation(t_s, Resign(fields.color("resign")))
    if "event" in fields:
        return Observation(t_s, EVENTS[fields.choice("event", EVENTS)](fields, size))
    if fields.unknown(("t", "note")):
        raise CaseError(f"{fields.place}: one of clock_press, pass, resign, event was expected")
    return Observation(t_s, Tick())


class Inputs:
    """The entries of a file, each handed out once when its time has come."""

    def __init__(self, entries: Sequence[Fields]) -> None:
        """Take checked entries in any order; those of one time stay in theirs."""
        self._left = sorted(entries, key=lambda fields: fields.number("t"))

    def until(self, t_s: float, size: int) -> tuple[Observation, ...]:
        """Return the observations up to a time, on a goban of a size."""
        count = sum(1 for fields in self._left if fields.number("t") <= t_s)
        due, self._left = self._left[:count], self._left[count:]
        return tuple(parse_input(fields, size) for fields in due)


def read_inputs(path: Path) -> Inputs:
    """Return the entries of a file, all of them checked.

    Raises
    ------
    InputsError
        The file cannot be read, or a line is no entry.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputsError(f"{path}: {error}") from error
    entries = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            fields = _fields(line, f"{path}, line {number}")
            try:
                parse_input(fields, LARGEST)
            except CaseError as error:
                raise InputsError(str(error)) from error
            entries.append(fields)
    return Inputs(entries)


def _fields(line: str, place: str) -> Fields:
    try:
        values = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputsError(f"{place}: JSON was expected: {error}") from error
    if not isinstance(values, dict):
        raise InputsError(f"{place}: an object was expected, got {line.strip()[:40]!r}")
    return Fields(values, place)

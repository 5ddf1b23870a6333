"""Clock presses and words of the players that come beside a video, from a file of JSON lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from recorder.observations import Observation, Tick
from recorder.scenario import Node, ScenarioError, said

LARGEST = 25
"""Points are checked against the largest goban until the size of the real one is known."""

FIELDS = ("clock_press", "pass", "resign", "event")


class InputsError(ValueError):
    """A file of inputs that cannot be read; the message names the line and what was expected."""


def parse_input(entry: Node, size: int) -> tuple[Observation, ...]:
    """Return the observations of one entry; raise `ScenarioError` naming what is wrong in it."""
    t_s = entry.need("t").number()
    contents = said(entry, size)
    if not contents and not set(entry.object()) <= {"t", "note"}:
        raise entry.fail(f"an entry with one of {', '.join(FIELDS)}")
    return tuple(Observation(t_s, content) for content in contents or [Tick()])


class Inputs:
    """The entries of a file, each handed out once when its time has come."""

    def __init__(self, entries: Sequence[Node]) -> None:
        """Take checked entries in any order; those of one time stay in theirs."""
        self._left = sorted(entries, key=lambda entry: entry.need("t").number())

    def until(self, t_s: float, size: int) -> tuple[Observation, ...]:
        """Return the observations up to a time, on a goban of a size."""
        count = sum(1 for entry in self._left if entry.need("t").number() <= t_s)
        due, self._left = self._left[:count], self._left[count:]
        return tuple(observation for entry in due for observation in parse_input(entry, size))


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
            entry = _entry(line, f"{path}, line {number}")
            try:
                parse_input(entry, LARGEST)
            except ScenarioError as error:
                raise InputsError(str(error)) from error
            entries.append(entry)
    return Inputs(entries)


def _entry(line: str, place: str) -> Node:
    try:
        return Node(json.loads(line), place)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputsError(f"{place}: JSON was expected: {error}") from error

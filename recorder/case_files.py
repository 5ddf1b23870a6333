"""**I/O**: case files of `count` and `clock`: JSON read with the place of every fault."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recorder.goban import Color, GobanError, Point, parse_vertex

LARGEST = 1e7
"""No time in a case is longer than some months."""

MOST = 10_000
"""Nothing in a case is counted further."""


class CaseError(ValueError):
    """A case file that does not say what it must; the message names the place."""


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object and where it stands; reading a field that is missing or wrong raises."""

    values: Mapping[str, Any]
    place: str

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def fault(self, name: str, expected: str) -> CaseError:
        """Return the exception that says what was expected of a field."""
        if name not in self.values:
            return CaseError(f"{self.place}: {name} is missing, it must be {expected}")
        return CaseError(f"{self.place}: {name} must be {expected}, got {self.values[name]!r}")

    def unknown(self, known: Iterable[str]) -> list[str]:
        """Return the names of fields that nothing will read."""
        return sorted(set(self.values) - set(known))

    def number(self, name: str, default: float | None = None, *, minimum: float = 0.0) -> float:
        """Return a number in `minimum`-`LARGEST`."""
        value = self.values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.fault(name, "a number")
        if not minimum <= value <= LARGEST:
            raise self.fault(name, f"a number in {minimum:g}-{LARGEST:g}")
        return float(value)

    def integer(self, name: str, default: int | None = None, *, minimum: int = 0) -> int:
        """Return a whole number in `minimum`-`MOST`."""
        value = self.number(name, default, minimum=minimum)
        if value != int(value) or value > MOST:
            raise self.fault(name, f"a whole number in {minimum}-{MOST}")
        return int(value)

    def truth(self, name: str, *, default: bool) -> bool:
        """Return a JSON truth value."""
        value = self.values.get(name, default)
        if not isinstance(value, bool):
            raise self.fault(name, "true or false")
        return value

    def choice(self, name: str, choices: Iterable[str], default: str | None = None) -> str:
        """Return one of some texts."""
        value, allowed = self.values.get(name, default), list(choices)
        if value not in allowed:
            raise self.fault(name, "one of " + ", ".join(allowed))
        return str(value)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text."""
        value = self.values.get(name, default)
        if not isinstance(value, str):
            raise self.fault(name, "a text")
        return value

    def color(self, name: str) -> Color:
        """Return a color written "B" or "W"."""
        return Color(self.choice(name, [color.value for color in Color]))

    def points(self, name: str, size: int, default: list[str] | None = None) -> list[Point]:
        """Return a list of GTP vertices as points of a goban."""
        value = self.values.get(name, default)
        if not isinstance(value, list):
            raise self.fault(name, "a list of points such as Q16")
        points = []
        for i, vertex in enumerate(value):
            if not isinstance(vertex, str):
                raise CaseError(f"{self.place}: {name}[{i}] must be a point, got {vertex!r}")
            try:
                points.append(parse_vertex(vertex, size))
            except GobanError as error:
                raise CaseError(f"{self.place}: {name}[{i}]: {error}") from error
        return points

    def fields(self, name: str, default: Mapping[str, Any] | None = None) -> Fields:
        """Return an object inside this one."""
        value = self.values.get(name, default)
        if not isinstance(value, dict):
            raise self.fault(name, "an object")
        return Fields(value, f"{self.place}, {name}")

    def rows(self, name: str) -> Iterator[Fields]:
        """Iterate over a list of objects."""
        value = self.values.get(name)
        if not isinstance(value, list):
            raise self.fault(name, "a list of objects")
        for i, row in enumerate(value):
            if not isinstance(row, dict):
                raise CaseError(f"{self.place}: {name}[{i}] must be an object, got {row!r}")
            yield Fields(row, f"{self.place}, {name}[{i}]")


def load_cases(path: Path) -> list[Fields]:
    """Return the cases of a file `{"cases": [...]}`, each with its id in its place.

    Raises `CaseError` for a file that cannot be read, is no JSON or has no list of cases.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(f"{path}: a UTF-8 file of cases was expected: {error}") from error
    try:
        whole = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise CaseError(f"{path}: JSON was expected: {error}") from error
    if not isinstance(whole, dict):
        raise CaseError(f'{path}: an object {{"cases": [...]}} was expected')
    cases = []
    for row in Fields(whole, str(path)).rows("cases"):
        name = row.text("id")
        cases.append(Fields(row.values, f"{path.name}, {name}"))
    return cases


def plain_number(value: float) -> int | float:
    """Return a number as people write it: whole where it is whole, else to a thousandth."""
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded

"""Reads a TOML file into frozen dataclasses, one a table; every mistake is named at once."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

T = TypeVar("T")


class SettingsError(ValueError):
    """A file of settings that cannot be used; one line for each mistake."""


@dataclass(frozen=True, slots=True)
class Range:
    """What a number may be."""

    low: float
    high: float
    unit: str = ""

    def fault(self, value: Any) -> str | None:
        """Return what was expected if a value does not fit."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return None if is_number and self.low <= value <= self.high else f"a number in {self}"

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}" + (f" {self.unit}" if self.unit else "")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a text may be."""

    words: tuple[str, ...]

    def fault(self, value: Any) -> str | None:
        """Return what was expected if a value does not fit."""
        return None if value in self.words else f"one of {', '.join(self.words)}"

    def __str__(self) -> str:
        return ", ".join(self.words)


def number(default: float, low: float, high: float, unit: str = "") -> Any:
    """Return a field for a number within a range."""
    return field(default=default, metadata={"allowed": Range(low, high, unit)})


def one_of(default: str, *words: str) -> Any:
    """Return a field for one of some words."""
    return field(default=default, metadata={"allowed": Choice(words)})


def read_settings(path: Path, kind: type[T]) -> T:
    """Return the settings of a file; what it does not name has its default.

    `kind` is a dataclass whose fields are dataclasses, one for each table of the file.

    Raises
    ------
    SettingsError
        The file cannot be read, is no TOML, or holds an unknown key or a value that does not fit.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error
    try:
        return parse_settings(text, kind)
    except SettingsError as error:
        lines = "\n".join(f"{path}: {line}" for line in str(error).splitlines())
        raise SettingsError(lines) from error


def parse_settings(text: str, kind: type[T]) -> T:
    """Return the settings that a TOML text holds, as `read_settings` does."""
    try:
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"this is no TOML: {error}") from error
    hints = get_type_hints(kind)
    faults = [
        f"there is no table [{name}]{_suggest(name, hints)}" for name in tables if name not in hints
    ]
    values = {}
    for name, section in hints.items():
        table = tables.get(name, {})
        if not isinstance(table, dict):
            faults.append(f"{name} must be a table [{name}], got {table!r}")
            continue
        found = list(_faults(name, table, section))
        faults += found
        values[name] = {} if found else _converted(table, section)
    if faults:
        raise SettingsError("\n".join(faults))
    return kind(**{name: section(**values[name]) for name, section in hints.items()})


def _faults(name: str, table: Mapping[str, Any], section: type) -> Iterator[str]:
    known = {f.name: f for f in fields(section)}
    hints = get_type_hints(section)
    for key, value in table.items():
        if key not in known:
            yield f"[{name}] has no setting {key}{_suggest(key, known)}"
            continue
        expected = _expected(known[key], hints[key], value)
        if expected is not None:
            yield f"[{name}] {key} must be {expected}, got {value!r}"


def _suggest(name: str, known: Mapping[str, object]) -> str:
    close = get_close_matches(name, known, 1, 0.5)
    return f"; did you mean {close[0]}?" if close else f"; there are {', '.join(known)}"


def _expected(setting: Field[Any], hint: Any, value: Any) -> str | None:
    """Return what a value should have been, None if it is."""
    allowed = setting.metadata.get("allowed")
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if hint is bool and not isinstance(value, bool):
        return "true or false"
    if hint is int and not is_whole:
        return f"a whole number in {allowed}"
    if hint in (str, Path, Path | None) and not (isinstance(value, str) and value.isprintable()):
        return "a text of one line"
    if hint == tuple[int, ...]:
        return None if _is_list(value, allowed) else f"a list of whole numbers in {allowed}"
    if allowed is None:
        return None
    fault: str | None = allowed.fault(value)
    return fault


def _is_list(value: Any, allowed: Any) -> bool:
    is_list = isinstance(value, list) and bool(value)
    return is_list and all(isinstance(v, int) and allowed.fault(v) is None for v in value)


def _converted(table: Mapping[str, Any], section: type) -> dict[str, Any]:
    hints = get_type_hints(section)
    return {key: _convert(value, hints[key]) for key, value in table.items()}


def _convert(value: Any, hint: Any) -> Any:
    if hint in (Path, Path | None):
        return Path(value) if value else None
    if hint == tuple[int, ...]:
        return tuple(value)
    return float(value) if hint in (float, float | None) else value


def format_settings(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Return tables of plain values as TOML."""
    parts = (
        "\n".join([f"[{name}]", *(f"{key} = {_format(value)}" for key, value in table.items()), ""])
        for name, table in tables.items()
    )
    return "\n".join(parts)


def _format(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_format, value)) + "]"
    # What JSON escapes in a text of one line, TOML reads alike.
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)

"""The settings of a hub: one TOML file, described in docs/hall.md."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from recorder.hall.subjects import HallNameError, checked
from recorder.settings import SettingsError, number, one_of, read_settings

MOST_BOARDS = 1000
_RANGE = re.compile(r"([A-Za-z-]*)(\d{1,4})\s*-\s*\1?(\d{1,4})")


@dataclass(frozen=True, slots=True)
class HubSection:
    """[hub]: the event and its boards."""

    event: str = "event"
    title: str = ""
    name: str = "hub"
    folder: Path = Path("/var/lib/banmen-hub")
    boards: str = "1-20"
    sections: str = ""
    role: str = one_of("whole", "whole", "pages")


@dataclass(frozen=True, slots=True)
class ServerSection:
    """[server]: the message server; without an address the hub starts its own."""

    url: str = ""
    listen: str = "127.0.0.1:4222"
    credentials: Path | None = None
    replicas: int = number(1, 1, 5)
    keep_days: float = number(7.0, 0.1, 365, "days")
    keep_mb: int = number(2048, 16, 1_000_000, "MB")


@dataclass(frozen=True, slots=True)
class PageSection:
    """[page]: where the pages are, and what the public sees."""

    host: str = "127.0.0.1"
    port: int = number(8090, 0, 65535)
    delay_s: float = number(0.0, 0, 86400, "s")
    delay_moves: int = number(0, 0, 400, "moves")
    viewers: int = number(500, 1, 5000)


@dataclass(frozen=True, slots=True)
class HubConfig:
    """All settings of a hub."""

    hub: HubSection = HubSection()
    server: ServerSection = ServerSection()
    page: PageSection = PageSection()


def read_hub_config(path: Path) -> HubConfig:
    """Return the settings of a file; raise `SettingsError` with a line for each mistake."""
    config = read_settings(path, HubConfig)
    check(config)
    return config


def check(config: HubConfig) -> None:
    """Raise `SettingsError` for what no single value shows."""
    try:
        checked(config.hub.event, "event")
        checked(config.hub.name, "name")
        names = parse_boards(config.hub.boards)
        sections = parse_sections(config.hub.sections)
    except (HallNameError, SettingsError) as error:
        raise SettingsError(f"[hub] {error}") from error
    strange = {name for part in sections.values() for name in part} - set(names)
    if strange:
        raise SettingsError(f"[hub] sections name boards that there are not: {sorted(strange)}")
    parse_listen(config.server.listen)


def parse_boards(text: str) -> tuple[str, ...]:
    """Return the boards of a text like "1-20, A1-A4, final"; raise `SettingsError`."""
    names: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        found = _RANGE.fullmatch(part)
        if found is None:
            names.append(part)
            continue
        letters, first, last = found[1], int(found[2]), int(found[3])
        names += [f"{letters}{n}" for n in range(first, last + 1)]
    if not 1 <= len(names) <= MOST_BOARDS or len(set(names)) < len(names):
        raise SettingsError(f"boards must be 1 to {MOST_BOARDS} different names, got {text!r}")
    try:
        return tuple(checked(name, "a board") for name in names)
    except HallNameError as error:
        raise SettingsError(str(error)) from error


def parse_sections(text: str) -> Mapping[str, tuple[str, ...]]:
    """Return the boards of each section of a text like "Upper: 1-10; Lower: 11-20"."""
    sections = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, colon, boards = part.partition(":")
        if not colon or not name.strip():
            raise SettingsError(f"sections must be like 'A: 1-10; B: 11-20', got {part!r}")
        sections[name.strip()] = parse_boards(boards)
    return sections


def parse_listen(text: str) -> tuple[str, int]:
    """Return host and port of an address; raise `SettingsError`."""
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdigit() or not 0 < int(port) < 65536:
        raise SettingsError(f"[server] listen must be HOST:PORT, got {text!r}")
    return host, int(port)

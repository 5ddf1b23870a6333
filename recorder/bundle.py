"""One file of a game for a bug report: log, tape, pictures of some moves, versions; no secrets."""

from __future__ import annotations

import json
import platform
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from recorder.pictures import EVIDENCE

PACKAGES = ("banmen", "opencv-python-headless", "numpy", "onnxruntime", "flask", "waitress")

FILES = ("game.sgf", "events.jsonl", "game.db", "readings*.tape")
"""What of a game's folder is always in it."""

_PASSWORD = re.compile(r"//[^/@]*@")

AROUND = 3
"""Pictures of so many moves before and after the one in question."""


Tables = Mapping[str, Mapping[str, Any]]


def write_bundle(
    game: Path,
    path: Path,
    *,
    move: int | None = None,
    settings: Tables | None = None,
    log: Path | None = None,
) -> tuple[str, ...]:
    """Write a zip file of a game; return the names in it.

    Parameters
    ----------
    game
        The game's folder.
    move
        Pictures of the moves around this one, and of all alerts; None: of alerts only.
    settings
        As plain values, like `config.as_tables` gives them.
    log
        The game's log, if it is not in its folder.
    """
    names = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for file in sorted(_files(game, move)):
            names.append(str(file.relative_to(game)))
            bundle.write(file, names[-1])
        if log is not None:
            names.append("game.db")
            bundle.write(log, names[-1])
        told = without_passwords(settings or {})
        about = {"versions": versions(), "settings": told, "move": move}
        bundle.writestr("about.json", json.dumps(about, indent=1, default=str))
    return (*names, "about.json")


def _files(game: Path, move: int | None) -> Iterator[Path]:
    for pattern in FILES:
        yield from game.glob(pattern)
    folders = [*(game / EVIDENCE).glob("alert-*"), *(game / EVIDENCE).glob("clip-*")]
    if move is not None:
        numbers = range(max(1, move - AROUND), move + AROUND + 1)
        folders += [game / EVIDENCE / f"move-{number:04d}" for number in numbers]
    for folder in folders:
        yield from (path for path in folder.glob("*") if path.is_file())


def without_passwords(settings: Tables) -> dict[str, dict[str, Any]]:
    """Return settings without what stands before the @ of an address."""
    return {
        name: {
            key: _PASSWORD.sub("//***@", value) if isinstance(value, str) else value
            for key, value in table.items()
        }
        for name, table in settings.items()
    }


def versions() -> dict[str, str]:
    """Return what runs here: program, libraries, Python, machine."""
    found = {"python": sys.version.split()[0], "machine": platform.platform()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found

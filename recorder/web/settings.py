"""What the operator sets at the desk and a restart must not forget: the public's delay."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recorder.files import write_atomically
from recorder.public import Delay, DelayError

FILE_NAME = "page.json"


class SettingsError(ValueError):
    """A file of settings that cannot be read."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the desk has set."""

    delay: Delay


def format_delay(delay: Delay) -> dict[str, Any]:
    """Return a delay as JSON fields."""
    return {"seconds": delay.seconds, "moves": delay.moves}


def save_settings(path: Path, settings: Settings) -> None:
    """Write the settings; at every moment the old or the new ones are there, whole."""
    text = json.dumps({"version": 1, "delay": format_delay(settings.delay)})
    write_atomically(path, text.encode())


def load_settings(path: Path, default: Settings) -> Settings:
    """Return the settings of a file, the default if there is none.

    Raises
    ------
    SettingsError
        The file is there and holds something else: guessing a delay could show too much.
    """
    if not path.exists():
        return default
    try:
        delay = json.loads(path.read_text(encoding="utf-8"))["delay"]
        return Settings(Delay(float(delay["seconds"]), int(delay["moves"])))
    except (ValueError, KeyError, TypeError, DelayError) as error:
        raise SettingsError(f"{path} holds no settings of the pages: {error!r}") from error

"""What the device says about itself: disk, clock, temperature, power. Read when asked."""

from __future__ import annotations

import subprocess
from pathlib import Path

from calibration.check import SystemFacts
from recorder.pictures import free_bytes

THERMAL = Path("/sys/class/thermal")
CLOCK_SET = Path("/run/systemd/timesync/synchronized")
"""systemd-timesyncd makes this file once the clock has been set from the network."""

ANSWER_S = 3.0
"""A tool that does not answer for so long is not waited for."""

NOW_BITS, SINCE_BITS = 0xF, 0xF0000
"""Of `vcgencmd get_throttled`: under-voltage, capped, throttled, hot; now and since the start."""


def read_facts(
    folder: Path, *, thermal: Path = THERMAL, clock_set: Path = CLOCK_SET
) -> SystemFacts:
    """Return what this device tells; what it does not tell is None.

    Parameters
    ----------
    folder
        Where the game will be written.
    """
    throttled = _throttled()
    return SystemFacts(
        free_disk_bytes=_free_bytes(folder),
        is_clock_set=_is_clock_set(clock_set),
        temperature_c=temperature_c(thermal),
        is_throttled_now=None if throttled is None else bool(throttled & NOW_BITS),
        was_throttled=None if throttled is None else bool(throttled & SINCE_BITS),
    )


def _free_bytes(folder: Path) -> int | None:
    try:
        return free_bytes(folder)
    except OSError:
        return None


def _is_clock_set(clock_set: Path) -> bool | None:
    if clock_set.exists():
        return True
    answer = _answer("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return None if answer not in ("yes", "no") else answer == "yes"


def temperature_c(thermal: Path = THERMAL) -> float | None:
    """Return the hottest of the device's sensors, None where nobody knows."""
    found = []
    for path in sorted(thermal.glob("thermal_zone*/temp")):
        try:
            found.append(int(path.read_text()) / 1000)
        except (OSError, ValueError):
            # Some sensors cannot be read while they sleep; the others tell enough.
            continue
    return max(found, default=None)


def _throttled() -> int | None:
    answer = _answer("vcgencmd", "get_throttled")
    if answer is None or "=" not in answer:
        return None
    return parse_throttled(answer)


def parse_throttled(text: str) -> int | None:
    """Return the bits of `throttled=0x50000`, None if it says something else."""
    try:
        return int(text.partition("=")[2], 16)
    except ValueError:
        return None


def _answer(*command: str) -> str | None:
    """Return what a tool of the system prints, None if there is none or it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=ANSWER_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()

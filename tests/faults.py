"""Starts and watches recorders for the fault tests and bench/kills.py."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fault_recorder import game_of

from recorder.commands.serving import DEVICE_LOG, GAMES
from recorder.gamelog import GameLog
from recorder.goban import Color, Point
from recorder.sgf import read_sgf

HERE = Path(__file__).parent
PATIENCE_S = 120.0
"""A machine that does other things too is slow; nothing is measured with this."""


@dataclass
class Running:
    """A recorder in a process of its own, and what it has said so far."""

    process: subprocess.Popen[str]
    begun_s: float
    lines: list[str] = field(default_factory=list)
    _queue: queue.Queue[str | None] = field(default_factory=queue.Queue)
    address: str = ""

    def __post_init__(self) -> None:
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._queue.put(line.rstrip())
        self._queue.put(None)

    def wait_for(self, pattern: str, *, count: int = 1) -> str:
        """Return the line that is the next, or the count-th next, to match."""
        end_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                line = self._queue.get(timeout=max(0.1, end_s - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no {pattern!r} in time after {self.lines[-20:]}") from None
            assert line is not None, f"it ended before {pattern!r}: {self.lines[-20:]}"
            self.lines.append(line)
            if re.search(pattern, line):
                count -= 1
                if count == 0:
                    return line

    def wait_until_served(self) -> None:
        """Wait for the pages."""
        self.address = self.wait_for("pages are on").split()[-1]

    def health(self) -> tuple[int, dict[str, Any]]:
        """Return what /healthz says."""
        try:
            with urllib.request.urlopen(f"{self.address}healthz", timeout=PATIENCE_S) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def wait_for_health(self, status: int, reason: str = "") -> float:
        """Wait until /healthz says so; return the seconds since the start of the process."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            found, body = self.health()
            if found == status and reason in " ".join(body.get("reasons", [])):
                return time.monotonic() - self.begun_s
            assert self.process.poll() is None, self.lines[-20:]
            threading.Event().wait(0.05)
        raise AssertionError(f"health never was {status} {reason}: {self.health()}")

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal; return the exit code, after every line has been read."""
        self.process.send_signal(number)
        while (line := self._queue.get(timeout=PATIENCE_S)) is not None:
            self.lines.append(line)
        return self.process.wait(PATIENCE_S)

    @property
    def acknowledged(self) -> int:
        """The highest number of a row that others were told of."""
        rows = [int(line.split()[1]) for line in self.lines if line.startswith("row ")]
        return max(rows, default=0)


def start(steering: Path, folder: Path, *words: str, **plan: Any) -> Running:
    """Start a recorder whose files are in a folder; files in `steering` rule its world."""
    steering.mkdir(parents=True, exist_ok=True)
    settings = steering / "banmen.toml"
    if not settings.exists():
        write_settings(settings)
    plan = {"folder": str(steering), **plan}
    command = [sys.executable, str(HERE / "fault_recorder.py"), json.dumps(plan)]
    process = subprocess.Popen(
        [*command, "--config", str(settings), "--folder", str(folder), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent)])},
    )
    return Running(process, time.monotonic())


def write_settings(path: Path, **evidence: float) -> None:
    """Write settings for a page on this machine and given limits of the pictures."""
    limits = "".join(f"{key} = {value}\n" for key, value in evidence.items())
    path.write_text(f'[page]\nhost = "127.0.0.1"\nport = 0\n[evidence]\n{limits}')


def check_log(folder: Path) -> int:
    """Return the last number of the log; fail if rows are missing in it."""
    with GameLog(folder / DEVICE_LOG) as log:
        log.check()
        numbers = [row.number for row in log.rows()]
    assert numbers == list(range(1, len(numbers) + 1))
    return len(numbers)


def games_of(folder: Path) -> list[Path]:
    """Return the folders of the games."""
    return sorted((folder / GAMES).iterdir()) if (folder / GAMES).is_dir() else []


def moves_of(game: Path) -> list[tuple[Color, Point | None]]:
    """Return the moves of a game's SGF, which must be whole."""
    record = read_sgf((game / "game.sgf").read_bytes())
    return [(played.move.color, played.move.point) for played in record.moves]


def true_moves(count: int) -> list[tuple[Color, Point]]:
    """Return what was played before the camera."""
    return [(stone.color, stone.point) for stone in game_of(count)]

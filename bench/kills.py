"""Kill a recorder again and again at random moments of one game; nothing acknowledged may be lost.

The recorder is `banmen serve` in a process of its own; only its frames are made (tests/
fault_recorder.py). Each process is forked from one that has imported everything, so that the kills
fall into play and not into imports; some are started from nothing, to know how long that takes.
After each kill the log must be whole and hold every row that anybody was told of, and every game's
SGF must be whole. In the end the record must be what was played.

    PYTHONPATH=tests python bench/kills.py --kills 200
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

import fault_recorder
from faults import (
    Running,
    check_log,
    games_of,
    moves_of,
    start,
    true_moves,
    write_settings,
)

STONES = 180
COLD_STARTS = 5


class Forked:
    """A process forked from this one, with what `faults.Running` asks of a process."""

    def __init__(self, words: list[str]) -> None:
        read, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.dup2(write, 1)
            os.dup2(write, 2)
            sys.argv = words
            # A killed process must not come back into this program.
            os._exit(fault_recorder.main())
        os.close(write)
        self.stdout = os.fdopen(read, encoding="utf-8")
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Return the exit code once it has ended."""
        end_s = time.monotonic() + timeout
        while self.poll() is None and time.monotonic() < end_s:
            time.sleep(0.01)
        return -1 if self.returncode is None else self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal."""
        os.kill(self.pid, number)


def fork(steering: Path, folder: Path) -> Running:
    """Start a recorder without importing anything again."""
    plan = json.dumps({"folder": str(steering), "stones": STONES})
    settings = steering / "banmen.toml"
    words = ["recorder", plan, "--config", str(settings), "--folder", str(folder)]
    return Running(Forked(words), time.monotonic())  # type: ignore[arg-type]


def main() -> int:
    """Print what was found; exit code 1 if anything was lost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after so long")
    arguments = parser.parse_args()
    choose = random.Random(arguments.seed)
    lost = torn = 0
    restarts_s, cold_s = [], []
    end_s = time.monotonic() + 60 * arguments.minutes
    with tempfile.TemporaryDirectory() as name:
        steering, folder = Path(name) / "steering", Path(name) / "device"
        steering.mkdir()
        write_settings(steering / "banmen.toml")
        first = fork(steering, folder)
        first.wait_for("GameStarted")
        first.end(signal.SIGKILL)
        for number in range(arguments.kills):
            if number % 20 == 0:
                print(f"{number} kills", file=sys.stderr, flush=True)
            if time.monotonic() > end_s:
                break
            is_cold = number % max(2, arguments.kills // COLD_STARTS) == 1
            running = start(steering, folder, stones=STONES) if is_cold else fork(steering, folder)
            running.wait_until_served()
            (cold_s if is_cold else restarts_s).append(running.wait_for_health(200))
            if number % 2:
                running.wait_for("row ")
            threading.Event().wait(choose.random())
            running.end(signal.SIGKILL)
            lost += max(0, running.acknowledged - check_log(folder))
            for game in games_of(folder):
                try:
                    moves_of(game)
                except ValueError as error:
                    torn += 1
                    print(f"kill {number}: {game}: {error}")
        running = fork(steering, folder)
        running.wait_for("after the restart")
        running.end()
        games = games_of(folder)
        found = moves_of(games[0])
        rows = check_log(folder)
    is_right = len(games) == 1 and found == true_moves(STONES)[: len(found)]
    restarts_s.sort()
    kills = len(restarts_s) + len(cold_s)
    print(
        f"{kills} kills in one game of {len(found)} moves, {rows} rows:"
        f" {lost} acknowledged rows lost, {torn} torn SGFs, games {len(games)},"
        f" record {'right' if is_right else 'WRONG'};"
        f" start to first fresh frame median {median(restarts_s):.1f} s,"
        f" longest {restarts_s[-1]:.1f} s;"
        f" with all imports {', '.join(f'{s:.1f}' for s in cold_s)} s"
    )
    return 0 if is_right and not lost and not torn else 1


if __name__ == "__main__":
    sys.exit(main())

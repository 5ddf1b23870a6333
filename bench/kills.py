"""Kill a recorder again and again at random moments of one game; nothing acknowledged may be lost.

The recorder is `banmen serve` in a process of its own; only its frames are made (tests/
fault_recorder.py). After each kill the log must be whole and hold every row that anybody was told
of, and every game's SGF must be whole. In the end the record must be what was played.

    PYTHONPATH=tests python bench/kills.py --kills 200
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

from faults import check_log, games_of, moves_of, start, true_moves

STONES = 180


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
    restarts_s = []
    end_s = time.monotonic() + 60 * arguments.minutes
    with tempfile.TemporaryDirectory() as name:
        steering, folder = Path(name) / "steering", Path(name) / "device"
        for number in range(arguments.kills):
            if time.monotonic() > end_s:
                break
            running = start(steering, folder, stones=STONES)
            running.wait_until_served()
            restarts_s.append(running.wait_for_health(200))
            threading.Event().wait(choose.random() * 1.5)
            running.end(signal.SIGKILL)
            lost += max(0, running.acknowledged - check_log(folder))
            for game in games_of(folder):
                try:
                    moves_of(game)
                except ValueError as error:
                    torn += 1
                    print(f"kill {number}: {game}: {error}")
        running = start(steering, folder, stones=STONES)
        running.wait_for("after the restart")
        running.end()
        games = games_of(folder)
        found = moves_of(games[0])
        rows = check_log(folder)
    is_right = len(games) == 1 and found == true_moves(STONES)[: len(found)]
    restarts_s.sort()
    print(
        f"{len(restarts_s)} kills in one game of {len(found)} moves, {rows} rows:"
        f" {lost} acknowledged rows lost, {torn} torn SGFs, games {len(games)},"
        f" record {'right' if is_right else 'WRONG'};"
        f" start to first fresh frame median {median(restarts_s):.1f} s,"
        f" longest {restarts_s[-1]:.1f} s"
    )
    return 0 if is_right and not lost and not torn else 1


if __name__ == "__main__":
    sys.exit(main())

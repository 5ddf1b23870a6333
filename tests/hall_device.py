"""A device without a camera, as a process of its own: a log that grows, and its publisher.

Usage: hall_device.py FOLDER URL EVENT BOARD GAME RATE

GAME is a file of JSON lines `[observation, [event, ...]]`. Each start goes on where the log ends;
the process ends by itself only when it is told to on its standard input.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from recorder.codec import parse_event, parse_observation
from recorder.gamelog import GameLog
from recorder.hall.link import Credentials, Link, read_credentials
from recorder.hall.publisher import HallPublisher, Pace

QUICK = Pace(look_s=0.05, state_s=0.5, patience_s=1.0, retry_s=0.2)


def main(folder: Path, url: str, event: str, board: str, game: Path, rate: float) -> None:
    """Play on until the game is over, then wait."""
    given = folder / "credentials.json"
    credentials = read_credentials(given) if given.exists() else Credentials()
    with GameLog(folder / "game.db", is_writer=True) as gamelog:
        link = Link(url, event, board, credentials=credentials)
        publisher = HallPublisher(link, folder / "game.db", pace=QUICK)
        publisher.start()
        played = sum(1 for _ in gamelog.observations())
        lines = game.read_text(encoding="utf-8").splitlines()
        for line in lines[played:]:
            due_s = time.monotonic() + 1 / rate
            observation, events = json.loads(line)
            parsed = [parse_event(event) for event in events]
            gamelog.append(f"game-{board}", parse_observation(observation), parsed)
            time.sleep(max(0.0, due_s - time.monotonic()))
        sys.stdin.read()
        publisher.stop()


if __name__ == "__main__":
    _, folder, url, event, board, game, rate = sys.argv
    main(Path(folder), url, event, board, Path(game), float(rate))

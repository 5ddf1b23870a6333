"""A device without a camera, as a process of its own: a log that grows, and its publisher.

Usage: hall_device.py FOLDER URL EVENT BOARD GAME RATE

GAME is a file of JSON lines `[observation, [event, ...]]`. Each start goes on where the log ends;
with each line of its standard input it plays what the file has got meanwhile.
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
    """Play the game, then wait for more of it."""
    given = folder / "credentials.json"
    credentials = read_credentials(given) if given.exists() else Credentials()
    with GameLog(folder / "game.db", is_writer=True) as gamelog:
        link = Link(url, event, board, credentials=credentials)
        publisher = HallPublisher(link, folder / "game.db", pace=QUICK)
        publisher.start()
        play(gamelog, board, game, rate)
        for _ in sys.stdin:
            play(gamelog, board, game, rate)
        publisher.stop()


def play(gamelog: GameLog, board: str, game: Path, rate: float) -> None:
    """Play what the file has and the log has not."""
    played = sum(1 for _ in gamelog.observations())
    for line in game.read_text(encoding="utf-8").splitlines()[played:]:
        due_s = time.monotonic() + 1 / rate
        observation, events = json.loads(line)
        parsed = [parse_event(event) for event in events]
        gamelog.append(f"game-{board}", parse_observation(observation), parsed)
        time.sleep(max(0.0, due_s - time.monotonic()))


if __name__ == "__main__":
    _, folder, url, event, board, game, rate = sys.argv
    main(Path(folder), url, event, board, Path(game), float(rate))

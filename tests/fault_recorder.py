"""A recorder to be killed, starved and misled: `banmen serve` with a world of its own before it.

Everything is the real program but the frames, whose pixels tell what stands on the goban: a game
goes on while the recorder looks, and only then, so that what it must show is known however slow
the machine is.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from synthetic import looking, picture

from recorder import cli
from recorder.commands import serve, serving
from recorder.engine import Known
from recorder.eye import Eye, Look
from recorder.goban import Board, Color, Point, Stone
from recorder.publish import Batch
from vision.types import Frame

SIZE = 19


def game_of(count: int, *, seed: int = 1) -> list[Stone]:
    """Return stones in turn on free points, none of which captures: every other point only."""
    points = [Point(r, c) for r in range(SIZE) for c in range(SIZE) if (r + c) % 2 == 0]
    order = np.random.default_rng(seed).permutation(len(points))[:count]
    return [Stone((Color.BLACK, Color.WHITE)[n % 2], points[p]) for n, p in enumerate(order)]


LOOKS = 14
"""A stone is put down when the goban was looked at so often since the last one."""


class World:
    """A live source: a goban on which stone after stone is put down.

    How many stones stand there is kept in a file, for the recorder that follows.
    """

    is_live = True
    duration_s: float | None = None

    def __init__(self, folder: Path, plan: Mapping[str, Any]) -> None:
        self._counter = folder / "stones.txt"
        self._plan = plan
        self._game = game_of(int(plan.get("stones", 80)))
        self._closing = threading.Event()
        self._looks = 0

    def look(self, eye: Eye, frame: Frame, known: Known | None) -> tuple[Eye, Look]:
        """Read a frame; while a file says so, that takes until it is gone."""
        hold = self._counter.with_name("hold")
        if hold.exists():
            say("within a frame")
            while hold.exists():
                time.sleep(0.01)
        self._looks += 1
        return looking(eye, frame, known)

    def frames(self) -> Iterator[Frame]:
        """Iterate over frames, ten a second."""
        count = int(self._counter.read_text()) if self._counter.exists() else 0
        due, number = self._looks + LOOKS, 0
        while not self._closing.wait(0.08):
            if self._looks >= due and count < len(self._game):
                count += 1
                self._keep(count)
                # With the second stone a game begins; the players think about the third.
                due = self._looks + LOOKS * (3 if count == 2 else 1)
            if self._is_hidden():
                continue
            board = Board(SIZE, self._game[:count])
            yield Frame(picture(board), time.monotonic(), number=number)
            number += 1

    def close(self) -> None:
        """End."""
        self._closing.set()

    def _keep(self, count: int) -> None:
        partial_ = self._counter.with_suffix(".part")
        partial_.write_text(str(count))
        partial_.replace(self._counter)

    def _is_hidden(self) -> bool:
        """Return whether the camera hangs now: a file says so."""
        return self._counter.with_name("stall").exists()


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Acknowledges:
    """Prints the number of every row that others are told of."""

    def publish(self, batch: Batch) -> None:
        """Print them."""
        for record in batch.records:
            say(f"row {record.number} {type(record.event).__name__}")


def main() -> int:
    """Serve: PLAN as JSON, then the words of `banmen serve`; files beside the plan steer it.

    With `is_real` in the plan, the camera is the one that the words name.
    """
    plan = json.loads(sys.argv[1])
    vars(serve).update(Told=Acknowledges)
    if plan.get("is_real"):
        return cli.main(["serve", *sys.argv[2:]])
    world = World(Path(plan["folder"]), plan)

    def service(*parts: Any, **options: Any) -> serving.TableService:
        return serving.TableService(*parts, **{**options, "looking": world.look})

    vars(serve).update(open_source=lambda *names: world, TableService=service)
    return cli.main(["serve", *sys.argv[2:]])


if __name__ == "__main__":
    sys.exit(main())

"""Measure how fast a move reaches many viewers: one event stream each, a move every second."""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.connection import Connection

from recorder.events import GameInfo, GameStarted, Move, MovePlayed, Record
from recorder.game import Game, apply
from recorder.goban import Color, Point
from recorder.publish import Batch
from recorder.web.live import LiveGame
from recorder.web.server import PageServer

GAME_ID = "bench"
COLORS = (Color.BLACK, Color.WHITE)


@dataclass(frozen=True)
class Received:
    """When each viewer read each message: seconds by the machine's monotonic clock."""

    moments: dict[str, list[float]]


async def _view(port: int, ready: asyncio.Event, moments: dict[str, list[float]]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /events HTTP/1.1\r\nHost: bench\r\n\r\n")
    try:
        while line := await reader.readline():
            if line.startswith(b"id: "):
                number = line[4:].strip().decode()
                moments.setdefault(number, []).append(time.monotonic())
                ready.set()
    finally:
        writer.close()


async def _view_all(port: int, viewers: int, pipe: Connection) -> None:
    moments: dict[str, list[float]] = {}
    tasks = []
    for _ in range(viewers):
        ready = asyncio.Event()
        tasks.append(asyncio.create_task(_view(port, ready, moments)))
        await ready.wait()
    pipe.send("ready")
    await asyncio.gather(*tasks, return_exceptions=True)
    pipe.send(Received(moments))


def run_viewers(port: int, viewers: int, pipe: Connection) -> None:
    """Hold the streams until the server ends them, then send what was read when."""
    asyncio.run(_view_all(port, viewers, pipe))


def play(live: LiveGame, moves: int, every_s: float) -> dict[str, float]:
    """Publish moves; return when each message was published."""
    game, published = Game(), {}
    for number in range(moves + 1):
        point = Point((number - 1) // 19 % 19, (number - 1) % 19)
        event = MovePlayed(number, Move(COLORS[(number - 1) % 2], point))
        record_event = GameStarted(GameInfo(), (), Color.BLACK) if number == 0 else event
        game = apply(game, record_event)
        utc = datetime.now(UTC).isoformat()
        record = Record(number + 1, GAME_ID, float(number), utc, record_event)
        moment = time.monotonic()
        live.publish(Batch((record,), game))
        published[live.snapshot().number] = moment
        time.sleep(max(0.0, moment + every_s - time.monotonic()))
    return published


def report(published: dict[str, float], received: Received, viewers: int) -> str:
    """Return the figures as one line."""
    delays, lost = [], 0
    for number, moment in published.items():
        moments = received.moments.get(number, [])
        lost += viewers - len(moments)
        delays += [later - moment for later in moments]
    delays.sort()
    p50, p95, worst = (delays[int(len(delays) * part) - 1] for part in (0.5, 0.95, 1.0))
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return (
        f"viewers {viewers}, moves {len(published) - 1}: delivery p50 {1000 * p50:.0f} ms, "
        f"p95 {1000 * p95:.0f} ms, worst {1000 * worst:.0f} ms, lost {lost}; server "
        f"{usage.ru_maxrss / 1024:.0f} MB, {usage.ru_utime + usage.ru_stime:.1f} s of CPU"
    )


def main(words: Sequence[str] | None = None) -> int:
    """Run the measurement; exit code 1 if an event was lost or p95 is above 250 ms."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=1000)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between moves")
    arguments = parser.parse_args(words)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    live = LiveGame()
    server = PageServer(live, viewers=arguments.viewers)
    port = server.start(port=0)
    here, there = multiprocessing.Pipe()
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=run_viewers, args=(port, arguments.viewers, there))
    process.start()
    here.recv()
    published = play(live, arguments.moves, arguments.every)
    server.stop()
    received = here.recv()
    process.join()
    text = report(published, received, arguments.viewers)
    print(text)
    return 0 if "lost 0" in text else 1


if __name__ == "__main__":
    sys.exit(main())

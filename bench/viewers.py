"""Measure how fast a move reaches many viewers, and what they cost the recognition.

One event stream a viewer, all in another process, and a move every second; with `--video` the same
process recognizes that video at its own rate meanwhile, first without viewers, then with them.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path

from recorder.commands.options import Recording
from recorder.commands.recording import Listeners, paced, record_game
from recorder.events import GameInfo, GameStarted, Move, MovePlayed, Record
from recorder.eye import Look
from recorder.game import Game, apply
from recorder.goban import Color, Point
from recorder.observations import StartGame
from recorder.publish import Batch
from recorder.web.live import LiveGame
from recorder.web.server import PageServer
from vision.camera import VideoFile
from vision.types import Frame

COLORS = (Color.BLACK, Color.WHITE)


@dataclass(frozen=True)
class Received:
    """When each viewer read each message: seconds by the machine's monotonic clock."""

    moments: dict[str, list[float]]


class Camera(VideoFile):
    """A video that is taken for a camera: in real time, and a frame that is not taken is lost."""

    is_live = True

    def frames(self) -> Iterator[Frame]:
        """Iterate over the frames at the times of the video, counted from now."""
        start_s = time.monotonic()
        for frame in paced(super().frames()):
            yield replace(frame, seen_at_s=start_s + frame.seen_at_s)


class Rate:
    """Notes when each frame of a recognition has been read."""

    def __init__(self) -> None:
        self.knows_board = threading.Event()
        self._read: list[tuple[float, float]] = []

    def see(self, frame: Frame, seen: Look) -> None:
        """Take note of a frame and how old it is."""
        now_s = time.monotonic()
        self._read.append((now_s, now_s - frame.seen_at_s))
        if seen.fit is not None:
            self.knows_board.set()

    def report(self, since_s: float, until_s: float) -> str:
        """Return the rate of a stretch, and how old frames were when they had been read."""
        ages = sorted(age_s for moment, age_s in self._read if since_s <= moment < until_s)
        p50, p95 = (1000 * ages[int(len(ages) * part)] for part in (0.5, 0.95))
        rate = len(ages) / (until_s - since_s)
        return f"{rate:.2f} frames a second, read after p50 {p50:.0f} ms, p95 {p95:.0f} ms"


@contextmanager
def recognizing(video: Path) -> Iterator[Rate]:
    """Record a video while in the block, with everything that is written then."""
    source, rate = Camera(video), Rate()
    with tempfile.TemporaryDirectory() as folder:
        job = Recording(str(video), Path(folder) / "game", StartGame(GameInfo()))
        listeners = Listeners(LiveGame(), witnesses=(rate,))
        thread = threading.Thread(target=record_game, args=(job, source, listeners))
        thread.start()
        try:
            rate.knows_board.wait()
            yield rate
        finally:
            source.close()
            thread.join()


class Viewer(asyncio.Protocol):
    """Reads one stream of events; costs little, so that it takes no time from the server."""

    def __init__(self, moments: dict[str, list[float]]) -> None:
        self.ready = asyncio.Event()
        self.over = asyncio.Event()
        self._moments = moments
        self._rest = b""

    def data_received(self, data: bytes) -> None:
        """Note when a message came: a line with its number, a line with its data."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"id: "):
                number = line[4:].decode()
                self._moments.setdefault(number, []).append(time.monotonic())
                self.ready.set()

    def connection_lost(self, fault: Exception | None) -> None:
        """Note the end of the stream."""
        self.over.set()


async def _view_all(port: int, viewers: int, pipe: Connection) -> None:
    moments: dict[str, list[float]] = {}
    everybody = []
    for _ in range(viewers):
        transport, viewer = await asyncio.get_running_loop().create_connection(
            lambda: Viewer(moments), "127.0.0.1", port
        )
        transport.write(b"GET /events HTTP/1.1\r\nHost: bench\r\n\r\n")
        await viewer.ready.wait()
        everybody.append(viewer)
    pipe.send("ready")
    for viewer in everybody:
        await viewer.over.wait()
    pipe.send(Received(moments))


def run_viewers(port: int, viewers: int, pipe: Connection) -> None:
    """Hold the streams until the server ends them, then send what was read when."""
    asyncio.run(_view_all(port, viewers, pipe))


def play(live: LiveGame, game_id: str, moves: int, every_s: float) -> dict[str, float]:
    """Publish a game; return when each message was published."""
    game, published = Game(), {}
    for number in range(moves + 1):
        point = Point((number - 1) // 19 % 19, (number - 1) % 19)
        event = MovePlayed(number, Move(COLORS[(number - 1) % 2], point))
        record_event = GameStarted(GameInfo(), (), Color.BLACK) if number == 0 else event
        game = apply(game, record_event)
        utc = datetime.now(UTC).isoformat()
        record = Record(number + 1, game_id, float(number), utc, record_event)
        moment = time.monotonic()
        live.publish(Batch((record,), game))
        published[live.snapshot().number] = moment
        time.sleep(max(0.0, moment + every_s - time.monotonic()))
    return published


def cpu_s() -> float:
    """Return how long this process has computed."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


@dataclass(frozen=True)
class Stretch:
    """A number of moves that were published."""

    published: dict[str, float]
    """When, by the numbers of their messages."""

    since_s: float
    until_s: float
    cpu_s: float

    def report(self, viewers: int, rate: Rate | None) -> str:
        """Return what serving cost as one line."""
        share = self.cpu_s / (self.until_s - self.since_s)
        told = "" if rate is None else f"; recognition {rate.report(self.since_s, self.until_s)}"
        return f"viewers {viewers}: {share:.0%} of a core{told}"


def play_stretch(live: LiveGame, game_id: str, moves: int, every_s: float) -> Stretch:
    """Publish moves; return when, and what the process computed meanwhile."""
    since_s, before_s = time.monotonic(), cpu_s()
    published = play(live, game_id, moves, every_s)
    return Stretch(published, since_s, time.monotonic(), cpu_s() - before_s)


def report(published: dict[str, float], received: Received, viewers: int) -> str:
    """Return how the messages were delivered as one line."""
    delays, lost = [], 0
    for number, moment in published.items():
        moments = received.moments.get(number, [])
        lost += viewers - len(moments)
        delays += [later - moment for later in moments]
    delays.sort()
    p50, p95, worst = (delays[int(len(delays) * part) - 1] for part in (0.5, 0.95, 1.0))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"viewers {viewers}, moves {len(published) - 1}: delivery p50 {1000 * p50:.0f} ms, "
        f"p95 {1000 * p95:.0f} ms, worst {1000 * worst:.0f} ms, lost {lost}; {memory:.0f} MB"
    )


@contextmanager
def watching(port: int, viewers: int) -> Iterator[Connection]:
    """Let viewers in another process watch while in the block; gives where their report comes."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=run_viewers, args=(port, viewers, there)
    )
    process.start()
    here.recv()
    yield here
    process.join()


def main(words: Sequence[str] | None = None) -> int:
    """Run the measurement; exit code 1 if an event was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=1000)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between moves")
    parser.add_argument("--video", type=Path, help="recognized meanwhile; longer than it all takes")
    arguments = parser.parse_args(words)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    live = LiveGame()
    server = PageServer(live, viewers=arguments.viewers)
    port = server.start(port=0)
    print(f"load {os.getloadavg()[0]:.1f}")
    with nullcontext() if arguments.video is None else recognizing(arguments.video) as rate:
        alone = play_stretch(live, "alone", arguments.moves, arguments.every)
        with watching(port, arguments.viewers) as pipe:
            watched = play_stretch(live, "watched", arguments.moves, arguments.every)
            server.stop()
            received = pipe.recv()
        print(alone.report(0, rate))
        print(watched.report(arguments.viewers, rate))
    text = report(watched.published, received, arguments.viewers)
    print(f"{text}; load {os.getloadavg()[0]:.1f}")
    return 0 if "lost 0" in text else 1


if __name__ == "__main__":
    sys.exit(main())

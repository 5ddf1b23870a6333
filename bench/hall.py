"""Measure a hall on one machine: real logs at many boards, a hub, and viewers of its pages.

Boards are as devices are: each has a log on disk, a publisher, and a connection; several share a
process. The time of a move is from the end of its commit in the device's log to when a viewer has
read it from the event stream.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.request import urlopen

from recorder.events import GameInfo
from recorder.gamelog import GameLog
from recorder.goban import Color, Point, Stone
from recorder.hall.engine import PROGRAM, EngineConfig, format_config
from recorder.hall.link import Link
from recorder.hall.publisher import HallPublisher, Pace
from recorder.observations import Content, Observation, SettledView, StartGame
from recorder.session import new_state, step

EVENT = "bench"
PORT = 8555
PAGE_SIZE = resource.getpagesize()
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Load:
    """What one process of devices does."""

    boards: Sequence[str]
    url: str
    folder: Path
    moves: int
    every_s: float


def play(load: Load, pipe: Connection) -> None:
    """Let some boards play; send when each move was on disk."""
    draw = random.Random(load.boards[0])
    free = [Point(r, c) for r in range(19) for c in range(19) if (r + c) % 2 == 0]
    tables = []
    for board in load.boards:
        log = GameLog(load.folder / board / "game.db", is_writer=True)
        # The loop below wakes it as a pipeline does; two hundred that look by themselves cost more.
        link, pace = Link(load.url, EVENT, board), Pace(look_s=30.0)
        publisher = HallPublisher(link, log.path, pace=pace)
        publisher.start()
        tables.append((board, log, publisher))
    states = {board: new_state() for board in load.boards}
    logged: dict[tuple[str, int], float] = {}

    def take(
        board: str, log: GameLog, publisher: HallPublisher, content: Content, t_s: float
    ) -> None:
        utc = datetime.now(UTC).isoformat(timespec="milliseconds")
        observation = Observation(t_s, content, utc)
        states[board], events = step(states[board], observation)
        log.append(f"bench-{board}", observation, events)
        publisher.wake()

    for board, log, publisher in tables:
        take(board, log, publisher, StartGame(GameInfo(black=f"B{board}"), (), Color.BLACK), 0.0)
    pipe.send("ready")
    pipe.recv()
    starts = {board: time.monotonic() + draw.uniform(0, load.every_s) for board in load.boards}
    for number in range(load.moves):
        for board, log, publisher in sorted(tables, key=lambda table: starts[table[0]]):
            due_s = starts[board] + number * load.every_s
            time.sleep(max(0.0, due_s - time.monotonic()))
            stone = Stone(list(Color)[number % 2], free[number])
            content = SettledView((stone,))
            take(board, log, publisher, content, float(number + 1))
            logged[board, number + 1] = time.monotonic()
    pipe.send(logged)
    pipe.recv()
    for _, log, publisher in tables:
        publisher.stop()
        log.close()


@dataclass
class Watch:
    """What the viewers of one process have read, and when."""

    read: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    open: int = 0
    refused: int = 0


async def _view(port: int, board: str, watch: Watch) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /boards/{board}/events HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
    moves, is_counted = 0, False
    try:
        while line := await reader.readline():
            if line.startswith(b"HTTP") and b" 200 " not in line:
                watch.refused += 1
                return
            if not line.startswith(b'data: {"'):
                continue
            now_s = time.monotonic()
            message = json.loads(line[6:])
            if "is_fresh" in message:
                continue
            if not is_counted:
                watch.open += 1
                is_counted = True
            moves = _moves_after(moves, message)
            watch.read.setdefault((board, moves), []).append(now_s)
    finally:
        writer.close()


def _moves_after(moves: int, message: dict) -> int:  # type: ignore[type-arg]
    if "state" in message:
        return len(message["state"]["line"])
    return int(message["keep"]) + len(message["line"])


async def _view_all(
    ports: Sequence[int], boards: Sequence[str], viewers: int, pipe: Connection
) -> None:
    watch = Watch()
    tasks = []
    for number in range(viewers):
        port = ports[number // len(boards) % len(ports)]
        tasks.append(asyncio.create_task(_view(port, boards[number % len(boards)], watch)))
        if number % 20 == 19:
            await asyncio.sleep(0.05)
    while watch.open + watch.refused < viewers:
        await asyncio.sleep(0.1)
    pipe.send("ready")
    await asyncio.to_thread(pipe.recv)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    pipe.send(watch)


def look_on(ports: Sequence[int], boards: Sequence[str], viewers: int, pipe: Connection) -> None:
    """Hold the streams until told to end, then send what was read when."""
    asyncio.run(_view_all(ports, boards, viewers, pipe))


@dataclass
class Usage:
    """Processor seconds and memory of a process."""

    cpu_s: float
    memory_mb: float


def usage_of(pid: int) -> Usage:
    """Return what a process has used up to now."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return Usage((int(fields[11]) + int(fields[12])) / TICKS, pages * PAGE_SIZE / 2**20)


def start_server(folder: Path, port: int) -> subprocess.Popen[bytes]:
    """Return a message server that listens."""
    path = folder / "nats.conf"
    path.write_text(format_config(EngineConfig("bench", f"127.0.0.1:{port}", folder / "store")))
    program = shutil.which(PROGRAM) or f"/usr/sbin/{PROGRAM}"
    return subprocess.Popen([program, "-c", str(path)], stderr=subprocess.DEVNULL)


def start_hub(
    folder: Path, url: str, arguments: argparse.Namespace, port: int
) -> subprocess.Popen[bytes]:
    """Return a hub, or a process with its pages alone, once its pages answer."""
    role = "whole" if port == PORT else "pages"
    path = folder / f"hub-{port}.toml"
    path.write_text(
        f'[hub]\nevent = "{EVENT}"\nfolder = "{folder}/hub"\nboards = "1-{arguments.boards}"\n'
        f'role = "{role}"\n[server]\nurl = "{url}"\n'
        f"[page]\nport = {port}\nviewers = {min(5000, arguments.viewers)}\n"
    )
    command = [sys.executable, "-m", "recorder.cli", "hub", "--config", str(path)]
    hub = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    for _ in range(3000):
        try:
            urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5).close()
        except OSError:
            time.sleep(0.2)
        else:
            return hub
    raise SystemExit("the hub does not answer")


def report(
    logged: dict[tuple[str, int], float], watches: Sequence[Watch], viewers_at: dict[str, int]
) -> str:
    """Return the times from log to viewer as one line."""
    delays: list[float] = []
    missing = 0
    for key, moment in logged.items():
        read = [later for watch in watches for later in watch.read.get(key, [])]
        missing += viewers_at[key[0]] - len(read)
        delays += [later - moment for later in read]
    delays.sort()
    if not delays:
        return "nothing arrived"
    p50, p95, p99, worst = (delays[int(len(delays) * p) - 1] for p in (0.5, 0.95, 0.99, 1.0))
    return (
        f"{len(logged)} moves, {len(delays)} deliveries, {missing} read with a later move or not"
        f" at all; log to viewer p50 {1000 * p50:.0f} ms, p95 {1000 * p95:.0f} ms,"
        f" p99 {1000 * p99:.0f} ms, worst {1000 * worst:.0f} ms"
    )


def main(words: Sequence[str] | None = None) -> int:
    """Run the measurement and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--viewers", type=int, default=2000)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between a board's moves")
    parser.add_argument(
        "--pages", type=int, default=1, help="processes with pages alone, 0: the hub"
    )
    parser.add_argument("--processes", type=int, default=4, help="that hold the boards")
    arguments = parser.parse_args(words)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
    folder = Path(tempfile.mkdtemp(prefix="hall-bench-"))
    try:
        _measure(arguments, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def _measure(arguments: argparse.Namespace, folder: Path) -> None:
    boards = [str(n) for n in range(1, arguments.boards + 1)]
    url = "nats://127.0.0.1:4555"
    server = start_server(folder, 4555)
    ports = range(PORT, PORT + 1 + arguments.pages)
    hubs = [start_hub(folder, url, arguments, port) for port in ports]
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for part in range(arguments.processes):
        here, there = context.Pipe()
        own = boards[part :: arguments.processes]
        load = Load(own, url, folder, arguments.moves, arguments.every)
        processes.append(context.Process(target=play, args=(load, there)))
        pipes.append(here)
    looking, there = context.Pipe()
    viewing = context.Process(
        target=look_on,
        args=(tuple(ports)[min(1, arguments.pages) :], boards, arguments.viewers, there),
    )
    for process in processes:
        process.start()
    for pipe in pipes:
        pipe.recv()
    viewing.start()
    looking.recv()
    named = (*zip(map("hub {}".format, ports), hubs, strict=True), ("server", server))
    before = {name: usage_of(process.pid) for name, process in named}
    begun_s = time.monotonic()
    for pipe in pipes:
        pipe.send("go")
    logged = {key: moment for pipe in pipes for key, moment in pipe.recv().items()}
    took_s = time.monotonic() - begun_s
    after = {name: usage_of(process.pid) for name, process in named}
    time.sleep(3.0)
    looking.send("end")
    watches = [looking.recv()]
    for pipe in pipes:
        pipe.send("end")
    viewers_at = {
        board: len(range(place, arguments.viewers, len(boards)))
        for place, board in enumerate(boards)
    }
    print(f"{arguments.boards} boards, a move every {arguments.every:g} s each,", end=" ")
    print(f"{arguments.viewers} viewers ({watches[0].refused} refused), {took_s:.0f} s:")
    print(report(logged, watches, viewers_at))
    for name in after:
        share = (after[name].cpu_s - before[name].cpu_s) / took_s
        print(f"{name}: {100 * share:.0f} % of a core, {after[name].memory_mb:.0f} MB")
    for process in (*processes, viewing):
        process.join(20)
        process.kill()
    for started in (*hubs, server):
        started.terminate()
        started.wait(20)


if __name__ == "__main__":
    sys.exit(main())

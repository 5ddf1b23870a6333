"""A hall for the tests: a real message server, hubs and devices as processes that can be killed."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recorder.codec import format_event, format_observation
from recorder.events import GameInfo
from recorder.gamelog import GameLog, GameLogError, LogRow
from recorder.goban import Color, Point, Stone
from recorder.hall.engine import PROGRAM, Cluster, EngineConfig, format_config
from recorder.hall.storage import SqliteStorage
from recorder.observations import Content, Observation, SettledView, StartGame
from recorder.session import State, new_state, step

EVENT = "cup"
PATIENCE_S = 600.0
"""Nothing here measures time; a busy machine may take long for twenty processes."""

START = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
SERVER = shutil.which(PROGRAM) or f"/usr/sbin/{PROGRAM}"

needs_server = pytest.mark.skipif(
    not Path(SERVER).exists(), reason=f"{PROGRAM} is not installed (apt install {PROGRAM})"
)


def free_port() -> int:
    """Return a port that nobody uses now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_until(is_so: Callable[[], bool], what: str, timeout_s: float = PATIENCE_S) -> None:
    """Wait for a condition; fail with `what` was waited for."""
    end_s = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < end_s, f"waited {timeout_s} s for {what}"
        time.sleep(0.05)


def answers(port: int) -> bool:
    """Return whether somebody listens."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=0.5).close()
    except OSError:
        return False
    return True


@dataclass
class Process:
    """A process that can be started, killed and started again."""

    command: list[str]
    log: Path
    running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it."""
        with self.log.open("ab") as out:
            self.running = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=out, stderr=out
            )

    def kill(self) -> None:
        """End it as a power cut does."""
        if self.running is not None:
            self.running.kill()
            self.running.wait()
            if self.running.stdin is not None:
                self.running.stdin.close()
            self.running = None

    def tell(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self.running is not None
        assert self.running.stdin is not None
        self.running.stdin.write(line.encode() + b"\n")
        self.running.stdin.flush()

    def stop(self) -> None:
        """Stop it as a network that hangs does."""
        assert self.running is not None
        os.kill(self.running.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        assert self.running is not None
        os.kill(self.running.pid, signal.SIGCONT)


@dataclass
class World:
    """Everything of one test below one folder."""

    folder: Path
    processes: list[Process] = field(default_factory=list)

    def server(
        self, name: str = "one", port: int | None = None, cluster: Cluster | None = None
    ) -> tuple[Process, int]:
        """Return a message server, started, and its port."""
        port = port or free_port()
        store = self.folder / f"store-{name}"
        config = EngineConfig(name, f"127.0.0.1:{port}", store, cluster=cluster)
        path = self.folder / f"{name}.conf"
        path.write_text(format_config(config), encoding="utf-8")
        server = self._process([SERVER, "-c", str(path)], name)
        server.start()
        wait_until(lambda: answers(port), "the message server")
        return server, port

    def hub(self, url: str, name: str = "hub", **more: str) -> Process:
        """Return a hub as `banmen hub` runs it, not started."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        lines = ["[hub]", f'event = "{EVENT}"', f'name = "{name}"', f'folder = "{folder}"']
        lines += [
            "[server]",
            f'url = "{url}"',
            *(f"{key} = {value}" for key, value in more.items()),
        ]
        lines += ["[page]", "port = 0"]
        path = self.folder / f"{name}.toml"
        path.write_text("\n".join(lines), encoding="utf-8")
        command = [sys.executable, "-m", "recorder.cli", "hub", "--config", str(path)]
        return self._process(command, name)

    def device(self, board: str, url: str, game: Path, rate: float) -> Process:
        """Return a device, not started."""
        folder = self.device_folder(board)
        folder.mkdir(exist_ok=True)
        script = str(Path(__file__).with_name("hall_device.py"))
        words = [sys.executable, script, str(folder), url, EVENT, board, str(game), str(rate)]
        return self._process(words, f"device-{board}")

    def device_folder(self, board: str) -> Path:
        """Return where a device has its log."""
        return self.folder / f"device-{board}"

    def at_device(self, board: str) -> list[LogRow]:
        """Return the rows of a device's log."""
        path = self.device_folder(board) / "game.db"
        with GameLog(path) as gamelog:
            return list(gamelog.rows())

    def played(self, board: str) -> int:
        """Return how many rows a device's log has."""
        path = self.device_folder(board) / "game.db"
        if not path.exists():
            return 0
        try:
            with GameLog(path) as gamelog:
                return gamelog.last_number()
        except GameLogError:
            # It was made this moment and holds nothing yet.
            return 0

    def arrived(self, board: str, name: str = "hub") -> int:
        """Return how many rows of a board a hub has."""
        path = self.folder / name / "hub.db"
        if not path.exists():
            return 0
        # Only reading: the test must not take the hub's lock.
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)) as db:
            query = "SELECT count(*) FROM rows WHERE board = ?"
            try:
                return int(db.execute(query, (board,)).fetchone()[0])
            except sqlite3.OperationalError:
                # Its tables are being made.
                return 0

    def at_hub(self, board: str, name: str = "hub") -> list[LogRow]:
        """Return the rows of a board at a hub, in the order of their numbers."""
        storage = SqliteStorage(self.folder / name / "hub.db")
        return [stored.row for stored in storage.rows_of_log(board, f"game-{board}")]

    def _process(self, command: list[str], name: str) -> Process:
        process = Process(command, self.folder / f"{name}.log")
        self.processes.append(process)
        return process

    def end(self) -> None:
        """Kill everything."""
        for process in self.processes:
            process.kill()


def make_game(path: Path, moves: int, *, every_s: float = 10.0) -> int:
    """Write a game for `hall_device.py`; return how many rows its log will have."""
    draw, state, rows = random.Random(0), new_state(), 0
    lines = []
    points = [Point(row, col) for row in range(19) for col in range(19)]
    draw.shuffle(points)
    contents: list[Content] = [StartGame(GameInfo(black="林海", white="Ada"), (), Color.BLACK)]
    # Every second point of the board at most: no chain is ever captured.
    free = [point for point in points if (point.row + point.col) % 2 == 0]
    contents += [SettledView((Stone(list(Color)[n % 2], free[n]),)) for n in range(moves)]
    for n, content in enumerate(contents):
        state, line, count = _line(state, content, n * every_s)
        lines.append(line)
        rows += count
    path.write_text("\n".join(lines), encoding="utf-8")
    return rows


def _line(state: State, content: Content, t_s: float) -> tuple[State, str, int]:
    utc = (START + timedelta(seconds=t_s)).isoformat()
    observation = Observation(t_s, content, utc)
    state, events = step(state, observation)
    line = json.dumps([format_observation(observation), [format_event(e) for e in events]])
    return state, line, 1 + len(events)


def a_world(folder: Path) -> Iterator[World]:
    """Give a world, and end it."""
    world = World(folder)
    try:
        yield world
    finally:
        world.end()

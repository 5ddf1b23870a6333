"""A process with a hub's pages alone: it follows the file that another process fills."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from hall_tables import Table
from hall_world import Process, free_port, wait_until

from recorder.hall.storage import SqliteStorage

pytest.importorskip("gevent", reason="gevent is not installed")

pytestmark = [pytest.mark.hall, pytest.mark.slow]


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    port = free_port()
    config = tmp_path / "pages.toml"
    config.write_text(
        f'[hub]\nfolder = "{tmp_path}"\nboards = "1-2"\nrole = "pages"\n[page]\nport = {port}\n'
    )
    command = [sys.executable, "-m", "recorder.cli", "hub", "--config", str(config)]
    process = Process(command, tmp_path / "pages.log")
    process.start()
    try:
        yield port
    finally:
        process.kill()


def moves_shown(port: int) -> int:
    try:
        with urlopen(f"http://127.0.0.1:{port}/wall.json", timeout=10) as answer:
            return int(json.load(answer)["boards"][0]["moves"])
    except URLError:
        return -1


def test_pages_alone_show_what_comes_into_the_hubs_file(port: int, tmp_path: Path) -> None:
    table = Table(SqliteStorage(tmp_path / "hub.db"), "1")
    table.start()
    wait_until(lambda: moves_shown(port) == 0, "the pages")
    with urlopen(f"http://127.0.0.1:{port}/boards/1/events", timeout=60) as stream:
        table.play("Q16 D4")
        wait_until(lambda: moves_shown(port) == 2, "two moves on the wall")
        lines = iter(stream.readline, b"")
        assert any(b'"D4"' in line for line in lines)

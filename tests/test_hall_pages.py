"""A process with a hub's pages alone: it follows the file that another process fills."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from hall_tables import Table
from hall_world import Process, free_port, wait_until

from recorder.hall.storage import SqliteStorage

pytest.importorskip("gevent", reason="gevent is not installed")

pytestmark = [pytest.mark.hall, pytest.mark.slow]


@dataclass
class Pages:
    """The process, and where its pages are."""

    process: Process
    port: int

    def moves_shown(self) -> int:
        """Return how many moves the wall shows of the first board, -1 while there is no wall."""
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/wall.json", timeout=10) as answer:
                return int(json.load(answer)["boards"][0]["moves"])
        except URLError:
            return -1


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Pages]:
    port = free_port()
    config = tmp_path / "pages.toml"
    config.write_text(f'[hub]\nfolder = "{tmp_path}"\nboards = "1-2"\nrole = "pages"\n')
    command = [sys.executable, "-m", "recorder.cli", "hub", "--config", str(config)]
    process = Process([*command, "--serve", str(port)], tmp_path / "pages.log")
    process.start()
    try:
        yield Pages(process, port)
    finally:
        process.kill()


def test_pages_alone_show_what_comes_into_the_hubs_file(pages: Pages, tmp_path: Path) -> None:
    table = Table(SqliteStorage(tmp_path / "hub.db"), "1")
    table.start()
    wait_until(lambda: pages.moves_shown() == 0, "the pages")
    with urlopen(f"http://127.0.0.1:{pages.port}/boards/1/events", timeout=60) as stream:
        table.play("Q16 D4")
        wait_until(lambda: pages.moves_shown() == 2, "two moves on the wall")
        lines = iter(stream.readline, b"")
        assert any(b'"D4"' in line for line in lines)


def test_pages_alone_tell_their_pins_and_end_when_asked(pages: Pages) -> None:
    wait_until(lambda: pages.moves_shown() == 0, "the pages")
    said = pages.process.log.read_text(encoding="utf-8")
    assert f"http://127.0.0.1:{pages.port}/" in said
    assert "PIN" in said
    running = pages.process.running
    assert running is not None
    running.terminate()
    assert running.wait(60) == 0

"""Tests of the message server that a hub starts by itself."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hall_world import answers, free_port, needs_server, wait_until

from recorder.hall.engine import Engine, EngineConfig, EngineError, format_config

pytestmark = [pytest.mark.hall, needs_server]


def an_engine(folder: Path, port: int, text: str = "") -> Engine:
    path = folder / "server.conf"
    config = EngineConfig("one", f"127.0.0.1:{port}", folder / "store")
    path.write_text(text or format_config(config), encoding="utf-8")
    return Engine(path, folder / "server.log", ("127.0.0.1", port))


@pytest.fixture
def port() -> int:
    return free_port()


def test_a_server_that_was_killed_is_started_again(tmp_path: Path, port: int) -> None:
    engine = an_engine(tmp_path, port)
    engine.start()
    try:
        first = engine.pid
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: engine.pid != first and answers(port), "another server")
    finally:
        engine.stop()
    assert not answers(port)


def test_the_server_that_a_killed_hub_left_makes_way(tmp_path: Path, port: int) -> None:
    left = an_engine(tmp_path, port)
    left.start()
    engine = an_engine(tmp_path, port)
    # The hub that was killed does not look after its server any more.
    left._is_over.set()
    engine.start()
    try:
        assert engine.pid != left.pid
        assert answers(port)
    finally:
        engine.stop()
        left.stop()


def test_a_configuration_that_makes_no_sense_is_told_with_the_servers_words(
    tmp_path: Path, port: int
) -> None:
    with pytest.raises(EngineError, match="has ended"):
        an_engine(tmp_path, port, "jetstream { nonsense").start()

"""Messages to systemd: ready, alive, and what the table is at."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from recorder.watchdog import Watchdog, notify


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    """Listen as systemd does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        listener.setblocking(False)
        yield listener


def heard(systemd: socket.socket) -> list[str]:
    """Return the messages so far."""
    found = []
    while True:
        try:
            found.append(systemd.recv(100).decode())
        except BlockingIOError:
            return found


def test_systemd_is_told_and_without_it_nobody_is(tmp_path: Path, systemd: socket.socket) -> None:
    assert notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "notify")})
    assert heard(systemd) == ["READY=1"]
    assert not notify("READY=1", {})


def test_a_socket_that_is_gone_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert not notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "none")})
    assert "systemd cannot be told READY=1" in caplog.text


def test_signs_of_life_are_sent_well_within_the_time_and_no_oftener(
    tmp_path: Path, systemd: socket.socket
) -> None:
    now = [100.0]
    environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "10000000"}
    stage = ["ready"]
    watchdog = Watchdog(environment, status=lambda: stage[0], clock=lambda: now[0])
    for now[0] in (100.0, 101.0, 102.0, 104.0):
        watchdog.tend(now[0])
    assert heard(systemd) == ["STATUS=ready", "WATCHDOG=1", "WATCHDOG=1"]
    stage[0] = "playing"
    watchdog.tend(now[0])
    assert heard(systemd) == ["STATUS=playing"]

"""The fan-out: everybody hears everything, whoever fails."""

from __future__ import annotations

import logging

import pytest

from recorder.events import Phase, PhaseChanged, Record
from recorder.game import Game
from recorder.publish import Batch, EachRecord, FanOut


def batch(*numbers: int) -> Batch:
    """Return a batch of records with these numbers."""
    event = PhaseChanged(Phase.READY)
    return Batch(tuple(Record(n, "a", 0.0, "", event) for n in numbers), Game())


class Broken:
    """Fails as often as told, then works."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    def publish(self, batch: Batch) -> None:
        """Fail, or not."""
        self.failures -= 1
        if self.failures >= 0:
            raise OSError("no space left")


def test_each_record_is_told_in_order() -> None:
    heard: list[int] = []
    EachRecord(lambda record: heard.append(record.number)).publish(batch(3, 4))
    assert heard == [3, 4]


def test_a_broken_publisher_stops_no_other() -> None:
    heard: list[Batch] = []
    fan_out = FanOut([Broken(9), EachRecord(lambda record: heard.append(batch(record.number)))])
    fan_out.publish(batch(1))
    fan_out.publish(batch(2))
    assert heard == [batch(1), batch(2)]


def test_a_failure_is_logged_once_and_so_is_its_end(caplog: pytest.LogCaptureFixture) -> None:
    fan_out = FanOut([Broken(3)])
    with caplog.at_level(logging.INFO):
        for number in range(5):
            fan_out.publish(batch(number))
    assert [r.getMessage() for r in caplog.records] == [
        "Broken cannot publish",
        "Broken publishes again",
    ]

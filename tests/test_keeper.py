"""A disk that takes nothing: the log goes on in memory, and is whole afterwards."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable
from pathlib import Path

import pytest
from test_gamelog import START, STARTED, played, view

from recorder.gamelog import GameLog, Prepared
from recorder.keeper import LogKeeper


class FullLog(GameLog):
    """A log on a disk that can be full. A real full disk is in tests/test_faults.py."""

    is_full = False

    def write(self, batches: Iterable[Prepared]) -> None:
        """Write, unless the disk is full."""
        if self.is_full:
            raise sqlite3.OperationalError("database or disk is full")
        super().write(batches)


def test_what_the_full_disk_did_not_take_is_written_in_order_when_it_does(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with FullLog(tmp_path / "a.db", is_writer=True) as log, caplog.at_level(logging.WARNING):
        keeper = LogKeeper(log)
        keeper.append("a", START, [STARTED])
        log.is_full = True
        appended = [keeper.append("a", view(n), [played(n)]) for n in (1, 2)]
        assert [a.number for a in appended] == [3, 5]
        assert (keeper.waiting, keeper.trouble) == (2, "database or disk is full")
        assert log.last_number() == 2
        log.is_full = False
        keeper.tend(100.0)
        assert (keeper.waiting, keeper.trouble) == (0, None)
        keeper.append("a", view(3), [played(3)])
        assert [r.event for r in log.records()] == [STARTED, played(1), played(2), played(3)]
        assert [r.number for r in log.records()] == [2, 4, 6, 8]
    assert [r.levelname for r in caplog.records] == ["ERROR", "WARNING"]


def test_it_is_tried_again_only_now_and_then(tmp_path: Path) -> None:
    with FullLog(tmp_path / "a.db", is_writer=True) as log:
        keeper = LogKeeper(log)
        log.is_full = True
        keeper.append("a", START, [STARTED])
        keeper.tend(10.0)
        log.is_full = False
        keeper.tend(11.0)
        assert keeper.waiting == 1
        keeper.tend(15.0)
        assert keeper.waiting == 0


def test_what_matters_less_is_given_up_first(tmp_path: Path) -> None:
    with FullLog(tmp_path / "a.db", is_writer=True) as log:

        def make_room() -> bool:
            log.is_full = False
            return True

        keeper = LogKeeper(log, make_room=make_room)
        log.is_full = True
        keeper.append("a", START, [STARTED])
        assert (keeper.waiting, keeper.trouble) == (0, None)


def test_what_is_lost_in_the_end_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with FullLog(tmp_path / "a.db", is_writer=True) as log:
        keeper = LogKeeper(log)
        log.is_full = True
        keeper.append("a", START, [STARTED])
        keeper.close()
    assert "1 observations could not be written and are lost" in caplog.text

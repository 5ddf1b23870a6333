"""A damaged log: its good beginning is taken over, the old file stays."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_gamelog import START, STARTED, played, view

from recorder.events import GameInfo, GameStarted
from recorder.gamelog import GameLog, GameLogError, GameLogInUseError
from recorder.goban import Color, Point, Stone
from recorder.observations import Tick
from recorder.rescue import open_device_log

PAGE = 4096
FULL = tuple(Stone(Color.BLACK, Point(row, col)) for row in range(19) for col in range(19))
"""So many stones that the row needs pages of its own."""


def write(path: Path, moves: int) -> None:
    """Write a log of a game, a full goban among its first rows."""
    with GameLog(path, is_writer=True) as log:
        start = log.prepare("a", START, [GameStarted(GameInfo(), FULL, Color.BLACK)])
        views = [log.prepare("a", view(n % 300), [played(n)]) for n in range(1, moves)]
        log.write([start, *views])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log that is not damaged."""
    path = tmp_path_factory.mktemp("log") / "device.db"
    write(path, 60)
    return path


def open_cut(whole: Path, folder: Path, size: int) -> tuple[list[object], list[object], int]:
    """Return the records of a log, those of its rescued beginning, and its last number."""
    path = folder / "device.db"
    shutil.copy(whole, path)
    with path.open("r+b") as file:
        file.truncate(size)
    log, rescued = open_device_log(path)
    with log, GameLog(whole) as before:
        assert (rescued is not None) == (0 < size < whole.stat().st_size)
        if rescued is not None:
            assert rescued.kept.stat().st_size == size
        return list(before.records()), list(log.records()), log.last_number()


def test_a_file_cut_at_any_page_gives_its_beginning_and_no_number_twice(
    whole: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    taken = []
    for size in range(0, whole.stat().st_size + 1, PAGE):
        folder = tmp_path / str(size)
        folder.mkdir()
        before, after, last = open_cut(whole, folder, size)
        assert after == before[: len(after)]
        assert last in (0, 120)
        taken.append(len(after))
    assert taken == sorted(taken)
    assert taken[-1] == 60
    # A page holds some twenty rows, ten of them events.
    assert taken[-2] >= 48


def test_a_long_log_without_the_inner_pages_of_its_tree_is_read_from_its_leaves(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    write(tmp_path / "whole.db", 4000)
    size = (tmp_path / "whole.db").stat().st_size
    before, after, _ = open_cut(tmp_path / "whole.db", tmp_path, size // PAGE // 3 * PAGE)
    assert after == before[: len(after)]
    assert len(after) > 1000


def test_the_numbers_of_lost_rows_are_taken_by_ticks_and_the_game_goes_on(
    whole: Path, tmp_path: Path
) -> None:
    _, after, _ = open_cut(whole, tmp_path, whole.stat().st_size - 2 * PAGE)
    with GameLog(tmp_path / "device.db", is_writer=True) as log:
        lost = [o for o in log.observations("a") if isinstance(o.observation.content, Tick)]
        assert len(lost) == 120 - 2 * len(after)
        assert log.append("a", view(1), [played(1)]).number == 121


@given(place=st.integers(0, 10**9), value=st.integers(0, 255), count=st.integers(1, 3000))
@settings(
    max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_whatever_is_overwritten_the_log_opens_with_a_beginning(
    whole: Path, tmp_path_factory: pytest.TempPathFactory, place: int, value: int, count: int
) -> None:
    data = bytearray(whole.read_bytes())
    place %= len(data)
    # The first bytes say that it is a game log; without them it is another file.
    place = max(place, 100)
    data[place : place + count] = bytes([value]) * len(data[place : place + count])
    path = tmp_path_factory.mktemp("cut") / "device.db"
    path.write_bytes(data)
    log, _ = open_device_log(path)
    with log:
        assert log.append("b", START, [STARTED]).records


@pytest.mark.parametrize("place", range(0, 40, 3))
def test_a_row_whose_head_is_overwritten_ends_the_good_beginning(
    whole: Path, tmp_path: Path, place: int
) -> None:
    data = bytearray(whole.read_bytes())
    # The eighth page holds rows; where a row's head is zero, its values read as none at all.
    data[7 * 4096 + place : 7 * 4096 + place + 4] = bytes(4)
    path = tmp_path / "device.db"
    path.write_bytes(data)
    log, _ = open_device_log(path)
    with log:
        assert log.append("b", START, [STARTED]).records


def test_a_log_that_is_in_use_or_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "device.db"
    with GameLog(path, is_writer=True), pytest.raises(GameLogInUseError):
        open_device_log(path)
    data = bytearray(path.read_bytes())
    data[60:64] = (9).to_bytes(4, "big")
    path.write_bytes(data)
    with pytest.raises(GameLogError, match="format 9"):
        open_device_log(path)
    assert path.read_bytes() == data

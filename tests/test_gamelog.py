"""The append-only log: whole batches, numbers without gaps, one writer."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from recorder.events import GameInfo, GameStarted, Move, MovePlayed
from recorder.gamelog import GameLog, GameLogError, GameLogInUseError
from recorder.goban import Color, Point, Stone
from recorder.observations import Observation, SettledView, StartGame

STARTED = GameStarted(GameInfo(black="古力", white="이세돌"), (), Color.BLACK)
START = Observation(1.0, StartGame(GameInfo()), "2026-01-01T10:00:00+00:00")


def view(number: int) -> Observation:
    """Return the settled view of a stone of its own for each number."""
    stone = Stone(Color.BLACK, Point(number % 19, number // 19 % 19))
    return Observation(float(number), SettledView((stone,), (), {stone.point: number - 0.5}))


def played(number: int) -> MovePlayed:
    """Return a move on that point."""
    return MovePlayed(number, Move(Color.BLACK, Point(number % 19, number // 19 % 19)))


def test_what_is_appended_is_read_back_with_the_same_numbers(tmp_path: Path) -> None:
    with GameLog(tmp_path / "game.db", is_writer=True) as log:
        first = log.append("a", START, [STARTED])
        second = log.append("a", view(1), [played(1), played(2)])
    assert first.number == 1
    assert [r.number for r in (*first.records, *second.records)] == [2, 4, 5]
    with GameLog(tmp_path / "game.db") as log:
        assert tuple(log.records("a")) == first.records + second.records
        assert [o.observation for o in log.observations("a")] == [START, view(1)]


def test_a_reader_can_go_on_after_a_number(tmp_path: Path) -> None:
    with GameLog(tmp_path / "game.db", is_writer=True) as log:
        log.append("a", START, [STARTED])
        with GameLog(tmp_path / "game.db") as reader:
            last = reader.last_number()
            log.append("a", view(1), [played(1)])
            assert [r.event for r in reader.records(after=last)] == [played(1)]


def test_games_of_one_device_share_the_numbers_and_are_told_apart(tmp_path: Path) -> None:
    with GameLog(tmp_path / "game.db", is_writer=True) as log:
        log.append("morning", START, [STARTED])
        log.append("evening", START, [STARTED, played(1)])
        assert log.game_ids() == ("morning", "evening")
        assert [r.number for r in log.records("evening")] == [4, 5]
        assert len(tuple(log.records())) == 3


def test_a_game_exported_keeps_its_numbers_and_can_be_exported_again(tmp_path: Path) -> None:
    with GameLog(tmp_path / "device.db", is_writer=True) as log:
        log.append("morning", START, [STARTED])
        log.append("evening", START, [STARTED, played(1)])
        log.export("evening", tmp_path / "out" / "game.db")
        log.append("evening", view(2), [played(2)])
        log.export("evening", tmp_path / "out" / "game.db")
        with GameLog(tmp_path / "out" / "game.db") as exported:
            assert tuple(exported.records()) == tuple(log.records("evening"))


def test_a_second_writer_is_refused_and_a_reader_is_not(tmp_path: Path) -> None:
    with GameLog(tmp_path / "game.db", is_writer=True) as log:
        log.append("a", START, [STARTED])
        with pytest.raises(GameLogInUseError, match="written by another"):
            GameLog(tmp_path / "game.db", is_writer=True)
        with GameLog(tmp_path / "game.db") as reader:
            assert reader.last_number() == 2
    GameLog(tmp_path / "game.db", is_writer=True).close()


def test_a_row_can_be_neither_changed_nor_deleted(tmp_path: Path) -> None:
    with GameLog(tmp_path / "game.db", is_writer=True) as log:
        log.append("a", START, [STARTED])
    db = sqlite3.connect(tmp_path / "game.db")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute("UPDATE log SET body = ''")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute("DELETE FROM log")
    db.close()


def test_another_file_is_named_and_not_touched(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database, though longer than a header" * 9)
    with pytest.raises(GameLogError, match=r"text\.db is not a game log"):
        GameLog(tmp_path / "text.db")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE cats (name)")
    other.commit()
    other.close()
    for is_writer in (False, True):
        with pytest.raises(GameLogError, match=r"other\.db must be a game log"):
            GameLog(tmp_path / "other.db", is_writer=is_writer)


def test_a_log_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no game log"):
        GameLog(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


def test_a_row_that_makes_no_sense_is_named(tmp_path: Path) -> None:
    with GameLog(tmp_path / "game.db", is_writer=True) as log:
        log.append("a", START, [STARTED])
    db = sqlite3.connect(tmp_path / "game.db")
    db.execute("INSERT INTO log (game_id, t_s, utc, kind, body) VALUES ('a', 2, '', 'event', '{}')")
    db.commit()
    db.close()
    with GameLog(tmp_path / "game.db") as log, pytest.raises(GameLogError, match="row 3"):
        list(log.records())


WRITER = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from test_gamelog import START, STARTED, played, view
from recorder.gamelog import GameLog
log = GameLog(Path(sys.argv[1]), is_writer=True)
print(log.append("a", START, [STARTED]).records[-1].number, flush=True)
for n in range(1, 100000):
    print(log.append("a", view(n), [played(n), played(n)]).records[-1].number, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 5, 23])
def test_a_killed_writer_leaves_a_prefix_with_all_that_was_acknowledged(
    tmp_path: Path, acknowledged: int
) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path / "game.db"), str(Path(__file__).parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(acknowledged)]
        os.kill(process.pid, signal.SIGKILL)
        told += [int(line) for line in process.stdout]
    with GameLog(tmp_path / "game.db", is_writer=True) as log:
        records = list(log.records())
        assert records[-1].number >= told[-1]
        assert [r.event for r in records] == [
            STARTED,
            *(played(1 + n // 2) for n in range(len(records) - 1)),
        ]
        assert len(records) % 2 == 1
        assert log.append("a", view(0), []).number == records[-1].number + 1

"""The files of a game are projections of its log."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from recorder.cli import main
from recorder.events import Event, GameInfo, GameStarted, Move, MovePlayed, MovesRetracted
from recorder.files import EventsFile, SgfFile
from recorder.game import fold
from recorder.gamelog import GameLog
from recorder.goban import Color, Point
from recorder.observations import Observation, Tick
from recorder.publish import Batch
from recorder.rebuild import batches, read_game

BATCHES: tuple[tuple[Event, ...], ...] = (
    (GameStarted(GameInfo(size=9, black="申眞諝"), (), Color.BLACK),),
    (MovePlayed(1, Move(Color.BLACK, Point(2, 2))), MovePlayed(2, Move(Color.WHITE, Point(2, 6)))),
    (),
    (MovesRetracted(2, "ruling"), MovePlayed(2, Move(Color.WHITE, Point(6, 6)))),
)


def recorded(folder: Path, game_id: str = "a") -> None:
    """Record a small game as the loop does: log first, then the files."""
    folder.mkdir(exist_ok=True)
    told: list[Event] = []
    with (
        GameLog(folder / "game.db", is_writer=True) as gamelog,
        closing(EventsFile(folder / "events.jsonl")) as events,
    ):
        sgf = SgfFile(folder / "game.sgf")
        for second, happened in enumerate(BATCHES):
            written = gamelog.append(game_id, Observation(float(second), Tick()), happened)
            told += happened
            if written.records:
                batch = Batch(written.records, fold(told))
                events.publish(batch)
                sgf.publish(batch)


def test_a_log_gives_its_batches_again(tmp_path: Path) -> None:
    recorded(tmp_path)
    with GameLog(tmp_path / "game.db") as gamelog:
        found = list(batches(gamelog.records("a")))
        assert [tuple(r.event for r in b.records) for b in found] == [b for b in BATCHES if b]
        assert found[-1].game == read_game(gamelog, "a")


def test_exporting_writes_the_files_that_recording_wrote(tmp_path: Path) -> None:
    recorded(tmp_path / "game")
    assert main(["export", str(tmp_path / "game"), "--out", str(tmp_path / "again")]) == 0
    for name in ("game.sgf", "events.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "game" / name).read_bytes()


def test_the_games_of_a_log_can_be_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(tmp_path)
    assert main(["export", str(tmp_path / "game.db"), "--list"]) == 0
    assert capsys.readouterr().out == "a\n"


def test_a_log_or_game_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(tmp_path / "none")]) == 2
    assert "there is no game log" in capsys.readouterr().err
    recorded(tmp_path)
    assert main(["export", str(tmp_path), "--game", "b"]) == 2
    assert "game must be one of a, got b" in capsys.readouterr().err

"""One file of a game for a bug report, and deleting a game's pictures."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from recorder.bundle import write_bundle
from recorder.cli import main
from recorder.commands.serving import DEVICE_LOG, GAMES
from recorder.events import GameInfo, GameStarted
from recorder.gamelog import GameLog
from recorder.observations import Observation, StartGame


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return the folder of a game that goes on, on a device."""
    folder = tmp_path / GAMES / "g1"
    names = ["game.sgf", "events.jsonl", "readings.tape", "readings-0002.tape", ".game.sgf.part"]
    names += [f"evidence/move-{n:04d}/after.jpg" for n in range(1, 12)]
    names += ["evidence/alert-0001/frame.jpg", "evidence/clip-0001/0000.jpg"]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x" * 100)
    with GameLog(tmp_path / DEVICE_LOG, is_writer=True) as log:
        log.append(
            "g1", Observation(0.0, StartGame(GameInfo())), [GameStarted(GameInfo(), (), None)]
        )
    return folder


def test_it_holds_what_a_report_needs_and_pictures_around_the_move(
    game: Path, tmp_path: Path
) -> None:
    names = write_bundle(game, tmp_path / "a.zip", move=5)
    assert {n for n in names if "evidence" not in n} == {
        "game.sgf",
        "events.jsonl",
        "readings.tape",
        "readings-0002.tape",
        "about.json",
    }
    moves = sorted(int(n.split("-")[1][:4]) for n in names if "move-" in n)
    assert moves == [2, 3, 4, 5, 6, 7, 8]
    assert "evidence/alert-0001/frame.jpg" in names
    with zipfile.ZipFile(tmp_path / "a.zip") as bundle:
        about = json.loads(bundle.read("about.json"))
    assert about["versions"]["numpy"]


def test_passwords_within_addresses_stay_here(game: Path, tmp_path: Path) -> None:
    settings = tmp_path / "c.toml"
    settings.write_text('[camera]\nsource = "rtsp://admin:secret@10.0.0.5/live"\n')
    out = tmp_path / "b.zip"
    assert main(["bundle", str(game), "--config", str(settings), "--out", str(out)]) == 0
    with zipfile.ZipFile(out) as bundle:
        about = bundle.read("about.json").decode()
        assert "game.db" in bundle.namelist()
    assert "rtsp://***@10.0.0.5/live" in about
    assert "secret" not in about


def test_the_pictures_of_a_game_are_deleted_by_its_id_and_the_record_stays(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "c.toml"
    settings.write_text(f'[device]\nfolder = "{tmp_path}"\n')
    assert main(["delete-pictures", "g1", "--config", str(settings)]) == 0
    assert "13 files with pictures deleted" in capsys.readouterr().out
    assert not (game / "evidence").exists()
    assert (game / "game.sgf").exists()
    assert main(["delete-pictures", "g2", "--config", str(settings)]) == 2
    assert "there is no game g2" in capsys.readouterr().err


def test_pictures_that_cannot_be_deleted_are_not_said_to_be(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (game / "evidence").rename(tmp_path / "elsewhere")
    (game / "evidence").symlink_to(tmp_path / "elsewhere")
    assert main(["delete-pictures", str(game)]) == 2
    said = capsys.readouterr()
    assert f"pictures of {game} cannot be deleted" in said.err
    assert not said.out


def test_a_name_that_can_be_no_folder_is_a_mistake_like_any_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bundle", "g" * 300]) == 2
    assert "cannot be read" in capsys.readouterr().err

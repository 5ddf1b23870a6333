"""`banmen check` on the command line: verdicts, exit codes, JSON, pictures."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.check import SystemFacts
from calibration.store import BoardCalibration, Calibration, save_calibration
from recorder.cli import main
from recorder.commands import check as check_command

FRAME = Path(__file__).parent / "data" / "frames" / "grid_09_1.jpg"
GOOD = SystemFacts(20_000_000_000, True, 50.0, False, False)


@pytest.fixture(autouse=True)
def device(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that is well."""
    monkeypatch.setattr(check_command, "read_facts", lambda folder: GOOD)


def test_a_good_picture_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(FRAME)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Ready to record.")
    assert "33 pixels between lines" in said


def test_a_program_gets_the_same_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(FRAME), "--json", "--lang", "zh"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["level"] == "good"
    cell = next(item for item in answer["items"] if item["topic"] == "cell")
    assert cell["level"] == "good"
    assert cell["value"] == pytest.approx(32.8, abs=0.5)
    assert "像素" in cell["text"]


def test_a_picture_without_a_board_is_bad(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wall.png"
    cv2.imwrite(str(path), np.full((480, 640, 3), 120, np.uint8))
    assert main(["check", str(path), "--picture", str(tmp_path / "x.jpg")]) == 1
    assert "No board is found" in capsys.readouterr().out
    assert not (tmp_path / "x.jpg").exists()


def test_a_poor_set_up_has_an_exit_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    unset = SystemFacts(20_000_000_000, False, 50.0, False, False)
    monkeypatch.setattr(check_command, "read_facts", lambda folder: unset)
    assert main(["check", str(FRAME)]) == 3
    assert "Not set from the network" in capsys.readouterr().out


def test_the_picture_shows_the_coordinates(tmp_path: Path) -> None:
    path = tmp_path / "seen.jpg"
    assert main(["check", str(FRAME), "--picture", str(path)]) == 0
    seen, plain = cv2.imread(str(path)), cv2.imread(str(FRAME))
    assert seen.shape == plain.shape
    assert (np.abs(seen.astype(int) - plain) > 60).any(axis=2).sum() > 1000
    assert main(["check", str(FRAME), "--picture", str(tmp_path / "no" / "x.jpg")]) == 2


def test_corners_set_by_hand_are_used_for_their_own_camera_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((480, 640, 3), 120, np.uint8))
    corners = ((100.0, 100.0), (400.0, 100.0), (400.0, 400.0), (100.0, 400.0))
    board = BoardCalibration(9, corners, 640, 480, "hand", "2026-05-01T08:00:00Z")
    for camera, is_used in ((str(blank), True), ("other", False)):
        path = tmp_path / "camera.toml"
        save_calibration(path, Calibration(camera, board=board))
        caplog.clear()
        assert main(["check", str(blank), "--calibration", str(path)]) == 1
        assert ("corners are not used" in caplog.text) is not is_used


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.mp4"], "no video"),
        ([str(FRAME), "--seconds", "0"], "--seconds must be"),
        ([str(FRAME), "--calibration", "none.toml"], "no file none.toml"),
    ],
)
def test_a_mistake_is_told(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_damaged_calibration_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("format = 2\n[lens")
    assert main(["check", str(FRAME), "--calibration", str(path)]) == 2
    said = capsys.readouterr().err
    assert str(path) in said
    assert "by hand" in said

"""`banmen calibrate` on the command line: lens, corners, light and sheet into one file."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.store import load_calibration
from recorder.cli import main
from vision.still import load_still

FRAMES = Path(__file__).parent / "data" / "frames"
FRAME = FRAMES / "grid_09_1.jpg"
CORNERS = FRAME.with_suffix(".txt").read_text().split("corners_px: ")[1].split("\n")[0].split()
LARGE = FRAMES / "grid_19_3.jpg"


def test_lens_board_and_light_are_kept_side_by_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "camera.toml"
    to = ["--file", str(path), "--camera", "picamera", "--table", "3"]
    assert main(["calibrate", "lens", str(LARGE), *to]) == 0
    assert main(["calibrate", "board", str(LARGE), *to, "--black", "left"]) == 0
    assert main(["calibrate", "light", str(LARGE), *to]) == 0
    said = capsys.readouterr().out
    assert "crossings in 1 pictures" in said
    assert "19x19" in said
    found = load_calibration(path)
    assert found is not None
    assert (found.camera, found.table) == ("picamera", "3")
    assert found.lens is not None
    assert found.board is not None
    assert found.light is not None
    assert abs(found.lens.model.k1) < 0.05
    assert found.board.source == "found"
    assert found.light.wood.brightness > 50


def test_corners_by_hand_are_snapped_and_black_sits_where_told(tmp_path: Path) -> None:
    path, picture = tmp_path / "camera.toml", tmp_path / "seen.jpg"
    near = [str(float(value) + shift) for value, shift in zip(CORNERS, [3, -2] * 4, strict=True)]
    words = ["calibrate", "board", str(FRAME), "--corners", *near, "--size", "9"]
    assert main([*words, "--black", "top", "--file", str(path), "--picture", str(picture)]) == 0
    found = load_calibration(path)
    assert found is not None
    assert found.board is not None
    assert found.board.source == "hand"
    true = np.array(CORNERS, float).reshape(4, 2)
    stored = np.array(found.board.corners_px)
    assert np.abs(stored[:, None] - true).max(axis=-1).min(axis=1).max() < 2.5
    # Black at the top: the record's lower left corner is the picture's upper right one.
    assert stored[3, 1] < stored[0, 1]
    assert picture.stat().st_size > 1000


def test_another_camera_does_not_overwrite_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "camera.toml"
    assert main(["calibrate", "board", str(FRAME), "--file", str(path)]) == 0
    words = ["calibrate", "board", str(FRAME), "--file", str(path), "--camera", "other"]
    assert main(words) == 2
    assert "is of camera" in capsys.readouterr().err


def test_where_no_board_is_found_the_manual_way_is_offered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wall = tmp_path / "wall.png"
    cv2.imwrite(str(wall), np.full((480, 640, 3), 120, np.uint8))
    path = tmp_path / "camera.toml"
    for what in ("board", "lens", "light"):
        assert main(["calibrate", what, str(wall), "--file", str(path)]) == 1
    assert "--corners" in capsys.readouterr().out
    assert not path.exists()


def test_a_board_is_calibrated_from_one_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "board", str(FRAME), str(LARGE)]) == 2
    assert "takes one SOURCE, got 2" in capsys.readouterr().err


def test_pictures_of_different_sizes_are_not_mixed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = tmp_path / "small.png"
    cv2.imwrite(str(small), load_still(FRAME).image[:400, :600])
    assert main(["calibrate", "lens", str(FRAME), str(small)]) == 2
    assert "one size" in capsys.readouterr().err


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "61"])
def test_a_time_to_look_that_is_none_is_refused(
    seconds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "board", str(FRAME), "--seconds", seconds]) == 2
    assert "--seconds must be in 0-60" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("corners", "said"),
    [
        (["0", "0", "9000", "0", "100", "100", "0", "100"], "in the picture"),
        (["100", "100", "300", "110", "200", "130", "110", "300"], "dents"),
    ],
)
def test_corners_of_no_board_are_refused(
    corners: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "board", str(FRAME), "--corners", *corners]) == 2
    assert said in capsys.readouterr().err


def test_the_sheet_is_written_and_a_picture_without_it_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sheet.svg"
    assert main(["calibrate", "sheet", str(path)]) == 0
    assert path.read_text().startswith("<svg")
    assert main(["calibrate", "sheet", str(tmp_path / "no" / "x.svg")]) == 2
    assert main(["calibrate", "lens", str(FRAME), "--sheet", "--file", str(tmp_path / "x")]) == 1
    assert "corners of the sheet" in capsys.readouterr().out

"""Stills: one line an image, whatever the image is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from recorder.cli import main
from recorder.commands.demo import CLIP
from recorder.commands.read import uncertain_points
from recorder.goban import Point
from vision.types import StoneReading


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a picture of a board: a frame of the bundled clip without an arm, 15 moves played."""
    video = cv2.VideoCapture(str(CLIP))
    video.set(cv2.CAP_PROP_POS_FRAMES, 355)
    is_there, image = video.read()
    video.release()
    assert is_there
    path = tmp_path_factory.mktemp("stills") / "盤面.jpg"
    path.write_bytes(bytes(cv2.imencode(".jpg", image)[1]))
    return path


def read_json(
    capsys: pytest.CaptureFixture[str], *words: str, code: int = 0
) -> list[dict[str, Any]]:
    """Return the objects that `banmen read --json` prints."""
    assert main(["read", "--json", *words]) == code
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return [json.loads(line) for line in captured.out.splitlines()]


def test_a_board_is_read_with_corners_and_confidence(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (found,) = read_json(capsys, str(board))
    assert found["file"] == str(board)
    assert found["size"] == 19
    text = "".join(found["rows"])
    assert (len(text), text.count("B"), text.count("W")) == (361, 8, 7)
    assert np.array(found["corners"]).shape == (4, 2)
    assert 0.5 <= found["confidence"] <= 1
    assert all(0 <= row < 19 and 0 <= col < 19 for row, col in found["uncertain"])


def test_the_corners_run_clockwise_from_the_upper_left(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (found,) = read_json(capsys, str(board))
    x, y = np.array(found["corners"]).T
    doubled_area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())
    assert doubled_area > 0
    assert np.argmin(x + y) == 0


def test_people_get_a_sentence(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(board)]) == 0
    assert re.match(rf"{board}: 19x19, 8 black, 7 white, grid \d+% sure", capsys.readouterr().out)


def test_each_image_has_its_line_and_a_bad_one_costs_only_itself(
    board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = {
        "missing.jpg": (None, "missing"),
        "empty.jpg": (b"", "empty"),
        "text.png": (b"no picture", "unreadable"),
        "cut.jpg": (board.read_bytes()[:20_000], "truncated"),
        "dot.png": (bytes(cv2.imencode(".png", np.zeros((1, 1, 3), np.uint8))[1]), "too-small"),
        "grey.png": (bytes(cv2.imencode(".png", np.full((90, 120), 90, np.uint8))[1]), "no-board"),
    }
    for name, (content, _) in bad.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
    names = [str(tmp_path / name) for name in bad]
    found = read_json(capsys, *names, str(board), code=1)
    assert [line["file"] for line in found] == [*names, str(board)]
    assert [line.get("error") for line in found] == [*(error for _, error in bad.values()), None]
    assert all(line["message"] for line in found[:-1])


def test_an_overlay_is_the_picture_with_more_in_it(
    board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read_json(capsys, str(board), "--overlay", str(tmp_path / "a"), "--debug", str(tmp_path / "b"))
    drawn = cv2.imdecode(
        np.frombuffer((tmp_path / "a" / board.name).read_bytes(), np.uint8), cv2.IMREAD_COLOR
    )
    assert drawn is not None
    assert drawn.shape == (720, 1280, 3)
    assert {path.suffix for path in (tmp_path / "b").iterdir()} == {".jpg", ".png", ".json"}


def test_hidden_and_doubtful_points_are_uncertain() -> None:
    probabilities = np.zeros((9, 9, 3), np.float32)
    probabilities[..., 0] = 1
    probabilities[2, 3] = (0.5, 0.3, 0.2)
    visible = np.ones((9, 9), bool)
    visible[8, 0] = False
    assert uncertain_points(StoneReading(probabilities, visible, 0.0)) == [
        Point(2, 3),
        Point(8, 0),
    ]

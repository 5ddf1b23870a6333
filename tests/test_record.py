"""A recording from end to end: the bundled clip through cameras, rules, log, files and page."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import pytest

from recorder.cli import main
from recorder.commands.demo import CLIP
from recorder.goban import Color, Point, parse_vertex
from recorder.sgf import read_sgf
from vision.camera import VideoFile

MOVES = (
    *("Q16", "D16", "Q3", "C4", "E3", "R5", "Q7", "M3"),
    *("Q5", "J3", "R6", "D3", "E4", "D6", "H4"),
)
"""What is played in the clip, A1 at the lower left of the players' own board; White plays P8 as a
second stone after M3 and takes it back."""

DOUBLE = "P8"


@dataclass(frozen=True)
class Recorded:
    """A folder and what was printed while it was filled."""

    folder: Path
    printed: str

    def lines(self, kind: str) -> list[dict[str, Any]]:
        """Return the lines of one kind in events.jsonl."""
        text = (self.folder / "events.jsonl").read_text(encoding="utf-8")
        return [line for line in map(json.loads, text.splitlines()) if line["kind"] == kind]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Run the demo once, as fast as it goes, in a process whose output is no terminal."""
    folder = tmp_path_factory.mktemp("demo") / "game"
    command = [sys.executable, "-m", "recorder.cli", "demo", "--pace", "fast"]
    done = subprocess.run(
        [*command, "--out", str(folder), "--serve", "0"],
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr
    return Recorded(folder, done.stdout)


def turned(vertex: str, turns: int) -> Point:
    """Return a point of the players' board as it lies in the picture."""
    row, col = parse_vertex(vertex, 19)
    for _ in range(turns):
        row, col = 18 - col, row
    return Point(row, col)


@pytest.mark.slow
def test_every_move_of_the_clip_is_in_the_record(demo: Recorded) -> None:
    game = read_sgf((demo.folder / "game.sgf").read_bytes())
    found = [event.move for event in game.moves]
    assert [move.color for move in found] == [Color.BLACK, Color.WHITE] * 7 + [Color.BLACK]
    assert [move.point for move in found] in [
        [turned(vertex, turns) for vertex in MOVES] for turns in range(4)
    ]


@pytest.mark.slow
def test_the_double_move_is_an_alert_and_nothing_else_is(demo: Recorded) -> None:
    (alert,) = demo.lines("alert")
    assert (alert["type"], alert["level"], alert["color"]) == ("double-move", "violation", "W")
    assert parse_vertex(alert["points"][0], 19) in [turned(DOUBLE, turns) for turns in range(4)]
    assert 30 <= alert["seen_t"] <= 36
    assert not demo.lines("withdrawn")
    assert not demo.lines("retracted")


@pytest.mark.slow
def test_the_demo_prints_the_address_the_moves_and_the_alert_as_they_come(demo: Recorded) -> None:
    assert re.search(r"http://127\.0\.0\.1:\d+/", demo.printed)
    order = [demo.printed.index(text) for text in ("move 8: White", "ALERT 1", "move 9: Black")]
    assert order == sorted(order)
    assert "double-move" in demo.printed


@pytest.mark.slow
def test_moves_are_told_soon_after_the_stone_stood_free(demo: Recorded) -> None:
    waits = sorted(line["seen_t"] - line["t"] for line in demo.lines("move"))
    assert waits[len(waits) // 2] <= 0.8
    assert waits[-1] <= 1.5


@pytest.mark.slow
def test_the_game_folder_has_pictures_of_each_move_and_a_clip_of_the_alert(demo: Recorded) -> None:
    evidence = demo.folder / "evidence"
    for number in range(1, len(MOVES) + 1):
        names = {path.name for path in (evidence / f"move-{number:04d}").iterdir()}
        assert names >= {"before.jpg", "after.jpg", "reading.json"}
    assert (evidence / "alert-0001" / "frame.jpg").is_file()
    times = json.loads((evidence / "clip-0001" / "clip.json").read_text())["times"]
    (alert,) = demo.lines("alert")
    assert times[0] < alert["t"] - 10
    assert times[-1] > alert["seen_t"] + 8


@pytest.mark.slow
def test_the_log_gives_the_same_files_again(demo: Recorded, tmp_path: Path) -> None:
    assert main(["export", str(demo.folder), "--out", str(tmp_path)]) == 0
    for name in ("game.sgf", "events.jsonl"):
        assert (tmp_path / name).read_bytes() == (demo.folder / name).read_bytes()


@pytest.mark.slow
def test_the_tape_gives_the_same_files_again_without_the_video(demo: Recorded) -> None:
    assert main(["replay", str(demo.folder)]) == 0


@pytest.mark.slow
def test_a_folder_that_has_a_game_is_not_written_over(
    demo: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (demo.folder / "game.sgf").read_bytes()
    assert main(["record", str(CLIP), "--out", str(demo.folder)]) == 2
    assert "--resume" in capsys.readouterr().err
    assert (demo.folder / "game.sgf").read_bytes() == before


@pytest.mark.slow
def test_ctrl_c_ends_a_recording_with_the_record_complete_and_it_can_go_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "recorder.cli", "demo", "--pace", "fast", "--serve", "0"]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path / "game")], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "http://" in line:
                address = re.findall(r"http://\S+", line)[0]
            if "move 2:" in line:
                state = json.load(urllib.request.urlopen(f"{address}state.json", timeout=20))
                process.send_signal(signal.SIGINT)
                break
        rest = process.stdout.read()
    assert process.returncode == 0
    assert state
    told = 2 + len(re.findall(r"move \d+:", rest))
    game = read_sgf((tmp_path / "game" / "game.sgf").read_bytes())
    assert len(game.moves) == told
    # The clip begins again, on an emptied goban: what is in the log stays, whatever is made of it.
    (tmp_path / "pictures").mkdir()
    for frame in islice(VideoFile(CLIP).frames(), 25):
        cv2.imwrite(str(tmp_path / "pictures" / f"{frame.number:03d}.jpg"), frame.image)
    main(["record", str(tmp_path / "pictures"), "--out", str(tmp_path / "game"), "--resume"])
    lines = (tmp_path / "game" / "events.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["kind"] for line in lines].count("start") == 1
    assert main(["replay", str(tmp_path / "game")]) == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["none.mp4"], "there is no video, folder or camera 'none.mp4'"),
        ([str(CLIP), "--serve", "x"], "--serve must be [HOST:]PORT"),
        ([str(CLIP), "--inputs", "none.jsonl"], "--inputs: none.jsonl"),
        ([str(CLIP), "--start-position", "none.sgf"], "--start-position none.sgf"),
    ],
)
def test_what_cannot_be_used_is_named_and_nothing_is_left_behind(
    words: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", *words, "--out", str(tmp_path / "game")]) == 2
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "game").exists()

"""Pictures of moves and alerts: there when needed, within their budget."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from recorder.events import Alert, Event, Level, Move, MovePlayed, Record, Severity
from recorder.evidence import CELL_PX, MARGIN_CELLS, Evidence, Keeping
from recorder.eye import Look
from recorder.game import Game
from recorder.goban import Color, Point
from recorder.publish import Batch
from vision.geometry import homography_from_corners
from vision.types import CameraModel, Frame, GridFit, StoneReading

CAMERA = CameraModel(640, 360)
CORNERS = np.array([[150.0, 50], [450, 50], [450, 350], [150, 350]])
FIT = GridFit(9, homography_from_corners(CAMERA, 9, CORNERS), CAMERA, 0.3, 1.0)


def frame(t_s: float) -> Frame:
    """Return a frame whose brightness tells its time."""
    value = int(10 * t_s) % 256
    return Frame(np.full((360, 640, 3), value, np.uint8), t_s, number=round(5 * t_s))


def seen(t_s: float) -> Look:
    """Return a look at an empty goban."""
    probabilities = np.zeros((9, 9, 3), np.float32)
    probabilities[:, :, 0] = 1
    return Look(StoneReading(probabilities, np.ones((9, 9), bool), t_s), FIT)


def show(evidence: Evidence, start_s: float, end_s: float) -> None:
    """Show frames, five a second."""
    for number in range(round(5 * start_s), round(5 * end_s)):
        evidence.see(frame(number / 5), seen(number / 5))


def tell(evidence: Evidence, *events: Event) -> None:
    """Publish events."""
    records = tuple(Record(n, "a", 0.0, "", event) for n, event in enumerate(events))
    evidence.publish(Batch(records, Game()))


def move(number: int, t_s: float) -> MovePlayed:
    """Return a move at a time."""
    return MovePlayed(number, Move(Color.BLACK, Point(4, 4)), t_s=t_s)


def alert(id_: int, t_s: float, incident: int = 0) -> Alert:
    """Return an alert at a time."""
    return Alert(
        id_,
        "double-move",
        Level.VIOLATION,
        Severity.INTERRUPT,
        Color.WHITE,
        (Point(1, 1),),
        t_s,
        "17.2",
        "void",
        incident=incident,
    )


def brightness(path: Path) -> float:
    """Return the mean grey of a picture's middle, as seconds."""
    image = cv2.imread(str(path))
    assert image is not None
    rows, cols = image.shape[0] // 2, image.shape[1] // 2
    return float(image[rows - 9 : rows + 9, cols - 9 : cols + 9].mean()) / 10


def names(folder: Path) -> Sequence[str]:
    """Return the names in a folder, sorted."""
    return sorted(path.name for path in folder.iterdir())


def test_a_move_has_the_rectified_goban_before_and_after(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    show(evidence, 0, 8)
    tell(evidence, move(12, 6.7))
    folder = tmp_path / "move-0012"
    assert names(folder) == ["after.jpg", "before.jpg", "reading.json"]
    assert abs(brightness(folder / "before.jpg") - 6.3) < 0.25
    assert abs(brightness(folder / "after.jpg") - 7.8) < 0.15
    side = round((8 + 2 * MARGIN_CELLS) * CELL_PX)
    image = cv2.imread(str(folder / "after.jpg"))
    assert image is not None
    assert image.shape == (side, side, 3)


def test_the_reading_at_that_moment_is_kept_with_its_confidence(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    show(evidence, 0, 1)
    tell(evidence, move(1, 0.5))
    facts = json.loads((tmp_path / "move-0001" / "reading.json").read_text())
    assert facts["rows"] == ["." * 9] * 9
    assert facts["confidence"] == [[100] * 9] * 9


def test_an_alert_has_a_clip_from_before_it_to_after_it(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    show(evidence, 0, 20)
    tell(evidence, alert(3, 19.0))
    show(evidence, 20, 40)
    assert "frame.jpg" in names(tmp_path / "alert-0003")
    times = json.loads((tmp_path / "clip-0003" / "clip.json").read_text())["times"]
    assert abs(times[0] - 4.8) < 0.3
    assert abs(times[-1] - 29.8) < 0.3
    assert len(names(tmp_path / "clip-0003")) == len(times) + 1


def test_findings_of_one_incident_share_a_clip_that_goes_on(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    show(evidence, 0, 5)
    tell(evidence, alert(1, 4.0, incident=1))
    show(evidence, 5, 12)
    tell(evidence, alert(2, 11.0, incident=1))
    show(evidence, 12, 30)
    assert [name for name in names(tmp_path) if name.startswith("clip")] == ["clip-0001"]
    times = json.loads((tmp_path / "clip-0001" / "clip.json").read_text())["times"]
    assert abs(times[-1] - 21.8) < 0.3


def test_a_clip_that_is_deleted_while_it_grows_does_not_come_again(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    show(evidence, 0, 5)
    tell(evidence, alert(1, 4.0))
    shutil.rmtree(tmp_path)
    show(evidence, 5, 30)
    evidence.close()
    assert not tmp_path.exists()
    tell(evidence, move(2, 29.0))
    assert names(tmp_path) == ["move-0002"]


def test_a_clip_that_is_cut_by_the_end_is_whole(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    show(evidence, 0, 5)
    tell(evidence, alert(1, 4.0))
    show(evidence, 5, 7)
    evidence.close()
    times = json.loads((tmp_path / "clip-0001" / "clip.json").read_text())["times"]
    assert abs(times[-1] - 6.8) < 0.3


def test_beyond_the_budget_the_oldest_moves_go_and_alerts_stay(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path, Keeping(budget_bytes=40_000))
    show(evidence, 0, 2)
    tell(evidence, alert(1, 1.0))
    for number in range(1, 40):
        tell(evidence, move(number, 1.5))
    left = names(tmp_path)
    assert "alert-0001" in left
    assert "move-0039" in left
    assert "move-0001" not in left


def test_pictures_of_an_earlier_part_of_the_game_count(tmp_path: Path) -> None:
    first = Evidence(tmp_path)
    show(first, 0, 2)
    for number in range(1, 21):
        tell(first, move(number, 1.5))
    second = Evidence(tmp_path, Keeping(budget_bytes=40_000))
    show(second, 2, 4)
    tell(second, move(21, 3.5))
    assert "move-0001" not in names(tmp_path)
    assert "move-0021" in names(tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.*")) <= 40_000


def test_the_ring_keeps_to_its_memory(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path, Keeping(ring_bytes=20_000))
    show(evidence, 0, 15)
    tell(evidence, alert(1, 14.0))
    clip = tmp_path / "clip-0001"
    assert sum(path.stat().st_size for path in clip.glob("*.jpg")) <= 20_000


def test_without_a_frame_nothing_fails(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    tell(evidence, move(1, 0.0), alert(1, 0.0))
    evidence.see(frame(0.0), Look(seen(0.0).seen, None))
    tell(evidence, move(2, 0.0))
    assert "after.jpg" not in names(tmp_path / "move-0002")

"""A camera being set up: corners by hand, frames for a check, and what has moved."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from calibration.corners import CornersError, Snapped
from calibration.drift import Drift
from calibration.store import BoardCalibration, Calibration, LensCalibration, load_calibration
from recorder.engine import Known, NoSight
from recorder.events import ViewState
from recorder.eye import Eye, Look
from recorder.set_up import NoFrameError, SetUp, SizeError
from recorder.settling import new_settling
from vision.geometry import corners_px
from vision.still import load_still
from vision.training.photos import known_grid
from vision.types import CameraModel, Frame, GridFit, Side

PICTURE = Path(__file__).parent / "data" / "frames" / "grid_09_1.jpg"
FRAME = load_still(PICTURE)
HEIGHT, WIDTH = FRAME.image.shape[:2]
CORNERS = np.array(
    PICTURE.with_suffix(".txt").read_text().split("corners_px: ")[1].split("\n")[0].split(), float
).reshape(4, 2)
TRUE = known_grid(FRAME.image.shape, 9, CORNERS)


@dataclass
class Loop:
    """A loop whose search finds nothing, as on a hard picture: only what is placed is seen."""

    eyes: list[Eye] = field(default_factory=list)
    state: ViewState = ViewState.NO_GRID

    def looking(self, eye: Eye, frame: Frame, known: Known | None) -> tuple[Eye, Look]:
        self.eyes.append(eye)
        memory = eye.grid
        if memory is None or memory.fit is None or self.state is ViewState.MOVED:
            lost = replace(eye, grid=None)
            return lost, Look(NoSight(frame.seen_at_s, self.state, "nothing"), None)
        return eye, Look(NoSight(frame.seen_at_s, self.state, ""), memory.fit)


def frame_at(seconds: float) -> Frame:
    return Frame(FRAME.image, seconds)


def set_up_with(loop: Loop, calibration: Calibration | None = None, **more: object) -> SetUp:
    known = calibration or Calibration("camera")
    return SetUp(known, looking=loop.looking, **more)  # type: ignore[arg-type]


def by_hand(corners: np.ndarray = CORNERS, source: str = "hand") -> Calibration:
    points = tuple((float(x), float(y)) for x, y in corners)
    board = BoardCalibration(9, points, WIDTH, HEIGHT, source, "2026-05-01T08:00:00Z")
    return Calibration("camera", board=board)


def test_corners_by_hand_are_snapped_used_and_stored(tmp_path: Path) -> None:
    loop, path = Loop(), tmp_path / "camera.toml"
    set_up = set_up_with(loop, path=path)
    eye, seen = set_up.look(Eye(), frame_at(0.0), None)
    assert seen.fit is None
    shaken = CORNERS + np.array([[4, -5], [-5, 3], [3, 4], [-4, -3.0]])
    placed = set_up.place(frame_at(0.0), 9, shaken, Side.BOTTOM)
    assert placed.by is Snapped.NETWORK
    set_up.keep(placed.fit)
    eye, seen = set_up.look(eye, frame_at(1.0), None)
    assert seen.fit is not None
    turns = [seen.fit.turned(turn) for turn in range(4)]
    off = min(float(np.linalg.norm(corners_px(t) - CORNERS, axis=1).max()) for t in turns)
    assert off < 0.1 * TRUE.cell_px
    stored = load_calibration(path)
    assert stored is not None
    assert stored.board is not None
    assert stored.board.source == "hand"


@pytest.mark.parametrize("side", list(Side))
def test_black_sits_where_the_operator_says(side: Side) -> None:
    set_up = set_up_with(Loop())
    fit = set_up.place(frame_at(0.0), 9, CORNERS, side).fit
    lower = corners_px(fit)[2:].mean(axis=0) - corners_px(fit).mean(axis=0)
    away = {
        Side.BOTTOM: lower[1], Side.TOP: -lower[1], Side.LEFT: -lower[0], Side.RIGHT: lower[0]
    }  # fmt: skip
    assert away[side] > 0


def test_stored_corners_by_hand_are_used_after_a_restart() -> None:
    set_up = set_up_with(Loop(), by_hand())
    _, seen = set_up.look(Eye(), frame_at(0.0), None)
    assert seen.fit is not None
    assert np.abs(corners_px(seen.fit) - CORNERS).max() < 1e-3


def test_stored_corners_that_were_found_are_used_only_if_the_board_is_still_there() -> None:
    away = CORNERS + np.array([150.0, 60.0])
    for corners, is_there in ((CORNERS, True), (away, False)):
        set_up = set_up_with(Loop(), by_hand(corners, "found"))
        _, seen = set_up.look(Eye(), frame_at(0.0), None)
        assert (seen.fit is not None) is is_there


def test_corners_of_another_picture_size_are_not_used(caplog: pytest.LogCaptureFixture) -> None:
    calibration = by_hand()
    assert calibration.board is not None
    other = replace(calibration, board=replace(calibration.board, width_px=WIDTH + 10))
    _, seen = set_up_with(Loop(), other).look(Eye(), frame_at(0.0), None)
    assert seen.fit is None
    assert "stored corners are not used" in caplog.text


def test_a_measured_lens_reaches_the_eye() -> None:
    lens = CameraModel(WIDTH, HEIGHT, 0.03)
    stored = LensCalibration(lens, 0.2, 1, 300, "board", "2026-05-01T08:00:00Z")
    loop = Loop()
    set_up_with(loop, Calibration("camera", lens=stored)).look(Eye(), frame_at(0.0), None)
    assert loop.eyes[0].camera == lens


def test_a_grid_by_hand_is_tried_again_when_the_search_loses_it() -> None:
    loop = Loop()
    set_up = set_up_with(loop, by_hand())
    eye, _ = set_up.look(Eye(), frame_at(0.0), None)
    eye, seen = set_up.look(replace(eye, grid=None), frame_at(5.0), None)
    assert seen.fit is not None


def test_a_grid_by_hand_ends_when_camera_or_board_has_moved() -> None:
    loop = Loop()
    set_up = set_up_with(loop, by_hand())
    eye, _ = set_up.look(Eye(), frame_at(0.0), None)
    loop.state = ViewState.MOVED
    eye, seen = set_up.look(eye, frame_at(5.0), None)
    loop.state = ViewState.NO_GRID
    _, seen = set_up.look(eye, frame_at(10.0), None)
    assert seen.fit is None


def test_corners_of_another_size_than_the_game_are_refused() -> None:
    set_up = set_up_with(Loop())
    set_up.look(Eye(), frame_at(0.0), Known(new_settling(19), True, False))
    with pytest.raises(SizeError, match="19 lines"):
        set_up.place(frame_at(0.0), 9, CORNERS, Side.BOTTOM)


def test_corners_that_are_no_board_are_refused() -> None:
    set_up = set_up_with(Loop())
    dent = [[100.0, 100.0], [300.0, 110.0], [200.0, 130.0], [110.0, 300.0]]
    with pytest.raises(CornersError, match="without dents"):
        set_up.place(frame_at(0.0), 9, np.array(dent), Side.BOTTOM)
    with pytest.raises(CornersError, match="in the picture"):
        set_up.place(frame_at(0.0), 9, np.array([[-900.0, 0.0], *dent[1:]]), Side.BOTTOM)


def test_the_pages_get_the_newest_frame_and_are_told_when_there_is_none() -> None:
    set_up = set_up_with(Loop())
    with pytest.raises(NoFrameError, match="not given a picture"):
        set_up.frame()
    set_up.see(frame_at(3.0), Look(NoSight(3.0, ViewState.NO_GRID), None))
    assert set_up.frame().seen_at_s == 3.0


def test_a_check_gets_the_frames_that_come_while_it_waits() -> None:
    set_up = set_up_with(Loop())
    go_on = threading.Event()

    def film() -> None:
        number = 0
        while not go_on.is_set():
            number += 1
            set_up.see(frame_at(number / 10), Look(NoSight(0.0, ViewState.NO_GRID), None))

    camera = threading.Thread(target=film)
    camera.start()
    try:
        burst = set_up.burst(seconds=2.0)
    finally:
        go_on.set()
        camera.join()
    assert burst.times_s[-1] - burst.times_s[0] >= 2.0
    assert 8 <= len(burst.frames) <= 17


def test_a_check_of_a_dead_camera_gets_nothing() -> None:
    burst = set_up_with(Loop()).burst(seconds=0.01, first_s=0.01)
    assert burst.frames == ()


def shown(fit: GridFit | None) -> Callable[[float], tuple[Frame, Look]]:
    return lambda at_s: (frame_at(at_s), Look(NoSight(at_s, ViewState.NO_GRID), fit))


def test_a_pushed_board_is_noticed_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    set_up = set_up_with(Loop())
    moved = known_grid(FRAME.image.shape, 9, CORNERS + np.array([40.0, 0.0]))
    with caplog.at_level(logging.INFO):
        for second in range(20):
            set_up.see(*shown(TRUE if second < 10 else moved)(float(second)))
    assert [noticed.movement.drift for noticed in set_up.movements] == [Drift.PUSHED]
    assert set_up.open_alert is None
    assert "pushed by 1.2" in caplog.text


def test_a_lost_board_is_an_alert_until_it_is_found() -> None:
    set_up = set_up_with(Loop())
    for second in range(40):
        is_there = second < 5 or second >= 30
        set_up.see(*shown(TRUE if is_there else None)(float(second)))
        if second == 20:
            alert = set_up.open_alert
            assert alert is not None
            assert alert.movement.drift is Drift.LOST
    assert set_up.open_alert is None

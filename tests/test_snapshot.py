"""The operator sees the camera's last picture, reduced, with what was read on it."""

from __future__ import annotations

import cv2
import numpy as np

from recorder.engine import NoSight
from recorder.events import ViewState
from recorder.eye import Look
from recorder.snapshot import WIDTH_PX, Snapshot
from vision.types import Frame


def frame(width: int, height: int) -> Frame:
    return Frame(image=np.full((height, width, 3), 90, np.uint8), seen_at_s=1.0)


def test_before_the_first_frame_there_is_no_picture() -> None:
    assert Snapshot().jpeg() is None


def test_the_last_frame_is_shown_not_wider_than_a_phone_needs() -> None:
    snapshot = Snapshot()
    nothing = Look(NoSight(1.0, ViewState.NO_GRID, "no goban found"), None)
    snapshot.see(frame(640, 480), nothing)
    snapshot.see(frame(1920, 1080), nothing)
    jpeg = snapshot.jpeg()
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (540, WIDTH_PX, 3)

"""Sources of frames: files end, cameras come back."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from recorder.mailbox import Mailbox, pump
from vision.camera import CameraError, ImageFolder, LiveSource, VideoFile, open_source


def picture(value: int) -> NDArray[np.uint8]:
    """Return a grey picture."""
    return np.full((48, 64, 3), value, np.uint8)


def film(path: Path, count: int, rate: float = 8.0) -> None:
    """Write a video of pictures that grow lighter."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), rate, (64, 48))
    for n in range(count):
        writer.write(picture(10 * n))
    writer.release()


def test_a_video_gives_every_frame_at_its_time(tmp_path: Path) -> None:
    film(tmp_path / "a.avi", 20)
    source = open_source(str(tmp_path / "a.avi"))
    frames = list(source.frames())
    assert [frame.number for frame in frames] == list(range(20))
    assert [frame.seen_at_s for frame in frames] == pytest.approx([n / 8 for n in range(20)])
    assert source.duration_s == pytest.approx(2.5)
    assert not source.is_live


def test_a_video_that_is_closed_ends(tmp_path: Path) -> None:
    film(tmp_path / "a.avi", 20)
    source = VideoFile(tmp_path / "a.avi")
    frames = source.frames()
    assert len(list(islice(frames, 3))) == 3
    source.close()
    assert not list(frames)


def test_a_folder_gives_its_images_in_order_and_leaves_out_what_is_none(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for n in (2, 1, 3):
        cv2.imwrite(str(tmp_path / f"{n}.png"), picture(10 * n))
    (tmp_path / "4.png").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("no image")
    frames = list(ImageFolder(tmp_path).frames())
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [10, 20, 30]
    assert [r.getMessage() for r in caplog.records] == [
        f"{tmp_path / '4.png'} is left out: the file is empty"
    ]


def test_a_source_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("no video")
    (tmp_path / "empty").mkdir()
    for name in ("none.mp4", "text.mp4", "empty"):
        with pytest.raises(CameraError, match=name.removesuffix(".mp4")):
            open_source(str(tmp_path / name))


class Flaky:
    """A camera that gives some pictures and is gone."""

    def __init__(self, pictures: list[int]) -> None:
        self._pictures: Iterator[int] = iter(pictures)
        self.is_released = False

    def read(self) -> tuple[bool, NDArray[np.uint8] | None]:
        """Give the next picture, if there is one."""
        value = next(self._pictures, None)
        return (False, None) if value is None else (True, picture(value))

    def release(self) -> None:
        """Note it."""
        self.is_released = True


def test_a_camera_that_goes_away_comes_back_with_one_line_each(
    caplog: pytest.LogCaptureFixture,
) -> None:
    openings: list[Flaky | None] = [Flaky([1, 2]), None, None, Flaky([3])]
    opened: list[Flaky] = []

    def opener() -> Flaky:
        camera = openings.pop(0)
        if camera is None:
            raise CameraError("not there")
        opened.append(camera)
        return camera

    source = LiveSource("test", opener, retry_s=0.0)
    with caplog.at_level(logging.INFO):
        frames = list(islice(source.frames(), 3))
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [1, 2, 3]
    assert [frame.number for frame in frames] == [0, 1, 2]
    assert [r.levelname for r in caplog.records] == ["WARNING", "INFO"]
    assert opened[0].is_released


def test_of_a_camera_that_is_not_there_only_our_own_line_is_printed(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    source = open_source("/dev/video99")
    mailbox = Mailbox(keeps_every_frame=False)
    thread = pump(source.frames(), mailbox)
    end_s = time.monotonic() + 60
    while not caplog.records and time.monotonic() < end_s:
        mailbox.take(0.05)
    source.close()
    thread.join(60)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert capfd.readouterr().err == ""


def test_a_camera_that_is_closed_gives_no_more() -> None:
    source = LiveSource("test", lambda: Flaky([1, 2, 3]), retry_s=0.0)
    frames = source.frames()
    next(frames)
    source.close()
    assert not list(frames)

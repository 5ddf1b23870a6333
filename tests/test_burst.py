"""A few seconds of frames: an even selection is kept, the times of all are told."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from recorder.burst import Collector, take_burst
from vision.camera import CameraError
from vision.types import Frame

IMAGE = np.full((48, 64, 3), 100, np.uint8)


def film(path: Path, frames: int, rate: float = 10.0) -> None:
    """Write a short video."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), rate, (64, 48))
    for _ in range(frames):
        writer.write(IMAGE)
    writer.release()


def test_few_frames_are_kept_and_they_span_the_whole_time() -> None:
    collector = Collector(seconds=10.0, kept=8)
    number = 0
    while not collector.take(Frame(IMAGE, number / 30)):
        number += 1
    burst = collector.burst()
    assert 4 <= len(burst.frames) <= 8
    assert len(burst.times_s) == number + 1
    assert burst.frames[0].seen_at_s == 0.0
    assert burst.frames[-1].seen_at_s > 7.0
    assert np.ptp(np.diff([frame.seen_at_s for frame in burst.frames])) < 1e-6


def test_a_video_gives_the_frames_of_its_first_seconds(tmp_path: Path) -> None:
    film(tmp_path / "x.mp4", 40)
    burst = take_burst(str(tmp_path / "x.mp4"), seconds=2.0)
    assert len(burst.times_s) == 21
    assert len(take_burst(str(tmp_path / "x.mp4"), seconds=60.0).times_s) == 40


def test_pictures_have_no_rate(tmp_path: Path) -> None:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), IMAGE)
    assert take_burst(str(tmp_path)).times_s == ()
    single = take_burst(str(tmp_path / "0.png"))
    assert (len(single.frames), single.times_s) == (1, ())


def test_a_source_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="no video"):
        take_burst(str(tmp_path / "none.mp4"))
    (tmp_path / "bad.png").write_bytes(b"\x89PNG")
    with pytest.raises(CameraError):
        take_burst(str(tmp_path / "bad.png"))


def test_a_camera_that_gives_nothing_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dark:
        is_live, duration_s = True, None

        def frames(self):  # type: ignore[no-untyped-def]
            return iter(())

        def close(self) -> None: ...

    monkeypatch.setattr("recorder.burst.open_source", lambda name: Dark())
    assert take_burst("/dev/video9", first_s=0.01).frames == ()

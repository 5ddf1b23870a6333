"""Where frames come from: video files, folders of images, cameras and network streams."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_mode import CameraMode
from vision.picamera import PiCapture
from vision.still import StillError, load_still
from vision.types import Frame

log = logging.getLogger(__name__)

IMAGE_ENDINGS = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
RETRY_S = 2.0
"""A camera that went away is tried again this often."""

LEAST_RATE, MOST_RATE, USUAL_RATE = 0.1, 500.0, 25.0
"""Frames a second: what a file may claim, and what is believed when it claims something else."""

FOLDER_FRAMES_PER_S = 5.0
"""Images of a folder count as taken so many a second."""


class CameraError(OSError):
    """There is no such source, or it gives no picture."""


class FrameSource(Protocol):
    """Something that gives frames one after the other."""

    @property
    def is_live(self) -> bool:
        """Whether frames come in real time: the newest counts, and `seen_at_s` is monotonic."""

    @property
    def duration_s(self) -> float | None:
        """Length of a recording, None when there is no end or it is not known."""

    def frames(self) -> Iterator[Frame]:
        """Iterate over the frames until the end, or until `close`."""

    def close(self) -> None:
        """Stop giving frames; callable from another thread."""


def open_source(text: str, mode: CameraMode | None = None) -> FrameSource:
    """Return the source that a text names; a camera is asked for a mode.

    A video file, a folder of images, a camera (`/dev/video0` or `0`), an RTSP or HTTP address, or
    `picamera`.

    Raises
    ------
    CameraError
        Nothing of this name is there, or it is no video.
    """
    path, wanted = Path(text), mode or CameraMode()
    if text == "picamera":
        return LiveSource(text, lambda: PiCapture(wanted))
    if "://" in text:
        return LiveSource(text, lambda: _open_capture(text, wanted))
    if text.isdecimal() or text.startswith("/dev/"):
        digits = text.removeprefix("/dev/video")
        device = int(digits) if digits.isdecimal() else text
        return LiveSource(text, lambda: _open_capture(device, wanted))
    if path.is_dir():
        return ImageFolder(path)
    if path.is_file():
        return VideoFile(path)
    raise CameraError(f"there is no video, folder or camera {text!r}")


class VideoFile:
    """The frames of a video file, at the times of the video."""

    is_live = False

    def __init__(self, path: Path) -> None:
        """Open a file; raise `CameraError` if it holds no video."""
        self._path = path
        self._is_closed = False
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraError(f"{path} is no video that can be read")
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._rate = rate if LEAST_RATE <= rate <= MOST_RATE else USUAL_RATE
        count = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        self.duration_s = count / self._rate if count > 0 else None

    def frames(self) -> Iterator[Frame]:
        """Iterate over all frames; `seen_at_s` is the time within the video."""
        number, first_s, last_s = 0, 0.0, -1.0
        # Released on the thread that reads from it.
        with contextlib.ExitStack() as stack:
            stack.callback(self._capture.release)
            while not self._is_closed:
                is_there, image = self._capture.read()
                if not is_there or image is None:
                    return
                # Phones film at a rate that varies: the file's own times count, if it has any.
                told_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000 - first_s
                if number == 0:
                    first_s, told_s = told_s, 0.0
                last_s = told_s if told_s > last_s else last_s + 1 / self._rate
                yield Frame(np.asarray(image, np.uint8), last_s, number=number)
                number += 1

    def close(self) -> None:
        """End after the frame being read."""
        self._is_closed = True


class ImageFolder:
    """The images of a folder in the order of their names, as if filmed five a second."""

    is_live = False

    def __init__(self, path: Path) -> None:
        """Look for images; raise `CameraError` if there are none."""
        self._paths = sorted(p for p in path.iterdir() if p.suffix.lower() in IMAGE_ENDINGS)
        self._is_closed = False
        if not self._paths:
            raise CameraError(f"there are no images in {path}")
        self.duration_s: float | None = len(self._paths) / FOLDER_FRAMES_PER_S

    def frames(self) -> Iterator[Frame]:
        """Iterate over the images; one that cannot be read is skipped with a warning."""
        for number, path in enumerate(self._paths):
            if self._is_closed:
                return
            try:
                still = load_still(path)
            except StillError as error:
                log.warning("%s is left out: %s", path, error)
                continue
            yield Frame(still.image, number / FOLDER_FRAMES_PER_S, still.utc, number)

    def close(self) -> None:
        """End after the image being read."""
        self._is_closed = True


class Capture(Protocol):
    """An open camera."""

    def read(self) -> tuple[bool, NDArray[np.uint8] | None]:
        """Wait for the next picture; (False, None) when the camera is gone."""

    def release(self) -> None:
        """Close it."""


class LiveSource:
    """A camera or stream; when it goes away it is opened again until `close`.

    One line is logged when it is lost and one when it is back.
    """

    is_live = True
    duration_s: float | None = None

    def __init__(
        self, name: str, opener: Callable[[], Capture], *, retry_s: float = RETRY_S
    ) -> None:
        self._name = name
        self._open = opener
        self._retry_s = retry_s
        self._closing = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """Iterate over frames as they come; waits while the camera is away."""
        number, is_lost = 0, False
        while not self._closing.is_set():
            for image in self._pictures():
                if is_lost:
                    log.info("camera %s is back", self._name)
                    is_lost = False
                yield Frame(image, time.monotonic(), datetime.now(UTC), number)
                number += 1
            if not is_lost and not self._closing.is_set():
                log.warning("camera %s gives no picture, trying again", self._name)
                is_lost = True
            self._closing.wait(self._retry_s)

    def close(self) -> None:
        """End after the picture being waited for."""
        self._closing.set()

    def _pictures(self) -> Iterator[NDArray[np.uint8]]:
        """Iterate over the pictures of one opening of the camera."""
        try:
            capture = self._open()
        except Exception as error:  # noqa: BLE001 - drivers raise whatever they like
            log.debug("camera %s cannot be opened: %s", self._name, error)
            return
        with contextlib.ExitStack() as stack:
            stack.callback(capture.release)
            while not self._closing.is_set():
                image = self._read(capture)
                if image is None:
                    return
                yield image

    def _read(self, capture: Capture) -> NDArray[np.uint8] | None:
        """Return the next picture; None when the camera is gone, or gives what is no picture."""
        try:
            is_there, image = capture.read()
        except Exception as error:  # noqa: BLE001 - the cure is to open it again
            log.debug("camera %s cannot be read: %s", self._name, error)
            return None
        if not is_there or image is None or image.dtype != np.uint8 or image.ndim not in (2, 3):
            return None
        if image.ndim == 2 or image.shape[2] == 1:
            return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
        return image if image.shape[2] == 3 else None


def _open_capture(source: str | int, mode: CameraMode) -> Capture:
    # Without a limit a frozen server blocks for half a minute.
    os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_transport;tcp")
    # A camera that is away is tried every two seconds, and one line of ours tells of it.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 5000]
    if isinstance(source, str) and "://" in source:
        capture: Any = cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)
    else:
        capture = cv2.VideoCapture(source)
        for setting, value in (
            (cv2.CAP_PROP_BUFFERSIZE, 1),
            (cv2.CAP_PROP_FRAME_WIDTH, mode.width),
            (cv2.CAP_PROP_FRAME_HEIGHT, mode.height),
            (cv2.CAP_PROP_FPS, mode.rate),
        ):
            capture.set(setting, value)
    if not capture.isOpened():
        raise CameraError(f"camera {source} cannot be opened")
    opened: Capture = capture
    return opened

"""The camera's last picture with what was read on it, for the operator."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from recorder.eye import Look
from vision.overlay import draw_overlay
from vision.types import Frame, StoneReading

WIDTH_PX = 960
"""Wider pictures are reduced: the desk looks at them on a phone, every two seconds."""

QUALITY = 80


class Snapshot:
    """Keeps the last frame; drawing it costs only whoever asks.

    A witness of every frame, on the loop's thread; asked for from others. What is kept is one
    immutable pair, so no lock is needed.
    """

    def __init__(self) -> None:
        self._last: tuple[Frame, Look] | None = None

    def see(self, frame: Frame, seen: Look) -> None:
        """Remember a frame."""
        self._last = (frame, seen)

    def jpeg(self) -> bytes | None:
        """Return the last frame with grid and stones drawn in; None before the first one."""
        last = self._last
        if last is None:
            return None
        frame, look = last
        reading = look.seen if isinstance(look.seen, StoneReading) else None
        image = reduced(draw_overlay(frame, look.fit, reading))
        return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1])


def reduced(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return an image not wider than `WIDTH_PX`."""
    height, width = image.shape[:2]
    if width <= WIDTH_PX:
        return image
    size = (WIDTH_PX, round(height * WIDTH_PX / width))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)

"""Still pictures: read from a file as they are shown, or refused with a reason."""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame

MOST_PIXELS = 60_000_000
"""Larger pictures are refused before they are decoded; no camera needs them for a goban."""

LEAST_SIDE_PX = 32
"""On smaller pictures no goban can be read."""

_JPEG_START, _JPEG_END = b"\xff\xd8\xff", b"\xff\xd9"
_PNG_START, _PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND"
_NO_LENGTH = {0x01, *range(0xD0, 0xD9)}
_SIZES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_SCAN = 0xDA


class StillFault(Enum):
    """Why a file gives no picture."""

    MISSING = "missing"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    UNREADABLE = "unreadable"
    TOO_SMALL = "too-small"
    TOO_LARGE = "too-large"


class StillError(ValueError):
    """A file that gives no picture of a goban; `fault` says why."""

    def __init__(self, fault: StillFault, message: str) -> None:
        super().__init__(message)
        self.fault = fault


def load_still(path: Path) -> Frame:
    """Return the picture of a file as it is shown: EXIF rotation applied, 8 bits a channel, BGR.

    Raises
    ------
    StillError
        There is no such file, or nothing in it that can be used.
    """
    try:
        data = path.read_bytes()
        taken = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError as error:
        fault = (
            StillFault.MISSING if isinstance(error, FileNotFoundError) else StillFault.UNREADABLE
        )
        raise StillError(fault, error.strerror or str(error)) from error
    return Frame(decode_still(data), 0.0, taken)


def decode_still(data: bytes) -> NDArray[np.uint8]:
    """Return the (H, W, 3) BGR picture of a file's content; raise `StillError` if there is none."""
    if not data:
        raise StillError(StillFault.EMPTY, "the file is empty")
    _check_size(*(_size_in_header(data) or (LEAST_SIDE_PX, LEAST_SIDE_PX)))
    if _is_cut_short(data):
        raise StillError(StillFault.TRUNCATED, "the end of the file is missing")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise StillError(StillFault.UNREADABLE, f"cannot be decoded: {error.err}") from error
    if image is None:
        raise StillError(StillFault.UNREADABLE, "not a picture of a known format")
    _check_size(image.shape[1], image.shape[0])
    return np.asarray(image, np.uint8)


def _check_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        text = f"at most {MOST_PIXELS // 10**6} megapixels are read, got {width} x {height}"
        raise StillError(StillFault.TOO_LARGE, text)
    if min(width, height) < LEAST_SIDE_PX:
        text = f"a side must have at least {LEAST_SIDE_PX} pixels, got {width} x {height}"
        raise StillError(StillFault.TOO_SMALL, text)


def _size_in_header(data: bytes) -> tuple[int, int] | None:
    """Return (width, height) as the header of a JPEG, PNG or BMP tells it, None if it does not."""
    if data.startswith(_PNG_START) and len(data) >= 24:
        width, height = struct.unpack_from(">II", data, 16)
        return width, height
    if data.startswith(b"BM") and len(data) >= 26:
        width, height = struct.unpack_from("<ii", data, 18)
        return abs(width), abs(height)
    if data.startswith(_JPEG_START):
        for marker, place in _jpeg_segments(data):
            if marker in _SIZES and place + 9 <= len(data):
                height, width = struct.unpack_from(">HH", data, place + 5)
                return width, height
    return None


def _jpeg_segments(data: bytes) -> list[tuple[int, int]]:
    """Return (marker, place) of a JPEG's segments up to the first scan."""
    found, place = [], 2
    while place + 4 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
            continue
        found.append((marker, place))
        if marker == _SCAN:
            break
        place += 2 if marker in _NO_LENGTH else 2 + struct.unpack_from(">H", data, place + 2)[0]
    return found


def _is_cut_short(data: bytes) -> bool:
    """Return whether the end that a JPEG or PNG must have is missing.

    Decoders fill such pictures with grey, which then counts as a goban without stones.
    """
    if data.startswith(_PNG_START):
        return data.rfind(_PNG_END) < 0
    if data.startswith(_JPEG_START):
        scans = [place for marker, place in _jpeg_segments(data) if marker == _SCAN]
        return not scans or data.rfind(_JPEG_END) < scans[0]
    return False

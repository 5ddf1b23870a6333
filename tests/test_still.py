"""Still pictures: as they are shown, or a reason why not."""

from __future__ import annotations

import contextlib
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.still import StillError, StillFault, decode_still, load_still

PICTURE = np.zeros((60, 90, 3), np.uint8)
PICTURE[:20, :30] = (10, 60, 200)


def encoded(ending: str, image: np.ndarray = PICTURE) -> bytes:
    """Return the picture as a file's content."""
    return bytes(cv2.imencode(ending, image)[1])


def fault_of(data: bytes) -> StillFault:
    """Return why a content is refused."""
    with pytest.raises(StillError) as caught:
        decode_still(data)
    return caught.value.fault


@pytest.mark.parametrize("ending", [".jpg", ".png", ".bmp", ".webp"])
def test_every_usual_format_is_read(ending: str) -> None:
    image = decode_still(encoded(ending))
    assert image.shape == PICTURE.shape
    assert np.abs(image[10, 10].astype(int) - PICTURE[10, 10]).max() < 12


@pytest.mark.parametrize(
    "image",
    [
        PICTURE[:, :, 0],
        np.dstack([PICTURE, PICTURE[:, :, :1]]),
        PICTURE.astype(np.uint16) * 257,
    ],
    ids=["grey", "transparent", "16-bit"],
)
def test_other_channels_and_depths_become_color(image: np.ndarray) -> None:
    assert decode_still(encoded(".png", image)).shape == PICTURE.shape


def test_a_picture_is_turned_as_its_exif_says() -> None:
    data = encoded(".jpg")
    tiff = b"MM\x00\x2a" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)
    exif = b"Exif\x00\x00" + tiff
    turned = data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]
    image = decode_still(turned)
    assert image.shape == (90, 60, 3)
    assert image[5, 50, 2] > 150


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_a_picture_cut_short_is_refused(ending: str, share: float) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (60, 90, 3)).astype(np.uint8)
    data = encoded(ending, noise)
    assert fault_of(data[: round(len(data) * share)]) is StillFault.TRUNCATED


def test_what_is_no_picture_is_refused() -> None:
    assert fault_of(b"") is StillFault.EMPTY
    assert fault_of(b"hello, this is a text") is StillFault.UNREADABLE
    assert fault_of(encoded(".png", PICTURE[:1, :1])) is StillFault.TOO_SMALL


def test_a_giant_picture_is_refused_before_it_is_decoded() -> None:
    header = struct.pack(">IIBBBBB", 10_000, 10_000, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + b"IHDR" + header
    data = b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    assert fault_of(data) is StillFault.TOO_LARGE


def test_a_file_that_is_not_there_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path, fault in ((tmp_path / "no", StillFault.MISSING), (tmp_path, StillFault.UNREADABLE)):
        with pytest.raises(StillError) as caught:
            load_still(path)
        assert caught.value.fault is fault


ENCODED = {ending: encoded(ending) for ending in (".jpg", ".png", ".bmp", ".webp")}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(ENCODED)), st.integers(0, 3000), st.binary(max_size=9))
def test_a_damaged_file_is_read_or_refused(ending: str, place: int, junk: bytes) -> None:
    data = ENCODED[ending]
    place %= len(data)
    with contextlib.suppress(StillError):
        assert decode_still(data[:place] + junk + data[place + len(junk) :]).ndim == 3

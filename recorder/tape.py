"""What the camera showed, as readings: a compact file from which a game is judged again."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from recorder.codec import CodecError, format_observation, parse_observation
from recorder.engine import Input, NoSight
from recorder.events import ViewState
from recorder.observations import Observation
from vision.types import Label, LooseStone, Side, StoneReading

MAGIC = b"banmen-tape-1\n"
STEPS = 100
"""Probabilities are kept in steps of 1 / STEPS."""

LOOSE_STEP = 0.01
"""Places of loose stones are kept in steps of so many line spacings."""

FLUSH_EVERY = 32
"""After so many entries the file can be read so far, whatever happens to the process."""

_ENTRY = struct.Struct("<BdI")
"""Kind, t_s, length of what follows."""

_LOOSE = struct.Struct("<BhhB")
"""Label, column and row in LOOSE_STEP, confidence in 1 / STEPS."""

_LENGTH = struct.Struct("<H")
_SIDES = tuple(Side)
_READING, _NO_SIGHT, _OBSERVATION = 1, 2, 3


class TapeError(ValueError):
    """The file is no tape, or of another version."""


@dataclass(frozen=True, slots=True)
class _Packed:
    """A reading as bytes, and what the next one is told apart from."""

    points: NDArray[np.uint8]
    """(3, N, N): black and white in 1 / STEPS, and visible as 0 or 1."""

    rest: bytes


def rounded(reading: StoneReading) -> StoneReading:
    """Return the reading as the tape keeps it.

    The recorder judges these, never the finer ones, so that judging again gives the same.
    """
    packed = _pack(reading)
    return _unpack(packed.points, packed.rest, reading.seen_at_s)


def _pack(reading: StoneReading) -> _Packed:
    """Round a reading to what is kept."""
    steps = np.rint(reading.probabilities[:, :, 1:] * STEPS).astype(np.int16)
    black = np.clip(steps[:, :, 0], 0, STEPS)
    white = np.clip(steps[:, :, 1], 0, STEPS - black)
    points = np.stack([black, white, reading.visible]).astype(np.uint8)
    arms = sum(1 << place for place, side in enumerate(_SIDES) if side in reading.arms)
    rest = bytes([arms])
    for stone in reading.loose:
        col, row = (round(value / LOOSE_STEP) for value in stone.grid_xy)
        rest += _LOOSE.pack(stone.label, col, row, round(stone.confidence * STEPS))
    return _Packed(points, rest)


def _unpack(points: NDArray[np.uint8], rest: bytes, seen_at_s: float) -> StoneReading:
    """Return the reading of rounded values."""
    black, white = points[0].astype(np.float32), points[1].astype(np.float32)
    shares = np.stack([STEPS - black - white, black, white], axis=-1) / STEPS
    probabilities = shares.astype(np.float32)
    loose = tuple(
        LooseStone(Label(label), (col * LOOSE_STEP, row * LOOSE_STEP), confidence / STEPS)
        for label, col, row, confidence in _LOOSE.iter_unpack(rest[1:])
    )
    arms = frozenset(side for place, side in enumerate(_SIDES) if rest[0] >> place & 1)
    return StoneReading(probabilities, points[2].astype(bool), seen_at_s, loose, arms)


class TapeWriter:
    """Appends what the engine is fed to a file, each reading as its difference from the last."""

    def __init__(self, path: Path) -> None:
        """Begin a new tape; an earlier file of this name is replaced."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: IO[bytes] = path.open("wb")
        self._file.write(MAGIC)
        self._squeeze = zlib.compressobj(6)
        self._last: NDArray[np.uint8] | None = None
        self._count = 0

    def write(self, item: Input) -> None:
        """Append one input."""
        if isinstance(item, StoneReading):
            self._put(_READING, item.seen_at_s, self._reading(item))
        elif isinstance(item, NoSight):
            text = json.dumps([item.state.value, item.message], ensure_ascii=False)
            self._put(_NO_SIGHT, item.t_s, text.encode())
        else:
            self._put(_OBSERVATION, item.t_s, format_observation(item).encode())

    def flush(self) -> None:
        """Make what was written so far readable, whatever happens to this process."""
        self._file.write(self._squeeze.flush(zlib.Z_SYNC_FLUSH))
        self._file.flush()

    def close(self) -> None:
        """Write what is left and close the file."""
        self._file.write(self._squeeze.flush())
        self._file.close()

    def _reading(self, reading: StoneReading) -> bytes:
        packed = _pack(reading)
        points, last = packed.points, self._last
        if last is None or last.shape != points.shape:
            last = np.zeros_like(points)
        self._last = points
        difference = points ^ last
        head = bytes([points.shape[1], bool(difference.any())]) + _LENGTH.pack(len(packed.rest))
        return head + packed.rest + (difference.tobytes() if difference.any() else b"")

    def _put(self, kind: int, t_s: float, body: bytes) -> None:
        self._file.write(self._squeeze.compress(_ENTRY.pack(kind, t_s, len(body)) + body))
        self._count += 1
        if self._count % FLUSH_EVERY == 0:
            self.flush()


NAME = "readings"
"""Tapes of a game are NAME.tape, NAME-0002.tape..., one for each part of a resumed recording."""


def tapes_of(folder: Path) -> tuple[Path, ...]:
    """Return the tapes in a game's folder, in the order in which they were recorded."""
    later = sorted(folder.glob(f"{NAME}-[0-9][0-9][0-9][0-9].tape"))
    first = folder / f"{NAME}.tape"
    return (first, *later) if first.exists() else tuple(later)


def new_tape(folder: Path) -> TapeWriter:
    """Begin the next tape of a game's folder."""
    count = len(tapes_of(folder))
    return TapeWriter(folder / (f"{NAME}-{count + 1:04d}.tape" if count else f"{NAME}.tape"))


def read_tape(path: Path) -> Iterator[Input]:
    """Iterate over what a tape holds; a tape cut short ends with its last whole entry.

    Raises
    ------
    TapeError
        The file is no tape, or an entry makes no sense.
    """
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        raise TapeError(f"{path} must begin with {MAGIC!r}, got {data[: len(MAGIC)]!r}")
    try:
        content = zlib.decompressobj().decompress(data[len(MAGIC) :])
    except zlib.error as error:
        raise TapeError(f"{path} is damaged: {error}") from error
    place, last = 0, None
    while place + _ENTRY.size <= len(content):
        kind, t_s, length = _ENTRY.unpack_from(content, place)
        body = content[place + _ENTRY.size : place + _ENTRY.size + length]
        place += _ENTRY.size + length
        if len(body) < length:
            return
        if kind == _READING:
            item, last = _parse_reading(body, t_s, last)
            yield item
        else:
            yield _parse_other(kind, t_s, body, path)


def _parse_reading(
    body: bytes, t_s: float, last: NDArray[np.uint8] | None
) -> tuple[StoneReading, NDArray[np.uint8]]:
    size, has_points = body[:2]
    (length,) = _LENGTH.unpack_from(body, 2)
    rest = body[4 : 4 + length]
    if last is None or last.shape[1] != size:
        last = np.zeros((3, size, size), np.uint8)
    if has_points:
        last = last ^ np.frombuffer(body, np.uint8, offset=4 + length).reshape(last.shape)
    return _unpack(last, rest, t_s), last


def _parse_other(kind: int, t_s: float, body: bytes, path: Path) -> NoSight | Observation:
    try:
        if kind == _NO_SIGHT:
            state, message = json.loads(body)
            return NoSight(t_s, ViewState(state), message)
        if kind == _OBSERVATION:
            return parse_observation(body.decode())
    except (CodecError, ValueError) as error:
        raise TapeError(f"{path}: an entry at {t_s} s cannot be read: {error}") from error
    raise TapeError(f"{path}: entries must be of kind 1, 2 or 3, got {kind} at {t_s} s")

"""Pictures that settle a dispute: before and after moves and alerts, and a clip of each alert."""

from __future__ import annotations

import json
import logging
import shutil
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from recorder.events import Alert, Level, MovePlayed
from recorder.eye import Look
from recorder.files import write_atomically
from recorder.pictures import free_bytes
from recorder.publish import Batch
from vision.geometry import rectify, rectify_map
from vision.types import Frame, GridFit, StoneReading

log = logging.getLogger(__name__)

Image = NDArray[np.uint8]

CELL_PX = 24
"""Pixels per line spacing of the rectified pictures."""

MARGIN_CELLS = 1.5
"""What they show outside the lines."""

RING_WIDTH_PX = 800
"""Frames of the clip are halved until they are not wider: halving is cheap."""

CLEAR_FRAMES = 4
CLEAR_EVERY_S = 0.7
"""So many whole frames without an arm are kept, so far apart, for the picture before a move."""

QUALITY = 80
"""JPEG quality of all pictures."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """How much is kept."""

    ring_s: float = 15.0
    """Seconds before an alert that its clip shows."""

    after_s: float = 10.0
    """Seconds after it."""

    rate: float = 5.0
    """Frames a second in the clip, at most."""

    ring_bytes: int = 25_000_000
    """Memory for the seconds before, at most."""

    budget_bytes: int = 200_000_000
    """Of a game on disk; beyond it the oldest pictures of plain moves go, those of alerts never."""

    reserve_bytes: int = 0
    """With less free on the disk, no pictures are written: the log comes first."""

    before_s: float = 0.2
    """The picture before a move is from so long before the stone was first seen, or earlier."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A frame as it is kept in the ring."""

    t_s: float
    jpeg: bytes
    scale: float
    """Its width over that of the frame."""

    fit: GridFit | None


@dataclass
class Clip:
    """A clip that still grows."""

    folder: Path
    until_s: float
    times_s: list[float] = field(default_factory=list)


class Evidence:
    """Keeps the last seconds, and writes pictures when a move or an alert is published.

    A witness of every frame and a publisher; it decides nothing and nothing waits for it.
    """

    def __init__(self, folder: Path, keeping: Keeping | None = None) -> None:
        self._folder = folder
        self._keeping = keeping or Keeping()
        self._ring: deque[Shot] = deque()
        self._ring_bytes = 0
        self._clear: deque[tuple[Frame, GridFit]] = deque(maxlen=CLEAR_FRAMES)
        self._due_s = -inf
        self._clips: dict[int, Clip] = {}
        self._now: tuple[Frame, Look] | None = None
        self._map: tuple[GridFit, NDArray[np.float32]] | None = None
        # A game that goes on has pictures already; they count.
        self._is_short = False
        self._bytes = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        self._moves: deque[tuple[Path, int]] = deque(
            (move, sum(path.stat().st_size for path in move.iterdir()))
            for move in sorted(folder.glob("move-*"))
        )

    def see(self, frame: Frame, seen: Look) -> None:
        """Take a frame into the ring and into the clips that still grow."""
        self._now = (frame, seen)
        self._keep_clear(frame, seen)
        now_s, every_s = frame.seen_at_s, 1 / self._keeping.rate
        if now_s < self._due_s - 1e-6:
            return
        # Due times keep the mean rate; after a pause they begin anew.
        self._due_s = max(self._due_s + every_s, now_s)
        shot = _shot(frame, seen.fit)
        self._ring.append(shot)
        self._ring_bytes += len(shot.jpeg)
        while (
            shot.t_s - self._ring[0].t_s > self._keeping.ring_s
            or self._ring_bytes > self._keeping.ring_bytes
        ):
            self._ring_bytes -= len(self._ring.popleft().jpeg)
        self._grow_clips(shot)

    def publish(self, batch: Batch) -> None:
        """Write the pictures of the moves and alerts of a batch."""
        for record in batch.records:
            event = record.event
            if isinstance(event, MovePlayed) and event.move.point is not None:
                self._keep_move(event)
            elif isinstance(event, Alert) and event.level is not Level.INFO:
                self._keep_alert(event)

    def close(self) -> None:
        """Finish the clips that still grow."""
        for clip in self._clips.values():
            _write_index(clip)
        self._clips.clear()

    def _keep_clear(self, frame: Frame, seen: Look) -> None:
        """Keep a frame in which nothing hides the goban, if the last one is long enough ago."""
        is_due = not self._clear or frame.seen_at_s - self._clear[-1][0].seen_at_s >= CLEAR_EVERY_S
        is_clear = isinstance(seen.seen, StoneReading) and bool(seen.seen.visible.all())
        if is_due and is_clear and seen.fit is not None:
            self._clear.append((frame, seen.fit))

    def _keep_move(self, event: MovePlayed) -> None:
        folder = self._folder / f"move-{event.number:04d}"
        size = self._write(folder, self._pictures(event.t_s), {"t": event.t_s})
        self._moves.append((folder, size))
        while self._bytes > self._keeping.budget_bytes and len(self._moves) > 1:
            oldest, freed = self._moves.popleft()
            shutil.rmtree(oldest, ignore_errors=True)
            self._bytes -= freed

    def _keep_alert(self, alert: Alert) -> None:
        pictures = self._pictures(alert.t_s)
        if self._now is not None:
            pictures["frame.jpg"] = _encode(self._now[0].image)
        facts = {"t": alert.t_s, "type": alert.type, "points": alert.points}
        self._write(self._folder / f"alert-{alert.id:04d}", pictures, facts)
        self._start_clip(alert.incident or alert.id)

    def _pictures(self, t_s: float) -> dict[str, bytes]:
        """Return the rectified goban before a time and now."""
        pictures: dict[str, bytes] = {}
        before = self._before(t_s - self._keeping.before_s)
        if before is not None:
            pictures["before.jpg"] = before
        if self._now is not None and self._now[1].fit is not None:
            pictures["after.jpg"] = self._rectified(self._now[0].image, self._now[1].fit, 1.0)
        return pictures

    def _before(self, t_s: float) -> bytes | None:
        """Return the rectified goban not later than a time: a clear frame, else one of the ring."""
        for frame, fit in reversed(self._clear):
            if frame.seen_at_s <= t_s:
                return self._rectified(frame.image, fit, 1.0)
        early = [shot for shot in self._ring if shot.t_s <= t_s and shot.fit is not None]
        if not early or early[-1].fit is None:
            return None
        image = cv2.imdecode(np.frombuffer(early[-1].jpeg, np.uint8), cv2.IMREAD_COLOR)
        return self._rectified(np.asarray(image, np.uint8), early[-1].fit, early[-1].scale)

    def _rectified(self, image: Image, fit: GridFit, scale: float) -> bytes:
        if self._map is None or self._map[0] is not fit:
            self._map = (fit, rectify_map(fit, cell=CELL_PX, margin_cells=MARGIN_CELLS))
        # Pixel centers: x_small = (x + 0.5) * scale - 0.5.
        sampling = ((self._map[1] + 0.5) * scale - 0.5).astype(np.float32)
        return _encode(rectify(image, sampling))

    def _has_room(self) -> bool:
        """Return whether the disk has room for pictures; one line when that changes."""
        is_short = 0 < self._keeping.reserve_bytes > free_bytes(self._folder)
        if is_short and not self._is_short:
            log.error("the disk is nearly full: no more pictures of moves and alerts are kept")
        elif self._is_short and not is_short:
            log.info("the disk has room for pictures again")
        self._is_short = is_short
        return not is_short

    def _write(self, folder: Path, pictures: Mapping[str, bytes], facts: Mapping[str, Any]) -> int:
        """Write pictures and what was read; return the bytes written."""
        if not self._has_room():
            return 0
        folder.mkdir(parents=True, exist_ok=True)
        seen = self._now[1].seen if self._now is not None else None
        if isinstance(seen, StoneReading):
            facts = {**facts, "seen_t": seen.seen_at_s, **_points(seen)}
        files = {**pictures, "reading.json": json.dumps(facts).encode()}
        for name, content in files.items():
            # Not forced to disk: a picture lost with the power is worth no waiting.
            (folder / name).write_bytes(content)
        size = sum(len(content) for content in files.values())
        self._bytes += size
        return size

    def _start_clip(self, incident: int) -> None:
        """Write the ring as the beginning of a clip, or let a clip that still grows go on."""
        if self._is_short:
            return
        now_s = self._ring[-1].t_s if self._ring else 0.0
        clip = self._clips.get(incident)
        if clip is None:
            folder = self._folder / f"clip-{incident:04d}"
            folder.mkdir(parents=True, exist_ok=True)
            clip = self._clips[incident] = Clip(folder, now_s)
            for shot in self._ring:
                self._add_to(clip, shot)
        clip.until_s = now_s + self._keeping.after_s
        _write_index(clip)

    def _grow_clips(self, shot: Shot) -> None:
        # Pictures that somebody has deleted do not come again.
        self._clips = {i: clip for i, clip in self._clips.items() if clip.folder.is_dir()}
        for incident, clip in list(self._clips.items()):
            if shot.t_s <= clip.until_s:
                self._add_to(clip, shot)
            else:
                _write_index(self._clips.pop(incident))

    def _add_to(self, clip: Clip, shot: Shot) -> None:
        if self._is_short:
            return
        (clip.folder / f"{len(clip.times_s):04d}.jpg").write_bytes(shot.jpeg)
        clip.times_s.append(round(shot.t_s, 3))
        self._bytes += len(shot.jpeg)


def _shot(frame: Frame, fit: GridFit | None) -> Shot:
    image = frame.image
    while image.shape[1] > RING_WIDTH_PX:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    return Shot(frame.seen_at_s, _encode(image), image.shape[1] / frame.image.shape[1], fit)


def _encode(image: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1])


def _points(reading: StoneReading) -> dict[str, Any]:
    """Return what was read on each point and how sure that is, in percent; 0 where hidden."""
    rows = ["".join(".BW"[label] for label in row) for row in reading.labels]
    sure = np.where(reading.visible, np.rint(100 * reading.confidence), 0).astype(int)
    return {"rows": rows, "confidence": sure.tolist()}


def _write_index(clip: Clip) -> None:
    """Write the times of the frames, by which a page plays them."""
    content = json.dumps({"times": clip.times_s}).encode()
    write_atomically(clip.folder / "clip.json", content)

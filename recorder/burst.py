"""A few seconds of frames for the check: some of them kept, the times of all."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from recorder.mailbox import Ended, Mailbox, pump
from vision.camera import IMAGE_ENDINGS, CameraError, FrameSource, ImageFolder, open_source
from vision.still import StillError, load_still
from vision.types import Frame

KEPT = 16
"""So many frames are kept: 45 MB at 720p."""

SECONDS = 5.0
"""Long enough for a slow flicker and a camera that swings."""

FIRST_S = 10.0
"""A camera that gives nothing for so long gives nothing."""


@dataclass(frozen=True, slots=True)
class Burst:
    """Frames of a few seconds."""

    frames: tuple[Frame, ...]
    times_s: tuple[float, ...]
    """Of all frames that came; empty for pictures that were not filmed."""


@dataclass
class Collector:
    """Takes frames one after the other and keeps an even selection. Not thread-safe."""

    seconds: float = SECONDS
    kept: int = KEPT
    _frames: list[Frame] = field(default_factory=list)
    _times: list[float] = field(default_factory=list)
    _every: int = 1

    def take(self, frame: Frame) -> bool:
        """Take a frame; return whether enough time has been seen."""
        if len(self._times) % self._every == 0:
            self._frames.append(frame)
        self._times.append(frame.seen_at_s)
        if len(self._frames) > self.kept:
            # Every second one goes, so that the rest still spans the whole time.
            self._frames, self._every = self._frames[::2], 2 * self._every
        return frame.seen_at_s - self._times[0] >= self.seconds

    def burst(self) -> Burst:
        """Return what has been taken."""
        return Burst(tuple(self._frames), tuple(self._times))


def take_burst(name: str, *, seconds: float = SECONDS, first_s: float = FIRST_S) -> Burst:
    """Return a burst of a source; without frames if the camera gives none.

    Parameters
    ----------
    name
        As for `open_source`, or a single picture.

    Raises
    ------
    CameraError
        There is no such source, or its picture cannot be read.
    """
    path = Path(name)
    if path.suffix.lower() in IMAGE_ENDINGS and path.is_file():
        try:
            return Burst((load_still(path),), ())
        except StillError as error:
            raise CameraError(str(error)) from error
    source = open_source(name)
    burst = _collected(source, Collector(seconds), first_s)
    return Burst(burst.frames, ()) if isinstance(source, ImageFolder) else burst


def _collected(source: FrameSource, collector: Collector, first_s: float) -> Burst:
    """Take frames until there are enough, they end, or none comes for too long."""
    mailbox = Mailbox(keeps_every_frame=True)
    with _pumped(source, mailbox):
        while True:
            item = mailbox.take(first_s)
            if item is None or isinstance(item, Ended):
                return collector.burst()
            if isinstance(item, Frame) and collector.take(item):
                return collector.burst()


@contextlib.contextmanager
def _pumped(source: FrameSource, mailbox: Mailbox) -> Iterator[threading.Thread]:
    """Let a source's frames come into a mailbox while in the block."""
    thread = pump(source.frames(), mailbox)
    try:
        yield thread
    finally:
        source.close()
        mailbox.close()

"""Where the work of the loop waits: frames from the camera, observations from the pages."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field

from recorder.observations import Content
from vision.types import Frame

FRAMES_AHEAD = 2
"""So many frames of a file are decoded before they are needed."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """What a page wants observed; `number` will be its number in the log."""

    content: Content
    number: Future[int] = field(default_factory=Future)
    since_s: float = field(default_factory=time.monotonic)
    """When it was left."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Nothing more will come; `fault` says why, if it was not the end of a file."""

    fault: Exception | None = None
    is_stopped: bool = False
    """Whether somebody asked for the end."""


class ClosedError(RuntimeError):
    """The loop has ended and takes no more observations."""


class Mailbox:
    """Hands frames and observations over to the loop; observations go first.

    With `keeps_every_frame` the camera's thread waits until the loop has room, else the newest
    frame replaces one that was not taken yet.
    """

    def __init__(self, *, keeps_every_frame: bool) -> None:
        self._keeps_every_frame = keeps_every_frame
        self._change = threading.Condition()
        self._frames: deque[Frame] = deque()
        self._submitted: deque[Submitted] = deque()
        self._ended: Ended | None = None
        self._is_closed = False

    def offer(self, frame: Frame) -> bool:
        """Leave a frame for the loop; return False when it wants no more."""
        with self._change:
            if self._keeps_every_frame:
                self._change.wait_for(lambda: len(self._frames) < FRAMES_AHEAD or self._is_closed)
            else:
                self._frames.clear()
            self._frames.append(frame)
            self._change.notify_all()
            return not self._is_closed

    def finish(self, fault: Exception | None = None) -> None:
        """Say that no more frames will come."""
        with self._change:
            self._ended = Ended(fault)
            self._change.notify_all()

    def submit(self, content: Content) -> Future[int]:
        """Leave an observation for the loop; the future gives its number once it is on disk."""
        with self._change:
            if self._is_closed:
                raise ClosedError("the recorder has ended")
            item = Submitted(content)
            self._submitted.append(item)
            self._change.notify_all()
            return item.number

    def take(self, timeout_s: float) -> Frame | Submitted | Ended | None:
        """Return the next thing to do, None if nothing came in time.

        The end comes only after every frame has been taken, or at once when `close` was called.
        """
        with self._change:
            self._change.wait_for(self._has_work, timeout_s)
            if self._submitted:
                return self._submitted.popleft()
            if self._is_closed:
                return Ended(is_stopped=True)
            if self._frames:
                frame = self._frames.popleft()
                self._change.notify_all()
                return frame
            return self._ended

    @property
    def waiting(self) -> int:
        """How many observations the loop has not taken yet."""
        return len(self._submitted)

    def waited_s(self) -> float:
        """Return for how long the oldest observation has been waiting, 0 if there is none."""
        with self._change:
            oldest = self._submitted[0].since_s if self._submitted else None
        return 0.0 if oldest is None else time.monotonic() - oldest

    def close(self) -> None:
        """End the loop after what it is doing; also callable from a signal handler."""
        with self._change:
            self._is_closed = True
            self._change.notify_all()

    def _has_work(self) -> bool:
        return bool(self._submitted or self._frames or self._ended or self._is_closed)


def pump(frames: Iterable[Frame], mailbox: Mailbox) -> threading.Thread:
    """Start a thread that puts frames into a mailbox until they end or it is closed."""

    def run() -> None:
        try:
            for frame in frames:
                if not mailbox.offer(frame):
                    return
        except Exception as fault:  # noqa: BLE001 - handed to the loop, which raises it again
            mailbox.finish(fault)
        else:
            mailbox.finish()

    thread = threading.Thread(target=run, name="camera", daemon=True)
    thread.start()
    return thread

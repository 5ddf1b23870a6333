"""How the service is: fresh frames, a log that takes rows, a queue that drains."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge, Histogram, generate_latest
from prometheus_client import Counter as Count

from recorder.events import Alert, MovePlayed
from recorder.eye import Look
from recorder.keeper import LogKeeper
from recorder.mailbox import Mailbox
from recorder.pictures import free_bytes
from recorder.publish import Batch
from recorder.system_facts import temperature_c
from vision.types import Frame, StoneReading

FRESH_S = 5.0
"""A last frame older than that is not fresh."""

TURN_S = 10.0
"""A loop that has not come round for so long stands still."""

QUEUE_S = 5.0
"""A page's observation that waits longer says that the queue does not drain."""

SHORT_BYTES = 50_000_000
"""With less free on the disk, somebody must look."""

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)


@dataclass(frozen=True, slots=True)
class Report:
    """How the service is at one moment."""

    reasons: tuple[str, ...]
    """Why it is not well, one sentence each; none: it is."""

    frame_age_s: float | None
    """Since the last frame; None: there was none yet."""

    waiting_rows: int
    """Observations that are in memory only."""

    queue: int
    free_bytes: int
    temperature_c: float | None

    @property
    def is_well(self) -> bool:
        """Whether nobody has to look."""
        return not self.reasons


GAUGES: tuple[tuple[str, str, Callable[[Report], float | None]], ...] = (
    ("frame_age_seconds", "Since the last frame", lambda r: r.frame_age_s),
    ("log_waiting", "Observations that are in memory only", lambda r: r.waiting_rows),
    ("queue", "Observations that wait for the loop", lambda r: r.queue),
    ("disk_free_bytes", "Room on the disk", lambda r: r.free_bytes),
    ("temperature_celsius", "Of the processor", lambda r: r.temperature_c),
    ("well", "Whether nobody has to look", lambda r: r.is_well),
)
"""What a report gives to be measured: name, help, value."""


class Health:
    """A witness, publisher and chore of the loop; asked by the pages' threads."""

    def __init__(
        self,
        folder: Path,
        keeper: LogKeeper,
        mailbox: Mailbox,
        *,
        clock: Callable[[], float] = time.monotonic,
        free: Callable[[Path], int] = free_bytes,
    ) -> None:
        """Watch a service that keeps its files in a folder."""
        self._folder = folder
        self._keeper = keeper
        self._mailbox = mailbox
        self._clock = clock
        self._free = free
        self._begun_s = clock()
        self._frame_s: float | None = None
        self._turn_s = clock()
        self._counts: Counter[str] = Counter()
        self.registry = CollectorRegistry()
        self._frames = Count("banmen_frames", "Frames looked at", registry=self.registry)
        self._readings = Count(
            "banmen_readings", "Frames by what was seen", ["seen"], registry=self.registry
        )
        self._alerts = Count("banmen_alerts", "Alerts raised", ["type"], registry=self.registry)
        self._moves = Count("banmen_moves", "Moves recorded", registry=self.registry)
        self._stages = Histogram(
            "banmen_stage_seconds",
            "Time that one step takes",
            ["stage"],
            registry=self.registry,
            buckets=BUCKETS,
        )
        self._gauges = tuple(
            (Gauge(f"banmen_{name}", text, registry=self.registry), value)
            for name, text, value in GAUGES
        )

    def see(self, frame: Frame, seen: Look) -> None:
        """Note a frame."""
        self._frame_s = self._clock()
        self._frames.inc()
        is_read = isinstance(seen.seen, StoneReading)
        self._readings.labels("goban" if is_read else "nothing").inc()

    def publish(self, batch: Batch) -> None:
        """Count what was recorded."""
        for record in batch.records:
            if isinstance(record.event, Alert):
                self._alerts.labels(record.event.type).inc()
            elif isinstance(record.event, MovePlayed):
                self._moves.inc()

    def tend(self, now_s: float) -> None:
        """Note that the loop has come round."""
        self._turn_s = self._clock()

    def timed(self, stage: str) -> AbstractContextManager[object]:
        """Measure a step of the loop while in the block."""
        return self._stages.labels(stage).time()

    def report(self) -> Report:
        """Return how the service is now."""
        now_s = self._clock()
        age_s = None if self._frame_s is None else now_s - self._frame_s
        waited = self._mailbox.waited_s()
        free = self._free(self._folder)
        trouble = self._keeper.trouble
        faults = {
            "the camera has given no frame yet": age_s is None and now_s - self._begun_s > FRESH_S,
            f"no frame for {age_s or 0:.0f} s": age_s is not None and age_s > FRESH_S,
            f"the recorder stands still since {now_s - self._turn_s:.0f} s": now_s - self._turn_s
            > TURN_S,
            f"the game log takes nothing: {trouble}": trouble is not None,
            f"an observation waits since {waited:.0f} s": waited > QUEUE_S,
            f"the disk has only {free // 1_000_000} MB left": free < SHORT_BYTES,
        }
        return Report(
            tuple(text for text, is_so in faults.items() if is_so),
            age_s,
            self._keeper.waiting,
            self._mailbox.waiting,
            free,
            temperature_c(),
        )

    def metrics(self) -> bytes:
        """Return everything that is measured, as Prometheus reads it."""
        report = self.report()
        for gauge, value in self._gauges:
            found = value(report)
            gauge.set(float("nan") if found is None else found)
        return generate_latest(self.registry)

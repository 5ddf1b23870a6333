"""The public state that all viewers share: fed by the pipeline's thread, read by the pages' own."""

from __future__ import annotations

import time
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from math import inf
from threading import Condition

from recorder.events import Record
from recorder.public import (
    NO_DELAY,
    Delay,
    PublicGame,
    PublicView,
    followed_by_next,
    next_due_s,
    project,
    take_batch,
    with_delay,
)
from recorder.publish import Batch
from recorder.web.messages import Fields, dump, format_difference, format_state

KEPT_MESSAGES = 2000
"""A viewer who missed more than that gets the whole state."""

STALE_S = 4.0
"""A camera without a frame for so long is reported; with a beat's 15 s that is within 20 s."""


CHAINS = 2
"""So many viewers are woken by a move; each wakes the next."""


@dataclass(frozen=True, slots=True)
class Message:
    """One numbered message to the public."""

    number: str
    """Place and check sum of everything sent up to it: equal numbers, equal states."""

    data: str
    """JSON."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The view, and the number of the last message that led to it."""

    number: str
    view: PublicView
    now_s: float

    def state(self) -> Fields:
        """Return the object of `/state.json`."""
        return format_state(self.view, self.number, now_s=self.now_s)


class LiveGame:
    """Holds what the public sees; thread-safe, and a Publisher of the pipeline.

    Message numbers follow from the records and the delay alone, so that after a restart a viewer
    goes on where the connection broke. Where that is not so, the check sum in the number shows it
    and the viewer gets the whole state.
    """

    def __init__(
        self,
        *,
        delay: Delay = NO_DELAY,
        is_reading: bool = False,
        clock: Callable[[], float] = time.monotonic,
        utc_now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Make a holder without a game; `is_reading`: the log will be given to `rebuild` first."""
        self._delay = delay
        self._is_reading = is_reading
        self._clock = clock
        self._utc_now = utc_now
        self._changed = Condition()
        self._games: list[PublicGame] = []
        self._advanced_s = -inf
        self._due_s = inf
        self._view = PublicView(delay=delay)
        self._messages: deque[Message] = deque(maxlen=KEPT_MESSAGES)
        self._count = 0
        self._number = "0-0"
        self._frame_s: float | None = None

    def publish(self, batch: Batch) -> None:
        """Take what one observation led to."""
        with self._changed:
            self._take(batch.records, self._clock())
            self._changed.notify(CHAINS)

    def rebuild(self, records: Sequence[Record]) -> None:
        """Take the records of a log as if they came now, each as old as its UTC says."""
        now_s, now = self._clock(), self._utc_now()
        with self._changed:
            for _, group in groupby(records, key=lambda r: (r.game_id, r.t_s, r.utc)):
                batch = tuple(group)
                self._take(batch, now_s - age_s(batch[0].utc, now))
            self._is_reading = False
            self._changed.notify(CHAINS)

    def catch_up(self, batches: Iterable[tuple[float, Sequence[Record]]]) -> None:
        """Take batches that became known so many seconds ago, with one message for all of them.

        Faster than `rebuild`, but viewers from before get the whole state.
        """
        with self._changed:
            now_s = self._clock()
            for aged_s, records in batches:
                self._learn(records, now_s - aged_s)
            self._is_reading = False
            self._show(now_s)
            self._changed.notify(CHAINS)

    @property
    def is_reading(self) -> bool:
        """Whether the log is still to be read; what is here then is not what viewers left."""
        return self._is_reading

    @property
    def delay(self) -> Delay:
        """How far the public is behind."""
        return self._delay

    def set_delay(self, delay: Delay) -> None:
        """Change how far the public is behind, from now on."""
        with self._changed:
            now_s = self._clock()
            self._advance(now_s)
            self._delay = delay
            self._games = [with_delay(game, now_s=now_s, delay=delay) for game in self._games]
            self._show(now_s)
            self._changed.notify(CHAINS)

    def touch(self) -> None:
        """Note that the camera delivered a frame; cheap enough for every one."""
        self._frame_s = self._clock()

    def finish(self) -> None:
        """Note that no more frames are expected (the video is over)."""
        self._frame_s = None

    def is_fresh(self) -> bool:
        """Whether frames come, or none are expected."""
        frame_s = self._frame_s
        return frame_s is None or self._clock() - frame_s <= STALE_S

    def snapshot(self) -> Snapshot:
        """Return what the public sees now."""
        with self._changed:
            now_s = self._clock()
            self._advance(now_s)
            return Snapshot(self._number, self._view, now_s)

    def wake(self) -> None:
        """Let every waiting viewer look up, for example because the server stops."""
        with self._changed:
            self._changed.notify_all()

    def wait(
        self, after: str, *, timeout_s: float, is_over: Callable[[], bool]
    ) -> tuple[Message, ...]:
        """Return the messages after a number; waits for one, but not longer than the timeout.

        Where `after` is not the number of a message kept here, one message with the whole state.
        """
        end_s = self._clock() + timeout_s
        with self._changed:
            while True:
                now_s = self._clock()
                self._advance(now_s)
                if after != self._number:
                    # Each viewer wakes the next: a thousand threads woken at once would spend
                    # their time on getting in each other's way.
                    self._changed.notify()
                    return self._since(after)
                if now_s >= end_s or is_over():
                    return ()
                self._changed.wait(min(end_s, self._due_s) - now_s)

    def _since(self, after: str) -> tuple[Message, ...]:
        missed: list[Message] = []
        for message in reversed(self._messages):
            if message.number == after:
                return tuple(reversed(missed))
            missed.append(message)
        state = format_state(self._view, self._number, now_s=self._advanced_s)
        return (Message(self._number, dump({"state": state})),)

    def _take(self, records: Sequence[Record], known_s: float) -> None:
        if not records:
            return
        # Records read back may claim any time; for the public, time never runs backwards.
        known_s = max(known_s, self._advanced_s)
        self._advance(known_s)
        self._learn(records, known_s)
        self._show(known_s)

    def _learn(self, records: Sequence[Record], known_s: float) -> None:
        """Take the records of one batch without showing anything."""
        game_id = records[0].game_id
        if not self._games or self._games[-1].game_id != game_id:
            self._games = [
                followed_by_next(game, now_s=known_s, delay=self._delay) for game in self._games
            ]
            self._games.append(PublicGame(game_id, known_s))
        self._games[-1] = take_batch(self._games[-1], records, known_s=known_s, delay=self._delay)

    def _advance(self, now_s: float) -> None:
        """Show one after another what has become due, so that each has a message of its own."""
        while self._due_s <= now_s:
            self._show(self._due_s)
        self._advanced_s = max(now_s, self._advanced_s)

    def _show(self, now_s: float) -> None:
        """Number what has changed for the public at this moment."""
        self._advanced_s = max(now_s, self._advanced_s)
        # The next game shows only when the last moves of the one before have been let out.
        while len(self._games) > 1 and self._games[1].known_s + self._delay.seconds <= now_s:
            del self._games[0]
        view = PublicView(delay=self._delay)
        if self._games:
            view = project(self._games[0], now_s=now_s, delay=self._delay, before=self._view)
        message = format_difference(self._view, view)
        self._view = view
        self._due_s = self._next_due_s(now_s)
        if message is not None:
            self._send(dump(message))

    def _next_due_s(self, after_s: float) -> float:
        """Return when something will have to be shown, infinity if nothing is held back."""
        if not self._delay.seconds:
            return inf
        due = [next_due_s(game, after_s=after_s, delay=self._delay) for game in self._games]
        starts = [game.known_s + self._delay.seconds for game in self._games[1:]]
        moments = [moment for moment in due if moment is not None]
        return min([*moments, *(moment for moment in starts if moment > after_s)], default=inf)

    def _send(self, data: str) -> None:
        check = int(self._number.split("-")[1], 16)
        self._count += 1
        self._number = f"{self._count}-{zlib.crc32(data.encode(), check):x}"
        self._messages.append(Message(self._number, data))


def age_s(utc: str, now: datetime) -> float:
    """Return how many seconds ago an ISO time was, 0 if it is unknown or in the future."""
    try:
        moment = datetime.fromisoformat(utc)
    except ValueError:
        return 0.0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (now - moment).total_seconds())

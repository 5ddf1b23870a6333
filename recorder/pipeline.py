"""The loop: frames and observations in, the log first, then everybody who wants to know."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import inf
from typing import Protocol, TypeGuard

from recorder.engine import Engine, Input, Known, NoSight, Step, feed
from recorder.events import Event, Phase, ViewState
from recorder.eye import Eye, Look, look, with_turns
from recorder.gamelog import Appended
from recorder.mailbox import Ended, Mailbox, Submitted
from recorder.observations import Content, Observation, StartGame, Tick
from recorder.publish import Batch, Publisher
from recorder.tape import TapeWriter, rounded
from vision.types import Frame, StoneReading

log = logging.getLogger(__name__)

IDLE_S = 0.5
"""Without anything to do for so long, time passes anyway."""

LOST_S = 3.0
"""A camera that gives no frame for so long is reported as lost."""


class Witness(Protocol):
    """Somebody who wants to see every frame: evidence, a progress bar."""

    def see(self, frame: Frame, seen: Look) -> None:
        """Take note of a frame and what was read on it, before anything follows from it."""


class Looking(Protocol):
    """How a frame is looked at: `eye.look`."""

    def __call__(self, eye: Eye, frame: Frame, known: Known | None) -> tuple[Eye, Look]:
        """Return the eye's new memory and what the frame shows."""


class Attendant(Protocol):
    """Who sees to it that games begin and end, where nobody else does."""

    def attend(self, engine: Engine, now_s: float) -> Content | None:
        """Return what has to be observed now, if anything."""


class Log(Protocol):
    """Where observations and events are numbered and kept: a `GameLog`, or its `LogKeeper`."""

    def append(self, game_id: str, observation: Observation, events: Sequence[Event]) -> Appended:
        """Keep an observation and the events it led to; return their numbers."""


class Chore(Protocol):
    """Something that has to be seen to every now and then: the log's keeper, the watchdog."""

    def tend(self, now_s: float) -> None:
        """Do what is due; called after every item, at least twice a second."""


class TimedInputs(Protocol):
    """Observations with times of their own that come beside a video."""

    def until(self, t_s: float, size: int) -> Sequence[Observation]:
        """Return, once, those not later than a time, in order."""


@dataclass(frozen=True, slots=True)
class Outlets:
    """Where the loop puts what it learns."""

    gamelog: Log
    publisher: Publisher
    tape: TapeWriter | None = None
    witnesses: tuple[Witness, ...] = ()
    chores: tuple[Chore, ...] = ()
    timed: Callable[[str], AbstractContextManager[object]] = nullcontext
    """Measures a step by its name: look, judge, log, publish."""


class Pipeline:
    """Owns the game of one camera: looks, judges, logs, and tells.

    All of it happens on the thread that calls `run`; other threads reach it through the mailbox.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        outlets: Outlets,
        *,
        game_id: str,
        engine: Engine,
        eye: Eye,
        now_s: Callable[[], float] | None = None,
        inputs: TimedInputs | None = None,
        looking: Looking = look,
        idle_s: float = IDLE_S,
        attendant: Attendant | None = None,
        utc_now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Make a loop that is not running yet; `now_s` is None when the frames are the clock.

        With an `attendant` the loop records one game, whose start it is told by `observe`; `run`
        hands the start of the next one over.
        """
        self._attendant = attendant
        self._utc_now = utc_now
        self._looking = looking
        self._idle_s = idle_s
        self._mailbox = mailbox
        self._outlets = outlets
        self._game_id = game_id
        self._engine = engine
        is_begun = engine.game.phase is not Phase.IDLE
        self._eye = with_turns(eye, engine.game.info.turns) if is_begun else eye
        self._now_s = now_s
        self._inputs = inputs
        self._last_frame_s: float | None = None
        self._faults: set[str] = set()
        self._is_tape_over = False

    @property
    def engine(self) -> Engine:
        """What is known so far."""
        return self._engine

    @property
    def eye(self) -> Eye:
        """What the next loop over the same camera goes on with."""
        return self._eye

    @property
    def has_failed(self) -> bool:
        """Whether some frame or observation could not be dealt with; the log tells which."""
        return bool(self._faults)

    def observe(self, content: Content, t_s: float | None = None) -> int:
        """Take one observation on the loop's own thread; return its number in the log.

        The number is 0 when the observation has to wait for the first view.
        """
        now = self._now() if t_s is None else t_s
        if isinstance(content, StartGame):
            # The next game is recorded as the last one was turned.
            content = replace(content, info=replace(content.info, turns=self._eye.turns))
        return self._feed(Observation(now, content))

    def run(self) -> Submitted | None:
        """Work until the frames end, the mailbox is closed, or the next game is to begin.

        Returns the start of the next game, None at the end. Raises what ended the frames, if it
        was not the end of a file.
        """
        while True:
            item = self._mailbox.take(self._idle_s)
            if isinstance(item, Ended):
                if not item.is_stopped:
                    self._take_inputs(inf)
                if item.fault is not None:
                    raise item.fault
                return None
            if self._is_next(item):
                return item
            try:
                self._do(item)
                self._tend()
                following = self._attend()
            except Exception as fault:
                # What is remembered is immutable: it still is as before this item.
                if self._is_new(fault):
                    log.exception("cannot deal with %s, going on", type(item).__name__)
            else:
                if following is not None:
                    return following

    def _is_next(self, item: object) -> TypeGuard[Submitted]:
        """Return whether this is the start of a game that is left to the next loop."""
        is_start = isinstance(item, Submitted) and isinstance(item.content, StartGame)
        return is_start and self._attendant is not None

    def _tend(self) -> None:
        for chore in self._outlets.chores:
            try:
                chore.tend(self._now())
            except Exception as fault:
                if self._is_new(fault):
                    log.exception("%s cannot be seen to", type(chore).__name__)

    def _attend(self) -> Submitted | None:
        """Let the attendant have a say; return the start of another game, if he wants one."""
        if self._attendant is None:
            return None
        content = self._attendant.attend(self._engine, self._now())
        if content is None:
            return None
        item = Submitted(content)
        if self._is_next(item):
            return item
        self._take_submitted(item)
        return None

    def _do(self, item: Frame | Submitted | None) -> None:
        if isinstance(item, Frame):
            self._take_frame(item)
        elif isinstance(item, Submitted):
            self._take_submitted(item)
        elif self._now_s is not None:
            self._pass_time(self._now_s())

    def _take_frame(self, frame: Frame) -> None:
        self._take_inputs(frame.seen_at_s)
        with self._outlets.timed("look"):
            self._eye, seen = self._looking(self._eye, frame, self._engine.known)
        self._last_frame_s = frame.seen_at_s
        self._show(frame, seen)
        self._feed(rounded(seen.seen) if isinstance(seen.seen, StoneReading) else seen.seen)

    def _show(self, frame: Frame, seen: Look) -> None:
        """Let the witnesses see a frame; recognition goes on whatever becomes of them."""
        for witness in self._outlets.witnesses:
            try:
                witness.see(frame, seen)
            except Exception as fault:
                if self._is_new(fault):
                    log.exception("%s cannot see a frame", type(witness).__name__)

    def _is_new(self, fault: Exception) -> bool:
        """Note a fault; return whether it is the first of its kind: the log is no flood."""
        is_new = repr(fault) not in self._faults
        self._faults.add(repr(fault))
        return is_new

    def _take_inputs(self, until_s: float) -> None:
        if self._inputs is not None:
            for observation in self._inputs.until(until_s, self._engine.game.info.size):
                self._feed(observation)

    def _take_submitted(self, item: Submitted) -> None:
        try:
            number = self.observe(item.content)
        except Exception as fault:
            item.number.set_exception(fault)
            raise
        item.number.set_result(number)

    def _pass_time(self, now: float) -> None:
        last = self._last_frame_s
        if last is not None and now - last > LOST_S:
            self._feed(NoSight(now, ViewState.LOST, f"no frame for {now - last:.0f} s"))
        else:
            self._feed(Observation(now, Tick()))

    def _now(self) -> float:
        return self._now_s() if self._now_s is not None else (self._last_frame_s or 0.0)

    def _feed(self, item: Input) -> int:
        self._on_tape(lambda tape: tape.write(item))
        with self._outlets.timed("judge"):
            engine, steps = feed(self._engine, item)
        number = 0
        for step in steps:
            number = self._log(step) or number
        turns = engine.game.info.turns
        if turns != self._engine.game.info.turns:
            self._eye = with_turns(self._eye, turns)
        self._engine = engine
        return number

    def _on_tape(self, do: Callable[[TapeWriter], None]) -> None:
        """Let the tape do something; one that cannot be written ends there, the game goes on."""
        if self._outlets.tape is None or self._is_tape_over:
            return
        try:
            do(self._outlets.tape)
        except OSError as fault:
            log.error("the tape of readings ends here: %s", fault)
            self._is_tape_over = True

    def _log(self, step: Step) -> int:
        """Write a step into the log, then tell; a tick that led to nothing leaves no row."""
        if not step.events and isinstance(step.observation.content, Tick):
            return 0
        observation = step.observation
        if not observation.utc:
            utc = self._utc_now().isoformat(timespec="milliseconds")
            observation = replace(observation, utc=utc)
        with self._outlets.timed("log"):
            written = self._outlets.gamelog.append(self._game_id, observation, step.events)
        if written.records:
            self._on_tape(TapeWriter.flush)
            with self._outlets.timed("publish"):
                self._outlets.publisher.publish(Batch(written.records, step.game))
        return written.number

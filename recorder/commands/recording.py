"""One recording from its first frame to its last: opens what it needs, runs the loop, closes."""

from __future__ import annotations

import contextlib
import logging
import secrets
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, TypeVar

from recorder.cli import UsageError
from recorder.commands.options import Recording
from recorder.commands.page import Referee
from recorder.engine import Engine, new_engine, resumed_engine
from recorder.events import GameStarted, Record
from recorder.evidence import Evidence, Keeping
from recorder.eye import Eye, Look, look
from recorder.files import EventsFile, SgfFile
from recorder.game import Game, fold
from recorder.gamelog import GameLog, GameLogError, GameLogInUseError
from recorder.inputs import Inputs, InputsError, read_inputs
from recorder.mailbox import Mailbox, pump
from recorder.pictures import EVIDENCE
from recorder.pipeline import Log, Looking, Outlets, Pipeline, Witness
from recorder.publish import Batch, FanOut, Publisher
from recorder.rebuild import batches
from recorder.tape import TapeWriter, new_tape
from recorder.web.live import LiveGame
from vision.camera import CameraError, FrameSource, open_source
from vision.types import Frame

log = logging.getLogger(__name__)

LOG = "game.db"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a recording went."""

    game: Game
    frames: int
    seconds: float
    """Of the source, up to its last frame."""

    has_started: bool
    """Whether a goban was found and its position settled."""

    has_failed: bool
    """Whether something could not be dealt with; the messages on stderr tell what."""


class FrameCount:
    """Counts frames, and lets the page know that the camera lives."""

    def __init__(self, live: LiveGame) -> None:
        self.frames = 0
        self.seconds = 0.0
        self._live = live
        self._first_s: float | None = None

    def see(self, frame: Frame, seen: Look) -> None:
        """Count one frame."""
        if self._first_s is None:
            self._first_s = frame.seen_at_s
        self.frames += 1
        self.seconds = frame.seen_at_s - self._first_s
        self._live.touch()


@dataclass(frozen=True, slots=True)
class Listeners:
    """Who is told besides the files."""

    live: LiveGame
    publishers: tuple[Publisher, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    referee: Referee | None = None
    """None: nobody but the camera and the inputs has a say."""

    looking: Looking = look
    """How frames are looked at."""


def open_job(job: Recording) -> FrameSource:
    """Return the source of a recording; raise `UsageError` if it cannot be used."""
    try:
        return open_source(job.source)
    except CameraError as error:
        raise UsageError(str(error)) from error


@dataclass(frozen=True, slots=True)
class GameFiles:
    """What is written into a game's folder besides its log."""

    publishers: tuple[Publisher, ...]
    evidence: Evidence
    tape: TapeWriter


@contextlib.contextmanager
def opened_files(
    folder: Path, records: Sequence[Record], keeping: Keeping | None = None
) -> Iterator[GameFiles]:
    """Write a game's files while in the block; `records` are what its log holds already."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        closing_whole(new_tape(folder)) as tape,
        closing_whole(EventsFile(folder / "events.jsonl")) as events,
        closing_whole(Evidence(folder / EVIDENCE, keeping)) as evidence,
    ):
        sgf = SgfFile(folder / "game.sgf")
        # What a sudden end kept from being written is written now.
        for publisher, told in ((events, batches(records)), (sgf, last_batch(records))):
            for batch in told:
                publisher.publish(batch)
        yield GameFiles((sgf, events), evidence, tape)


def last_batch(records: Sequence[Record]) -> Iterator[Batch]:
    """Give all records as one batch, if there are any."""
    if records:
        yield Batch(tuple(records), fold(record.event for record in records))


class Closable(Protocol):
    """Something that writes its last when it is closed."""

    def close(self) -> None:
        """Write what is left."""


C = TypeVar("C", bound=Closable)


@contextlib.contextmanager
def closing_whole(thing: C) -> Iterator[C]:
    """Close something after the block; where the disk does not take the rest, say so."""
    try:
        yield thing
    finally:
        try:
            thing.close()
        except OSError as error:
            log.error("%s is not complete: %s", type(thing).__name__, error)


def outlets(
    gamelog: Log,
    files: GameFiles | None,
    listeners: Listeners,
    count: Witness,
    told: Sequence[Publisher],
) -> Outlets:
    """Return where the loop puts what it learns of a game, with files or without."""
    publishers = (listeners.live, *listeners.publishers)
    witnesses = (count, *listeners.witnesses)
    if files is None:
        return Outlets(gamelog, FanOut((*publishers, *told)), None, witnesses)
    return Outlets(
        gamelog,
        FanOut((*files.publishers, *publishers, files.evidence, *told)),
        files.tape,
        (count, files.evidence, *listeners.witnesses),
    )


def record_game(job: Recording, source: FrameSource, listeners: Listeners) -> Outcome:
    """Record until the source ends or Ctrl-C or SIGTERM ask to stop; the files are complete then.

    Raises `UsageError` if the inputs or the folder cannot be used.
    """
    inputs = _inputs(job)
    mailbox = Mailbox(keeps_every_frame=not source.is_live)
    count = FrameCount(listeners.live)
    with contextlib.ExitStack() as stack:
        gamelog = stack.enter_context(_open_log(job))
        part = part_of(gamelog, is_live=source.is_live)
        files = stack.enter_context(opened_files(job.out, part.records))
        # Who can read the state may ask for the end.
        stack.enter_context(stopping(mailbox, source))
        listeners.live.rebuild(part.records)
        told = stack.enter_context(heard(listeners.referee, part.records, mailbox))
        pipeline = Pipeline(
            mailbox,
            outlets(gamelog, files, listeners, count, told),
            game_id=part.game_id,
            engine=part.engine,
            eye=Eye(job.sizes, job.turn),
            looking=listeners.looking,
            now_s=(lambda: time.monotonic() + part.offset_s) if source.is_live else None,
            inputs=inputs,
        )
        if not part.records:
            pipeline.observe(job.start)
        frames = source.frames()
        frames = paced(frames) if job.is_real_time and not source.is_live else frames
        pump(later(frames, part.offset_s), mailbox)
        pipeline.run()
    engine = pipeline.engine
    return Outcome(
        engine.game, count.frames, count.seconds, engine.knows_goban, pipeline.has_failed
    )


@dataclass(frozen=True, slots=True)
class Part:
    """With what a recording begins: a new game, or one that goes on."""

    game_id: str
    engine: Engine
    records: tuple[Record, ...] = ()
    offset_s: float = 0.0
    """Added to the times of the source, so that those of a game never go back."""


def part_of(gamelog: GameLog, *, is_live: bool) -> Part:
    """Return the last game in a log as the beginning of its next part, or a new game.

    `is_live`: the times of the source are those of the monotonic clock.
    """
    game_ids = gamelog.game_ids()
    records = tuple(gamelog.records(game_ids[-1])) if game_ids else ()
    if not any(isinstance(record.event, GameStarted) for record in records):
        return Part(new_game_id(), new_engine())
    last_s = max(record.t_s for record in records)
    # A monotonic clock begins again with each boot, and the times of a video with each file.
    offset_s = max(0.0, last_s - (time.monotonic() if is_live else 0.0))
    game = fold(record.event for record in records)
    return Part(game_ids[-1], resumed_engine(game, now_s=last_s), records, offset_s)


def later(frames: Iterator[Frame], offset_s: float) -> Iterator[Frame]:
    """Iterate over frames with their times shifted."""
    for frame in frames:
        yield replace(frame, seen_at_s=frame.seen_at_s + offset_s) if offset_s else frame


def new_game_id() -> str:
    """Return an id that sorts by time and that no two devices share."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


def paced(frames: Iterator[Frame]) -> Iterator[Frame]:
    """Iterate over recorded frames, none of them earlier than in real time."""
    start, pause = time.monotonic(), threading.Event()
    for frame in frames:
        pause.wait(max(0.0, start + frame.seen_at_s - time.monotonic()))
        yield frame


@contextlib.contextmanager
def heard(
    referee: Referee | None, records: Sequence[Record], mailbox: Mailbox
) -> Iterator[tuple[Publisher, ...]]:
    """Let the referee have a say while in the block; gives who has to be told for that.

    Told after the evidence, so that a referee who hears of an alert finds its pictures.
    """
    if referee is None:
        yield ()
        return
    referee.game.rebuild(records)
    referee.inbox.connect(mailbox.submit)
    try:
        yield (referee.game,)
    finally:
        referee.inbox.disconnect()


@contextlib.contextmanager
def stopping(mailbox: Mailbox, source: FrameSource) -> Iterator[None]:
    """End the loop cleanly on Ctrl-C and SIGTERM while in the block."""

    def stop(*_: object) -> None:
        mailbox.close()

    is_main = threading.current_thread() is threading.main_thread()
    signals = (signal.SIGINT, signal.SIGTERM) if is_main else ()
    before = [(number, signal.signal(number, stop)) for number in signals]
    try:
        yield
    finally:
        source.close()
        mailbox.close()
        for number, handler in before:
            signal.signal(number, handler)


def _inputs(job: Recording) -> Inputs | None:
    try:
        return None if job.inputs is None else read_inputs(job.inputs)
    except InputsError as error:
        raise UsageError(f"--inputs: {error}") from error


def _open_log(job: Recording) -> GameLog:
    """Open the log of a folder; a game that is there is gone on with, never written over."""
    path = job.out / LOG
    if path.exists() and not job.is_resumed:
        raise UsageError(f"{job.out} holds a game; use --resume or choose another folder")
    try:
        job.out.mkdir(parents=True, exist_ok=True)
        return GameLog(path, is_writer=True)
    except (GameLogInUseError, GameLogError, OSError) as error:
        raise UsageError(f"--out {job.out}: {error}") from error

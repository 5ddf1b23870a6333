"""One recording from its first frame to its last: opens what it needs, runs the loop, closes."""

from __future__ import annotations

import contextlib
import secrets
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from recorder.cli import UsageError
from recorder.commands.options import Address, Recording
from recorder.engine import new_engine
from recorder.evidence import Evidence
from recorder.eye import Eye, Look
from recorder.files import EventsFile, SgfFile
from recorder.game import Game
from recorder.gamelog import GameLog, GameLogError, GameLogInUseError
from recorder.inputs import Inputs, InputsError, read_inputs
from recorder.mailbox import Mailbox, pump
from recorder.pipeline import Outlets, Pipeline, Witness
from recorder.publish import FanOut, Publisher
from recorder.tape import TapeWriter
from recorder.web.live import LiveGame
from recorder.web.server import PageServer, PageServerError
from vision.camera import CameraError, FrameSource, open_source
from vision.types import Frame

LOG = "game.db"
TAPE = "readings.tape"
EVIDENCE = "evidence"


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


def open_job(job: Recording) -> FrameSource:
    """Return the source of a recording; raise `UsageError` if it cannot be used."""
    try:
        return open_source(job.source)
    except CameraError as error:
        raise UsageError(str(error)) from error


def record_game(job: Recording, source: FrameSource, listeners: Listeners) -> Outcome:
    """Record until the source ends or Ctrl-C or SIGTERM ask to stop; the files are complete then.

    Raises `UsageError` if the inputs or the folder cannot be used.
    """
    inputs = _inputs(job)
    mailbox = Mailbox(keeps_every_frame=not source.is_live)
    count = FrameCount(listeners.live)
    with contextlib.ExitStack() as stack:
        gamelog = stack.enter_context(_new_log(job.out))
        tape = stack.enter_context(contextlib.closing(TapeWriter(job.out / TAPE)))
        events = stack.enter_context(contextlib.closing(EventsFile(job.out / "events.jsonl")))
        evidence = stack.enter_context(contextlib.closing(Evidence(job.out / EVIDENCE)))
        files = (SgfFile(job.out / "game.sgf"), events, listeners.live)
        outlets = Outlets(
            gamelog,
            FanOut((*files, *listeners.publishers, evidence)),
            tape,
            (count, evidence, *listeners.witnesses),
        )
        pipeline = Pipeline(
            mailbox,
            outlets,
            game_id=new_game_id(),
            engine=new_engine(),
            eye=Eye(job.sizes, job.turn),
            now_s=time.monotonic if source.is_live else None,
            inputs=inputs,
        )
        stack.enter_context(_stopping(mailbox, source))
        pipeline.observe(job.start)
        frames = source.frames()
        pump(paced(frames) if job.is_real_time and not source.is_live else frames, mailbox)
        pipeline.run()
    listeners.live.finish()
    engine = pipeline.engine
    return Outcome(
        engine.game, count.frames, count.seconds, engine.knows_goban, pipeline.has_failed
    )


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
def serving(live: LiveGame, address: Address) -> Iterator[int]:
    """Serve the page while in the block; gives the port. Raises `UsageError` if that cannot be."""
    server = PageServer(live)
    try:
        port = server.start(address.host, address.port)
    except PageServerError as error:
        raise UsageError(str(error)) from error
    try:
        yield port
    finally:
        server.stop()


@contextlib.contextmanager
def _stopping(mailbox: Mailbox, source: FrameSource) -> Iterator[None]:
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


def _new_log(folder: Path) -> GameLog:
    """Open a log in a folder that has none yet: a finished game is not written over."""
    path = folder / LOG
    if path.exists():
        raise UsageError(f"{folder} holds a game already; choose another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return GameLog(path, is_writer=True)
    except (GameLogInUseError, GameLogError, OSError) as error:
        raise UsageError(f"--out {folder}: {error}") from error

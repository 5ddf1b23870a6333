"""The service of one table: one game after another from one camera, each in a folder of its own."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from recorder.commands.recording import (
    LOG,
    FrameCount,
    Listeners,
    Part,
    heard,
    later,
    new_game_id,
    opened_files,
    outlets,
    paced,
    part_of,
    stopping,
)
from recorder.engine import Engine, new_engine
from recorder.events import GameInfo, Record
from recorder.evidence import Keeping
from recorder.eye import Eye, look
from recorder.gamelog import GameLog
from recorder.lifecycle import Habit, Watch, watch
from recorder.mailbox import Mailbox, Submitted, pump
from recorder.observations import Content, StartGame
from recorder.pipeline import Looking, Outlets, Pipeline
from recorder.publish import FanOut
from vision.camera import FrameSource
from vision.types import Frame

log = logging.getLogger(__name__)

DEVICE_LOG = "device.db"
GAMES = "games"

SET_YEAR = 2026
"""A wall clock that shows an earlier year has not been set: there is no battery behind it."""


@dataclass(frozen=True, slots=True)
class Table:
    """What the service of one table needs to know."""

    folder: Path
    habit: Habit
    eye: Eye = field(default_factory=Eye)
    keeping: Keeping = field(default_factory=Keeping)
    is_real_time: bool = True
    """Whether a recorded source is shown in real time."""

    ends_with_frames: bool = False
    """Whether the service ends when a recorded source does."""


class Stages:
    """The attendant of a table, and where the pages read what it is at."""

    def __init__(self, habit: Habit) -> None:
        self._habit = habit
        self.now = Watch()

    def attend(self, engine: Engine, now_s: float) -> Content | None:
        """Return what has to be observed now, if anything."""
        before = self.now
        self.now, content = watch(before, engine, self._habit, now_s)
        if self.now.stage is not before.stage:
            log.info("the table is %s", self.now.stage.value)
        return content

    def forget(self) -> None:
        """Begin with another game."""
        self.now = Watch(self.now.stage)


class TableService:
    """Records games at one table until it is asked to stop."""

    def __init__(
        self,
        table: Table,
        source: FrameSource,
        gamelog: GameLog,
        listeners: Listeners,
        *,
        looking: Looking = look,
    ) -> None:
        """Prepare to serve; the log must be open for writing."""
        self._looking = looking
        self.stages = Stages(table.habit)
        self.mailbox = Mailbox(keeps_every_frame=not source.is_live and not table.is_real_time)
        self._table = table
        self._source = source
        self._gamelog = gamelog
        self._listeners = listeners
        self._count = FrameCount(listeners.live)
        self._eye = table.eye

    def run(self) -> None:
        """Record until Ctrl-C or SIGTERM ask to stop; the files are complete then.

        Goes on with the last game in the log. Frames may stop coming, the service goes on.
        """
        is_clocked = self._source.is_live or self._table.is_real_time
        part = part_of(self._gamelog, is_live=is_clocked)
        self._listeners.live.rebuild(last_games(self._gamelog))
        ended = threading.Event()
        with contextlib.ExitStack() as stack:
            stack.callback(ended.set)
            stack.enter_context(stopping(self.mailbox, self._source))
            pump(later(self._frames(ended), part.offset_s), self.mailbox)
            offset_s = part.offset_s
            now_s = (lambda: time.monotonic() + offset_s) if is_clocked else None
            self._record_all(part, now_s)

    def _frames(self, ended: threading.Event) -> Iterator[Frame]:
        """Iterate over the frames; after the last one, wait for the end of the service."""
        frames = self._source.frames()
        if not self._source.is_live and self._table.is_real_time:
            frames = _as_if_live(paced(frames))
        yield from frames
        if not self._table.ends_with_frames:
            log.warning("the frames of the camera have ended")
            ended.wait()

    def _record_all(self, part: Part, now_s: Callable[[], float] | None) -> None:
        start = self._wait(part, now_s) if not part.records else None
        while part.records or start is not None:
            if start is not None:
                self.stages.forget()
                part = Part(new_game_id(), new_engine(), (), part.offset_s)
            start = self._record(part, start, now_s)
            if start is None:
                return

    def _wait(self, part: Part, now_s: Callable[[], float] | None) -> Submitted | None:
        """Look at the goban until the first game is to begin; return its start, None at the end."""
        listeners = self._listeners
        with heard(listeners.referee, (), self.mailbox) as told:
            publishers = FanOut((listeners.live, *listeners.publishers, *told))
            witnesses = (self._count, *listeners.witnesses)
            opened = Outlets(self._gamelog, publishers, witnesses=witnesses)
            pipeline = self._pipeline(part, opened, now_s)
            start = pipeline.run()
        self._eye = pipeline.eye
        return start

    def _record(
        self, part: Part, start: Submitted | None, now_s: Callable[[], float] | None
    ) -> Submitted | None:
        """Record one game until the next is to begin; return its start, None at the end."""
        folder, listeners = self._table.folder / GAMES / part.game_id, self._listeners
        with contextlib.ExitStack() as stack:
            files = stack.enter_context(opened_files(folder, part.records, self._table.keeping))
            told = stack.enter_context(heard(listeners.referee, part.records, self.mailbox))
            opened = outlets(self._gamelog, files, listeners, self._count, told)
            pipeline = self._pipeline(part, opened, now_s)
            if start is not None and isinstance(start.content, StartGame):
                content = replace(start.content, info=dated(start.content.info))
                start.number.set_result(pipeline.observe(content))
            following = pipeline.run()
        self._eye = pipeline.eye
        self._export(part.game_id, folder)
        return following

    def _pipeline(self, part: Part, opened: Outlets, now_s: Callable[[], float] | None) -> Pipeline:
        return Pipeline(
            self.mailbox,
            opened,
            game_id=part.game_id,
            engine=part.engine,
            eye=self._eye,
            now_s=now_s,
            looking=self._looking,
            attendant=self.stages,
        )

    def _export(self, game_id: str, folder: Path) -> None:
        """Write a game's own log beside its other files; the device's log has it in any case."""
        try:
            self._gamelog.export(game_id, folder / LOG)
        except (OSError, sqlite3.Error):
            log.exception("%s cannot be written", folder / LOG)


def _as_if_live(frames: Iterator[Frame]) -> Iterator[Frame]:
    """Iterate over recorded frames with the times at which they are shown."""
    for frame in frames:
        yield replace(frame, seen_at_s=time.monotonic())


def last_games(gamelog: GameLog) -> tuple[Record, ...]:
    """Return the records of the last two games: of the one before, the public may not know all."""
    return tuple(r for game_id in gamelog.game_ids()[-2:] for r in gamelog.records(game_id))


def dated(info: GameInfo) -> GameInfo:
    """Return a game's information with today's date, if it has none and the clock has been set."""
    now = datetime.now().astimezone()
    return info if info.date or now.year < SET_YEAR else replace(info, date=f"{now:%Y-%m-%d}")

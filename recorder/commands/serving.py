"""The service of one table: one game after another from one camera, each in a folder of its own."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from recorder.commands.recording import (
    LOG,
    FrameCount,
    GameFiles,
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
from recorder.game import fold
from recorder.gamelog import GameLog
from recorder.health import Health
from recorder.keeper import LogKeeper
from recorder.lifecycle import FULL, Habit, Watch, explain_restart, resumed_watch, watch
from recorder.mailbox import Mailbox, Submitted, pump
from recorder.observations import Content, Report, StartGame
from recorder.pictures import Expiry, make_room
from recorder.pipeline import Chore, Looking, Outlets, Pipeline
from recorder.publish import Publisher
from recorder.rebuild import write_files
from recorder.thrift import Thrift
from recorder.watchdog import Watchdog, notify
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
    keep_days: float = 0.0
    """How long pictures are kept; 0: for ever."""

    is_real_time: bool = True
    """Whether a recorded source is shown in real time."""

    ends_with_frames: bool = False
    """Whether the service ends when a recorded source does."""


class Stages:
    """The attendant of a table, and where the pages read what it is at."""

    def __init__(
        self, habit: Habit, trouble: Callable[[], str | None], tell: Callable[[str], None]
    ) -> None:
        """`trouble` tells why the log takes nothing; `tell` is told of each stage."""
        self._habit = habit
        self._trouble = trouble
        self._tell = tell
        self._is_in_trouble = False
        self._resumed_moves: int | None = None
        self.now = Watch()
        tell(self.now.stage.value)

    def resume(self, moves: int) -> None:
        """Compare goban and record as soon as it can be done."""
        self._resumed_moves = moves

    def attend(self, engine: Engine, now_s: float) -> Content | None:
        """Return what has to be observed now, if anything."""
        self._compare(engine)
        trouble = self._trouble()
        was_in_trouble, self._is_in_trouble = self._is_in_trouble, trouble is not None
        if trouble is not None and not was_in_trouble:
            return Report(FULL, None, trouble)
        before = self.now
        self.now, content = watch(before, engine, self._habit, now_s)
        if self.now.stage is not before.stage:
            log.info("the table is %s", self.now.stage.value)
            self._tell(self.now.stage.value)
        return content

    def forget(self) -> None:
        """Begin with another game."""
        self.now = Watch(self.now.stage)

    def _compare(self, engine: Engine) -> None:
        if self._resumed_moves is not None:
            told = explain_restart(engine, self._resumed_moves)
            if told is not None:
                log.warning("%s", told)
                self._resumed_moves = None


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
        self.keeper = LogKeeper(gamelog, make_room=self._make_room)
        self.mailbox = Mailbox(keeps_every_frame=not source.is_live and not table.is_real_time)
        referee = listeners.referee
        tell = (lambda stage: None) if referee is None else referee.game.tell_stage
        self.stages = Stages(table.habit, lambda: self.keeper.trouble, tell)
        self.health = Health(table.folder, self.keeper, self.mailbox)
        self._games = table.folder / GAMES
        self._chores: tuple[Chore, ...] = (
            self.keeper,
            self.health,
            Watchdog(status=lambda: self.stages.now.stage.value),
            Expiry(self._games, table.keep_days),
            Thrift(),
        )
        self._looking = looking
        self._table = table
        self._source = source
        self._gamelog = gamelog
        self._listeners = listeners
        self._count = FrameCount(listeners.live)
        self._eye = table.eye
        self._game_id = ""

    def add_chore(self, chore: Chore) -> None:
        """Let the loop see to something else as well; before `run`."""
        self._chores = (*self._chores, chore)

    def run(self) -> None:
        """Record until Ctrl-C or SIGTERM ask to stop; the files are complete then.

        Goes on with the last game in the log. Frames may stop coming, the service goes on.
        """
        is_clocked = self._source.is_live or self._table.is_real_time
        part = part_of(self._gamelog, is_live=is_clocked)
        ended = threading.Event()
        with contextlib.ExitStack() as stack:
            stack.callback(ended.set)
            stack.callback(self.keeper.close)
            stack.enter_context(stopping(self.mailbox, self._source))
            # Who can read the state may ask for the end.
            self._listeners.live.rebuild(last_games(self._gamelog))
            pump(later(self._frames(ended), part.offset_s), self.mailbox)
            offset_s = part.offset_s
            now_s = (lambda: time.monotonic() + offset_s) if is_clocked else None
            notify("READY=1")
            self._record_all(part, now_s)
            notify("STOPPING=1")

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
        if part.records:
            self.stages.resume(len(part.engine.game.moves))
            start = self._record(part, None, now_s)
        else:
            self.stages.now = _left_watch(self._gamelog)
            start = self._wait(part, now_s)
        while start is not None:
            self.stages.forget()
            part = Part(new_game_id(), new_engine(), (), part.offset_s)
            start = self._record(part, start, now_s)

    def _wait(self, part: Part, now_s: Callable[[], float] | None) -> Submitted | None:
        """Look at the goban until the first game is to begin; return its start, None at the end."""
        with heard(self._listeners.referee, (), self.mailbox) as told:
            return self._run(part, None, self._outlets(None, told), now_s)

    def _record(
        self, part: Part, start: Submitted | None, now_s: Callable[[], float] | None
    ) -> Submitted | None:
        """Record one game until the next is to begin; return its start, None at the end."""
        self._game_id = part.game_id
        with contextlib.ExitStack() as stack:
            files = self._opened(stack, part)
            told = stack.enter_context(heard(self._listeners.referee, part.records, self.mailbox))
            following = self._run(part, start, self._outlets(files, told), now_s)
        self._finish(part.game_id)
        return following

    def _opened(self, stack: contextlib.ExitStack, part: Part) -> GameFiles | None:
        """Open a game's files; None where the disk does not allow it: the log matters more."""
        opened = opened_files(self._games / part.game_id, part.records, self._table.keeping)
        try:
            return stack.enter_context(opened)
        except OSError as error:
            log.error("the files of game %s cannot be written: %s", part.game_id, error)
            return None

    def _outlets(self, files: GameFiles | None, told: Sequence[Publisher]) -> Outlets:
        """Return where the loop puts what it learns."""
        listeners = self._listeners
        extended = replace(
            listeners,
            publishers=(*listeners.publishers, self.health),
            witnesses=(*listeners.witnesses, self.health),
        )
        made = outlets(self.keeper, files, extended, self._count, told)
        return replace(made, chores=self._chores, timed=self.health.timed)

    def _run(
        self,
        part: Part,
        start: Submitted | None,
        opened: Outlets,
        now_s: Callable[[], float] | None,
    ) -> Submitted | None:
        pipeline = Pipeline(
            self.mailbox,
            opened,
            game_id=part.game_id,
            engine=part.engine,
            eye=self._eye,
            now_s=now_s,
            looking=self._looking,
            attendant=self.stages,
        )
        if start is not None and isinstance(start.content, StartGame):
            content = replace(start.content, info=dated(start.content.info))
            start.number.set_result(pipeline.observe(content))
        following = pipeline.run()
        self._eye = pipeline.eye
        return following

    def _finish(self, game_id: str) -> None:
        """Write a game's files again as a whole, with its own log beside them."""
        folder = self._games / game_id
        try:
            write_files(self._gamelog, game_id, folder)
            self._gamelog.export(game_id, folder / LOG)
        except (OSError, sqlite3.Error) as error:
            log.error("the files in %s are not complete: %s", folder, error)

    def _make_room(self) -> bool:
        return make_room(self._games, self._table.keeping.reserve_bytes, but=self._game_id)


def _left_watch(gamelog: GameLog) -> Watch:
    """Return what was known of the goban when the service ended before any game."""
    waiting = gamelog.game_ids()[-1:]
    if not waiting:
        return Watch()
    return resumed_watch(fold(record.event for record in gamelog.records(waiting[0])))


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

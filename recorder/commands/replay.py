"""`banmen replay`: settle and judge the recorded readings of a game again, without the video."""

from __future__ import annotations

import argparse
import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from recorder.cli import UsageError
from recorder.engine import Engine, Input, Step, feed, new_engine, resumed_engine
from recorder.events import Record
from recorder.files import EventsFile, write_atomically
from recorder.game import Game
from recorder.publish import Batch
from recorder.sgf import format_sgf
from recorder.tape import TapeError, read_tape, tapes_of

HELP = """\
exit codes: 0 the same as recorded, 1 it differs, 2 no such game
"""

FILES = ("game.sgf", "events.jsonl")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.add_argument("game", type=Path, metavar="GAME", help="the folder of a recorded game")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="keep game.sgf and events.jsonl of the replay here"
    )


def run(arguments: argparse.Namespace) -> int:
    """Replay one game and compare; return the exit code."""
    with contextlib.ExitStack() as stack:
        out = arguments.out or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        game = replay(tapes_of(arguments.game), out)
        differing = [name for name in FILES if not _is_same(arguments.game / name, out / name)]
        print(f"{len(game.moves)} moves, {len(game.alerts)} alerts")
        for name in differing:
            print(f"{name} differs from the recorded one")
    return 1 if differing else 0


def replay(tapes: Sequence[Path], out: Path) -> Game:
    """Judge what the tapes of a game hold, write its files into a folder, and return the game.

    Raises `UsageError` if there is no tape, or one cannot be read.
    """
    if not tapes:
        raise UsageError("there is no readings.tape in the game's folder")
    try:
        out.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(EventsFile(out / "events.jsonl")) as events:
            judge = Judge(events)
            for tape in tapes:
                judge.play(read_tape(tape))
    except (OSError, TapeError) as error:
        raise UsageError(str(error)) from error
    write_atomically(out / "game.sgf", format_sgf(judge.game).encode("utf-8"))
    return judge.game


class Judge:
    """Feeds tapes to an engine, as the loop did while recording."""

    def __init__(self, events: EventsFile) -> None:
        self._engine: Engine | None = None
        self._number = 0
        self._events = events

    @property
    def game(self) -> Game:
        """The game so far."""
        return (self._engine or new_engine()).game

    def play(self, items: Iterator[Input]) -> None:
        """Judge one tape; the second and later ones begin as a resumed recording does."""
        before = self._engine
        if before is None or not before.knows_goban:
            engine = new_engine()
        else:
            engine = resumed_engine(before.game, now_s=before.last_s)
        for item in items:
            engine, steps = feed(engine, item)
            for step in steps:
                self._tell(step)
        self._engine = engine

    def _tell(self, step: Step) -> None:
        records = tuple(
            Record(self._number + n, "", step.observation.t_s, "", event)
            for n, event in enumerate(step.events, start=1)
        )
        self._number += len(records)
        if records:
            self._events.publish(Batch(records, step.game))


def _is_same(one: Path, other: Path) -> bool:
    return one.is_file() and one.read_bytes() == other.read_bytes()

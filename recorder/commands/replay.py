"""`banmen replay`: settle and judge the recorded readings of a game again, without the video."""

from __future__ import annotations

import argparse
import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from recorder.cli import UsageError
from recorder.engine import Input, feed, new_engine
from recorder.events import Record
from recorder.files import EventsFile, write_atomically
from recorder.game import Game
from recorder.publish import Batch
from recorder.sgf import format_sgf
from recorder.tape import TapeError, read_tape

HELP = """\
exit codes: 0 the same as recorded, 1 it differs, 2 no such game
"""

TAPE = "readings.tape"
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
        game = replay(arguments.game / TAPE, out)
        differing = [name for name in FILES if not _is_same(arguments.game / name, out / name)]
        print(f"{len(game.moves)} moves, {len(game.alerts)} alerts")
        for name in differing:
            print(f"{name} differs from the recorded one")
    return 1 if differing else 0


def replay(tape: Path, out: Path) -> Game:
    """Judge what a tape holds, write the game's files into a folder, and return the game.

    Raises `UsageError` if there is no such tape.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(EventsFile(out / "events.jsonl")) as events:
            game = _judge(read_tape(tape), events)
    except (OSError, TapeError) as error:
        raise UsageError(str(error)) from error
    write_atomically(out / "game.sgf", format_sgf(game).encode("utf-8"))
    return game


def _judge(items: Iterator[Input], events: EventsFile) -> Game:
    engine, number = new_engine(), 0
    for item in items:
        engine, steps = feed(engine, item)
        for step in steps:
            records = tuple(
                Record(number + n, "", step.observation.t_s, "", event)
                for n, event in enumerate(step.events, start=1)
            )
            number += len(records)
            if records:
                events.publish(Batch(records, step.game))
    return engine.game


def _is_same(one: Path, other: Path) -> bool:
    return one.is_file() and one.read_bytes() == other.read_bytes()

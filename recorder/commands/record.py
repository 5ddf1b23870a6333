"""`banmen record`: the game that a camera or a video shows."""

from __future__ import annotations

import argparse
import contextlib
import time
from pathlib import Path

from calibration.store import Calibration, StoreError, load_calibration
from recorder.cli import UsageError
from recorder.commands.options import add_options, parse_recording
from recorder.commands.page import (
    Pages,
    Referee,
    add_page_options,
    describe_pins,
    kept_delay,
    parse_pages,
    read_access,
    serving,
)
from recorder.commands.recording import Listeners, Outcome, open_job, record_game
from recorder.commands.show import ProgressBar, Told, has_terminal, page_address
from recorder.library import Library
from recorder.pictures import EVIDENCE
from recorder.set_up import SetUp
from recorder.system_facts import read_facts
from recorder.web.live import LiveGame
from recorder.web.referee import Console
from recorder.web.settings import FILE_NAME as SETTINGS

HELP = """\
exit codes: 0 recorded, 1 no goban was seen or something could not be dealt with, 2 wrong usage
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="video file, folder of images, /dev/videoN, rtsp:// or http:// address, or picamera",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the game's folder")
    parser.add_argument(
        "--inputs",
        type=Path,
        metavar="FILE",
        help="clock presses, passes... beside a video, one JSON object a line",
    )
    parser.add_argument(
        "--pace",
        choices=("fast", "real"),
        default="fast",
        help="files as fast as they decode (default), or in real time",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with the game in DIR, if there is one"
    )
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="FILE",
        help="of banmen calibrate: lens and corners; corners set at the desk are kept there too",
    )
    add_options(parser)
    add_page_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Record; return the exit code."""
    job = parse_recording(arguments)
    pages = parse_pages(arguments)
    source = open_job(job)
    delay = kept_delay(job.out, pages.delay)
    set_up = set_up_of(arguments.calibration, arguments.source, job.out)
    live, referee = LiveGame(delay=delay, is_reading=True), Referee(set_up)
    bar = ProgressBar(source.duration_s)
    bars = (bar,) if source.duration_s and has_terminal() else ()
    witnesses = (*bars, referee.snapshot, set_up)
    publishers = (Told(),) if source.is_live else ()
    with contextlib.ExitStack() as stack:
        if job.serve is not None:
            console = _console(pages, referee, job.out)
            page = serving(
                live,
                job.serve,
                viewers=pages.viewers,
                console=console,
                library=Library(job.out),
            )
            address = page_address(job.serve.host, stack.enter_context(page))
            print(f"the game is on {address}", flush=True)
            if console is not None:
                print(f"the referee's page is {address}referee", flush=True)
        listeners = Listeners(live, publishers, witnesses, referee, set_up.look)
        begun = time.perf_counter()
        outcome = record_game(job, source, listeners)
    bar.clear()
    print(summary(outcome, job.out, time.perf_counter() - begun))
    return 0 if outcome.has_started and not outcome.has_failed else 1


def _console(pages: Pages, referee: Referee, folder: Path) -> Console | None:
    """Return the referee's page if it is asked for; print PINs that were made for it."""
    if pages.access is None:
        return None
    access, pins = read_access(pages.access)
    if pins:
        print(f"{pages.access} is new:\n{describe_pins(pins)}", flush=True)
    return referee.console(access, lambda game_id: folder / EVIDENCE, folder / SETTINGS)


def set_up_of(path: Path | None, source: str, folder: Path) -> SetUp:
    """Return what is known of the camera; raise `UsageError` if the file cannot be used."""
    try:
        known = None if path is None else load_calibration(path)
    except StoreError as error:
        raise UsageError(f"--calibration: {error}") from error
    return SetUp(known or Calibration(source), path, facts=lambda: read_facts(folder))


def summary(outcome: Outcome, folder: Path, took_s: float) -> str:
    """Return one line about a recording, for people."""
    if not outcome.has_started:
        return f"no goban was seen in {outcome.frames} frames"
    alerts = sum(1 for state in outcome.game.alerts if state.stands)
    speed = outcome.seconds / max(took_s, 1e-3)
    return (
        f"{folder / 'game.sgf'}: {len(outcome.game.moves)} moves, {alerts} alerts,"
        f" {outcome.frames} frames at {speed:.1f} times real time"
    )

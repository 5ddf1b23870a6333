"""`banmen demo`: a bundled clip through the whole program, in real time."""

from __future__ import annotations

import argparse
import contextlib
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

from recorder.cli import UsageError
from recorder.commands.options import HOST, Address, Recording, parse_address
from recorder.commands.page import Referee, serving
from recorder.commands.record import summary
from recorder.commands.recording import Listeners, open_job, record_game
from recorder.commands.show import Told, page_address
from recorder.events import GameInfo
from recorder.library import Library
from recorder.observations import StartGame
from recorder.pictures import EVIDENCE
from recorder.web.access import Role, new_access, new_pins
from recorder.web.live import LiveGame
from recorder.web.referee import Console

CLIP = Path(__file__).parents[1] / "data" / "demo.mp4"
PORT = 8080

HELP = """\
exit codes: 0 played, 1 something could not be dealt with, 2 wrong usage
"""

INTRODUCTION = """\
A minute of a rendered game, played as if a camera saw it now. White plays twice in a row at 0:30
and takes the second stone back: an alert for the referee, and nothing on the public page."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.add_argument("--out", type=Path, metavar="DIR", help="the game's folder")
    parser.add_argument(
        "--serve", metavar="[HOST:]PORT", help=f"page's address; default {HOST}:{PORT} or any free"
    )
    parser.add_argument(
        "--pace", choices=("real", "fast"), default="real", help="in real time (default), or not"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the clip; on a terminal, serve the page until Ctrl-C afterwards."""
    now = datetime.now(UTC)
    out = arguments.out or Path("games") / f"demo-{now:%Y%m%d-%H%M%S}"
    info = GameInfo(event="Banmen demo", date=f"{now:%Y-%m-%d}")
    job = Recording(str(CLIP), out, StartGame(info), is_real_time=arguments.pace == "real")
    source, live, referee = open_job(job), LiveGame(), Referee()
    pins = new_pins()
    console = referee.console(new_access(pins), lambda game_id: out / EVIDENCE)
    print(INTRODUCTION, flush=True)
    with contextlib.ExitStack() as stack:
        address, port = _served(stack, live, console, out, arguments.serve)
        page = page_address(address.host, port)
        print(f"\nOpen {page} in a browser to follow the game, and {page}referee to")
        print(f"decide as the referee does (PIN {pins[Role.CHIEF]}).\n")
        sys.stdout.flush()
        outcome = record_game(job, source, Listeners(live, (Told(),), (referee.snapshot,), referee))
        live.finish()
        print(f"\n{summary(outcome, out, outcome.seconds)}")
        print(f"pictures of every move and alert: {out / EVIDENCE}", flush=True)
        if sys.stdout.isatty():
            print("\nThe page stays open until Ctrl-C.", flush=True)
            _wait_for_interrupt()
    return 0 if outcome.has_started and not outcome.has_failed else 1


def _served(
    stack: contextlib.ExitStack,
    live: LiveGame,
    console: Console,
    out: Path,
    asked: str | None,
) -> tuple[Address, int]:
    """Serve the pages where asked, else on the usual port, else on any that is free."""
    address = Address(HOST, PORT) if asked is None else parse_address(asked)
    library = Library(out)
    try:
        page = serving(live, address, console=console, library=library)
        return address, stack.enter_context(page)
    except UsageError:
        if asked is not None:
            raise
        free = Address(HOST, 0)
        return free, stack.enter_context(serving(live, free, console=console, library=library))


def _wait_for_interrupt() -> None:
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()

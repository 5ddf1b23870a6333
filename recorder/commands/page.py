"""The pages beside a recording: their options, who may see the referee's, and what is printed."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from recorder.cli import UsageError
from recorder.commands.options import Address
from recorder.health import Health
from recorder.library import Library
from recorder.public import NO_DELAY, Delay, DelayError
from recorder.set_up import SetUp
from recorder.snapshot import Snapshot
from recorder.web.access import Access, AccessError, Role, open_access
from recorder.web.app import VIEWERS
from recorder.web.inbox import Inbox
from recorder.web.live import LiveGame
from recorder.web.private import PrivateGame
from recorder.web.referee import Console
from recorder.web.secure import Certificate
from recorder.web.server import PageServer, PageServerError
from recorder.web.settings import FILE_NAME as SETTINGS
from recorder.web.settings import Settings, SettingsError, load_settings

MOST_VIEWERS = 5000


@dataclass(frozen=True, slots=True)
class Pages:
    """What the pages show, and to whom."""

    delay: Delay = NO_DELAY
    viewers: int = VIEWERS
    access: Path | None = None
    """File of the passwords; None: there are no private pages."""


class Referee:
    """The private side of a recording: what referee and operator see, and where their words go."""

    def __init__(self, set_up: SetUp | None = None) -> None:
        """With a set-up the operator can check it and set corners by hand."""
        self.set_up = set_up
        self.game = PrivateGame()
        self.inbox = Inbox()
        self.snapshot = Snapshot()

    def console(
        self, access: Access, evidence: Callable[[str], Path], settings: Path | None = None
    ) -> Console:
        """Return what the private pages need; `evidence` gives the folder of a game's pictures."""
        submit, jpeg = self.inbox.submit, self.snapshot.jpeg
        return Console(self.game, submit, access, evidence, jpeg, settings, self.set_up)


def kept_delay(folder: Path, default: Delay) -> Delay:
    """Return the delay last set at the desk, else the default; raise `UsageError`."""
    try:
        return load_settings(folder / SETTINGS, Settings(default)).delay
    except (SettingsError, OSError) as error:
        raise UsageError(str(error)) from error


def add_page_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the pages."""
    page = parser.add_argument_group("the pages (docs/pages.md)")
    page.add_argument(
        "--serve", metavar="[HOST:]PORT", help="show the game on a page (host 127.0.0.1)"
    )
    page.add_argument(
        "--delay", type=float, default=0.0, metavar="SECONDS", help="show moves so much later"
    )
    page.add_argument(
        "--delay-moves", type=int, default=0, metavar="N", help="show a move after N more"
    )
    page.add_argument(
        "--viewers",
        type=int,
        default=VIEWERS,
        metavar="N",
        help=f"live streams at once (default {VIEWERS}); further pages ask every few seconds",
    )
    page.add_argument(
        "--access",
        type=Path,
        metavar="FILE",
        help="serve the referee's page too, with the passwords of FILE; if there is no such file,"
        " it is made and its PINs are printed",
    )


def parse_pages(arguments: argparse.Namespace) -> Pages:
    """Return the options of the pages; raise `UsageError` if they make no sense."""
    if not 1 <= arguments.viewers <= MOST_VIEWERS:
        raise UsageError(f"--viewers must be in 1-{MOST_VIEWERS}, got {arguments.viewers}")
    try:
        delay = Delay(arguments.delay, arguments.delay_moves)
    except DelayError as error:
        raise UsageError(f"--delay: {error}") from error
    return Pages(delay, arguments.viewers, arguments.access)


def read_access(path: Path) -> tuple[Access, Mapping[Role, str]]:
    """Return the passwords of a file and new PINs, if they were made; raise `UsageError`."""
    try:
        return open_access(path)
    except (AccessError, OSError) as error:
        raise UsageError(f"{path}: {error}") from error


def describe_pins(pins: Mapping[Role, str]) -> str:
    """Return the PINs as lines for the organiser; they are shown only this once."""
    return "\n".join(f"  PIN of the {role.title}: {pin}" for role, pin in sorted(pins.items()))


@contextlib.contextmanager
def serving(
    live: LiveGame,
    address: Address,
    *,
    viewers: int = VIEWERS,
    console: Console | None = None,
    library: Library | None = None,
    health: Health | None = None,
    certificate: Certificate | None = None,
) -> Iterator[int]:
    """Serve the pages while in the block; gives the port. Raises `UsageError` if it cannot be."""
    server = PageServer(
        live,
        viewers=viewers,
        console=console,
        library=library,
        health=health,
        certificate=certificate,
    )
    try:
        port = server.start(address.host, address.port)
    except PageServerError as error:
        raise UsageError(str(error)) from error
    try:
        yield port
    finally:
        server.stop()

"""`banmen hub`: many boards, one page."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from recorder.cli import UsageError
from recorder.commands.options import parse_address
from recorder.commands.page import describe_pins
from recorder.hall.config import (
    HubConfig,
    HubSection,
    PageSection,
    ServerSection,
    check,
    parse_boards,
    read_hub_config,
)
from recorder.settings import SettingsError

if TYPE_CHECKING:
    from recorder.hall.hub import Hub

HELP = """\
Without a file of settings the hub starts its own message server on this machine, for the boards 1
to 20, and keeps everything in the folder `hub`. Each board's device needs the address of the
message server and its file of credentials (docs/hall.md).

exit codes: 0 stopped, 2 wrong usage or something that is needed is not there
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (docs/hall.md)")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where the hub keeps its files")
    parser.add_argument("--event", metavar="NAME", help="letters, digits and hyphens")
    parser.add_argument("--boards", metavar="LIST", help='for example "1-12" or "A1-A8, B1-B8"')
    parser.add_argument("--listen", metavar="HOST:PORT", help="where the own server listens")
    parser.add_argument("--serve", metavar="[HOST:]PORT", help="where the pages are")


def run(arguments: argparse.Namespace) -> int:
    """Run the hub until Ctrl-C or SIGTERM."""
    config = parse_hub(arguments)
    try:
        # Only a hub needs these packages.
        from recorder.hall.hub import IN_THE_WAY, Hub
        from recorder.hall.pages import is_light, lightened
    except ImportError as error:
        raise UsageError(f"a hub needs the extra `hall` of this package: {error}") from error
    if config.hub.role == "pages" and not is_light():
        os.execv(sys.executable, lightened(sys.argv))
    over = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: over.set())
    with contextlib.ExitStack() as stack:
        try:
            hub = stack.enter_context(Hub(config))
        except IN_THE_WAY as error:
            raise UsageError(str(error)) from error
        print(describe(hub), flush=True)
        over.wait()
    return 0


def parse_hub(arguments: argparse.Namespace) -> HubConfig:
    """Return the settings of a command line; what it says goes before the file."""
    try:
        if arguments.config is not None:
            config = read_hub_config(arguments.config)
        else:
            config = HubConfig(HubSection(folder=Path("hub")), ServerSection(), PageSection())
        hub, server, page = config.hub, config.server, config.page
        if arguments.folder is not None:
            hub = replace(hub, folder=arguments.folder)
        if arguments.event is not None:
            hub = replace(hub, event=arguments.event)
        if arguments.boards is not None:
            hub = replace(hub, boards=arguments.boards)
        if arguments.listen is not None:
            server = replace(server, listen=arguments.listen)
        if arguments.serve is not None:
            address = parse_address(arguments.serve)
            page = replace(page, host=address.host, port=address.port)
        config = HubConfig(hub, server, page)
        check(config)
    except SettingsError as error:
        raise UsageError(str(error)) from error
    return config


def describe(hub: Hub) -> str:
    """Return what the organiser needs to know, as lines."""
    from recorder.hall.hub import credentials_of

    config = hub.config
    host = config.page.host if config.page.host != "0.0.0.0" else "127.0.0.1"
    lines = [f"the wall of boards is on http://{host}:{hub.port}/"]
    lines += [f"referees log in on http://{host}:{hub.port}/referee"]
    if hub.pins:
        lines += [describe_pins(hub.pins)]
    if not config.server.url and config.hub.role == "whole":
        boards = parse_boards(config.hub.boards)
        lines += [
            f"devices connect to {config.server.listen} as event {config.hub.event!r},",
            f"each with its own file: {credentials_of(config.hub.folder, boards[0])} and so on",
        ]
    return "\n".join(lines)

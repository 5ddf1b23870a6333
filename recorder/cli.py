"""The `banmen` command: finds the subcommand, sets up logging, turns faults into exit codes."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module

COMMANDS = {
    "read": "read the stones on still pictures",
    "calibrate": "measure lens, corners and light of a camera at a table",
    "check": "tell whether a set-up is good enough to record a game",
    "record": "record the game that a camera or a video shows",
    "serve": "serve a table: record one game after another, with pages",
    "demo": "play a bundled clip through the whole program",
    "export": "write game.sgf and events.jsonl from a game log again",
    "replay": "settle and judge the recorded readings of a game again",
    "judge": "judge scenario files by the rules",
    "count": "count a finished position",
    "clock": "run clock scenario files",
    "hub": "show many boards on one page",
    "config": "check or print the settings of a device",
    "qr": "write a sheet with the addresses of a table's pages, to print",
    "status": "say how the service on this machine is",
    "bundle": "make one file of a game for a bug report",
    "delete-pictures": "delete the pictures of a game",
}
"""Name and one-line help of each subcommand; its module in `recorder.commands` has _ for -."""


class UsageError(ValueError):
    """What the user asked for cannot be done; the message says what was expected. Exit code 2."""


def parse_arguments(words: Sequence[str]) -> argparse.Namespace:
    """Return the arguments of a command line; only the module of the subcommand is imported."""
    parser = argparse.ArgumentParser(
        prog="banmen", description="Record over-the-board Go with a camera."
    )
    parser.add_argument("--verbose", "-v", action="store_true", help="say more on stderr")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    wanted = next((word for word in words if word in COMMANDS), None)
    for name, text in COMMANDS.items():
        sub = subparsers.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name == wanted:
            module = import_module(f"recorder.commands.{name.replace('-', '_')}")
            module.configure(sub)
            sub.set_defaults(run=module.run)
    return parser.parse_args(words)


class JournalFormatter(logging.Formatter):
    """Marks lines with their priority, by which `journalctl -p warning` finds them.

    References
    ----------
    sd-daemon(3): "<N>" before a line, N from 0 (emergency) to 7 (debug).
    """

    _PRIORITIES = ((logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record, each with its priority."""
        found = (number for level, number in self._PRIORITIES if record.levelno >= level)
        mark = f"<{next(found, 7)}>"
        return "\n".join(mark + line for line in super().format(record).splitlines())


def formatter_for(environment: Mapping[str, str]) -> logging.Formatter:
    """Return how log lines look: for the journal if that is where they go, else for people."""
    if "JOURNAL_STREAM" in environment:
        return JournalFormatter("%(name)s: %(message)s")
    return logging.Formatter("%(levelname)s %(name)s: %(message)s")


def main(words: Sequence[str] | None = None) -> int:
    """Run `banmen`; return the exit code: 0 done, 1 some failed, 2 wrong usage, 130 Ctrl-C."""
    arguments = parse_arguments(sys.argv[1:] if words is None else words)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter_for(os.environ))
    level = logging.DEBUG if arguments.verbose else logging.INFO
    logging.basicConfig(level=level, handlers=[handler])
    try:
        return int(arguments.run(arguments))
    except UsageError as error:
        print(f"banmen {arguments.command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output is gone (`| head`); leave stdout closed so that exit is quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())

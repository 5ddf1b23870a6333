"""`banmen config`: check a file of settings, or print them all."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from recorder.cli import UsageError
from recorder.config import PATH, Config, as_tables, read_config
from recorder.settings import SettingsError, format_settings

HELP = """\
exit codes: 0 the settings can be used, 1 they cannot, 2 wrong usage
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, text in (
        ("check", "say whether a file of settings can be used, and name every mistake"),
        ("show", "print every setting in force, those that the file leaves out included"),
    ):
        action = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        action.add_argument("file", type=Path, nargs="?", default=PATH, help=f"default: {PATH}")


def run(arguments: argparse.Namespace) -> int:
    """Check or print; return the exit code."""
    try:
        config = read_config(arguments.file)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 1
    if arguments.action == "check":
        print(f"{arguments.file}: the settings can be used")
    else:
        print(format_settings(as_tables(config)), end="")
    return 0


def load_config(path: Path | None) -> Config:
    """Return the settings of a file; without one, of the usual place or the defaults.

    Raises `UsageError` if they cannot be used.
    """
    try:
        return read_config(path or PATH)
    except SettingsError as error:
        # What is there but cannot be read is no reason for the defaults.
        if path is None and isinstance(error.__cause__, FileNotFoundError):
            return Config()
        raise UsageError(str(error)) from error

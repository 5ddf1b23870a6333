"""`banmen delete-pictures`: delete the pictures of a game; its record stays."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from recorder.cli import UsageError
from recorder.commands.config import load_config
from recorder.commands.serving import GAMES
from recorder.pictures import delete_pictures

log = logging.getLogger(__name__)

HELP = """\
exit codes: 0 deleted, 2 no such game
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.add_argument("game", metavar="GAME", help="a game's id, or its folder")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings of the device")


def run(arguments: argparse.Namespace) -> int:
    """Delete; return the exit code."""
    game = find_game(arguments.game, arguments.config)
    print(f"{game}: {delete_pictures(game)} files with pictures deleted")
    return 0


def find_game(text: str, config: Path | None) -> Path:
    """Return the folder of a game that is named by its id or its folder; raise `UsageError`."""
    game = Path(text)
    if not (game / "events.jsonl").is_file():
        game = load_config(config).device.folder / GAMES / text
    if not (game / "events.jsonl").is_file():
        raise UsageError(f"there is no game {text}, neither as a folder nor as {game}")
    return game

"""`banmen delete-pictures`: delete the pictures of a game; its record stays."""

from __future__ import annotations

import argparse
from pathlib import Path

from recorder.cli import UsageError
from recorder.commands.config import load_config
from recorder.commands.serving import GAMES
from recorder.pictures import delete_pictures

HELP = """\
exit codes: 0 deleted, 2 no such game, or its pictures cannot be deleted
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.add_argument("game", metavar="GAME", help="a game's id, or its folder")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings of the device")


def run(arguments: argparse.Namespace) -> int:
    """Delete; return the exit code."""
    game = find_game(arguments.game, arguments.config)
    try:
        files = delete_pictures(game)
    except OSError as error:
        raise UsageError(f"pictures of {game} cannot be deleted: {error}") from error
    print(f"{game}: {files} files with pictures deleted")
    return 0


def find_game(text: str, config: Path | None) -> Path:
    """Return the folder of a game that is named by its id or its folder; raise `UsageError`."""
    game = Path(text)
    if not _is_game(game):
        game = load_config(config).device.folder / GAMES / text
    if not _is_game(game):
        raise UsageError(f"there is no game {text}, neither as a folder nor as {game}")
    return game


def _is_game(folder: Path) -> bool:
    try:
        return (folder / "events.jsonl").is_file()
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}") from error

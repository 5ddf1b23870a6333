"""`banmen bundle`: one file of a game for a bug report."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from recorder.bundle import write_bundle
from recorder.cli import UsageError
from recorder.commands.config import load_config
from recorder.commands.delete_pictures import find_game
from recorder.commands.recording import LOG
from recorder.commands.serving import DEVICE_LOG
from recorder.config import as_tables
from recorder.gamelog import GameLog, GameLogError

HELP = """\
It holds the record, the log, the readings, pictures of alerts and around a move, versions and
settings; no passwords. Names of players are in it.
exit codes: 0 written, 2 no such game, or no room for the file
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("game", metavar="GAME", help="a game's id, or its folder")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings of the device")
    parser.add_argument("--move", type=int, metavar="N", help="with pictures around this move")
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: GAME.zip here")


def run(arguments: argparse.Namespace) -> int:
    """Write; return the exit code."""
    game = find_game(arguments.game, arguments.config)
    out = arguments.out or Path(f"{game.resolve().name}.zip")
    settings = as_tables(load_config(arguments.config))
    with tempfile.TemporaryDirectory() as folder:
        try:
            log = _log_of(game, Path(folder))
            names = write_bundle(game, out, move=arguments.move, settings=settings, log=log)
        except (OSError, GameLogError) as error:
            raise UsageError(f"{out} cannot be written: {error}") from error
    print(f"{out}: {len(names)} files, {out.stat().st_size / 1e6:.1f} MB")
    return 0


def _log_of(game: Path, folder: Path) -> Path | None:
    """Return a copy of a game's log, None if it is in the game's folder or nowhere.

    A game that goes on has its rows in the log of the device.
    """
    device = game.resolve().parents[1] / DEVICE_LOG
    if (game / LOG).exists() or not device.exists():
        return None
    with GameLog(device) as log:
        log.export(game.resolve().name, folder / LOG)
    return folder / LOG

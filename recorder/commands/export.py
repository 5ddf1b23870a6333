"""`banmen export`: game.sgf and events.jsonl from a game log again."""

from __future__ import annotations

import argparse
from pathlib import Path

from recorder.cli import UsageError
from recorder.gamelog import GameLog, GameLogError
from recorder.rebuild import write_files

HELP = """\
exit codes: 0 written, 2 no such log or game
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.add_argument(
        "log", type=Path, metavar="LOG", help="a game.db, or the folder that has it"
    )
    parser.add_argument("--game", metavar="ID", help="which game; default: the last one in the log")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where to write; default: beside the log"
    )
    parser.add_argument("--list", action="store_true", help="only print the ids of the games")


def run(arguments: argparse.Namespace) -> int:
    """Write the files of one game; return the exit code."""
    path = arguments.log / "game.db" if arguments.log.is_dir() else arguments.log
    try:
        with GameLog(path) as gamelog:
            return _export(gamelog, arguments)
    except (FileNotFoundError, GameLogError) as error:
        raise UsageError(str(error)) from error


def _export(gamelog: GameLog, arguments: argparse.Namespace) -> int:
    games = gamelog.game_ids()
    if arguments.list:
        print("\n".join(games))
        return 0
    if not games:
        raise UsageError(f"{gamelog.path} holds no game yet")
    game_id = arguments.game or games[-1]
    if game_id not in games:
        raise UsageError(f"game must be one of {', '.join(games)}, got {game_id}")
    folder = arguments.out or gamelog.path.parent
    game = write_files(gamelog, game_id, folder)
    print(f"{folder / 'game.sgf'}: {len(game.moves)} moves")
    return 0

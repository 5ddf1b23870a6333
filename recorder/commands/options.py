"""The options of `banmen record`, and what they mean."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from recorder.cli import UsageError
from recorder.clock_text import EXAMPLES
from recorder.events import GameInfo
from recorder.goban import Color, Stone
from recorder.observations import StartGame
from recorder.rules import RULESETS
from recorder.sgf import SgfError, read_sgf
from vision.types import SIZES

TURNS = {"bottom": 0, "left": 1, "top": 2, "right": 3}
"""Quarter turns of the grid that bring the side where Black sits to the bottom."""

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Address:
    """Where the page is served."""

    host: str
    port: int

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise UsageError(f"a port must be in 0-65535, got {self.port}")


@dataclass(frozen=True, slots=True)
class Recording:
    """What is to be recorded, from where, and how."""

    source: str
    out: Path
    start: StartGame
    sizes: tuple[int, ...] = SIZES
    turn: int = 0
    inputs: Path | None = None
    is_real_time: bool = False
    serve: Address | None = None
    is_resumed: bool = False
    """Go on with the game that the folder holds, if it holds one."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options that tell about the game and the board."""
    game = parser.add_argument_group("the game")
    for color in ("black", "white"):
        game.add_argument(f"--{color}", default="", metavar="NAME", help=f"who plays {color}")
        game.add_argument(f"--{color}-rank", default="", metavar="RANK", help="for example 3d")
        game.add_argument(f"--{color}-team", default="", metavar="TEAM")
    for name in ("event", "round", "place"):
        game.add_argument(f"--{name}", default="", metavar="TEXT", help="as it goes into the SGF")
    game.add_argument(
        "--date", default="", metavar="YYYY-MM-DD", help="default: today, if a camera is watched"
    )
    game.add_argument("--rules", default="chinese-2002", choices=sorted(RULESETS), metavar="RULES")
    game.add_argument("--komi", type=float, help="points for White; default: that of the rules")
    game.add_argument("--handicap", type=int, default=0, choices=[0, *range(2, 10)], metavar="N")
    game.add_argument(
        "--time",
        default="",
        metavar="CONTROL",
        help=f'time control such as "{EXAMPLES[1]}"; with buttons the clock runs by it',
    )
    board = parser.add_argument_group("the board")
    board.add_argument("--size", type=int, choices=SIZES, help="default: as seen")
    board.add_argument(
        "--orientation",
        choices=sorted(TURNS),
        default="bottom",
        metavar="SIDE",
        help="side of the picture where Black sits: bottom (default), left, top, right",
    )
    board.add_argument(
        "--start-position",
        default="seen",
        metavar="SGF",
        help="an SGF whose last position the game goes on from; default: seen, what stands there",
    )


def parse_address(text: str) -> Address:
    """Return the address of [HOST:]PORT; nobody but this machine reaches the default host."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal():
        raise UsageError(f"--serve must be [HOST:]PORT, got {text!r}")
    return Address(host.strip("[]") or HOST, int(port))


def parse_start(arguments: argparse.Namespace) -> StartGame:
    """Return how the game begins."""
    info = GameInfo(
        size=arguments.size or 19,
        ruleset=arguments.rules,
        komi=arguments.komi,
        handicap=arguments.handicap,
        black=arguments.black,
        white=arguments.white,
        black_rank=arguments.black_rank,
        white_rank=arguments.white_rank,
        black_team=arguments.black_team,
        white_team=arguments.white_team,
        event=arguments.event,
        round=arguments.round,
        place=arguments.place,
        date=arguments.date or _today(arguments.source),
        time_control=arguments.time,
    )
    if arguments.start_position == "seen":
        return StartGame(info)
    size, setup, to_move = _position(Path(arguments.start_position))
    if arguments.size not in (None, size):
        raise UsageError(f"--size is {arguments.size}, {arguments.start_position} has {size}")
    return StartGame(replace(info, size=size), setup, to_move)


def _today(source: str) -> str:
    """Return the date of a game that is being played; when a file was filmed is not known."""
    is_recorded = Path(source).is_file() or Path(source).is_dir()
    return "" if is_recorded else f"{datetime.now().astimezone():%Y-%m-%d}"


def _position(path: Path) -> tuple[int, tuple[Stone, ...], Color | None]:
    """Return size, stones and side to move at the end of an SGF's main line."""
    try:
        game = read_sgf(path.read_bytes())
    except (OSError, SgfError) as error:
        raise UsageError(f"--start-position {path}: {error}") from error
    return game.board.size, tuple(sorted(game.board.stones(), key=str)), game.to_move


def parse_recording(arguments: argparse.Namespace) -> Recording:
    """Return what the arguments of `record` ask for, or raise `UsageError`."""
    start = parse_start(arguments)
    is_size_known = arguments.size is not None or start.setup is not None
    return Recording(
        source=arguments.source,
        out=arguments.out,
        start=start,
        sizes=(arguments.size or start.info.size,) if is_size_known else SIZES,
        turn=TURNS[arguments.orientation],
        inputs=arguments.inputs,
        is_real_time=arguments.pace == "real",
        serve=parse_address(arguments.serve) if arguments.serve else None,
        is_resumed=arguments.resume,
    )

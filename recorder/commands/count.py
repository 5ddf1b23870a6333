"""`banmen count`: count a finished position, from scoring case files or from a game record."""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
from fractions import Fraction
from pathlib import Path

from recorder.case_files import CaseError, load_cases
from recorder.cli import UsageError
from recorder.count_cases import KNOWN, OPTIONAL, answer, run_case
from recorder.count_report import format_report
from recorder.counting import count_game, with_warnings
from recorder.game import Game, Tally
from recorder.gnugo import GnuGoError, ask_dead_stones
from recorder.goban import GobanError, Point, format_vertex, parse_vertex
from recorder.life import find_dead_stones
from recorder.rules import RULESETS, Counting
from recorder.scoring import Marks, ScoringError, in_order
from recorder.sgf import SgfError, read_sgf

log = logging.getLogger(__name__)
HELP = "count a finished position"
NONE = "none"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    fields = "\n".join(f"  {name:16} {text}" for name, text in OPTIONAL.items())
    parser.epilog = (
        "a case has id, size, B and W (lists of points such as Q16), and may have:\n"
        f"{fields}\n\n"
        "exit codes: 0 done; 2 a file, a point or an option does not say what it must"
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("game", nargs="?", type=Path, metavar="GAME.sgf", help="a game record")
    what.add_argument("--cases", type=Path, metavar="FILE", help='JSON file {"cases": [...]}')
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument(
        "--dead",
        metavar="A1,B2",
        help="dead stones, one of each chain, or 'none'; without it, those that are dead beyond "
        "doubt are proposed",
    )
    parser.add_argument("--shared", metavar="A1,B2", help="points shared by the referee (21.2)")
    parser.add_argument("--seki", metavar="A1,B2", help="a stone of each chain in seki (territory)")
    parser.add_argument("--ruleset", choices=RULESETS, help="instead of the file's")
    parser.add_argument("--method", choices=[way.value for way in Counting])
    parser.add_argument("--komi", type=_number, metavar="POINTS", help="instead of the file's")
    parser.add_argument("--warnings", metavar="B,W", default="0,0", help="default: 0,0")
    parser.add_argument("--handicap-return", type=_number, default=Fraction(0), metavar="STONES")
    parser.add_argument("--gnugo", action="store_true", help="ask GNU Go which stones are dead")
    parser.add_argument("--lang", choices=("en", "zh"), default="en")


def run(arguments: argparse.Namespace) -> int:
    """Count the cases of a file, or one game."""
    if arguments.cases is not None:
        return _run_cases(arguments)
    try:
        data = arguments.game.read_bytes()
    except OSError as error:
        raise UsageError(f"{arguments.game}: a game record was expected: {error}") from error
    try:
        _run_game(with_warnings(read_sgf(data), _warnings(arguments.warnings)), arguments)
    except (SgfError, ScoringError, GobanError, GnuGoError) as error:
        raise UsageError(f"{arguments.game}: {error}") from error
    return 0


def _run_game(game: Game, arguments: argparse.Namespace) -> None:
    dead, source = _dead_stones(game, arguments)
    counted = count_game(
        game,
        Marks(dead, _points(arguments.shared, game), _points(arguments.seki, game)),
        rules=RULESETS[arguments.ruleset] if arguments.ruleset else None,
        counting=Counting(arguments.method) if arguments.method else None,
        komi=arguments.komi,
        handicap_return=2 * arguments.handicap_return,
    )
    if not arguments.json:
        print(format_report(counted, game.info, dead_source=source, language=arguments.lang))
        return
    stones = in_order(counted.count.black.dead | counted.count.white.dead)
    names = [format_vertex(point, game.info.size) for point in stones]
    facts = {"id": arguments.game.stem, **answer(counted), "dead": names, "dead_source": source}
    print(json.dumps(facts, ensure_ascii=False))


def _run_cases(arguments: argparse.Namespace) -> int:
    """Answer every case; a case that is wrong is named, the others are answered."""
    try:
        cases = load_cases(arguments.cases)
    except CaseError as error:
        raise UsageError(str(error)) from error
    wrong = 0
    for case in cases:
        if case.unknown(KNOWN):
            log.warning("%s: nothing reads %s", case.place, ", ".join(case.unknown(KNOWN)))
        try:
            result = run_case(case)
        except CaseError as error:
            wrong += 1
            print(f"banmen count: {error}", file=sys.stderr)
            continue
        if arguments.json:
            print(json.dumps(result, ensure_ascii=False))
        else:
            print(
                f"{result['id']}  {result['result_zh']}  {result['re']}"
                f"  ({result['black']:g} : {result['white']:g})"
            )
    return 2 if wrong else 0


def _dead_stones(game: Game, arguments: argparse.Namespace) -> tuple[frozenset[Point], str]:
    """Return the dead stones and who called them dead."""
    if arguments.dead is not None:
        return _points(arguments.dead, game), "person"
    if arguments.gnugo:
        return ask_dead_stones(game.board), "gnugo"
    return find_dead_stones(game.board), "life"


def _number(text: str) -> Fraction:
    """Return a number of the command line, exactly as it is written."""
    if not re.fullmatch(r"-?\d{1,4}(\.\d{1,3})?", text):
        raise argparse.ArgumentTypeError(f"a number such as 7.5 was expected, got {text!r}")
    return Fraction(text)


def _points(text: str | None, game: Game) -> frozenset[Point]:
    """Return the points of "A1,B2"; none for nothing or "none"."""
    if not text or text.strip().casefold() == NONE:
        return frozenset()
    names = text.replace(",", " ").split()
    return frozenset(parse_vertex(name, game.info.size) for name in names)


def _warnings(text: str) -> Tally:
    parts = text.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise UsageError(f"--warnings must be two numbers such as 1,0, got {text!r}")
    return Tally(int(parts[0]), int(parts[1]))

"""`banmen clock`: run clock scenario files."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from recorder.case_files import CaseError, Fields, load_cases
from recorder.cli import UsageError
from recorder.clock_cases import EVENTS, MODES, run_case

HELP = "run clock scenario files"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    events = "\n".join(f"  {name:20} {text}" for name, text in EVENTS.items())
    parser.epilog = (
        f"modes: {', '.join(MODES)}\n\nevents, each with its time t in seconds:\n{events}\n\n"
        "exit codes: 0 done; 2 the file, or a case in it, does not say what it must"
    )
    parser.add_argument(
        "--cases", type=Path, required=True, metavar="FILE", help='JSON file {"cases": [...]}'
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line and case")


def run(arguments: argparse.Namespace) -> int:
    """Answer every case of the file; a case that is wrong is named, the others are answered."""
    try:
        cases = load_cases(arguments.cases)
    except CaseError as error:
        raise UsageError(str(error)) from error
    wrong = 0
    for case in cases:
        try:
            answer = run_case(case)
        except CaseError as error:
            wrong += 1
            print(f"banmen clock: {error}", file=sys.stderr)
            continue
        if arguments.json:
            print(json.dumps(answer, ensure_ascii=False))
        else:
            print(_report(case, answer))
    return 2 if wrong else 0


def _report(case: Fields, answer: dict[str, Any]) -> str:
    """Return an answer as people read it."""
    lines = [f"{answer['id']}  {case.values.get('title', case.values['mode'])}"]
    lines += [f"  {c['t']:>8} s  {c['color']}  {c['say']}" for c in answer["announcements"]]
    flags = answer["flag"] or []
    for flag in flags if isinstance(flags, list) else [flags]:
        lines.append(f"  {flag['t']:>8} s  {flag['color']}  time is over")
    for color, left in answer["remaining"].items():
        lines.append(f"  {color} has left: {_words(left)}")
    if "deducted" in answer:
        lines.append(f"  {_words(answer['deducted'])}")
    return "\n".join(lines) + "\n"


def _words(value: Any) -> str:
    """Return a number, or named numbers, as words."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {part}" for name, part in value.items())
    return f"{value} s"

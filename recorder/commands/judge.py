"""`banmen judge CASE...`: scenario files, judged by exactly what the recorder itself runs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from recorder.cli import UsageError
from recorder.judge_report import LANGUAGES, format_report
from recorder.scenario import Scenario, ScenarioError, parse_scenario
from recorder.verdict import answer, judge_scenario

HELP = "judge scenario files by the rules"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("cases", nargs="+", type=Path, metavar="CASE", help="a scenario file")
    parser.add_argument("--json", action="store_true", help="print a JSON object a line and case")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the report")
    parser.epilog = "exit codes: 0 done; 2 a file is no scenario; the message names the place"


def run(arguments: argparse.Namespace) -> int:
    """Judge the cases; exit code 2 when one of them cannot be read, after the others."""
    faults = []
    for path in arguments.cases:
        try:
            scenario = read_case(path)
        except ScenarioError as error:
            faults.append(str(error))
            continue
        verdict = judge_scenario(scenario)
        if arguments.json:
            print(json.dumps(answer(verdict), ensure_ascii=False))
        else:
            print(format_report(verdict, arguments.lang))
    if faults:
        raise UsageError("\n  ".join(faults))
    return 0


def read_case(path: Path) -> Scenario:
    """Return the scenario of a file.

    Raises
    ------
    ScenarioError
        The file cannot be read, or is no scenario.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path} cannot be read: {error}") from error
    return parse_scenario(text, str(path))

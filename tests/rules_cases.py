"""Scenario files for the tests: the shared ones, and turning and recoloring them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from recorder.goban import Point, format_vertex, parse_vertex
from recorder.scenario import parse_scenario
from recorder.verdict import answer, judge_scenario

SHARED = Path(__file__).parents[2] / "shared" / "rules"
CASES = sorted((SHARED / "cases").glob("*.json")) if SHARED.exists() else []

Case = dict[str, Any]
Mapper = Callable[[str], str]

SWAPPED = {"B": "W", "W": "B"}


def judged(case: Case) -> Case:
    """Return the answer to a case."""
    return answer(judge_scenario(parse_scenario(json.dumps(case), case["id"])))


def turned(size: int, turns: int, *, is_mirrored: bool) -> Mapper:
    """Return what moves a vertex by quarter turns of the goban, mirrored before."""

    def move(vertex: str) -> str:
        row, col = parse_vertex(vertex, size)
        if is_mirrored:
            col = size - 1 - col
        for _ in range(turns):
            row, col = size - 1 - col, row
        return format_vertex(Point(row, col), size)

    return move


def mapped_case(case: Case, move: Mapper, color: Mapper) -> Case:
    """Return a case with every vertex and every color mapped."""
    new = copy.deepcopy(case)
    setup = new["setup"]
    stones = {color(c): [move(v) for v in setup.get(c, [])] for c in "BW"}
    setup |= stones | {"to_play": color(setup["to_play"])}
    new["observations"] = [_mapped_entry(entry, move, color) for entry in new["observations"]]
    return new


def _mapped_entry(entry: Case, move: Mapper, color: Mapper) -> Case:
    for key in ("clock_press", "pass", "resign", "by", "first"):
        if entry.get(key) in ("B", "W"):
            entry[key] = color(entry[key])
    if "add" in entry:
        entry["add"] = [[color(c), move(v)] for c, v in entry["add"]]
    if "remove" in entry:
        entry["remove"] = [move(v) for v in entry["remove"]]
    if "first_seen" in entry:
        entry["first_seen"] = {move(v): t for v, t in entry["first_seen"].items()}
    if entry.get("event") == "dispute":
        entry["about"] = [move(v) for v in entry["about"]]
    return entry


def mapped_answer(found: Case, move: Mapper, color: Mapper) -> Case:
    """Return an answer with every vertex and every color mapped, and sets in a fixed order."""

    def said(text: str) -> str:
        side, place = text.split()
        return f"{color(side)} {place if place == 'pass' else move(place)}"

    def side(value: str | None) -> str | None:
        return color(value) if value in ("B", "W") else value

    result = found["result"]
    return {
        "moves": [said(text) for text in found["moves"]],
        "move_times": found["move_times"],
        "void": [said(text) for text in found["void"]],
        "alerts": [
            (a["type"], a["level"], a["t"], _points(a, move), side(a["color"]), a["warning"])
            for a in found["alerts"]
        ],
        "warnings": {color(c): n for c, n in found["warnings"].items()},
        "final": {color(c): sorted(map(move, found["final"][c])) for c in "BW"},
        "to_play": side(found["to_play"]),
        "phase": found["phase"],
        "result": result and side(result[0]) + result[1:] if result != "Draw" else result,
        "board_mismatch": found["board_mismatch"],
    }


def _points(alert: Case, move: Mapper) -> Iterable[str]:
    points = [move(v) for v in alert["points"]]
    return points if alert["type"] == "take-back" else sorted(points)

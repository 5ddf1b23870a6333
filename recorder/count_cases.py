"""Scoring case files: a position and its terms in, the count and the result out.

A case is `{"id", "size", "B", "W", "dead", "komi_zi", "warnings", "edition"}`, points as GTP
vertices; see `banmen count --help` for what else it may say.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from recorder.case_files import CaseError, Fields
from recorder.counting import Counted, exactly, usual_komi
from recorder.game import Tally
from recorder.goban import COLUMNS, Board, Color, GobanError, Stone, format_vertex
from recorder.rules import RULESETS, Counting, Ruleset
from recorder.scoring import Marks, ScoringError, Terms, count

LARGEST_KOMI = 1000.0
EDITIONS = {"2002": "chinese-2002", "older": "chinese-older"}
OPTIONAL = {
    "komi_zi": "komi in Chinese stones, or",
    "komi": "komi in points; without either, the rule set's own (none with handicap stones)",
    "edition": "2002 (default) or older, or",
    "ruleset": "one of " + ", ".join(RULESETS),
    "method": "area or territory, where the rule set's own is not meant",
    "warnings": 'warnings of both, {"B": 0, "W": 0}',
    "dead": "dead stones; one stone stands for its whole chain",
    "shared": "further points shared by order of the referee (21.2)",
    "seki": "a stone of each chain in seki (territory)",
    "prisoners": 'stones captured by each during play, {"B": 0, "W": 0} (territory)',
    "passes": 'passes of each, {"B": 0, "W": 0} (AGA rules by territory)',
    "handicap": "number of handicap stones",
    "handicap_return": "Chinese stones that White gets back for them, 0 in the rules' texts",
}
"""What a case may say besides its position."""

KNOWN = {"id", "title", "size", "B", "W", "note", "article", "expect", *OPTIONAL}


def run_case(case: Fields) -> dict[str, Any]:
    """Return the answer to one case as plain JSON values.

    Raises
    ------
    CaseError
        A field is missing, wrong, or does not fit the position; the message names the place.
    """
    size = case.integer("size", minimum=2)
    if size > len(COLUMNS):
        raise case.fault("size", f"a size of 2-{len(COLUMNS)}")
    try:
        divided = count(_board(case, size), _marks(case, size))
    except (GobanError, ScoringError) as error:
        raise CaseError(f"{case.place}: {error}") from error
    rules = _rules(case)
    way = case.choice("method", [way.value for way in Counting], rules.counting.value)
    answered = answer(Counted(divided, _terms(case, rules), rules, Counting(way)))
    return {"id": case.text("id"), **answered}


def answer(counted: Counted) -> dict[str, Any]:
    """Return the count and the result as plain JSON values."""
    size = counted.count.board.size
    return {
        "black": float(counted.total(Color.BLACK)),
        "white": float(counted.total(Color.WHITE)),
        "shared": [format_vertex(point, size) for point in counted.count.shared],
        "margin_zi": float(counted.margin / 2),
        "result_zh": counted.describe("zh"),
        "re": counted.re,
    }


def _board(case: Fields, size: int) -> Board:
    """Return the position of a case; a point given twice is a fault."""
    stones = [Stone(c, p) for c in Color for p in case.points(c.value, size)]
    seen: set[Any] = set()
    for stone in stones:
        if stone.point in seen:
            vertex = format_vertex(stone.point, size)
            raise CaseError(f"{case.place}: {vertex} must hold one stone, it is given twice")
        seen.add(stone.point)
    return Board(size, stones)


def _marks(case: Fields, size: int) -> Marks:
    return Marks(
        dead=frozenset(case.points("dead", size, [])),
        contested=frozenset(case.points("shared", size, [])),
        seki=frozenset(case.points("seki", size, [])),
    )


def _rules(case: Fields) -> Ruleset:
    if "ruleset" in case:
        return RULESETS[case.choice("ruleset", RULESETS)]
    return RULESETS[EDITIONS[case.choice("edition", EDITIONS, "2002")]]


def _terms(case: Fields, rules: Ruleset) -> Terms:
    handicap = case.integer("handicap", 0)
    return Terms(
        komi=_komi(case, rules, handicap),
        warnings=_tally(case, "warnings"),
        prisoners=_tally(case, "prisoners"),
        passes=_tally(case, "passes"),
        handicap=handicap,
        handicap_return=2 * exactly(case.number("handicap_return", 0.0)),
    )


def _komi(case: Fields, rules: Ruleset, handicap: int) -> Fraction:
    if "komi_zi" in case:
        return 2 * exactly(case.number("komi_zi", minimum=-LARGEST_KOMI))
    usual = usual_komi(rules, handicap)
    return exactly(case.number("komi", usual, minimum=-LARGEST_KOMI))


def _tally(case: Fields, name: str) -> Tally:
    sides = case.fields(name, {"B": 0, "W": 0})
    return Tally(sides.integer("B", 0), sides.integer("W", 0))

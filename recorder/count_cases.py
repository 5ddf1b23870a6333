"""Scoring case files: a position and its terms in, the count and the result out.

A case is `{"id", "size", "B", "W", "dead", "komi_zi", "warnings", "edition"}`, points as GTP
vertices; see `banmen count --help` for what else it may say.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from recorder.case_files import CaseError, Fields, plain_number
from recorder.game import Tally
from recorder.goban import COLUMNS, Board, Color, GobanError, Stone, format_vertex
from recorder.results import Unit, describe_result, format_result
from recorder.rules import RULESETS, Counting, Ruleset
from recorder.scoring import Count, Marks, ScoringError, Terms, count, decide, margin_of

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
        counted = count(_board(case, size), _marks(case, size))
    except (GobanError, ScoringError) as error:
        raise CaseError(f"{case.place}: {error}") from error
    rules = _rules(case)
    name = case.choice("method", [way.value for way in Counting], rules.counting.value)
    counting, terms = Counting(name), read_terms(case, rules)
    margin = margin_of(counted, terms, rules, counting)
    return {"id": case.text("id"), **answer(counted, margin, terms, rules, counting)}


def answer(
    counted: Count, margin: Fraction, terms: Terms, rules: Ruleset, counting: Counting
) -> dict[str, Any]:
    """Return the count and the result as plain JSON values."""
    result = decide(margin, terms, rules)
    return {
        "black": side_total(counted, Color.BLACK, terms, rules, counting),
        "white": side_total(counted, Color.WHITE, terms, rules, counting),
        "shared": [format_vertex(point, counted.board.size) for point in counted.shared],
        "margin_zi": float(margin / 2),
        "result_zh": describe_result(result, "zh", unit_of(rules)),
        "re": format_result(result),
    }


def side_total(
    counted: Count, color: Color, terms: Terms, rules: Ruleset, counting: Counting
) -> float:
    """Return what a player has before komi: area, or territory with prisoners."""
    if counting is Counting.AREA:
        return float(counted.area(color))
    taken = terms.prisoners.of(color) + len(counted.side(color.opponent).dead)
    passes = terms.passes.of(color.opponent) * (rules.name == "aga")
    return float(counted.territory(color) + taken + passes)


def unit_of(rules: Ruleset) -> Unit:
    """Return what the margin is told in under a rule set."""
    return Unit.STONES if rules.name in EDITIONS.values() else Unit.POINTS


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


def read_terms(case: Fields, rules: Ruleset) -> Terms:
    """Return what is added to and taken from the count."""
    handicap = case.integer("handicap", 0)
    return Terms(
        komi=_komi(case, rules, handicap),
        warnings=_tally(case, "warnings"),
        prisoners=_tally(case, "prisoners"),
        passes=_tally(case, "passes"),
        handicap=handicap,
        handicap_return=2 * _fraction(case, "handicap_return", 0.0),
    )


def _komi(case: Fields, rules: Ruleset, handicap: int) -> Fraction:
    if "komi_zi" in case:
        return 2 * _fraction(case, "komi_zi", None)
    return _fraction(case, "komi", usual_komi(rules, handicap))


def usual_komi(rules: Ruleset, handicap: int) -> float:
    """Return a rule set's komi in points; none in a game with handicap stones."""
    return 0.0 if handicap >= 2 else rules.komi


def _fraction(case: Fields, name: str, default: float | None) -> Fraction:
    """Return a number exactly as it is written (3.75, not its neighbor in binary)."""
    return Fraction(str(case.number(name, default, minimum=-1000.0)))


def _tally(case: Fields, name: str) -> Tally:
    sides = case.fields(name, {"B": 0, "W": 0})
    return Tally(sides.integer("B", 0), sides.integer("W", 0))


def plain(value: float) -> str:
    """Return a count as people write it."""
    return str(plain_number(value))

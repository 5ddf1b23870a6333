"""Results: as a value, in SGF, and in the words of people."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from recorder.goban import Color

_NAMES = {
    "zh": {Color.BLACK: "黑", Color.WHITE: "白"},
    "en": {Color.BLACK: "Black", Color.WHITE: "White"},
}
_RE = re.compile(r"([BW])\+(.*)", re.IGNORECASE)
_MARGIN = re.compile(r"\d{1,4}(\.\d{1,3})?")
_DRAWS = ("0", "draw", "jigo")


class Ending(Enum):
    """How a game was decided."""

    COUNTED = "counted"
    RESIGNED = "resigned"
    TIME = "time"
    FORFEIT = "forfeit"
    DRAW = "draw"
    BOTH_LOSE = "both-lose"
    VOID = "void"
    UNKNOWN = "unknown"


class Unit(Enum):
    """What a margin is told in; one Chinese stone is two points."""

    STONES = "stones"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Result:
    """Who won, how, and by how much."""

    ending: Ending
    winner: Color | None = None
    points: Fraction | None = None
    """The margin where it was counted and is known."""


_LETTERS = {Ending.RESIGNED: "R", Ending.TIME: "T", Ending.FORFEIT: "F"}


def format_result(result: Result) -> str:
    """Return SGF RE, margins in points: "B+1.5", "W+R", "0" for a draw, "Void", "?"."""
    if result.ending is Ending.DRAW:
        return "0"
    if result.ending is Ending.UNKNOWN:
        return "?"
    if result.winner is None:
        return "Void"
    margin = "" if result.points is None else decimal(result.points)
    return f"{result.winner.value}+{_LETTERS.get(result.ending, margin)}"


def parse_result(text: str) -> Result:
    """Return the result of an SGF RE; unknown for anything else."""
    word = text.strip()
    if word.casefold() in _DRAWS:
        return Result(Ending.DRAW)
    if word.casefold() == "void":
        return Result(Ending.VOID)
    found = _RE.fullmatch(word)
    if found is None:
        return Result(Ending.UNKNOWN)
    winner, how = Color(found[1].upper()), found[2].strip().casefold()
    for ending, letter in _LETTERS.items():
        if how.startswith(letter.casefold()):
            return Result(ending, winner)
    is_known = _MARGIN.fullmatch(how) is not None
    return Result(Ending.COUNTED, winner, Fraction(how) if is_known else None)


def describe_result(result: Result, language: str = "zh", unit: Unit = Unit.STONES) -> str:
    """Return a result in words: "黑胜2又1/4子", "白中盘胜", "White wins by 3.5 points"."""
    return _chinese(result, unit) if language == "zh" else _english(result, unit)


def stones(points: Fraction, whole_and_part: str) -> str:
    """Return a margin in Chinese stones as a mixed fraction, "3/4" or "2又1/4"."""
    value = points / 2
    whole, part = divmod(value, 1)
    if not part:
        return str(whole)
    return f"{whole}{whole_and_part}{part}" if whole else str(part)


def decimal(value: Fraction) -> str:
    """Return a number to a thousandth, without zeros at its end: "1.5", "1"."""
    return f"{float(value):.3f}".rstrip("0").rstrip(".")


def _chinese(result: Result, unit: Unit) -> str:
    if result.winner is None:
        words = {Ending.DRAW: "和棋", Ending.BOTH_LOSE: "双方判负", Ending.VOID: "无胜负"}
        return words.get(result.ending, "结果未知")
    won, lost = _NAMES["zh"][result.winner], _NAMES["zh"][result.winner.opponent]
    if result.ending is Ending.RESIGNED:
        return f"{won}中盘胜"
    if result.ending is Ending.TIME:
        return f"{lost}超时，{won}胜"
    if result.ending is Ending.FORFEIT:
        return f"{won}胜（{lost}判负）"
    if result.points is None:
        return f"{won}胜"
    if unit is Unit.STONES:
        return f"{won}胜{stones(result.points, '又')}子"
    whole, part = divmod(result.points, 1)
    if part == Fraction(1, 2):
        return f"{won}胜{whole}目半" if whole else f"{won}胜半目"
    return f"{won}胜{decimal(result.points)}目"


def _english(result: Result, unit: Unit) -> str:
    if result.winner is None:
        words = {Ending.DRAW: "Draw", Ending.BOTH_LOSE: "Both lose", Ending.VOID: "No result"}
        return words.get(result.ending, "Result unknown")
    won, lost = _NAMES["en"][result.winner], _NAMES["en"][result.winner.opponent]
    reasons = {
        Ending.RESIGNED: f"{lost} resigns",
        Ending.TIME: f"{lost} is over time",
        Ending.FORFEIT: f"{lost} forfeits",
    }
    if result.ending in reasons:
        return f"{won} wins ({reasons[result.ending]})"
    if result.points is None:
        return f"{won} wins"
    if unit is Unit.STONES:
        is_one = result.points <= 2
        return f"{won} wins by {stones(result.points, ' ')} stone{'' if is_one else 's'}"
    return f"{won} wins by {decimal(result.points)} point{'' if result.points == 1 else 's'}"

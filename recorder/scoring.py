"""Counting a finished position: area and territory, and what decides the result.

Which stones are dead is told, never found here; `life` offers a default.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from recorder.game import Tally
from recorder.goban import Board, Color, GobanError, Point, format_vertex, neighbors
from recorder.results import Ending, Result
from recorder.rules import Counting, Ruleset

LOSING_WARNINGS = 2
"""So many warnings lose the game (24.2; older edition 12.2)."""


class ScoringError(ValueError):
    """Dead or shared points that do not fit the position."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What people agreed on at the end of the game."""

    dead: frozenset[Point] = frozenset()
    """Dead stones; one stone stands for its whole chain."""

    contested: frozenset[Point] = frozenset()
    """Points shared half and half by order of the referee (21.2): an open last ko, a border that
    was never closed. They also separate what lies on their two sides."""

    seki: frozenset[Point] = frozenset()
    """A stone of each chain in seki; matters for territory, where seki has none."""


@dataclass(frozen=True, slots=True)
class SideCount:
    """What one player has on the board."""

    stones: frozenset[Point]
    """Living stones."""

    surrounded: frozenset[Point]
    """Empty points, those under dead stones included, that touch only this player's stones."""

    dead: frozenset[Point]
    """This player's own dead stones."""


@dataclass(frozen=True, slots=True)
class Count:
    """A position divided between the players."""

    board: Board
    """Without dead stones."""

    black: SideCount
    white: SideCount
    shared: tuple[Point, ...]
    """Points that belong half to each, in order."""

    in_seki: frozenset[Point]
    """Surrounded points that are no territory because a chain around them is in seki."""

    def side(self, color: Color) -> SideCount:
        """Return what a player has."""
        return self.black if color is Color.BLACK else self.white

    def area(self, color: Color) -> float:
        """Return living stones, surrounded points and half the shared ones."""
        side = self.side(color)
        return len(side.stones) + len(side.surrounded) + len(self.shared) / 2

    def territory(self, color: Color) -> int:
        """Return surrounded points outside seki."""
        return len(self.side(color).surrounded - self.in_seki)


@dataclass(frozen=True, slots=True)
class Terms:
    """What is added to and taken from the count."""

    komi: Fraction
    """Points for White."""

    warnings: Tally = field(default_factory=Tally)
    prisoners: Tally = field(default_factory=Tally)
    """Stones each player captured during play; for territory."""

    passes: Tally = field(default_factory=Tally)
    """Pass stones each player handed over; for AGA rules counted by territory."""

    handicap: int = 0
    handicap_return: Fraction = Fraction(0)
    """Points that White gets back for handicap stones; the Chinese texts give none."""


def count(board: Board, marks: Marks = Marks()) -> Count:
    """Divide a position between the players (articles 8, 9 and 21.2).

    An empty region that touches living stones of both colors, or of none, is shared point by
    point, also in seki.

    Raises
    ------
    ScoringError
        A dead stone or one in seki stands nowhere, or a contested point is off the board.
    """
    _check(board, marks)
    dead = _whole_chains(board, marks.dead)
    living = board.with_changes(remove=dead)
    surrounded: dict[Color, set[Point]] = {color: set() for color in Color}
    shared = set(marks.contested)
    seki_stones = _whole_chains(board, marks.seki)
    in_seki: set[Point] = set()
    for region, border in _empty_regions(living, marks.contested):
        colors = {living[point] for point in border}
        if len(colors) == 1:
            (color,) = colors
            assert color is not None
            surrounded[color] |= region
            if border & seki_stones:
                in_seki |= region
        else:
            shared |= region
    sides = {
        color: SideCount(
            living.points_of(color) - marks.contested,
            frozenset(surrounded[color]),
            dead & board.points_of(color),
        )
        for color in Color
    }
    return Count(
        living, sides[Color.BLACK], sides[Color.WHITE], in_order(shared), frozenset(in_seki)
    )


def in_order(points: Iterable[Point]) -> tuple[Point, ...]:
    """Return points by column, then row: "A1" before "A2" before "B1"."""
    return tuple(sorted(points, key=lambda point: (point.col, -point.row)))


def area_margin(counted: Count, terms: Terms, rules: Ruleset) -> Fraction:
    """Return by how many points Black is ahead (behind, if negative) by area.

    Twice the margin in Chinese stones: Black's count - half the board - komi - Black's warnings +
    White's warnings (9, 11, 24.1).
    """
    ahead = Fraction(counted.area(Color.BLACK) - counted.area(Color.WHITE))
    return ahead - _for_white(terms, rules, Counting.AREA)


def territory_margin(counted: Count, terms: Terms, rules: Ruleset) -> Fraction:
    """Return by how many points Black is ahead (behind, if negative) by territory.

    Territory, prisoners, the opponent's dead stones, and the opponent's pass stones where the
    rules know them.
    """
    totals = {
        color: counted.territory(color)
        + terms.prisoners.of(color)
        + len(counted.side(color.opponent).dead)
        + terms.passes.of(color.opponent) * (rules.name == "aga")
        for color in Color
    }
    ahead = Fraction(totals[Color.BLACK] - totals[Color.WHITE])
    return ahead - _for_white(terms, rules, Counting.TERRITORY)


def margin_of(counted: Count, terms: Terms, rules: Ruleset, counting: Counting) -> Fraction:
    """Return by how many points Black is ahead, by area or by territory."""
    how = area_margin if counting is Counting.AREA else territory_margin
    return how(counted, terms, rules)


def decide(margin: Fraction, terms: Terms, rules: Ruleset) -> Result:
    """Return the result that a margin in points, and the warnings, lead to.

    Two warnings lose whatever the count says; where both players have two, both lose.
    """
    losers = [c for c in Color if rules.has_warnings and terms.warnings.of(c) >= LOSING_WARNINGS]
    if len(losers) == 2:
        return Result(Ending.BOTH_LOSE)
    if losers:
        return Result(Ending.FORFEIT, losers[0].opponent)
    if margin == 0:
        # "Komi 8, Black wins ties" (Ing).
        return (
            Result(Ending.COUNTED, Color.BLACK, margin)
            if rules.name == "ing"
            else Result(Ending.DRAW)
        )
    return Result(Ending.COUNTED, Color.BLACK if margin > 0 else Color.WHITE, abs(margin))


def _for_white(terms: Terms, rules: Ruleset, counting: Counting) -> Fraction:
    """Return the points that White gets beside the count."""
    extra = terms.komi + terms.handicap_return
    if rules.name == "chinese-2002":
        # One warning costs one stone, that is two points of margin (24.1).
        extra += 2 * (terms.warnings.black - terms.warnings.white)
    if rules.name == "aga" and counting is Counting.AREA and terms.handicap >= 2:
        # One point for each handicap stone after the first (AGA rule 4).
        extra += terms.handicap - 1
    return extra


def _check(board: Board, marks: Marks) -> None:
    for name, points in (("dead", marks.dead), ("seki", marks.seki)):
        for point in sorted(points):
            if point not in neighbors(board.size):
                raise ScoringError(f"{name}: {point} is not on a {board.size}x{board.size} goban")
            if board[point] is None:
                vertex = format_vertex(point, board.size)
                raise ScoringError(f"{name}: there must be a stone on {vertex}, it is empty")
    for point in marks.contested:
        if point not in neighbors(board.size):
            raise ScoringError(f"shared: {point} is not on a {board.size}x{board.size} goban")


def _whole_chains(board: Board, points: Iterable[Point]) -> frozenset[Point]:
    """Return the stones of all chains through some points."""
    found: set[Point] = set()
    for point in points:
        chain = None if point in found else board.chain(point)
        if chain is not None:
            found |= chain.points
    return frozenset(found)


def _empty_regions(
    board: Board, walls: frozenset[Point]
) -> Iterable[tuple[frozenset[Point], frozenset[Point]]]:
    """Iterate over connected empty regions as (points, stones around them); walls are neither."""
    near = neighbors(board.size)
    left = set(board.empty_points() - walls)
    while left:
        region, border, to_visit = set(), set(), [left.pop()]
        while to_visit:
            point = to_visit.pop()
            region.add(point)
            for other in near[point]:
                if other in left:
                    left.remove(other)
                    to_visit.append(other)
                elif board[other] is not None and other not in walls:
                    border.add(other)
        yield frozenset(region), frozenset(border)


def half_board(size: int) -> Fraction:
    """Return what each side has when both have the same (180.5 on 19x19)."""
    if size < 1:
        raise GobanError(f"size must be at least 1, got {size}")
    return Fraction(size * size, 2)

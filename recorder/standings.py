"""Standings of an event from its results (article 27): points and tie-breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

WIN, DRAW, LOSS = 2, 1, 0
"""Points for a game, also for a team match (27.1, 27.2)."""


class StandingsError(ValueError):
    """Results that no event can have."""


class Highest(Enum):
    """How the "highest points" of the total score are read; say on the list which was used."""

    ATTAINABLE = "attainable"
    """Twice the rounds: an average field then corrects by nothing."""

    REACHED = "reached"
    """The best score that anybody has."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game, or one forfeit; both players can have lost."""

    black: str
    white: str
    black_points: int
    white_points: int
    black_warnings: int = 0
    white_warnings: int = 0

    def __post_init__(self) -> None:
        for points in (self.black_points, self.white_points):
            if points not in (WIN, DRAW, LOSS):
                raise StandingsError(f"a game must bring 0, 1 or 2 points, got {points}")
        if self.black == self.white:
            raise StandingsError(f"a player must have an opponent, got {self.black!r} twice")


@dataclass(frozen=True, slots=True)
class Standing:
    """A player and what decides his place."""

    player: str
    points: int
    minor_points: Fraction
    """Points of the beaten opponents and half those of the drawn ones (胜者小分)."""

    opponents_points: int
    total: Fraction
    """Total score of a points pairing (27.1)."""

    warnings: int
    """In the whole event; fewer is better."""


def standings(
    games: Iterable[Played], *, rounds: int, highest: Highest = Highest.ATTAINABLE
) -> tuple[Standing, ...]:
    """Return everybody who played, by name, with all that tie-breaks need."""
    played = tuple(games)
    if rounds < 1:
        raise StandingsError(f"rounds must be at least 1, got {rounds}")
    sides = [side for game in played for side in _sides(game)]
    points, warnings = Counter[str](), Counter[str]()
    for player, _, own, warned in sides:
        points[player] += own
        warnings[player] += warned
    top = 2 * rounds if highest is Highest.ATTAINABLE else max(points.values(), default=0)
    return tuple(
        Standing(
            player,
            points[player],
            _minor_points(sides, player, points),
            of_opponents := sum(points[other] for who, other, _, _ in sides if who == player),
            total_score(points[player], of_opponents, rounds=rounds, highest=top),
            warnings[player],
        )
        for player in sorted(points)
    )


def total_score(own: int, opponents: int, *, rounds: int, highest: int) -> Fraction:
    """Return own points + opponents' points / (highest points / 2) - rounds (27.1).

    Nobody has a point yet (`highest` 0): the own points.
    """
    if highest == 0:
        return Fraction(own)
    return own + Fraction(2 * opponents, highest) - rounds


def by_round_robin(table: Iterable[Standing]) -> list[Standing]:
    """Return a table in order: points, then minor points, then fewer warnings."""
    return sorted(table, key=lambda s: (-s.points, -s.minor_points, s.warnings, s.player))


def by_points_pairing(table: Iterable[Standing], *, is_by_total: bool = True) -> list[Standing]:
    """Return a table in order: total score, or points and opponents' points; fewer warnings."""
    if is_by_total:
        return sorted(table, key=lambda s: (-s.total, s.warnings, s.player))
    return sorted(table, key=lambda s: (-s.points, -s.opponents_points, s.warnings, s.player))


def match_points(boards: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the points of two teams in a match from the points of its boards (27.2)."""
    one, other = (sum(board[i] for board in boards) for i in range(2))
    if one == other:
        return DRAW, DRAW
    return (WIN, LOSS) if one > other else (LOSS, WIN)


def _sides(game: Played) -> tuple[tuple[str, str, int, int], ...]:
    """Return a game as both players see it: player, opponent, points, warnings."""
    return (
        (game.black, game.white, game.black_points, game.black_warnings),
        (game.white, game.black, game.white_points, game.white_warnings),
    )


def _minor_points(
    sides: Iterable[tuple[str, str, int, int]], player: str, points: Mapping[str, int]
) -> Fraction:
    shares = {WIN: Fraction(1), DRAW: Fraction(1, 2), LOSS: Fraction(0)}
    return sum(
        (shares[own] * points[other] for who, other, own, _ in sides if who == player), Fraction(0)
    )

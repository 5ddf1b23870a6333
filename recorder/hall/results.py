"""Results of an event: the games that count, points, tie-breaks and teams (article 27), as CSV."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from recorder.game import Game
from recorder.goban import Color
from recorder.results import Ending, Result, decimal, parse_result
from recorder.standings import (
    DRAW,
    LOSS,
    WIN,
    Highest,
    Played,
    Standing,
    by_points_pairing,
    by_round_robin,
    match_points,
    standings,
)

BOM = "\ufeff"
"""By which spreadsheets know UTF-8."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game of the event as its log tells it."""

    board: str
    game_id: str
    round: str
    black: str
    white: str
    black_team: str
    white_team: str
    result: str
    """SGF RE; empty while there is none."""

    reason: str
    """What the result does not tell, for example that both lose."""

    is_confirmed: bool
    black_warnings: int
    white_warnings: int
    moves: int

    @property
    def points(self) -> tuple[int, int] | None:
        """Black's and White's points (27.1), None for a game that does not count."""
        if self.reason == Ending.BOTH_LOSE.value:
            return LOSS, LOSS
        return points_of(parse_result(self.result)) if self.result else None


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """A team and what decides its place (27.2)."""

    team: str
    match_points: int
    board_points: int
    matches: int


def points_of(result: Result) -> tuple[int, int] | None:
    """Return Black's and White's points for a result, None if it decides nothing."""
    if result.winner is Color.BLACK:
        return WIN, LOSS
    if result.winner is Color.WHITE:
        return LOSS, WIN
    return (DRAW, DRAW) if result.ending is Ending.DRAW else None


def result_of(board: str, game_id: str, game: Game) -> GameResult:
    """Return what counts of a game."""
    info = game.info
    return GameResult(
        board,
        game_id,
        info.round,
        info.black,
        info.white,
        info.black_team,
        info.white_team,
        game.result or "",
        game.result_text,
        game.is_result_confirmed,
        game.warnings.of(Color.BLACK),
        game.warnings.of(Color.WHITE),
        len(game.moves),
    )


def counted(games: Iterable[GameResult]) -> tuple[GameResult, ...]:
    """Return the games that count, by round: of a game that was replayed, the later one.

    Both players must be named, and the result confirmed.
    """
    latest: dict[tuple[str, frozenset[str]], GameResult] = {}
    for game in games:
        is_named = game.black and game.white and game.black != game.white
        if is_named and game.is_confirmed and game.points is not None:
            latest[game.round, frozenset((game.black, game.white))] = game
    return tuple(sorted(latest.values(), key=lambda g: (_number(g.round), _number(g.board))))


class Order(Enum):
    """What decides a place first; then fewer warnings (27.1)."""

    POINTS = "points"
    """Points pairing: points, then opponents' points."""

    TOTAL = "total"
    """Points pairing: total score."""

    ROUND_ROBIN = "round-robin"
    """Points, then those of the beaten opponents."""


def table(
    games: Iterable[GameResult],
    order: Order = Order.POINTS,
    *,
    highest: Highest = Highest.ATTAINABLE,
) -> list[Standing]:
    """Return the players in order."""
    played = counted(games)
    rounds = len({game.round for game in played})
    if not rounds:
        return []
    both = [
        Played(g.black, g.white, *(g.points or (0, 0)), g.black_warnings, g.white_warnings)
        for g in played
    ]
    found = standings(both, rounds=rounds, highest=highest)
    if order is Order.ROUND_ROBIN:
        return by_round_robin(found)
    return by_points_pairing(found, is_by_total=order is Order.TOTAL)


def team_table(games: Iterable[GameResult]) -> list[TeamStanding]:
    """Return the teams in order: match points, then board points (27.2)."""
    matches: dict[tuple[str, tuple[str, str]], list[tuple[int, int]]] = defaultdict(list)
    for game in counted(games):
        if game.black_team and game.white_team and game.black_team != game.white_team:
            one, other = sorted((game.black_team, game.white_team))
            black, white = game.points or (0, 0)
            points = (black, white) if game.black_team == one else (white, black)
            matches[game.round, (one, other)].append(points)
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for (_, teams), boards in matches.items():
        for place, (team, won) in enumerate(zip(teams, match_points(boards), strict=True)):
            total = totals[team]
            total[0] += won
            total[1] += sum(board[place] for board in boards)
            total[2] += 1
    found = [TeamStanding(team, *total) for team, total in totals.items()]
    return sorted(found, key=lambda t: (-t.match_points, -t.board_points, t.team))


def games_csv(games: Iterable[GameResult]) -> str:
    """Return every game as CSV, those without a result too."""
    header = ["round", "board", "black", "black_team", "white", "white_team", "result"]
    header += ["confirmed", "black_points", "white_points", "black_warnings", "white_warnings"]
    header += ["moves", "game"]
    rows = []
    for g in games:
        points: Sequence[object] = g.points if g.is_confirmed and g.points else ("", "")
        names = [g.round, g.board, g.black, g.black_team, g.white, g.white_team, g.result]
        warned = [g.black_warnings, g.white_warnings]
        rows.append(
            [*names, "yes" if g.is_confirmed else "no", *points, *warned, g.moves, g.game_id]
        )
    return _csv(header, rows)


def standings_csv(players: Iterable[Standing], *, highest: Highest) -> str:
    """Return the table of players as CSV; its last line says how the total was reckoned."""
    header = ["place", "player", "points", "opponents_points", "total_score", "minor_points"]
    header += ["warnings"]
    rows = [_line(place, player) for place, player in enumerate(players, start=1)]
    rows.append([f"# total_score: own + 2 x opponents / highest - rounds; highest {highest.value}"])
    return _csv(header, rows)


def _line(place: int, s: Standing) -> list[object]:
    shares = map(decimal, (s.total, s.minor_points))
    return [place, s.player, s.points, s.opponents_points, *shares, s.warnings]


def teams_csv(teams: Iterable[TeamStanding]) -> str:
    """Return the table of teams as CSV."""
    header = ["place", "team", "match_points", "board_points", "matches"]
    rows = [
        [place, t.team, t.match_points, t.board_points, t.matches]
        for place, t in enumerate(teams, start=1)
    ]
    return _csv(header, rows)


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(header)
    writer.writerows([_harmless(value) for value in row] for row in rows)
    return BOM + out.getvalue()


def _harmless(value: object) -> object:
    """Return a text that no spreadsheet takes for a formula."""
    is_formula = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if is_formula else value


def _number(text: str) -> tuple[int, str]:
    digits = "".join(c for c in text if c.isdigit())
    return (int(digits or 0), text)

"""Log records of small games, for the tests of the public's projection and pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from recorder.events import (
    Alert,
    Event,
    GameInfo,
    GameStarted,
    Level,
    Move,
    MovePlayed,
    MovesRetracted,
    Record,
    Severity,
)
from recorder.game import Game, apply
from recorder.goban import Color, Point, format_vertex, parse_vertex
from recorder.publish import Batch

SECRET = "not-for-the-public"
"""Stands wherever a reason, a note or an article may stand."""

START = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
INFO = GameInfo(
    size=9,
    komi=7.5,
    black="林海",
    white="Ada Stone",
    black_rank="5d",
    white_rank="6d",
    event="Spring Cup",
    round="2",
    date="2026-05-01",
)
COLORS = (Color.BLACK, Color.WHITE)


@dataclass
class Log:
    """Numbers events as the game log does."""

    game_id: str = "g1"
    records: list[Record] = field(default_factory=list)
    game: Game = field(default_factory=Game)

    def add(self, t_s: float, *events: Event) -> Batch:
        """Append the events of one observation."""
        utc = (START + timedelta(seconds=t_s)).isoformat()
        batch = []
        for event in events:
            self.game = apply(self.game, event)
            number = len(self.records) + len(batch) + 1
            batch.append(Record(number, self.game_id, t_s, utc, event))
        self.records += batch
        return Batch(tuple(batch), self.game)

    def start(self, t_s: float = 0.0, info: GameInfo = INFO) -> Batch:
        """Start a game on an empty goban."""
        return self.add(t_s, GameStarted(info, (), Color.BLACK))

    def move(self, vertex: str | None, game: Game | None = None) -> MovePlayed:
        """Return the next move, whose color follows from its number; None is a pass."""
        game = self.game if game is None else game
        number = len(game.moves) + 1
        color = COLORS[(number - 1) % 2]
        point = None if vertex is None else parse_vertex(vertex, game.info.size)
        captured = frozenset() if point is None else game.board.place(color, point).captured
        return MovePlayed(number, Move(color, point), captured, note=SECRET, t_s=float(number))

    def play(self, t_s: float, vertex: str | None) -> Batch:
        """Append one move."""
        return self.add(t_s, self.move(vertex))

    def play_all(self, vertices: str, every_s: float = 10.0) -> list[Batch]:
        """Append moves, the n-th of the game at n times `every_s`."""
        return [
            self.play(every_s * (len(self.game.moves) + 1), vertex) for vertex in vertices.split()
        ]

    def correct(self, t_s: float, number: int, vertices: str) -> Batch:
        """Let the line read these moves from a number on, in one observation."""
        events: list[Event] = [MovesRetracted(number, SECRET)]
        game = apply(self.game, events[0])
        for vertex in vertices.split():
            events.append(self.move(vertex, game))
            game = apply(game, events[-1])
        return self.add(t_s, *events)


def alert(id_: int = 1) -> Alert:
    """Return an alert about move 1, with a secret in every text."""
    return Alert(
        id=id_,
        type=SECRET,
        level=Level.VIOLATION,
        severity=Severity.INTERRUPT,
        color=Color.BLACK,
        points=(Point(0, 0),),
        t_s=1.0,
        article=SECRET,
        ruling=SECRET,
        detail=((SECRET, SECRET),),
    )


def vertices_of(moves: Iterable[MovePlayed], size: int = 9) -> str:
    """Return moves as one line of vertices."""
    return " ".join(
        "pass" if move.move.point is None else format_vertex(move.move.point, size)
        for move in moves
    )

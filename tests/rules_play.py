"""Random games and what a camera would see of them, for the tests of the rules engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from recorder.events import Alert, Event, GameInfo, Level, Move, MovePlayed
from recorder.game import Game, apply, fold
from recorder.goban import Board, Color, Point, Stone
from recorder.observations import (
    Content,
    Observation,
    SettledView,
    StartGame,
)
from recorder.rules import faults, outcome, ruleset_of
from recorder.session import State, new_state, step


@dataclass
class Table:
    """A goban under a camera: tests put stones down and lift them, and time passes."""

    size: int = 19
    ruleset: str = "chinese-2002"
    setup: tuple[Stone, ...] = ()
    to_move: Color = Color.BLACK
    info: GameInfo | None = None
    state: State = field(default_factory=new_state)
    events: list[Event] = field(default_factory=list)
    t_s: float = 0.0

    def __post_init__(self) -> None:
        info = self.info or GameInfo(size=self.size, ruleset=self.ruleset)
        self.tell(StartGame(info, self.setup, self.to_move))

    def tell(self, content: Content, after_s: float = 0.0) -> tuple[Event, ...]:
        """Let time pass, then tell the session something; return the events."""
        self.t_s += after_s
        self.state, events = step(self.state, Observation(self.t_s, content))
        self.events += events
        return events

    def view(
        self, add: Sequence[Stone] = (), remove: Sequence[Point] = (), after_s: float = 10.0
    ) -> tuple[Event, ...]:
        """Show a settled view with some stones come and gone."""
        return self.tell(SettledView(tuple(add), tuple(remove)), after_s)

    @property
    def game(self) -> Game:
        """The game so far."""
        return self.state.game

    @property
    def moves(self) -> list[Move]:
        """The record."""
        return [played.move for played in self.game.moves]

    def alerts(self, *levels: Level) -> list[Alert]:
        """Return the alerts that were not withdrawn, notices and violations by default."""
        wanted = levels or (Level.NOTICE, Level.VIOLATION)
        states = self.game.alerts
        return [s.alert for s in states if s.withdrawn is None and s.alert.level in wanted]

    def check_fold(self) -> None:
        """The record is a fold of the events."""
        assert fold(self.events) == self.game


def random_moves(random: Random, size: int, count: int, *, passes: float = 0.0) -> list[MovePlayed]:
    """Return the moves of a random legal game, in which no position repeats."""
    game = fold([])
    rules = ruleset_of("tromp-taylor")
    strict = ruleset_of("chinese-2002")
    game = Game(
        info=GameInfo(size=size), setup=Board(size), board=Board(size), physical=Board(size)
    )
    color, moves = Color.BLACK, []
    for number in range(1, count + 1):
        move = _pick(random, game, color)
        if random.random() < passes and (not moves or not moves[-1].move.is_pass):
            move = Move(color, None)
        if move is None:
            break
        captured = outcome(game.board, game.last_move, move, strict).captured
        assert not faults(game, move, rules)
        moves.append(MovePlayed(number, move, captured))
        game = apply(game, moves[-1])
        color = color.opponent
    return moves


def _pick(random: Random, game: Game, color: Color) -> Move | None:
    """Return a random legal move, next to other stones more often than not."""
    rules = ruleset_of("chinese-2002")
    points = sorted(game.board.empty_points())
    random.shuffle(points)
    last = game.last_move
    if last is not None and last.move.point is not None and random.random() < 0.6:
        near = last.move.point
        points.sort(key=lambda p: abs(p.row - near.row) + abs(p.col - near.col))
    for point in points[:60]:
        move = Move(color, point)
        if not faults(game, move, rules):
            return move
    return None

"""The game as its events tell it: the record, both boards, what the referee has to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from recorder.events import (
    Alert,
    AlertChanged,
    AlertClosed,
    AlertEscalated,
    AlertSeen,
    AlertWithdrawn,
    ClockChanged,
    CountEntered,
    Event,
    GameInfo,
    GameStarted,
    InfoChanged,
    MismatchChanged,
    Move,
    MovePlayed,
    MovesConfirmed,
    MovesRetracted,
    MoveVoided,
    Noted,
    Phase,
    PhaseChanged,
    PhysicalChanged,
    PositionCorrected,
    Provenance,
    ResultChanged,
    ResultSigned,
    ViewChanged,
    ViewState,
    WarningsChanged,
)
from recorder.goban import Board, Color, Point, Stone
from recorder.minutes import Minuted, Minutes, after_result, with_entry
from recorder.trail import History, Trail
from recorder.turning import turned


class GameError(ValueError):
    """An event does not follow from the events before it."""


class Tally(NamedTuple):
    """A number for each color."""

    black: int = 0
    white: int = 0

    def of(self, color: Color) -> int:
        """Return the number of a color."""
        return self.black if color is Color.BLACK else self.white

    def plus(self, color: Color, count: int) -> Tally:
        """Return the tally with more for a color."""
        is_black = color is Color.BLACK
        return Tally(self.black + count * is_black, self.white + count * (not is_black))


@dataclass(frozen=True, slots=True)
class AlertState:
    """An alert and what became of it."""

    alert: Alert
    withdrawn: str | None = None
    """Why a later view disproved it."""

    closed: AlertClosed | None = None
    """The referee's decision."""

    seen_by: str | None = None
    """Who took note of it first; None: nobody yet."""

    is_escalated: bool = False
    """Whether it waited so long that it went to the chief referee."""

    @property
    def is_open(self) -> bool:
        """Whether the referee still has to decide."""
        return self.withdrawn is None and self.closed is None

    @property
    def stands(self) -> bool:
        """Whether it was neither withdrawn nor dismissed: its ruling is applied."""
        is_dismissed = self.closed is not None and self.closed.decision == DISMISS
        return self.withdrawn is None and not is_dismissed


DISMISS = "dismiss"
"""The referee's decision that there was nothing; every other decision keeps the alert."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction of the official position, and after how many moves it came."""

    after: int
    event: PositionCorrected


@dataclass(frozen=True)
class Game:
    """Everything the record says at one moment; `apply` gives the next."""

    info: GameInfo = field(default_factory=GameInfo)
    setup: Board = field(default_factory=lambda: Board(19))
    """The position before move 1, handicap stones included."""

    first_to_move: Color | None = Color.BLACK
    """Who was to play move 1; None: not known (joined in the middle)."""

    moves: Trail[MovePlayed] = field(default_factory=Trail)
    corrections: tuple[Corrected, ...] = ()
    """Changes of the official position outside play after move 1, in order."""

    board: Board = field(default_factory=lambda: Board(19))
    """The official position."""

    physical: Board = field(default_factory=lambda: Board(19))
    """What stands on the goban itself."""

    to_move: Color | None = Color.BLACK
    """Whose turn it is by the record; None: not known. See `turn` for the phase's say."""

    prisoners: Tally = field(default_factory=Tally)
    """Stones each color has captured."""

    history: History = field(default_factory=History)
    """Hashes of the official positions, each with the number of moves before it."""

    phase: Phase = Phase.IDLE
    phase_reason: str = ""
    result: str | None = None
    result_text: str = ""
    is_result_confirmed: bool = False
    alerts: tuple[AlertState, ...] = ()
    """In the order of their ids; the alert with id n is at n - 1."""

    voids: tuple[MoveVoided, ...] = ()
    """Moves that were played and do not count."""

    warnings: Tally = field(default_factory=Tally)
    """Proposed warnings."""

    mismatch: tuple[Point, ...] = ()
    """Where the physical position differs from the official one, as last announced."""

    view: ViewState = ViewState.CLEAR
    view_reason: str = ""
    clock: str = ""
    """The clock's state for display, JSON text."""

    minutes: Minutes = field(default_factory=Minutes)

    @property
    def turn(self) -> Color | None:
        """Whose move is awaited: None unless the game is being played."""
        return self.to_move if self.phase is Phase.PLAYING else None

    @property
    def open_alerts(self) -> tuple[AlertState, ...]:
        """The alerts that the referee still has to decide."""
        return tuple(state for state in self.alerts if state.is_open)

    @property
    def last_move(self) -> MovePlayed | None:
        """The last move, a pass included; None before move 1."""
        return self.moves[-1] if self.moves else None


def apply(game: Game, event: Event) -> Game:
    """Return the game after one event.

    Raises
    ------
    GameError
        A move has the wrong number, plays on a stone, or an alert is unknown.
    """
    return _HANDLERS[type(event)](game, event)


def fold(events: Iterable[Event], game: Game | None = None) -> Game:
    """Return the game after all events, from an idle goban or from `game`."""
    result = Game() if game is None else game
    for event in events:
        result = apply(result, event)
    return result


def _started(game: Game, event: GameStarted) -> Game:
    setup = Board(event.info.size, event.setup)
    return Game(
        info=event.info,
        setup=setup,
        first_to_move=event.to_move,
        board=setup,
        physical=setup,
        to_move=event.to_move,
        history=History([(hash(setup), 0)]),
        phase=Phase.PLAYING,
        view=game.view,
        view_reason=game.view_reason,
    )


def _info_changed(game: Game, event: InfoChanged) -> Game:
    quarters, size = (event.info.turns - game.info.turns) % 4, game.info.size
    changed = replace(game, info=event.info)
    if not quarters:
        return changed
    # The history, which keeps hashes instead of points, is made again from the moves.
    whole = turned(replace(changed, history=History()), quarters, size)
    whole = replace(whole, mismatch=tuple(sorted(whole.mismatch)))
    return _rebuilt(whole, tuple(whole.moves), whole.corrections)


def _move_played(game: Game, event: MovePlayed) -> Game:
    if event.number != len(game.moves) + 1:
        raise GameError(f"move must have number {len(game.moves) + 1}, got {event.number}")
    board = board_after(game.board, event.move, event.captured)
    taker = event.move.color
    own_lost = sum(1 for point in event.captured if game.board[point] is taker)
    own_lost += event.move.point in event.captured
    prisoners = game.prisoners.plus(taker, len(event.captured) - own_lost)
    return replace(
        game,
        moves=game.moves.appended(event),
        board=board,
        to_move=taker.opponent,
        prisoners=prisoners.plus(taker.opponent, own_lost),
        history=game.history.appended(hash(board), event.number),
    )


def board_after(board: Board, move: Move, captured: Iterable[Point]) -> Board:
    """Return the position after a recorded move, of which it is known what it captured.

    Raises `GameError` if the point is occupied.
    """
    if move.point is None:
        return board
    if board[move.point] is not None:
        raise GameError(f"a move must be on an empty point, {move.point} is occupied")
    placed = board.with_changes(add=[Stone(move.color, move.point)])
    return placed.with_changes(remove=captured)


def _moves_retracted(game: Game, event: MovesRetracted) -> Game:
    if not 1 <= event.number <= len(game.moves):
        raise GameError(f"number must be in 1..{len(game.moves)}, got {event.number}")
    kept = tuple(c for c in game.corrections if c.after < event.number)
    moves = game.moves[: event.number - 1]
    return _rebuilt(game, moves, kept)


def _rebuilt(game: Game, moves: tuple[MovePlayed, ...], corrections: tuple[Corrected, ...]) -> Game:
    """Return the game with the record of these moves and corrections, everything else as it is."""
    result = replace(
        game,
        moves=Trail(),
        corrections=(),
        board=game.setup,
        to_move=game.first_to_move,
        prisoners=Tally(),
        history=History([(hash(game.setup), 0)]),
    )
    for number in range(len(moves) + 1):
        if number:
            result = _move_played(result, moves[number - 1])
        for corrected in corrections:
            if corrected.after == number:
                result = _position_corrected(result, corrected.event)
    return result


def _position_corrected(game: Game, event: PositionCorrected) -> Game:
    board = game.board.with_changes(remove=event.remove, add=event.add)
    number = len(game.moves)
    if number == 0:
        return replace(
            game,
            setup=board,
            board=board,
            first_to_move=event.to_move,
            to_move=event.to_move,
            history=History([(hash(board), 0)]),
        )
    return replace(
        game,
        corrections=(*game.corrections, Corrected(number, event)),
        board=board,
        to_move=event.to_move,
        history=game.history.appended(hash(board), number),
    )


def _move_voided(game: Game, event: MoveVoided) -> Game:
    return replace(game, voids=(*game.voids, event))


def _physical_changed(game: Game, event: PhysicalChanged) -> Game:
    physical = game.physical.with_changes(remove=event.remove, add=event.add)
    return replace(game, physical=physical)


def _alert_raised(game: Game, event: Alert) -> Game:
    if event.id != len(game.alerts) + 1:
        raise GameError(f"an alert must have id {len(game.alerts) + 1}, got {event.id}")
    return replace(game, alerts=(*game.alerts, AlertState(event)))


def _with_alert(game: Game, id_: int, **changes: object) -> Game:
    if not 1 <= id_ <= len(game.alerts):
        raise GameError(f"there are alerts 1..{len(game.alerts)}, got {id_}")
    state = replace(game.alerts[id_ - 1], **changes)  # type: ignore[arg-type]
    alerts = (*game.alerts[: id_ - 1], state, *game.alerts[id_:])
    # A move is void by virtue of an alert: without it the move is not.
    voids = game.voids if state.stands else tuple(v for v in game.voids if v.alert_id != id_)
    return replace(game, alerts=alerts, voids=voids)


def _minuted(game: Game, event: Minuted) -> Game:
    return replace(game, minutes=with_entry(game.minutes, event))


def _moves_confirmed(game: Game, event: MovesConfirmed) -> Game:
    if not 1 <= event.first <= event.last <= len(game.moves):
        raise GameError(f"moves must be in 1..{len(game.moves)}, got {event.first}-{event.last}")

    def confirmed(played: MovePlayed) -> MovePlayed:
        if not event.first <= played.number <= event.last:
            return played
        return replace(played, is_order_known=True, provenance=Provenance.EDITED, note=event.by)

    return replace(game, moves=Trail(confirmed(played) for played in game.moves))


def _warnings_changed(game: Game, event: WarningsChanged) -> Game:
    return replace(game, warnings=Tally(event.black, event.white))


def _phase_changed(game: Game, event: PhaseChanged) -> Game:
    return replace(game, phase=event.phase, phase_reason=event.reason)


def _result_changed(game: Game, event: ResultChanged) -> Game:
    return replace(
        game,
        result=event.result,
        result_text=event.text,
        is_result_confirmed=event.is_confirmed,
        minutes=after_result(game.minutes, game.result, event),
    )


def _view_changed(game: Game, event: ViewChanged) -> Game:
    return replace(game, view=event.state, view_reason=event.reason)


_HANDLERS: Mapping[type, Callable[[Game, Any], Game]] = {
    GameStarted: _started,
    InfoChanged: _info_changed,
    MovePlayed: _move_played,
    MovesRetracted: _moves_retracted,
    MoveVoided: _move_voided,
    PositionCorrected: _position_corrected,
    PhysicalChanged: _physical_changed,
    Alert: _alert_raised,
    AlertChanged: lambda game, event: _with_alert(game, event.alert.id, alert=event.alert),
    AlertWithdrawn: lambda game, event: _with_alert(game, event.id, withdrawn=event.reason),
    AlertClosed: lambda game, event: _with_alert(game, event.id, closed=event),
    AlertSeen: lambda game, event: _with_alert(game, event.id, seen_by=event.by),
    AlertEscalated: lambda game, event: _with_alert(game, event.id, is_escalated=True),
    Noted: _minuted,
    CountEntered: _minuted,
    ResultSigned: _minuted,
    MovesConfirmed: _moves_confirmed,
    WarningsChanged: _warnings_changed,
    PhaseChanged: _phase_changed,
    ResultChanged: _result_changed,
    ViewChanged: _view_changed,
    MismatchChanged: lambda game, event: replace(game, mismatch=event.points),
    ClockChanged: lambda game, event: replace(game, clock=event.state),
}

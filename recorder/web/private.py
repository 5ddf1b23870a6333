"""What the referee sees: the whole game with its alerts, fed by the pipeline's thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from threading import Condition

from recorder.events import Alert, AlertClosed, ClockChanged, CountEntered, Record
from recorder.game import AlertState, Game, apply
from recorder.goban import Board, Color, Point, format_vertex
from recorder.minutes import EVIDENCE_OPENED
from recorder.proceedings import confirmed_warnings
from recorder.publish import Batch
from recorder.turning import turned
from recorder.web.live import age_s
from recorder.web.messages import Fields, format_clock


@dataclass(frozen=True, slots=True)
class Moment:
    """The game when an alert was raised."""

    utc: str
    physical: Board
    official: Board
    moves: int


@dataclass(frozen=True, slots=True)
class Decided:
    """When an alert was last decided."""

    number: int
    """In the log."""

    utc: str


@dataclass(frozen=True, slots=True)
class PrivateState:
    """Everything the console shows, at one moment; immutable."""

    number: int
    """Of the last record in the log."""

    game_id: str
    game: Game
    moments: tuple[Moment, ...]
    """One for each alert, in order."""

    decided: tuple[tuple[int, Decided], ...]
    clock_age_s: float = 0.0
    """How long ago the players' clocks were as the game says."""

    stage: str = ""
    """What the service of a table is at; empty where one game is recorded and nothing else."""

    @property
    def key(self) -> str:
        """What tells this state from another."""
        return f"{self.number} {self.stage}"


class PrivateGame:
    """Holds the game for the referee; thread-safe, and a Publisher of the pipeline."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._clock_known_s = 0.0
        self._changed = Condition()
        self._game = Game()
        self._game_id = ""
        self._number = 0
        self._moments: tuple[Moment, ...] = ()
        self._decided: dict[int, Decided] = {}
        self._stage = ""

    def publish(self, batch: Batch) -> None:
        """Take what one observation led to."""
        with self._changed:
            self._take(batch.records, batch.game, self._clock())
            self._changed.notify_all()

    def rebuild(self, records: Sequence[Record]) -> None:
        """Take the records of a log."""
        now_s, now = self._clock(), datetime.now(UTC)
        with self._changed:
            for _, group in groupby(records, key=lambda r: (r.game_id, r.t_s, r.utc)):
                batch = tuple(group)
                game = self._game if batch[0].game_id == self._game_id else Game()
                for record in batch:
                    game = apply(game, record.event)
                self._take(batch, game, now_s - age_s(batch[0].utc, now))
            self._changed.notify_all()

    def tell_stage(self, stage: str) -> None:
        """Take what the service of the table is at."""
        with self._changed:
            self._stage = stage
            self._changed.notify_all()

    def state(self) -> PrivateState:
        """Return what is known now."""
        with self._changed:
            return self._state()

    def wait(
        self, after: str, *, timeout_s: float, is_over: Callable[[], bool]
    ) -> PrivateState | None:
        """Return the state once it is another than the one with key `after`; None: not in time."""
        with self._changed:
            self._changed.wait_for(lambda: is_over() or self._state().key != after, timeout_s)
            state = self._state()
            return state if state.key != after else None

    def wake(self) -> None:
        """Let everybody who waits look up."""
        with self._changed:
            self._changed.notify_all()

    def _state(self) -> PrivateState:
        return PrivateState(
            self._number,
            self._game_id,
            self._game,
            self._moments,
            tuple(self._decided.items()),
            self._clock() - self._clock_known_s,
            self._stage,
        )

    def _take(self, records: Sequence[Record], game: Game, known_s: float) -> None:
        if records and records[0].game_id == self._game_id:
            # The boards of earlier alerts are shown as the record is read now.
            quarters = game.info.turns - self._game.info.turns
            self._moments = turned(self._moments, quarters, game.info.size)
        for record in records:
            if record.game_id != self._game_id:
                self._moments, self._decided = (), {}
                self._game_id = record.game_id
            if isinstance(record.event, Alert):
                moment = Moment(record.utc, game.physical, game.board, len(game.moves))
                self._moments = (*self._moments, moment)
            elif isinstance(record.event, AlertClosed):
                self._decided[record.event.id] = Decided(record.number, record.utc)
            elif isinstance(record.event, ClockChanged):
                self._clock_known_s = known_s
            self._number = record.number
        self._game = game


def format_private(state: PrivateState) -> Fields:
    """Return what the console shows as JSON fields; texts are the page's business."""
    game, info = state.game, state.game.info
    last = game.last_move
    return {
        "number": state.number,
        "game": state.game_id,
        "size": info.size,
        "players": {"B": info.black, "W": info.white},
        "title": " · ".join(part for part in (info.event, info.round, info.place) if part),
        "ruleset": info.ruleset,
        "phase": game.phase.value,
        "result": game.result,
        "is_result_confirmed": game.is_result_confirmed,
        "moves": len(game.moves),
        "last": None if last is None else _format_point(last.move.point, info.size),
        "to_move": game.to_move.value if game.to_move else None,
        "reason": game.phase_reason,
        "result_text": game.result_text,
        "warnings": _format_warnings(game),
        "view": game.view.value,
        "mismatch": [format_vertex(point, info.size) for point in game.mismatch],
        "official": format_position(game.board),
        "physical": format_position(game.physical),
        "clock": format_clock(game.clock),
        "clock_age": round(state.clock_age_s, 2) if game.clock else 0.0,
        "minutes": _format_minutes(game),
        "alerts": [
            _format_alert(alert, moment, state)
            for alert, moment in zip(game.alerts, state.moments, strict=False)
        ],
    }


def format_position(board: Board) -> Fields:
    """Return the stones of a board by color."""
    return {
        color.value: sorted(format_vertex(point, board.size) for point in board.points_of(color))
        for color in Color
    }


def _format_warnings(game: Game) -> Fields:
    """Return the warnings of each side; `proposed` are those not confirmed yet."""
    confirmed = confirmed_warnings(game)
    return {
        color.value: {
            "confirmed": confirmed.of(color),
            "proposed": game.warnings.of(color) - confirmed.of(color),
        }
        for color in Color
    }


def _format_minutes(game: Game) -> Fields:
    minutes = game.minutes
    return {
        "notes": [
            {
                "kind": note.kind,
                "color": note.color.value if note.color else None,
                "by": note.by,
                "text": note.text,
                # The proof of a sealed move is for the log alone.
                "detail": {key: text for key, text in note.detail if key != "digest"},
            }
            for note in minutes.notes
            # Who looked at what is for the log alone, too.
            if note.kind != EVIDENCE_OPENED
        ],
        "count": None if minutes.count is None else _format_count(minutes.count, game.info.size),
        "signed": sorted(signature.color.value for signature in minutes.signatures),
    }


def _format_count(count: CountEntered, size: int) -> Fields:
    return {
        "dead": [format_vertex(point, size) for point in count.dead],
        "shared": [format_vertex(point, size) for point in count.shared],
        "result": count.result,
        "by": count.by,
    }


def format_decision(closed: AlertClosed | None, decided: Decided | None) -> Fields | None:
    """Return a decision about an alert as JSON fields, None where there is none."""
    if closed is None:
        return None
    return {
        "decision": closed.decision,
        "by": closed.by,
        "note": closed.note,
        "number": decided.number if decided else 0,
        "at": decided.utc if decided else "",
    }


def _format_point(point: Point | None, size: int) -> str:
    return "pass" if point is None else format_vertex(point, size)


def _format_alert(state: AlertState, moment: Moment, whole: PrivateState) -> Fields:
    alert, size = state.alert, moment.physical.size
    decided = dict(whole.decided).get(alert.id)
    return {
        "id": alert.id,
        "type": alert.type,
        "level": alert.level.value,
        "severity": int(alert.severity),
        "color": alert.color.value if alert.color else None,
        "points": [format_vertex(point, size) for point in alert.points],
        "at": moment.utc,
        "t": round(alert.t_s, 1),
        "article": alert.article,
        "ruling": alert.ruling,
        "warning": alert.warning.value if alert.warning else None,
        "incident": alert.incident or alert.id,
        "move": alert.move_number,
        "moves_since": max(0, len(whole.game.moves) - moment.moves),
        "detail": dict(alert.detail),
        "position": format_position(moment.physical),
        "is_open": state.is_open,
        "is_acknowledged": state.seen_by is not None,
        "seen_by": state.seen_by,
        "is_escalated": state.is_escalated,
        "withdrawn": state.withdrawn,
        "decision": format_decision(state.closed, decided),
    }

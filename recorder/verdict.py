"""A scenario run through the session, and what came of it: record, alerts, final position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from recorder.events import Alert, Level, Move, Phase
from recorder.game import AlertState, Game
from recorder.goban import Board, Color, format_vertex
from recorder.observations import Observation
from recorder.scenario import Scenario
from recorder.session import new_state, step


@dataclass(frozen=True, slots=True)
class Verdict:
    """What judging a scenario led to."""

    scenario: Scenario
    game: Game
    raised_s: tuple[float, ...]
    """When each alert was raised, by id - 1."""

    boards: tuple[Board, ...]
    """What stood on the goban when each alert was raised."""


def judge_scenario(scenario: Scenario) -> Verdict:
    """Return what the recorder's own step makes of a scenario."""
    state, _ = step(new_state(), Observation(0.0, scenario.start))
    raised: list[float] = []
    boards: list[Board] = []
    for observation in scenario.observations:
        state, events = step(state, observation)
        for event in events:
            if isinstance(event, Alert):
                raised.append(observation.t_s)
                boards.append(state.physical)
    return Verdict(scenario, state.game, tuple(raised), tuple(boards))


def format_move(move: Move, size: int) -> str:
    """Return a move as the cases write it: "B Q16", "W pass"."""
    place = "pass" if move.point is None else format_vertex(move.point, size)
    return f"{move.color.value} {place}"


def answer(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict as ../shared/eval/score_rules.py reads it."""
    game, size = verdict.game, verdict.scenario.size
    is_compared = game.phase not in (Phase.IDLE, Phase.SCORING, Phase.SEALED)
    turn = game.turn
    return {
        "id": verdict.scenario.id,
        "moves": [format_move(played.move, size) for played in game.moves],
        "move_times": [played.view_s for played in game.moves],
        "void": [format_move(void.move, size) for void in game.voids],
        "alerts": [
            _alert(state, raised, size)
            for state, raised in zip(game.alerts, verdict.raised_s, strict=True)
            if state.alert.level is not Level.INFO
        ],
        "warnings": {color.value: game.warnings.of(color) for color in Color},
        "final": {
            color.value: [format_vertex(p, size) for p in sorted(game.board.points_of(color))]
            for color in Color
        },
        "to_play": None if turn is None else turn.value,
        "phase": game.phase.value,
        "result": game.result,
        "board_mismatch": is_compared and game.board != game.physical,
    }


def _alert(state: AlertState, raised_s: float, size: int) -> dict[str, Any]:
    alert = state.alert
    return {
        "id": alert.id,
        "type": alert.type,
        "level": alert.level.value,
        "severity": int(alert.severity),
        "t": raised_s,
        "points": [format_vertex(point, size) for point in alert.points],
        "color": None if alert.color is None else alert.color.value,
        "article": alert.article,
        "ruling": alert.ruling,
        "warning": int(alert.warning is not None),
        "incident": alert.incident,
        "withdrawn": state.withdrawn is not None,
        "detail": dict(alert.detail),
    }

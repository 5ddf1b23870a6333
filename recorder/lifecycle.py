"""From one game to the next: when one is offered, begins by itself, or seems to be over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from recorder.engine import Engine
from recorder.events import GameInfo, Phase, ViewState
from recorder.game import Game
from recorder.goban import Board, Color, format_vertex
from recorder.observations import Content, Report, StartGame

QUIET = "game-quiet"
"""The alert that asks whether a game is over."""

OVER = (Phase.SCORING, Phase.ENDED, Phase.SEALED)
"""Phases in which the next game may begin by itself."""


FULL = "disk-full"
"""The alert that the log takes nothing, and the record is in memory only."""

COMPARED_S = 4.0
"""So long after the first look following a restart, goban and record are compared."""


class Stage(Enum):
    """What the recorder of a table is at; docs/serving.md draws how one leads to another."""

    LOOKING = "looking"
    """No goban in view, and no game begun."""

    READY = "ready"
    """A goban is in view, and a game can begin from what stands on it."""

    PLAYING = "playing"
    """A game is recorded: played, adjourned, or waiting for the referee."""

    ASKING = "asking"
    """The goban has not changed for long: is the game over?"""

    OVER = "over"
    """Play has ended; the count or the result may still come."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How games begin and end at a table."""

    info: GameInfo
    """What each game begins with."""

    starts_with_stones: bool = True
    """Whether the first black and white stone on an empty goban begin a game by themselves."""

    quiet_s: float = 1800.0
    """After so long without a change it is asked whether the game is over."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What is remembered from one look at the game to the next. Immutable."""

    stage: Stage = Stage.LOOKING
    since_s: float | None = None
    """When record or goban last changed."""

    was_empty: bool = False
    """Whether the goban was empty when the stones that stand there now began to appear."""

    seen: tuple[bool, Board, int, Phase] | None = None
    """Whether the goban is known, what stands on it, the number of moves, the phase."""


def resumed_watch(game: Game) -> Watch:
    """Return what to go on with after a restart while no game had begun.

    With at most one stone on the goban, the next one may begin the game all the same.
    """
    return Watch(was_empty=sum(1 for _ in game.physical.stones()) <= 1)


def watch(
    before: Watch, engine: Engine, habit: Habit, now_s: float
) -> tuple[Watch, Content | None]:
    """Return what is remembered now, and what has to be observed, if anything.

    `now_s` is on the clock of the engine's inputs. A game is begun here only where none is under
    way; in a game that is under way it is only asked, by an alert, whether it is over.
    """
    game = engine.game
    seen = (engine.knows_goban, game.physical, len(game.moves), game.phase)
    is_same = seen == before.seen
    since_s = before.since_s if is_same and before.since_s is not None else now_s
    was_empty = before.was_empty if is_same else _is_from_empty(before, engine)
    is_quiet = now_s - since_s >= habit.quiet_s
    now = Watch(_stage(before.stage, engine, was_empty, is_quiet), since_s, was_empty, seen)
    if now.stage is Stage.ASKING and before.stage is not Stage.ASKING:
        return now, Report(QUIET, None, f"no change for {round((now_s - since_s) / 60)} minutes")
    if habit.starts_with_stones and now.was_empty and _is_opening(engine):
        # The next start needs an empty goban first.
        return replace(now, was_empty=False), StartGame(_info(engine, habit), ())
    return now, None


def explain_restart(engine: Engine, moves_before: int) -> str | None:
    """Return how the goban compares with the record after a restart; None: not seen long enough."""
    seen_s = engine.watching_s
    if seen_s is None or engine.last_s - seen_s < COMPARED_S:
        return None
    game = engine.game
    new = len(game.moves) - moves_before
    meanwhile = f"; {new} moves were played meanwhile" if new else ""
    differing = sorted(game.board.differences(game.physical))
    points = " ".join(format_vertex(point, game.info.size) for point in differing)
    told = f"goban and record differ at {points}" if points else "the goban agrees with the record"
    return f"after the restart, with {moves_before} moves recorded, {told}{meanwhile}"


def _stage(before: Stage, engine: Engine, was_empty: bool, is_quiet: bool) -> Stage:
    game = engine.game
    is_clear = game.view is ViewState.CLEAR
    if game.phase in OVER:
        return Stage.READY if was_empty and is_clear else Stage.OVER
    if game.phase in (Phase.IDLE, Phase.READY):
        # A start waits until the goban has been read anew; it is in view all the same.
        is_begun = engine.waiting is not None and before is Stage.READY
        return Stage.READY if is_clear and (engine.knows_goban or is_begun) else Stage.LOOKING
    return Stage.ASKING if is_quiet and game.phase is not Phase.PAUSED else Stage.PLAYING


def _is_from_empty(before: Watch, engine: Engine) -> bool:
    """Return whether what stands on the goban was put there stone by stone since it was empty.

    Stones drawn for colors, or a position put up at once, are no game.
    """
    if engine.known is None:
        return before.was_empty
    if not _is_free(engine):
        return False
    stones = sum(1 for _ in engine.game.physical.stones())
    return stones == 0 or (before.was_empty and stones <= 2)


def _is_opening(engine: Engine) -> bool:
    """Return whether a black and a white stone stand on the goban, and nothing else."""
    colors = sorted(stone.color.value for stone in engine.game.physical.stones())
    return colors == [Color.BLACK.value, Color.WHITE.value]


def _is_free(engine: Engine) -> bool:
    """Return whether no game is under way, nor about to begin."""
    return engine.game.phase in (Phase.IDLE, *OVER) and engine.waiting is None


def _info(engine: Engine, habit: Habit) -> GameInfo:
    """Return what is known of the coming game: the table's habit, and names entered already."""
    game = engine.game
    info = habit.info if game.phase is not Phase.IDLE or game.info == GameInfo() else game.info
    return info if engine.known is None else replace(info, size=engine.known.size)

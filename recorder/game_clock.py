"""A game's clock: where it is kept, and what a move is written down with."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from recorder.clock import Blocks, ByoYomi, Clock, ClockError, advance, new_clock
from recorder.clock_state import ClockStateError, format_state, parse_state
from recorder.clock_text import parse_control
from recorder.events import ClockChanged
from recorder.goban import Color
from recorder.memory import Draft


def clock_of(draft: Draft) -> Clock | None:
    """Return the game's clock, a new one before the first press, or None if there is none."""
    if draft.game.clock:
        try:
            clock = parse_state(draft.game.clock)
        except ClockStateError:
            # Written by another version: the game goes on, without the device's clock.
            return None
        # After a restart of the machine its seconds count from zero again.
        return replace(clock, t_s=min(clock.t_s, draft.now_s))
    try:
        control = parse_control(draft.game.info.time_control)
    except ClockError:
        return None
    return replace(new_clock(control), t_s=draft.now_s)


class Left(NamedTuple):
    """What a move is written down with (SGF BL, WL, OB, OW); None: nothing is known."""

    seconds: float | None = None
    moves: int | None = None
    """Moves left in the block, or periods left; None in main time."""


def read_left(draft: Draft, color: Color, t_s: float) -> Left:
    """Return what a player has left after the move whose stone stood free at a time.

    The press comes a moment later; that moment is not in it.
    """
    clock = clock_of(draft) if draft.game.clock else None
    if clock is None:
        return Left()
    control = clock.control
    if clock.running is color:
        clock = advance(clock, max(t_s, clock.t_s)).clock
    side = control.complete(clock.side(color)) if clock.running is color else clock.side(color)
    if isinstance(control, ByoYomi) and not side.main_s:
        return Left(control.period_s if side.periods else 0.0, side.periods)
    if isinstance(control, Blocks) and side.moves_left:
        return Left(side.block_s, side.moves_left)
    return Left(side.main_s)


def told(draft: Draft, clock: Clock) -> Draft:
    """Return the draft with a clock told as the game's."""
    return draft.emit(ClockChanged(format_state(clock)))

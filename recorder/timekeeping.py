"""The device's own clock beside the game: presses in, flags and readings out.

There is a clock once a button is pressed in a game whose time control is known
(`clock_text.parse_control`); without buttons nothing here says anything (article 12).
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from recorder.clock import (
    Bank,
    Blocks,
    ByoYomi,
    Clock,
    ClockError,
    advance,
    correct,
    new_clock,
    pause,
    press,
    resume,
    start,
)
from recorder.clock_state import format_state, parse_state
from recorder.clock_text import parse_control
from recorder.events import ClockChanged, Phase, PhaseChanged, ResultChanged
from recorder.game import DISMISS
from recorder.goban import Color
from recorder.memory import Draft
from recorder.observations import ClockPress, Content, Ruling
from recorder.referee import LOSS_PROPOSED, last_id, raise_alert

FLAG = "flag-fall"
TELL_S = 10.0
"""A running clock is told again after so long."""


class Left(NamedTuple):
    """What a move is written down with (SGF BL, WL, OB, OW); None: nothing is known."""

    seconds: float | None = None
    moves: int | None = None
    """Moves left in the block, or periods left; None in main time."""


def read_left(draft: Draft, color: Color, t_s: float) -> Left:
    """Return what a player has left after the move whose stone stood free at a time.

    The press comes a moment later; that moment is not in it.
    """
    clock = _clock_of(draft) if draft.game.clock else None
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


def keep_time(draft: Draft, content: Content) -> Draft:
    """Return a step's draft with the clock after it; `content` has been dealt with otherwise.

    The clock stands while the game is not being played. A press with captured stones still on the
    board does not end the move in byo-yomi: its time runs on until they are cleared (22.6).
    """
    if not draft.game.clock and not isinstance(content, ClockPress):
        return draft
    before = _clock_of(draft)
    if before is None:
        return draft
    clock = _follow_phase(before, draft)
    if isinstance(content, ClockPress):
        clock = _press(clock, draft, content)
    elif isinstance(content, Ruling):
        clock = _follow_ruling(clock, draft, content)
    elif clock.is_press_pending and not draft.memory.uncleared and clock.running is not None:
        clock = press(replace(clock, is_press_pending=False), draft.now_s, clock.running).clock
    now = advance(clock, draft.now_s).clock
    if now.flag is not None and before.flag is None:
        return _report_flag(_told(draft, now), now)
    # Between presses whoever shows the clock lets time pass; it is told again now and then so that
    # a machine that loses power loses little of it.
    is_changed = replace(clock, t_s=0.0) != replace(before, t_s=0.0) or not draft.game.clock
    is_old = (
        now.running is not None
        and not now.is_paused
        and now.flag is None
        and now.t_s - before.t_s >= TELL_S
    )
    return _told(draft, now) if is_changed or is_old else draft


def _clock_of(draft: Draft) -> Clock | None:
    """Return the game's clock, a new one before the first press, or None if there is none."""
    if draft.game.clock:
        clock = parse_state(draft.game.clock)
        # After a restart of the machine its seconds count from zero again.
        return replace(clock, t_s=min(clock.t_s, draft.now_s))
    try:
        control = parse_control(draft.game.info.time_control)
    except ClockError:
        return None
    return replace(new_clock(control), t_s=draft.now_s)


def _follow_phase(clock: Clock, draft: Draft) -> Clock:
    """Stop the clock when play stops, and let it go on with play (14)."""
    is_played = draft.game.phase is Phase.PLAYING
    if clock.is_paused and is_played:
        return resume(clock, draft.now_s).clock
    if not clock.is_paused and not is_played:
        return pause(clock, draft.now_s).clock
    return clock


def _press(clock: Clock, draft: Draft, content: ClockPress) -> Clock:
    if clock.running is None and not clock.is_paused:
        # The first press of a game starts the opponent's time.
        return start(clock, draft.now_s, content.color.opponent).clock
    if clock.running is content.color and draft.memory.uncleared and _is_in_byo_yomi(clock, draft):
        return replace(clock, is_press_pending=True)
    return press(clock, draft.now_s, content.color).clock


def _is_in_byo_yomi(clock: Clock, draft: Draft) -> bool:
    now = advance(clock, draft.now_s).clock
    running = now.running
    return isinstance(now.control, ByoYomi) and running is not None and not now.side(running).main_s


def _follow_ruling(clock: Clock, draft: Draft, content: Ruling) -> Clock:
    """Take a fallen flag back that the referee dismisses, with the last period or block whole."""
    flag, alerts = clock.flag, draft.game.alerts
    is_known = 1 <= content.alert_id <= len(alerts)
    if flag is None or content.decision != DISMISS or not is_known:
        return clock
    if alerts[content.alert_id - 1].alert.type != FLAG:
        return clock
    side = clock.side(flag.color)
    if isinstance(clock.control, ByoYomi):
        side = replace(side, periods=max(side.periods, 1), used_s=0.0)
    elif isinstance(clock.control, Blocks):
        side = replace(side, block_s=clock.control.block_s)
    # A bank has nothing to give back: what is left is for the referee to say.
    corrected = correct(clock, draft.now_s, flag.color, side).clock
    return replace(corrected, running=None) if isinstance(clock.control, Bank) else corrected


def _told(draft: Draft, clock: Clock) -> Draft:
    return draft.emit(ClockChanged(format_state(clock)))


def _report_flag(draft: Draft, clock: Clock) -> Draft:
    """Propose the loss of a player whose time is over; recording goes on."""
    flag = clock.flag
    if flag is None or draft.game.phase is not Phase.PLAYING:
        return draft
    draft = raise_alert(draft, FLAG, flag.color, (), t_s=flag.t_s)
    alerts = (*draft.memory.loss_alerts, last_id(draft))
    draft = draft.remember(loss_s=draft.now_s, loss_alerts=alerts)
    draft = draft.emit(ResultChanged(f"{flag.color.opponent.value}+T", FLAG))
    return draft.emit(PhaseChanged(Phase.ENDED, LOSS_PROPOSED))

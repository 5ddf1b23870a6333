"""The device's own clock beside the game: presses in, flags and readings out.

There is a clock once a button is pressed in a game whose time control is known
(`clock_text.parse_control`), or with the first move where the camera ends the moves; otherwise
nothing here says anything (article 12).
"""

from __future__ import annotations

from dataclasses import replace

from recorder.clock import (
    Bank,
    Blocks,
    ByoYomi,
    Clock,
    ClockError,
    SideTime,
    advance,
    correct,
    pass_on_application,
    pause,
    press,
    restart_count,
    resume,
    start,
)
from recorder.console import pressed_s
from recorder.decisions import CONFIRM, PASS_ON_APPLICATION
from recorder.events import MovePlayed, Noted, Phase, PhaseChanged, Provenance, ResultChanged
from recorder.game import DISMISS
from recorder.game_clock import clock_of, told
from recorder.goban import Color
from recorder.memory import Draft, Seen
from recorder.observations import (
    ClockPress,
    Content,
    Pass,
    RestartCount,
    Ruling,
    SetClock,
    SettledView,
    Tick,
)
from recorder.recording import record_pass
from recorder.referee import is_loss_proposed, last_id, propose_loss, raise_alert

FLAG = "flag-fall"
CAMERA = "camera"
"""Source of the clock of a game without buttons."""

DEDUCTED = "clock-deducted"
"""Kind of the note that time was deducted."""

TELL_S = 10.0
"""A running clock is told again after so long."""


STARTING = (ClockPress, SetClock, Ruling)
"""What can make a game's clock appear."""


def keep_time(draft: Draft, content: Content) -> Draft:
    """Return a step's draft with the clock after it; `content` has been dealt with otherwise.

    The clock stands while the game is not being played. A press with captured stones still on the
    board does not end the move in byo-yomi: its time runs on until they are cleared (22.6).
    """
    is_camera = draft.game.info.clock_source == CAMERA
    if not draft.game.clock and not is_camera and not isinstance(content, STARTING):
        return draft
    before = clock_of(draft)
    if before is None:
        return draft
    if isinstance(content, Ruling) and _is_application(draft, before, content):
        return _pass_for_flag(draft, before, content.alert_id)
    clock = _follow_phase(before, draft)
    if isinstance(content, Ruling) and not draft.game.clock and not _is_lateness(draft, content):
        return draft
    if isinstance(content, ClockPress):
        clock = _press(clock, draft, content)
    elif isinstance(content, Ruling):
        draft, clock = _follow_ruling(clock, draft, content)
    elif isinstance(content, SetClock):
        clock = _set(clock, draft, content)
    elif isinstance(content, RestartCount):
        clock = _restart_count(clock, draft, content)
    elif is_camera and isinstance(content, SettledView | Tick | Pass) and _played(draft):
        clock = _press_for_moves(clock, draft)
    elif clock.is_press_pending and not draft.memory.uncleared and clock.running is not None:
        clock = press(replace(clock, is_press_pending=False), draft.now_s, clock.running).clock
    now = advance(clock, draft.now_s).clock
    if now.flag is not None and before.flag is None:
        return _report_flag(told(draft, now), now)
    # Between presses whoever shows the clock lets time pass; it is told again now and then so that
    # a machine that loses power loses little of it.
    is_changed = replace(clock, t_s=0.0) != replace(before, t_s=0.0) or not draft.game.clock
    is_old = (
        now.running is not None
        and not now.is_paused
        and now.flag is None
        and now.t_s - before.t_s >= TELL_S
    )
    return told(draft, now) if is_changed or is_old else draft


def _follow_phase(clock: Clock, draft: Draft) -> Clock:
    """Stop the clock when play stops, and let it go on with play (14)."""
    is_played = draft.game.phase is Phase.PLAYING
    if clock.is_paused and is_played:
        return resume(clock, draft.now_s).clock
    if not clock.is_paused and not is_played:
        return pause(clock, draft.now_s).clock
    return clock


def _press(clock: Clock, draft: Draft, content: ClockPress) -> Clock:
    at_s = max(clock.t_s, pressed_s(draft, content))
    return _end_move(clock, draft, content.color, at_s)


def _end_move(clock: Clock, draft: Draft, color: Color, at_s: float) -> Clock:
    """End a color's move at a time; the first one of a game starts the opponent's clock."""
    if clock.running is None and not clock.is_paused:
        return start(clock, at_s, color.opponent).clock
    if clock.running is color and draft.memory.uncleared and _is_in_byo_yomi(clock, at_s):
        return replace(clock, is_press_pending=True)
    return press(clock, at_s, color).clock


def _played(draft: Draft) -> list[MovePlayed]:
    """Return the moves that this step has entered."""
    return [event for event in draft.events if isinstance(event, MovePlayed)]


def _press_for_moves(clock: Clock, draft: Draft) -> Clock:
    """End each move when its stone stood free, as if its player had pressed then (22.6)."""
    for played in _played(draft):
        at_s = min(max(clock.t_s, played.t_s), draft.now_s)
        clock = _end_move(clock, draft, played.move.color, at_s)
    return clock


def _set(clock: Clock, draft: Draft, content: SetClock) -> Clock:
    """Set the readings that the referee gives; whose time runs stays as it is."""
    for reading in content.readings:
        side = SideTime(
            reading.main_s, reading.periods, reading.used_s, reading.block_s, reading.moves_left
        )
        clock = correct(clock, max(clock.t_s, draft.now_s), reading.color, side).clock
    return clock


def _restart_count(clock: Clock, draft: Draft, content: RestartCount) -> Clock:
    if not _is_in_byo_yomi(clock, draft.now_s):
        return clock
    try:
        return restart_count(clock, draft.now_s, content.used_s).clock
    except ClockError:
        # No count of a running period: there is nothing to restart.
        return clock


def _is_in_byo_yomi(clock: Clock, at_s: float) -> bool:
    now = advance(clock, at_s).clock
    running = now.running
    return isinstance(now.control, ByoYomi) and running is not None and not now.side(running).main_s


def _follow_ruling(clock: Clock, draft: Draft, content: Ruling) -> tuple[Draft, Clock]:
    """Deduct what a confirmed lateness costs; take back a fallen flag that is dismissed."""
    if content.decision == CONFIRM:
        return _deduct(clock, draft, content)
    return draft, _take_flag_back(clock, draft, content)


def _deduct(clock: Clock, draft: Draft, content: Ruling) -> tuple[Draft, Clock]:
    """Let twice the lateness pass for a player, once (22.1)."""
    id_ = str(content.alert_id)
    alerts = draft.game.alerts
    if not 1 <= content.alert_id <= len(alerts):
        return draft, clock
    alert = alerts[content.alert_id - 1].alert
    seconds = float(dict(alert.detail).get("deducted_s", 0.0))
    is_done = any(dict(n.detail).get("alert") == id_ for n in draft.game.minutes.noted(DEDUCTED))
    if alert.type != "late-arrival" or alert.color is None or not seconds or is_done:
        return draft, clock
    side = clock.control.run(clock.side(alert.color), seconds).side
    detail = (("alert", id_), ("seconds", f"{seconds:g}"))
    draft = draft.emit(Noted(DEDUCTED, alert.color, content.by, "", detail))
    return draft, correct(clock, max(clock.t_s, draft.now_s), alert.color, side).clock


def _is_lateness(draft: Draft, content: Ruling) -> bool:
    alerts = draft.game.alerts
    is_known = 1 <= content.alert_id <= len(alerts)
    return is_known and alerts[content.alert_id - 1].alert.type == "late-arrival"


def _take_flag_back(clock: Clock, draft: Draft, content: Ruling) -> Clock:
    """Take a fallen flag back that the referee dismisses, with the last period or block whole."""
    flag = clock.flag
    is_dismissed = content.decision == DISMISS and _is_about_flag(draft, clock, content)
    if flag is None or not is_dismissed:
        return clock
    side = clock.side(flag.color)
    if isinstance(clock.control, ByoYomi):
        side = replace(side, periods=max(side.periods, 1), used_s=0.0)
    elif isinstance(clock.control, Blocks):
        side = replace(side, block_s=clock.control.block_s)
    # A bank has nothing to give back: what is left is for the referee to say.
    corrected = correct(clock, draft.now_s, flag.color, side).clock
    return replace(corrected, running=None) if isinstance(clock.control, Bank) else corrected


def _is_application(draft: Draft, clock: Clock, content: Ruling) -> bool:
    """Return whether the referee turns a flag that fell in byo-yomi into a pass."""
    is_pass = content.decision == PASS_ON_APPLICATION and isinstance(clock.control, ByoYomi)
    return is_pass and _is_about_flag(draft, clock, content)


def _is_about_flag(draft: Draft, clock: Clock, content: Ruling) -> bool:
    """Return whether a decision is about the flag that has fallen."""
    alerts = draft.game.alerts
    is_known = 1 <= content.alert_id <= len(alerts)
    return clock.flag is not None and is_known and alerts[content.alert_id - 1].alert.type == FLAG


def _pass_for_flag(draft: Draft, clock: Clock, alert_id: int) -> Draft:
    """Let play go on after a pass of the player whose time was over, his last period whole."""
    if clock.flag is None or alert_id not in draft.memory.loss_alerts:
        return draft
    color = clock.flag.color
    carried = tuple(id_ for id_ in draft.memory.loss_alerts if id_ != alert_id)
    draft = draft.remember(loss_alerts=carried)
    if not carried and is_loss_proposed(draft):
        draft = draft.emit(ResultChanged(None)).emit(PhaseChanged(Phase.PLAYING, "loss-withdrawn"))
    seen = Seen(draft.now_s, draft.now_s)
    draft = record_pass(draft, color, seen, provenance=Provenance.IMPOSED, note=FLAG)
    return told(draft, replace(pass_on_application(clock, draft.now_s).clock, is_paused=False))


def _report_flag(draft: Draft, clock: Clock) -> Draft:
    """Propose the loss of a player whose time is over; recording goes on."""
    flag = clock.flag
    if flag is None or draft.game.phase is not Phase.PLAYING:
        return draft
    draft = raise_alert(draft, FLAG, flag.color, (), t_s=flag.t_s)
    return propose_loss(draft, flag.color, last_id(draft), how="T")

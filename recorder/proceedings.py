"""What people enter beside the moves: notes, lateness, the count, signatures, what was seen."""

from __future__ import annotations

from recorder.clock import ClockError
from recorder.clock_rulings import judge_fault, judge_lateness
from recorder.counting import count_game, with_warnings
from recorder.events import (
    AlertEscalated,
    AlertSeen,
    CountEntered,
    MovesConfirmed,
    Noted,
    Phase,
    ResultChanged,
    ResultSigned,
    Severity,
)
from recorder.game import Game, Tally
from recorder.judging import is_judged
from recorder.memory import UNSEEN_S, Draft
from recorder.observations import (
    CheckClock,
    ConfirmMoves,
    EnterCount,
    GiveUp,
    Late,
    Note,
    SeeAlert,
    Sign,
)
from recorder.recording import end_play
from recorder.referee import last_id, propose, propose_loss, raise_alert
from recorder.scoring import Marks, ScoringError


def confirmed_warnings(game: Game) -> Tally:
    """Return the warnings that the referee has confirmed; what is only proposed costs nothing."""
    tally = Tally()
    for state in game.alerts:
        if state.stands and state.closed is not None and state.alert.warning is not None:
            tally = tally.plus(state.alert.warning, 1)
    return tally


def escalate(draft: Draft) -> Draft:
    """Hand urgent alerts that nobody has taken note of to the chief referee."""
    for state in draft.game.alerts:
        is_urgent = state.alert.severity is Severity.INTERRUPT and state.is_open
        is_waiting = state.seen_by is None and not state.is_escalated
        if is_urgent and is_waiting and draft.now_s - state.alert.t_s >= UNSEEN_S:
            draft = draft.emit(AlertEscalated(state.alert.id))
    return draft


def see_alert(draft: Draft, content: SeeAlert) -> Draft:
    """Note who took note of an alert first."""
    id_ = content.alert_id
    if not 1 <= id_ <= len(draft.game.alerts) or draft.game.alerts[id_ - 1].seen_by is not None:
        return draft
    return draft.emit(AlertSeen(id_, content.entered_by))


def note(draft: Draft, content: Note) -> Draft:
    """Put a fact into the minutes."""
    noted = Noted(
        content.kind, content.color, content.entered_by, content.text.strip(), content.detail
    )
    return draft.emit(noted)


def give_up(draft: Draft, content: GiveUp) -> Draft:
    """End play: what is open goes to the opponent, the chief referee fixes the border (12.4)."""
    if not is_judged(draft):
        return draft
    return end_play(raise_alert(draft, "gives-up", content.color), "gives-up")


def come_late(draft: Draft, content: Late) -> Draft:
    """Report a late player: twice the time when the referee confirms, the loss beyond the limit."""
    try:
        late = judge_lateness(content.late_s, content.limit_s)
    except ClockError:
        return draft
    detail = (
        ("late_s", f"{late.late_s:g}"),
        ("limit_s", f"{content.limit_s:g}"),
        ("deducted_s", f"{late.deducted_s:g}"),
    )
    said = propose(draft, "late-arrival")
    said = said._replace(ruling="loss") if late.is_lost else said
    draft = raise_alert(draft, "late-arrival", content.color, (), said=said, detail=detail)
    is_open = draft.game.phase is not Phase.SEALED and not draft.game.is_result_confirmed
    return propose_loss(draft, content.color, last_id(draft)) if late.is_lost and is_open else draft


def check_clock(draft: Draft, content: CheckClock) -> Draft:
    """Report how far a clock is off, and what both have really used (22.8)."""
    try:
        fault = judge_fault(content.black_shown_s, content.white_shown_s, content.real_s)
    except ClockError:
        return draft
    detail = (
        ("error_s_per_hour", f"{fault.error_s_per_hour:.0f}"),
        ("set_anew", str(fault.is_set_anew).lower()),
        ("black_used_s", f"{fault.black_used_s:.0f}"),
        ("white_used_s", f"{fault.white_used_s:.0f}"),
    )
    return raise_alert(draft, "clock-fault", None, (), detail=detail)


def enter_count(draft: Draft, content: EnterCount) -> Draft:
    """Count the position by what the players agreed on; the result is open until confirmed."""
    if draft.game.phase not in (Phase.SCORING, Phase.ENDED) or draft.game.is_result_confirmed:
        return draft
    marks = Marks(frozenset(content.dead), frozenset(content.shared))
    try:
        counted = count_game(with_warnings(draft.game, confirmed_warnings(draft.game)), marks)
    except ScoringError:
        return draft
    entered = CountEntered(content.dead, content.shared, counted.re, content.entered_by)
    return draft.emit(entered).emit(ResultChanged(counted.re, "counted"))


def sign(draft: Draft, content: Sign) -> Draft:
    """Note that a player confirms the result as it is."""
    if draft.game.result is None or draft.game.phase is Phase.SEALED:
        return draft
    return draft.emit(ResultSigned(content.color, content.entered_by))


def confirm_moves(draft: Draft, content: ConfirmMoves) -> Draft:
    """Let moves that were inferred count as certain."""
    count = len(draft.game.moves)
    if not 1 <= content.first <= content.last <= count or draft.game.phase is Phase.SEALED:
        return draft
    return draft.emit(MovesConfirmed(content.first, content.last, content.entered_by))

"""What players and referee say or press: passes, claims, the end, the clock's buttons."""

from __future__ import annotations

from dataclasses import replace

from recorder.accidents import report_missing, stand, update_captures
from recorder.events import (
    InfoChanged,
    MoveVoided,
    Phase,
    PhaseChanged,
    PositionCorrected,
    Provenance,
    ResultChanged,
)
from recorder.goban import Color, Point
from recorder.inference import difference
from recorder.judging import is_judged, judge, take_pass
from recorder.memory import OLDEST_PRESS_S, PRESS_CERTAIN_S, Claimable, Draft, Implied, Seen
from recorder.observations import (
    AgreeEnd,
    ChangeInfo,
    Claim,
    ClockPress,
    ColorsSwapped,
    Consent,
    Dispute,
    EndGame,
    LooseStones,
    Pass,
    Pause,
    ProposeEnd,
    Report,
    Resign,
    Resume,
    Seal,
    TurnBoard,
)
from recorder.recording import end_play, record_pass, retract
from recorder.referee import change_alert, last_id, propose_loss, raise_alert, rules_of
from recorder.rules import Fault
from recorder.rulings import KINDS, claimed_takeback
from recorder.takeback import choose_freely, lapse
from recorder.turning import turned
from recorder.turns import correct_color

CORRECTABLE_MOVES = 10
"""Up to this move wrong colors may be corrected (17.1)."""


def press(draft: Draft, content: ClockPress) -> Draft:
    """Take note of a press: it closes a move, stands for a pass, or shows whose stone it is."""
    color = content.color
    if not is_judged(draft):
        return draft
    if draft.game.to_move is color:
        corrected = correct_color(draft)
        if corrected is not None:
            return judge(corrected)
        if draft.memory.implied is None:
            is_certain = is_press_certain(content)
            said = Implied(color, pressed_s(draft, content), "press", is_certain=is_certain)
            return draft.remember(implied=said)
        return draft
    implied, last = draft.memory.implied, draft.game.last_move
    if implied is not None and implied.reason == "press":
        return draft.remember(implied=replace(implied, is_answered=True))
    if last is None or last.move.color is not color or draft.memory.closed_s is not None:
        return raise_alert(draft, "clock-out-of-turn", color)
    return _close(draft, content, last.number)


def pressed_s(draft: Draft, content: ClockPress) -> float:
    """Return when a button was pressed: a page tells how long ago that was."""
    return draft.now_s - min(max(content.age_s, 0.0), OLDEST_PRESS_S)


def is_press_certain(content: ClockPress) -> bool:
    """Return whether the moment of a press is known well enough to warn for it."""
    return content.uncertainty_s <= PRESS_CERTAIN_S


def _close(draft: Draft, content: ClockPress, number: int) -> Draft:
    """Close the move of a color: what it wrongly lifted, or has not cleared, counts now."""
    color = content.color
    diff = difference(draft.game.board, draft.game.physical, draft.memory)
    theirs = {p: c for p, c in diff.missing.items() if c is color.opponent}
    lifted = {p: c for p, c in theirs.items() if _went_within(draft, p, number)}
    if lifted:
        draft = report_missing(draft, lifted)
    for capture in draft.memory.uncleared:
        if capture.number == number:
            changed = replace(
                capture,
                pressed_s=pressed_s(draft, content),
                is_press_certain=is_press_certain(content),
            )
            draft = update_captures(draft, capture, changed)
    return draft.remember(closed_s=pressed_s(draft, content))


def _went_within(draft: Draft, point: Point, number: int) -> bool:
    """Return whether a stone went after the move that is closed had come."""
    seen = draft.memory.seen.get(point)
    return seen is not None and seen.t_s >= draft.game.moves[number - 1].t_s


def say_pass(draft: Draft, content: Pass) -> Draft:
    """Record a spoken pass; one out of turn is only logged."""
    if not is_judged(draft):
        return draft
    if draft.game.to_move is content.color.opponent:
        implied = draft.memory.implied
        if implied is None or implied.color is content.color:
            return raise_alert(draft, "possible-pass", content.color)
        draft = take_pass(draft, implied)
        if not is_judged(draft):
            return draft
    pending = draft.memory.takeback
    if pending is not None and pending.color is not content.color:
        draft = lapse(draft)
    return judge(record_pass(draft, content.color, Seen(draft.now_s, draft.now_s)))


def resign(draft: Draft, content: Resign) -> Draft:
    """End the game by resignation."""
    if draft.game.phase in (Phase.IDLE, Phase.SEALED) or draft.game.is_result_confirmed:
        return draft
    draft = raise_alert(draft, "resigned", content.color)
    draft = draft.emit(ResultChanged(f"{content.color.opponent.value}+R", "resigned"))
    draft = draft.emit(PhaseChanged(Phase.ENDED, "resigned"))
    return draft.remember(end_board=draft.game.physical, changed_s=None)


def claim(draft: Draft, content: Claim) -> Draft:
    """Apply a claim that comes in time: before the claimant's own next move (16.3)."""
    pending, claimable = draft.memory.takeback, draft.memory.claimable
    if content.about == "take-back":
        if pending is None:
            last = draft.game.last_move
            is_theirs = last is not None and last.move.color is content.by.opponent
            return draft.remember(is_claimed=is_theirs)
        if pending.color is content.by or pending.is_settled:
            return draft
        said = claimed_takeback(draft.game.info.ruleset)
        draft = change_alert(draft, pending.alert_id, said, pending.color)
        return draft.remember(takeback=replace(pending, is_settled=True))
    if claimable is None or content.about not in (claimable.kind, "illegal-play"):
        return draft
    if draft.game.moves[claimable.number - 1].move.color is content.by:
        return draft
    return judge(apply_claim(draft, claimable))


def apply_claim(draft: Draft, claimable: Claimable) -> Draft:
    """Make an illegal move a pass; of two in a row, both come off for one pass (AGA)."""
    is_double = claimable.kind == Fault.OUT_OF_TURN.value and claimable.number > 1
    first = claimable.number - is_double
    void = draft.game.moves[first - 1 : claimable.number]
    draft = retract(draft, first, claimable.kind)
    article = draft.game.alerts[claimable.alert_id - 1].alert.article
    shows: dict[Point, set[Color | None]] = {}
    for played in void:
        draft = draft.emit(
            MoveVoided(
                move=played.move,
                captured=played.captured,
                number=played.number,
                reason=claimable.kind,
                article=article,
                alert_id=claimable.alert_id,
                t_s=played.t_s,
            )
        )
        shows |= {p: {None, played.move.color.opponent} for p in played.captured}
        if played.move.point is not None:
            shows[played.move.point] = {played.move.color, None}
    draft = stand(draft, claimable.kind, void[0].move.color, shows, alert_id=claimable.alert_id)
    seen = Seen(void[0].t_s, void[0].view_s)
    color = void[0].move.color
    return record_pass(draft, color, seen, provenance=Provenance.IMPOSED, note=claimable.kind)


def consent(draft: Draft, content: Consent) -> Draft:
    """Let a dropped stone be played freely if the opponent agrees (17.3)."""
    last = draft.game.last_move
    is_theirs = last is not None and last.move.color is content.by.opponent
    if content.about not in ("dropped-stone", "take-back") or not is_theirs:
        return draft
    return judge(choose_freely(draft))


def propose_end(draft: Draft, content: ProposeEnd) -> Draft:
    """Note that a player says the game is over; the side to move gives up its move by it (21.1)."""
    if not is_judged(draft):
        return draft
    if draft.memory.proposed_by is content.by.opponent:
        return end_play(draft, "agreed")
    draft = raise_alert(draft, "end-proposed", content.by)
    draft = draft.remember(proposed_by=content.by)
    if draft.game.to_move is content.by:
        return draft.remember(implied=Implied(content.by, draft.now_s, "end-proposed"))
    return draft


def agree_end(draft: Draft, content: AgreeEnd) -> Draft:
    """End play when the other side has proposed it; otherwise this is a proposal itself."""
    return propose_end(draft, ProposeEnd(content.by))


def dispute(draft: Draft, content: Dispute) -> Draft:
    """Note who claims that stones are dead: after a resumption he plays first (21.4)."""
    claimant = content.by if content.claim == "dead" else content.by.opponent
    draft = raise_alert(draft, "life-death-dispute", content.by, content.points)
    return draft.remember(dead_claim_by=claimant)


def resume(draft: Draft, content: Resume) -> Draft:
    """Go on after a pause, a suspension or a disagreement about the count."""
    before = draft.game.phase
    if before not in (Phase.PAUSED, Phase.SUSPENDED, Phase.SCORING, Phase.ENDED):
        return draft
    first = content.first
    if first is None and before is Phase.SCORING and draft.game.info.ruleset != "aga":
        first = draft.memory.dead_claim_by
    if draft.game.result is not None:
        draft = draft.emit(ResultChanged(None))
    draft = draft.emit(PhaseChanged(Phase.PLAYING, "resumed"))
    is_over = before in (Phase.SCORING, Phase.ENDED)
    if first is not None and (is_over or first is not draft.game.to_move):
        draft = draft.emit(PositionCorrected((), (), first, "resumed"))
    draft = draft.remember(
        resume_first=first, implied=None, proposed_by=None, end_board=None, loss_alerts=()
    )
    return accept_goban(draft, "board-mismatch")


def accept_goban(draft: Draft, kind: str | None) -> Draft:
    """Account for every open difference as it is, so that it is no move; report it as `kind`."""
    diff = difference(draft.game.board, draft.game.physical, draft.memory)
    if not diff:
        return draft
    points = sorted(diff.points)
    if kind is not None:
        draft = raise_alert(draft, kind, None, points)
    shows = {p: {diff.physical[p]} for p in points}
    return stand(draft, "accepted", None, shows, alert_id=None if kind else 0)


def swap_colors(draft: Draft, content: ColorsSwapped) -> Draft:
    """Report that the players took the wrong colors; up to move 10 play stops for it (17.1)."""
    count = len(draft.game.moves) + draft.game.info.moves_before
    is_correctable = count <= CORRECTABLE_MOVES
    detail = (("moves_played", str(count)), ("correctable", str(is_correctable).lower()))
    draft = raise_alert(draft, "colors-swapped", None, (), detail=detail)
    if not is_correctable or not is_judged(draft):
        return draft
    draft = draft.emit(PhaseChanged(Phase.SUSPENDED, "colors-swapped"))
    return draft.remember(suspended_s=draft.now_s)


def pause(draft: Draft, content: Pause) -> Draft:
    """Adjourn: nothing on the goban is a move until play is resumed (14)."""
    return draft.emit(PhaseChanged(Phase.PAUSED, "adjourned")) if is_judged(draft) else draft


def end_game(draft: Draft, content: EndGame) -> Draft:
    """Go to the count, or enter the referee's result."""
    if draft.game.phase is Phase.SEALED:
        return draft
    if content.result is None:
        return end_play(draft, "referee")
    text = content.reason or content.by
    draft = draft.emit(ResultChanged(content.result, text, is_confirmed=True))
    draft = draft.emit(PhaseChanged(Phase.ENDED, "confirmed"))
    return draft.remember(end_board=draft.game.physical, changed_s=None)


def seal(draft: Draft, content: Seal) -> Draft:
    """Make the confirmed result final (16.4)."""
    return draft.emit(PhaseChanged(Phase.SEALED, content.by))


def change_info(draft: Draft, content: ChangeInfo) -> Draft:
    """Correct names, event, komi; how the record is turned is not theirs."""
    return draft.emit(InfoChanged(replace(content.info, turns=draft.game.info.turns)))


def turn_board(draft: Draft, content: TurnBoard) -> Draft:
    """Let the record, and everything that is remembered of it, be read from another side."""
    info, quarters = draft.game.info, content.quarters % 4
    if draft.game.phase in (Phase.IDLE, Phase.READY, Phase.SEALED) or not quarters:
        return draft
    draft = draft.emit(InfoChanged(replace(info, turns=(info.turns + quarters) % 4)))
    return replace(draft, memory=turned(draft.memory, quarters, info.size))


def report(draft: Draft, content: Report) -> Draft:
    """Raise an alert that only a person can (conduct, a fallen flag, a call for the referee)."""
    if content.type not in KINDS:
        return draft
    detail = (("note", content.note),) if content.note else ()
    draft = raise_alert(draft, content.type, content.color, (), detail=detail)
    if content.type != "flag-fall" or content.color is None or not is_judged(draft):
        return draft
    return propose_loss(draft, content.color, last_id(draft), how="T")


OWN_ZONE = {Color.BLACK: "black-lower-right", Color.WHITE: "white-lower-right"}


def see_loose(draft: Draft, loose: LooseStones) -> Draft:
    """Read the signs with stones outside the lines (older edition, 4.2): the end, resignation."""
    if not rules_of(draft).has_corner_gestures or not is_judged(draft):
        return draft
    count = {(color, zone): n for color, zone, n in loose.off_board}
    shown: set[tuple[Color, str]] = set()
    for side, zone in OWN_ZONE.items():
        if count.get((side.opponent, zone), 0) > 0:
            shown.add((side, "end"))
        if count.get((side, zone), 0) >= 2:
            shown.add((side, "resign"))
    before = draft.memory.gestures
    draft = draft.remember(gestures=frozenset(shown))
    for side, sign in sorted(before - shown, key=str):
        if sign == "end" and draft.memory.proposed_by is side:
            draft = draft.remember(proposed_by=None, implied=None)
    for side, sign in sorted(shown - before, key=str):
        is_end = sign == "end"
        draft = propose_end(draft, ProposeEnd(side)) if is_end else resign(draft, Resign(side))
    return draft

"""The referee's word: rulings, corrections and set-ups, from which the record is folded again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from recorder.console import accept_goban
from recorder.events import (
    Alert,
    AlertChanged,
    AlertClosed,
    GameInfo,
    InfoChanged,
    Move,
    MovePlayed,
    MoveVoided,
    Phase,
    PhaseChanged,
    PositionCorrected,
    Provenance,
    ResultChanged,
)
from recorder.game import DISMISS
from recorder.goban import Color, Point, Stone
from recorder.judging import judge
from recorder.memory import Draft, Seen, Standing
from recorder.observations import Correction, Ruling, Setup
from recorder.recording import enter, record_pass, retract
from recorder.referee import raise_alert, recount, revoke_loss, rules_of
from recorder.rules import faults, outcome
from recorder.takeback import lapse

RESULTS = {"draw": "Draw", "replay": "Void", "no-result": "Void", "both-lose": "Void"}
"""SGF RE of the decisions that end a game without a winner."""

STANDS = ("stands", "valid", "reasonable-point")
"""Decisions by which the goban is right and the record follows it."""

VOID = ("void-move", "void-pass")
"""Decisions by which a recorded move is void and counts as a pass."""


CONFIRM = "confirm"
PASS_ON_APPLICATION = "pass-on-application"
"""The decision that time over in the last minute counts as a pass (22.5)."""

LOSSES = {"loss-B": Color.BLACK, "loss-W": Color.WHITE}
"""Decisions by which a named player loses, where the alert names none."""

RESTART = "restart"
"""The decision that players with swapped colors begin again (17.1)."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A move to write down again, as far as it still can be played."""

    played: MovePlayed
    is_new: bool = False


def rule(draft: Draft, content: Ruling) -> Draft:
    """Apply a decision about an alert; an unknown id or a closed game changes nothing."""
    if not 1 <= content.alert_id <= len(draft.game.alerts):
        return draft
    if draft.game.phase is Phase.SEALED:
        return draft
    state = draft.game.alerts[content.alert_id - 1]
    void = [v for v in draft.game.voids if v.alert_id == content.alert_id]
    decision = content.decision
    draft = draft.emit(AlertClosed(content.alert_id, decision, content.by, content.note))
    draft = revoke_loss(recount(draft))
    if decision in (DISMISS, *STANDS):
        draft = _let_stand(draft, content, void)
    elif decision in VOID:
        draft = _make_void(draft, content)
    elif decision in ("warning", "no-warning"):
        warned = state.alert.color if decision == "warning" else None
        draft = recount(draft.emit(AlertChanged(replace(state.alert, warning=warned))))
    else:
        draft = _end_by(draft, content, state.alert)
    return judge(draft)


def _end_by(draft: Draft, content: Ruling, alert: Alert) -> Draft:
    """Apply a decision that ends the game, or says what the alert proposed to be so."""
    decision = content.decision
    if decision in RESULTS:
        return _finish(draft, RESULTS[decision], decision)
    if decision in LOSSES:
        return _finish(draft, f"{LOSSES[decision].opponent.value}+F", alert.type)
    if decision == "loss" and alert.color is not None:
        return _finish(draft, f"{alert.color.opponent.value}+F", alert.type)
    if decision == RESTART:
        return _finish(draft, "Void", decision)
    if decision == PASS_ON_APPLICATION and not draft.game.clock:
        return _pass_for_flag(draft, alert)
    if decision != CONFIRM:
        return draft
    if alert.id in draft.memory.loss_alerts:
        return _finish(draft, draft.game.result, alert.type)
    if alert.type == "colors-swapped" and draft.game.phase is Phase.SUSPENDED:
        draft = draft.emit(InfoChanged(with_players_exchanged(draft.game.info)))
        return draft.emit(PhaseChanged(Phase.PLAYING, "colors exchanged"))
    return draft


def _pass_for_flag(draft: Draft, alert: Alert) -> Draft:
    """Let a player whose time was over by the referee's watch pass instead of losing (22.5)."""
    if alert.color is None or alert.id not in draft.memory.loss_alerts:
        return draft
    carried = tuple(id_ for id_ in draft.memory.loss_alerts if id_ != alert.id)
    draft = revoke_loss(draft.remember(loss_alerts=carried))
    seen = Seen(draft.now_s, draft.now_s)
    return record_pass(
        draft, alert.color, seen, provenance=Provenance.IMPOSED, note=PASS_ON_APPLICATION
    )


def with_players_exchanged(info: GameInfo) -> GameInfo:
    """Return the information with the players' names on the other color (17.1)."""
    return replace(
        info,
        black=info.white,
        white=info.black,
        black_rank=info.white_rank,
        white_rank=info.black_rank,
        black_team=info.white_team,
        white_team=info.black_team,
    )


def _finish(draft: Draft, result: str | None, text: str) -> Draft:
    draft = draft.emit(ResultChanged(result, text, is_confirmed=True))
    draft = draft.emit(PhaseChanged(Phase.ENDED, "confirmed"))
    return draft.remember(end_board=draft.game.physical, changed_s=None)


def _let_stand(draft: Draft, content: Ruling, void: list[MoveVoided]) -> Draft:
    """Let what the alert objected to be the record: a void move, a taken-back or a moved stone."""
    pending = draft.memory.takeback
    if pending is not None and pending.alert_id == content.alert_id:
        return lapse(draft.remember(takeback=replace(pending, is_settled=False)))
    if void:
        return _restore(draft, void, content.decision)
    standing = [s for s in draft.memory.standing if s.alert_id == content.alert_id]
    if content.decision == DISMISS or not standing:
        return draft
    return _follow_goban(draft, standing)


def _follow_goban(draft: Draft, standing: list[Standing]) -> Draft:
    points = sorted({p for s in standing for p in s.shows})
    physical, official = draft.game.physical, draft.game.board
    add = tuple(
        Stone(c, p) for p in points if (c := physical[p]) is not None and c is not official[p]
    )
    remove = tuple(p for p in points if official[p] is not None and physical[p] is None)
    rest = tuple(s for s in draft.memory.standing if s not in standing)
    event = PositionCorrected(add, remove, draft.game.to_move, "ruling")
    return draft.emit(event).remember(standing=rest)


def _restore(draft: Draft, void: list[MoveVoided], reason: str) -> Draft:
    """Write a void move down as played, in place of the pass imposed for it."""
    number = min(v.number for v in void)
    head = [
        Planned(
            MovePlayed(v.number, v.move, provenance=Provenance.EDITED, t_s=v.t_s, view_s=v.t_s),
            is_new=True,
        )
        for v in void
    ]
    tail = list(draft.game.moves[number - 1 :])
    imposed = Move(void[0].move.color, None)
    if tail and tail[0].move == imposed and tail[0].provenance is Provenance.IMPOSED:
        tail = tail[1:]
    rest = tuple(s for s in draft.memory.standing if s.alert_id != void[0].alert_id)
    draft = draft.remember(standing=rest)
    draft = refold(draft, number, [*head, *(Planned(m) for m in tail)], reason)
    return accept_goban(draft, None)


def _make_void(draft: Draft, content: Ruling) -> Draft:
    """Make the recorded move of an alert void: a pass stands for it."""
    alert = draft.game.alerts[content.alert_id - 1].alert
    number = alert.move_number
    if not 1 <= number <= len(draft.game.moves):
        return draft
    played = draft.game.moves[number - 1]
    if played.move.point not in alert.points:
        return draft
    draft = draft.emit(
        MoveVoided(
            move=played.move,
            captured=played.captured,
            number=number,
            reason=alert.type,
            article=alert.article,
            alert_id=alert.id,
            t_s=played.t_s,
        )
    )
    imposed = replace(
        played,
        move=Move(played.move.color, None),
        captured=frozenset(),
        faults=frozenset(),
        provenance=Provenance.IMPOSED,
        note=alert.type,
    )
    tail = [Planned(m) for m in draft.game.moves[number:]]
    draft = refold(draft, number, [Planned(imposed), *tail], content.decision)
    return accept_goban(draft, None)


def refold(draft: Draft, number: int, plan: Iterable[Planned], reason: str) -> Draft:
    """Write the record down again from a number on; what cannot be played becomes an alert."""
    corrections = [c for c in draft.game.corrections if c.after >= number]
    if number <= len(draft.game.moves):
        draft = retract(draft, number, reason)
    for planned in plan:
        draft = _enter_again(draft, planned)
        for corrected in corrections:
            if corrected.after == planned.played.number and not planned.is_new:
                draft = draft.emit(corrected.event)
    return draft


def _enter_again(draft: Draft, planned: Planned) -> Draft:
    played = planned.played
    move, point = played.move, played.move.point
    if point is not None and draft.game.board[point] is not None:
        detail = (("move", str(played.number)), ("by", move.color.value))
        return raise_alert(draft, "record-conflict", move.color, [point], detail=detail)
    rules = rules_of(draft)
    result = outcome(draft.game.board, draft.game.last_move, move, rules)
    broken = frozenset(fault.value for fault in faults(draft.game, move, rules))
    return enter(
        draft,
        move,
        Seen(played.t_s, played.view_s),
        result.captured,
        faults=broken,
        provenance=played.provenance,
        is_order_known=played.is_order_known,
        note=played.note,
    )


def correct(draft: Draft, content: Correction) -> Draft:
    """Let the record read otherwise from a move on; what is as before keeps its times."""
    if draft.game.phase is Phase.SEALED:
        return draft
    number = min(max(1, content.number), len(draft.game.moves) + 1)
    old = draft.game.moves[number - 1 :]
    plan = []
    for place, move in enumerate(content.moves):
        if place < len(old) and old[place].move == move:
            plan.append(Planned(old[place]))
            continue
        edited = MovePlayed(
            number + place,
            move,
            provenance=Provenance.EDITED,
            t_s=draft.now_s,
            view_s=draft.now_s,
            note=": ".join(text for text in (content.by, content.reason) if text),
        )
        plan.append(Planned(edited))
    draft = refold(draft, number, plan, content.reason or "correction")
    draft = draft.remember(standing=_still_open(draft), takeback=None, held=None)
    return judge(accept_goban(draft, None))


def set_up(draft: Draft, content: Setup) -> Draft:
    """Set the official position and the side to move; the goban is accepted as it is."""
    if draft.game.phase is Phase.SEALED:
        return draft
    reason = content.reason or "set-up"
    draft = draft.emit(PositionCorrected(content.add, content.remove, content.to_move, reason))
    draft = draft.remember(standing=_still_open(draft), takeback=None, held=None, implied=None)
    return judge(accept_goban(draft, None))


def _still_open(draft: Draft) -> tuple[Standing, ...]:
    """Return the standing differences that are still differences."""
    official, physical = draft.game.board, draft.game.physical

    def is_open(point: Point) -> bool:
        return official[point] is not physical[point]

    return tuple(s for s in draft.memory.standing if any(map(is_open, s.shows)))

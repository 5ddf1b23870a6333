"""Alerts: raised once an incident, with article, ruling and warning; withdrawn when disproved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from recorder.events import (
    Alert,
    AlertChanged,
    AlertWithdrawn,
    Level,
    Phase,
    PhaseChanged,
    ResultChanged,
    WarningsChanged,
)
from recorder.game import Tally
from recorder.goban import Color, Point
from recorder.memory import Draft
from recorder.rules import Ruleset, ruleset_of
from recorder.rulings import Proposal, proposal

LOSS_PROPOSED = "loss-proposed"
"""Reason of the phase `ended` while only a proposal says so."""


def rules_of(draft: Draft) -> Ruleset:
    """Return the rule set of the game."""
    return ruleset_of(draft.game.info.ruleset)


def propose(draft: Draft, kind: str) -> Proposal:
    """Return what an alert of a type says in this game."""
    return proposal(kind, draft.game.info.ruleset)


def raise_alert(
    draft: Draft,
    kind: str,
    color: Color | None,
    points: Iterable[Point] = (),
    *,
    t_s: float | None = None,
    said: Proposal | None = None,
    offender: Color | None = None,
    turn: int | None = None,
    detail: tuple[tuple[str, str], ...] = (),
) -> Draft:
    """Return the draft with an alert raised; its id is `last_id` of the result.

    Parameters
    ----------
    said
        What the alert says, if not what its type says under the rule set.
    offender
        Who is proposed the warning that the type carries; nobody by default.
    turn
        Number of the offender's move to which this belongs: further findings about the same
        turn are the same incident and carry no second warning.
    """
    said = propose(draft, kind) if said is None else said
    id_ = len(draft.game.alerts) + 1
    number = draft.next_number if turn is None else turn
    first = draft.memory.incidents.get((offender, number)) if offender is not None else None
    is_second = first is not None and draft.game.alerts[first - 1].stands
    warning = offender if said.has_warning and not is_second else None
    # Without a warning, what was a violation only by its warning is for the referee to look at.
    is_lesser = said.has_warning and warning is None and not _has_ruling(said)
    alert = Alert(
        id=id_,
        type=kind,
        level=Level.NOTICE if is_lesser else said.level,
        severity=said.severity,
        color=color,
        points=tuple(points),
        t_s=draft.now_s if t_s is None else t_s,
        article=said.article,
        ruling=said.ruling,
        warning=warning,
        incident=first if is_second and first is not None else id_,
        move_number=number,
        detail=detail,
    )
    draft = draft.emit(alert)
    if offender is not None and not is_second:
        incidents = {**draft.memory.incidents, (offender, number): id_}
        draft = draft.remember(incidents=incidents)
    return recount(draft)


def _has_ruling(said: Proposal) -> bool:
    """Return whether more than a warning is proposed: the move is void, or the game lost."""
    return said.ruling in ("void-second", "void-pass", "loss", "pass-on-claim", "original-point")


def last_id(draft: Draft) -> int:
    """Return the id of the last alert."""
    return len(draft.game.alerts)


def change_alert(draft: Draft, id_: int, said: Proposal, offender: Color | None) -> Draft:
    """Return the draft with an alert that says more now, for example after a claim."""
    alert = draft.game.alerts[id_ - 1].alert
    warning = offender if said.has_warning else alert.warning
    changed = replace(alert, level=said.level, ruling=said.ruling, warning=warning)
    return recount(draft.emit(AlertChanged(changed)))


def withdraw(draft: Draft, id_: int, reason: str) -> Draft:
    """Return the draft with an alert withdrawn, and with it its warning and proposed loss."""
    if not id_ or not draft.game.alerts[id_ - 1].stands:
        return draft
    standing = tuple(s for s in draft.memory.standing if s.alert_id != id_)
    draft = draft.emit(AlertWithdrawn(id_, reason)).remember(standing=standing)
    return revoke_loss(recount(draft))


def recount(draft: Draft) -> Draft:
    """Return the draft with the warnings that follow from the alerts that stand."""
    tally = Tally()
    for state in draft.game.alerts:
        if state.stands and state.alert.warning is not None:
            tally = tally.plus(state.alert.warning, 1)
    if tally == draft.game.warnings:
        return draft
    before = draft.game.warnings
    draft = draft.emit(WarningsChanged(tally.black, tally.white))
    for color in Color:
        if tally.of(color) >= 2 > before.of(color):
            draft = _two_warnings(draft, color)
    return draft


def _two_warnings(draft: Draft, color: Color) -> Draft:
    """Return the draft with the loss proposed to which two warnings lead (24.2, O 12.2)."""
    if not rules_of(draft).has_warnings or draft.game.phase in (Phase.SCORING, Phase.SEALED):
        return draft
    draft = raise_alert(draft, "two-warnings", color)
    return propose_loss(draft, color, last_id(draft))


def propose_loss(draft: Draft, loser: Color, id_: int, *, how: str = "F") -> Draft:
    """Return the draft with a loss proposed, not imposed: the recording goes on.

    `how` is the letter of SGF RE: F by forfeit, T on time.
    """
    result = f"{loser.opponent.value}+{how}"
    loss_alerts = (*draft.memory.loss_alerts, id_)
    draft = draft.remember(loss_s=draft.now_s, loss_alerts=loss_alerts)
    if draft.game.result != result:
        draft = draft.emit(ResultChanged(result, draft.game.alerts[id_ - 1].alert.type))
    if draft.game.phase is not Phase.ENDED:
        draft = draft.emit(PhaseChanged(Phase.ENDED, LOSS_PROPOSED))
    return draft


def revoke_loss(draft: Draft) -> Draft:
    """Return the draft without a proposed loss that no alert carries any more."""
    for id_ in draft.memory.loss_alerts:
        alert = draft.game.alerts[id_ - 1].alert
        if alert.type == "two-warnings" and alert.color is not None:
            has_two = draft.game.warnings.of(alert.color) >= 2
            if not has_two and draft.game.alerts[id_ - 1].stands:
                draft = draft.emit(AlertWithdrawn(id_, "a warning was withdrawn"))
    carried = tuple(id_ for id_ in draft.memory.loss_alerts if draft.game.alerts[id_ - 1].stands)
    draft = draft.remember(loss_alerts=carried)
    if carried or not is_loss_proposed(draft):
        return draft
    return draft.emit(ResultChanged(None)).emit(PhaseChanged(Phase.PLAYING, "loss-withdrawn"))


def is_loss_proposed(draft: Draft) -> bool:
    """Return whether the game has ended by a proposal only."""
    return draft.game.phase is Phase.ENDED and draft.game.phase_reason == LOSS_PROPOSED


def owner(colors: Iterable[Color]) -> Color | None:
    """Return the one color of several stones, or None if they are of both."""
    found = set(colors)
    return found.pop() if len(found) == 1 else None

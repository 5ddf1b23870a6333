"""A last stone that is lifted again: taken back, dropped, or only adjusted (17.3, O 8.2)."""

from __future__ import annotations

from dataclasses import replace

from recorder.accidents import stand
from recorder.events import Move, Provenance
from recorder.goban import Color, Point
from recorder.inference import Difference, Line, before_last, difference, explain
from recorder.memory import DWELL_S, HUMAN_S, Draft, Seen, Standing, TakeBack
from recorder.recording import record_move, retract
from recorder.referee import last_id, propose, raise_alert, rules_of, withdraw
from recorder.rulings import claimed_takeback


def judge_takeback(draft: Draft, diff: Difference) -> Draft | None:
    """Report a last stone that left its point while one of its color appeared elsewhere."""
    last, before = draft.game.last_move, before_last(draft.game)
    if last is None or before is None or last.move.point is None:
        return None
    origin, color = last.move.point, last.move.color
    if diff.physical[origin] is not None or origin in diff.tolerated:
        return None
    # What is accounted for, or too old to be a move, is no new place of the stone either.
    undone = difference(before, diff.physical, draft.memory).without(diff.tolerated)
    line = _new_line(draft, undone, color, origin)
    if line is None:
        return None
    target = line.moves[0].move.point
    assert target is not None
    seen = draft.memory.seen.get(target, Seen(draft.now_s, draft.now_s))
    is_drop = _dwell_s(draft, origin, last.t_s) < DWELL_S or seen.t_s - last.t_s < HUMAN_S
    if draft.memory.is_free_choice or is_drop:
        return _replace_freely(draft, len(draft.game.moves), Move(color, target), seen)
    return _begin(draft, origin, target, color, seen)


def late_place(draft: Draft, diff: Difference, stale: list[Point]) -> Draft | None:
    """Put the last stone but one where it was played in the end, seen only behind the reply.

    Its first place is empty, and a stone of its color has stood elsewhere since before the reply.
    """
    moves = draft.game.moves
    if len(moves) < 2:
        return None
    first, reply = moves[-2:]
    origin, color = first.move.point, first.move.color
    targets = [point for point in stale if diff.extra[point] is color]
    if origin is None or reply.move.color is color or len(targets) != 1:
        return None
    if draft.game.board[origin] is not color or draft.game.physical[origin] is not None:
        return None
    target = targets[0]
    again = _forget(draft, origin)
    again = raise_alert(
        again, "take-back", color, (origin, target), t_s=draft.memory.seen[target].t_s
    )
    again = retract(again, first.number, "take-back")
    again = record_move(again, Move(color, target), draft.memory.seen[target])
    at = Seen(reply.t_s, reply.view_s)
    again = record_move(again, reply.move, at, provenance=reply.provenance)
    return (
        again
        if [m.move for m in again.game.moves[-2:]] == [Move(color, target), reply.move]
        else None
    )


def _forget(draft: Draft, origin: Point) -> Draft:
    """Withdraw what was said of a stone that seemed to be missing."""
    for standing in draft.memory.standing:
        if standing.kind == "stone-missing" and set(standing.shows) == {origin}:
            return withdraw(draft, standing.alert_id, "it was put elsewhere")
    return draft


def _new_line(draft: Draft, undone: Difference, color: Color, origin: Point) -> Line | None:
    """Return the moves, the first of them the stone's new place, that explain the goban."""
    if color not in undone.extra.values():
        return None
    moves = draft.game.moves
    start = Line(undone.official, color, moves[-2] if len(moves) > 1 else None)
    rules = rules_of(draft)
    lines = explain(start, undone, rules) or explain(start, undone, rules, is_exact=False)
    fitting = [line for line in lines if line.moves[0].move.point != origin]
    return fitting[0] if fitting else None


def _dwell_s(draft: Draft, origin: Point, played_s: float) -> float:
    """Return how long the stone stood."""
    gone = draft.memory.seen.get(origin)
    return (gone.t_s if gone is not None else draft.now_s) - played_s


def undo_drop(draft: Draft, diff: Difference) -> Draft | None:
    """Take a stone that stood for a moment only out of the record: it had dropped."""
    last, before = draft.game.last_move, before_last(draft.game)
    point = last.move.point if last is not None else None
    if last is None or before is None or point is None or point not in diff.missing:
        return None
    if _dwell_s(draft, point, last.t_s) >= DWELL_S:
        return None
    if difference(before, diff.physical, draft.memory):
        return None
    draft = raise_alert(draft, "dropped-stone", last.move.color, [point])
    return retract(draft, last.number, "dropped-stone")


def _replace_freely(draft: Draft, number: int, move: Move, seen: Seen) -> Draft:
    """Put the stone where it was played in the end: it had dropped, or was adjusted."""
    assert move.point is not None
    origin = draft.game.moves[number - 1].move.point
    points = [p for p in (origin, move.point) if p is not None]
    draft = raise_alert(draft, "dropped-stone", move.color, points)
    draft = retract(draft, number, "dropped-stone")
    return record_move(draft, move, seen)


def _begin(draft: Draft, origin: Point, target: Point, color: Color, seen: Seen) -> Draft:
    """Raise the alert; until claim or reply both points are accounted for."""
    last = draft.game.moves[-1]
    is_claimed = draft.memory.is_claimed
    ruleset = draft.game.info.ruleset
    said = claimed_takeback(ruleset) if is_claimed else propose(draft, "take-back")
    draft = raise_alert(
        draft,
        "take-back",
        color,
        (origin, target),
        t_s=seen.t_s,
        said=said,
        offender=color,
        turn=last.number,
    )
    shows: dict[Point, set[Color | None]] = {p: {None, color.opponent} for p in last.captured}
    shows |= {origin: {None}, target: {color, None}}
    draft = stand(draft, "take-back", color, shows, number=last.number)
    is_settled = is_claimed or not rules_of(draft).takeback_needs_claim
    pending = TakeBack(last_id(draft), last.number, color, origin, target, seen, is_settled)
    return draft.remember(takeback=pending)


def follow_takeback(draft: Draft, diff: Difference) -> Draft | None:
    """Follow a pending take-back: put right, played elsewhere again, or answered."""
    pending = draft.memory.takeback
    if pending is None:
        return None
    physical = draft.game.physical
    if physical[pending.origin] is pending.color and physical[pending.target] is None:
        return _drop(draft, pending)
    again = [p for p, c in diff.extra.items() if c is pending.color]
    if physical[pending.target] is None and again:
        return _elsewhere(draft, pending, again[0])
    if pending.color.opponent in diff.extra.values() and not pending.is_settled:
        return lapse(draft)
    return None


def _standing_of(draft: Draft, pending: TakeBack) -> tuple[Standing, ...]:
    return tuple(s for s in draft.memory.standing if s.alert_id != pending.alert_id)


def _captures_of(draft: Draft, pending: TakeBack) -> tuple[Standing, ...]:
    """Keep accounting for stones that the taken-back move had captured: they must come back."""
    return tuple(
        replace(
            s,
            shows={
                p: shown
                for p, shown in s.shows.items()
                if p not in (pending.origin, pending.target)
            },
        )
        if s.alert_id == pending.alert_id
        else s
        for s in draft.memory.standing
    )


def _drop(draft: Draft, pending: TakeBack) -> Draft:
    """The stone is back; a stone captured by it must go again."""
    return draft.remember(takeback=None, standing=_standing_of(draft, pending))


def _elsewhere(draft: Draft, pending: TakeBack, target: Point) -> Draft:
    seen = draft.memory.seen.get(target, Seen(draft.now_s, draft.now_s))
    changed = replace(pending, target=target, seen=seen)
    standing = tuple(
        replace(s, shows={**s.shows, target: frozenset({pending.color, None})})
        if s.alert_id == pending.alert_id
        else s
        for s in draft.memory.standing
    )
    return draft.remember(takeback=changed, standing=standing)


def lapse(draft: Draft) -> Draft:
    """Let the record follow the goban: the opponent has played on without a claim."""
    pending = draft.memory.takeback
    if pending is None:
        return draft
    draft = draft.remember(takeback=None)
    before = before_last(draft.game)
    is_back = draft.game.physical[pending.target] is not pending.color
    if pending.is_settled or before is None or is_back:
        return draft
    moves = draft.game.moves
    start = Line(before, pending.color, moves[-2] if len(moves) > 1 else None)
    move = Move(pending.color, pending.target)
    if start.played(move, rules_of(draft)) is None:
        return draft
    draft = draft.remember(standing=_captures_of(draft, pending))
    draft = retract(draft, pending.number, "take-back")
    return record_move(draft, move, pending.seen, provenance=Provenance.SEEN)


def choose_freely(draft: Draft) -> Draft:
    """Let the last stone be played freely: the opponent agrees that it had dropped."""
    pending = draft.memory.takeback
    if pending is None:
        return draft.remember(is_free_choice=True)
    draft = withdraw(draft, pending.alert_id, "the opponent agrees that the stone had dropped")
    draft = draft.remember(takeback=None)
    move = Move(pending.color, pending.target)
    return _replace_freely(draft, pending.number, move, pending.seen)

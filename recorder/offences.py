"""Stones that may not stand where they do: out of turn, on a forbidden point, against the ko."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recorder.accidents import close_turn, stand
from recorder.events import Level, Move
from recorder.goban import Color, Point, neighbors
from recorder.inference import Difference, unseen_captures
from recorder.memory import DOUBT_S, HUMAN_S, SETTLING_S, Claimable, Draft, Seen
from recorder.recording import enter, record_move, void_move
from recorder.referee import last_id, propose, raise_alert, rules_of
from recorder.rules import Fault, Lapse, Outcome, outcome
from recorder.turns import hold, is_legal, replace_pass


def judge_stone(*, is_due: bool) -> Callable[[Draft, Difference], Draft | None]:
    """Return the judgment of the first new stone that no legal sequence explains."""

    def attempt(draft: Draft, diff: Difference) -> Draft | None:
        """Play it if it is legal by itself; otherwise report it."""
        if not diff.extra:
            return None
        side = draft.game.to_move or next(iter(diff.extra.values()))
        own = [p for p, c in diff.extra.items() if c is side]
        if own:
            return _own_stone(draft, diff, own, side, is_due=is_due)
        return _out_of_turn(draft, diff, next(iter(diff.extra)), side.opponent, is_due=is_due)

    return attempt


def _own_stone(
    draft: Draft, diff: Difference, own: Sequence[Point], side: Color, *, is_due: bool
) -> Draft | None:
    seen = [draft.memory.seen.get(p, Seen(draft.now_s, draft.now_s)) for p in own]
    if len(own) > 1 and seen[0].t_s >= seen[1].earliest_s:
        return _two_at_once(draft, tuple(own), side)
    move = Move(side, own[0])
    if is_legal(draft, move):
        return record_move(draft, move, seen[0])
    taken = outcome(draft.game.board, draft.game.last_move, move, rules_of(draft)).captured
    near = set(neighbors(diff.official.size)[own[0]]) - taken
    if not is_due and not near.isdisjoint(diff.missing):
        # Stones around it are gone, too: what it means shows when those are back or explained.
        return None
    return illegal_play(draft, move, seen[0])


def _two_at_once(draft: Draft, points: tuple[Point, ...], color: Color) -> Draft:
    """Report stones of one color in one view; which one is the move shows later."""
    said = propose(draft, "double-move")
    said = said._replace(level=Level.NOTICE, ruling="fix-order", has_warning=False)
    draft = raise_alert(draft, "double-move", color, points, said=said)
    draft = hold(draft, points, color)
    return stand(draft, "held", color, {p: {color, None} for p in points})


def _out_of_turn(
    draft: Draft, diff: Difference, point: Point, color: Color, *, is_due: bool
) -> Draft | None:
    """Report a stone of the side that is not to move."""
    seen = draft.memory.seen.get(point, Seen(draft.now_s, draft.now_s))
    move = Move(color, point)
    if draft.memory.resume_first is color.opponent:
        draft = raise_alert(draft, "wrong-resume-side", color, [point], t_s=seen.t_s)
        return stand(draft, "wrong-resume-side", color, {point: {color, None}})
    if _is_first(draft, color):
        draft = raise_alert(draft, "wrong-first-color", color, [point], t_s=seen.t_s)
        return record_move(draft, move, seen)
    if not is_due and is_doubtful(draft, color, seen):
        return None
    if not is_due and unseen_captures(diff, color):
        # His stones are gone as if captured: the opponent has moved, and his stone is hidden.
        return None
    return replace_pass(draft, move, seen) or double_move(draft, move, seen)


def is_doubtful(draft: Draft, color: Color, seen: Seen) -> bool:
    """Return whether it is too early to say that a stone is a second one in a row.

    Other points may still be settling; or it came too soon after the first to be a move of its own.
    """
    if seen.is_tracked and draft.now_s - seen.view_s < SETTLING_S:
        return True
    last = draft.game.last_move
    if last is None or last.move.color is not color or last.move.point is None:
        return False
    if abs(seen.t_s - last.t_s) >= HUMAN_S or seen.view_s == last.view_s:
        return False
    return draft.now_s - seen.t_s < DOUBT_S


def _is_first(draft: Draft, color: Color) -> bool:
    """Return whether a stone opens the game: White's an even one, Black's one with handicap."""
    game = draft.game
    if game.moves or game.info.moves_before:
        return False
    if game.info.handicap >= 2:
        return color is Color.BLACK
    return color is Color.WHITE and not game.board


def double_move(draft: Draft, move: Move, seen: Seen) -> Draft:
    """Report a second stone in a row (17.2, O 8.1): void, loss, or to be claimed."""
    assert move.point is not None
    rules = rules_of(draft)
    kind = Fault.OUT_OF_TURN.value
    result = outcome(draft.game.board, None, move, rules)
    if rules.double_move is Lapse.CLAIM:
        return _standing_fault(draft, move, seen, kind, result)
    return void_move(draft, move, seen, kind, captured=result.captured, is_pass=False)


def illegal_play(draft: Draft, move: Move, seen: Seen) -> Draft:
    """Report a stone on a forbidden point or against the ko: void and a pass, loss, or a claim."""
    rules = rules_of(draft)
    result = outcome(draft.game.board, draft.game.last_move, move, rules)
    kind = next(iter(result.faults)).value
    touched = {move.point} if move.point is not None else set()
    draft = close_turn(draft, move.color, result.captured | touched)
    if rules.illegal_play is Lapse.CLAIM:
        return _standing_fault(draft, move, seen, kind, result)
    return void_move(draft, move, seen, kind, captured=result.captured, is_pass=True)


def _standing_fault(draft: Draft, move: Move, seen: Seen, kind: str, result: Outcome) -> Draft:
    """Record an illegal move that stands unless the opponent claims before his reply (AGA)."""
    assert move.point is not None
    number = draft.next_number
    draft = raise_alert(
        draft, kind, move.color, [move.point], t_s=seen.t_s, offender=move.color, turn=number
    )
    id_ = last_id(draft)
    draft = enter(draft, move, seen, result.captured, faults=frozenset({kind}))
    return draft.remember(claimable=Claimable(id_, kind, number))

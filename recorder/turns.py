"""Whose stone it is: handicap, held pairs, exchanged colors, and evidence that comes late."""

from __future__ import annotations

from dataclasses import replace

from recorder.events import Move, MovePlayed, PositionCorrected, Provenance
from recorder.goban import Color, Point, Stone
from recorder.inference import Difference
from recorder.memory import DOUBT_S, LATE_S, Draft, Held, Seen, Standing
from recorder.recording import enter, record_move, retract
from recorder.referee import raise_alert, rules_of, withdraw
from recorder.rules import outcome


def is_legal(draft: Draft, move: Move) -> bool:
    """Return whether the rules allow a move as the next one, repetition apart."""
    if move.point is None:
        return True
    if draft.game.board[move.point] is not None:
        return False
    result = outcome(draft.game.board, draft.game.last_move, move, rules_of(draft))
    return not result.faults


def place_handicap(draft: Draft, diff: Difference) -> Draft | None:
    """Take the stones before White's first for handicap stones; count them when White plays."""
    info, board = draft.game.info, draft.game.board
    if draft.game.moves or info.handicap < 2 or draft.game.to_move is not Color.WHITE:
        return None
    stones = [Stone(c, p) for p, c in diff.extra.items() if c is Color.BLACK]
    placed = len(board.points_of(Color.BLACK))
    if placed == info.handicap and not draft.memory.is_placing:
        return None
    has_begun = Color.WHITE in diff.extra.values()
    if has_begun:
        stones = stones[: max(0, info.handicap - placed)]
    gone = () if has_begun else tuple(p for p, c in diff.missing.items() if c is Color.BLACK)
    if stones or gone:
        event = PositionCorrected(tuple(stones), gone, Color.WHITE, "handicap")
        return draft.emit(event).remember(is_placing=True)
    is_told = any(state.alert.type == "handicap-mismatch" for state in draft.game.alerts)
    if not has_begun or placed == info.handicap or is_told:
        return None
    detail = (("expected", str(info.handicap)), ("placed", str(placed)))
    return raise_alert(draft, "handicap-mismatch", Color.BLACK, (), detail=detail)


def resolve_held(draft: Draft, diff: Difference) -> Draft | None:
    """Play the one of two stones of the same view that is left, or the first when answered."""
    held = draft.memory.held
    if held is None:
        return None
    physical = draft.game.physical
    present = [p for p in held.points if physical[p] is held.color]
    is_answered = held.color.opponent in diff.extra.values()
    if len(present) > 1 and not is_answered:
        return None
    standing = tuple(s for s in draft.memory.standing if s.kind != "held")
    if len(present) > 1:
        shows = {p: frozenset({held.color, None}) for p in present[1:]}
        rest = Standing("second", held.alert_id, held.color, draft.next_number, shows)
        standing = (*standing, rest)
    draft = draft.remember(held=None, standing=standing)
    if not present:
        return draft
    move = Move(held.color, present[0])
    if draft.game.to_move is held.color.opponent or not is_legal(draft, move):
        return draft
    return record_move(draft, move, held.seen)


def hold(draft: Draft, points: tuple[Point, ...], color: Color) -> Draft:
    """Remember stones of one color of which one is the move."""
    seen = draft.memory.seen.get(points[0], Seen(draft.now_s, draft.now_s))
    return draft.remember(held=Held(color, points, seen, len(draft.game.alerts)))


def _void_stone(draft: Draft) -> tuple[Standing, Point] | None:
    """Return the second stone in a row that was declared void before the move now awaited."""
    for standing in draft.memory.standing:
        is_now = standing.kind == "double-move" and standing.number == draft.next_number
        if not is_now or not draft.game.alerts[standing.alert_id - 1].stands:
            continue
        for void in draft.game.voids:
            if void.alert_id == standing.alert_id and void.move.point is not None:
                return standing, void.move.point
    return None


def settle_exchange(draft: Draft, diff: Difference) -> Draft | None:
    """Take a second stone in a row, now exchanged for the other color, for that color's move."""
    side, found = draft.game.to_move, _void_stone(draft)
    if found is None or side is None or draft.game.physical[found[1]] is not side:
        return None
    return correct_color(draft)


def correct_color(draft: Draft) -> Draft | None:
    """Take the second stone in a row for a move of the side to move, with the wrong stone.

    Return None if there is no such stone, or the move would not be legal.
    """
    side, found = draft.game.to_move, _void_stone(draft)
    if found is None or side is None:
        return None
    standing, point = found
    move, is_there = Move(side, point), draft.game.physical[point] is not None
    if not is_there or not is_legal(draft, move):
        return None
    draft = withdraw(draft, standing.alert_id, "it was a move with a stone of the wrong color")
    draft = raise_alert(draft, "wrong-color-stone", side, [point], t_s=standing.t_s)
    seen = draft.memory.seen.get(point, Seen(standing.t_s, standing.t_s))
    if draft.game.physical[point] is side:
        seen = Seen(standing.t_s, standing.t_s)
    shows = {point: frozenset({side.opponent, None})}
    number = draft.next_number
    wrong = Standing("wrong-color-stone", len(draft.game.alerts), side, number, shows)
    draft = draft.remember(standing=(*draft.memory.standing, wrong))
    return record_move(draft, move, seen)


def late_evidence(draft: Draft, diff: Difference) -> Draft | None:
    """Insert a move that was hidden when the other side's stone seemed to be a second in a row."""
    side, found = draft.game.to_move, _void_stone(draft)
    if found is None or side is None:
        return None
    standing, second = found
    if draft.game.physical[second] is not side.opponent:
        return None
    own = [p for p, c in diff.extra.items() if c is side]
    for point in own:
        seen = draft.memory.seen[point]
        if not _may_precede(seen, standing) or not is_legal(draft, Move(side, point)):
            continue
        draft = withdraw(draft, standing.alert_id, "a stone played before was hidden")
        return record_move(draft, Move(side, point), seen, provenance=Provenance.INFERRED)
    return None


def _may_precede(seen: Seen, standing: Standing) -> bool:
    """Return whether a stone may have been played before the one that stands."""
    if seen.empty_s is not None:
        return seen.empty_s <= standing.t_s
    return seen.t_s - standing.t_s <= LATE_S


def late_takeback(draft: Draft, diff: Difference) -> Draft | None:
    """Withdraw a second stone in a row when the first is gone a moment later: it was taken back."""
    last, found = draft.game.last_move, _void_stone(draft)
    first = last.move.point if last is not None else None
    if found is None or last is None or first is None or first not in diff.missing:
        return None
    standing, second = found
    gone = draft.memory.seen.get(first)
    is_soon = gone is not None and gone.t_s - standing.view_s <= DOUBT_S
    if not is_soon or draft.game.physical[second] is not last.move.color:
        return None
    return withdraw(draft, standing.alert_id, "the first stone was taken back")


def continue_moved(draft: Draft, diff: Difference) -> Draft | None:
    """Take a stone reported as moved for the move of its owner, now that the reply has come."""
    side = draft.game.to_move
    if side is None or side.opponent not in diff.extra.values():
        return None
    for standing in draft.memory.standing:
        if standing.kind != "moved-stone" or standing.number != draft.next_number:
            continue
        for point in standing.shows:
            is_target = draft.game.board[point] is None and draft.game.physical[point] is side
            if is_target and is_legal(draft, Move(side, point)):
                seen = draft.memory.seen.get(point, Seen(standing.t_s, standing.t_s))
                draft = _release(draft, standing, point)
                return record_move(draft, Move(side, point), seen)
    return None


def _release(draft: Draft, standing: Standing, point: Point) -> Draft:
    """No longer account for a point by a standing difference."""
    shows = {p: s for p, s in standing.shows.items() if p != point}
    changed = replace(standing, shows=shows)
    rest = tuple(changed if s is standing else s for s in draft.memory.standing)
    return draft.remember(standing=rest)


def replace_pass(draft: Draft, move: Move, seen: Seen) -> Draft | None:
    """Take a stone that came late for the move that only a press had told of.

    The press had been read as a pass. If its player's next stone is put in its place, the stone
    that would be his second in a row is in turn.
    """
    moves = draft.game.moves
    place = next((i for i in range(len(moves) - 1, -1, -1) if _is_pressed(moves[i])), None)
    if place is None or moves[place].move.color is not move.color or len(moves) - place > 4:
        return None
    last = moves[-1]
    if last.move.color is not move.color or last.move.point is None or last is moves[place]:
        return None
    hidden = replace(last, t_s=moves[place].t_s, view_s=moves[place].view_s)
    plan = [hidden, *moves[place + 1 : -1]]
    again = retract(draft, place + 1, "hidden stone")
    for played in plan:
        if not is_legal(again, played.move):
            return None
        at = Seen(played.t_s, played.view_s)
        result = outcome(again.game.board, again.game.last_move, played.move, rules_of(again))
        again = enter(
            again, played.move, at, result.captured, provenance=Provenance.INFERRED, note="press"
        )
    return record_move(again, move, seen) if is_legal(again, move) else None


def _is_pressed(played: MovePlayed) -> bool:
    is_inferred = played.provenance is Provenance.INFERRED and played.note == "press"
    return played.move.is_pass and is_inferred

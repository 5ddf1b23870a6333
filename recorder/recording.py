"""Moves and passes into the record, with what each leads to: repetition, the end, a void move."""

from __future__ import annotations

from recorder.accidents import answer_in_hole, close_turn, stand
from recorder.events import (
    Move,
    MovePlayed,
    MovesRetracted,
    MoveVoided,
    Phase,
    PhaseChanged,
    Provenance,
    ResultChanged,
)
from recorder.game_clock import read_left
from recorder.goban import Board, Color, Point
from recorder.memory import CLOCK_TOLERANCE_S, Claimable, Draft, Implied, Seen, Uncleared
from recorder.referee import (
    is_loss_proposed,
    last_id,
    propose,
    propose_loss,
    raise_alert,
    rules_of,
)
from recorder.rules import Fault, Outcome, outcome, repeated, side_to_move_after
from recorder.rulings import Proposal, as_note, void_repetition

VOID_PASS = "void-pass"
"""The superko policy by which a repetition is void and counts as a pass."""


def record_move(
    draft: Draft,
    move: Move,
    seen: Seen,
    *,
    provenance: Provenance = Provenance.SEEN,
    is_order_known: bool = True,
    note: str = "",
) -> Draft:
    """Return the draft after a stone that the rules allow, or may have to be void for repeating."""
    rules = rules_of(draft)
    result = outcome(draft.game.board, draft.game.last_move, move, rules)
    touched = {move.point} if move.point is not None else set()
    draft = close_turn(draft, move.color, result.captured | touched)
    if move.point is not None:
        draft = answer_in_hole(draft, move.point)
    earlier = repeated(draft.game, result.board, move.color, rules)
    if earlier is not None and draft.game.info.superko == VOID_PASS:
        return _void_repetition(draft, move, seen, result, earlier)
    faults = {Fault.REPETITION.value} if earlier is not None and rules.repetition_by_claim else ()
    draft = _late_stone(draft, move, seen)
    draft = enter(
        draft,
        move,
        seen,
        result.captured,
        faults=frozenset(faults),
        provenance=provenance,
        is_order_known=is_order_known,
        note=note,
    )
    return draft if earlier is None else _report_repetition(draft, move, seen, earlier)


def enter(
    draft: Draft,
    move: Move,
    seen: Seen,
    captured: frozenset[Point] = frozenset(),
    *,
    faults: frozenset[str] = frozenset(),
    provenance: Provenance = Provenance.SEEN,
    is_order_known: bool = True,
    note: str = "",
) -> Draft:
    """Return the draft with a move written down as it is, and the memory of a new turn."""
    draft = go_on(draft)
    before = draft.game.board
    left = read_left(draft, move.color, seen.t_s)
    draft = draft.emit(
        MovePlayed(
            number=draft.next_number,
            move=move,
            captured=captured,
            faults=faults,
            provenance=provenance,
            t_s=seen.t_s,
            view_s=seen.view_s,
            is_order_known=is_order_known,
            clock_left_s=left.seconds,
            note=note,
            clock_moves_left=left.moves,
        )
    )
    return _new_turn(draft, before, captured, seen)


def _new_turn(draft: Draft, before: Board, captured: frozenset[Point], seen: Seen) -> Draft:
    """Return the draft that remembers a move's captures and nothing else of the turn before."""
    captures = draft.memory.uncleared
    color = draft.game.moves[-1].move.color
    colors = {p: before[p] or color for p in captured}
    standing = [p for p, c in colors.items() if draft.game.physical[p] is c]
    if standing:
        is_begun = len(standing) < len(captured)
        capture = Uncleared(color, len(draft.game.moves), colors, seen.view_s, is_begun)
        captures = (*captures, capture)
    return draft.remember(
        uncleared=captures,
        seen={p: at for p, at in draft.memory.seen.items() if p not in captured},
        last_seen=seen,
        implied=None,
        closed_s=None,
        takeback=None,
        claimable=None,
        is_free_choice=False,
        is_claimed=False,
        proposed_by=None,
        resume_first=None,
        dead_claim_by=None,
    )


def go_on(draft: Draft) -> Draft:
    """Return the draft in play again: what was only proposed or referred does not stop play."""
    if is_loss_proposed(draft) and draft.memory.loss_s != draft.now_s:
        return draft.emit(ResultChanged(None)).emit(PhaseChanged(Phase.PLAYING, "play goes on"))
    if draft.game.phase is Phase.SUSPENDED and draft.memory.suspended_s != draft.now_s:
        return draft.emit(PhaseChanged(Phase.PLAYING, "play goes on"))
    return draft


def record_pass(
    draft: Draft,
    color: Color,
    seen: Seen,
    *,
    provenance: Provenance = Provenance.SEEN,
    note: str = "",
) -> Draft:
    """Return the draft after a pass; the second of two in a row, none imposed, ends play (7)."""
    draft = close_turn(draft, color)
    before = draft.game.last_move
    draft = enter(draft, Move(color, None), seen, provenance=provenance, note=note)
    is_second = before is not None and before.move.is_pass and before.move.color is not color
    is_imposed = Provenance.IMPOSED in (provenance, before and before.provenance)
    is_resumed = any(c.after == len(draft.game.moves) - 1 for c in draft.game.corrections)
    if is_second and not is_imposed and not is_resumed and draft.game.phase is Phase.PLAYING:
        return end_play(draft, "two passes")
    return draft


def end_play(draft: Draft, reason: str) -> Draft:
    """Return the draft with play over and the count to come; nothing seen now is a move."""
    draft = draft.emit(PhaseChanged(Phase.SCORING, reason))
    return draft.remember(end_board=draft.game.physical, changed_s=None)


def _late_stone(draft: Draft, move: Move, seen: Seen) -> Draft:
    """Report a stone that came well after its player's press (17.4)."""
    press = draft.memory.implied
    if press is None or press.reason != "press" or press.color is not move.color:
        return draft
    if press.is_answered or seen.earliest_s - press.t_s <= CLOCK_TOLERANCE_S:
        return draft
    said = propose(draft, "clock-before-stone")
    said = said if press.is_certain else as_note(said)
    return raise_alert(
        draft,
        "clock-before-stone",
        move.color,
        (),
        t_s=press.t_s,
        said=said,
        offender=move.color if press.is_certain else None,
    )


def void_move(
    draft: Draft,
    move: Move,
    seen: Seen,
    kind: str,
    *,
    captured: frozenset[Point],
    is_pass: bool,
    said: Proposal | None = None,
    detail: tuple[tuple[str, str], ...] = (),
) -> Draft:
    """Return the draft after a move that does not count, perhaps as a pass, perhaps losing."""
    assert move.point is not None
    said = propose(draft, kind) if said is None else said
    number = draft.next_number
    draft = go_on(draft)
    draft = raise_alert(
        draft,
        kind,
        move.color,
        [move.point],
        t_s=seen.t_s,
        said=said,
        offender=move.color,
        detail=detail,
    )
    id_ = last_id(draft)
    draft = draft.emit(MoveVoided(move, captured, number, kind, said.article, id_, seen.t_s))
    shows: dict[Point, set[Color | None]] = {p: {None, draft.game.board[p]} for p in captured}
    shows[move.point] = {move.color, None}
    draft = stand(draft, kind, move.color, shows, number=number, alert_id=id_, t_s=seen.t_s)
    if said.ruling == "loss":
        draft = propose_loss(draft, move.color, id_)
    if not is_pass:
        return draft
    if is_loss_proposed(draft) and draft.memory.loss_s == draft.now_s:
        # The game is over by the proposal; should they play on, the pass still counts.
        return draft.remember(implied=Implied(move.color, seen.view_s, "void"))
    return record_pass(draft, move.color, seen, provenance=Provenance.IMPOSED, note=kind)


def _void_repetition(draft: Draft, move: Move, seen: Seen, result: Outcome, earlier: int) -> Draft:
    said = void_repetition(draft.game.info.ruleset)
    detail = cycle(draft, move, result.captured, earlier)
    return void_move(
        draft,
        move,
        seen,
        Fault.REPETITION.value,
        captured=result.captured,
        is_pass=True,
        said=said,
        detail=detail,
    )


def _report_repetition(draft: Draft, move: Move, seen: Seen, earlier: int) -> Draft:
    """Report a position that stood before; by claim it is a pass, otherwise the referee decides."""
    assert move.point is not None
    number = len(draft.game.moves)
    last = draft.game.moves[-1]
    draft = raise_alert(
        draft,
        Fault.REPETITION.value,
        move.color,
        [move.point],
        t_s=seen.t_s,
        turn=number,
        detail=cycle(draft, move, last.captured, earlier),
    )
    if rules_of(draft).repetition_by_claim:
        return draft.remember(claimable=Claimable(last_id(draft), Fault.REPETITION.value, number))
    draft = draft.emit(PhaseChanged(Phase.SUSPENDED, Fault.REPETITION.value))
    return draft.remember(suspended_s=draft.now_s)


def cycle(
    draft: Draft, move: Move, captured: frozenset[Point], earlier: int
) -> tuple[tuple[str, str], ...]:
    """Return the facts about a cycle of positions: its length, and what each side captured."""
    moves = list(draft.game.moves[earlier:])
    if not moves or moves[-1].move != move:
        moves.append(MovePlayed(len(draft.game.moves) + 1, move, captured))
    taken = {c: sum(len(m.captured) for m in moves if m.move.color is c) for c in Color}
    is_same = side_to_move_after(draft.game, earlier) is move.color.opponent
    return (
        ("earlier_move", str(earlier)),
        ("cycle_plies", str(len(moves))),
        ("same_side_to_move", str(is_same).lower()),
        ("captures_black", str(taken[Color.BLACK])),
        ("captures_white", str(taken[Color.WHITE])),
        ("balanced", str(taken[Color.BLACK] == taken[Color.WHITE]).lower()),
        ("options", ",".join(rules_of(draft).repetition_options)),
    )


def retract(draft: Draft, number: int, reason: str) -> Draft:
    """Return the draft without the moves from a number on; nothing else of it changes."""
    draft = draft.emit(MovesRetracted(number, reason))
    captures = tuple(c for c in draft.memory.uncleared if c.number < number)
    return draft.remember(uncleared=captures)

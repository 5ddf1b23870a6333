"""What a change on the goban means: the explanations in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from recorder.accidents import (
    is_scattered,
    report_changed,
    report_missing,
    report_moved,
    report_scattered,
    stand,
)
from recorder.events import Move, Phase, PhaseChanged, Provenance
from recorder.goban import Color, Point
from recorder.inference import (
    Difference,
    Line,
    difference,
    explain,
    hole_replies,
    line_of,
    moved_pairs,
    throw_ins,
)
from recorder.memory import SAME_TIME_S, Draft, Implied, Seen
from recorder.offences import judge_stone
from recorder.recording import record_move, record_pass
from recorder.referee import is_loss_proposed, raise_alert, rules_of
from recorder.takeback import follow_takeback, judge_takeback, late_place, undo_drop
from recorder.turns import (
    continue_moved,
    late_evidence,
    late_takeback,
    place_handicap,
    resolve_held,
    settle_exchange,
)

MAX_ACTIONS = 40
"""No view leads to more; a guard against going round in circles."""

BOTH_GONE_S = 1.0
"""A stone that goes while another of its color comes belongs to the same doing."""


def judge(draft: Draft, *, is_due: bool = False) -> Draft:
    """Return the draft after everything that the difference between goban and record means.

    With `is_due` the grace time is over: what is still open is reported.
    """
    for _ in range(MAX_ACTIONS):
        if not is_judged(draft):
            return draft
        following = _next(draft, is_due=is_due)
        if following is None:
            return draft
        draft = following
    return draft


def is_judged(draft: Draft) -> bool:
    """Return whether stones on the goban may be moves."""
    phase = draft.game.phase
    return phase in (Phase.PLAYING, Phase.SUSPENDED) or is_loss_proposed(draft)


def current_difference(draft: Draft) -> Difference:
    """Return what nothing accounts for yet."""
    return difference(draft.game.board, draft.game.physical, draft.memory)


Attempt = Callable[[Draft, Difference], Draft | None]


def _next(draft: Draft, *, is_due: bool) -> Draft | None:
    """Return the draft after the first explanation that fits, or None if none does (yet)."""
    diff = current_difference(draft)
    if _is_frozen(draft):
        return _rebuild(draft, diff)
    found = _first((resolve_held, settle_exchange, follow_takeback), draft, diff)
    if found is not None:
        return found
    stale = _stale(draft, diff)
    found = late_place(draft, diff, stale)
    if found is not None:
        return found
    if stale and is_due:
        return _report_stale(draft, diff, stale)
    diff = diff.without(stale)
    if not diff:
        return None
    found = _first(_PLAIN, draft, diff)
    if found is not None:
        return found
    if is_scattered(diff):
        return report_scattered(draft, diff) if is_due else None
    if _is_slide(draft, diff):
        return report_moved(draft, _slid(draft, diff), diff) if is_due else None
    found = _first((hidden_line, _slid_apart), draft, diff)
    if found is not None:
        return found
    if not is_due and _must_wait(draft, diff):
        return None
    found = _first((loose_line, continue_moved, judge_stone(is_due=is_due)), draft, diff)
    if found is not None or not is_due:
        return found
    return _first((unseen_line, undo_drop, _report_open), draft, diff)


def _stale(draft: Draft, diff: Difference) -> list[Point]:
    """Return new stones that were in sight before the last move and yet took until now to settle.

    They are no moves after it, and nobody's offence: mostly false readings. A last stone that was
    hidden may have been there long before it was seen.
    """
    last, last_seen, known = draft.game.last_move, draft.memory.last_seen, draft.memory.seen
    if last is None:
        return []
    # A move that was entered by a person has no other time than its own.
    is_seen = last_seen is not None and last_seen.t_s == last.t_s
    played_s = last_seen.earliest_s if last_seen and is_seen else last.t_s
    return [
        point
        for point in diff.extra
        if point in known and known[point].is_tracked and known[point].t_s < played_s
    ]


def _report_stale(draft: Draft, diff: Difference, points: list[Point]) -> Draft:
    """Ask for a look at stones that came nobody knows when; they are in no record."""
    draft = raise_alert(draft, "board-mismatch", None, points)
    shows = {point: {diff.extra[point]} for point in points}
    return stand(draft, "accepted", None, shows)


def _first(attempts: Iterable[Attempt], draft: Draft, diff: Difference) -> Draft | None:
    """Return what the first attempt that fits leads to."""
    for attempt in attempts:
        found = attempt(draft, diff)
        if found is not None:
            return found
    return None


def _is_frozen(draft: Draft) -> bool:
    return draft.game.phase is Phase.SUSPENDED and draft.game.phase_reason == "board-scattered"


def _rebuild(draft: Draft, diff: Difference) -> Draft | None:
    """Go on when the goban shows the record again, perhaps with the next stone on it already."""
    if diff and not _lines(draft, diff):
        return None
    return draft.emit(PhaseChanged(Phase.PLAYING, "rebuilt"))


def _starts(draft: Draft) -> tuple[Line, ...]:
    """Return the empty lines: one, or one a side where the turn is not known."""
    sides = (draft.game.to_move,) if draft.game.to_move else tuple(Color)
    return tuple(line_of(draft.game, side) for side in sides)


def _lines(draft: Draft, diff: Difference, **how: object) -> tuple[Line, ...]:
    rules = rules_of(draft)
    return tuple(
        line
        for start in _starts(draft)
        for line in explain(start, diff, rules, **how)  # type: ignore[arg-type]
    )


def legal_line(draft: Draft, diff: Difference) -> Draft | None:
    """Play the legal sequence that explains everything, if there is one."""
    return play(draft, _lines(draft, diff))


def passed_line(draft: Draft, diff: Difference) -> Draft | None:
    """Record an implied pass if the opponent has then played on."""
    implied = draft.memory.implied
    if implied is None or implied.color is not draft.game.to_move:
        return None
    if implied.color in diff.extra.values() or implied.color.opponent not in diff.extra.values():
        return None
    return take_pass(draft, implied)


def take_pass(draft: Draft, implied: Implied) -> Draft:
    """Record a pass that was only implied so far."""
    is_void = implied.reason == "void"
    provenance = Provenance.IMPOSED if is_void else Provenance.INFERRED
    seen = Seen(implied.t_s, implied.t_s)
    return record_pass(draft, implied.color, seen, provenance=provenance, note=implied.reason)


def hidden_line(draft: Draft, diff: Difference) -> Draft | None:
    """Play a sequence in which a stone stands in the hole, or was captured again at once."""
    if not diff.extra:
        return None
    found = play(draft, _lines(draft, diff, hidden=hole_replies(diff)))
    if found is not None or not diff.missing:
        return found
    return play(draft, _lines(draft, diff, hidden=throw_ins(diff), is_cleared=True))


def unseen_line(draft: Draft, diff: Difference) -> Draft | None:
    """Play a sequence that left no new stone at all (a throw-in taken and retaken)."""
    if diff.extra or not diff.missing:
        return None
    return play(draft, _lines(draft, diff, hidden=throw_ins(diff), is_cleared=True))


def loose_line(draft: Draft, diff: Difference) -> Draft | None:
    """Play the new stones although other stones have gone; those are looked at later."""
    if not diff.extra or not (diff.missing or diff.changed):
        return None
    still = replace(diff, changed={}, tolerated=diff.tolerated | frozenset(diff.changed))
    return play(draft, _lines(draft, still, is_exact=False))


def _slid_apart(draft: Draft, diff: Difference) -> Draft | None:
    """Set aside stones that seem to have slid, and play the others."""
    pairs = _slid(draft, diff)
    rest = diff.without(p for pair in pairs for p in pair)
    if not pairs or not rest.extra:
        return None
    return play(draft, _lines(draft, rest) or _lines(draft, rest, is_exact=False))


def _slid(draft: Draft, diff: Difference) -> tuple[tuple[Point, Point], ...]:
    """Return the stones that seem to have slid, from and to.

    The last stone played is none of them: where that goes, it is a take-back. A stone of the side
    not to move may also come from a point that is known to be empty.
    """
    last = draft.game.last_move
    if last is not None and last.move.point is not None:
        diff = diff.without([last.move.point])
    known = {
        point: color
        for point in diff.tolerated
        if diff.physical[point] is None
        and (color := diff.official[point]) is not None
        and color is not draft.game.to_move
    }
    seen, side = draft.memory.seen, draft.game.to_move

    def is_pair(origin: Point, target: Point) -> bool:
        """Out of turn, a stone that comes as another goes is that one, however far."""
        is_out_of_turn = diff.extra[target] is not side
        is_known = origin in seen and target in seen and origin in diff.missing
        return is_out_of_turn and is_known and _is_one_doing(seen[origin], seen[target])

    return moved_pairs(replace(diff, missing={**known, **diff.missing}), is_pair)


def _is_one_doing(one: Seen, other: Seen) -> bool:
    return abs(one.t_s - other.t_s) <= BOTH_GONE_S


def _is_slide(draft: Draft, diff: Difference) -> bool:
    """Return whether nothing but stones that have slid is new."""
    pairs = _slid(draft, diff)
    return bool(pairs) and {target for _, target in pairs} == set(diff.extra)


def _must_wait(draft: Draft, diff: Difference) -> bool:
    """Return whether a new stone may be one of its color that has just gone elsewhere.

    The reply or the grace time tells.
    """
    side, seen = draft.game.to_move, draft.memory.seen
    if any(color is not side for color in diff.extra.values()):
        return False
    return any(
        color is side and _is_one_doing(seen[gone], seen[point])
        for gone, color in diff.missing.items()
        for point in diff.extra
        if gone in seen and point in seen
    )


def play(draft: Draft, lines: tuple[Line, ...]) -> Draft | None:
    """Play the line that fits the times best; report when another fits as well."""
    if not lines:
        return None
    fitting = [line for line in lines if _keeps_order(draft, line)]
    is_known = len(fitting) == 1 or len(lines) == 1
    line = (fitting or list(lines))[0]
    if not is_known:
        draft = _report_order(draft, fitting or list(lines))
    for played in line.moves:
        is_inferred = len(line.moves) > 1
        number = len(draft.game.moves)
        draft = record_move(
            draft,
            played.move,
            seen_of(draft, played.move),
            provenance=Provenance.INFERRED if is_inferred else Provenance.SEEN,
            is_order_known=is_known,
        )
        if len(draft.game.moves) == number or draft.game.moves[-1].move != played.move:
            break
    return draft


def seen_of(draft: Draft, move: Move) -> Seen:
    """Return when the stone of a move was seen; a stone that is gone again, now."""
    now = Seen(draft.now_s, draft.now_s)
    return draft.memory.seen.get(move.point, now) if move.point is not None else now


def _keeps_order(draft: Draft, line: Line) -> bool:
    """Return whether no stone of a line comes before one that was surely seen earlier."""
    known = draft.memory.seen
    points = [p.move.point for p in line.moves if p.move.point is not None]
    seen = [known[point] for point in points if point in known]
    return not any(
        is_surely_before(later, earlier)
        for i, earlier in enumerate(seen)
        for later in seen[i + 1 :]
    )


def is_surely_before(one: Seen, other: Seen) -> bool:
    """Return whether a stone was on the goban before another was put down."""
    return one.t_s + SAME_TIME_S <= other.earliest_s


def _report_order(draft: Draft, lines: Iterable[Line]) -> Draft:
    """Report that the order of some moves cannot be known."""
    places: dict[Point, set[int]] = {}
    for line in lines:
        for i, played in enumerate(line.moves):
            if played.move.point is not None:
                places.setdefault(played.move.point, set()).add(i)
    points = [point for point, where in places.items() if len(where) > 1]
    return raise_alert(draft, "order-ambiguous", None, points) if points else draft


def _report_open(draft: Draft, diff: Difference) -> Draft | None:
    """Report what the grace time has not cleared up."""
    pairs = _slid(draft, diff)
    if pairs:
        return report_moved(draft, pairs, diff)
    if diff.missing:
        return report_missing(draft, diff.missing)
    if diff.changed:
        return report_changed(draft, diff)
    return None


_PLAIN: tuple[Attempt, ...] = (
    place_handicap,
    late_evidence,
    late_takeback,
    legal_line,
    passed_line,
    judge_takeback,
)
"""Explanations that leave nothing open."""

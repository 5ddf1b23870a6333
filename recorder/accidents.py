"""What is reported about stones that vanish, slide, change color or stay on the goban."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from recorder.events import Phase, PhaseChanged
from recorder.goban import Color, Point
from recorder.inference import NEAR, Difference, difference, distance, moved_pairs
from recorder.memory import HAND_S, SHORT_GRACE_S, Draft, Standing, Uncleared
from recorder.referee import last_id, owner, propose, raise_alert, withdraw
from recorder.rulings import as_note, last_stone_article

SCATTERED_MISPLACED = 5
"""So many stones off their points and as many on wrong ones are a scattered board."""

SCATTERED_GONE = 8
"""So many stones gone are one, too."""


def close_turn(draft: Draft, mover: Color, explained: frozenset[Point] = frozenset()) -> Draft:
    """Report what the opponent of a mover has left undone, now that the mover plays.

    What the move itself explains is left out: stones it captures, lifted before it landed, and
    the point it is played on.
    """
    draft = report_lifted(draft, explained)
    for capture in draft.memory.uncleared:
        if capture.mover is mover.opponent and not capture.is_reported:
            draft = report_uncleared(draft, capture, explained)
    return _report_old(draft, _open_before_this_view(draft).without(explained))


def report_lifted(draft: Draft, explained: frozenset[Point] = frozenset()) -> Draft:
    """Report the stones that a player seems to have lifted wrongly, some points left out."""
    diff = _open_before_this_view(draft).without(explained)
    wrong = {p: c for p, c in diff.missing.items() if _is_lifted(draft, p, c, diff.missing)}
    return report_missing(draft, wrong) if wrong else draft


def _open_before_this_view(draft: Draft) -> Difference:
    """Return the unexplained difference without what this very view has brought."""
    diff = difference(draft.game.board, draft.game.physical, draft.memory)
    fresh = [p for p, seen in draft.memory.seen.items() if seen.view_s >= draft.now_s]
    return diff.without(fresh)


def _report_old(draft: Draft, diff: Difference) -> Draft:
    """Report what has been open for the shorter grace time when the next move comes."""
    fresh = [
        p
        for p, seen in draft.memory.seen.items()
        if draft.now_s - seen.view_s < SHORT_GRACE_S and p in diff.points
    ]
    diff = diff.without(fresh)
    last = draft.game.last_move
    lifted = {last.move.point} if last is not None and last.move.point is not None else set()
    pairs = moved_pairs(diff.without(lifted))
    if pairs:
        draft = report_moved(draft, pairs, diff)
        diff = diff.without(p for pair in pairs for p in pair)
    if diff.missing and not is_scattered(diff):
        draft = report_missing(draft, diff.missing)
    return draft


def standing_stones(
    draft: Draft, capture: Uncleared, explained: frozenset[Point] = frozenset()
) -> tuple[Point, ...]:
    """Return which stones of a capture are still on the goban, apart from some points."""
    official, physical = draft.game.board, draft.game.physical
    return tuple(
        sorted(
            point
            for point, color in capture.stones.items()
            if physical[point] is color and official[point] is None and point not in explained
        )
    )


def update_captures(draft: Draft, capture: Uncleared, changed: Uncleared) -> Draft:
    """Return the draft with one capture replaced by what is known of it now."""
    captures = tuple(changed if c is capture else c for c in draft.memory.uncleared)
    return draft.remember(uncleared=captures)


def report_uncleared(
    draft: Draft, capture: Uncleared, explained: frozenset[Point] = frozenset()
) -> Draft:
    """Report captured stones that still stand (18.2)."""
    points = standing_stones(draft, capture, explained)
    draft = update_captures(draft, capture, replace(capture, is_reported=True))
    if not points:
        return draft
    kind = "partial-capture" if capture.is_begun else "missed-capture"
    draft = raise_alert(
        draft,
        kind,
        capture.mover,
        points,
        t_s=capture.progress_s,
        offender=capture.mover,
        turn=capture.number,
    )
    captures = tuple(
        replace(c, alert_id=last_id(draft)) if c.number == capture.number else c
        for c in draft.memory.uncleared
    )
    return draft.remember(uncleared=captures)


def answer_in_hole(draft: Draft, point: Point) -> Draft:
    """Withdraw what was said about a captured stone that proves to be a reply in its place."""
    for capture in draft.memory.uncleared:
        if point in capture.stones and capture.alert_id:
            left = standing_stones(draft, capture, frozenset({point}))
            if not left:
                reason = "the stone is a reply on the emptied point"
                draft = withdraw(draft, capture.alert_id, reason)
    return draft


def report_early_clearing(draft: Draft, capture: Uncleared) -> Draft:
    """Report that a clock was pressed while captured stones stood (22.6)."""
    points = standing_stones(draft, capture)
    draft = update_captures(draft, capture, replace(capture, is_press_judged=True))
    if not points:
        return draft
    said = propose(draft, "clock-before-removal")
    return raise_alert(
        draft,
        "clock-before-removal",
        capture.mover,
        points,
        t_s=capture.pressed_s,
        said=said if capture.is_press_certain else as_note(said),
        offender=capture.mover if capture.is_press_certain else None,
        turn=capture.number,
    )


def report_missing(draft: Draft, missing: Mapping[Point, Color]) -> Draft:
    """Report stones that have gone: lifted by the opponent (18.1), or nobody knows how (17.5)."""
    wrong = {p: c for p, c in missing.items() if _is_lifted(draft, p, c, missing)}
    for color in Color:
        points = sorted(p for p, c in wrong.items() if c is color)
        move = draft.last_move_of(color.opponent)
        if points and move is not None:
            draft = raise_alert(
                draft,
                "wrong-removal",
                color.opponent,
                points,
                t_s=_since(draft, points),
                offender=color.opponent,
                turn=move.number,
            )
            draft = stand(draft, "wrong-removal", color, {p: {None} for p in points})
    rest = {p: c for p, c in missing.items() if p not in wrong}
    if not rest:
        return draft
    points = sorted(rest)
    said = propose(draft, "stone-missing")
    last = draft.game.last_move
    if last is not None and points == [last.move.point]:
        said = said._replace(article=last_stone_article(draft.game.info.ruleset))
    whose = owner(rest.values())
    since = _since(draft, points)
    draft = raise_alert(draft, "stone-missing", whose, points, t_s=since, said=said)
    return stand(draft, "stone-missing", whose, {p: {None} for p in points})


def stand(
    draft: Draft,
    kind: str,
    color: Color | None,
    shows: Mapping[Point, Iterable[Color | None]],
    *,
    number: int | None = None,
    alert_id: int | None = None,
    t_s: float | None = None,
) -> Draft:
    """Return the draft in which an alert, the last, accounts for what some points show."""
    standing = Standing(
        kind=kind,
        alert_id=last_id(draft) if alert_id is None else alert_id,
        color=color,
        number=draft.next_number if number is None else number,
        shows={point: frozenset(shown) for point, shown in shows.items()},
        t_s=draft.now_s if t_s is None else t_s,
        view_s=draft.now_s,
    )
    return draft.remember(standing=(*draft.memory.standing, standing))


def _since(draft: Draft, points: Iterable[Point]) -> float:
    """Return when the first of some points came to differ from the record."""
    times = [draft.memory.seen[p].t_s for p in points if p in draft.memory.seen]
    return min(times, default=draft.now_s)


def _is_lifted(draft: Draft, point: Point, color: Color, missing: Mapping[Point, Color]) -> bool:
    """Return whether the opponent seems to have lifted a stone, with or after his own move.

    His hand was there: it went while he moved or cleared his capture, and beside them; or while
    the stones that he should have lifted stand.
    """
    move = draft.last_move_of(color.opponent)
    seen = draft.memory.seen.get(point)
    if move is None or move.move.point is None or seen is None:
        return False
    captures = [c for c in draft.memory.uncleared if c.number == move.number]
    closed = draft.memory.closed_s
    if closed is not None and move is draft.game.last_move and seen.t_s > closed:
        return False
    last_touch = max([move.view_s, *(c.progress_s for c in captures)])
    if not move.view_s - HAND_S <= seen.t_s <= last_touch + HAND_S:
        return False
    if any(standing_stones(draft, capture) for capture in captures):
        return True
    around = (move.move.point, *move.captured)
    gone = [p for p, c in missing.items() if c is color]
    return any(distance(p, q) <= NEAR for p in gone for q in around)


def report_moved(draft: Draft, pairs: tuple[tuple[Point, Point], ...], diff: Difference) -> Draft:
    """Report stones that slid from one point to another (17.5)."""
    points = tuple(point for pair in sorted(pairs) for point in pair)
    colors = {target: diff.physical[target] for _, target in pairs}
    color = owner(c for c in colors.values() if c is not None)
    draft = raise_alert(draft, "moved-stone", color, points, t_s=_since(draft, points))
    shows: dict[Point, set[Color | None]] = {origin: {None} for origin, _ in pairs}
    for target, held in colors.items():
        shows[target] = {held, None}
    return stand(draft, "moved-stone", color, shows)


def report_changed(draft: Draft, diff: Difference) -> Draft:
    """Report stones whose color is another (17.5 by analogy)."""
    points = sorted(diff.changed)
    colors = [c for p in points if (c := diff.official[p]) is not None]
    color = owner(colors)
    draft = raise_alert(draft, "color-changed", color, points, t_s=_since(draft, points))
    shows = {p: {diff.changed[p], None} for p in points}
    return stand(draft, "color-changed", color, shows)


def is_scattered(diff: Difference) -> bool:
    """Return whether so much is out of place that it is no accident of single stones (17.6)."""
    is_mixed = min(len(diff.missing), len(diff.extra)) + len(diff.changed) >= SCATTERED_MISPLACED
    return is_mixed or len(diff.missing) >= SCATTERED_GONE


def report_scattered(draft: Draft, diff: Difference) -> Draft:
    """Freeze the record until the goban shows it again (17.6)."""
    since = _since(draft, diff.points)
    draft = raise_alert(draft, "board-scattered", None, (), t_s=since)
    if not draft.game.physical:
        draft = raise_alert(draft, "possible-end", None, (), t_s=since)
    return draft.emit(PhaseChanged(Phase.SUSPENDED, "board-scattered"))

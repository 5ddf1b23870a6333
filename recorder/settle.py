"""From readings to what has settled on the goban, each intersection in its own time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recorder.coloring import colored
from recorder.events import ViewState
from recorder.goban import Point, Stone
from recorder.labels import COLOR_OF
from recorder.loose import loose_stones
from recorder.observations import Content, LooseStones, SettledView, ViewStateSeen
from recorder.patience import (
    PATIENCE,
    Patience,
    awaited_stones,
    needed_s,
    with_unseen_move,
)
from recorder.settling import Expectation, Mask, Seconds, Settling
from vision.types import Label, StoneReading

SURE = 0.95
"""From this confidence on a reading counts in full."""

UNSURE = 0.45
"""At this confidence and below it counts nothing."""

DOUBTFUL, PLAINLY_EMPTY = 0.65, 0.8
"""Below the first probability an empty point looks doubtful, until it is above the second."""

FEW_UNSEEN = 0.08
"""Share of the points that may stay unseen when a game begins."""

MOSTLY_HIDDEN = 0.4
"""Share of hidden points from which the view counts as blocked."""


def settle(
    before: Settling,
    reading: StoneReading,
    expected: Expectation,
    *,
    patience: Patience = PATIENCE,
) -> tuple[Settling, tuple[Content, ...]]:
    """Take one reading; return the new memory and what has settled by it.

    Each point settles by itself: a hidden one waits and keeps what it had, the others go on.
    Before every point has been seen once, nothing is reported as a change; the first report is
    the whole position.

    Parameters
    ----------
    reading
        In the kifu's frame; (N, N) must be that of `before`.
    expected
        What the record says. It sets how long a change must be seen, not whether it is.

    Returns
    -------
    memory
        To be passed to the next call.
    contents
        At most one `ViewStateSeen` and one `SettledView`, in this order.
    """
    if reading.visible.shape != before.settled.shape:
        raise ValueError(
            f"reading must have shape {before.settled.shape}, got {reading.visible.shape}"
        )
    reading = colored(before, reading, expected)
    after = _weigh(before, reading, patience)
    after, view = _watch_view(after, reading, patience)
    if not before.known.any():
        after, changes = _settle_first(after, reading, patience)
    else:
        after, changes = _settle_changes(after, reading, expected, patience)
    after, loose = _settle_loose(after, reading, patience)
    contents: list[Content] = [] if view is None else [view]
    if changes is not None or loose is not None:
        contents.append(replace(changes or SettledView(), loose=loose))
    return after, tuple(contents)


def _weigh(before: Settling, reading: StoneReading, patience: Patience) -> Settling:
    """Add one reading to the evidence of every visible point."""
    now = reading.seen_at_s
    passed = 0.0 if before.last_s is None else min(now - before.last_s, patience.step_s)
    labels = reading.labels
    confidence = reading.confidence
    weight = np.clip((confidence - UNSURE) / (SURE - UNSURE), 0.0, 1.0)
    gained = np.where(reading.visible, weight * max(passed, 0.0), 0.0)
    is_empty = reading.visible & (labels == Label.EMPTY)
    same = reading.visible & (labels == before.candidate)
    other = reading.visible & ~same
    # A candidate that is contradicted loses what it had gained, and falls when nothing is left:
    # one bad frame in a row of good ones must not start the count again.
    left = np.where(other, before.clear_s - 2 * gained, before.clear_s)
    fallen = other & ((left <= 0) | (before.candidate == before.settled))
    clear_s = np.where(same, before.clear_s + gained, np.maximum(left, 0.0))
    return replace(
        before,
        candidate=np.where(fallen, labels, before.candidate),
        since_s=np.where(fallen, now, before.since_s),
        clear_s=np.where(fallen, 0.0, clear_s),
        seen_s=np.where(fallen, 0.0, before.seen_s + passed * same),
        peak=np.where(fallen | (same & (confidence > before.peak)), confidence, before.peak),
        sightings=np.where(fallen, 1, before.sightings + same),
        empty_s=np.where(is_empty, now, before.empty_s),
        doubt_since_s=_doubt_since(before, reading),
        was_hidden=(before.was_hidden & ~is_empty) | ~reading.visible,
        last_s=now,
    )


def _doubt_since(before: Settling, reading: StoneReading) -> Seconds:
    """Return since when each empty point has looked doubtful; a hidden one keeps what it had."""
    empty = reading.probabilities[..., Label.EMPTY]
    is_free = before.settled == Label.EMPTY
    begins = reading.visible & is_free & (empty < DOUBTFUL)
    ends = (reading.visible & (empty > PLAINLY_EMPTY)) | ~is_free
    since = np.where(
        begins, np.minimum(before.doubt_since_s, reading.seen_at_s), before.doubt_since_s
    )
    return np.where(ends, np.inf, since)


def _watch_view(
    memory: Settling, reading: StoneReading, patience: Patience
) -> tuple[Settling, ViewStateSeen | None]:
    """Report a goban that stays mostly hidden, and its return."""
    hidden = 1.0 - float(reading.visible.mean())
    if hidden < MOSTLY_HIDDEN:
        seen = ViewStateSeen(ViewState.CLEAR) if memory.is_blocked else None
        return replace(memory, hidden_since_s=None, is_blocked=False), seen
    since = memory.hidden_since_s if memory.hidden_since_s is not None else reading.seen_at_s
    is_late = reading.seen_at_s - since >= patience.blocked_s
    reason = f"{hidden:.0%} of the points hidden for {patience.blocked_s:.0f} s"
    seen = ViewStateSeen(ViewState.BLOCKED, reason) if is_late and not memory.is_blocked else None
    return replace(memory, hidden_since_s=since, is_blocked=memory.is_blocked or is_late), seen


def _settle_first(
    memory: Settling, reading: StoneReading, patience: Patience
) -> tuple[Settling, SettledView | None]:
    """Wait until every point has been seen, then report the whole position at once.

    A few that stay hidden (a reflection, a lid on the corner) are not waited for for ever: they
    count as empty until something is seen there.
    """
    ready = (memory.clear_s >= patience.first_s) & (memory.sightings >= 2)
    since_s = reading.seen_at_s if memory.begun_s is None else memory.begun_s
    memory = replace(memory, begun_s=since_s)
    is_late = reading.seen_at_s - since_s >= patience.first_wait_s
    if not ready.all() and not (is_late and float((~ready).mean()) <= FEW_UNSEEN):
        return memory, None
    view = _changes(replace(memory, settled=np.zeros_like(memory.settled)), ready)
    return _confirmed(replace(memory, known=np.ones_like(memory.known)), ready), view


def _settle_changes(
    memory: Settling, reading: StoneReading, expected: Expectation, patience: Patience
) -> tuple[Settling, SettledView | None]:
    """Report the points whose candidate has been seen for long enough."""
    differs = memory.candidate != memory.settled
    if not differs.any():
        return memory, None
    awaited = awaited_stones(memory, expected)
    needed = needed_s(memory, reading, expected, awaited, patience)
    # The label of this very frame must agree, too: what is just being lifted is not settled.
    is_in_sight = differs & reading.visible & (reading.labels == memory.candidate)
    ready: Mask = is_in_sight & (memory.clear_s >= needed) & (memory.sightings >= 2)
    memory, ready = with_unseen_move(memory, reading, expected, ready, awaited, patience)
    if not ready.any():
        return memory, None
    view = _changes(memory, ready)
    return _confirmed(memory, ready), view


def _confirmed(memory: Settling, ready: Mask) -> Settling:
    return replace(memory, settled=np.where(ready, memory.candidate, memory.settled))


def _changes(memory: Settling, ready: Mask) -> SettledView:
    """Return the difference of the points that are ready, as stones that came and went."""
    add: list[Stone] = []
    remove: list[Point] = []
    first_seen: dict[Point, float] = {}
    last_empty: dict[Point, float] = {}
    for row, col in np.argwhere(ready & (memory.candidate != memory.settled)):
        point = Point(int(row), int(col))
        label = Label(int(memory.candidate[point]))
        if memory.settled[point] != Label.EMPTY:
            remove.append(point)
        if label is not Label.EMPTY:
            add.append(Stone(COLOR_OF[label], point))
            first_seen[point] = float(memory.since_s[point])
            if memory.was_hidden[point] and np.isfinite(memory.empty_s[point]):
                last_empty[point] = float(memory.empty_s[point])
    add.sort(key=lambda stone: first_seen[stone.point])
    return SettledView(tuple(add), tuple(remove), first_seen, last_empty=last_empty)


def _settle_loose(
    memory: Settling, reading: StoneReading, patience: Patience
) -> tuple[Settling, LooseStones | None]:
    """Report stones off the points or outside the lines once they have lain still."""
    seen = loose_stones(reading)
    if seen != memory.loose_next:
        return replace(memory, loose_next=seen, loose_since_s=reading.seen_at_s), None
    is_held = reading.seen_at_s - memory.loose_since_s >= patience.other_s
    if seen == memory.loose or not is_held:
        return memory, None
    return replace(memory, loose=seen), seen

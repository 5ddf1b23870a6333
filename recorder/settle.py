"""From readings to what has settled on the goban, each intersection in its own time."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from recorder.events import ViewState
from recorder.goban import Board, Color, Point, Stone
from recorder.labels import COLOR_OF, Labels, labels_of
from recorder.loose import loose_stones
from recorder.observations import Content, LooseStones, SettledView, ViewStateSeen
from vision.types import Label, StoneReading

Seconds = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Patience:
    """How long something must be seen before it counts; all in seconds of clear view."""

    likely_s: float = 0.5
    """What the game expects next: a stone of the side to move, a captured stone lifted."""

    other_s: float = 1.2
    """Anything else: a stone of the side not to move, a stone that vanishes."""

    recolor_s: float = 2.0
    """A stone that changes color in place: light does that far more often than people."""

    near_hidden_s: float = 0.4
    """Added where a hand, a sleeve or a head is near."""

    burst_s: float = 1.0
    """Added while many points differ at once: lights, a bump, a bad fit."""

    first_s: float = 1.0
    """For the first view of a game."""

    blocked_s: float = 15.0
    """After so long a mostly hidden goban is reported."""

    stale_s: float = 3.0
    """What has been in view for so long and has not settled is no longer what the game awaits."""

    step_s: float = 0.3
    """No single frame counts for more than this, however rare frames are."""


PATIENCE = Patience()
NO_LOOSE = LooseStones()
SURE = 0.95
"""From this confidence on a reading counts in full."""

UNSURE = 0.45
"""At this confidence and below it counts nothing."""

CERTAIN = 0.9
"""What the game does not expect must have been seen once with this confidence."""

BURST = 8
"""So many points that differ at once are no move and no usual capture."""

SHEAF = 3
"""So many new stones at once, none of which the record knows, are rather a sleeve than moves."""

MOSTLY_HIDDEN = 0.4
"""Share of hidden points from which the view counts as blocked."""


@dataclass(frozen=True)
class Settling:
    """What is remembered from reading to reading. All arrays are (N, N), never modified."""

    settled: Labels
    """The label last reported for each point."""

    candidate: Labels
    """The label that may settle next; equal to `settled` where nothing is going on."""

    since_s: Seconds
    """When the candidate was first seen."""

    clear_s: Seconds
    """For how long it was seen, weighed by confidence."""

    seen_s: Seconds
    """For how long it was seen, however unsurely."""

    peak: Seconds
    """The highest confidence with which it was seen."""

    sightings: NDArray[np.int32]
    """In how many readings."""

    empty_s: Seconds
    """When the point was last seen empty; -inf: never."""

    was_hidden: Mask
    """Where the point has been hidden since it was last seen empty."""

    known: Mask
    """False where nothing has settled yet since the game was joined."""

    last_s: float | None = None
    """Time of the last reading."""

    hidden_since_s: float | None = None
    """Since when most of the goban has been hidden."""

    is_blocked: bool = False
    loose: LooseStones = NO_LOOSE
    """As last reported."""

    loose_next: LooseStones = NO_LOOSE
    loose_since_s: float = 0.0


def new_settling(size: int) -> Settling:
    """Return the memory before the first reading: no point is known yet."""
    empty = np.zeros((size, size), np.uint8)
    return Settling(
        settled=empty,
        candidate=empty,
        since_s=np.zeros((size, size)),
        clear_s=np.zeros((size, size)),
        seen_s=np.zeros((size, size)),
        peak=np.zeros((size, size)),
        sightings=np.zeros((size, size), np.int32),
        empty_s=np.full((size, size), -np.inf),
        was_hidden=np.zeros((size, size), bool),
        known=np.zeros((size, size), bool),
    )


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the game expects, to tell the likely from the odd; it never hides anything."""

    official: Board
    """The position by the record."""

    to_move: Color | None
    """Whose stone may come next; None: either."""


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
        was_hidden=(before.was_hidden & ~is_empty) | ~reading.visible,
        last_s=now,
    )


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
    """Wait until every point has been seen, then report the whole position at once."""
    ready = (memory.clear_s >= patience.first_s) & (memory.sightings >= 2)
    if not ready.all():
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
    awaited = _is_awaited(memory, expected)
    needed = _needed_s(memory, reading, expected, awaited, patience)
    # The label of this very frame must agree, too: what is just being lifted is not settled.
    is_in_sight = differs & reading.visible & (reading.labels == memory.candidate)
    ready: Mask = is_in_sight & (memory.clear_s >= needed) & (memory.sightings >= 2)
    if expected.to_move is not None:
        ready = _with_overlooked(memory, ready, is_in_sight & awaited, patience)
    if not ready.any():
        return memory, None
    view = _changes(memory, ready)
    return _confirmed(memory, ready), view


def _needed_s(
    memory: Settling,
    reading: StoneReading,
    expected: Expectation,
    awaited: Mask,
    patience: Patience,
) -> Seconds:
    """Return how long the candidate of each point must have been seen."""
    official = labels_of(expected.official)
    is_stone = memory.candidate != Label.EMPTY
    is_new = is_stone & (memory.settled == Label.EMPTY)
    likely = awaited & (memory.seen_s < patience.stale_s)
    likely |= memory.candidate == official
    needed = np.where(likely, patience.likely_s, patience.other_s)
    recolored = is_stone & (memory.settled != Label.EMPTY) & (memory.candidate != official)
    needed = np.where(recolored, patience.recolor_s, needed)
    needed = np.where(likely | (memory.peak >= CERTAIN), needed, np.inf)
    doubt_s = patience.stale_s * _ways_to_be_carried(memory, reading)
    waits = is_new & ~likely & (memory.seen_s < doubt_s)
    needed = np.where(waits, np.inf, needed)
    needed = needed + patience.near_hidden_s * _near(~reading.visible)
    is_sheaf = int((is_new & (memory.candidate != official)).sum()) >= SHEAF
    if is_sheaf or int((memory.candidate != memory.settled).sum()) >= BURST:
        needed = needed + patience.burst_s
    return np.asarray(needed, float)


def _with_overlooked(memory: Settling, ready: Mask, awaited: Mask, patience: Patience) -> Mask:
    """Add the move that was overlooked when the other side's next stone is ready.

    A stone out of turn says that a move came before it. If an awaited stone has been seen since
    then, only not surely enough (glare, a shadow), that is the move: the surest one is taken.
    """
    is_stone = memory.candidate != Label.EMPTY
    is_early = ready & is_stone & (memory.settled == Label.EMPTY) & ~awaited
    if not is_early.any() or bool((ready & awaited).any()):
        return ready
    first_s = memory.since_s[is_early].min()
    doubtful = awaited & (memory.since_s < first_s) & (memory.seen_s >= patience.likely_s)
    if not doubtful.any():
        return ready
    surest = np.where(doubtful, memory.clear_s, -1.0).argmax()
    found: Mask = ready.copy()
    found.flat[surest] = True
    return found


def _is_awaited(memory: Settling, expected: Expectation) -> Mask:
    """Return which new stones may be the next move: of the side to move, with a liberty left."""
    is_new = (memory.candidate != Label.EMPTY) & (memory.settled == Label.EMPTY)
    awaited: Mask = is_new.copy()
    for row, col in np.argwhere(is_new):
        point, color = Point(int(row), int(col)), COLOR_OF[Label(int(memory.candidate[row, col]))]
        is_free = expected.official[point] is None
        awaited[point] = (
            is_free
            and expected.to_move in (None, color)
            and not expected.official.place(color, point).own_lost
        )
    return awaited


def _ways_to_be_carried(memory: Settling, reading: StoneReading) -> Seconds:
    """Return in how many ways a candidate may be a stone that was taken from where it stood.

    While a stone of its color is hidden, or seems to be gone, it is not known whether there is
    one stone more: a stone played elsewhere must not look like a second one. That something is
    hidden may go on for long; what seems to be gone is decided soon, and is waited for twice.
    """
    ways = np.zeros(memory.settled.shape)
    for label in COLOR_OF:
        stands = memory.settled == label
        is_lifted = bool((stands & (memory.candidate == Label.EMPTY)).any())
        is_hidden = bool((stands & ~reading.visible).any())
        ways[memory.candidate == label] = 2 if is_lifted else int(is_hidden)
    return ways


def _near(mask: Mask) -> Mask:
    """Return the points of a mask and their eight neighbors."""
    padded = np.pad(mask, 1)
    size = mask.shape[0]
    shifts = [padded[r : r + size, c : c + size] for r in range(3) for c in range(3)]
    return np.asarray(np.logical_or.reduce(shifts))


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


def resettle(memory: Settling, physical: Board) -> Settling:
    """Return the memory of a goban whose position is known, for example after a restart."""
    fresh = new_settling(physical.size)
    labels = labels_of(physical)
    return replace(
        fresh, settled=labels, candidate=labels, known=np.ones_like(fresh.known), loose=memory.loose
    )

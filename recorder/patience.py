"""How long a change must be seen before it counts, by what the game expects."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from recorder.goban import Color, Point
from recorder.labels import COLOR_OF, LABEL_OF, Labels, labels_of
from recorder.settling import Expectation, Mask, Seconds, Settling
from vision.types import Label, StoneReading


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

    first_wait_s: float = 6.0
    """So long a first view waits for the last few points."""

    blocked_s: float = 15.0
    """After so long a mostly hidden goban is reported."""

    stale_s: float = 3.0
    """What has been in view for so long and has not settled is no longer what the game awaits."""

    step_s: float = 0.3
    """No single frame counts for more than this, however rare frames are."""


PATIENCE = Patience()

CERTAIN = 0.9
"""What the game does not expect must have been seen once with this confidence."""

ALMOST = 0.07
"""Where the stones known are less sure themselves, what is this much less sure is as certain."""

LEAST_CERTAIN = 0.7
KNOWN_STONES = 3
"""So many stones in view tell how sure a stone is in this light."""

SUSPECT = 0.2
"""Probability of a stone from which a doubtful point may be the move that nobody saw."""

BURST = 8
"""So many points that differ at once are no move and no usual capture."""

SHEAF = 3
"""So many new stones at once, none of which the record knows, are rather a sleeve than moves."""


def needed_s(
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
    certain = memory.peak >= _certainty(memory, reading)
    if int(awaited.sum()) > 1:
        # Only one of them can be the move: doubtful ones may be stones laid beside the lines.
        likely &= certain
    # A sleeve may have pushed a stone: both points must be certain before one counts as a move.
    likely &= ~_beside(memory, memory.settled, memory.candidate == Label.EMPTY)
    likely |= memory.candidate == official
    needed = np.where(likely, patience.likely_s, patience.other_s)
    recolored = is_stone & (memory.settled != Label.EMPTY) & (memory.candidate != official)
    needed = np.where(recolored, patience.recolor_s, needed)
    # What is missing beside it says what an unsure reading shows.
    is_sure = likely | certain | _beside(memory, official, memory.settled == Label.EMPTY)
    needed = np.where(is_sure, needed, np.inf)
    doubt_s = patience.stale_s * _ways_to_be_carried(memory, reading)
    waits = is_new & ~likely & (memory.seen_s < doubt_s)
    needed = np.where(waits, np.inf, needed)
    needed = needed + patience.near_hidden_s * _near(~reading.visible)
    is_sheaf = int((is_new & (memory.candidate != official)).sum()) >= SHEAF
    if is_sheaf or int((memory.candidate != memory.settled).sum()) >= BURST:
        needed = needed + patience.burst_s
    return np.asarray(needed, float)


def with_unseen_move(
    memory: Settling,
    reading: StoneReading,
    expected: Expectation,
    ready: Mask,
    awaited: Mask,
    patience: Patience,
) -> tuple[Settling, Mask]:
    """Add the move that nobody saw when the other side's next stone is ready.

    A stone out of turn says that a move came before it. That is an awaited stone seen since then,
    only not surely enough (glare, a shadow), the surest of them; or else the one point that has
    become doubtful since the last move.

    Returns
    -------
    The memory, in which a doubtful point is a candidate now, and the points that are ready.
    """
    is_new = (memory.candidate != Label.EMPTY) & (memory.settled == Label.EMPTY)
    early = ready & is_new & ~awaited
    side = expected.to_move
    if side is None or not early.any() or bool((ready & awaited).any()):
        return memory, ready
    first_s = float(memory.since_s[early].min())
    in_sight = awaited & reading.visible & (reading.labels == memory.candidate)
    unsure = in_sight & (memory.since_s < first_s) & (memory.seen_s >= patience.likely_s)
    found = ready.copy()
    if unsure.any():
        found.flat[np.where(unsure, memory.clear_s, -1.0).argmax()] = True
        return memory, found
    before_s = min(first_s, reading.seen_at_s - patience.likely_s)
    suspect = _suspect(memory, reading, expected, side, before_s)
    if suspect is None:
        return memory, ready
    candidate, since_s = memory.candidate.copy(), memory.since_s.copy()
    candidate[suspect] = LABEL_OF[side]
    since_s[suspect] = memory.doubt_since_s[suspect]
    found[suspect] = True
    return replace(memory, candidate=candidate, since_s=since_s), found


def _suspect(
    memory: Settling, reading: StoneReading, expected: Expectation, side: Color, before_s: float
) -> Point | None:
    """Return the one point that became doubtful since the last move, and before a time.

    A black stone on dark wood, far away or in a reflection may never look more like a stone than
    like an empty point; that no other point has changed so tells that it stands there.
    """
    mine = reading.probabilities[..., LABEL_OF[side]]
    theirs = reading.probabilities[..., LABEL_OF[side.opponent]]
    free = (memory.settled == Label.EMPTY) & (labels_of(expected.official) == Label.EMPTY)
    since_s = memory.doubt_since_s
    is_doubtful = (since_s > expected.played_s) & (since_s < before_s)
    is_likely = (mine > SUSPECT) & (mine > 1.5 * theirs)
    spots = np.argwhere(free & reading.visible & is_doubtful & is_likely)
    if len(spots) != 1:
        return None
    point = Point(int(spots[0, 0]), int(spots[0, 1]))
    return None if expected.official.place(side, point).own_lost else point


def awaited_stones(memory: Settling, expected: Expectation) -> Mask:
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
    one stone more: a stone played elsewhere must not look like a second one. While an empty point
    is hidden, the other side's move may stand there. That something is hidden may go on for long;
    what seems to be gone is decided soon, and is waited for twice.
    """
    ways = np.zeros(memory.settled.shape)
    is_empty = memory.settled == Label.EMPTY
    for label in COLOR_OF:
        stands = memory.settled == label
        is_lifted = bool((stands & (memory.candidate == Label.EMPTY)).any())
        is_hidden = bool(((stands | is_empty) & ~reading.visible).any())
        ways[memory.candidate == label] = 2 if is_lifted else int(is_hidden)
    return ways


def _certainty(memory: Settling, reading: StoneReading) -> Seconds:
    """Return the confidence with which a candidate is certain, by what the light allows.

    In a dim room even stones that have stood for long are read with 0.85.
    """
    confidence = reading.confidence
    certain = np.full(memory.settled.shape, CERTAIN)
    for label in COLOR_OF:
        stands = (memory.settled == label) & reading.visible & (reading.labels == label)
        if int(stands.sum()) >= KNOWN_STONES:
            usual = float(np.median(confidence[stands])) - ALMOST
            certain[memory.candidate == label] = np.clip(usual, LEAST_CERTAIN, CERTAIN)
    return certain


def _beside(memory: Settling, whose: Labels, gone: Mask) -> Mask:
    """Return which candidates have a stone of their color two points around that is gone."""
    beside = np.zeros(memory.settled.shape, bool)
    for label in COLOR_OF:
        beside |= (memory.candidate == label) & _near(_near(gone & (whose == label)))
    return beside


def _near(mask: Mask) -> Mask:
    """Return the points of a mask and their eight neighbors."""
    rows = mask.copy()
    rows[1:] |= mask[:-1]
    rows[:-1] |= mask[1:]
    near = rows.copy()
    near[:, 1:] |= rows[:, :-1]
    near[:, :-1] |= rows[:, 1:]
    return near

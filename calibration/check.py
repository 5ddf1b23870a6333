"""The verdict before a game: good, poor or bad for each thing that recording depends on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum

import numpy as np

from calibration.measure import Measures, Seen
from vision.types import NoGrid, NoGridReason


class Level(IntEnum):
    """How good something is; a verdict is as good as its worst item."""

    UNKNOWN = 0
    """Could not be measured: does not count."""

    GOOD = 1
    POOR = 2
    """Recording works and may cost something."""

    BAD = 3
    """Somebody must do something first."""

    @property
    def word(self) -> str:
        """How programs read it."""
        return self.name.lower()


class Topic(Enum):
    """What is checked, in the order in which a person sets things up."""

    BOARD = "board"
    CELL = "cell"
    ANGLE = "angle"
    SHARPNESS = "sharpness"
    BRIGHTNESS = "brightness"
    GLARE = "glare"
    SHADOW = "shadow"
    FLICKER = "flicker"
    EXPOSURE = "exposure"
    STEADINESS = "steadiness"
    READING = "reading"
    RATE = "rate"
    LENS = "lens"
    DISK = "disk"
    CLOCK = "clock"
    TEMPERATURE = "temperature"
    POWER = "power"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing and how good it is."""

    topic: Topic
    level: Level
    reason: str = ""
    """Which of the topic's sentences applies; empty: the one of the level."""

    value: float | None = None
    """What was measured, in the unit that the sentence names."""


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """The state of the device, read at the edge; None: this device does not tell."""

    free_disk_bytes: int | None = None
    is_clock_set: bool | None = None
    temperature_c: float | None = None
    is_throttled_now: bool | None = None
    was_throttled: bool | None = None
    """Since the device was started."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """All items."""

    items: tuple[Item, ...]

    @property
    def level(self) -> Level:
        """The worst of the items."""
        return max((item.level for item in self.items), default=Level.UNKNOWN)

    def of(self, level: Level) -> tuple[Item, ...]:
        """Return the items of one level."""
        return tuple(item for item in self.items if item.level is level)


@dataclass(frozen=True, slots=True)
class Limit:
    """From where on something is poor, and from where on bad."""

    poor: float
    bad: float

    def level(self, value: float) -> Level:
        """Return the level of a value; whether more is worse follows from the limits."""
        sign = 1 if self.bad >= self.poor else -1
        if sign * value >= sign * self.bad:
            return Level.BAD
        return Level.POOR if sign * value >= sign * self.poor else Level.GOOD


# Measured with bench/check_variants.py on frames made worse step by step: poor is where the reader
# begins to be unsure of points, bad where it begins to be wrong.
MARGIN_CELLS = Limit(0.9, 0.0)
CELL_PX = Limit(14.0, 9.0)
SHORTEST_PX = Limit(8.0, 5.0)
ELEVATION_DEG = Limit(30.0, 22.0)
CONFIDENCE = Limit(0.92, 0.4)
COVERED = Limit(0.02, 0.5)
BLUR_CELLS = Limit(0.135, 0.172)
STANDING_OUT = Limit(0.7, 0.4)
CONTRAST = Limit(12.0, 5.0)
NOISE = Limit(10.0, 45.0)
"""Gray levels of noise in a picture whose bright parts have 220."""

BRIGHTEST = Limit(90.0, 45.0)
CLIPPED = Limit(0.08, 0.6)
GLARING = Limit(0.015, 0.15)
SHADOW_EDGES = Limit(0.02, 0.15)
FLICKER = Limit(0.02, 0.08)
EXPOSURE_S = Limit(1 / 40, 1 / 8)
SHAKE_CELLS = Limit(0.06, 0.25)
UNSURE = Limit(0.01, 0.12)
FRAME_RATE = Limit(4.5, 2.0)
GAP_S = Limit(1.5, 4.0)
FREE_BYTES = Limit(2e9, 5e8)
TEMPERATURE_C = Limit(75.0, 85.0)


def check(measures: Measures, facts: SystemFacts, *, is_lens_known: bool = False) -> Verdict:
    """Return the verdict on a burst of frames and the state of the device."""
    items = [*_picture_items(measures), *_stream_items(measures), *_system_items(facts)]
    lens = Level.GOOD if is_lens_known else Level.UNKNOWN
    items.append(Item(Topic.LENS, lens))
    order = list(Topic)
    return Verdict(tuple(sorted(items, key=lambda item: order.index(item.topic))))


def blind(facts: SystemFacts) -> Verdict:
    """Return the verdict when the camera gave no frame at all."""
    return Verdict((Item(Topic.RATE, Level.BAD, "none"), *_system_items(facts)))


def _picture_items(measures: Measures) -> Iterator[Item]:
    seen = measures.seen
    if isinstance(seen, NoGrid):
        yield _no_board(seen)
        return
    yield _board(seen)
    yield Item(Topic.CELL, CELL_PX.level(seen.fit.cell_px), value=seen.fit.cell_px)
    yield _angle(seen)
    yield _sharpness(seen)
    yield _brightness(seen)
    glaring = float(seen.light.glaring.sum())
    yield Item(Topic.GLARE, GLARING.level(glaring / seen.fit.size**2), value=glaring)
    shadow = seen.light.shadow_edges
    yield Item(Topic.SHADOW, min(SHADOW_EDGES.level(shadow), Level.POOR), value=100 * shadow)
    yield Item(Topic.READING, UNSURE.level(seen.unsure), value=100 * seen.unsure)


def _no_board(seen: NoGrid) -> Item:
    reasons = {NoGridReason.PARTLY_OUTSIDE: "cut", NoGridReason.TOO_SMALL: "small"}
    return Item(Topic.BOARD, Level.BAD, reasons.get(seen.reason, "missing"))


def _board(seen: Seen) -> Item:
    margin, confidence = seen.margin_cells, seen.fit.confidence
    candidates = [
        Item(Topic.BOARD, MARGIN_CELLS.level(margin), "margin", margin),
        Item(Topic.BOARD, CONFIDENCE.level(confidence), "unsure", 100 * confidence),
        Item(Topic.BOARD, COVERED.level(seen.covered), "covered", 100 * seen.covered),
    ]
    worst = max(candidates, key=lambda item: item.level)
    if worst.level is Level.BAD and worst.reason == "margin":
        return Item(Topic.BOARD, Level.BAD, "cut", margin)
    return worst if worst.level is not Level.GOOD else Item(Topic.BOARD, Level.GOOD, value=margin)


def _angle(seen: Seen) -> Item:
    far, steep = seen.shortest_px, seen.pose.elevation_deg
    if SHORTEST_PX.level(far) > ELEVATION_DEG.level(steep):
        return Item(Topic.ANGLE, SHORTEST_PX.level(far), "far", far)
    return Item(Topic.ANGLE, ELEVATION_DEG.level(steep), value=steep)


def _sharpness(seen: Seen) -> Item:
    sharp = seen.sharpness
    if sharp.blur_cells is None or STANDING_OUT.level(sharp.standing_out) is Level.BAD:
        return Item(Topic.SHARPNESS, Level.BAD, "nothing")
    noise = sharp.noise * 220 / max(seen.light.brightest, 20.0)
    candidates = [
        Item(Topic.SHARPNESS, BLUR_CELLS.level(sharp.blur_cells), value=100 * sharp.blur_cells),
        Item(Topic.SHARPNESS, CONTRAST.level(sharp.contrast), "faint", sharp.contrast),
        Item(Topic.SHARPNESS, NOISE.level(noise), "noise", noise),
    ]
    return max(candidates, key=lambda item: item.level)


def _brightness(seen: Seen) -> Item:
    light = seen.light
    dark, blown = BRIGHTEST.level(light.brightest), CLIPPED.level(light.clipped)
    if blown > dark:
        return Item(Topic.BRIGHTNESS, blown, "blown", 100 * light.clipped)
    if dark > Level.GOOD:
        return Item(Topic.BRIGHTNESS, dark, "dark", light.brightest)
    return Item(Topic.BRIGHTNESS, Level.GOOD, value=light.brightest)


def _stream_items(measures: Measures) -> Iterator[Item]:
    flicker, steady = measures.flicker, measures.steadiness
    if flicker is None:
        yield Item(Topic.FLICKER, Level.UNKNOWN)
    else:
        strength = max(flicker.brightness, flicker.banding)
        yield Item(Topic.FLICKER, FLICKER.level(strength), value=100 * strength)
    exposure = measures.exposure_s
    if exposure is None:
        yield Item(Topic.EXPOSURE, Level.UNKNOWN)
    else:
        yield Item(Topic.EXPOSURE, EXPOSURE_S.level(exposure), value=1000 * exposure)
    if steady is None:
        yield Item(Topic.STEADINESS, Level.UNKNOWN)
    else:
        moved = max(steady.shake_cells, steady.drift_cells)
        yield Item(Topic.STEADINESS, SHAKE_CELLS.level(moved), value=moved)
    if measures.rate is None or measures.longest_gap_s is None:
        yield Item(Topic.RATE, Level.UNKNOWN)
    elif GAP_S.level(measures.longest_gap_s) > FRAME_RATE.level(measures.rate):
        gap_s = measures.longest_gap_s
        yield Item(Topic.RATE, GAP_S.level(gap_s), "gap", gap_s)
    else:
        yield Item(Topic.RATE, FRAME_RATE.level(measures.rate), value=measures.rate)


def _system_items(facts: SystemFacts) -> Iterator[Item]:
    free = facts.free_disk_bytes
    yield _measured(Topic.DISK, FREE_BYTES, None if free is None else float(free), 1e-9)
    if facts.is_clock_set is None:
        yield Item(Topic.CLOCK, Level.UNKNOWN)
    else:
        yield Item(Topic.CLOCK, Level.GOOD if facts.is_clock_set else Level.POOR)
    yield _measured(Topic.TEMPERATURE, TEMPERATURE_C, facts.temperature_c)
    if facts.is_throttled_now is None:
        yield Item(Topic.POWER, Level.UNKNOWN)
    elif facts.is_throttled_now:
        yield Item(Topic.POWER, Level.BAD)
    else:
        yield Item(Topic.POWER, Level.POOR if facts.was_throttled else Level.GOOD)


def _measured(topic: Topic, limit: Limit, value: float | None, unit: float = 1.0) -> Item:
    if value is None or not np.isfinite(value):
        return Item(topic, Level.UNKNOWN)
    return Item(topic, limit.level(value), value=unit * value)

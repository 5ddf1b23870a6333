"""The pre-game check: good set-ups pass, degraded ones are told what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from degraded import GOOD_FACTS, VARIANTS, Burst, Scene, Variant

from calibration.check import (
    Item,
    Level,
    Limit,
    SystemFacts,
    Topic,
    Verdict,
    check,
)
from calibration.measure import BurstError, Measures, Seen, measure
from vision.grid import find_grid
from vision.still import load_still
from vision.types import Frame, GridFit

FRAME = Path(__file__).parent / "data" / "frames" / "grid_09_1.jpg"
STILLS = Path(__file__).parents[2] / "shared" / "stills"
needs_stills = pytest.mark.skipif(
    not STILLS.exists(), reason="the rendered stills are not beside this checkout"
)


@lru_cache(maxsize=2)
def scene(path: Path) -> Scene:
    frame = load_still(path)
    fit = find_grid(frame)
    assert isinstance(fit, GridFit)
    return Scene(frame.image, fit)


@lru_cache(maxsize=2)
def measures_of(make: Callable[[Scene], Burst], path: Path) -> Measures:
    """Return the measures of a variant; those that leave the picture alone share theirs."""
    return measure(make(scene(path)))


def item_of(verdict: Verdict, topic: Topic) -> Item | None:
    return next((item for item in verdict.items if item.topic is topic), None)


def told(verdict: Verdict) -> str:
    """Return a verdict in one line, for failures."""
    return ", ".join(f"{i.topic.value} {i.level.word} {i.reason} {i.value}" for i in verdict.items)


def assert_as_expected(variant: Variant, path: Path) -> None:
    verdict = check(measures_of(variant.make, path), variant.facts)
    board = item_of(verdict, Topic.BOARD)
    assert verdict.level is not Level.GOOD, f"{variant.name} passes as good"
    if variant.level is Level.BAD and board is not None and board.level is Level.BAD:
        # Spoilt so much that the board is not even found: that is told instead.
        return
    item = item_of(verdict, variant.topic)
    assert item is not None, told(verdict)
    assert item.level is variant.level, told(verdict)


def test_the_table_has_variants_enough() -> None:
    assert len(VARIANTS) >= 25
    assert len({variant.name for variant in VARIANTS}) == len(VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_degraded_small_board_is_judged_as_it_should(variant: Variant) -> None:
    assert_as_expected(variant, FRAME)


FEW = ("out of focus", "dim", "a window in the varnish", "much too far", "left edge cut")
"""Bench check_variants tries all of them on large boards."""


@needs_stills
@pytest.mark.parametrize(
    "variant", [v for v in VARIANTS if v.name in FEW], ids=lambda variant: variant.name
)
def test_a_degraded_large_board_is_judged_as_it_should(variant: Variant) -> None:
    assert_as_expected(variant, STILLS / "s_still_072.jpg")


def test_a_good_set_up_is_good_in_every_item() -> None:
    verdict = check(measure(scene(FRAME).burst()), GOOD_FACTS, is_lens_known=True)
    assert verdict.level is Level.GOOD, told(verdict)
    assert len(verdict.of(Level.GOOD)) == len(Topic), told(verdict)


def test_one_picture_alone_says_nothing_about_flicker_rate_and_steadiness() -> None:
    verdict = check(measure([Frame(scene(FRAME).image, 0.0)]), SystemFacts())
    unknown = {item.topic for item in verdict.of(Level.UNKNOWN)}
    assert {Topic.FLICKER, Topic.RATE, Topic.STEADINESS, Topic.EXPOSURE} <= unknown
    assert {Topic.DISK, Topic.CLOCK, Topic.TEMPERATURE, Topic.POWER} <= unknown
    assert verdict.level is Level.GOOD


def test_a_burst_without_frames_is_refused() -> None:
    with pytest.raises(BurstError, match="at least 1"):
        measure([])


def test_a_hand_in_one_frame_does_not_decide() -> None:
    good = scene(FRAME)
    first = Frame(np.full_like(good.image, 90), 0.0)
    measures = measure([first, *good.burst()[1:]])
    assert isinstance(measures.seen, Seen)


def test_corners_set_by_hand_are_used_instead_of_a_search() -> None:
    good = scene(FRAME)
    blank = Frame(np.full_like(good.image, 90), 0.0)
    measures = measure([blank], given=good.fit)
    assert isinstance(measures.seen, Seen)
    assert check(measures, GOOD_FACTS).level is Level.BAD


def test_a_limit_knows_which_way_is_worse() -> None:
    assert [Limit(14, 9).level(value) for value in (20, 14, 10, 9, 3)] == [1, 2, 2, 3, 3]
    assert [Limit(0.02, 0.1).level(value) for value in (0, 0.02, 0.05, 0.1)] == [1, 2, 2, 3]


def test_a_verdict_is_as_good_as_its_worst_item() -> None:
    items = [Item(Topic.DISK, Level.GOOD), Item(Topic.CLOCK, Level.POOR)]
    assert Verdict(tuple(items)).level is Level.POOR
    assert Verdict(()).level is Level.UNKNOWN

"""Exposure is held once it has settled, and set free when the light has changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.exposure import (
    Held,
    Metering,
    Regulation,
    Released,
    regulate,
    without_flicker,
)

SEEN = Metering(0.018, 2.0, (1.8, 1.5), 110.0)


def run(
    memory: Regulation, seen: Metering, start_s: float, seconds: float
) -> tuple[Regulation, list[object]]:
    """Show the same for a while, ten frames a second; return what the camera was told."""
    told: list[object] = []
    for n in range(round(seconds * 10)):
        memory, order = regulate(memory, seen, start_s + n / 10, mains_hz=50)
        told += [order] if order is not None else []
    return memory, told


def held() -> Regulation:
    """Return the memory of a camera whose exposure is held."""
    return run(Regulation(), SEEN, 0.0, 2.0)[0]


def test_values_that_keep_still_are_held_once_with_the_same_brightness() -> None:
    memory, told = run(Regulation(), SEEN, 0.0, 30.0)
    assert memory.is_held
    (order,) = told
    assert isinstance(order, Held)
    assert (order.exposure_s, order.gain) == pytest.approx((0.02, 1.8))
    assert order.color_gains == (1.8, 1.5)


def test_values_that_drift_are_not_held() -> None:
    memory = Regulation()
    for n in range(100):
        seen = replace(SEEN, exposure_s=0.01 * 1.02**n)
        memory, order = regulate(memory, seen, n / 10, mains_hz=50)
        assert order is None


def test_an_arm_over_the_board_changes_nothing() -> None:
    memory, told = run(held(), replace(SEEN, brightness=60.0), 2.0, 2.5)
    memory, more = run(memory, SEEN, 4.5, 5.0)
    assert not told
    assert not more
    assert memory.is_held


@pytest.mark.parametrize("brightness", [20.0, 200.0])
def test_another_light_that_lasts_lets_the_camera_settle_again(brightness: float) -> None:
    memory, told = run(held(), replace(SEEN, brightness=brightness), 2.0, 4.0)
    assert told == [Released()]
    evening = Metering(0.04, 4.0, (1.4, 2.0), 105.0)
    memory, told = run(memory, evening, 6.0, 2.0)
    assert told == [Held(0.04, 4.0, (1.4, 2.0))]


@pytest.mark.parametrize(
    ("exposure_s", "gain", "mains_hz", "expected"),
    [
        (0.018, 2.0, 50, (0.02, 1.8)),
        (0.011, 1.0, 50, (0.01, 1.1)),
        (0.0166, 2.0, 60, (1 / 60, 1.992)),
        (0.004, 1.0, 50, (0.004, 1.0)),  # too bright for a whole flicker
        (0.004, 4.0, 50, (0.01, 1.6)),
        (0.018, 2.0, 0, (0.018, 2.0)),
    ],
)
def test_exposures_are_multiples_of_the_flicker_and_as_bright(
    exposure_s: float, gain: float, mains_hz: int, expected: tuple[float, float]
) -> None:
    assert without_flicker(exposure_s, gain, mains_hz) == pytest.approx(expected)

"""Buttons and a light at a Pi's pins, with gpiozero's own mock of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future

import pytest
from gpiozero.pins.mock import MockFactory

from recorder.goban import Color
from recorder.lifecycle import Stage
from recorder.mailbox import ClosedError
from recorder.observations import ClockPress, Content
from recorder.panel import Light, Panel, Pins, light_of

PINS = Pins(black_button=5, white_button=6, status_led=13)


class Desk:
    """A panel with somebody to press its buttons."""

    def __init__(self) -> None:
        self.factory = MockFactory()
        self.taken: list[Content] = []
        self.light = Light.WAITING
        self.is_closed = False
        self.panel = Panel(PINS, self.submit, lambda: self.light, factory=self.factory)

    def submit(self, content: Content) -> Future[int]:
        """Take a press."""
        if self.is_closed:
            raise ClosedError("no game is being recorded")
        self.taken.append(content)
        return Future()

    def press(self, number: int) -> None:
        """Press and let go: the button connects its pin to ground."""
        self.factory.pin(number).drive_low()
        self.factory.pin(number).drive_high()


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Return a panel whose pins are given back."""
    made = Desk()
    yield made
    made.panel.close()
    made.factory.reset()


def test_each_button_presses_the_clock_of_its_color(desk: Desk) -> None:
    desk.press(6)
    desk.press(5)
    assert desk.taken == [ClockPress(Color.WHITE), ClockPress(Color.BLACK)]


def test_a_press_without_a_game_stops_nothing(desk: Desk) -> None:
    desk.is_closed = True
    desk.press(5)
    desk.is_closed = False
    desk.press(5)
    assert desk.taken == [ClockPress(Color.BLACK)]


def test_the_light_is_steady_while_recording_and_out_in_the_end(desk: Desk) -> None:
    desk.light = Light.RECORDING
    desk.panel.tend(0.0)
    assert desk.factory.pin(13).state
    desk.panel.close()
    assert not desk.factory.pin(13).state


def test_the_light_blinks_while_somebody_must_look(desk: Desk) -> None:
    desk.light = Light.LOOK
    desk.panel.tend(0.0)
    pin, end_s = desk.factory.pin(13), time.monotonic() + 60
    seen: set[bool] = set()
    while seen != {True, False} and time.monotonic() < end_s:
        seen.add(bool(pin.state))
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("stage", "is_well", "expected"),
    [
        (Stage.PLAYING, True, Light.RECORDING),
        (Stage.READY, True, Light.WAITING),
        (Stage.OVER, True, Light.WAITING),
        (Stage.ASKING, True, Light.LOOK),
        (Stage.PLAYING, False, Light.LOOK),
    ],
)
def test_the_light_says_what_matters_most(stage: Stage, is_well: bool, expected: Light) -> None:
    assert light_of(stage, is_well=is_well) is expected

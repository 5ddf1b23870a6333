"""Buttons and a light at the pins of a Raspberry Pi: the players' clock, and how the device is."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from typing import Any

from recorder.goban import Color
from recorder.lifecycle import Stage
from recorder.mailbox import ClosedError
from recorder.observations import ClockPress, Content

log = logging.getLogger(__name__)

BOUNCE_S = 0.02
"""A contact that opens and closes again sooner was pressed once."""

Submit = Callable[[Content], Future[int]]


class Light(Enum):
    """What the status light shows, seconds on and off."""

    RECORDING = (1.0, 0.0)
    WAITING = (0.2, 1.8)
    LOOK = (0.15, 0.15)


@dataclass(frozen=True, slots=True)
class Pins:
    """BCM numbers; None where nothing is connected."""

    black_button: int | None = None
    white_button: int | None = None
    status_led: int | None = None


def light_of(stage: Stage, *, is_well: bool) -> Light:
    """Return what the light shows: that somebody must look, recording, or waiting."""
    if not is_well or stage is Stage.ASKING:
        return Light.LOOK
    return Light.RECORDING if stage is Stage.PLAYING else Light.WAITING


class Panel:
    """The buttons and the light; a chore of the loop. Presses come from gpiozero's own thread."""

    def __init__(
        self,
        pins: Pins,
        submit: Submit,
        shown: Callable[[], Light],
        *,
        factory: Any = None,
    ) -> None:
        """Take the pins.

        Parameters
        ----------
        submit
            Takes the presses.
        shown
            Tells what the light shows.
        factory
            gpiozero's pin factory; None: the machine's own.

        Raises
        ------
        ImportError
            gpiozero is not installed.
        Exception
            What gpiozero raises where there are no pins.
        """
        from gpiozero import LED, Button  # here, because only a Pi has it

        self._submit = submit
        self._shown = shown
        self._light: Light | None = None
        buttons = ((Color.BLACK, pins.black_button), (Color.WHITE, pins.white_button))
        self._parts: list[Any] = []
        for color, pin in buttons:
            if pin is not None:
                button = Button(pin, bounce_time=BOUNCE_S, pin_factory=factory)
                button.when_pressed = self._press_of(color)
                self._parts.append(button)
        self._led: Any = None
        if pins.status_led is not None:
            self._led = LED(pins.status_led, pin_factory=factory)
            self._parts.append(self._led)

    def tend(self, now_s: float) -> None:
        """Let the light show how the device is."""
        light = self._shown()
        if self._led is not None and light is not self._light:
            self._light = light
            on_s, off_s = light.value
            if off_s:
                self._led.blink(on_s, off_s)
            else:
                self._led.on()

    def close(self) -> None:
        """Give the pins back; the light goes out."""
        if self._led is not None:
            self._led.off()
            self._led = None
        while self._parts:
            self._parts.pop().close()

    def _press_of(self, color: Color) -> Callable[[], None]:
        def press() -> None:
            try:
                self._submit(ClockPress(color))
            except ClosedError:
                log.info("nobody takes the press of %s: no game is being recorded", color.name)

        return press

"""When a camera's exposure, gain and white balance are held, and when they may settle again."""

from __future__ import annotations

from dataclasses import dataclass, replace

STEADY_S = 1.0
"""Automatic values that have kept still for so long have settled."""

STEADY = 0.03
"""By so much of their size they may differ meanwhile."""

OFF, OFF_S = 0.35, 3.0
"""A picture by so much darker or brighter than when it was held, for so long: the light has
changed. An arm over the board changes it less, and goes away sooner."""


@dataclass(frozen=True, slots=True)
class Metering:
    """What the camera tells of one frame."""

    exposure_s: float
    gain: float
    """Analogue gain, 1 or more."""

    color_gains: tuple[float, float]
    """Of red and blue against green."""

    brightness: float
    """Mean of the picture's luminance, 0 to 255."""


@dataclass(frozen=True, slots=True)
class Held:
    """What the camera is told to keep to."""

    exposure_s: float
    gain: float
    color_gains: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Released:
    """The camera may choose by itself again."""


@dataclass(frozen=True, slots=True)
class Regulation:
    """What is remembered from frame to frame. Immutable."""

    reference: Metering | None = None
    """While settling, the values that have not changed since; while held, those of that moment."""

    since_s: float = 0.0
    """Since when the values keep still, or the light is another one."""

    is_held: bool = False
    is_off: bool = False
    """Whether the light seems to be another one now."""


def regulate(
    memory: Regulation, seen: Metering, now_s: float, *, mains_hz: int
) -> tuple[Regulation, Held | Released | None]:
    """Return what is remembered now, and what to tell the camera, if anything.

    Automatic exposure that follows a dark sleeve changes every stone; exposure that stays as it
    was at noon is blind at night. So values are held once they have settled, and set free when
    the picture has been much darker or brighter for some time.
    """
    if memory.is_held:
        return _watch(memory, seen, now_s)
    if memory.reference is None or not _is_steady(memory.reference, seen):
        return Regulation(seen, now_s), None
    if now_s - memory.since_s < STEADY_S:
        return memory, None
    exposure_s, gain = without_flicker(seen.exposure_s, seen.gain, mains_hz)
    return Regulation(seen, now_s, is_held=True), Held(exposure_s, gain, seen.color_gains)


def _watch(
    memory: Regulation, seen: Metering, now_s: float
) -> tuple[Regulation, Held | Released | None]:
    assert memory.reference is not None
    before = max(memory.reference.brightness, 1.0)
    if abs(seen.brightness - before) <= OFF * before:
        return replace(memory, is_off=False), None
    if not memory.is_off:
        return replace(memory, is_off=True, since_s=now_s), None
    if now_s - memory.since_s < OFF_S:
        return memory, None
    return Regulation(), Released()


def _is_steady(one: Metering, other: Metering) -> bool:
    pairs = (
        (one.exposure_s * one.gain, other.exposure_s * other.gain),
        *zip(one.color_gains, other.color_gains, strict=True),
    )
    return all(abs(a - b) <= STEADY * max(a, b) for a, b in pairs)


def without_flicker(exposure_s: float, gain: float, mains_hz: int) -> tuple[float, float]:
    """Return exposure and gain for the same brightness, the exposure a multiple of the flicker.

    Lamps flicker twice a period of the mains. Light too bright for one flicker's exposure at
    gain 1 is left as it is; 0 Hz leaves everything.
    """
    if not mains_hz:
        return exposure_s, gain
    flicker_s = 0.5 / mains_hz
    count = round(exposure_s / flicker_s)
    # A longer exposure is taken only where the gain can give way for it.
    count = min(max(count, 1), int(exposure_s * gain / flicker_s + 1e-9))
    if count < 1:
        return exposure_s, gain
    return count * flicker_s, exposure_s * gain / (count * flicker_s)

"""How a camera is asked to take its pictures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CameraMode:
    """What is asked of a camera; one that cannot do it does what it can."""

    width: int = 1280
    """Of the picture, pixels."""

    height: int = 720
    rate: float = 10.0
    """Frames a second."""

    lock_exposure: bool = True
    """Hold exposure, gain and white balance once they have settled."""

    mains_hz: int = 50
    """Exposures are multiples of half a period of the mains; 0: any."""

    focus_m: float = 0.0
    """Distance at which the lens is fixed; 0: focus once at the start."""

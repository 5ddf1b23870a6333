"""Lateness and faulty clocks: what the rules deduct or re-set, for the referee to decide."""

from __future__ import annotations

from dataclasses import dataclass

from recorder.clock import ClockError

FAULT_S_PER_HOUR = 120.0
"""From this error on both readings are set anew (22.8)."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """What a late arrival costs (22.1-22.3)."""

    late_s: float
    deducted_s: float
    """Twice the lateness."""

    is_lost: bool
    """Whether the limit was exceeded; arriving at the limit itself is still allowed."""


def judge_lateness(late_s: float, limit_s: float) -> Lateness:
    """Return what being late costs; each player is judged for himself."""
    if late_s < 0 or limit_s < 0:
        raise ClockError(f"late_s and limit_s must be at least 0, got {late_s:g} and {limit_s:g}")
    return Lateness(late_s, 2 * late_s, late_s > limit_s)


@dataclass(frozen=True, slots=True)
class ClockFault:
    """How far a clock was off, and what both players have really used (22.8)."""

    error_s_per_hour: float
    """Positive for a slow clock, which has shown too little time as used."""

    is_set_anew: bool
    """Whether the error is large enough to replace the clock and re-set both readings."""

    black_used_s: float
    white_used_s: float
    """What counts as used: in proportion when set anew, else as shown."""


def judge_fault(black_shown_s: float, white_shown_s: float, real_s: float) -> ClockFault:
    """Compare the time that a clock shows as used by both with the time that really passed.

    Raises `ClockError` where there is nothing to compare.
    """
    shown_s = black_shown_s + white_shown_s
    if min(black_shown_s, white_shown_s) < 0 or shown_s <= 0 or real_s <= 0:
        raise ClockError("the time shown as used and the real time must be above 0")
    error = (real_s - shown_s) * 3600 / real_s
    is_set_anew = abs(error) >= FAULT_S_PER_HOUR
    scale = real_s / shown_s if is_set_anew else 1.0
    return ClockFault(error, is_set_anew, black_shown_s * scale, white_shown_s * scale)


def split_evenly(used_s: float) -> tuple[float, float]:
    """Return what each player has used when a clock proves faulty and no note exists (22.9)."""
    return used_s / 2, used_s / 2

"""Time controls as a pure state machine: every function is told the time, none reads it.

A press on the very second of a call or of the flag is late: time runs first, then the button
counts (ARTICLES.md, "Clock rules in one place"). Penalties never change a reading (17.4, 22.6).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from recorder.goban import Color

EPSILON_S = 1e-6
"""Sums of times are not exact; nothing here is read finer than that."""


class ClockError(ValueError):
    """A time control or a command that no clock can follow."""


class Announcer(Enum):
    """Who counts aloud in byo-yomi."""

    NONE = "none"
    CHINESE_2002 = "2002"
    CHINESE_OLDER = "older"


class CallKind(Enum):
    """What a call says."""

    SECONDS = "seconds"
    """So many seconds of the running period have gone."""

    COUNT = "count"
    """Second by second at the end of the last period."""

    PERIOD_USED = "period-used"
    """A period was charged; so many are left."""

    OVER = "over"
    """The last period has been used up."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call-out."""

    t_s: float
    color: Color
    kind: CallKind
    seconds: int
    """What was reached, or counted."""

    left: int = 0
    """Periods left, after one was charged."""

    announcer: Announcer = Announcer.CHINESE_2002


@dataclass(frozen=True, slots=True)
class Flag:
    """A player's time was over."""

    t_s: float
    color: Color


@dataclass(frozen=True, slots=True)
class SideTime:
    """What one player has left."""

    main_s: float
    """Main time, or the whole bank; the reserve of byo-yomi is not in it."""

    periods: int = 0
    """Byo-yomi: reserved minutes or periods left."""

    used_s: float = 0.0
    """Byo-yomi: seconds gone of the period of the running move."""

    block_s: float = 0.0
    """Canadian: seconds left in the running block, 0 before the first one."""

    moves_left: int = 0
    """Canadian: moves still to be played in the running block, 0 before the first one."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a stretch of time did to the player it ran for."""

    side: SideTime
    calls: tuple[tuple[float, CallKind, int, int], ...] = ()
    """(seconds after the start of the stretch, kind, seconds, left)."""

    over_after_s: float | None = None
    """When the flag fell, in seconds after the start of the stretch."""


@dataclass(frozen=True, slots=True)
class Bank:
    """One sum of time for the whole game: absolute (12.4) or Fischer's."""

    main_s: float
    increment_s: float = 0.0
    """Added after each own move."""

    cap_s: float | None = None
    """The bank never grows beyond this."""

    def __post_init__(self) -> None:
        _check(self.main_s > 0, "main_s must be above 0", self.main_s)

    def begin(self) -> SideTime:
        """Return what each player starts with."""
        return SideTime(self.main_s)

    def run(self, side: SideTime, seconds: float) -> Ran:
        """Let time run for the player to move."""
        left = side.main_s - seconds
        if left > EPSILON_S:
            return Ran(replace(side, main_s=left))
        return Ran(replace(side, main_s=0.0), over_after_s=side.main_s)

    def complete(self, side: SideTime) -> SideTime:
        """Return what the player has after completing a move."""
        grown = side.main_s + self.increment_s
        if self.cap_s is not None:
            grown = max(side.main_s, min(grown, self.cap_s))
        return replace(side, main_s=grown)


@dataclass(frozen=True, slots=True)
class ByoYomi:
    """Main time, then periods; a move within a period costs nothing, a full one costs it.

    Chinese byo-yomi with reserved minutes (12.3; older edition 3.2) and Japanese byo-yomi.
    """

    main_s: float
    """Without the reserve."""

    periods: int
    period_s: float = 60.0
    announcer: Announcer = Announcer.NONE

    def __post_init__(self) -> None:
        _check(self.main_s >= 0, "main_s must be at least 0", self.main_s)
        _check(self.periods >= 0, "periods must be at least 0", self.periods)
        _check(self.period_s > 0, "period_s must be above 0", self.period_s)
        _check(self.main_s > 0 or self.periods > 0, "there must be some time", 0)

    def begin(self) -> SideTime:
        """Return what each player starts with."""
        return SideTime(self.main_s, periods=self.periods)

    def run(self, side: SideTime, seconds: float) -> Ran:
        """Let time run for the player to move; byo-yomi begins when the main time is used up."""
        main_s = side.main_s - seconds
        if main_s > EPSILON_S:
            return Ran(replace(side, main_s=main_s))
        gone, rest, used, periods = side.main_s, -main_s, side.used_s, side.periods
        calls: list[tuple[float, CallKind, int, int]] = []
        while periods > 0:
            end = min(used + rest, self.period_s)
            for at, kind, number in self._schedule(periods):
                if used + EPSILON_S < at <= end + EPSILON_S:
                    calls.append((gone + at - used, kind, number, periods - 1))
            if end < self.period_s - EPSILON_S:
                return Ran(replace(side, main_s=0.0, periods=periods, used_s=end), tuple(calls))
            gone += self.period_s - used
            rest, used, periods = max(rest - (self.period_s - used), 0.0), 0.0, periods - 1
        return Ran(replace(side, main_s=0.0, periods=0, used_s=0.0), tuple(calls), gone)

    def complete(self, side: SideTime) -> SideTime:
        """Return what the player has after completing a move: the next one has a full period."""
        return replace(side, used_s=0.0)

    def _schedule(self, periods: int) -> Iterator[tuple[float, CallKind, int]]:
        """Iterate over the calls of a period as (seconds into it, kind, what is said).

        The table of 12.3 is for a minute; shorter periods by analogy, counted from their end.
        """
        if self.announcer is Announcer.NONE:
            return
        is_last = periods == 1
        for before in (30, 20, 10) if is_last else (30, 20, 10, 5, 2):
            at = round(self.period_s) - before
            if at > 0:
                yield at, CallKind.SECONDS, at
        if is_last:
            for number in range(1, 10):
                if self.period_s > 10 - number:
                    yield self.period_s - 10 + number, CallKind.COUNT, number
            yield self.period_s, CallKind.OVER, 10
        else:
            yield self.period_s, CallKind.PERIOD_USED, round(self.period_s)


@dataclass(frozen=True, slots=True)
class Blocks:
    """Main time, then so many moves in so much time (12.5; Canadian overtime)."""

    main_s: float
    block_s: float
    block_moves: int
    is_carried_over: bool = True
    """Whether time unused in a block is added to the next (12.5 yes, Canadian overtime no)."""

    def __post_init__(self) -> None:
        _check(self.main_s >= 0, "main_s must be at least 0", self.main_s)
        _check(self.block_s > 0, "block_s must be above 0", self.block_s)
        _check(self.block_moves > 0, "block_moves must be above 0", self.block_moves)

    def begin(self) -> SideTime:
        """Return what each player starts with."""
        return SideTime(self.main_s)

    def run(self, side: SideTime, seconds: float) -> Ran:
        """Let time run for the player to move; the move that uses up main time is in the block."""
        main_s = side.main_s - seconds
        if main_s > EPSILON_S:
            return Ran(replace(side, main_s=main_s))
        block_s, moves_left = (
            (side.block_s, side.moves_left) if side.moves_left else (self.block_s, self.block_moves)
        )
        left = block_s + main_s
        if left > EPSILON_S:
            return Ran(replace(side, main_s=0.0, block_s=left, moves_left=moves_left))
        over = replace(side, main_s=0.0, block_s=0.0, moves_left=moves_left)
        return Ran(over, over_after_s=side.main_s + block_s)

    def complete(self, side: SideTime) -> SideTime:
        """Return what the player has after completing a move; the last of a block opens the next.

        Moves played in main time are not counted.
        """
        if side.moves_left == 0:
            return side
        if side.moves_left > 1:
            return replace(side, moves_left=side.moves_left - 1)
        carried = side.block_s if self.is_carried_over else 0.0
        return replace(side, block_s=self.block_s + carried, moves_left=self.block_moves)


Control = Bank | ByoYomi | Blocks


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock for two players at one moment."""

    control: Control
    black: SideTime
    white: SideTime
    t_s: float = 0.0
    """Up to when time has been counted."""

    running: Color | None = None
    """Whose time runs, or would run if the clock were not paused; None before the start."""

    is_paused: bool = False
    flag: Flag | None = None
    """Set once time is over; then nothing runs any more."""

    is_press_pending: bool = False
    """In byo-yomi the button was pressed before captures were cleared; clearing ends the move."""

    def side(self, color: Color) -> SideTime:
        """Return what a player has left."""
        return self.black if color is Color.BLACK else self.white


@dataclass(frozen=True, slots=True)
class Ticked:
    """A clock some time later, and what it called out meanwhile."""

    clock: Clock
    calls: tuple[Call, ...] = ()


def new_clock(control: Control) -> Clock:
    """Return a clock that has not been started."""
    return Clock(control, control.begin(), control.begin())


def advance(clock: Clock, t_s: float) -> Ticked:
    """Let time pass until `t_s`, inclusive; raise `ClockError` if that is earlier than before."""
    if t_s < clock.t_s - EPSILON_S:
        raise ClockError(f"time must not go back, got {t_s:g} s after {clock.t_s:g} s")
    running = clock.running
    if running is None or clock.is_paused or clock.flag is not None or t_s <= clock.t_s:
        return Ticked(replace(clock, t_s=max(t_s, clock.t_s)))
    ran = clock.control.run(clock.side(running), t_s - clock.t_s)
    flag = None if ran.over_after_s is None else Flag(clock.t_s + ran.over_after_s, running)
    announcer = getattr(clock.control, "announcer", Announcer.NONE)
    calls = tuple(
        Call(clock.t_s + after_s, running, kind, seconds, left, announcer)
        for after_s, kind, seconds, left in ran.calls
    )
    return Ticked(replace(_with_side(clock, running, ran.side), t_s=t_s, flag=flag), calls)


def start(clock: Clock, t_s: float, color: Color) -> Ticked:
    """Let the time of a player run from now on; that of the other stands still."""
    now = advance(clock, t_s)
    return replace(now, clock=replace(now.clock, running=color, is_paused=False))


def press(clock: Clock, t_s: float, color: Color) -> Ticked:
    """Complete a player's move: his time stops, the opponent's runs.

    Ignored out of turn, while the clock is paused and when time is over. Whether the stone was
    down and captures were cleared (17.4, 22.6) is the referee's question, not the clock's.
    """
    now = advance(clock, t_s)
    if now.clock.running is not color or now.clock.is_paused or now.clock.flag is not None:
        return now
    done = clock.control.complete(now.clock.side(color))
    return replace(now, clock=replace(_with_side(now.clock, color, done), running=color.opponent))


def pause(clock: Clock, t_s: float) -> Ticked:
    """Stop the clock; a count under way is kept where it stands (14)."""
    now = advance(clock, t_s)
    return replace(now, clock=replace(now.clock, is_paused=True))


def resume(clock: Clock, t_s: float) -> Ticked:
    """Let the clock go on as it stood."""
    now = advance(clock, t_s)
    return replace(now, clock=replace(now.clock, is_paused=False))


def correct(clock: Clock, t_s: float, color: Color, side: SideTime) -> Ticked:
    """Set what a player has left, by order of the referee; a fallen flag of his is taken back."""
    now = advance(clock, t_s)
    flag = now.clock.flag
    kept = flag if flag is not None and flag.color is not color else None
    return replace(now, clock=replace(_with_side(now.clock, color, side), flag=kept))


def restart_count(clock: Clock, t_s: float, used_s: float) -> Ticked:
    """Set the count of the running period back to where it went wrong (16.2)."""
    now = advance(clock, t_s)
    running, control = now.clock.running, clock.control
    if running is None or not isinstance(control, ByoYomi):
        raise ClockError("only a running byo-yomi has a count that can be restarted")
    if not 0 <= used_s < control.period_s:
        raise ClockError(f"the count must be in 0-{control.period_s:g} s, got {used_s:g}")
    side = replace(now.clock.side(running), used_s=used_s)
    return replace(now, clock=_with_side(now.clock, running, side))


def pass_on_application(clock: Clock, t_s: float) -> Ticked:
    """Turn the loss of a player over time into a pass (22.5): his last period is there again."""
    now = advance(clock, t_s)
    flag = now.clock.flag
    if flag is None or not isinstance(clock.control, ByoYomi) or clock.control.periods == 0:
        raise ClockError("only a flag that fell in byo-yomi can be turned into a pass")
    side = replace(now.clock.side(flag.color), periods=1, used_s=0.0)
    restored = _with_side(now.clock, flag.color, side)
    return replace(now, clock=replace(restored, flag=None, running=flag.color.opponent))


def _with_side(clock: Clock, color: Color, side: SideTime) -> Clock:
    return replace(clock, black=side) if color is Color.BLACK else replace(clock, white=side)


def _check(is_good: bool, expected: str, got: float) -> None:
    if not is_good:
        raise ClockError(f"{expected}, got {got:g}")

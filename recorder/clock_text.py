"""A time control as one line that people write and read: "30 min + 5x60 s"."""

from __future__ import annotations

import re

from recorder.clock import Announcer, Bank, Blocks, ByoYomi, ClockError, Control

_PART = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)\s*(h|min|m|s)\b")
_SECONDS = {"h": 3600.0, "min": 60.0, "m": 60.0, "s": 1.0}
_TIME = r"(?:\d{1,6}(?:\.\d{1,3})?\s*(?:h|min|m|s)\b\s*)+"
_PERIODS = re.compile(
    rf"(?P<periods>\d{{1,3}})\s*x\s*(?P<time>{_TIME})(?P<kind>reserved|reserved, older)?"
)
_BLOCKS = re.compile(
    rf"(?P<moves>\d{{1,3}}) moves / (?P<time>{_TIME})(?P<carry>, unused time carried over)?"
)
_INCREMENT = re.compile(rf"(?P<time>{_TIME})a move(?:, at most (?P<cap>{_TIME}))?")
EXAMPLES = (
    "90 min",
    "55 min + 5x60 s reserved",
    "30 min + 3x30 s",
    "30 min + 15 moves / 10 min, unused time carried over",
    "10 min + 20 s a move, at most 15 min",
)
"""Sudden death, Chinese and Japanese byo-yomi, moves per block, Fischer."""


def format_control(control: Control) -> str:
    """Return a time control as people read it; see `EXAMPLES`."""
    main = format_duration(control.main_s)
    if isinstance(control, ByoYomi):
        kinds = {Announcer.CHINESE_2002: " reserved", Announcer.CHINESE_OLDER: " reserved, older"}
        kind = kinds.get(control.announcer, "")
        return f"{main} + {control.periods}x{format_duration(control.period_s)}{kind}"
    if isinstance(control, Blocks):
        carry = ", unused time carried over" if control.is_carried_over else ""
        return f"{main} + {control.block_moves} moves / {format_duration(control.block_s)}{carry}"
    if not control.increment_s:
        return main
    cap = "" if control.cap_s is None else f", at most {format_duration(control.cap_s)}"
    return f"{main} + {format_duration(control.increment_s)} a move{cap}"


def parse_control(text: str) -> Control:
    """Return the time control of a line, the inverse of `format_control`.

    Raises
    ------
    ClockError
        The line is none of the forms of `EXAMPLES`.
    """
    main, plus, overtime = (part.strip() for part in text.partition("+"))
    main_s = _duration(main, text)
    if not plus:
        return Bank(main_s)
    found = _PERIODS.fullmatch(overtime)
    if found is not None:
        kinds = {"reserved": Announcer.CHINESE_2002, "reserved, older": Announcer.CHINESE_OLDER}
        announcer = kinds.get(found["kind"] or "", Announcer.NONE)
        period_s = _duration(found["time"], text)
        return ByoYomi(main_s, int(found["periods"]), period_s, announcer)
    found = _BLOCKS.fullmatch(overtime)
    if found is not None:
        block_s, is_carried_over = _duration(found["time"], text), found["carry"] is not None
        return Blocks(main_s, block_s, int(found["moves"]), is_carried_over)
    found = _INCREMENT.fullmatch(overtime)
    if found is not None:
        cap_s = None if found["cap"] is None else _duration(found["cap"], text)
        return Bank(main_s, _duration(found["time"], text), cap_s)
    raise _fault(text)


def format_duration(seconds: float) -> str:
    """Return "90 min" or "100 s": minutes where they are whole and at least two."""
    if seconds % 60 or seconds < 120:
        return f"{seconds:.3f}".rstrip("0").rstrip(".") + " s"
    return f"{seconds / 60:.0f} min"


def _duration(text: str, whole: str) -> float:
    """Return the seconds of "1 h 30 min"; the whole line is for the message."""
    if not re.fullmatch(_TIME, text.strip() + " "):
        raise _fault(whole)
    return sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(text))


def _fault(text: str) -> ClockError:
    forms = '", "'.join(EXAMPLES)
    return ClockError(f'a time control must look like one of "{forms}", got {text!r}')

"""What the announcer says, in the words of 12.3."""

from __future__ import annotations

from recorder.clock import Announcer, Call, CallKind

LANGUAGES = ("zh", "en")


def format_call(call: Call, language: str = "zh") -> str:
    """Return the words of a call in one of `LANGUAGES`."""
    if language == "zh":
        return _chinese(call)
    return _english(call)


def _chinese(call: Call) -> str:
    if call.kind is CallKind.SECONDS:
        return f"{call.seconds}秒"
    if call.kind is CallKind.COUNT:
        return str(call.seconds)
    if call.kind is CallKind.PERIOD_USED:
        if call.seconds == 60:
            return f"1分，还剩{call.left}分"
        return f"{call.seconds}秒，还剩{call.left}次"
    return "10，超时判负" if call.announcer is Announcer.CHINESE_OLDER else "10"


def _english(call: Call) -> str:
    if call.kind is CallKind.SECONDS:
        return f"{call.seconds} seconds"
    if call.kind is CallKind.COUNT:
        return str(call.seconds)
    if call.kind is CallKind.PERIOD_USED:
        unit = "minute" if call.seconds == 60 else "period"
        gone = "1 minute" if call.seconds == 60 else f"{call.seconds} seconds"
        return f"{gone}, {call.left} {unit}{'s' * (call.left != 1)} left"
    return "10, over time, lost" if call.announcer is Announcer.CHINESE_OLDER else "10"

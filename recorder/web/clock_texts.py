"""The words of the clock's page in both languages."""

from __future__ import annotations

from collections.abc import Mapping

CLOCK: Mapping[str, tuple[str, str]] = {
    "title": ("Clock", "棋钟"),
    "black": ("Black", "黑方"),
    "white": ("White", "白方"),
    "press": ("{0}: press", "{0}按钟"),
    "no_control": (
        "No time control is set: enter it at the operator's desk, like 30 min + 5x60 s.",
        "尚未设置用时，请在操作台填写，例如 30 min + 5x60 s。",
    ),
    "not_started": (
        "White presses to start Black's time.",
        "白方按钟，黑方开始计时。",
    ),
    "by_camera": (
        "The camera ends each move when the stone stands and captures are off.",
        "落子并提清后，由摄像头自动换钟。",
    ),
    "stopped": ("The clock stands.", "棋钟已停。"),
    "over": ("time over", "超时"),
    "calls": ("Call-outs", "读秒语音"),
    "swap": ("Swap sides", "左右对调"),
    "stale": ("Connection lost: presses do not arrive!", "连接中断，按钟无效！"),
    "failed": ("Press not taken: {0}", "按钟未生效：{0}"),
    "say_seconds": ("{0} seconds", "{0}秒"),
    "say_left": ("{0} periods left", "还剩{0}次"),
    "say_last": ("last period", "最后一次"),
}
"""English and Chinese by key; {0} is filled in by the page."""

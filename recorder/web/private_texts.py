"""The words that the desk and the referee's console share, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

PRIVATE: Mapping[str, tuple[str, str]] = {
    "black": ("Black", "黑方"),
    "white": ("White", "白方"),
    "move": ("Move {0}", "第 {0} 手"),
    "pause": ("Adjourn", "封棋 / 暂停"),
    "resume": ("Resume", "继续对局"),
    "colors_swapped": ("Colors are swapped", "黑白拿错"),
    "saved": ("Saved as number {0} in the log", "已保存，日志编号 {0}"),
    "failed": ("Not saved: {0}", "未保存：{0}"),
    "sure": ("Sure? {0}", "确定？{0}"),
    "yes": ("Yes", "是"),
    "cancel": ("Cancel", "取消"),
    "public_page": ("Public page", "公众页面"),
    "logout": ("Log out", "退出"),
    "phase_idle": ("Not started", "未开始"),
    "phase_ready": ("Ready", "准备就绪"),
    "phase_playing": ("Playing", "对局中"),
    "phase_paused": ("Adjourned", "封棋"),
    "phase_suspended": ("Stopped", "暂停"),
    "phase_scoring": ("Counting", "数子"),
    "phase_ended": ("Ended", "已结束"),
    "phase_sealed": ("Sealed", "已定案"),
    "who": ("Player", "棋手"),
    "point": ("Point", "位置"),
    "table": ("Table", "台号"),
    "count": ("Count", "数子"),
    "clock_page": ("Clock", "棋钟"),
    "end_play": ("Play is over: count", "终局，进入数子"),
    "no_frames": ("No picture comes from the camera.", "摄像头没有新画面。"),
    "language": ("Language", "语言"),
}
"""English and Chinese by key; {0} is filled in by the page."""

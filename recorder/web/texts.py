"""The words of the pages in English and Simplified Chinese, and whose language is whose."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("en", "zh")
HTML_LANGUAGE = {"en": "en", "zh": "zh-Hans"}
LANGUAGE_NAME = {"en": "English", "zh": "中文"}

PAGE: Mapping[str, tuple[str, str]] = {
    "title": ("Live game", "对局直播"),
    "black": ("Black", "黑方"),
    "white": ("White", "白方"),
    "black_short": ("Black", "黑"),
    "white_short": ("White", "白"),
    "live": ("Live", "直播中"),
    "waiting": ("Not started", "未开始"),
    "paused": ("Paused", "暂停"),
    "scoring": ("Counting", "数子中"),
    "ended": ("Ended", "已结束"),
    "delayed_seconds": ("{0} s behind", "延迟 {0} 秒"),
    "delayed_minutes": ("{0} min behind", "延迟 {0} 分钟"),
    "delayed_moves": ("{0} moves behind", "延迟 {0} 手"),
    "move": ("Move {0}", "第 {0} 手"),
    "of": ("of {0}", "共 {0} 手"),
    "no_moves": ("No move yet", "尚未落子"),
    "pass": ("pass", "停一手"),
    "prisoners": ("Captures", "提子"),
    "captures_label": ("captured stones: {0}", "提子 {0}"),
    "to_move": ("to move", "行棋"),
    "komi": ("Komi {0}", "贴目 {0}"),
    "handicap": ("Handicap {0}", "让 {0} 子"),
    "even": ("Even game", "分先"),
    "played_at": ("played at {0}", "落子时间 {0}"),
    "first": ("First move", "回到开局"),
    "back": ("Back one move", "上一手"),
    "forward": ("Forward one move", "下一手"),
    "last": ("Newest move", "最新一手"),
    "to_live": ("Back to live", "回到直播"),
    "new_moves": ("{0} new", "新 {0} 手"),
    "numbers": ("Move numbers", "显示手数"),
    "moves": ("Moves", "着手"),
    "slider": ("Move shown", "当前手数"),
    "download": ("Download SGF", "下载棋谱"),
    "share": ("Copy link to this move", "复制本手链接"),
    "copied": ("Link copied", "链接已复制"),
    "stale": (
        "Connection lost at {0}. The board may be behind; reconnecting.",
        "连接于 {0} 中断，棋盘可能不是最新，正在重新连接。",
    ),
    "interrupted": (
        "The view of the board is interrupted. The game goes on; moves will follow.",
        "棋盘画面暂时中断，对局仍在进行，着手稍后补上。",
    ),
    "wins_resignation": ("{0} wins by resignation", "{0}中盘胜"),
    "wins_time": ("{0} wins on time", "{0}超时胜"),
    "wins_forfeit": ("{0} wins by forfeit", "{0}胜（判负）"),
    "wins": ("{0} wins", "{0}胜"),
    "wins_by": ("{0} wins by {1}", "{0}胜 {1}"),
    "points": ("{0} points", "{0} 目"),
    "stones": ("{0} points", "{0} 子"),
    "draw": ("Draw", "和棋"),
    "void": ("No result", "无胜负"),
    "order_unsure": ("order not certain", "次序不确定"),
    "board_label": ("Board, {0}", "棋盘，{0}"),
    "keys": (
        "Keys: left and right arrow step, Home and End jump, N shows numbers.",
        "键盘：左右方向键逐手，Home 与 End 跳转，N 显示手数。",
    ),
    "no_script": (
        "This page needs JavaScript. The record so far:",
        "此页面需要 JavaScript。目前棋谱：",
    ),
    "language": ("Language", "语言"),
    "game_info": ("Game", "对局信息"),
    "rules": ("Rules", "规则"),
    "time_control": ("Time", "用时"),
    "games": ("Finished games", "已结束的对局"),
    "no_games": ("No game has ended yet.", "暂无已结束的对局。"),
    "moves_count": ("{0} moves", "共 {0} 手"),
    "not_found": ("There is no such page.", "没有这个页面。"),
    "home": ("To the live game", "前往对局直播"),
}
"""English and Chinese by key; {0} is filled in by the page."""

RULESET_NAMES: Mapping[str, tuple[str, str]] = {
    "chinese-2002": ("Chinese", "中国规则"),
    "chinese-older": ("Chinese (older edition)", "中国规则（旧版）"),
    "japanese": ("Japanese", "日本规则"),
    "korean": ("Korean", "韩国规则"),
    "aga": ("AGA", "AGA 规则"),
    "ing": ("Ing", "应氏规则"),
    "new-zealand": ("New Zealand", "新西兰规则"),
    "tromp-taylor": ("Tromp-Taylor", "Tromp-Taylor 规则"),
}


def pick(table: Mapping[str, tuple[str, str]], language: str) -> dict[str, str]:
    """Return the words of one language by key."""
    place = LANGUAGES.index(language)
    return {key: words[place] for key, words in table.items()}


def ruleset_name(ruleset: str, language: str) -> str:
    """Return how people call a rule set; an unknown one by its own name."""
    words = RULESET_NAMES.get(ruleset)
    return words[LANGUAGES.index(language)] if words else ruleset

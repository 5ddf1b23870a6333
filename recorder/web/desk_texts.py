"""The words of the operator's desk in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from recorder.web.private_texts import PRIVATE

DESK: Mapping[str, tuple[str, str]] = {
    **PRIVATE,
    "title": ("Operator's desk", "操作台"),
    "check_page": ("Check", "赛前检查"),
    "needs_sag": (
        "The camera sinks: fasten it, then check again.",
        "摄像头在下沉：请固定后重新检查。",
    ),
    "needs_bump": (
        "Camera or board was moved to the edge of the picture: put it right, then check again.",
        "摄像头或棋盘移到画面边缘：请调整后重新检查。",
    ),
    "needs_lost": (
        "The board is not found: clear it, or set the corners by hand (Check).",
        "找不到棋盘：请清开棋盘，或在赛前检查中手动设定四角。",
    ),
    "camera": ("Camera", "摄像头"),
    "no_camera": ("No picture yet.", "暂无画面。"),
    "record": ("Record", "棋谱"),
    "no_moves": ("No move yet", "尚未落子"),
    "pass": ("pass", "停一手"),
    "delete": ("Delete this move", "删除此手"),
    "replace": ("Change it", "修改此手"),
    "insert": ("Insert before it", "在前面插入"),
    "append": ("Add a move at the end", "在末尾添加"),
    "cut": ("Delete it and all after", "删除此手及之后"),
    "point_hint": ("like Q16, or pass", "如 Q16，停一手写 pass"),
    "color": ("Color", "颜色"),
    "tap_hint": ("or tap it on the board", "也可在棋盘上点选"),
    "select_hint": (
        "Choose a move in the list to correct it.",
        "在列表中选择一手进行更正。",
    ),
    "differs": (
        "The goban differs from the record on {0} points.",
        "盘面与记录有 {0} 处不符。",
    ),
    "accept": ("Accept the goban as it stands", "以盘面现状为准"),
    "show_physical": ("Show the goban as seen", "显示盘面现状"),
    "inferred": ("inferred", "推断"),
    "edited": ("edited", "人工更正"),
    "imposed": ("imposed", "裁定"),
    "unsure": ("order not certain", "次序不确定"),
    "game": ("Game", "对局信息"),
    "f_black": ("Black", "黑方"),
    "f_white": ("White", "白方"),
    "f_black_rank": ("Rank", "段位"),
    "f_white_rank": ("Rank", "段位"),
    "f_black_team": ("Team", "队伍"),
    "f_white_team": ("Team", "队伍"),
    "f_event": ("Event", "赛事"),
    "f_round": ("Round", "轮次"),
    "f_place": ("Place", "地点"),
    "f_date": ("Date", "日期"),
    "f_time_control": ("Time", "用时"),
    "f_komi": ("Komi", "贴目"),
    "f_handicap": ("Handicap", "让子"),
    "f_ruleset": ("Rules", "规则"),
    "f_superko": ("Repetition", "同形再现"),
    "superko_refer": ("referee decides", "由裁判裁决"),
    "superko_void-pass": ("void, a pass", "无效，弃权一次"),
    "f_clock_source": ("A move ends", "着手结束"),
    "clock_buttons": ("with the button", "按钟时"),
    "clock_camera": ("when the stone stands", "落子提清时"),
    "time_hint": (
        "The clock cannot follow this time control. Write it like 90 min, 30 min + 5x60 s,"
        " 30 min + 15 moves / 10 min, or 10 min + 20 s a move.",
        "棋钟无法识别此用时，请写成 90 min、30 min + 5x60 s、30 min + 15 moves / 10 min"
        " 或 10 min + 20 s a move。",
    ),
    "exchange": ("Exchange Black and White", "黑白对调"),
    "pairings": ("Take from a pairing file", "导入对阵表"),
    "pairings_hint": (
        "OpenGotha XML, or CSV with columns table, black, white. Nothing is saved before you"
        " press Save or start the game.",
        "支持 OpenGotha XML，或含“台号、黑方、白方”列的 CSV（UTF-8 或 GB18030）。"
        "按保存或开始对局后才生效。",
    ),
    "pairings_file": ("File", "文件"),
    "pairings_found": ("{0} games", "共 {0} 局"),
    "take": ("Take", "采用"),
    "taken": (
        "Filled in: table {0}. Save, or start the game.",
        "已填入第 {0} 台，请保存或开始对局。",
    ),
    "call_referee": ("Call the referee", "呼叫裁判"),
    "called": ("The referee is called.", "已呼叫裁判。"),
    "unsure_moves": (
        "{0} moves are not certain. Compare with the players, then confirm or correct.",
        "有 {0} 手不确定，请与棋手核对后确认或更正。",
    ),
    "confirm_moves": ("Confirm", "确认"),
    "stretch": ("Moves {0}–{1}: {2}", "第 {0}–{1} 手：{2}"),
    "save": ("Save", "保存"),
    "start": ("Start a new game from the goban", "以盘面开始新对局"),
    "delay": ("What the public sees", "公众页面延迟"),
    "delay_seconds": ("Seconds behind", "延迟秒数"),
    "delay_moves": ("Moves behind", "延迟手数"),
    "delay_saved": ("The delay holds from now on.", "延迟即刻生效。"),
    "delete_pictures": ("Delete the pictures of this game", "删除本局图片"),
    "pictures_deleted": ("{0} files with pictures are deleted.", "已删除 {0} 个图片文件。"),
    "changed": ("The record has changed meanwhile: {0}.", "棋谱刚刚已有变化：{0}。"),
    "stale": ("Connection lost at {0}.", "连接于 {0} 中断。"),
    "alerts": ("{0} to decide", "{0} 项待裁决"),
    "referee_page": ("Referee's page", "裁判台"),
    "view_clear": ("The camera sees the goban", "摄像头正常"),
    "view_blocked": ("The goban is covered", "棋盘被遮挡"),
    "view_moved": ("Camera or goban has moved", "摄像头或棋盘移动"),
    "view_uncertain": ("The reading is not certain", "识别不确定"),
    "view_no-grid": ("No goban found", "未找到棋盘"),
    "view_lost": ("No picture from the camera", "摄像头无画面"),
}
"""English and Chinese by key; {0} is filled in by the page."""

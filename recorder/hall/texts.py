"""The words of the hub's pages in English and Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping

WALL: Mapping[str, tuple[str, str]] = {
    "wall": ("All boards", "全部棋盘"),
    "board": ("Board {0}", "第 {0} 台"),
    "round": ("Round {0}", "第 {0} 轮"),
    "all_rounds": ("All rounds", "全部轮次"),
    "find": ("Name or board", "姓名或台号"),
    "show_all": ("All games", "全部对局"),
    "playing": ("Playing", "对局中"),
    "show_alerts": ("To decide", "待处理"),
    "offline": ("Offline", "离线"),
    "view_bad": ("No clear view", "画面不清"),
    "last_move": ("last move {0} ago", "上一手 {0} 前"),
    "none_shown": ("No board fits.", "没有符合条件的棋盘。"),
    "boards_shown": ("{0} of {1} boards", "{0} / {1} 台"),
    "alerts": ("{0} to decide", "待处理 {0}"),
    "cloned": ("Two devices send as this board", "两台设备使用同一台号"),
    "heard": ("last heard {0} ago", "{0} 前有信号"),
    "log_in": ("For referees", "裁判登录"),
    "hall_stale": ("Connection lost. The wall may be behind.", "连接中断，画面可能不是最新。"),
}
"""Of the wall; {0} is filled in by the page."""

QUEUE: Mapping[str, tuple[str, str]] = {
    "queue": ("Referee: all boards", "裁判台：全部棋盘"),
    "section": ("Section", "分区"),
    "all_sections": ("All sections", "全部分区"),
    "to_board": ("Board {0}", "第 {0} 台"),
    "to_wall": ("Wall of boards", "棋盘墙"),
    "to_queue": ("Referee", "裁判台"),
    "to_office": ("Office", "编排与成绩"),
    "board_offline": ("Offline: a decision cannot reach this board.", "离线：裁决无法送达此台。"),
}
"""Of the referees' queue, besides the words of one board's console."""

OFFICE: Mapping[str, tuple[str, str]] = {
    "office": ("Pairings and results", "编排与成绩"),
    "current_round": ("Round in play", "当前轮次"),
    "set_round": ("Play this round", "开始本轮"),
    "import": ("Import pairings", "导入对阵"),
    "import_hint": ("OpenGotha XML, or CSV in English or Chinese", "OpenGotha XML，或中英文 CSV"),
    "preview": ("Look through", "预览"),
    "take_over": ("Take over {0} games", "采用 {0} 局对阵"),
    "table": ("Table", "台号"),
    "player": ("Player", "棋手"),
    "result": ("Result", "结果"),
    "confirmed": ("Confirmed", "已确认"),
    "yes_short": ("yes", "是"),
    "no_short": ("no", "否"),
    "points": ("Points", "积分"),
    "opponents": ("Opponents", "对手分"),
    "total": ("Total score", "总得分"),
    "warnings": ("Warnings", "警告"),
    "place": ("Place", "名次"),
    "standings": ("Standings", "名次表"),
    "teams": ("Teams", "团体"),
    "team": ("Team", "队"),
    "match_points": ("Match points", "场分"),
    "board_points": ("Board points", "局分"),
    "games": ("Games", "对局"),
    "download_games": ("Games (CSV)", "对局 CSV"),
    "download_standings": ("Standings (CSV)", "名次 CSV"),
    "download_teams": ("Teams (CSV)", "团体 CSV"),
    "download_records": ("Records of round {0} (zip)", "第 {0} 轮棋谱 zip"),
    "reckoning": (
        "Total score = own points + 2 × opponents' points / (2 × rounds) − rounds (article 27.1)",
        "总得分 = 本人得分 + 对手得分总和 ×2 ÷（轮数×2）− 轮数（第 27.1 条）",
    ),
}
"""Of the office."""

"""The words of the pages on which a board is set up, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from recorder.web.private_texts import PRIVATE

CHECK: Mapping[str, tuple[str, str]] = {
    **PRIVATE,
    "title": ("Check before the game", "赛前检查"),
    "desk": ("Operator's desk", "操作台"),
    "corners_page": ("Set the corners by hand", "手动设定四角"),
    "run": ("Check now", "开始检查"),
    "running": ("Looking for some seconds: keep hands off the board.", "检查数秒，请勿触碰棋盘。"),
    "not_yet": (
        "Press the button with the board empty and the light as it will be.",
        "请在棋盘清空、灯光就绪后按下按钮。",
    ),
    "picture": ("The board as read, with coordinates", "识别结果与坐标"),
    "black_below": (
        "A1 is at Black's left hand. If the letters are wrong, set the corners by hand.",
        "A1 在黑方左手边。若坐标不对，请手动设定四角。",
    ),
    "check_failed": ("The check could not be made: {0}", "检查失败：{0}"),
    "movements": ("What has moved", "移动记录"),
    "no_movements": ("Nothing has moved.", "没有移动。"),
    "moved_sag": ("The camera sinks slowly ({0} line spacings).", "摄像头缓慢下沉（{0} 格）。"),
    "moved_bump": ("The camera was knocked ({0} line spacings).", "摄像头被碰动（{0} 格）。"),
    "moved_pushed": ("The board was pushed ({0} line spacings).", "棋盘被推动（{0} 格）。"),
    "moved_lost": ("The board is not found any more.", "找不到棋盘。"),
    "moved_found": ("The board is found again.", "重新找到棋盘。"),
    "followed": ("Followed by itself.", "已自动跟随。"),
    "needs_person": (
        "Somebody must look: fasten the camera, or set the corners again.",
        "需要人工处理：请固定摄像头或重新设定四角。",
    ),
}

CORNERS: Mapping[str, tuple[str, str]] = {
    **PRIVATE,
    "title": ("Corners by hand", "手动设定四角"),
    "check_page": ("Check before the game", "赛前检查"),
    "how": (
        "Drag the four marks to the outermost crossings of the lines. They snap to the lines; the "
        "arrow keys move a mark by a pixel.",
        "将四个标记拖到最外侧线的四个交叉点，标记会吸附到线上；方向键可逐像素移动。",
    ),
    "corner": ("Corner {0}", "角 {0}"),
    "size": ("Lines", "路数"),
    "black_sits": ("Black sits at the picture's", "黑方坐在画面的"),
    "side_bottom": ("lower side", "下方"),
    "side_left": ("left side", "左侧"),
    "side_top": ("upper side", "上方"),
    "side_right": ("right side", "右侧"),
    "again": ("New picture", "重新拍摄"),
    "try": ("Show what is read there", "显示识别结果"),
    "keep": ("Use these corners", "使用这些角点"),
    "kept": ("These corners are used from now on.", "已启用这些角点。"),
    "by_network": ("Corrected by what is seen.", "已按识别结果修正。"),
    "by_lines": ("Snapped to the lines.", "已吸附到棋盘线。"),
    "by_nothing": (
        "No lines are seen near the corners: they are taken as they are.",
        "角点附近看不清线，按原位置使用。",
    ),
    "found": ("Found by itself: check the marks.", "已自动找到：请核对标记。"),
    "not_found": ("Not found by itself: drag the marks.", "未能自动找到：请拖动标记。"),
    "stones": ("{0} black and {1} white stones are read.", "识别到黑子 {0} 枚、白子 {1} 枚。"),
    "no_picture": ("The camera has not given a picture yet.", "摄像头尚无画面。"),
    "magnifier": ("Magnifier", "放大镜"),
}
"""English and Chinese by key; {0} is filled in by the page."""

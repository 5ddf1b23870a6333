"""What the pre-game check says about each item, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from calibration.check import Item, Level, Topic, Verdict


class Words(NamedTuple):
    """One sentence in both languages; {0} is the measured value."""

    en: str
    zh: str

    def say(self, language: str, value: float | None) -> str:
        """Return the sentence with its value filled in."""
        text = self.zh if language == "zh" else self.en
        return text.format(0.0 if value is None else value)


TOPICS: Mapping[Topic, Words] = {
    Topic.BOARD: Words("Board", "棋盘"),
    Topic.CELL: Words("Size in the picture", "画面大小"),
    Topic.ANGLE: Words("Angle", "角度"),
    Topic.SHARPNESS: Words("Sharpness", "清晰度"),
    Topic.BRIGHTNESS: Words("Brightness", "亮度"),
    Topic.GLARE: Words("Glare", "反光"),
    Topic.SHADOW: Words("Shadows", "阴影"),
    Topic.FLICKER: Words("Flicker", "闪烁"),
    Topic.EXPOSURE: Words("Exposure time", "曝光时间"),
    Topic.STEADINESS: Words("Steadiness", "稳定性"),
    Topic.READING: Words("Reading", "识别"),
    Topic.RATE: Words("Frames", "帧率"),
    Topic.LENS: Words("Lens", "镜头"),
    Topic.DISK: Words("Disk", "存储空间"),
    Topic.CLOCK: Words("Clock", "时钟"),
    Topic.TEMPERATURE: Words("Temperature", "温度"),
    Topic.POWER: Words("Power", "供电"),
}

LEVELS: Mapping[Level, Words] = {
    Level.UNKNOWN: Words("not measured", "未测"),
    Level.GOOD: Words("good", "良好"),
    Level.POOR: Words("poor", "欠佳"),
    Level.BAD: Words("bad", "不可用"),
}

VERDICTS: Mapping[Level, Words] = {
    Level.UNKNOWN: Words("Nothing could be measured.", "未能测量。"),
    Level.GOOD: Words("Ready to record.", "可以开始记录。"),
    Level.POOR: Words(
        "Recording will work; what is poor may cost something.",
        "可以记录，但欠佳之处可能有影响。",
    ),
    Level.BAD: Words(
        "Not ready: first put right what is bad.", "尚不可记录：请先处理不可用的项目。"
    ),
}

G, P, B = Level.GOOD, Level.POOR, Level.BAD

TEXTS: Mapping[tuple[Topic, Level, str], Words] = {
    (Topic.BOARD, G, ""): Words(
        "All of the board is in the picture, with a margin of {0:.1f} line spacings.",
        "棋盘完整，边缘余量 {0:.1f} 格。",
    ),
    (Topic.BOARD, P, "margin"): Words(
        "Only {0:.1f} line spacings lie between the board and the picture's edge: after a small "
        "knock stones at the edge are lost. Turn the camera or move it back.",
        "棋盘距画面边缘仅 {0:.1f} 格：稍有碰动就会丢失边上的棋子。请调整摄像头或后移。",
    ),
    (Topic.BOARD, P, "unsure"): Words(
        "The lines are found with only {0:.0f} % certainty: the grid may be off by a line. Look at "
        "the coordinates in the picture, or set the corners by hand.",
        "棋盘线识别把握仅 {0:.0f}%：可能错一路。请核对画面上的坐标，或手动设定四角。",
    ),
    (Topic.BOARD, P, "covered"): Words(
        "{0:.0f} % of the points are covered and were not checked. Clear the board and check "
        "again.",
        "{0:.0f}% 的交叉点被遮挡，未能检查。请清开棋盘后重新检查。",
    ),
    (Topic.BOARD, B, "margin"): Words(
        "The board reaches over the picture's edge. Turn the camera or move it back.",
        "棋盘超出画面。请调整摄像头或后移。",
    ),
    (Topic.BOARD, B, "unsure"): Words(
        "The lines are found with only {0:.0f} % certainty. Set the corners by hand.",
        "棋盘线识别把握仅 {0:.0f}%。请手动设定四角。",
    ),
    (Topic.BOARD, B, "covered"): Words(
        "{0:.0f} % of the points are covered. Clear the board and check again.",
        "{0:.0f}% 的交叉点被遮挡。请清开棋盘后重新检查。",
    ),
    (Topic.BOARD, B, "cut"): Words(
        "A part of the board is outside the picture. Turn the camera or move it back.",
        "棋盘有一部分在画面之外。请调整摄像头或后移。",
    ),
    (Topic.BOARD, B, "small"): Words(
        "The board is too small in the picture. Move the camera nearer.",
        "棋盘在画面中太小。请将摄像头移近。",
    ),
    (Topic.BOARD, B, "missing"): Words(
        "No board is found. Point the camera at it and clear it of hands; if it is in full view, "
        "set the corners by hand.",
        "未找到棋盘。请对准棋盘并移开手；若棋盘已完整可见，请手动设定四角。",
    ),
    (Topic.CELL, G, ""): Words("{0:.0f} pixels between lines.", "每格 {0:.0f} 像素。"),
    (Topic.CELL, P, ""): Words(
        "Only {0:.0f} pixels between lines, 14 are better: stones at the edge of a hand may be "
        "read late. Move the camera nearer or choose a higher resolution.",
        "每格仅 {0:.0f} 像素，最好 14 以上：手边的棋子可能识别较慢。请移近或提高分辨率。",
    ),
    (Topic.CELL, B, ""): Words(
        "Only {0:.0f} pixels between lines, at least 9 are needed. Move the camera nearer or "
        "choose a higher resolution.",
        "每格仅 {0:.0f} 像素，至少需要 9。请移近或提高分辨率。",
    ),
    (Topic.ANGLE, G, ""): Words("The camera looks down at {0:.0f} degrees.", "俯角 {0:.0f} 度。"),
    (Topic.ANGLE, P, ""): Words(
        "The camera looks down at only {0:.0f} degrees: near stones hide those behind them. Raise "
        "it.",
        "俯角仅 {0:.0f} 度：近处的棋子会挡住后面的。请抬高摄像头。",
    ),
    (Topic.ANGLE, B, ""): Words(
        "The camera looks down at only {0:.0f} degrees, at least 22 are needed. Raise it.",
        "俯角仅 {0:.0f} 度，至少需要 22 度。请抬高摄像头。",
    ),
    (Topic.ANGLE, P, "far"): Words(
        "On the far side lines are only {0:.1f} pixels apart: stones there are read less surely. "
        "Raise the camera or move it nearer.",
        "远端线距仅 {0:.1f} 像素：远处棋子识别不够可靠。请抬高或移近。",
    ),
    (Topic.ANGLE, B, "far"): Words(
        "On the far side lines are only {0:.1f} pixels apart, at least 5 are needed. Raise the "
        "camera or move it nearer.",
        "远端线距仅 {0:.1f} 像素，至少需要 5。请抬高或移近。",
    ),
    (Topic.SHARPNESS, G, ""): Words("The lines are sharp.", "棋盘线清晰。"),
    (Topic.SHARPNESS, P, ""): Words(
        "The picture is blurred by {0:.0f} % of a line spacing: neighbors that touch may be read "
        "late. Focus the lens, and see that nothing shakes.",
        "画面模糊达线距的 {0:.0f}%：相邻的棋子可能识别较慢。请对焦，并确认没有晃动。",
    ),
    (Topic.SHARPNESS, B, ""): Words(
        "The picture is blurred by {0:.0f} % of a line spacing. Focus the lens, and see that "
        "nothing shakes.",
        "画面模糊达线距的 {0:.0f}%。请对焦，并确认没有晃动。",
    ),
    (Topic.SHARPNESS, P, "faint"): Words(
        "The lines stand out by only {0:.0f} gray levels: clean the lens, and keep lamps and "
        "windows out of its view.",
        "棋盘线对比度仅 {0:.0f} 级：请擦净镜头，避开灯光和窗户。",
    ),
    (Topic.SHARPNESS, B, "faint"): Words(
        "The lines hardly stand out ({0:.0f} gray levels). Clean the lens, and give more light.",
        "棋盘线几乎看不出（{0:.0f} 级）。请擦净镜头并增加照明。",
    ),
    (Topic.SHARPNESS, P, "noise"): Words(
        "The picture is grainy (noise of {0:.0f} gray levels): faint stones may be read late. Give "
        "more light.",
        "画面噪点较多（{0:.0f} 级）：不明显的棋子可能识别较慢。请增加照明。",
    ),
    (Topic.SHARPNESS, B, "noise"): Words(
        "The picture is full of grain (noise of {0:.0f} gray levels). Give more light.",
        "画面噪点过多（{0:.0f} 级）。请增加照明。",
    ),
    (Topic.SHARPNESS, B, "nothing"): Words(
        "Neither lines nor stones stand out. Focus the lens, clean it, give light.",
        "看不清线和棋子。请对焦、擦净镜头并增加照明。",
    ),
    (Topic.BRIGHTNESS, G, ""): Words("Neither too dark nor too bright.", "亮度合适。"),
    (Topic.BRIGHTNESS, P, "dark"): Words(
        "The board is dim (brightest {0:.0f} of 255): stones under a hand's shadow may be read "
        "late. Give more light or a longer exposure.",
        "棋盘较暗（最亮 {0:.0f}/255）：手影下的棋子可能识别较慢。请增加照明或延长曝光。",
    ),
    (Topic.BRIGHTNESS, B, "dark"): Words(
        "The board is dark (brightest {0:.0f} of 255). Give more light or a longer exposure.",
        "棋盘太暗（最亮 {0:.0f}/255）。请增加照明或延长曝光。",
    ),
    (Topic.BRIGHTNESS, P, "blown"): Words(
        "{0:.0f} % of the board is overexposed: white stones beside each other run together. "
        "Shorten the exposure.",
        "棋盘 {0:.0f}% 过曝：相邻白子会连成一片。请缩短曝光。",
    ),
    (Topic.BRIGHTNESS, B, "blown"): Words(
        "{0:.0f} % of the board is overexposed. Shorten the exposure or shade the board.",
        "棋盘 {0:.0f}% 过曝。请缩短曝光或遮光。",
    ),
    (Topic.GLARE, G, ""): Words("No lamp is mirrored.", "无明显反光。"),
    (Topic.GLARE, P, ""): Words(
        "A lamp is mirrored on {0:.0f} points (crosses in the picture): stones there may be read "
        "late. Move the lamp or the camera.",
        "{0:.0f} 个交叉点反光（画面中叉号）：该处棋子可能识别较慢。请移动灯或摄像头。",
    ),
    (Topic.GLARE, B, ""): Words(
        "A lamp is mirrored on {0:.0f} points (crosses in the picture). Move the lamp or the "
        "camera, or close the curtain.",
        "{0:.0f} 个交叉点反光（画面中叉号）。请移动灯或摄像头，或拉上窗帘。",
    ),
    (Topic.SHADOW, G, ""): Words("The light is even.", "光照均匀。"),
    (Topic.SHADOW, P, ""): Words(
        "Hard shadows lie on the board ({0:.0f} % of neighbors): when the sun moves, their edges "
        "wander over it. Draw the blinds.",
        "棋盘上有明显阴影（{0:.0f}%）：随日光移动会扫过棋盘。请拉上窗帘。",
    ),
    (Topic.FLICKER, G, ""): Words("The light is steady.", "光线稳定。"),
    (Topic.FLICKER, P, ""): Words(
        "The light flickers by {0:.0f} %: more work for the device. Set the exposure to a multiple "
        "of 1/100 s (1/120 s where the mains have 60 Hz).",
        "光线闪烁 {0:.0f}%：会增加设备负担。请将曝光设为 1/100 秒的整数倍"
        "（60 Hz 电网为 1/120 秒）。",
    ),
    (Topic.FLICKER, B, ""): Words(
        "The light flickers by {0:.0f} %. Set the exposure to a multiple of 1/100 s (1/120 s where "
        "the mains have 60 Hz), or change the lamp.",
        "光线闪烁 {0:.0f}%。请将曝光设为 1/100 秒的整数倍（60 Hz 电网为 1/120 秒），或换灯。",
    ),
    (Topic.EXPOSURE, G, ""): Words("{0:.0f} ms a frame.", "每帧 {0:.0f} 毫秒。"),
    (Topic.EXPOSURE, P, ""): Words(
        "{0:.0f} ms a frame: moving hands are smeared. Give more light.",
        "每帧 {0:.0f} 毫秒：移动的手会模糊。请增加照明。",
    ),
    (Topic.EXPOSURE, B, ""): Words(
        "{0:.0f} ms a frame: whatever moves is smeared. Give more light or set a shorter exposure.",
        "每帧 {0:.0f} 毫秒：移动物体都会模糊。请增加照明或缩短曝光。",
    ),
    (Topic.STEADINESS, G, ""): Words("The camera stands still.", "摄像头稳定。"),
    (Topic.STEADINESS, P, ""): Words(
        "The picture moves by {0:.2f} line spacings: fasten the camera, and keep it off the table "
        "that players lean on.",
        "画面晃动 {0:.2f} 格：请固定摄像头，勿置于棋手会倚靠的桌上。",
    ),
    (Topic.STEADINESS, B, ""): Words(
        "The picture moves by {0:.2f} line spacings. Fasten the camera.",
        "画面晃动 {0:.2f} 格。请固定摄像头。",
    ),
    (Topic.READING, G, ""): Words("Every point is read surely.", "各交叉点识别可靠。"),
    (Topic.READING, P, ""): Words(
        "{0:.0f} % of the points are not sure: moves there may come late. See what else is poor.",
        "{0:.0f}% 的交叉点不确定：该处着手可能识别较慢。请查看其他欠佳项。",
    ),
    (Topic.READING, B, ""): Words(
        "{0:.0f} % of the points are not sure. See what else is bad, or set the corners by hand.",
        "{0:.0f}% 的交叉点不确定。请查看其他不可用项，或手动设定四角。",
    ),
    (Topic.RATE, G, ""): Words("{0:.1f} frames a second.", "每秒 {0:.1f} 帧。"),
    (Topic.RATE, P, ""): Words(
        "Only {0:.1f} frames a second: moves appear later. See whether the camera or the network "
        "is busy.",
        "每秒仅 {0:.1f} 帧：着手显示会变慢。请检查摄像头或网络是否繁忙。",
    ),
    (Topic.RATE, B, ""): Words(
        "Only {0:.1f} frames a second, at least 2 are needed.", "每秒仅 {0:.1f} 帧，至少需要 2 帧。"
    ),
    (Topic.RATE, P, "gap"): Words(
        "No frame came for {0:.1f} s: a quick exchange may be seen as one. See to the cable or the "
        "network.",
        "曾有 {0:.1f} 秒没有画面：快速交替落子可能只看到一次。请检查线缆或网络。",
    ),
    (Topic.RATE, B, "gap"): Words(
        "No frame came for {0:.1f} s. See to the cable or the network.",
        "曾有 {0:.1f} 秒没有画面。请检查线缆或网络。",
    ),
    (Topic.RATE, B, "none"): Words(
        "The camera gives no picture. See to its cable and whether another program uses it.",
        "摄像头没有画面。请检查线缆，以及是否被其他程序占用。",
    ),
    (Topic.LENS, G, ""): Words("The lens has been measured.", "镜头已标定。"),
    (Topic.DISK, G, ""): Words("{0:.1f} GB free.", "剩余 {0:.1f} GB。"),
    (Topic.DISK, P, ""): Words(
        "Only {0:.1f} GB free: room for few games with pictures. Delete old pictures.",
        "仅剩 {0:.1f} GB：只够少数带图片的对局。请删除旧图片。",
    ),
    (Topic.DISK, B, ""): Words(
        "Only {0:.1f} GB free. Delete old games' pictures first.",
        "仅剩 {0:.1f} GB。请先删除旧对局的图片。",
    ),
    (Topic.CLOCK, G, ""): Words("Set from the network.", "已与网络同步。"),
    (Topic.CLOCK, P, ""): Words(
        "Not set from the network: dates in the record may be wrong. Connect once, or set it by "
        "hand.",
        "未与网络同步：棋谱日期可能有误。请联网一次或手动设定。",
    ),
    (Topic.TEMPERATURE, G, ""): Words("{0:.0f} °C.", "{0:.0f} °C。"),
    (Topic.TEMPERATURE, P, ""): Words(
        "{0:.0f} °C: near 80 °C the device slows down. Give it air.",
        "{0:.0f} °C：接近 80 °C 时设备会降速。请保证通风。",
    ),
    (Topic.TEMPERATURE, B, ""): Words(
        "{0:.0f} °C: the device slows down. Take it out of the sun and give it air.",
        "{0:.0f} °C：设备正在降速。请避开日晒并通风。",
    ),
    (Topic.POWER, G, ""): Words("The power supply is strong enough.", "供电充足。"),
    (Topic.POWER, P, ""): Words(
        "The device has been slowed down since its start, by heat or weak power. Use its own power "
        "supply.",
        "开机以来曾因过热或供电不足而降速。请使用原装电源。",
    ),
    (Topic.POWER, B, ""): Words(
        "The device is slowed down by heat or weak power. Use its own power supply and give it "
        "air.",
        "设备正因过热或供电不足而降速。请使用原装电源并通风。",
    ),
}
"""By topic, level and reason."""


SILENT: Mapping[Topic, Words] = {
    **dict.fromkeys(
        (Topic.FLICKER, Topic.STEADINESS, Topic.RATE),
        Words("A single picture does not tell.", "单张图片无法判断。"),
    ),
    Topic.EXPOSURE: Words("The camera does not tell.", "摄像头未提供。"),
    **dict.fromkeys(
        (Topic.DISK, Topic.CLOCK, Topic.TEMPERATURE, Topic.POWER),
        Words("This device does not tell.", "本设备未提供。"),
    ),
    Topic.LENS: Words(
        "It has not been measured and is estimated from the board.", "镜头未标定，将由棋盘估计。"
    ),
}
"""Why a topic could not be measured."""


def sentence(item: Item, language: str = "en") -> str:
    """Return what an item says, with what it costs or what to do."""
    if item.level is Level.UNKNOWN:
        return SILENT[item.topic].say(language, None)
    return TEXTS[item.topic, item.level, item.reason].say(language, item.value)


def format_verdict(verdict: Verdict, language: str) -> dict[str, Any]:
    """Return a verdict as JSON fields, the worst items first."""
    return {
        "level": verdict.level.word,
        "text": VERDICTS[verdict.level].say(language, None),
        "items": [
            {
                "topic": item.topic.value,
                "name": TOPICS[item.topic].say(language, None),
                "level": item.level.word,
                "level_name": LEVELS[item.level].say(language, None),
                "reason": item.reason,
                "value": None if item.value is None else round(item.value, 4),
                "text": sentence(item, language),
            }
            for item in sorted(verdict.items, key=lambda item: -item.level)
        ],
    }

"""The words of the referee's console: alerts, rulings, decisions and buttons in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from recorder.web.private_texts import PRIVATE

CONSOLE: Mapping[str, tuple[str, str]] = {
    **PRIVATE,
    "title": ("Referee", "裁判台"),
    "login": ("Log in", "登录"),
    "name": ("Your name", "姓名"),
    "password": ("PIN or password", "PIN 码或密码"),
    "wrong_password": ("That password opens nothing here.", "密码不正确。"),
    "wait": ("Too many attempts. Try again in {0} s.", "尝试次数过多，请 {0} 秒后再试。"),
    "role_1": ("Operator", "操作员"),
    "role_2": ("Referee", "裁判"),
    "role_3": ("Chief referee", "裁判长"),
    "nobody": ("Nobody", "无责任方"),
    "warnings": ("Warnings", "警告"),
    "warning_cost": ("{0} stone(s) in counting", "数子时罚 {0} 子"),
    "warning_loss": ("two warnings: loss proposed", "两次警告：建议判负"),
    "warning_recorded": ("recorded", "记录在案"),
    "no_alerts": ("Nothing to decide.", "没有待处理事项。"),
    "open_alerts": ("To decide", "待处理"),
    "earlier": ("Earlier", "已处理"),
    "log": ("Only noted", "仅记录"),
    "article": ("Article {0}", "第 {0} 条"),
    "article_own": ("Recording", "记录"),
    "proposed": ("Proposed: {0}", "建议：{0}"),
    "with_warning": (", with one warning for {0}", "，并警告{0}一次"),
    "moves_since": ("moves since: {0}", "此后已下 {0} 手"),
    "no_moves_since": ("no move since", "此后尚未落子"),
    "confirm": ("Confirm", "确认"),
    "dismiss": ("Dismiss", "驳回"),
    "otherwise": ("Decide otherwise", "另行裁决"),
    "note": ("Note", "备注"),
    "again": ("Decide again", "重新裁决"),
    "seen": ("Seen", "已阅"),
    "decided": ("{0} by {1}", "{0}（{1}）"),
    "withdrawn": ("Withdrawn: a later view showed otherwise", "已撤销：后续画面表明并非如此"),
    "conflict": (
        "Already decided meanwhile: {0}. Nothing was changed; decide again if needed.",
        "此事刚刚已有裁决：{0}。本次操作未生效，如有需要请重新裁决。",
    ),
    "forbidden": ("Only the chief referee may decide this.", "此项须由裁判长裁决。"),
    "stale": (
        "Connection lost at {0}. Alerts do not arrive here!",
        "连接于 {0} 中断，提示无法送达！",
    ),
    "view_bad": ("The camera does not see the board clearly.", "摄像机看不清棋盘。"),
    "mismatch": ("Board and record differ at {0}", "盘面与记录不符：{0}"),
    "sound_on": ("Turn sound on", "打开声音"),
    "sound_is_on": ("Sound is on", "声音已开"),
    "before": ("Before", "事前"),
    "after": ("After", "事后"),
    "frame": ("Camera", "原始画面"),
    "diagram": ("Diagram", "棋图"),
    "actions": ("Other actions", "其他操作"),
    "players_say": ("What a player says", "棋手声明"),
    "referee_does": ("What the referee does", "裁判操作"),
    "pass": ("Pass", "停一手"),
    "resign": ("Resigns", "认输"),
    "claim": ("Claims", "申诉"),
    "consent": ("Agrees to a dropped stone being played freely", "同意对方掉落之子自由落下"),
    "propose_end": ("Says the game is over", "提出终局"),
    "to_scoring": ("Go to counting", "进入数子"),
    "result": ("Result", "结果"),
    "enter_result": ("Enter result", "登记结果"),
    "result_hint": ("B+3.5, W+R, B+T, 0 for a draw", "如 B+3.5、W+R、B+T，和棋写 0"),
    "seal": ("Seal the result", "结果定案"),
    "report": ("Report", "上报"),
    "desk_page": ("Operator's desk", "操作台"),
    "result_confirmed": ("Result {0}, confirmed", "结果 {0}，已确认"),
    "result_proposed": ("Result {0}, proposed", "结果 {0}，建议"),
}
"""English and Chinese by key; {0} and {1} are filled in by the page."""

ALERTS: Mapping[str, tuple[str, str]] = {
    "double-move": ("Two moves in a row", "连下两着"),
    "forbidden-point": ("Forbidden point", "下在禁着点"),
    "ko-violation": ("Ko retaken without a threat", "未找劫材而提劫"),
    "whole-board-repetition": ("Position repeats", "全局同形再现"),
    "missed-capture": ("Captured stones not removed", "未提"),
    "partial-capture": ("Captured stones partly removed", "漏提"),
    "wrong-removal": ("Stones with liberties removed", "误提"),
    "take-back": ("Stone taken back", "悔棋"),
    "dropped-stone": ("Dropped stone", "棋子掉落"),
    "moved-stone": ("Stone has moved", "棋子移动"),
    "stone-missing": ("Stone is missing", "棋子缺失"),
    "color-changed": ("Stone changed color", "同点变色"),
    "board-scattered": ("Position scattered", "棋局散乱"),
    "wrong-first-color": ("Wrong color plays first", "先手颜色有误"),
    "colors-swapped": ("Colors swapped", "拿错黑白棋"),
    "wrong-color-stone": ("Stone of the other color used", "误用对方棋子"),
    "handicap-mismatch": ("Handicap differs from the pairing", "让子数不符"),
    "order-ambiguous": ("Order of moves not certain", "次序不明"),
    "possible-pass": ("Possibly a pass", "疑似虚着"),
    "possible-end": ("Possibly the end", "疑似终局"),
    "game-quiet": ("No change for long: is the game over?", "盘面长时间无变化：对局是否已结束？"),
    "board-mismatch": ("Board and record differ", "盘面与记录不符"),
    "record-conflict": ("Correction conflicts with later moves", "更正与后续着手冲突"),
    "clock-before-stone": ("Clock pressed before the stone", "未落子先按钟"),
    "clock-before-removal": ("Clock pressed before removing captures", "未提清先按钟"),
    "clock-wrong-hand": ("Clock pressed with the other hand", "异手按钟"),
    "clock-out-of-turn": ("Clock pressed out of turn", "非行棋方按钟"),
    "flag-fall": ("Time is over", "超时"),
    "clock-fault": ("Clock at fault", "计时器故障"),
    "late-arrival": ("Late", "迟到"),
    "absence": ("Absent", "离席"),
    "play-after-end": ("Stone after the end", "终局后落子"),
    "wrong-resume-side": ("Wrong side resumed", "续弈先后有误"),
    "life-death-dispute": ("Life and death disputed", "死活争议"),
    "end-proposed": ("End proposed", "提出终局"),
    "resigned": ("Resigned", "认输"),
    "two-warnings": ("Two warnings", "两次警告"),
    "view-blocked": ("View blocked", "视线被遮挡"),
    "recognition-uncertain": ("Reading not certain", "识别不确定"),
    "camera-moved": ("Camera or board moved", "摄像机或棋盘移动"),
    "conduct-report": ("Conduct", "赛场纪律"),
}
"""Every type of alert."""

RULINGS: Mapping[str, tuple[str, str]] = {
    "void-second": ("the second stone is void and comes off", "第二着无效，取下"),
    "void-pass": ("the move is void and counts as a pass", "着手无效，弃权一次"),
    "referee-repetition": ("the chief referee decides", "由裁判长裁决"),
    "take-off": ("the captured stones come off", "提清死子"),
    "put-back": ("the removed stones go back", "误提之子放回"),
    "await-claim": ("valid unless the opponent claims now", "对方未当即提出则有效"),
    "original-point": ("the stone goes back to its first point", "棋子放回原处"),
    "ask-opponent": ("ask the opponent", "询问对方"),
    "referee-moved": ("the stone goes back to its point", "棋子恢复原位"),
    "rebuild": ("rebuild the position from the record", "按记录复原棋局"),
    "record-as-played": ("record as played", "按实际着手记录"),
    "swap-colors": ("exchange the colors up to move 10", "十手以内可更正"),
    "exchange-stone": ("exchange the stone", "换回本方棋子"),
    "check-pairing": ("check the pairing", "核对对阵"),
    "fix-order": ("choose the order", "确定次序"),
    "pass-when-answered": ("a pass if the opponent plays", "对方落子即视为停一手"),
    "pass-on-claim": ("a pass if the opponent claims", "对方提出则视为停一手"),
    "ask-end": ("ask whether the game is over", "询问是否终局"),
    "compare": ("compare board and record", "核对盘面与记录"),
    "reading-stays": ("the clock reading stays", "钟面时间不变"),
    "log": ("noted only", "仅记录"),
    "loss": ("loss of the game", "判负"),
    "replace-clock": ("replace the clock and set it again", "更换计时器并重新调整"),
    "deduct-double": ("deduct twice the time", "加倍扣除用时"),
    "pass-on-application": (
        "a pass on application, the last minute again",
        "按申请视为弃权一次，重读最后一分钟",
    ),
    "not-recorded": ("not recorded", "不予记录"),
    "other-side-first": ("the other side plays first", "由另一方先行"),
    "resume-claimant": ("resume; who claims death plays first", "续弈，主张死棋方先行"),
    "referee": ("the referee decides", "由裁判裁决"),
    "confirm": ("as proposed", "按建议执行"),
    "dismiss": ("dismissed, no infraction", "驳回，无违例"),
    "stands": ("valid as it stands", "按现状有效"),
    "void-move": ("the move is void", "着手无效"),
    "warning": ("as proposed, with a warning", "按建议并警告一次"),
    "no-warning": ("as proposed, without a warning", "按建议但不警告"),
    "draw": ("draw", "判和"),
    "replay": ("replay", "重下"),
    "no-result": ("no result", "无胜负"),
    "both-lose": ("both lose", "双方判负"),
}
"""Every proposed ruling and every decision, as the end of a sentence."""

_USUAL = ("warning",)
_PENALTY = ("no-warning", "loss")
ALTERNATIVES: Mapping[str, tuple[str, ...]] = {
    "double-move": _PENALTY,
    "forbidden-point": ("warning", "loss"),
    "ko-violation": _PENALTY,
    "whole-board-repetition": ("stands", "void-pass", "draw", "replay", "no-result"),
    "missed-capture": ("no-warning", "warning"),
    "partial-capture": ("no-warning", "warning"),
    "wrong-removal": ("no-warning",),
    "take-back": ("stands", "warning", "no-warning"),
    "moved-stone": ("stands", "draw", "replay", "both-lose", "loss"),
    "stone-missing": ("stands", "draw", "replay", "both-lose", "loss"),
    "color-changed": ("stands", "draw", "replay", "both-lose", "loss"),
    "board-scattered": ("draw", "replay", "both-lose", "loss"),
    "clock-before-stone": ("no-warning",),
    "clock-before-removal": ("no-warning",),
    "flag-fall": ("pass-on-application", "no-result"),
    "conduct-report": ("warning", "loss"),
}
"""What an article allows besides confirming and dismissing; `_USUAL` where nothing is listed."""

CHIEF_DECISIONS = frozenset({"draw", "replay", "no-result", "both-lose", "loss"})
"""Decisions that end a game: the chief referee's."""

CHIEF_ALERTS = frozenset(
    {"moved-stone", "stone-missing", "color-changed", "board-scattered", "whole-board-repetition"}
)
"""Articles 17.5, 17.6 and 20: what is neither the proposal nor a dismissal is the chief's."""


def alternatives(kind: str) -> tuple[str, ...]:
    """Return the decisions on offer for a type of alert besides confirming and dismissing."""
    return ALTERNATIVES.get(kind, _USUAL)


def needs_chief(kind: str, decision: str) -> bool:
    """Whether only the chief referee may decide so about a type of alert."""
    if decision in CHIEF_DECISIONS:
        return True
    return kind in CHIEF_ALERTS and decision not in ("confirm", "dismiss")

"""The words of the referee's console: alerts, rulings, decisions and buttons in both languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from recorder.goban import Color
from recorder.rules import ruleset_of
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
    "warned": ("{0} confirmed, {1} proposed", "已确认 {0} 次，建议 {1} 次"),
    "escalated": (
        "Nobody has answered for a minute: for the chief referee",
        "一分钟无人处理，转裁判长",
    ),
    "seen_by": ("seen by {0}", "{0}已阅"),
    "late_detail": ("{0} min late, {1} min to be deducted", "迟到 {0} 分钟，应扣 {1} 分钟"),
    "fault_detail": ("error {0} s an hour", "每小时误差 {0} 秒"),
    "fault_used": ("really used: Black {0} min, White {1} min", "实际用时：黑 {0} 分，白 {1} 分"),
    "moves_played": ("moves played: {0}", "已下 {0} 手"),
    "cycle_detail": ("as after move {0}, a cycle of {1}", "同第 {0} 手后，循环 {1} 手"),
    "g_break": ("Adjournment and sealed move", "暂停与封棋"),
    "g_time": ("Time", "时间"),
    "g_incident": ("Incidents and notes", "事项与备注"),
    "g_ending": ("The end", "终局"),
    "agree_end": ("Agrees to the end", "同意终局"),
    "give_up": ("Gives up the contest", "放弃争夺"),
    "resume_differs": (
        "Board and record differ at {0}. Resume all the same?",
        "盘面与记录在 {0} 不符，仍要继续？",
    ),
    "resume_first": ("Resume, {0} first", "继续，{0}先下"),
    "times_confirmed": ("Both confirm the times", "双方确认用时"),
    "clock_times": ("On the clock:", "钟面时间："),
    "no_clock": ("no clock", "无棋钟"),
    "seal_move": ("Seal a move", "封棋着手"),
    "seal_move_hint": (
        "Write move and code on the envelope before you press. The log keeps only a proof.",
        "请先将着手与验证码写入信封再保存；日志只保存验证，不显示着手。",
    ),
    "open_move": ("Open the sealed move", "启封着手"),
    "code": ("Code", "验证码"),
    "seal_matches": ("as sealed", "与封棋一致"),
    "seal_differs": ("not as sealed!", "与封棋不一致！"),
    "late": ("Late", "迟到"),
    "late_minutes": ("Minutes late", "迟到分钟"),
    "late_limit": ("Limit", "时限"),
    "limit_15": ("15 min (on the spot)", "15 分钟（同住一处）"),
    "limit_60": ("60 min", "60 分钟"),
    "late_hint": (
        "A card appears; when it is confirmed, twice the time comes off the clock.",
        "提交后出现裁决卡片，确认后加倍扣时。",
    ),
    "absence": ("Leaves the board", "离席"),
    "flag_seen": ("Time is over (without clock buttons)", "超时（人工计时）"),
    "count_restart": ("Restart the count", "重新读秒"),
    "at_second": ("At second", "从第几秒"),
    "clock_check": ("Is the clock right?", "核对计时器"),
    "black_shown": ("Black, shown as used (min)", "黑方已用（分）"),
    "white_shown": ("White, shown as used (min)", "白方已用（分）"),
    "real_time": ("Really passed (min)", "实际经过（分）"),
    "clock_set": ("Set the clock", "调整钟面时间"),
    "clock_set_hint": (
        "What is left. One side alone is for the chief referee.",
        "填写剩余时间；只调整一方须由裁判长决定。",
    ),
    "minutes_left": ("Minutes left", "剩余分钟"),
    "periods_left": ("Periods left", "剩余次数"),
    "clock_replaced": ("Clock replaced", "更换计时器"),
    "conduct": ("Conduct", "赛场纪律"),
    "scattered": ("Board scattered", "棋局散乱"),
    "nigiri": ("Nigiri", "猜先"),
    "nigiri_hint": (
        "The guesser takes Black if he is right, else White.",
        "猜中者执黑，未中者执白。",
    ),
    "nigiri_detail": ("{0}, {1} stones", "猜{0}，{1} 子"),
    "guesser": ("Who guesses", "猜先者"),
    "guess": ("Guess", "猜"),
    "odd": ("odd", "单"),
    "even": ("even", "双"),
    "stones_held": ("Stones held", "所握子数"),
    "free_note": ("Note", "备注"),
    "dispute": ("Life and death disputed", "死活争议"),
    "points_list": ("Points", "位置"),
    "dispute_claim": ("Says they are", "主张"),
    "dead": ("dead", "死棋"),
    "alive": ("alive", "活棋"),
    "forfeit": ("Forfeit", "判负"),
    "winner": ("Winner", "胜方"),
    "without_winner": ("No winner", "无胜方"),
    "decision": ("Decision", "裁决"),
    "r_draw": ("draw", "和棋"),
    "r_replay": ("replay", "重下"),
    "r_no-result": ("no result", "无胜负"),
    "r_both-lose": ("both lose", "双方判负"),
    "confirm_result": ("Confirm the result", "确认结果"),
    "sign": ("{0} confirms", "{0}确认"),
    "seal_hint": (
        "After both players have confirmed; without them, the chief referee.",
        "双方确认后方可定案；否则由裁判长定案。",
    ),
    "count_hint": (
        "Tap stones that are dead, and empty points to be shared.",
        "点选死子；点选空点表示双方各半。",
    ),
    "count_enter": ("Enter this count", "登记数子结果"),
    "count_again": ("Begin again", "重新标记"),
    "count_komi": ("Komi {0}", "贴目 {0}"),
    "count_warnings": ("warnings: {0}", "警告 {0} 次"),
    "minutes": ("Minutes", "记录"),
    "n_nigiri": ("Nigiri", "猜先"),
    "n_pictures-deleted": ("Pictures deleted", "图片已删除"),
    "n_note": ("Note", "备注"),
    "n_times-confirmed": ("Times confirmed", "双方确认用时"),
    "n_clock-replaced": ("Clock replaced", "更换计时器"),
    "n_clock-deducted": ("Time deducted", "扣时"),
    "n_sealed-move": ("Move sealed", "已封棋"),
    "n_sealed-move-opened": ("Sealed move opened", "已启封"),
    "n_count": ("Counted", "数子"),
    "early_play-goes-on": ("Play goes on: end it first.", "对局仍在进行，请先终局。"),
    "early_result-confirmed": ("The result is confirmed already.", "结果已确认。"),
    "early_no-result": ("There is no result yet.", "尚无结果。"),
    "early_not-confirmed": ("Confirm the result first.", "请先确认结果。"),
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
    "disk-full": ("The disk is full: recording in memory only", "存储已满：目前仅在内存中记录"),
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
    "call-referee": ("The referee is called", "呼叫裁判"),
    "gives-up": ("Gives up the contest", "放弃争夺"),
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
    "loss-B": ("Black loses", "判黑方负"),
    "loss-W": ("White loses", "判白方负"),
    "reasonable-point": ("a reasonable point: as it stands now", "移至合理位置，以盘面现状为准"),
    "restart": ("start again", "重新开始对局"),
    "make-room": (
        "The operator makes room on the device; do not switch it off before",
        "请操作员腾出存储空间，在此之前请勿关机",
    ),
    "chief-border": (
        "what is open goes to the opponent; the chief referee fixes the border",
        "未定之处归对方，边界由裁判长裁定",
    ),
}
"""Every proposed ruling and every decision, as the end of a sentence."""

_PENALTY = ("no-warning", "loss")
_RECORDED = ("warning", "no-warning")
_BY_KIND: Mapping[str, tuple[str, ...]] = {
    "double-move": _PENALTY,
    "forbidden-point": ("warning", "loss"),
    "ko-violation": _PENALTY,
    "missed-capture": _RECORDED,
    "partial-capture": _RECORDED,
    "wrong-removal": ("no-warning",),
    "take-back": ("stands", *_RECORDED),
    "dropped-stone": ("stands",),
    "colors-swapped": ("stands", "restart"),
    "clock-before-stone": ("no-warning",),
    "clock-before-removal": ("no-warning",),
    "late-arrival": ("loss",),
    "absence": ("warning", "loss"),
    "conduct-report": ("warning", "loss"),
    "play-after-end": ("warning",),
    "wrong-color-stone": ("warning",),
}
"""What an article allows besides confirming and dismissing, if the rule set says nothing else."""

_MOVED = ("moved-stone", "stone-missing", "color-changed")
_CODES = {"valid": "stands", "void-move": "void-pass", "loss-of-the-player-who-scattered": "loss"}
"""Decisions by the names that the rule sets have for them."""

_PROPOSED = ("original-point", "rebuild")
"""What the proposal says anyway."""

CHIEF_DECISIONS = frozenset(
    {"draw", "replay", "no-result", "both-lose", "loss", "loss-B", "loss-W", "restart"}
)
"""Decisions that end a game: the chief referee's."""

CHIEF_ALERTS = frozenset(
    {*_MOVED, "board-scattered", "whole-board-repetition", "gives-up", "clock-fault"}
)
"""Articles 12.4, 17.5, 17.6, 20 and 22.8: what is neither the proposal nor a dismissal is the
chief's."""


def alternatives(kind: str, ruleset: str) -> tuple[str, ...]:
    """Return the decisions that an article allows besides confirming and dismissing."""
    rules = ruleset_of(ruleset)
    if kind == "whole-board-repetition":
        return ("stands", *_known(rules.repetition_options))
    if kind in _MOVED:
        return _known(rules.moved_options)
    if kind == "board-scattered":
        return _known(rules.scatter_options)
    if kind == "flag-fall":
        return ("pass-on-application",) if ruleset == "chinese-2002" else ()
    usual = _BY_KIND.get(kind, ())
    return tuple(code for code in usual if rules.has_warnings or code not in _RECORDED)


def _known(options: Iterable[str]) -> tuple[str, ...]:
    return tuple(_CODES.get(code, code) for code in options if code not in _PROPOSED)


def for_alert(codes: Iterable[str], color: Color | None) -> tuple[str, ...]:
    """Return decisions as they are offered: a loss names a player where the alert names none."""
    named = ("loss-B", "loss-W") if color is None else ("loss",)
    return tuple(name for code in codes for name in (named if code == "loss" else (code,)))


def needs_chief(kind: str, decision: str) -> bool:
    """Whether only the chief referee may decide so about a type of alert."""
    if decision in CHIEF_DECISIONS or (kind == "gives-up" and decision == "confirm"):
        return True
    return kind in CHIEF_ALERTS and decision not in ("confirm", "dismiss")

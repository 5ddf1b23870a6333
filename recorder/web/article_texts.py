"""What the articles say, restated in a sentence or two, for the card of an alert.

By rule set and by the number that an alert names; sources as in docs/articles.md.
"""

from __future__ import annotations

from collections.abc import Mapping

from recorder.web.texts import pick

Texts = Mapping[str, tuple[str, str]]

CHINESE_2002: Texts = {
    "2.1": ("Each player uses the stones of one color.", "对局双方各执一色棋子。"),
    "2.3": (
        "Black plays first, then both alternately one stone at a time.",
        "黑先白后，交替着一子于棋盘的点上。",
    ),
    "2.5": (
        "Playing is a right; a player may give up a move and pass.",
        "着子是权利，可以放弃，即虚着。",
    ),
    "6": (
        "A move must not bring back a position that the opponent has already faced.",
        "着子后不得使对方重复面临曾出现过的局面。",
    ),
    "7": (
        "The game ends when both agree, when one resigns, or when both pass in turn.",
        "双方一致同意终局、一方认输，或双方连续使用虚着，为终局。",
    ),
    "12.4": (
        "Sudden death: over time loses; stone and button with the same hand. Who gives up the"
        " contest on the board may stop the clock; what is open goes to the opponent, and the"
        " chief referee fixes the border.",
        "包干制：超时判负；着子与按钟须用同一只手。放弃盘上争夺的一方可停钟，未定之处归对方，"
        "边界由裁判长裁定。",
    ),
    "13.2": (
        "The side to move says that the game is over, and the other answers.",
        "由轮到着子的一方先示意终局，对方随即表态。",
    ),
    "17.1": (
        "Swapped colors may be corrected up to and including move 10, never after.",
        "拿错黑白棋，十手以内（含十手）可以更正，十手以后不得更正。",
    ),
    "17.2": (
        "Two moves in a row without a pass of the opponent: the second is void, one warning.",
        "对方未弃权而连下两着，判第二着无效，并警告一次。",
    ),
    "17.3": (
        "A stone once released is played. Played elsewhere, it goes back with one warning if the"
        " opponent tells the referee before his own next move. A stone dropped by accident may be"
        " played freely if the opponent agrees, else the chief referee decides.",
        "棋子离手即为着定。拿起另下，对方在下一着之前提出的，放回原处并警告一次。棋子偶然掉落，"
        "对方同意的可自由落子，否则由裁判长裁定。",
    ),
    "17.4": (
        "The clock is pressed after the stone is down; before or at the same time: one warning."
        " The reading stays.",
        "落子之后方可按钟；先按或同时按钟，警告一次，钟面时间不变。",
    ),
    "17.5": (
        "A stone found moved goes back if both agree. Otherwise the chief referee decides by its"
        " influence: a reasonable point, valid where it is, draw, replay, or both lose. Moving it"
        " on purpose loses.",
        "发现棋子移动，双方同意的恢复原位；否则由裁判长视影响裁定：移至合理位置、现位置有效、"
        "和棋、重下或双方判负。查实故意移动的判负。",
    ),
    "17.6": (
        "A scattered position is rebuilt and played on. By others and not agreed: draw, replay, or"
        " both lose. By a player, and it cannot be rebuilt: he loses.",
        "棋局散乱，复原后续弈。外力所致而双方不能一致的，判和棋、重下或双方判负；"
        "一方所致而无法复原的，判其负。",
    ),
    "18.1": (
        "Stones that have liberties were taken off: one warning, the stones go back.",
        "误提有气之子，警告一次，将误提之子放回。",
    ),
    "18.2": (
        "Captured stones not removed, or not all of them: one warning, the stones come off.",
        "未提或漏提无气之子，警告一次，将其提清。",
    ),
    "18.3": (
        "A ko retaken without a threat: the capture is void and counts as one pass, one warning.",
        "未找劫材而提劫，判提子无效，弃权一次，并警告一次。",
    ),
    "19": (
        "A move on a forbidden point is void and counts as one pass.",
        "着子于禁着点，判着子无效，弃权一次。",
    ),
    "20.3": (
        "Whole-board repetition is in principle forbidden; an event may provide no result, a draw,"
        " or an extra game.",
        "全局同形再现原则上禁止；根据比赛情况，可规定无胜负、和棋或加赛。",
    ),
    "21.1": (
        "Who proposes the end gives up his move by it. If the opponent plays on, he has the right"
        " to move again.",
        "先示意终局的一方即放弃一着；对方不同意而继续着子的，其恢复着子权利。",
    ),
    "21.3": (
        "After the end is confirmed there is no resumption.",
        "确认终局后，即使发现还有棋可下，也不得续弈。",
    ),
    "21.4": (
        "Life and death must be agreed. If disputed, play resumes and the side that claims the"
        " stones dead plays first.",
        "死活须由双方确认；有争议时续弈解决，由主张死棋的一方先下。",
    ),
    "22.1": (
        "Late by more than the limit (one hour, or 15 minutes on the spot): loss. Less is deducted"
        " double from the player's time.",
        "迟到超过时限（一小时，或同住一处时十五分钟）判负；未超过的，加倍扣除其用时。",
    ),
    "22.5": (
        "Over time in the last minute is in principle a loss; on application it may be turned into"
        " a pass, and the last minute is counted again.",
        "最后一分钟超时原则上判负；经申请可改判弃权一次，重读最后一分钟。",
    ),
    "22.6": (
        "Removing captured stones belongs to the move. Pressing before: one warning; in byo-yomi"
        " the count goes on until they are off.",
        "提子是着子的一部分，提清后方可按钟。未提清先按钟，警告一次；读秒时继续读到提清为止。",
    ),
    "22.7": (
        "In byo-yomi a player may leave once, in the opponent's time and with permission; other"
        " absence is counted.",
        "读秒时，可在对方用时内经允许离席一次；其他离席照常计时。",
    ),
    "22.8": (
        "A clock wrong by two minutes an hour or more is replaced and both readings are set in"
        " proportion; one reading alone is changed only by the chief referee.",
        "计时器误差每小时达两分钟的，更换并按比例调整双方时间；只更改一方的，由裁判长决定。",
    ),
    "23": (
        "Discipline: a ringing phone or smoking is a warning, again a loss; looking at a phone"
        " display or consulting others is a loss; disturbance by its gravity.",
        "赛场纪律：手机响或违规吸烟警告，再犯判负；看手机屏幕或与人商议判负；扰乱赛场视情节处罚。",
    ),
    "24.2": ("Two warnings in one game lose it.", "一局棋中被警告两次，判负。"),
}

CHINESE_OLDER: Texts = {
    "2.1": (
        "Each player uses one color; Black first, then alternately.",
        "各执一色，黑先白后，交替着子。",
    ),
    "3.2": (
        "Who has used the last reserved minute has lost on time.",
        "保留时间用完，判超时负。",
    ),
    "4": (
        "Stones without liberties come off at once.",
        "无气之子须立即提清。",
    ),
    "4.2": (
        "The side to move, then the other, lays a stone of the other color at his lower right"
        " corner to end; two stones of his own there resign.",
        "轮到着子的一方、然后对方，将异色子放在己方右下角线外示意终局；放两枚己方棋子为认输。",
    ),
    "6": ("Conduct at the board is for the referee to judge.", "赛场纪律由裁判处理。"),
    "7.2": ("A player may resign.", "棋手可以认输。"),
    "8": ("The referee decides disputes at the board.", "对局中的争议由裁判裁定。"),
    "8.1": ("Two moves in a row lose.", "连下两着，判负。"),
    "8.2": (
        "A stone taken back goes back to its first point, one warning. One that really fell may be"
        " played freely.",
        "悔棋，放回原处并警告一次；棋子确系掉落的，可自由落子。",
    ),
    "8.3": (
        "A moved stone: its own point, valid where it is, draw or replay. On purpose: loss.",
        "棋子移动：恢复原位、现位置有效、和棋或重下；故意移动判负。",
    ),
    "8.4": (
        "A scattered position is rebuilt; if that fails, draw or replay. By a player who cannot"
        " rebuild it, or on purpose: loss.",
        "棋局散乱，先复原；不能复原的判和或重下。一方所致而无法复原，或故意的，判负。",
    ),
    "9": ("Stones wrongly taken off go back, one warning.", "误提之子放回，警告一次。"),
    "10": ("A move on a forbidden point is void and a pass.", "下在禁着点，着手无效，弃权一次。"),
    "11.1": (
        "A ko retaken without a threat is void and a pass, without a warning.",
        "未找劫材而提劫，着手无效，弃权一次，不警告。",
    ),
    "11.3": (
        "Triple ko, eternal life and the like, if nobody yields: draw or replay.",
        "三劫、长生等循环，双方互不相让时，判和或重下。",
    ),
    "12.1": (
        "What is not written is decided by the referee in the spirit of the rules.",
        "未尽事宜由裁判依规则精神处理。",
    ),
    "12.2": (
        "Two warnings lose the game; one is only recorded.",
        "警告两次判负；一次只作记录。",
    ),
}

OTHERS: Mapping[str, Texts] = {
    "japanese": {
        "2": ("Players move alternately.", "双方交替着子。"),
        "4": ("A move must leave its own stones a liberty.", "着子后己方棋子不得无气。"),
        "5": ("Captured stones come off at once.", "无气之子立即提取。"),
        "6": ("A ko must not be retaken at once.", "劫不得立即回提。"),
        "9": (
            "The game stops by two passes; a resumption gives the opponent of who asks the first"
            " move (9.3).",
            "双方连续弃权后停棋；请求续弈时由对方先下（9.3）。",
        ),
        "9.3": (
            "On a resumption the opponent of who asks plays first.",
            "请求续弈时，由对方先下。",
        ),
        "12": (
            "A repeated position gives no result if both agree.",
            "同形反复，双方同意时为无胜负。",
        ),
        "13": (
            "A moved stone goes back; if its point is not known, both may lose.",
            "移动之子放回原处；无法确定时可判双方负。",
        ),
        "14": (
            "Breaking a rule loses, if noticed before the result is confirmed.",
            "违反规则者判负，须在结果确认前发现。",
        ),
    },
    "korean": {
        "3.3": ("The point first touched is played.", "棋子先触及之点为着点。"),
        "5": ("Suicide is not allowed.", "禁止自杀着。"),
        "18": (
            "Fouls beside the board cost two points.",
            "提子、按钟等违规罚两目。",
        ),
    },
    "aga": {
        "5": ("Self-capture is illegal.", "禁止自提。"),
        "6": (
            "A position must not be repeated with the same player to move.",
            "不得使同一方面临重复的全局局面。",
        ),
        "8": (
            "An illegal move noticed before the reply is taken back and counts as a pass;"
            " otherwise it stands.",
            "违规着手在对方应着前发现的，撤回并视为弃权；否则有效。",
        ),
        "9": (
            "Two passes end play; on a disagreement the opponent of the last passer plays first.",
            "双方连续弃权终局；有争议续弈时，由最后弃权者的对方先下。",
        ),
    },
    "ing": {
        "suicide": ("A single stone must not be suicide.", "单子不得自杀。"),
        "ko": (
            "Who would repeat the position has to play elsewhere first.",
            "循环劫须先变化他处。",
        ),
    },
    "new-zealand": {
        "6": (
            "A player must not recreate a position after an earlier move of his own.",
            "不得再现自己此前着手后的局面。",
        ),
    },
    "tromp-taylor": {
        "4": ("The players alternate, Black first.", "双方交替，黑先。"),
        "6": ("A move must not repeat an earlier position.", "着子不得重复此前的局面。"),
        "7": ("Stones without liberties are cleared at once.", "无气之子立即清除。"),
    },
}

ARTICLES: Mapping[str, Texts] = {
    "chinese-2002": CHINESE_2002,
    "chinese-older": CHINESE_OLDER,
    **OTHERS,
}
"""By rule set, then by article, in English and Chinese."""


def article_words(language: str) -> dict[str, dict[str, str]]:
    """Return the texts of one language by rule set and article."""
    return {ruleset: pick(texts, language) for ruleset, texts in ARTICLES.items()}

"""A count as people read it: the diagram, the sums, the result and what is open."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from recorder.counting import Counted
from recorder.events import GameInfo
from recorder.goban import COLUMNS, Color, Point, format_vertex
from recorder.results import Unit, decimal, stones
from recorder.rules import Counting
from recorder.scoring import Count, half_board, in_order

MOST_NAMED = 40
"""So many points are listed by name."""

SOURCES = ("person", "life", "gnugo")
"""Who can have called stones dead."""

_TITLES = {
    "chinese-2002": "中国围棋竞赛规则（2002年版）",
    "chinese-older": "中国围棋竞赛规则（旧版）",
    "japanese": "日本围棋规约（1989年）",
    "korean": "韩国围棋规则",
    "aga": "美国围棋协会规则（AGA）",
    "ing": "应氏围棋规则",
    "new-zealand": "新西兰规则",
    "tromp-taylor": "Tromp-Taylor规则",
}
_TEXTS = {
    "en": {
        "B": "Black",
        "W": "White",
        "legend": "X O stones   x o their points   # @ dead black, dead white   : shared",
        "area": "{name}: {stones} stones + {points} points + {shared} shared = {total}",
        "territory": "{name}: {points} points + {taken} prisoners and dead stones = {total}",
        "passes": "{name}: {points} points + {taken} prisoners, dead and pass stones = {total}",
        "margin_zi": "Black: {total} - {half} - komi {komi}{more} = {margin} (in stones)",
        "margin": "Black - White - komi {komi}{more} = {margin} (in points)",
        "warnings": " - {black} + {white} for warnings",
        "handicap": " - {points} for handicap stones",
        "shared": "Shared: {points}",
        "dead": "Dead stones: {points}",
        "none": "none",
        "many": "{count} points, marked : (is a border open?)",
        "person": "as marked",
        "life": "proposed from unconditional life; a person decides: --dead A1,B2 or --dead none",
        "gnugo": "proposed by GNU Go; a person decides: --dead A1,B2 or --dead none",
        "result": "Result: {words}  {re}",
        "neutral": "Neutral points are left; by territory, name chains in seki with --seki",
    },
    "zh": {
        "B": "黑",
        "W": "白",
        "legend": "X O 黑子白子   x o 黑空白空   # @ 黑死子白死子   : 公有点",
        "area": "{name}：子{stones} + 空{points} + 公有{shared} = {total}",
        "territory": "{name}：目{points} + 提子与死子{taken} = {total}",
        "passes": "{name}：目{points} + 提子、死子与弃权子{taken} = {total}",
        "margin_zi": "黑：{total} - {half} - 贴子{komi}{more} = {margin}（子）",
        "margin": "黑 - 白 - 贴目{komi}{more} = {margin}（目）",
        "warnings": " - {black} + {white}（警告）",
        "handicap": " - {points}（让子）",
        "shared": "公有点：{points}",
        "dead": "死子：{points}",
        "none": "无",
        "many": "{count}处，图中以 : 标出（边界是否未封？）",
        "person": "已标记",
        "life": "按无条件活棋推定，须由人确认：--dead A1,B2 或 --dead none",
        "gnugo": "GNU Go 推定，须由人确认：--dead A1,B2 或 --dead none",
        "result": "结果：{words}  {re}",
        "neutral": "尚有单官；按目数计时请用 --seki 指明双活",
    },
}


def format_report(
    counted: Counted, info: GameInfo, *, dead_source: str, language: str = "en"
) -> str:
    """Return the report in English ("en") or Chinese ("zh"); `dead_source` is one of `SOURCES`."""
    texts, count = _TEXTS[language], counted.count
    lines = [_TITLES[counted.rules.name] if language == "zh" else counted.rules.title, ""]
    if info.black or info.white:
        lines[:0] = [f"{texts['B']} {info.black or '?'} - {texts['W']} {info.white or '?'}"]
    lines += [format_count_diagram(count), texts["legend"], ""]
    lines += [_side(counted, color, texts) for color in Color]
    dead = _points(in_order(count.black.dead | count.white.dead), count, texts)
    lines += [_sum(counted, texts), f"{texts['dead'].format(points=dead)} ({texts[dead_source]})"]
    lines += _open_questions(counted, texts)
    lines.append(texts["result"].format(words=counted.describe(language), re=counted.re))
    return "\n".join(lines)


def _open_questions(counted: Counted, texts: dict[str, str]) -> Iterator[str]:
    """Iterate over lines on what belongs to nobody alone."""
    if counted.count.shared:
        yield texts["shared"].format(points=_points(counted.count.shared, counted.count, texts))
        if counted.counting is Counting.TERRITORY:
            yield texts["neutral"]


def _points(points: tuple[Point, ...], count: Count, texts: dict[str, str]) -> str:
    """Return the names of points; a border that was never closed has too many to read."""
    if len(points) > MOST_NAMED:
        return texts["many"].format(count=len(points))
    return " ".join(format_vertex(point, count.board.size) for point in points) or texts["none"]


def _side(counted: Counted, color: Color, texts: dict[str, str]) -> str:
    count, side = counted.count, counted.count.side(color)
    total = decimal(Fraction(counted.total(color)))
    if counted.counting is Counting.AREA:
        return texts["area"].format(
            name=texts[color.value],
            stones=len(side.stones),
            points=len(side.surrounded),
            shared=decimal(Fraction(len(count.shared), 2)),
            total=total,
        )
    return texts["passes" if counted.rules.name == "aga" else "territory"].format(
        name=texts[color.value],
        points=count.territory(color),
        taken=counted.taken(color),
        total=total,
    )


def _sum(counted: Counted, texts: dict[str, str]) -> str:
    terms, count = counted.terms, counted.count
    more = ""
    if any(terms.warnings) and counted.rules.name == "chinese-2002":
        more += texts["warnings"].format(black=terms.warnings.black, white=terms.warnings.white)
    if counted.unit is Unit.STONES:
        if terms.handicap_return:
            more += texts["handicap"].format(points=decimal(terms.handicap_return / 2))
        return texts["margin_zi"].format(
            total=decimal(Fraction(count.area(Color.BLACK))),
            half=decimal(half_board(count.board.size)),
            komi=decimal(terms.komi / 2),
            more=more,
            margin=_signed_stones(counted.margin),
        )
    black, white = (Fraction(counted.total(color)) for color in Color)
    for_handicap = black - white - terms.komi - counted.margin
    if for_handicap:
        more += texts["handicap"].format(points=decimal(for_handicap))
    margin = decimal(counted.margin)
    return texts["margin"].format(komi=decimal(terms.komi), more=more, margin=margin)


def _signed_stones(points: Fraction) -> str:
    return ("-" if points < 0 else "") + stones(abs(points), " ")


def format_count_diagram(count: Count) -> str:
    """Return the position with coordinates; who owns each point is drawn on it."""
    size, marks = count.board.size, dict.fromkeys(count.shared, ":")
    for side, point_mark, stone in ((count.black, "x", "X"), (count.white, "o", "O")):
        marks |= dict.fromkeys(side.surrounded, point_mark) | dict.fromkeys(side.stones, stone)
    # Dead stones stand on points that the other side surrounds.
    marks |= dict.fromkeys(count.black.dead, "#") | dict.fromkeys(count.white.dead, "@")
    letters = " ".join(COLUMNS[:size])
    rows = [
        f"{size - row:>2} " + " ".join(marks.get(Point(row, col), ".") for col in range(size))
        for row in range(size)
    ]
    return "\n".join([f"   {letters}", *rows])

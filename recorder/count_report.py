"""A count as people read it: the diagram, the sums, the result and what is open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from recorder.count_cases import side_total, unit_of
from recorder.events import GameInfo
from recorder.goban import COLUMNS, Color, Point, format_vertex
from recorder.results import Unit, decimal, describe_result, format_result, stones
from recorder.rules import Counting, Ruleset
from recorder.scoring import Count, Terms, decide, half_board, in_order, margin_of


@dataclass(frozen=True, slots=True)
class Counted:
    """Everything a report tells."""

    info: GameInfo
    count: Count
    terms: Terms
    rules: Ruleset
    counting: Counting
    dead_source: str
    """Who called stones dead: "person", "life" or "gnugo"."""


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
        "person": "已标记",
        "life": "按无条件活棋推定，须由人确认：--dead A1,B2 或 --dead none",
        "gnugo": "GNU Go 推定，须由人确认：--dead A1,B2 或 --dead none",
        "result": "结果：{words}  {re}",
        "neutral": "尚有单官；按目数计时请用 --seki 指明双活",
    },
}


def format_report(counted: Counted, language: str = "en") -> str:
    """Return the report in English ("en") or Chinese ("zh")."""
    return "\n".join(_lines(counted, _TEXTS[language], language))


def _lines(counted: Counted, texts: dict[str, str], language: str) -> Iterator[str]:
    info, count = counted.info, counted.count
    if info.black or info.white:
        yield f"{texts['B']} {info.black or '?'} - {texts['W']} {info.white or '?'}"
    yield counted.rules.title
    yield ""
    yield format_count_diagram(count)
    yield texts["legend"]
    yield ""
    for color in Color:
        yield _side(counted, color, texts)
    yield _sum(counted, texts)
    dead = in_order(count.black.dead | count.white.dead)
    source = texts[counted.dead_source]
    yield f"{texts['dead'].format(points=_points(dead, counted, texts))} ({source})"
    if count.shared:
        yield texts["shared"].format(points=_points(count.shared, counted, texts))
        if counted.counting is Counting.TERRITORY:
            yield texts["neutral"]
    margin = margin_of(count, counted.terms, counted.rules, counted.counting)
    result = decide(margin, counted.terms, counted.rules)
    words = describe_result(result, language, unit_of(counted.rules))
    yield texts["result"].format(words=words, re=format_result(result))


def _points(points: tuple[Point, ...], counted: Counted, texts: dict[str, str]) -> str:
    names = " ".join(format_vertex(point, counted.count.board.size) for point in points)
    return names or texts["none"]


def _side(counted: Counted, color: Color, texts: dict[str, str]) -> str:
    count, side = counted.count, counted.count.side(color)
    total = side_total(count, color, counted.terms, counted.rules, counted.counting)
    name = texts[color.value]
    if counted.counting is Counting.AREA:
        return texts["area"].format(
            name=name,
            stones=len(side.stones),
            points=len(side.surrounded),
            shared=decimal(Fraction(len(count.shared), 2)),
            total=decimal(Fraction(total)),
        )
    points = count.territory(color)
    line = texts["passes" if counted.rules.name == "aga" else "territory"]
    taken, sum_ = decimal(Fraction(total) - points), decimal(Fraction(total))
    return line.format(name=name, points=points, taken=taken, total=sum_)


def _sum(counted: Counted, texts: dict[str, str]) -> str:
    terms, count = counted.terms, counted.count
    margin = margin_of(count, terms, counted.rules, counted.counting)
    more = ""
    if any(terms.warnings) and counted.rules.name == "chinese-2002":
        more += texts["warnings"].format(black=terms.warnings.black, white=terms.warnings.white)
    if unit_of(counted.rules) is Unit.STONES:
        if terms.handicap_return:
            more += texts["handicap"].format(points=decimal(terms.handicap_return / 2))
        return texts["margin_zi"].format(
            total=decimal(Fraction(count.area(Color.BLACK))),
            half=decimal(half_board(count.board.size)),
            komi=decimal(terms.komi / 2),
            more=more,
            margin=_signed_stones(margin),
        )
    rest = _points_for_handicap(counted, margin)
    if rest:
        more += texts["handicap"].format(points=decimal(rest))
    return texts["margin"].format(komi=decimal(terms.komi), more=more, margin=decimal(margin))


def _points_for_handicap(counted: Counted, margin: Fraction) -> Fraction:
    """Return what White got beside komi."""
    black, white = (
        Fraction(side_total(counted.count, c, counted.terms, counted.rules, counted.counting))
        for c in Color
    )
    return black - white - counted.terms.komi - margin


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

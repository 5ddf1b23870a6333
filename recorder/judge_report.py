"""A verdict as people read it: the record, and each incident with a diagram, ruling, article."""

from __future__ import annotations

from collections.abc import Iterator

from recorder.events import Level
from recorder.game import AlertState
from recorder.goban import Board, Color, Point, format_vertex
from recorder.verdict import Verdict, format_move
from recorder.web.referee_texts import ALERTS, CONSOLE, RULINGS

LANGUAGES = ("en", "zh")

_WORDS = {
    "record": ("Record", "棋谱"),
    "none": ("no move", "无着手"),
    "void": ("Void: {0}", "无效着手：{0}"),
    "alert": ("{0} s  {1}  ({2})", "第 {0} 秒  {1}（{2}）"),
    "by": ("by {0}", "责任方：{0}"),
    "points": ("at {0}", "位置：{0}"),
    "proposed": ("Proposed: {0}, article {1}", "建议：{0}（第 {1} 条）"),
    "warned": ("and one warning for {0}", "并警告{0}一次"),
    "withdrawn": ("Withdrawn: {0}", "已撤销：{0}"),
    "nothing": ("Nothing to report", "未发现违例"),
    "warnings": ("Warnings: Black {0}, White {1}", "警告：黑方 {0} 次，白方 {1} 次"),
    "end": ("Phase: {0}; to play: {1}; result: {2}", "阶段：{0}；轮到：{1}；结果：{2}"),
    "mismatch": ("Board and record differ at {0}", "盘面与记录不符：{0}"),
    "violation": ("violation", "违例"),
    "notice": ("notice", "提示"),
    "info": ("note", "记录"),
    "B": ("Black", "黑方"),
    "W": ("White", "白方"),
}
"""English and Chinese by key."""


def format_report(verdict: Verdict, language: str) -> str:
    """Return a verdict as text in a language of `LANGUAGES`."""
    place = LANGUAGES.index(language)
    return "\n".join(_lines(verdict, place)) + "\n"


def _lines(verdict: Verdict, place: int) -> Iterator[str]:
    game, size = verdict.game, verdict.scenario.size

    def say(key: str, *parts: object) -> str:
        return _WORDS[key][place].format(*parts)

    yield f"{verdict.scenario.id}  {verdict.scenario.title}".rstrip()
    moves = [f"{m.number} {format_move(m.move, size)}" for m in game.moves]
    yield f"  {say('record')}: {', '.join(moves) or say('none')}"
    if game.voids:
        yield "  " + say("void", ", ".join(format_move(v.move, size) for v in game.voids))
    told = [state for state in game.alerts if state.alert.level is not Level.INFO]
    if not told:
        yield "  " + say("nothing")
    for state in told:
        yield ""
        yield from _alert(verdict, state, place)
    if told:
        yield ""
        yield "  " + say("warnings", game.warnings.black, game.warnings.white)
    turn = say(game.turn.value) if game.turn else "-"
    phase = CONSOLE[f"phase_{game.phase.value}"][place]
    yield "  " + say("end", phase, turn, game.result or "-")
    if game.mismatch:
        yield "  " + say("mismatch", " ".join(format_vertex(p, size) for p in game.mismatch))


def _alert(verdict: Verdict, state: AlertState, place: int) -> Iterator[str]:
    alert, size = state.alert, verdict.scenario.size

    def say(key: str, *parts: object) -> str:
        return _WORDS[key][place].format(*parts)

    title = ALERTS[alert.type][place]
    raised = f"{verdict.raised_s[alert.id - 1]:g}"
    head = "  " + say("alert", raised, title, say(alert.level.value))
    if alert.color is not None:
        head += "  " + say("by", say(alert.color.value))
    if alert.points:
        head += "  " + say("points", " ".join(format_vertex(p, size) for p in alert.points))
    yield head
    proposed = say("proposed", RULINGS[alert.ruling][place], alert.article)
    if alert.warning is not None:
        joint = ", " if place == 0 else "，"
        proposed += joint + say("warned", say(alert.warning.value))
    yield f"    {proposed}"
    if state.withdrawn is not None:
        yield "    " + say("withdrawn", state.withdrawn)
    if alert.points:
        yield from diagram(verdict.boards[alert.id - 1], alert.points)


def diagram(board: Board, points: tuple[Point, ...], *, margin: int = 3) -> Iterator[str]:
    """Return the part of a position around some points, which are marked by brackets."""
    rows = _span([p.row for p in points], board.size, margin)
    cols = _span([p.col for p in points], board.size, margin)
    marks = {None: ".", Color.BLACK: "X", Color.WHITE: "O"}
    names = [format_vertex(Point(0, c), board.size)[0] for c in cols]
    yield "         " + "".join(f" {name} " for name in names)
    for row in rows:
        cells = []
        for col in cols:
            mark = marks[board[Point(row, col)]]
            cells.append(f"[{mark}]" if Point(row, col) in points else f" {mark} ")
        yield f"      {board.size - row:2} " + "".join(cells)


def _span(values: list[int], size: int, margin: int) -> range:
    return range(max(0, min(values) - margin), min(size, max(values) + margin + 1))

"""Public views as the JSON the pages follow: whole states, and what changed between two."""

from __future__ import annotations

import json
from itertools import takewhile
from typing import Any, NamedTuple

from recorder.events import MovePlayed, Phase
from recorder.game import Corrected
from recorder.goban import Board, Color, Point, format_vertex
from recorder.public import PublicView

Fields = dict[str, Any]

PUBLIC_PHASE = {
    Phase.IDLE: "waiting",
    Phase.READY: "waiting",
    Phase.PLAYING: "playing",
    Phase.PAUSED: "paused",
    Phase.SUSPENDED: "paused",
    Phase.SCORING: "scoring",
    Phase.ENDED: "ended",
    Phase.SEALED: "ended",
}
"""How the public hears of a phase; why play stands still is not its business."""


def format_state(view: PublicView, number: str = "", *, now_s: float | None = None) -> Fields:
    """Return a view as the object of `/state.json`.

    Parameters
    ----------
    number
        Of the last message in it.
    now_s
        By the clock of the view's times; tells how old the state of the players' clocks is.
        None: it is new.
    """
    age_s = 0.0 if now_s is None or not view.clock else max(0.0, now_s - view.clock_shown_s)
    line = format_line(view)
    return {"id": number, **_head(view), "clock_age": round(age_s, 2), "line": line}


def format_line(view: PublicView) -> list[Fields]:
    """Return moves and corrections in order; a correction follows the move it came after."""
    return [_format_node(node, view.game.info.size) for node in _nodes(view)]


def format_difference(before: PublicView, after: PublicView) -> Fields | None:
    """Return the message that leads from one view to the next; None if they look the same.

    `keep` nodes of the line stay, `line` follows them, `set` replaces fields of the state. Another
    game, or another position before move 1, comes as a whole `state`.
    """
    head_before, head_after = _head(before), _head(after)
    if before.game_id != after.game_id or head_before["setup"] != head_after["setup"]:
        return {"state": format_state(after)}
    changed = {key: value for key, value in head_after.items() if value != head_before[key]}
    line_before, line_after = _nodes(before), _nodes(after)
    keep = sum(1 for _ in takewhile(_is_same, zip(line_before, line_after, strict=False)))
    if not changed and keep == len(line_before) == len(line_after):
        return None
    size = after.game.info.size
    tail = [_format_node(node, size) for node in line_after[keep:]]
    return {"keep": keep, "line": tail, "set": changed}


def dump(fields: Fields) -> str:
    """Return one line of JSON."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


class _Node(NamedTuple):
    """A move or a correction, with when it was played."""

    content: MovePlayed | Corrected
    utc: str = ""
    elapsed_s: float = 0.0


def _is_same(pair: tuple[_Node, _Node]) -> bool:
    return pair[0] == pair[1]


def _nodes(view: PublicView) -> list[_Node]:
    corrections = list(view.game.corrections)
    nodes: list[_Node] = []
    times = zip(view.game.moves, view.played_utc, view.played_s, strict=True)
    for number, (move, utc, elapsed_s) in enumerate(times, start=1):
        nodes.append(_Node(move, utc, elapsed_s))
        while corrections and corrections[0].after == number:
            nodes.append(_Node(corrections.pop(0)))
    return nodes


def _format_node(node: _Node, size: int) -> Fields:
    if isinstance(node.content, Corrected):
        return _format_correction(node.content, size)
    return _format_move(node.content, size, node.utc, node.elapsed_s)


def _head(view: PublicView) -> Fields:
    """Return everything of a state but its line."""
    game, info = view.game, view.game.info
    return {
        "game": view.game_id,
        "size": info.size,
        "black": {"name": info.black, "rank": info.black_rank, "team": info.black_team},
        "white": {"name": info.white, "rank": info.white_rank, "team": info.white_team},
        "event": info.event,
        "round": info.round,
        "place": info.place,
        "date": info.date,
        "ruleset": info.ruleset,
        "komi": info.komi,
        "handicap": info.handicap,
        "time_control": info.time_control,
        "setup": _format_board(game.setup),
        "to_move": game.to_move.value if game.to_move else None,
        "phase": PUBLIC_PHASE[game.phase],
        "result": game.result,
        "prisoners": {color.value: game.prisoners.of(color) for color in Color},
        "clock": format_clock(view.clock),
        "is_interrupted": view.is_interrupted,
        "delay": {"seconds": view.delay.seconds, "moves": view.delay.moves},
    }


_CONTROL = ("kind", "period_s", "block_s", "block_moves")
_SIDE = ("main_s", "periods", "used_s", "block_s", "moves_left")


def format_clock(text: str) -> Fields | None:
    """Return what the clocks themselves show; whether a flag fell is the referee's."""
    if not text:
        return None
    state = json.loads(text)
    is_running = state["running"] and not state["is_paused"]
    return {
        "control": {key: state["control"][key] for key in _CONTROL if key in state["control"]},
        "black": {key: state["black"][key] for key in _SIDE},
        "white": {key: state["white"][key] for key in _SIDE},
        "running": state["running"] if is_running else None,
    }


def _format_board(board: Board) -> Fields:
    return {
        "black": _vertices(board.points_of(Color.BLACK), board.size),
        "white": _vertices(board.points_of(Color.WHITE), board.size),
    }


def _vertices(points: frozenset[Point] | tuple[Point, ...], size: int) -> list[str]:
    return [format_vertex(point, size) for point in sorted(points)]


def _format_move(move: MovePlayed, size: int, utc: str, elapsed_s: float) -> Fields:
    point = move.move.point
    fields: Fields = {
        "color": move.move.color.value,
        "point": None if point is None else format_vertex(point, size),
        "captured": _vertices(move.captured, size),
        "at": utc,
        "elapsed": round(elapsed_s, 1),
    }
    return fields if move.is_order_known else {**fields, "is_unsure": True}


def _format_correction(corrected: Corrected, size: int) -> Fields:
    event = corrected.event
    by_color = {
        color: frozenset(stone.point for stone in event.add if stone.color is color)
        for color in Color
    }
    return {
        "black": _vertices(by_color[Color.BLACK], size),
        "white": _vertices(by_color[Color.WHITE], size),
        "empty": _vertices(event.remove, size),
    }

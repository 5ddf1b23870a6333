"""Game -> SGF FF[4] (ARTICLES.md, "SGF FF[4] mapping"); `sgf_parse` is the way back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version

from sgfmill import sgf_grammar

from recorder.clock import ClockError
from recorder.clock_state import ClockStateError, parse_state
from recorder.clock_text import parse_control
from recorder.events import GameInfo, Move, MovePlayed, PositionCorrected
from recorder.game import Game
from recorder.goban import Color, Point, Stone
from recorder.rules import RULESETS
from recorder.sgf_comment import (
    CORRECTION,
    format_move_remark,
    format_ruling,
    format_void,
    is_ruling,
)

Properties = dict[str, list[bytes]]
"""The raw values of a node's properties."""

PROGRAM = "Banmen"
try:
    _VERSION = version("banmen")
except PackageNotFoundError:
    # Run from a source tree that was never installed.
    _VERSION = "0"

LETTERS = "abcdefghijklmnopqrstuvwxyz"
RULES = {
    "chinese-2002": "Chinese",
    "chinese-older": "Chinese",
    "japanese": "Japanese",
    "korean": "Korean",
    "aga": "AGA",
    "ing": "GOE",
    "new-zealand": "NZ",
    "tromp-taylor": "Tromp-Taylor",
}
"""RU of each rule set; AGA, GOE, Japanese and NZ are the names that FF[4] reserves."""

TEXTS = {
    "PB": "black",
    "PW": "white",
    "BR": "black_rank",
    "WR": "white_rank",
    "BT": "black_team",
    "WT": "white_team",
    "EV": "event",
    "RO": "round",
    "PC": "place",
    "DT": "date",
    "OT": "time_control",
}
"""The field of `GameInfo` that each property of one line of text holds."""


def format_sgf(game: Game) -> str:
    """Return the record as SGF text, to be encoded as UTF-8.

    Void moves, rulings and how a move is known are comment lines; a correction of the position is
    a node of its own. Rulings that the referee has not decided are marked as provisional.
    """
    nodes = [_format_root(game)]
    lines = _lines_by_number(game)
    for after in range(len(game.moves) + 1):
        if after:
            nodes.append(_format_move_node(game.moves[after - 1]))
        if lines.get(after):
            # Only the root has no comment of its own: what happened before move 1.
            _add_comment(nodes[-1], lines[after])
        for corrected in game.corrections:
            if corrected.after == after:
                nodes.append(_format_correction(corrected.event))
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = nodes
    return bytes(sgf_grammar.serialise_game_tree(tree)).decode("utf-8")


def _lines_by_number(game: Game) -> dict[int, list[str]]:
    """Return the comment lines on void moves and rulings by the move whose node has them."""
    lines: dict[int, list[str]] = {}
    nodes: dict[int, int] = {}
    total = len(game.moves)
    for void in game.voids:
        # The pass that stands for it has its number; without one it came before that number.
        instead = game.moves[void.number - 1].move if void.number <= total else None
        passed = instead == Move(void.move.color, None)
        number = max(0, min(void.number if passed else void.number - 1, total))
        lines.setdefault(number, []).append(format_void(void, game))
        if void.alert_id is not None:
            nodes[void.alert_id] = number
    for state in filter(is_ruling, game.alerts):
        number = nodes.get(state.alert.id, max(0, min(state.alert.move_number, total)))
        lines.setdefault(number, []).append(format_ruling(state, game.info.size))
    return lines


def _format_root(game: Game) -> Properties:
    info = game.info
    root: Properties = {
        "FF": [b"4"],
        "GM": [b"1"],
        "CA": [b"UTF-8"],
        "AP": [_text(f"{PROGRAM}:{_VERSION}")],
        "SZ": [str(info.size).encode()],
        "RU": [_text(RULES.get(info.ruleset, info.ruleset))],
        "GC": [_text("\n".join(_comment_on_game(game)))],
    }
    for name, field in TEXTS.items():
        value = " ".join(getattr(info, field).split())
        if value:
            root[name] = [_text(value)]
    root["KM"] = [_number(_komi(info))]
    if info.handicap >= 2:
        root["HA"] = [str(info.handicap).encode()]
    if game.result is not None:
        root["RE"] = [_text(game.result)]
    main_s = _main_time(game)
    if main_s is not None:
        root["TM"] = [_number(main_s)]
    root.update(_format_stones(game.setup.stones()))
    opener = game.moves[0].move.color if game.moves else Color.BLACK
    is_plain = not len(game.setup) and game.first_to_move is opener is Color.BLACK
    if game.first_to_move is not None and not is_plain:
        root["PL"] = [game.first_to_move.value.encode()]
    return root


def _komi(info: GameInfo) -> float:
    """Return komi in points; the rule set's own, or none with handicap stones, if not told."""
    if info.komi is not None or info.ruleset not in RULESETS:
        return info.komi or 0.0
    return 0.0 if info.handicap >= 2 else RULESETS[info.ruleset].komi


def _comment_on_game(game: Game) -> Iterator[str]:
    name = game.info.ruleset
    yield f"Rules: {RULESETS[name].title if name in RULESETS else name} ({name})"
    if game.info.superko != GameInfo().superko:
        yield f"Repetition: {game.info.superko}"
    if game.info.moves_before:
        yield f"Moves before the record: {game.info.moves_before}"
    if game.result is not None:
        proposed = "" if game.is_result_confirmed else " (proposed)"
        yield f"Result: {' '.join(game.result_text.split()) or game.result}{proposed}"


def _main_time(game: Game) -> float | None:
    """Return the main time of the clock, else that of the announced time control if it is one."""
    try:
        if game.clock:
            return parse_state(game.clock).control.main_s
        return parse_control(game.info.time_control).main_s
    except (ClockError, ClockStateError):
        return None


def _format_stones(stones: Iterable[Stone]) -> Properties:
    """Return AB and AW."""
    result: Properties = {}
    for color, point in sorted(stones, key=lambda stone: stone.point):
        result.setdefault("A" + color.value, []).append(_format_point(point))
    return result


def _format_move_node(played: MovePlayed) -> Properties:
    color, point = played.move.color, played.move.point
    node: Properties = {color.value: [b"" if point is None else _format_point(point)]}
    if played.clock_left_s is not None:
        node[f"{color.value}L"] = [_number(max(played.clock_left_s, 0.0))]
    if played.clock_moves_left is not None:
        node[f"O{color.value}"] = [str(played.clock_moves_left).encode()]
    if played.faults:
        node["KO"] = [b""]
    _add_comment(node, format_move_remark(played))
    return node


def _format_correction(event: PositionCorrected) -> Properties:
    node = _format_stones(event.add)
    added = {stone.point for stone in event.add}
    gone = [_format_point(point) for point in sorted(event.remove) if point not in added]
    if gone:
        node["AE"] = gone
    if event.to_move is not None:
        node["PL"] = [event.to_move.value.encode()]
    _add_comment(node, [CORRECTION + " ".join(event.reason.split())])
    return node


def _add_comment(node: Properties, lines: Sequence[str]) -> None:
    """Put lines before what the node's comment says already (a note comes last)."""
    text = "\n".join(line.replace("\r\n", "\n").replace("\r", "\n") for line in lines)
    if text:
        before = node.get("C", [b""])[0]
        node["C"] = [_text(text) + (b"\n" + before if before else b"")]


def _text(text: str) -> bytes:
    raw = text.encode("utf-8", errors="replace")
    # Simple readers take a last backslash, itself escaped, for one that escapes the bracket.
    return bytes(sgf_grammar.escape_text(raw + b" " if raw.endswith(b"\\") else raw))


def _number(value: float) -> bytes:
    return f"{value:.3f}".rstrip("0").rstrip(".").encode()


def _format_point(point: Point) -> bytes:
    return (LETTERS[point.col] + LETTERS[point.row]).encode()

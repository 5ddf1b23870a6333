"""SGF -> Game: the main line of a file, whoever wrote it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any

from sgfmill import sgf_grammar

from recorder.events import (
    GameInfo,
    GameStarted,
    Move,
    MovePlayed,
    Phase,
    PhaseChanged,
    PositionCorrected,
    ResultChanged,
)
from recorder.game import Game, GameError, apply
from recorder.goban import Board, Color, GobanError, Point, Stone
from recorder.rules import Fault
from recorder.sgf_comment import Remark, parse_remark
from recorder.sgf_format import LETTERS, PROGRAM, RULES, TEXTS, Properties
from recorder.sgf_text import decode_sgf

_FORBIDDEN = Fault.SUICIDE.value
_RULES_LINE = re.compile(r"^Rules: .*\(([a-z0-9-]+)\)$", re.MULTILINE)
_SUPERKO_LINE = re.compile(r"^Repetition: (refer|void-pass)$", re.MULTILINE)
_BEFORE_LINE = re.compile(r"^Moves before the record: (\d{1,4})$", re.MULTILINE)
_RESULT_LINE = re.compile(r"^Result: (.*?)( \(proposed\))?$", re.MULTILINE)


class SgfError(ValueError):
    """A file that is no SGF of a game of Go; the message names the place and what was expected."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A node while reading, for its place in messages."""

    number: int
    raw: Properties
    size: int = 19

    def fault(self, name: str, expected: str, got: str) -> SgfError:
        return SgfError(f"node {self.number}, property {name}: expected {expected}, got {got!r}")

    def one(self, name: str) -> str | None:
        """Return the first value as one line of text; None if there is none or it is empty."""
        if name not in self.raw:
            return None
        return _unescape(self.raw[name][0]).replace("\n", " ").strip() or None

    def text(self, name: str) -> str:
        """Return the first value as text."""
        return _unescape(self.raw[name][0]).strip() if name in self.raw else ""

    def number_of(self, name: str) -> float | None:
        value = self.one(name)
        if value is None:
            return None
        try:
            number = float(value.replace(",", "."))
        except ValueError:
            raise self.fault(name, "a number", value) from None
        if not math.isfinite(number):
            raise self.fault(name, "a number", value)
        return number

    def color(self, name: str) -> Color | None:
        value = self.one(name)
        if value is None:
            return None
        if value[0].upper() not in "BW":
            raise self.fault(name, "B or W", value)
        return Color(value[0].upper())

    def point(self, name: str, value: str) -> Point:
        if len(value) == 2 and set(value) <= set(LETTERS):
            point = Point(LETTERS.index(value[1]), LETTERS.index(value[0]))
            if max(point) < self.size:
                return point
        raise self.fault(name, f"a point aa-{LETTERS[self.size - 1] * 2}", value)

    def move(self, color: Color) -> Move:
        value = _unescape(self.raw[color.value][0]).strip()
        if value == "" or (value == "tt" and self.size <= 19):
            return Move(color, None)
        return Move(color, self.point(color.value, value))

    def points(self, name: str) -> list[Point]:
        """Return the points of a list, rectangles such as "aa:cc" included."""
        found = []
        for raw in self.raw.get(name, []):
            value = _unescape(raw).strip()
            if not value:
                continue
            first, colon, last = value.partition(":")
            start = self.point(name, first)
            end = self.point(name, last) if colon else start
            if end.row < start.row or end.col < start.col:
                raise self.fault(name, "upper left:lower right", value)
            for row in range(start.row, end.row + 1):
                found += [Point(row, col) for col in range(start.col, end.col + 1)]
        return found


def read_sgf(data: bytes) -> Game:
    """Return the game that the main line of an SGF file tells.

    What `format_sgf` wrote gives the same record again: info, set-up, moves, corrections, void
    moves and result; alerts and times of day are not in the file.

    Raises
    ------
    SgfError
        No SGF, not Go, a property that is wrong, or a stone on a stone; the message says where.
    """
    nodes = _main_line(data)
    root, application = nodes[0], nodes[0].one("AP") or ""
    size = _read_size(root)
    nodes = [replace(node, size=size) for node in nodes]
    game = _read_start(nodes, _read_info(nodes[0]))
    is_ours = application.startswith(f"{PROGRAM}:")
    for node in nodes:
        remark = parse_remark(node.text("C"), size, is_ours=is_ours)
        try:
            game = _read_node(node, remark, game)
        except (GameError, GobanError) as error:
            raise SgfError(f"node {node.number}: {error}") from error
    return _read_result(nodes[0], game)


def _main_line(data: bytes) -> list[_Node]:
    text = decode_sgf(data).text
    raw = text.encode("utf-8", errors="replace")
    try:
        tree = sgf_grammar.parse_sgf_game(raw)
    except ValueError as error:
        _, end = sgf_grammar.tokenise(raw)
        line = raw.count(b"\n", 0, end) + 1
        raise SgfError(
            f"line {line}, near {raw[end : end + 12]!r}: expected SGF: {error}"
        ) from error
    return [_Node(i, node) for i, node in enumerate(sgf_grammar.main_sequence_iter(tree))]


def _read_size(root: _Node) -> int:
    if root.one("GM") not in (None, "1"):
        raise root.fault("GM", "1 (Go)", root.text("GM"))
    text = root.one("SZ") or "19"
    width, colon, height = text.partition(":")
    is_square = not colon or width == height
    if not (
        width.isascii()
        and width.isdigit()
        and len(width) < 3
        and is_square
        and 2 <= int(width) <= 25
    ):
        raise root.fault("SZ", "a square size of 2-25", text)
    return int(width)


def _read_info(root: _Node) -> GameInfo:
    handicap = root.number_of("HA") or 0.0
    if handicap != int(handicap) or not 0 <= handicap <= root.size**2:
        raise root.fault("HA", "a number of stones", root.text("HA"))
    texts: dict[str, Any] = {field: root.one(name) or "" for name, field in TEXTS.items()}
    info = GameInfo(root.size, _ruleset(root.one("RU")), _read_komi(root), int(handicap), **texts)
    comment = root.text("GC")
    rules, superko = _RULES_LINE.search(comment), _SUPERKO_LINE.search(comment)
    before = _BEFORE_LINE.search(comment)
    if rules is not None and rules[1] in RULES:
        info = replace(info, ruleset=rules[1])
    if superko is not None:
        info = replace(info, superko=superko[1])
    return info if before is None else replace(info, moves_before=int(before[1]))


def _ruleset(name: str | None) -> str:
    """Return the rule set that RU means; ours unless another is named."""
    wanted = (name or "Chinese").casefold()
    for ruleset, known in RULES.items():
        if wanted in (known.casefold(), ruleset):
            return ruleset
    aliases = {"ing": "ing", "new zealand": "new-zealand", "tromp": "tromp-taylor"}
    for start, ruleset in {**aliases, "jap": "japanese", "kor": "korean"}.items():
        if wanted.startswith(start):
            return ruleset
    return "chinese-2002"


def _read_komi(root: _Node) -> float | None:
    """Return komi in points; Chinese servers write stones (3.75), or hundredths (375, 650)."""
    komi = root.number_of("KM")
    if komi is None:
        return None
    if abs(komi) >= 100:
        komi /= 100
    is_in_stones = komi % 0.5 == 0.25
    return komi * 2 if is_in_stones else komi


def _read_start(nodes: list[_Node], info: GameInfo) -> Game:
    root = nodes[0]
    empty = apply(Game(), GameStarted(info, (), None))
    try:
        setup = _read_stones(root, empty.board)
    except GobanError as error:
        raise SgfError(f"node 0: {error}") from error
    to_move = root.color("PL")
    if to_move is None:
        moves = [color for node in nodes for color in Color if color.value in node.raw]
        has_given = len(setup.points_of(Color.BLACK)) > 0 and not setup.points_of(Color.WHITE)
        to_move = moves[0] if moves else Color.WHITE if has_given else Color.BLACK
    return apply(Game(), GameStarted(info, tuple(setup.stones()), to_move))


def _read_stones(node: _Node, board: Board) -> Board:
    """Return the board after the set-up properties of a node."""
    added = [Stone(color, p) for color in Color for p in node.points("A" + color.value)]
    return board.with_changes(remove=node.points("AE"), add=added)


def _read_node(node: _Node, remark: Remark, game: Game) -> Game:
    """Return the game after a node; set-up comes before moves."""
    for void in remark.voids:
        game = apply(game, void)
    correction = _read_correction(node, remark, game) if node.number else None
    if correction is not None:
        game = apply(game, correction)
    for color in Color:
        if color.value in node.raw:
            game = apply(game, _read_move(node, color, remark, game))
    return game


def _read_correction(node: _Node, remark: Remark, game: Game) -> PositionCorrected | None:
    if not {"AB", "AW", "AE", "PL"} & set(node.raw):
        return None
    board = _read_stones(node, game.board)
    add = tuple(s for s in board.stones() if game.board[s.point] is not s.color)
    gone = tuple(p for _, p in game.board.stones() if board[p] is None)
    to_move = node.color("PL") or game.to_move
    return PositionCorrected(
        tuple(sorted(add, key=lambda s: s.point)), gone, to_move, remark.correction
    )


def _read_move(node: _Node, color: Color, remark: Remark, game: Game) -> MovePlayed:
    move = node.move(color)
    if move.point is not None and game.board[move.point] is not None:
        raise node.fault(color.value, "an empty point", node.text(color.value))
    placed = None if move.point is None else game.board.place(color, move.point)
    # A forbidden stone that stands, stands without liberties.
    lost = (
        placed.own_lost if placed is not None and _FORBIDDEN not in remark.faults else frozenset()
    )
    moves_left = node.number_of(f"O{color.value}")
    return MovePlayed(
        len(game.moves) + 1,
        move,
        captured=frozenset() if placed is None else placed.captured | lost,
        faults=remark.faults,
        provenance=remark.provenance,
        is_order_known=remark.is_order_known,
        clock_left_s=node.number_of(f"{color.value}L"),
        note=remark.note,
        clock_moves_left=None if moves_left is None else int(moves_left),
    )


def _read_result(root: _Node, game: Game) -> Game:
    result = root.one("RE")
    if result is None:
        return game
    found = _RESULT_LINE.search(root.text("GC"))
    text = found[1] if found is not None and found[1] != result else ""
    is_confirmed = found is None or found[2] is None
    ended = apply(game, PhaseChanged(Phase.ENDED))
    return apply(ended, ResultChanged(result, text, is_confirmed))


def _unescape(raw: bytes) -> str:
    return bytes(sgf_grammar.text_value(raw)).decode("utf-8")

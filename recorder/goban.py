"""The goban: colors, points, chains, and what a stone captures. No turn, no ko, no history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from random import Random
from typing import NamedTuple

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""Letters of the columns from left to right; I is left out."""


class GobanError(ValueError):
    """A size, a point or a diagram that no goban can have, or a stone on a stone."""


class Color(Enum):
    """The color of a stone and of the player who owns it."""

    BLACK = "B"
    WHITE = "W"

    @property
    def opponent(self) -> Color:
        """The other color."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK


class Point(NamedTuple):
    """An intersection, 0-based from the kifu's upper left."""

    row: int
    col: int


class Stone(NamedTuple):
    """A stone of a color on a point."""

    color: Color
    point: Point


def format_vertex(point: Point, size: int) -> str:
    """Return the GTP name of a point ("Q16"; A1 is the lower left)."""
    return f"{COLUMNS[point.col]}{size - point.row}"


def parse_vertex(text: str, size: int) -> Point:
    """Return the point of a GTP name; raise `GobanError` if the goban has no such point."""
    name = text.strip().upper()
    column, row = COLUMNS.find(name[:1] or "?"), name[1:]
    if column < 0 or column >= size or not (row.isascii() and row.isdigit()):
        raise GobanError(
            f"a point must be a column A-{COLUMNS[size - 1]} and a row 1-{size}, got {text!r}"
        )
    if not 1 <= int(row) <= size:
        raise GobanError(f"the row of a point must be in 1-{size}, got {text!r}")
    return Point(size - int(row), column)


@cache
def neighbors(size: int) -> Mapping[Point, tuple[Point, ...]]:
    """Return the two to four neighbors of every point of a goban."""
    return {
        Point(r, c): tuple(
            Point(r + dr, c + dc)
            for dr, dc in ((-1, 0), (0, -1), (0, 1), (1, 0))
            if 0 <= r + dr < size and 0 <= c + dc < size
        )
        for r in range(size)
        for c in range(size)
    }


@cache
def _keys(size: int) -> Mapping[Stone, int]:
    """Return a fixed random 64-bit number for each stone (Zobrist, 1970)."""
    random = Random(size)
    return {
        Stone(color, Point(r, c)): random.getrandbits(64)
        for color in Color
        for r in range(size)
        for c in range(size)
    }


@dataclass(frozen=True, slots=True)
class Chain:
    """Solidly connected stones of one color."""

    color: Color
    points: frozenset[Point]
    liberties: frozenset[Point]


@dataclass(frozen=True, slots=True)
class Placed:
    """What putting one stone on the board leads to."""

    board: Board
    captured: frozenset[Point]
    """Opposing stones that came off."""

    own_lost: frozenset[Point]
    """Own stones that came off, the played one included, when the move was a suicide."""


class Board:
    """An immutable position: which stones stand where. Equal boards hash alike."""

    __slots__ = ("_hash", "_stones", "size")

    size: int
    _stones: Mapping[Point, Color]
    _hash: int

    def __init__(self, size: int, stones: Iterable[Stone] = ()) -> None:
        """Make a position; raise `GobanError` for a size outside 2-25 or a point off the board."""
        if not 1 <= size <= len(COLUMNS):
            raise GobanError(f"size must be in 1-{len(COLUMNS)}, got {size}")
        placed: dict[Point, Color] = {}
        for color, point in stones:
            if point not in neighbors(size):
                raise GobanError(f"point must lie on a {size}x{size} goban, got {point}")
            if placed.get(point, color) is not color:
                raise GobanError(f"a point holds one stone, got two colors on {point}")
            placed[point] = color
        keys = _keys(size)
        self._build(size, placed, sum_xor(keys[Stone(c, p)] for p, c in placed.items()))

    def _build(self, size: int, stones: Mapping[Point, Color], key: int) -> None:
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "_stones", stones)
        object.__setattr__(self, "_hash", key)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Board is immutable, cannot set {name}")

    def __getitem__(self, point: Point) -> Color | None:
        return self._stones.get(point)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (
            self._hash == other._hash and self.size == other.size and self._stones == other._stones
        )

    def __hash__(self) -> int:
        return self._hash

    def __len__(self) -> int:
        return len(self._stones)

    def __repr__(self) -> str:
        return f"Board({self.size})\n{format_diagram(self)}"

    def stones(self) -> Iterator[Stone]:
        """Iterate over the stones, in no particular order."""
        return (Stone(color, point) for point, color in self._stones.items())

    def points_of(self, color: Color) -> frozenset[Point]:
        """Return the points that hold a stone of a color."""
        return frozenset(p for p, c in self._stones.items() if c is color)

    def empty_points(self) -> frozenset[Point]:
        """Return the points without a stone."""
        return frozenset(p for p in neighbors(self.size) if p not in self._stones)

    def differences(self, other: Board) -> frozenset[Point]:
        """Return the points that do not hold the same on both boards."""
        return frozenset(point for point, _ in self._stones.items() ^ other._stones.items())

    def with_changes(self, *, remove: Iterable[Point] = (), add: Iterable[Stone] = ()) -> Board:
        """Return the board after some stones were lifted and then others put down; no capture.

        A stone put on an occupied point replaces what stood there.
        """
        stones, key, keys = dict(self._stones), self._hash, _keys(self.size)
        for point in remove:
            color = stones.pop(point, None)
            if color is not None:
                key ^= keys[Stone(color, point)]
        for color, point in add:
            if point not in neighbors(self.size):
                raise GobanError(f"point must lie on a {self.size}x{self.size} goban, got {point}")
            before = stones.get(point)
            if before is not None:
                key ^= keys[Stone(before, point)]
            stones[point] = color
            key ^= keys[Stone(color, point)]
        board = Board.__new__(Board)
        board._build(self.size, stones, key)
        return board

    def chain(self, point: Point) -> Chain | None:
        """Return the chain through a point, or None if no stone stands there."""
        color = self._stones.get(point)
        if color is None:
            return None
        near = neighbors(self.size)
        chain, liberties, to_visit = {point}, set(), [point]
        while to_visit:
            for other in near[to_visit.pop()]:
                held = self._stones.get(other)
                if held is None:
                    liberties.add(other)
                elif held is color and other not in chain:
                    chain.add(other)
                    to_visit.append(other)
        return Chain(color, frozenset(chain), frozenset(liberties))

    def place(self, color: Color, point: Point) -> Placed:
        """Put a stone down and take off what has no liberty: the opponent's first, then the own.

        Ignores turn and ko. Raises `GobanError` if the point is occupied.
        """
        if self[point] is not None:
            raise GobanError(f"a stone can only be put on an empty point, {point} is occupied")
        board = self.with_changes(add=[Stone(color, point)])
        captured: set[Point] = set()
        for other in neighbors(self.size)[point]:
            if board[other] is color.opponent and other not in captured:
                chain = board.chain(other)
                if chain is not None and not chain.liberties:
                    captured |= chain.points
        if captured:
            return Placed(board.with_changes(remove=captured), frozenset(captured), frozenset())
        own = board.chain(point)
        lost = own.points if own is not None and not own.liberties else frozenset()
        return Placed(board.with_changes(remove=lost), frozenset(), lost)


def sum_xor(values: Iterable[int]) -> int:
    """Return the exclusive or of all values."""
    total = 0
    for value in values:
        total ^= value
    return total


def parse_diagram(text: str) -> Board:
    """Return the position of a diagram of `. X O` (also `B W`), one row a line, spaces ignored."""
    rows = ["".join(line.split()) for line in text.strip().splitlines()]
    colors = {"X": Color.BLACK, "B": Color.BLACK, "O": Color.WHITE, "W": Color.WHITE}
    stones = []
    for r, row in enumerate(rows):
        if len(row) != len(rows):
            raise GobanError(f"row {r} of a diagram must have {len(rows)} points, got {len(row)}")
        for c, mark in enumerate(row):
            if mark in colors:
                stones.append(Stone(colors[mark], Point(r, c)))
            elif mark not in ".,+":
                raise GobanError(f"a diagram has only . X O, got {mark!r} at row {r}, column {c}")
    return Board(len(rows), stones)


def format_diagram(board: Board) -> str:
    """Return the diagram of a position, the inverse of `parse_diagram`."""
    marks = {None: ".", Color.BLACK: "X", Color.WHITE: "O"}
    return "\n".join(
        " ".join(marks[board[Point(r, c)]] for c in range(board.size)) for r in range(board.size)
    )

"""From the difference between goban and record to the moves that explain it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count, product

from recorder.events import Move, MovePlayed
from recorder.game import Game
from recorder.goban import Board, Color, Point, Stone, neighbors
from recorder.memory import Memory
from recorder.rules import Ruleset, outcome

MAX_STONES = 7
"""More stones than these in one view are not explained as moves."""

MAX_HIDDEN = 2
"""So many moves that left no stone behind may be part of an explanation; one where the other side
has played a stone that is seen, for that may just be out of turn."""

MAX_TRIED = 600
"""So many moves are tried for one explanation; a view that needs more is no sequence of moves."""

MAX_HIDDEN_TARGETS, MAX_HIDDEN_POINTS = 3, 10
"""With more new stones, or more points for stones that nobody saw, these are not looked for."""

NEAR = 2
"""Lines between two points that count as near: a stone is pushed no further."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the goban shows something else than the record, as far as nothing accounts for it."""

    official: Board
    physical: Board
    extra: Mapping[Point, Color]
    """Stones on points that are empty by the record."""

    missing: Mapping[Point, Color]
    """Stones of the record whose points are empty."""

    changed: Mapping[Point, Color]
    """Points with the other color than by the record, and the color they show."""

    residue: Mapping[Point, Color]
    """Captured stones that still stand."""

    tolerated: frozenset[Point]
    """Points that are accounted for."""

    def __bool__(self) -> bool:
        return bool(self.extra or self.missing or self.changed)

    @property
    def points(self) -> frozenset[Point]:
        """All unexplained points."""
        return frozenset((*self.extra, *self.missing, *self.changed))

    def without(self, points: Iterable[Point]) -> Difference:
        """Return the difference without some points, which then count as accounted for."""
        gone = frozenset(points)
        return replace(
            self,
            extra={p: c for p, c in self.extra.items() if p not in gone},
            missing={p: c for p, c in self.missing.items() if p not in gone},
            changed={p: c for p, c in self.changed.items() if p not in gone},
            tolerated=self.tolerated | gone,
        )


def difference(official: Board, physical: Board, memory: Memory) -> Difference:
    """Return the difference between record and goban that nothing accounts for yet."""
    extra: dict[Point, Color] = {}
    missing: dict[Point, Color] = {}
    changed: dict[Point, Color] = {}
    residue: dict[Point, Color] = {}
    tolerated: set[Point] = set()
    captured = {p: c for capture in memory.uncleared for p, c in capture.stones.items()}
    for point in official.differences(physical):
        shown, written = physical[point], official[point]
        if any(shown in s.shows.get(point, ()) for s in memory.standing):
            tolerated.add(point)
        elif written is None and shown is not None:
            if captured.get(point) is shown and point not in memory.seen:
                residue[point] = shown
            else:
                extra[point] = shown
        elif shown is None and written is not None:
            missing[point] = written
        elif shown is not None:
            changed[point] = shown
    # A tolerated point that happens to agree with the record may still turn again.
    tolerated |= {p for s in memory.standing for p in s.shows if official[p] is not physical[p]}
    order = _by_time(memory)
    return Difference(
        official,
        physical,
        dict(sorted(extra.items(), key=order)),
        dict(sorted(missing.items(), key=order)),
        dict(sorted(changed.items(), key=order)),
        residue,
        frozenset(tolerated),
    )


def _by_time(memory: Memory) -> Callable[[tuple[Point, Color]], tuple[float, int]]:
    places = {point: i for i, point in enumerate(memory.seen)}

    def key(item: tuple[Point, Color]) -> tuple[float, int]:
        seen = memory.seen.get(item[0])
        # Of what came at the same time, what the view named first comes first.
        return (seen.t_s, places[item[0]]) if seen is not None else (0.0, -1)

    return key


@dataclass(frozen=True, slots=True)
class Line:
    """A sequence of moves from the official position, and where it leads."""

    board: Board
    to_move: Color
    last: MovePlayed | None
    moves: tuple[MovePlayed, ...] = ()

    def played(self, move: Move, rules: Ruleset) -> Line | None:
        """Return the line with one more move, or None if the rules forbid it."""
        if move.point is not None and self.board[move.point] is not None:
            return None
        result = outcome(self.board, self.last, move, rules)
        if result.faults:
            return None
        number = self.last.number + 1 if self.last is not None else 1
        played = MovePlayed(number, move, result.captured)
        return Line(result.board, move.color.opponent, played, (*self.moves, played))


def line_of(game: Game, to_move: Color) -> Line:
    """Return the empty line from the official position."""
    return Line(game.board, to_move, game.last_move)


def explain(
    start: Line,
    diff: Difference,
    rules: Ruleset,
    *,
    hidden: Mapping[Color, frozenset[Point]] | None = None,
    is_exact: bool = True,
    is_cleared: bool = False,
) -> tuple[Line, ...]:
    """Return every legal line that places all extra stones; the order of `extra` first.

    Parameters
    ----------
    start
        Where the line begins; its board may differ from `diff.official`.
    hidden
        Points by color on which stones may have been played that are no longer there, or that
        look as if nothing happened.
    is_exact
        Every missing stone must have been captured, every changed one replaced. Otherwise these
        may stay unexplained.
    is_cleared
        No captured stone may still stand.
    """
    stones = len(diff.extra) + len(diff.changed)
    if stones > MAX_STONES or (not stones and not hidden):
        return ()
    targets = {**diff.extra, **diff.changed}
    if hidden and (
        stones > MAX_HIDDEN_TARGETS or len(frozenset().union(*hidden.values())) > MAX_HIDDEN_POINTS
    ):
        return ()
    if not hidden and not diff.changed and not _can_alternate(start.to_move, targets):
        return ()
    is_own = all(color is start.to_move for color in targets.values())
    most = (MAX_HIDDEN if is_own else 1) if hidden else 0
    goal = _Goal(targets, diff, rules, hidden or {}, count(MAX_TRIED, -1))
    found = _search(start, goal, most)
    return tuple(
        line for line in found if _fits(line, diff, is_exact=is_exact, is_cleared=is_cleared)
    )


def _can_alternate(first: Color, targets: Mapping[Point, Color]) -> bool:
    own = sum(1 for color in targets.values() if color is first)
    return own - (len(targets) - own) in (0, 1)


@dataclass(frozen=True, slots=True)
class _Goal:
    """What a search is after, and how much of it is left."""

    targets: Mapping[Point, Color]
    diff: Difference
    rules: Ruleset
    hidden: Mapping[Color, frozenset[Point]]
    tries: Iterator[int]
    """Counts down with every move that is tried, over the whole search."""


def _search(line: Line, goal: _Goal, hidden_left: int) -> Iterator[Line]:
    """Yield the lines that end with every target placed, depth first."""
    done = {
        Stone(played.move.color, played.move.point) for played in line.moves if played.move.point
    }
    open_targets = [p for p, color in goal.targets.items() if Stone(color, p) not in done]
    if not open_targets and line.moves:
        yield line
    if len(line.moves) >= len(goal.targets) + MAX_HIDDEN:
        return
    color = line.to_move
    plain = [p for p in open_targets if goal.targets[p] is color]
    secret = _hidden_points(line, goal, color) if hidden_left else []
    for place, point in enumerate([*plain, *secret]):
        if next(goal.tries) <= 0:
            return
        longer = line.played(Move(color, point), goal.rules)
        if longer is not None:
            yield from _search(longer, goal, hidden_left - (place >= len(plain)))


def _hidden_points(line: Line, goal: _Goal, color: Color) -> list[Point]:
    """Return where the side to move may have played without a new stone to show for it."""
    taken = {p for played in line.moves for p in played.captured}
    again = {p for p in taken if goal.diff.physical[p] is color}
    allowed = goal.hidden.get(color, frozenset()) | again
    return sorted(p for p in allowed if line.board[p] is None and goal.targets.get(p) is None)


def _fits(line: Line, diff: Difference, *, is_exact: bool, is_cleared: bool) -> bool:
    """Return whether the goban looks as a line says, captured stones perhaps still standing."""
    captured = {p for played in line.moves for p in played.captured}
    touched = {p.move.point for p in line.moves if p.move.point is not None}
    for point in captured | touched | diff.points:
        written, shown = line.board[point], diff.physical[point]
        if written is shown or point in diff.tolerated:
            continue
        is_left = written is None and point in captured and shown is _taken(line, diff, point)
        if is_left and not is_cleared:
            continue
        if not is_exact and point not in touched and point not in diff.extra:
            continue
        return False
    return True


def _taken(line: Line, diff: Difference, point: Point) -> Color | None:
    """Return the color of the stone that the line takes off a point."""
    for played in line.moves[::-1]:
        if played.move.point == point:
            return played.move.color
    return diff.official[point]


def hole_replies(diff: Difference) -> dict[Color, frozenset[Point]]:
    """Return where captured stones still stand: one of them may be a reply inside the hole."""
    return {color: frozenset(p for p, c in diff.residue.items() if c is color) for color in Color}


def throw_ins(diff: Difference) -> dict[Color, frozenset[Point]]:
    """Return where stones may have been played that were captured again at once."""
    near = neighbors(diff.official.size)
    points: set[Point] = set()
    for point in diff.missing:
        chain = diff.official.chain(point)
        if chain is not None:
            points |= chain.liberties
    points |= {q for p in points for q in near[p] if diff.official[q] is None}
    free = frozenset(p for p in points if diff.physical[p] is None)
    return {
        color: free | frozenset(p for p in points if diff.physical[p] is color) for color in Color
    }


def moved_pairs(
    diff: Difference, is_pair: Callable[[Point, Point], bool] | None = None
) -> tuple[tuple[Point, Point], ...]:
    """Return the stones that seem to have slid: (from, to), the nearest first.

    A stone slides to a near point; `is_pair` tells which other points may belong together.
    """
    pairs = sorted(
        (
            (distance(p, q), i, p, q)
            for i, ((p, a), (q, b)) in enumerate(product(diff.missing.items(), diff.extra.items()))
            if a is b and (distance(p, q) <= NEAR or (is_pair is not None and is_pair(p, q)))
        ),
        key=lambda pair: pair[:2],
    )
    chosen: list[tuple[Point, Point]] = []
    used: set[Point] = set()
    for _, _, origin, target in pairs:
        if origin not in used and target not in used:
            chosen.append((origin, target))
            used |= {origin, target}
    return tuple(chosen)


def distance(one: Point, other: Point) -> int:
    """Return how many lines two points lie apart, the longer way of row and column."""
    return max(abs(one.row - other.row), abs(one.col - other.col))


def before_last(game: Game) -> Board | None:
    """Return the official position before the last stone, or None if the last was a pass."""
    last = game.last_move
    if last is None or last.move.point is None or last.move.point in last.captured:
        return None
    taken = (Stone(last.move.color.opponent, p) for p in last.captured)
    return game.board.with_changes(remove=[last.move.point], add=taken)


def unseen_captures(diff: Difference, color: Color) -> bool:
    """Return whether all missing stones of a color would be gone by one unseen stone's capture."""
    gone = frozenset(p for p, c in diff.missing.items() if c is color)
    if not gone:
        return False
    chains = [diff.official.chain(p) for p in gone]
    liberties = {p for chain in chains if chain is not None for p in chain.liberties}
    whole = frozenset(p for chain in chains if chain is not None for p in chain.points)
    return len(liberties) == 1 and whole == gone

"""Unconditional life: chains that cannot be captured even if their owner always passes.

Offered as a default when dead stones are marked; a person decides (article 8).
"""

from __future__ import annotations

from dataclasses import dataclass

from recorder.goban import Board, Chain, Color, Point, neighbors


@dataclass(frozen=True, slots=True)
class _Region:
    """Connected points without a stone of one color, and what encloses them."""

    points: frozenset[Point]
    empty: frozenset[Point]
    border: frozenset[Chain]


def alive_chains(board: Board, color: Color) -> frozenset[Chain]:
    """Return the chains of a color that are unconditionally alive.

    References
    ----------
    D. B. Benson, "Life in the game of Go", Information Sciences 10 (1976).
    """
    return _solve(board, color)[0]


def find_dead_stones(board: Board) -> frozenset[Point]:
    """Return stones that are dead beyond doubt: inside what unconditionally alive chains enclose.

    Only where every empty point is a liberty of such a chain, so that no eye can be made there.
    Stones that need reading to be called dead are not found.
    """
    dead: set[Point] = set()
    for color in Color:
        _, regions = _solve(board, color)
        for region in regions:
            held = frozenset().union(*(chain.liberties for chain in region.border))
            if region.empty <= held:
                dead |= region.points - region.empty
    return frozenset(dead)


def _solve(board: Board, color: Color) -> tuple[frozenset[Chain], list[_Region]]:
    """Return the alive chains of a color and the regions that only they enclose."""
    chains = _chains(board, color)
    regions = [region for region in _regions(board, color, chains) if region.border]
    alive = frozenset(chains.values())
    while True:
        kept = frozenset(
            chain
            for chain in alive
            if sum(chain in r.border and r.empty <= chain.liberties for r in regions) >= 2
        )
        regions = [region for region in regions if region.border <= kept]
        if kept == alive:
            return alive, regions
        alive = kept


def _chains(board: Board, color: Color) -> dict[Point, Chain]:
    """Return the chain of every stone of a color."""
    chains: dict[Point, Chain] = {}
    for point in board.points_of(color):
        if point not in chains:
            chain = board.chain(point)
            if chain is not None:
                chains.update(dict.fromkeys(chain.points, chain))
    return chains


def _regions(board: Board, color: Color, chains: dict[Point, Chain]) -> list[_Region]:
    """Return the connected regions of points without a stone of a color."""
    near = neighbors(board.size)
    left = {point for point in near if board[point] is not color}
    regions = []
    while left:
        points, border, to_visit = set(), set(), [left.pop()]
        while to_visit:
            point = to_visit.pop()
            points.add(point)
            for other in near[point]:
                if board[other] is color:
                    border.add(chains[other])
                elif other in left:
                    left.remove(other)
                    to_visit.append(other)
        empty = frozenset(point for point in points if board[point] is None)
        regions.append(_Region(frozenset(points), empty, frozenset(border)))
    return regions

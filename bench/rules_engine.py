"""The rules engine against sgfmill's board, its counts of legal positions, and its cost.

    python bench/rules_engine.py --games 20000 --superko 10000

Prints the section "rules" of docs/scoreboard.txt.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import product
from random import Random
from statistics import quantiles

from sgfmill import boards

from recorder.events import GameInfo, GameStarted, Move, MovePlayed
from recorder.game import apply, fold
from recorder.goban import Board, Color, Point, Stone
from recorder.observations import Observation, Pass, SettledView, StartGame, Tick
from recorder.rules import outcome, repeated, ruleset_of
from recorder.session import new_state, step

SGFMILL = {Color.BLACK: "b", Color.WHITE: "w"}


def play_both(random: Random, size: int, moves: int) -> int:
    """Play a random game on our board and sgfmill's; return the moves, all of which agreed."""
    ours, theirs = Board(size), boards.Board(size)
    for number in range(moves):
        color = (Color.BLACK, Color.WHITE)[number % 2]
        free = sorted(ours.empty_points())
        if not free:
            return number
        point = random.choice(free)
        placed = ours.place(color, point)
        theirs.play(size - 1 - point.row, point.col, SGFMILL[color])
        ours = placed.board
        if not (placed.captured or placed.own_lost) and number + 1 < moves:
            # Whatever differs shows at the next capture or at the end.
            continue
        occupied = {(size - 1 - p.row, p.col): SGFMILL[c] for c, p in ours.stones()}
        assert occupied == {(r, c): held for held, (r, c) in theirs.list_occupied_points()}, ours
    return moves


def legal_positions(size: int) -> int:
    """Return how many positions of a goban have no chain without liberties."""
    points = [Point(r, c) for r in range(size) for c in range(size)]
    total = 0
    for colors in product((None, *Color), repeat=len(points)):
        held = (Stone(c, p) for c, p in zip(colors, points, strict=True) if c is not None)
        board = Board(size, held)
        total += all(chain.liberties for p in points if (chain := board.chain(p)) is not None)
    return total


def ko_dance(count: int, size: int) -> Iterator[tuple[Move, frozenset[Point]]]:
    """Yield moves that go on for ever: the goban fills, and stones are captured again."""
    random = Random(0)
    board, color = Board(size), Color.BLACK
    for _ in range(count):
        free = sorted(board.empty_points())
        random.shuffle(free)
        for point in free:
            placed = board.place(color, point)
            if not placed.own_lost:
                yield Move(color, point), placed.captured
                board = placed.board
                break
        else:
            yield Move(color, None), frozenset()
        color = color.opponent


def superko_cost(count: int, window: int) -> tuple[float, float]:
    """Return the lower quartile of microseconds a move, of the first moves and of the last.

    On 9x9, so that the goban is as full at first as at last and only the history grows.
    """
    rules = ruleset_of("tromp-taylor")
    game = fold([GameStarted(GameInfo(size=9), (), Color.BLACK)])
    times = []
    for number, (move, captured) in enumerate(ko_dance(count, 9), 1):
        start = time.process_time()
        after = outcome(game.board, game.last_move, move, rules).board
        repeated(game, after, move.color, rules)
        game = apply(game, MovePlayed(number, move, captured))
        times.append(time.process_time() - start)
    first, last = quantiles(times[:window], n=4), quantiles(times[-window:], n=4)
    return 1e6 * first[0], 1e6 * last[0]


def step_cost(count: int) -> tuple[float, float, float]:
    """Return the cost of a step: ms a move at first and at last, microseconds a tick."""
    state, _ = step(new_state(), Observation(0.0, StartGame(GameInfo(), (), Color.BLACK)))
    times, ticks, t_s = [], [], 0.0
    for move, captured in ko_dance(count, 19):
        t_s += 10
        if move.point is None:
            state, _ = step(state, Observation(t_s, Pass(move.color)))
            continue
        view = SettledView((Stone(move.color, move.point),), tuple(captured))
        start = time.process_time()
        state, _ = step(state, Observation(t_s, view))
        times.append(time.process_time() - start)
        start = time.process_time()
        state, _ = step(state, Observation(t_s, Tick()))
        ticks.append(time.process_time() - start)
    tenth = len(times) // 10
    first, last = sum(times[:tenth]) / tenth, sum(times[-tenth:]) / tenth
    return 1e3 * first, 1e3 * last, 1e6 * sum(ticks) / len(ticks)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--superko", type=int, default=10_000)
    args = parser.parse_args()
    random = Random(0)
    print("legal positions, sizes 1-3:", *(legal_positions(size) for size in (1, 2, 3)))
    moves = 0
    for _ in range(args.games):
        size = random.choice((5, 9, 13, 19))
        moves += play_both(random, size, min(2 * size * size, 150))
    print(f"agrees with sgfmill's board: {args.games} games, {moves} moves, every capture")
    first, last = superko_cost(args.superko, 100)
    print(f"superko, {args.superko} moves: {first:.0f} us a move at first, {last:.0f} us at last")
    early, late, tick = step_cost(400)
    print(f"step, 400 moves: {early:.2f} ms a move at first, {late:.2f} ms at last")
    print(f"step, tick: {tick:.0f} us")


if __name__ == "__main__":
    main()

"""Whole games from noisy readings, without video: the share of perfect games against the noise.

Random legal games are played at a human pace; an arm reaches in for every move and every
captured stone. Readings are made from what then lies on the goban, with the faults real readings
have: covered points that are taken for stones, stones that are missed and phantoms that last for
some frames. They go through the recorder's own `settle` and `step`.

    python bench/stress.py --games 100 --moves 150 --noise 0 1 2 4
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from recorder.events import Alert, GameInfo, Level, MovePlayed, MovesRetracted
from recorder.goban import Board, Color, Point, Stone
from recorder.labels import labels_of
from recorder.observations import Observation, StartGame, Tick
from recorder.session import new_state, step
from recorder.settle import settle
from recorder.settling import Expectation, new_settling
from vision.types import StoneReading


@dataclass(frozen=True, slots=True)
class Noise:
    """How often readings fail; a level scales all of it."""

    phantom_rate_hz: float = 0.05
    """New false labels a second on the whole goban, no arm near, at level 1."""

    phantom_frames: float = 1.5
    """Mean length of a false label, in frames."""

    leak: float = 0.25
    """Share of the arms of which a part is taken for stones, at level 1."""

    leak_points: float = 5.0
    """Mean number of points of such a part."""

    unsure: float = 0.002
    """Share of points read right but with low confidence, at level 1."""


@dataclass
class Table:
    """The goban as it really is, the arm over it, and the faults of the camera that looks at it."""

    size: int
    random: np.random.Generator
    level: float
    rate_hz: float
    noise: Noise = Noise()
    board: Board = field(init=False)
    faults: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    sleeve: tuple[tuple[Color, Point] | None, frozenset[tuple[int, int]], int] = (
        None,
        frozenset(),
        0,
    )
    """The arm last seen, the points of it that are taken for stones, and their label."""

    def __post_init__(self) -> None:
        self.board = Board(self.size)

    def look(self, t_s: float, arm: tuple[Color, Point] | None) -> StoneReading:
        """Return the reading of one frame."""
        labels = labels_of(self.board).astype(int)
        covered = self._covered(arm)
        self._renew_faults(labels)
        confidence = np.full(labels.shape, 0.99)
        for place, (label, _) in self.faults.items():
            labels[place] = label
            confidence[place] = self.random.uniform(0.55, 0.97)
        self._renew_sleeve(arm, covered)
        leaks = np.zeros(labels.shape, bool)
        for place in self.sleeve[1]:
            # A part that is not under the arm any more is seen as it is.
            leaks[place] = covered[place] and self.random.random() < 0.8
        labels[leaks] = self.sleeve[2]
        confidence[leaks] = self.random.uniform(0.6, 0.97, int(leaks.sum()))
        unsure = self.random.random(labels.shape) < self.noise.unsure * self.level
        confidence[unsure] = 0.6
        probabilities = np.repeat((1 - confidence[..., None]) / 2, 3, axis=2)
        np.put_along_axis(probabilities, labels[..., None], confidence[..., None], axis=2)
        return StoneReading(probabilities.astype(np.float32), ~(covered & ~leaks), t_s)

    def _renew_sleeve(self, arm: tuple[Color, Point] | None, covered: NDArray[np.bool_]) -> None:
        if arm == self.sleeve[0]:
            return
        points: list[tuple[int, int]] = []
        if arm is not None and self.random.random() < min(1.0, self.noise.leak * self.level):
            places = [(int(r), int(c)) for r, c in np.argwhere(covered)]
            start = int(self.random.integers(len(places)))
            length = int(self.random.geometric(1 / self.noise.leak_points))
            points = places[start : start + length]
        self.sleeve = (arm, frozenset(points), int(self.random.integers(1, 3)))

    def _covered(self, arm: tuple[Color, Point] | None) -> NDArray[np.bool_]:
        if arm is None:
            return np.zeros((self.size, self.size), bool)
        color, point = arm
        rows, cols = np.mgrid[0 : self.size, 0 : self.size]
        reach = rows >= point.row - 1 if color is Color.BLACK else rows <= point.row + 1
        lean = (rows - point.row) * 0.35 * (1 if color is Color.BLACK else -1)
        return np.asarray(reach & (np.abs(cols - point.col - lean) <= 1.6))

    def _renew_faults(self, labels: NDArray[np.int_]) -> None:
        self.faults = {p: (v, n - 1) for p, (v, n) in self.faults.items() if n > 1}
        mean = self.noise.phantom_rate_hz * self.level / self.rate_hz
        for _ in range(self.random.poisson(mean)):
            place = (int(self.random.integers(self.size)), int(self.random.integers(self.size)))
            wrong = (labels[place] + int(self.random.integers(1, 3))) % 3
            frames = int(self.random.geometric(1 / self.noise.phantom_frames))
            self.faults[place] = (int(wrong), frames)


def random_moves(
    size: int, count: int, random: np.random.Generator
) -> list[tuple[Stone, frozenset[Point]]]:
    """Return a random game without repetition or suicide: stones and what each captured."""
    board, color, seen = Board(size), Color.BLACK, {Board(size)}
    moves: list[tuple[Stone, frozenset[Point]]] = []
    while len(moves) < count:
        points = sorted(board.empty_points())
        random.shuffle(points)
        for point in map(Point._make, points):
            placed = board.place(color, point)
            if not placed.own_lost and placed.board not in seen:
                break
        else:
            return moves
        board = placed.board
        seen.add(board)
        moves.append((Stone(color, point), placed.captured))
        color = color.opponent
    return moves


def act(
    table: Table, moves: list[tuple[Stone, frozenset[Point]]], pace_s: float
) -> Iterator[StoneReading]:
    """Play a game on the table and yield a reading for every frame of it."""
    t, step_s, random = 0.0, 1 / table.rate_hz, table.random

    def frames(seconds: float, arm: tuple[Color, Point] | None) -> Iterator[StoneReading]:
        nonlocal t
        for _ in range(max(1, round(seconds * table.rate_hz))):
            t += step_s
            yield table.look(t, arm)

    yield from frames(3.0, None)
    for stone, captured in moves:
        yield from frames(float(random.exponential(pace_s * 0.4)) + pace_s * 0.2, None)
        arm = (stone.color, stone.point)
        yield from frames(0.5, arm)
        table.board = table.board.with_changes(add=[stone])
        yield from frames(0.4, arm)
        for point in sorted(captured):
            yield from frames(0.3, (stone.color, Point._make(point)))
            table.board = table.board.with_changes(remove=[Point._make(point)])
    yield from frames(4.0, None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one game."""

    is_perfect: bool
    false_alerts: int
    retracted: int
    hours: float
    frames: int
    busy_s: float


def run_game(seed: int, *, size: int, moves: int, level: float, rate_hz: float) -> Outcome:
    """Record one random game from noisy readings."""
    random = np.random.default_rng(seed)
    game = random_moves(size, moves, random)
    table = Table(size, random, level, rate_hz)
    state = new_state()
    state, _ = step(state, Observation(0.0, StartGame(GameInfo(size=size), setup=())))
    memory = new_settling(size)
    alerts = retracted = frames = 0
    busy = t_s = 0.0
    for reading in act(table, game, pace_s=2.5):
        start = time.process_time()
        t_s, frames = reading.seen_at_s, frames + 1
        expected = Expectation(state.game.board, state.game.to_move)
        memory, contents = settle(memory, reading, expected)
        for content in (*contents, Tick()):
            state, events = step(state, Observation(t_s, content))
            alerts += sum(isinstance(e, Alert) and e.level is not Level.INFO for e in events)
            retracted += sum(isinstance(e, MovesRetracted) for e in events)
        busy += time.process_time() - start
    record = [m.move for m in state.game.moves if isinstance(m, MovePlayed)]
    is_perfect = [(m.color, m.point) for m in record] == [(s.color, s.point) for s, _ in game]
    return Outcome(is_perfect, alerts, retracted, t_s / 3600, frames, busy)


def main() -> None:
    """Print a line for each noise level."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--moves", type=int, default=150)
    parser.add_argument("--size", type=int, default=19)
    parser.add_argument("--rate", type=float, default=6.0, help="readings a second")
    parser.add_argument("--noise", type=float, nargs="+", default=[0.0, 1.0, 2.0, 4.0])
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    print("noise  perfect games  false alerts/hour  retractions/hour  ms/frame")
    for level in args.noise:
        runs = [
            run_game(
                args.seed + n, size=args.size, moves=args.moves, level=level, rate_hz=args.rate
            )
            for n in range(args.games)
        ]
        hours = sum(r.hours for r in runs)
        print(
            f"{level:5.1f}  {sum(r.is_perfect for r in runs) / len(runs):13.1%}"
            f"  {sum(r.false_alerts for r in runs) / hours:17.2f}"
            f"  {sum(r.retracted for r in runs) / hours:16.2f}"
            f"  {1000 * sum(r.busy_s for r in runs) / sum(r.frames for r in runs):8.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()

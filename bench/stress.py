"""Whole games from noisy readings, without video: the share of perfect games against the noise.

Random legal games are played at a human pace; an arm reaches in for every move and every
captured stone. Readings are made from what then lies on the goban, with the faults real readings
have: parts of an arm that are taken for stones, stones that are missed and phantoms. They go
through the recorder's own `settle` and `step`. Level 1 is the noise of real readings of rendered
videos, see `Noise`; other levels scale how often, how much and for how long readings fail.

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
    """How often readings fail at level 1, as measured by bench/video_noise.py.

    No phantom was seen there in 3,700 s without an arm; the rate is what would be seen three times
    in that.
    """

    phantom_rate_hz: float = 0.0008
    """New false labels a second on the whole goban, no arm near."""

    phantom_frames: float = 1.65
    """Mean length of a false label, in frames."""

    leak: float = 0.53
    """Share of the arms of which a part is taken for stones."""

    leak_points: float = 3.6
    """Mean number of points of such a part."""

    unsure: float = 0.0004
    """Share of points read right but with low confidence."""

    def at(self, level: float) -> Noise:
        """Return the noise of another level: faults come as often, as large and as long."""
        longer = max(1.0, level)
        return Noise(
            self.phantom_rate_hz * level,
            self.phantom_frames * longer,
            min(1.0, self.leak * level),
            self.leak_points * longer,
            self.unsure * level,
        )


@dataclass
class Table:
    """The goban as it really is, the arm over it, and the faults of the camera that looks at it."""

    size: int
    random: np.random.Generator
    noise: Noise
    rate_hz: float
    board: Board = field(init=False)
    faults: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    """Phantoms: the label read there, and for how many frames more."""

    leaks: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    """The same for points under an arm; once it is gone, they are seen as they are."""

    arm_before: tuple[Color, Point] | None = None

    def __post_init__(self) -> None:
        self.board = Board(self.size)

    def look(self, t_s: float, arm: tuple[Color, Point] | None) -> StoneReading:
        """Return the reading of one frame."""
        labels = labels_of(self.board).astype(int)
        covered = self._covered(arm)
        self._renew_faults(labels, covered, arm)
        confidence = np.full(labels.shape, 0.99)
        unsure = self.random.random(labels.shape) < self.noise.unsure
        confidence[unsure] = 0.6
        for place, (label, _) in (self.faults | self.leaks).items():
            labels[place], covered[place] = label, False
            confidence[place] = self.random.uniform(0.48, 0.97)
        probabilities = np.repeat((1 - confidence[..., None]) / 2, 3, axis=2)
        np.put_along_axis(probabilities, labels[..., None], confidence[..., None], axis=2)
        return StoneReading(probabilities.astype(np.float32), ~covered, t_s)

    def _covered(self, arm: tuple[Color, Point] | None) -> NDArray[np.bool_]:
        if arm is None:
            return np.zeros((self.size, self.size), bool)
        color, point = arm
        rows, cols = np.mgrid[0 : self.size, 0 : self.size]
        reach = rows >= point.row - 1 if color is Color.BLACK else rows <= point.row + 1
        lean = (rows - point.row) * 0.35 * (1 if color is Color.BLACK else -1)
        return np.asarray(reach & (np.abs(cols - point.col - lean) <= 1.6))

    def _renew_faults(
        self, labels: NDArray[np.int_], covered: NDArray[np.bool_], arm: tuple[Color, Point] | None
    ) -> None:
        self.faults = {p: (v, n - 1) for p, (v, n) in self.faults.items() if n > 1}
        self.leaks = {p: (v, n - 1) for p, (v, n) in self.leaks.items() if n > 1 and covered[p]}
        for _ in range(self.random.poisson(self.noise.phantom_rate_hz / self.rate_hz)):
            place = (int(self.random.integers(self.size)), int(self.random.integers(self.size)))
            wrong = (labels[place] + int(self.random.integers(1, 3))) % 3
            self.faults[place] = (int(wrong), self._frames())
        if arm != self.arm_before and arm is not None and self.random.random() < self.noise.leak:
            places = [(int(r), int(c)) for r, c in np.argwhere(covered)]
            start = int(self.random.integers(len(places)))
            length = int(self.random.geometric(1 / self.noise.leak_points))
            label = int(self.random.integers(1, 3))
            for place in places[start : start + length]:
                self.leaks[place] = (label, self._frames())
        self.arm_before = arm

    def _frames(self) -> int:
        return int(self.random.geometric(1 / self.noise.phantom_frames))


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
    table = Table(size, random, Noise().at(level), rate_hz)
    state = new_state()
    state, _ = step(state, Observation(0.0, StartGame(GameInfo(size=size), setup=())))
    memory = new_settling(size)
    alerts = retracted = frames = 0
    busy = t_s = 0.0
    for reading in act(table, game, pace_s=2.5):
        start = time.perf_counter()
        t_s, frames = reading.seen_at_s, frames + 1
        expected = Expectation(state.game.board, state.game.to_move)
        memory, contents = settle(memory, reading, expected)
        for content in (*contents, Tick()):
            state, events = step(state, Observation(t_s, content))
            alerts += sum(isinstance(e, Alert) and e.level is not Level.INFO for e in events)
            retracted += sum(isinstance(e, MovesRetracted) for e in events)
        busy += time.perf_counter() - start
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
    parser.add_argument("--noise", type=float, nargs="+", default=[0.0, 1.0, 2.0, 3.0, 4.0])
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    print("noise  games  perfect  false alerts/hour  retractions/hour   hours  ms/frame")
    for level in args.noise:
        runs = [
            run_game(
                args.seed + n, size=args.size, moves=args.moves, level=level, rate_hz=args.rate
            )
            for n in range(args.games)
        ]
        hours = sum(r.hours for r in runs)
        print(
            f"{level:5.1f}  {len(runs):5}  {sum(r.is_perfect for r in runs) / len(runs):7.1%}"
            f"  {sum(r.false_alerts for r in runs) / hours:17.2f}"
            f"  {sum(r.retracted for r in runs) / hours:16.2f}"
            f"  {hours:6.1f}"
            f"  {1000 * sum(r.busy_s for r in runs) / sum(r.frames for r in runs):8.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()

"""Film games of our own, with their truth, to be scored as any other video of a game.

The pictures come from the generator that the grid is trained on (`vision.training.scenes`), the
stones look like none that the stone reader has learned from: whole games on such films say how
the recorder does in a room it has never seen. Players reach in for each move and each captured
stone; hands rest, sheets are laid down, lights change, the camera is bumped, a stone is played
out of turn or taken back.

    python bench/film.py FOLDER --games 6 --moves 60
    python score_games.py FOLDER
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from recorder.goban import Board, Color, Point, Stone, format_vertex
from vision.training import scenes
from vision.training.cameras import Camera, project, random_camera

FPS = 6
WIDTH, HEIGHT = 1280, 720
ARM_S = 0.5
"""How long a hand takes from the edge to its point, and back."""

Image = NDArray[np.uint8]
Pixel = NDArray[np.float64]


@dataclass
class Room:
    """A table with a board on it, seen by a camera that stands still."""

    seed: int
    size: int
    camera: Camera = field(init=False)
    plain: Image = field(init=False)
    """(H, W, 3), the empty board."""

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        self.aspect = float(rng.uniform(1.0, 1.1))
        while True:
            self.camera = random_camera(rng, WIDTH, HEIGHT, self.size + 1.5, least=0.6)
            low, high = -0.6, self.size - 0.4
            corners = [
                self.pixel(np.array(c))
                for c in ((low, low), (low, high), (high, low), (high, high))
            ]
            if all(((c > 0) & (c < (WIDTH, HEIGHT))).all() for c in corners):
                break
        self.plain = scenes.draw_floor(rng, self.camera, WIDTH, HEIGHT, self.size)
        scenes.draw_things(rng, self.plain, self.camera, self.size * 0.75)
        if rng.random() < 0.3:
            scenes.draw_neighbor(rng, self.plain, self.camera, self.size, self.aspect)
        scenes.draw_board(rng, self.plain, self.camera, self.size, self.aspect)

    def spot(self, place: Pixel) -> Pixel:
        """Return the world position (3,) on the board of a (row, col)."""
        half = (self.size - 1) / 2
        return np.array([place[1] - half, (half - place[0]) * self.aspect, 0.0])

    def pixel(self, place: Pixel) -> Pixel:
        """Return the (x, y) pixel of a (row, col)."""
        return np.asarray(project(self.camera, self.spot(place)[None])[0])

    def with_stones(self, stones: dict[Point, tuple[Color, Pixel]]) -> Image:
        """Return the board (H, W, 3) with stones, each off its point by (row, col) cells."""
        image = self.plain.copy()
        if stones:
            feet = [self.spot(np.array(p, float) + off) for p, (_, off) in stones.items()]
            colors = [1 if color is Color.BLACK else 2 for color, _ in stones.values()]
            look = np.random.default_rng(self.seed + 1)
            scenes.draw_stones(look, image, self.camera, np.array(feet), np.array(colors, np.uint8))
        return image

    @property
    def cell_px(self) -> float:
        """Mean line spacing in pixels."""
        corners = [self.pixel(np.array(c, float)) for c in ((0, 0), (0, self.size - 1))]
        return float(np.linalg.norm(corners[0] - corners[1])) / (self.size - 1)


@dataclass
class Film:
    """A game as it is acted out, frame by frame, and what is true of it."""

    room: Room
    rng: np.random.Generator
    stones: dict[Point, tuple[Color, Pixel]] = field(default_factory=dict)
    t_s: float = 0.0
    gain: float = 1.0
    shift_px: tuple[float, float] = (0.0, 0.0)
    sheet: Pixel | None = None
    """(4, 2), a sheet of paper that lies on the board."""

    moves: list[tuple[str, str, float, float]] = field(default_factory=list)
    alerts: list[dict[str, object]] = field(default_factory=list)
    tolerated: list[dict[str, object]] = field(default_factory=list)
    still: tuple[frozenset[Point], Image] | None = None

    def frame(self, arm: tuple[int, Pixel] | None = None) -> Image:
        """Return the picture of this moment and let time pass; an arm is its seed and its tip."""
        key = frozenset(self.stones)
        if self.still is None or self.still[0] != key:
            self.still = (key, self.room.with_stones(self.stones))
        image = self.still[1].copy()
        if self.sheet is not None:
            cv2.fillConvexPoly(image, self.sheet.astype(np.int32), (225, 230, 232), cv2.LINE_AA)
        if arm is not None:
            thick = 1.2 * self.room.cell_px
            scenes.draw_arm(np.random.default_rng(arm[0]), image, arm[1], thick)
        self.t_s += 1 / FPS
        if self.shift_px != (0.0, 0.0):
            move = np.array([[1, 0, self.shift_px[0]], [0, 1, self.shift_px[1]]])
            border = cv2.BORDER_REPLICATE
            image = np.asarray(
                cv2.warpAffine(image, move, (WIDTH, HEIGHT), borderMode=border), np.uint8
            )
        noise = self.rng.standard_normal((HEIGHT // 2, WIDTH // 2, 3), dtype=np.float32)
        grain = cv2.resize(3.0 * noise, (WIDTH, HEIGHT))
        lit = image * np.float32(self.gain) + grain
        return np.asarray(np.clip(lit, 0, 255), np.uint8)

    def wait(self, seconds: float, arm: tuple[int, Pixel] | None = None) -> Iterator[Image]:
        """Let time pass."""
        for _ in range(max(1, round(seconds * FPS))):
            yield self.frame(arm)

    def reach(self, color: Color, places: list[Pixel]) -> Iterator[Image | int]:
        """Reach in and go from place to place; yields its number when the hand is there."""
        seed = self._arm_seed(color)
        home = np.array([self.room.size + 5 if color is Color.BLACK else -6, places[0][1]], float)
        stops = [home, *places, home]
        for number, (start, end) in enumerate(pairwise(stops)):
            steps = max(2, round(ARM_S * FPS))
            for i in range(1, steps + 1):
                at = start + (end - start) * i / steps
                yield self.frame((seed, self.room.pixel(at)))
            if number < len(places):
                yield number

    def _arm_seed(self, color: Color) -> int:
        """Find an arm that comes from the player's side."""
        side = 1 if color is Color.BLACK else -1
        middle = (self.room.size - 1) / 2
        near = self.room.pixel(np.array([middle + 3 * side, middle]))
        away = near - self.room.pixel(np.array([middle, middle]))
        while True:
            seed = int(self.rng.integers(1 << 30))
            angle = np.random.default_rng(seed).uniform(0, 2 * np.pi)
            if np.dot(away / np.linalg.norm(away), [np.cos(angle), np.sin(angle)]) > 0.8:
                return seed

    def put(self, stone: Stone) -> None:
        """Put a stone down, a little off its point."""
        self.stones[stone.point] = (stone.color, self.rng.normal(0, 0.06, 2))

    def vertex(self, point: Point) -> str:
        """Return a point as people say it."""
        return format_vertex(point, self.room.size)

    def play(self, stone: Stone, captured: list[Point]) -> Iterator[Image]:
        """Play a move and lift what it captures."""
        places = [np.array(p, float) for p in (stone.point, *captured)]
        released = self.t_s
        for step in self.reach(stone.color, places):
            if not isinstance(step, int):
                yield step
            elif step == 0:
                self.put(stone)
                released = self.t_s
            else:
                self.stones.pop(captured[step - 1])
        vertex = self.vertex(stone.point)
        self.moves.append((stone.color.value, vertex, round(released, 2), round(self.t_s, 2)))

    def tolerate(self, start_s: float, *types: str) -> None:
        """Allow alerts of these types from a moment until 12 s after now."""
        self.tolerated += [{"type": t, "t": start_s - 2, "by": self.t_s + 12} for t in types]

    def double_move(self, stone: Stone) -> Iterator[Image]:
        """Play a second stone in a row, which is noticed after a while and taken away."""
        released = self.t_s
        for step in self.reach(stone.color, [np.array(stone.point, float)]):
            if isinstance(step, int):
                self.put(stone)
                released = self.t_s
            else:
                yield step
        yield from self.wait(self.rng.uniform(10, 14))
        self.alerts.append(
            {
                "type": "double-move",
                "t": round(released, 2),
                "by": round(self.t_s, 2),
                "points": [self.vertex(stone.point)],
                "color": stone.color.value,
            }
        )
        for step in self.reach(stone.color, [np.array(stone.point, float)]):
            if isinstance(step, int):
                self.stones.pop(stone.point)
            else:
                yield step
        self.tolerate(released, "take-back", "stone-missing")

    def take_back(self, stone: Stone, point: Point) -> Iterator[Image]:
        """Lift the stone just played and put it elsewhere before the reply."""
        began = self.t_s
        for step in self.reach(stone.color, [np.array(p, float) for p in (stone.point, point)]):
            if not isinstance(step, int):
                yield step
            elif step == 0:
                self.stones.pop(stone.point)
            else:
                self.put(Stone(stone.color, point))
                released = self.t_s
        vertex = self.vertex(point)
        self.moves[-1] = (stone.color.value, vertex, round(released, 2), round(self.t_s, 2))
        self.alerts.append(
            {
                "type": "take-back",
                "t": round(began, 2),
                "by": round(self.t_s + 12, 2),
                "points": [self.vertex(stone.point), vertex],
                "color": stone.color.value,
            }
        )

    def disturb(self) -> Iterator[Image]:
        """Let something happen that is nobody's offence."""
        kind = self.rng.choice(["rest", "sheet", "lights", "bump", "reach"])
        point = self.rng.uniform(1, self.room.size - 2, 2)
        color = Color.BLACK if self.rng.random() < 0.5 else Color.WHITE
        if kind == "rest":
            yield from self.wait(
                self.rng.uniform(2, 8), (self._arm_seed(color), self.room.pixel(point))
            )
        elif kind == "reach":
            yield from (i for i in self.reach(color, [point]) if not isinstance(i, int))
        elif kind == "lights":
            self.gain = float(self.rng.uniform(0.45, 1.2))
            yield from self.wait(2.0)
        elif kind == "bump":
            far = self.rng.uniform(-0.8, 0.8, 2) * self.room.cell_px
            self.shift_px = (float(far[0]), float(far[1]))
            yield from self.wait(3.0)
        else:
            square = np.array([[0, 0], [0, 4], [3, 4], [3, 0]]) + point - 1.5
            self.sheet = np.array([self.room.pixel(corner) for corner in square])
            yield from self.wait(self.rng.uniform(3, 7))
            self.sheet = None
            yield from self.wait(1.0)


def next_stone(
    board: Board, color: Color, seen: set[Board], last: Point | None, rng: np.random.Generator
) -> tuple[Stone, Board, frozenset[Point]] | None:
    """Return a legal move, mostly near the last one, and what comes of it."""
    points = sorted(board.empty_points())
    rng.shuffle(points)
    if last is not None and rng.random() < 0.75:
        points.sort(key=lambda p: max(abs(p[0] - last.row), abs(p[1] - last.col)) > 2)
    for point in map(Point._make, points):
        placed = board.place(color, point)
        if not placed.own_lost and placed.board not in seen:
            return Stone(color, point), placed.board, placed.captured
    return None


def shoot(film: Film, count: int, *, incidents: float) -> Iterator[Image]:
    """Act out a game of `count` moves; this share of them is followed by an incident."""
    rng, board, last = film.rng, Board(film.room.size), None
    color, seen = Color.BLACK, {board}
    yield from film.wait(4.0)
    for _ in range(count):
        found = next_stone(board, color, seen, last, rng)
        if found is None:
            break
        stone, after, captured = found
        yield from film.wait(0.3 + float(rng.exponential(0.9)))
        if rng.random() < 0.08:
            yield from film.disturb()
        yield from film.play(stone, sorted(captured))
        other = next_stone(board if not captured else after, color, seen, stone.point, rng)
        if other is not None and not other[2] and rng.random() < incidents:
            yield from film.wait(2.5)
            if captured or rng.random() < 0.5:
                extra = next_stone(after, color, seen, stone.point, rng)
                if extra is not None and not extra[2]:
                    yield from film.double_move(extra[0])
            elif other[0].point != stone.point:
                yield from film.take_back(stone, other[0].point)
                stone, after = other[0], other[1]
        board, last, color = after, stone.point, color.opponent
        seen.add(board)
    yield from film.wait(5.0)


def write(path: Path, seed: int, moves: int, incidents: float) -> Film:
    """Film one game."""
    rng = np.random.default_rng(seed)
    film = Film(Room(seed, int(rng.choice([19, 19, 13, 9]))), rng)
    codec = cv2.VideoWriter.fourcc(*"mp4v")
    video = cv2.VideoWriter(str(path), codec, FPS, (WIDTH, HEIGHT))
    for image in shoot(film, moves, incidents=incidents):
        video.write(image)
    video.release()
    film.tolerated.append({"type": "two-warnings", "t": 0, "by": film.t_s})
    film.tolerated.append({"type": "board-mismatch", "t": 0, "by": film.t_s})
    truth = {
        "size": film.room.size,
        "fps": FPS,
        "seconds": round(film.t_s, 2),
        "rules": "chinese-2002",
        "setup": None,
        "moves": film.moves,
        "alerts": film.alerts,
        "tolerated": film.tolerated,
    }
    path.with_suffix(".truth.json").write_text(json.dumps(truth))
    return film


def main() -> None:
    """Film games from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--incidents", type=float, default=0.03)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(args.seed, args.seed + args.games):
        film = write(args.folder / f"film_{seed:03}.mp4", seed, args.moves, args.incidents)
        print(f"film_{seed:03}: {len(film.moves)} moves, {len(film.alerts)} incidents", flush=True)


if __name__ == "__main__":
    main()

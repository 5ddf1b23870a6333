"""What stands on a rendered video's board at a time, from the truth beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.types import Label

COVERED = 3
"""The class of a point that something hides; follows the values of `Label`."""

UNKNOWN = 255
"""A point that must not be learned from."""

COLUMNS = "ABCDEFGHJKLMNOPQRST"
Labels = NDArray[np.uint8]
Spot = tuple[int, int]


@dataclass(frozen=True)
class Moment:
    """One frame worth looking at."""

    time_s: float
    move: int
    """Moves on the board in the clear view before it."""

    hand: bool
    """Whether a hand is expected over the board."""

    labels: Labels


@dataclass(frozen=True)
class Incident:
    """A stretch of time in which some points, or all, are not what the moves say."""

    starts_s: float
    all_until_s: float
    points_until_s: float
    points: tuple[Spot, ...]


def chain_without_liberties(position: Labels, start: Spot) -> list[Spot]:
    """Return the chain at `start` if it has no liberty, else nothing."""
    size, color = len(position), position[start]
    seen, queue = {start}, [start]
    while queue:
        row, col = queue.pop()
        for spot in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
            if not (0 <= spot[0] < size and 0 <= spot[1] < size) or spot in seen:
                continue
            if position[spot] == Label.EMPTY:
                return []
            if position[spot] == color:
                seen.add(spot)
                queue.append(spot)
    return list(seen)


def played(position: Labels, color: Label, spot: Spot) -> Labels:
    """Return the position after a stone is put down and what it captures taken off."""
    after = position.copy()
    after[spot] = color
    row, col = spot
    for near in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
        inside = 0 <= near[0] < len(after) and 0 <= near[1] < len(after)
        if inside and after[near] == 3 - color:
            for captured in chain_without_liberties(after, near):
                after[captured] = Label.EMPTY
    return after


@dataclass(frozen=True)
class VideoTruth:
    """Moves, incidents and corners of one video."""

    size: int
    fps: float
    corners: tuple[tuple[float, NDArray[np.float64]], ...]
    moves: tuple[tuple[float, float, Spot | None], ...]
    """When the hand let go, when it had left, and where (None: a pass)."""

    positions: tuple[Labels, ...]
    """Before the first move and after each."""

    incidents: tuple[Incident, ...]

    def corners_at(self, time_s: float) -> NDArray[np.float64]:
        """Return (4, 2) pixels of the outer crossings."""
        return [corners for starts_s, corners in self.corners if starts_s <= time_s][-1]

    def labels_at(self, time_s: float, moves: int) -> Labels | None:
        """Return the position after `moves` moves, doubtful points masked; None if all are."""
        labels = self.positions[moves].copy()
        for incident in self.incidents:
            if incident.starts_s <= time_s < incident.all_until_s:
                return None
            if incident.starts_s <= time_s < incident.points_until_s:
                for row, col in incident.points:
                    labels[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2] = UNKNOWN
        return labels

    def still_between(self, moment: Moment) -> bool:
        """Whether the camera has not moved since the clear view before the moment."""
        left_s = self.moves[moment.move - 1][1] if moment.move else 0.0
        return not any(left_s - 1 < starts_s < moment.time_s + 1 for starts_s, _ in self.corners)

    def _moments(self, rng: np.random.Generator) -> Iterator[Moment | None]:
        for number, (released_s, left_s, spot) in enumerate(self.moves):
            before_s = self.moves[number - 1][1] if number else 0.3
            quiet = (before_s + 0.35, released_s - 1.4)
            if quiet[1] > quiet[0]:
                yield self._moment(float(rng.uniform(*quiet)), number, hand=False, spots=[])
            changed = np.argwhere(self.positions[number] != self.positions[number + 1])
            spots = [(int(r), int(c)) for r, c in changed] + ([spot] if spot else [])
            time_s = float(rng.uniform(released_s - 0.9, left_s - 0.1))
            yield self._moment(time_s, number, hand=True, spots=spots)

    def _moment(self, time_s: float, moves: int, *, hand: bool, spots: list[Spot]) -> Moment | None:
        labels = self.labels_at(time_s, moves)
        if labels is None:
            return None
        for spot in spots:
            labels[spot] = UNKNOWN
        return Moment(time_s, moves, hand, labels)

    def sample(self, rng: np.random.Generator) -> dict[int, Moment]:
        """Return frame numbers worth looking at, with what stands on the board in them."""
        moments = [moment for moment in self._moments(rng) if moment is not None]
        return {round(moment.time_s * self.fps): moment for moment in moments}


def _spot(size: int, name: str) -> Spot:
    return size - int(name[1:]), COLUMNS.index(name[0])


def _incident(truth: dict[str, Any], raw: dict[str, Any]) -> Incident:
    points = tuple((ord(p[1]) - 97, ord(p[0]) - 97) for p in raw.get("points", []))
    alerts = [a["by"] for a in truth["alerts"] if raw["t"] - 2 <= a["t"] <= raw["t"] + 15]
    until_s = max([raw["t"] + 12, raw.get("removed_t", 0.0) + 4, *alerts])
    return Incident(raw["t"] - 2.5, raw["t"] + 12, until_s, points)


def load_truth(path: Path) -> VideoTruth:
    """Read the truth beside a video."""
    truth = json.loads(path.read_text())
    size = truth["size"]
    positions = [np.zeros((size, size), np.uint8)]
    moves: list[tuple[float, float, Spot | None]] = []
    for color, name, released_s, left_s in truth["moves"]:
        spot = None if name == "pass" else _spot(size, name)
        after = positions[-1]
        if spot is not None:
            after = played(after, Label.BLACK if color == "B" else Label.WHITE, spot)
        positions.append(after)
        moves.append((released_s, left_s, spot))
    return VideoTruth(
        size,
        truth["fps"],
        tuple((c["t"], np.array(c["corners"], float)) for c in truth["corners_px"]),
        tuple(moves),
        tuple(positions),
        tuple(_incident(truth, raw) for raw in truth["incidents"]),
    )

"""Measure the stone reader on labelled pictures with the true grid, exact or shaken.

python -m vision.training.stones_evaluate SHARED --set photos --shake 0.1
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import cells, stones
from vision.geometry import corners_px, homography_from_corners
from vision.net import load_model
from vision.training.stones_truth import COVERED, UNKNOWN, load_truth
from vision.types import CameraModel, Frame, GridFit, StoneReading

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Case:
    """A picture, its grid and what stands on it."""

    name: str
    image: Image
    size: int
    corners: NDArray[np.float64]
    lens: dict[str, float]
    labels: NDArray[np.uint8]
    """(N, N): `Label` values, COVERED or UNKNOWN."""


@dataclass
class Score:
    """Sums over pictures."""

    boards: int = 0
    perfect: int = 0
    points: int = 0
    wrong: int = 0
    doubted: int = 0
    doubted_wrong: int = 0
    covered: int = 0
    covered_seen: int = 0
    """Covered points that were given as visible."""

    falsely_hidden: int = 0
    corner_errors: list[float] = field(default_factory=list)
    faults: list[tuple[str, list[tuple[int, int]]]] = field(default_factory=list)

    def add(self, case: Case, reading: StoneReading, corner_error: float) -> None:
        """Count one picture."""
        scored = case.labels < COVERED
        wrong = scored & (reading.labels != case.labels)
        doubt = (reading.confidence < DOUBT) | ~reading.visible
        self.boards += 1
        self.points += int(scored.sum())
        self.wrong += int(wrong.sum())
        self.perfect += not wrong.any()
        self.doubted += int((doubt & scored).sum())
        self.doubted_wrong += int((doubt & wrong).sum())
        self.covered += int((case.labels == COVERED).sum())
        self.covered_seen += int(((case.labels == COVERED) & ~doubt).sum())
        self.falsely_hidden += int((scored & ~reading.visible).sum())
        self.corner_errors.append(corner_error)
        if wrong.any():
            self.faults.append((case.name, [(int(r), int(c)) for r, c in np.argwhere(wrong)]))

    def __str__(self) -> str:
        errors = sorted(self.corner_errors)
        return (
            f"boards {self.boards} perfect {self.perfect / self.boards:.1%} "
            f"wrong {self.wrong}/{self.points} ({self.wrong / self.points:.4%}) "
            f"uncertain {self.doubted / self.points:.3%} holding {self.doubted_wrong} "
            f"covered seen {self.covered_seen}/{self.covered} "
            f"hidden in vain {self.falsely_hidden / self.points:.3%} "
            f"corner median {errors[len(errors) // 2]:.3f} "
            f"p95 {errors[int(0.95 * len(errors))]:.3f}"
        )


DOUBT = 0.75
"""Below this confidence a point counts as uncertain."""


def pictures(folder: Path) -> Iterator[Case]:
    """Yield the labelled pictures of a folder."""
    for path in sorted(folder.glob("*.json")):
        label = json.loads(path.read_text())
        loaded = cv2.imread(str(path.with_suffix(".jpg")))
        if loaded is None or not label.get("corners_px") or not label.get("rows"):
            continue
        labels = np.array([[".BW".index(c) for c in row] for row in label["rows"]], np.uint8)
        for row, col in label.get("unknown", []):
            labels[row, col] = COVERED if label["source"] == "rendered" else UNKNOWN
        corners = np.array(label["corners_px"], float)
        name = f"{label['source'].split()[0]}:{path.stem}"
        image = np.asarray(loaded, np.uint8)
        yield Case(name, image, label["size"], corners, label.get("lens") or {}, labels)


def video_frames(path: Path) -> Iterator[Case]:
    """Yield a clear view before each move of a video."""
    truth = load_truth(path.with_suffix(".truth.json"))
    plan = truth.sample(np.random.default_rng(1))
    video = cv2.VideoCapture(str(path))
    for number in range(max(plan) + 1):
        if not video.grab():
            return
        moment = plan.get(number)
        if moment is not None and not moment.hand:
            image = np.asarray(video.retrieve()[1], np.uint8)
            corners = truth.corners_at(moment.time_s)
            yield Case(f"{path.stem}_{number}", image, truth.size, corners, {}, moment.labels)


def measure(cases: Iterator[Case], shake_cells: float, keep: str = "") -> Score:
    """Read every case on its true grid, each corner displaced by a normal error."""
    rng, score = np.random.default_rng(0), Score()
    for case in cases:
        if keep not in case.name:
            continue
        height, width = case.image.shape[:2]
        camera = CameraModel(
            width, height, k1=case.lens.get("k1", 0.0), k2=case.lens.get("k2", 0.0)
        )
        matrix = homography_from_corners(camera, case.size, case.corners)
        true = GridFit(case.size, matrix, camera, 0.0, 1.0)
        shaken = case.corners + rng.normal(0, shake_cells, (4, 2)) * true.cell_px
        fit = replace(true, homography=homography_from_corners(camera, case.size, shaken))
        memory, reading = stones.read_stones(None, Frame(case.image, 0.0), fit)
        error = np.linalg.norm(corners_px(memory.fit) - case.corners, axis=1).mean()
        score.add(case, reading, float(error) / true.cell_px)
    return score


def main() -> None:
    """Measure from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--set", default="photos", help="photos, stills, or a video's name")
    parser.add_argument("--keep", default="", help="only names that hold this")
    parser.add_argument("--shake", type=float, default=0.0, help="corner error in cells")
    parser.add_argument("--model", type=Path, help="network to measure, the shipped one if absent")
    parser.add_argument("--worst", type=int, default=0)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if arguments.model:
        forward = load_model(arguments.model)
        setattr(cells, "shipped_model", lambda name: forward)  # noqa: B010
    if arguments.set in ("photos", "stills"):
        folder = {"photos": "photos/labelled", "stills": "stills"}[arguments.set]
        cases = pictures(arguments.shared / folder)
    else:
        cases = video_frames(arguments.shared / "videos" / f"{arguments.set}.mp4")
    score = measure(cases, arguments.shake, arguments.keep)
    for name, wrong in sorted(score.faults, key=lambda fault: -len(fault[1]))[: arguments.worst]:
        print(f"  {name}: {len(wrong)} wrong {wrong[:8]}")
    print(score)


if __name__ == "__main__":
    main()

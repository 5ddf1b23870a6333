"""How well find_grid finds boards: python bench/grid_accuracy.py SHARED [--models DIR]."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

import vision.net
from vision.geometry import corners_px
from vision.grid import search
from vision.training.othergames import Game, draw_other_game
from vision.training.scenes import draw_scene
from vision.types import Frame, GridFit


@dataclass
class Outcome:
    """What came of one picture."""

    name: str
    group: str
    error_cells: float | None
    """Mean corner error in cells, None without an answer or label."""

    is_right: bool
    confidence: float
    seconds: float
    note: str
    is_exact: bool
    """Whether the label's corners are good enough to measure the error by."""


def corner_error(truth: np.ndarray, corners: np.ndarray, size: int) -> float:
    """Return the mean corner distance in cells, as score_stills.py computes it."""
    cell = sum(math.dist(truth[i], truth[(i + 1) % 4]) for i in range(4)) / 4 / (size - 1)
    return min(
        sum(math.dist(truth[i], corners[(i + k) % 4]) for i in range(4)) / 4 / cell
        for k in range(4)
    )


def judge(path: Path, group: str) -> Outcome:
    """Search one labelled picture."""
    label = json.loads(path.with_suffix(".json").read_text())
    image = cv2.imread(str(path))
    started = time.process_time()
    result = search(Frame(np.asarray(image, np.uint8), 0.0)).result
    seconds = time.process_time() - started
    exact = "derived from boxes" not in str(label.get("status"))
    if not isinstance(result, GridFit):
        note = f"{result.reason.value}: {result.message}"
        return Outcome(path.name, group, None, False, 0.0, seconds, note, exact)
    error = corner_error(np.array(label["corners_px"]), corners_px(result), label["size"])
    right = result.size == label["size"] and error < 0.5
    note = f"size {result.size}, k1 {result.camera.k1:+.3f}, rms {result.rms_px:.2f} px"
    return Outcome(path.name, group, error, right, result.confidence, seconds, note, exact)


def pictures(shared: Path, every: int) -> Iterator[tuple[Path, str]]:
    """Yield the labelled pictures and the group each is counted in."""
    for path in sorted((shared / "photos" / "labelled").glob("*.jpg"))[::every]:
        label = json.loads(path.with_suffix(".json").read_text())
        source = label["source"].split()[0]
        yield path, "wimi321" if source.startswith("wimi321") else "other photographs"
    for path in sorted((shared / "stills").glob("*.jpg"))[::every]:
        held_out = int(path.stem.split("_")[-1]) % 4 == 0
        yield path, "stills held out" if held_out else "stills trained on"


def empty_scenes(count: int) -> Iterator[np.ndarray]:
    """Yield generated pictures without a Go board; on every third there is one of another game."""
    rng = np.random.default_rng(77)
    games = list(Game)
    for number in range(count):
        if number % 3:
            yield draw_scene(rng, 1280, 720, has_board=False).image
        else:
            yield draw_other_game(rng, 1280, 720, games[number // 3 % len(games)])


def report(outcomes: list[Outcome]) -> None:
    """Print the figures of each group."""
    for group in sorted({o.group for o in outcomes}):
        some = [o for o in outcomes if o.group == group]
        right = sum(o.is_right for o in some)
        errors = sorted(o.error_cells for o in some if o.error_cells is not None and o.is_exact)
        sure = [o for o in some if o.confidence >= 0.9]
        wrong = sum(not o.is_right for o in sure)
        seconds = sorted(o.seconds for o in some)[len(some) // 2]
        line = f"{group:20s} {len(some):4d} found {right / len(some):6.1%}"
        if errors:
            middle, late = errors[len(errors) // 2], errors[int(0.95 * len(errors))]
            line += f"  corner error median {middle:.3f} p95 {late:.3f} cells"
        line += f"  sure {len(sure)}, of these wrong {wrong}  {1000 * seconds:.0f} ms"
        print(line)


def main() -> None:
    """Print the figures and the failures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take every n-th picture")
    parser.add_argument("--empty", type=int, default=0, help="pictures without a board")
    parser.add_argument("--group", default="", help="only groups whose name begins so")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if arguments.models:
        vision.net.MODELS = arguments.models
    outcomes = [
        judge(path, group)
        for path, group in pictures(arguments.shared, arguments.every)
        if group.startswith(arguments.group)
    ]
    for o in outcomes:
        if not o.is_right or (o.error_cells or 0) > 0.2:
            error = "none" if o.error_cells is None else f"{o.error_cells:.2f}"
            print(f"  {o.group} {o.name}: error {error} confidence {o.confidence:.2f} {o.note}")
    report(outcomes)
    claimed = [
        result.confidence
        for image in empty_scenes(arguments.empty)
        if isinstance(result := search(Frame(image, 0.0)).result, GridFit)
    ]
    if arguments.empty:
        print(f"no board: {arguments.empty} pictures, {len(claimed)} answered {claimed}")


if __name__ == "__main__":
    main()

"""How exactly the board itself tells the lens: rendered frames against their truth.

python bench/lens_accuracy.py ../shared
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.lens import LensEstimate, board_crossings, estimate_lens, refitted
from calibration.pose import estimate_focal, pose_of
from vision.geometry import corners_px, grid_to_raw_px, intersections
from vision.grid import find_grid
from vision.still import load_still
from vision.stones import read_stones
from vision.training.photos import known_grid
from vision.types import Frame, GridFit, NoGrid


@dataclass(frozen=True)
class Case:
    """A frame, its true grid, and the camera's elevation where it is known."""

    name: str
    frame: Frame
    true: GridFit
    elevation_deg: float | None = None


def stills(folder: Path) -> Iterator[Case]:
    """Iterate over the rendered stills."""
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        frame = load_still(path.with_suffix(".jpg"))
        lens = truth["lens"]
        true = known_grid(
            frame.image.shape, truth["size"], np.array(truth["corners_px"], float),
            k1=lens["k1"], k2=lens["k2"],
        )  # fmt: skip
        yield Case(path.stem, frame, true, float(truth["view"].split()[1]))


def films(folder: Path) -> Iterator[Case]:
    """Iterate over one early frame of each video; the truth has no lens, so only corners count."""
    for path in sorted(folder.glob("*.truth.json")):
        truth = json.loads(path.read_text())
        capture = cv2.VideoCapture(str(path).replace(".truth.json", ".mp4"))
        capture.set(cv2.CAP_PROP_POS_FRAMES, 3)
        _, image = capture.read()
        capture.release()
        corners = np.array(truth["corners_px"][0]["corners"], float)
        yield Case(
            path.name[:-11], Frame(image, 0.0), known_grid(image.shape, truth["size"], corners)
        )


def measured(case: Case) -> tuple[GridFit, GridFit, LensEstimate] | None:
    """Return the grid as found and as calibrated, numbered like the truth, and the lens."""
    found = find_grid(case.frame)
    if isinstance(found, NoGrid) or found.size != case.true.size:
        return None
    target = corners_px(case.true)
    found = min(
        (found.turned(turn) for turn in range(4)),
        key=lambda fit: float(np.abs(corners_px(fit) - target).sum()),
    )
    if np.abs(corners_px(found) - target).max() > 2 * case.true.cell_px:
        return None
    memory, reading = read_stones(None, case.frame, found)
    seen = board_crossings(case.frame, memory.fit, reading)
    height, width = case.frame.image.shape[:2]
    lens = estimate_lens([seen], width, height)
    if not isinstance(lens, LensEstimate):
        return None
    return found, refitted(memory.fit, seen, lens.camera), lens


def errors_of(case: Case, fit: GridFit) -> tuple[float, float]:
    """Return the median error over all crossings in pixels, and over the corners in cells."""
    grid = intersections(fit.size)
    apart = np.linalg.norm(grid_to_raw_px(fit, grid) - grid_to_raw_px(case.true, grid), axis=-1)
    off = np.linalg.norm(corners_px(fit) - corners_px(case.true), axis=-1) / case.true.cell_px
    return float(np.median(apart)), float(np.median(off))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    for name, cases in (
        ("stills", stills(arguments.shared / "stills")),
        ("videos, corners only", films(arguments.shared / "videos")),
    ):
        rows, angles, asked = [], [], 0
        for case in list(cases)[:: arguments.every]:
            asked += 1
            result = measured(case)
            if result is None:
                continue
            found, better, lens = result
            rows.append((*errors_of(case, better), *errors_of(case, found), lens.residual_px))
            if case.elevation_deg is not None:
                pose = pose_of(better, estimate_focal([better]).focal_px)
                angles.append(abs(pose.elevation_deg - case.elevation_deg))
        table = np.array(rows)
        print(f"{name}: {len(rows)} of {asked} frames, one frame each")
        heads = ("error px", "corner cells", "as found px", "as found cells", "residual px")
        for head, column in zip(heads, table.T, strict=True):
            print(
                f"  {head:<15} median {np.median(column):.3f}  95 % {np.percentile(column, 95):.3f}"
            )
        if angles:
            low, high = np.percentile(angles, [50, 95])
            print(f"  elevation off   median {low:.1f}  95 % {high:.1f} degrees")


if __name__ == "__main__":
    main()

"""Measure `read_stones` on a video: a first reading, a still scene, a hand over the board.

python bench/stones_speed.py VIDEO [--frames 600]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np

from vision.geometry import homography_from_corners
from vision.stones import read_stones
from vision.training.stones_truth import load_truth
from vision.types import CameraModel, Frame, GridFit


def main() -> None:
    """Print median and 95th percentile in milliseconds of processor time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", type=Path)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--start", type=int, default=1500)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    truth = load_truth(arguments.video.with_suffix(".truth.json"))
    video = cv2.VideoCapture(str(arguments.video))
    for _ in range(arguments.start):
        video.grab()
    memory = None
    spent: dict[str, list[float]] = {"first": [], "still": [], "changed": []}
    for number in range(arguments.start, arguments.start + arguments.frames):
        is_read, image = video.read()
        if not is_read:
            break
        seen_at_s = number / truth.fps
        camera = CameraModel(image.shape[1], image.shape[0])
        matrix = homography_from_corners(camera, truth.size, truth.corners_at(seen_at_s))
        fit = GridFit(truth.size, matrix, camera, 0.0, 1.0)
        started = time.process_time()
        after, _ = read_stones(memory, Frame(np.asarray(image, np.uint8), seen_at_s), fit)
        took_ms = 1e3 * (time.process_time() - started)
        kind = "first" if memory is None else "still" if after is memory else "changed"
        spent[kind].append(took_ms)
        # Now and then everything is read, to measure that too.
        memory = None if number % 40 == 0 else after
    for kind, values in spent.items():
        if values:
            median, late = np.percentile(values, [50, 95])
            print(f"{kind}: {len(values)} frames, median {median:.2f} ms, p95 {late:.2f} ms")


if __name__ == "__main__":
    main()

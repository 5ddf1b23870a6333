"""Follow the grid through a video: python bench/follow_speed.py VIDEO.mp4 [--every N]."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import cv2
import numpy as np

import vision.net
from vision.follow import GridMemory, follow_grid
from vision.geometry import corners_px
from vision.types import Frame, GridFit, NoGrid


def main() -> None:
    """Print each change of the fit with its corner error, and the CPU time a frame takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", type=Path)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take every n-th frame")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if arguments.models:
        vision.net.MODELS = arguments.models
    truth = json.loads(arguments.video.with_suffix(".truth.json").read_text())
    capture = cv2.VideoCapture(str(arguments.video))
    memory: GridMemory | None = None
    seconds: list[float] = []
    errors: list[float] = []
    shown: GridFit | NoGrid | None = None
    number = -1
    while True:
        is_read, image = capture.read()
        number += 1
        if not is_read:
            break
        if number % arguments.every:
            continue
        now_s = number / truth["fps"]
        frame = Frame(np.asarray(image, np.uint8), now_s, number=number)
        started = time.thread_time()
        memory, answer = follow_grid(memory, frame)
        seconds.append(time.thread_time() - started)
        real = np.array([e for e in truth["corners_px"] if e["t"] <= now_s][-1]["corners"])
        if isinstance(answer, GridFit):
            found = corners_px(answer)
            error = min(
                float(np.linalg.norm(np.roll(found, k, axis=0) - real, axis=1).mean())
                for k in range(4)
            )
            errors.append(error / answer.cell_px)
            if answer is not shown:
                print(
                    f"{now_s:7.2f} s  {answer.size} lines, error {errors[-1]:.3f} cells, "
                    f"confidence {answer.confidence:.2f}"
                )
        elif not isinstance(shown, NoGrid):
            print(f"{now_s:7.2f} s  {answer.reason.value}: {answer.message}")
        shown = answer
    spent = np.sort(seconds) * 1000
    print(
        f"{len(spent)} frames, {len(errors)} with a grid; a frame takes {np.median(spent):.2f} ms "
        f"(median), {spent[int(0.95 * len(spent))]:.2f} ms (95 %), {spent[-1]:.0f} ms (longest)"
    )
    if errors:
        late = np.sort(errors)[int(0.95 * len(errors))]
        print(
            f"corner error median {np.median(errors):.3f}, 95 % {late:.3f} cells, "
            f"wrong by half a cell or more {np.mean(np.array(errors) >= 0.5):.2%} of the time"
        )


if __name__ == "__main__":
    main()

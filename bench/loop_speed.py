"""Measure what the loop's stages cost a frame: `bench/loop_speed.py VIDEO [SECONDS]`.

CPU time of one thread; medians over the frames after the goban was found, so mostly still scenes.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from itertools import islice, pairwise
from pathlib import Path

import cv2

from recorder.engine import feed, new_engine
from recorder.events import GameInfo
from recorder.evidence import Evidence
from recorder.eye import Eye, look
from recorder.observations import Observation, StartGame
from recorder.tape import TapeWriter, rounded
from vision.camera import VideoFile
from vision.types import StoneReading

STAGES = ("grid and stones", "evidence", "settling and judging", "tape")


def main() -> None:
    """Print median, 90th percentile and mean of each stage in milliseconds."""
    cv2.setNumThreads(1)
    path, seconds = Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    eye = Eye()
    engine, _ = feed(new_engine(), Observation(0.0, StartGame(GameInfo())))
    rows: list[list[float]] = []
    with tempfile.TemporaryDirectory() as folder:
        evidence, tape = Evidence(Path(folder)), TapeWriter(Path(folder) / "tape")
        for frame in islice(VideoFile(path).frames(), 100_000):
            if frame.seen_at_s > seconds:
                break
            times = [time.thread_time()]
            eye, seen = look(eye, frame, engine.known)
            times.append(time.thread_time())
            evidence.see(frame, seen)
            times.append(time.thread_time())
            item = rounded(seen.seen) if isinstance(seen.seen, StoneReading) else seen.seen
            engine, _ = feed(engine, item)
            times.append(time.thread_time())
            tape.write(item)
            times.append(time.thread_time())
            if engine.knows_goban:
                rows.append([1000 * (b - a) for a, b in pairwise(times)])
        tape.close()
    for stage, column in zip(STAGES, zip(*rows, strict=True), strict=True):
        steps = statistics.quantiles(column, n=10)
        print(
            f"{stage:22s} median {statistics.median(column):5.1f}  p90 {steps[-1]:5.1f}"
            f"  mean {statistics.mean(column):5.1f} ms"
        )


if __name__ == "__main__":
    main()

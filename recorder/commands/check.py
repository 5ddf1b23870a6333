"""`banmen check`: is this set-up good enough to record a game?"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.check import Level, Verdict, blind, check
from calibration.measure import Measures, Seen, measure
from calibration.picture import draw_set_up
from calibration.store import Calibration, StoreError, grid_for, lens_for, load_calibration
from recorder.burst import SECONDS, Burst, take_burst
from recorder.check_texts import format_verdict
from recorder.cli import UsageError
from recorder.system_facts import read_facts
from vision.camera import CameraError
from vision.types import SIZES, CameraModel, GridFit

log = logging.getLogger(__name__)

HELP = """\
exit codes: 0 good, 1 bad, 2 wrong usage, 3 poor: recording works and may cost something
"""

CODES = {Level.GOOD: 0, Level.UNKNOWN: 0, Level.POOR: 3, Level.BAD: 1}
MOST_SECONDS = 60.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="camera, stream, video file, folder of images or picture, as for banmen record",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--size", type=int, choices=SIZES, help="lines a side; default: as seen")
    parser.add_argument(
        "--seconds",
        type=float,
        default=SECONDS,
        metavar="S",
        help=f"how long to look (default {SECONDS:g})",
    )
    parser.add_argument(
        "--calibration", type=Path, metavar="FILE", help="of banmen calibrate: lens and corners"
    )
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="write the picture with coordinates and glare"
    )
    parser.add_argument(
        "--folder", type=Path, default=Path(), metavar="DIR", help="where games will be written"
    )
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language of the texts")


def run(arguments: argparse.Namespace) -> int:
    """Check; return the exit code."""
    calibration = read_calibration(arguments.calibration)
    burst = look_at(arguments.source, arguments.seconds)
    facts = read_facts(arguments.folder)
    if not burst.frames:
        verdict = blind(facts)
    else:
        sizes = SIZES if arguments.size is None else (arguments.size,)
        measures, is_lens_known = measured(burst, calibration, arguments.source, sizes)
        verdict = check(measures, facts, is_lens_known=is_lens_known)
        if arguments.picture is not None:
            write_picture(arguments.picture, measures)
    lang = arguments.lang
    if arguments.json:
        print(json.dumps(format_verdict(verdict, lang), ensure_ascii=False))
    else:
        print(format_text(verdict, lang))
    return CODES[verdict.level]


def read_calibration(path: Path | None) -> Calibration | None:
    """Return the calibration of a file that was asked for; raise `UsageError` if there is none."""
    if path is None:
        return None
    try:
        found = load_calibration(path)
    except StoreError as error:
        raise UsageError(f"--calibration: {error}") from error
    if found is None:
        raise UsageError(f"--calibration: there is no file {path}")
    return found


def measured(
    burst: Burst, calibration: Calibration | None, camera: str, sizes: tuple[int, ...]
) -> tuple[Measures, bool]:
    """Return the measures of a burst, and whether the lens was known."""
    height, width = burst.frames[0].image.shape[:2]
    lens, given = None, None
    if calibration is not None:
        found = lens_for(calibration, camera, width, height)
        lens = found if isinstance(found, CameraModel) else None
        if lens is None:
            log.warning("the stored lens is not used: %s", found)
        if calibration.board is not None and calibration.board.source == "hand":
            grid = grid_for(calibration, camera, width, height)
            given = grid if isinstance(grid, GridFit) else None
            if given is None:
                log.warning("the stored corners are not used: %s", grid)
    measures = measure(burst.frames, lens, sizes=sizes, given=given, times_s=burst.times_s)
    return measures, lens is not None


def write_picture(path: Path, measures: Measures) -> None:
    """Write the picture of a check; raise `UsageError` if it cannot be written."""
    seen = measures.seen
    if isinstance(seen, Seen):
        write_image(path, draw_set_up(seen.frame, seen.fit, seen.reading, seen.light.glaring))
    else:
        log.warning("no board was found, so there is no picture of it")


def look_at(source: str, seconds: float) -> Burst:
    """Return some seconds of a source; raise `UsageError` for what is none, or for how long."""
    if not 0 < seconds <= MOST_SECONDS:
        raise UsageError(f"--seconds must be in 0-{MOST_SECONDS:g}, got {seconds:g}")
    try:
        return take_burst(source, seconds=seconds)
    except CameraError as error:
        raise UsageError(str(error)) from error


def write_image(path: Path, image: NDArray[np.uint8]) -> None:
    """Write what `--picture` asks for; raise `UsageError` if it cannot be written."""
    try:
        is_written = cv2.imwrite(str(path), image)
    except cv2.error as error:
        raise UsageError(f"--picture {path}: {error.err}") from error
    if not is_written:
        raise UsageError(f"--picture {path} cannot be written")


def format_text(verdict: Verdict, language: str) -> str:
    """Return a verdict for people, the worst items first."""
    fields = format_verdict(verdict, language)
    items = (f"  {one['level_name']:<12} {one['name']}: {one['text']}" for one in fields["items"])
    return "\n".join([fields["text"], *items])

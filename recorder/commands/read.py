"""`banmen read`: the stones on still pictures."""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from recorder.cli import UsageError
from recorder.goban import Point, format_vertex
from vision.geometry import corners_px, rectify, rectify_map
from vision.grid import find_grid
from vision.overlay import draw_overlay
from vision.still import StillError, load_still
from vision.stones import read_stones
from vision.types import SIZES, Frame, GridFit, NoGrid, StoneReading

log = logging.getLogger(__name__)

HELP = """\
one line an image; exit codes: 0 all read, 1 some could not be read, 2 wrong usage
"""

UNCERTAIN_BELOW = 0.75
"""Points with a lower confidence are listed: the reader does not vouch for them."""

MARKS = np.array([".", "B", "W"])
DEBUG_CELL_PX = 32


@dataclass(frozen=True, slots=True)
class Read:
    """What a picture shows."""

    frame: Frame
    fit: GridFit
    reading: StoneReading


@dataclass(frozen=True, slots=True)
class NotRead:
    """Why a picture shows nothing; `error` is "no-board" or what is wrong with the file."""

    error: str
    message: str


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="picture file")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--size", type=int, choices=SIZES, help="lines a side; default: as seen")
    parser.add_argument(
        "--overlay", type=Path, metavar="DIR", help="write each picture with what was read drawn in"
    )
    parser.add_argument(
        "--debug",
        type=Path,
        metavar="DIR",
        help="write the rectified board and every point's probabilities as well",
    )


def run(arguments: argparse.Namespace) -> int:
    """Read every image; return the exit code."""
    for folder in (arguments.overlay, arguments.debug):
        _make(folder)
    sizes = SIZES if arguments.size is None else (arguments.size,)
    has_failed = False
    for name in arguments.images:
        result = read_image(Path(name), sizes)
        has_failed |= isinstance(result, NotRead)
        print(
            format_json(name, result) if arguments.json else format_text(name, result), flush=True
        )
        if isinstance(result, Read):
            _write_pictures(Path(name), result, arguments.overlay, arguments.debug)
    return int(has_failed)


def read_image(path: Path, sizes: tuple[int, ...] = SIZES) -> Read | NotRead:
    """Return what a picture file shows, or why nothing; never raises for what is in the file."""
    try:
        frame = load_still(path)
        return read_frame(frame, sizes)
    except StillError as error:
        return NotRead(error.fault.value, str(error))
    except Exception as error:
        # One strange picture must not cost the answers about the others.
        log.debug("%s cannot be read", path, exc_info=True)
        return NotRead("failed", f"{type(error).__name__}: {error}")


def read_frame(frame: Frame, sizes: tuple[int, ...]) -> Read | NotRead:
    """Return what a picture shows."""
    fit = find_grid(frame, None, sizes=sizes)
    if isinstance(fit, NoGrid):
        return NotRead("no-board", f"{fit.reason.value}: {fit.message}")
    memory, reading = read_stones(None, frame, fit)
    return Read(frame, memory.fit, reading)


def uncertain_points(reading: StoneReading) -> list[Point]:
    """Return the points that the reader does not vouch for: hidden, or of low confidence."""
    doubtful = ~reading.visible | (reading.confidence < UNCERTAIN_BELOW)
    return [Point(int(row), int(col)) for row, col in np.argwhere(doubtful)]


def rows_of(reading: StoneReading) -> list[str]:
    """Return the best guess for every point, a text of `. B W` a row."""
    return ["".join(row) for row in MARKS[reading.labels]]


def format_json(name: str, result: Read | NotRead) -> str:
    """Return the line of an image for programs."""
    if isinstance(result, NotRead):
        return _dump({"file": name, "error": result.error, "message": result.message})
    return _dump(
        {
            "file": name,
            "size": result.fit.size,
            "rows": rows_of(result.reading),
            "corners": np.round(corners_px(result.fit), 2).tolist(),
            "confidence": round(float(result.fit.confidence), 4),
            "uncertain": [list(point) for point in uncertain_points(result.reading)],
        }
    )


def format_text(name: str, result: Read | NotRead) -> str:
    """Return the line of an image for people."""
    if isinstance(result, NotRead):
        return f"{name}: {result.error}: {result.message}"
    size, text = result.fit.size, "".join(rows_of(result.reading))
    uncertain = [format_vertex(point, size) for point in uncertain_points(result.reading)]
    doubt = f", uncertain: {' '.join(uncertain)}" if uncertain else ""
    return (
        f"{name}: {size}x{size}, {text.count('B')} black, {text.count('W')} white,"
        f" grid {result.fit.confidence:.0%} sure{doubt}"
    )


def _dump(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False)


def _make(folder: Path | None) -> None:
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {folder}: {error.strerror}") from error


def _write_pictures(path: Path, result: Read, overlay: Path | None, debug: Path | None) -> None:
    image = draw_overlay(result.frame, result.fit, result.reading)
    if overlay is not None:
        _write(overlay / f"{path.stem}.jpg", image)
    if debug is not None:
        _write(debug / f"{path.stem}.overlay.jpg", image)
        sampling = rectify_map(result.fit, cell=DEBUG_CELL_PX, margin_cells=1.5)
        _write(debug / f"{path.stem}.rectified.png", rectify(result.frame.image, sampling))
        facts = {
            "homography": result.fit.homography.tolist(),
            "k1": result.fit.camera.k1,
            "k2": result.fit.camera.k2,
            "rms_px": result.fit.rms_px,
            "probabilities": np.round(result.reading.probabilities, 3).tolist(),
            "visible": result.reading.visible.tolist(),
        }
        (debug / f"{path.stem}.json").write_text(_dump(facts), encoding="utf-8")


def _write(path: Path, image: NDArray[np.uint8]) -> None:
    # Written by Python: OpenCV takes no name that the system's locale cannot spell.
    path.write_bytes(bytes(cv2.imencode(path.suffix, image)[1]))

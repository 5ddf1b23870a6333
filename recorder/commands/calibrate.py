"""`banmen calibrate`: lens, corners and light of one camera at one table, kept in a file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from calibration.corners import CornersError, place_grid, turned_for_black
from calibration.lens import Crossings, NoLens, board_crossings, estimate_lens, refitted
from calibration.light import measure_light
from calibration.picture import draw_set_up
from calibration.pose import estimate_focal
from calibration.sheet import NoSheet, sheet_crossings, sheet_svg
from calibration.store import (
    BoardCalibration,
    Calibration,
    LensCalibration,
    LightCalibration,
    StoreError,
    board_of,
    file_name,
    lens_for,
    load_calibration,
    save_calibration,
)
from recorder.burst import SECONDS
from recorder.cli import UsageError
from recorder.commands.check import look_at, write_image
from vision.grid import find_grid
from vision.stones import read_stones
from vision.types import SIZES, CameraModel, Frame, GridFit, NoGrid, Side

HELP = """\
exit codes: 0 calibrated, 1 not enough was seen, 2 wrong usage
"""

WORST_PX = 1.0
"""Lines that miss what is seen by more are not those of a lens: nothing is stored then."""

LOOKS = 6
"""So many frames of a burst are used."""


class NotSeenError(ValueError):
    """The pictures do not show what is needed; the message says what."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A frame with the grid and the crossings seen in it."""

    frame: Frame
    fit: GridFit
    seen: Crossings


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.add_argument(
        "what",
        choices=sorted(_TASKS),
        help="lens: distortion and focal length; board: corners, size and orientation; light: how"
        " wood and stones look here; sheet: write the sheet to print",
    )
    parser.add_argument(
        "source",
        nargs="+",
        metavar="SOURCE",
        help="camera, stream, video, folder of images or picture; several for a lens; for sheet"
        " the SVG file to write",
    )
    parser.add_argument("--file", type=Path, metavar="FILE", help="default: by camera and table")
    parser.add_argument("--camera", metavar="NAME", help="the source as banmen record gets it")
    parser.add_argument("--table", default="", metavar="NAME")
    parser.add_argument("--size", type=int, choices=SIZES, help="lines a side; default: as seen")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="S")
    lens = parser.add_argument_group("the lens")
    lens.add_argument(
        "--sheet", action="store_true", help="the pictures show the printed sheet, not a board"
    )
    board = parser.add_argument_group("the board")
    board.add_argument(
        "--corners",
        type=float,
        nargs=8,
        metavar="PX",
        help="x y of four outer crossings in pixels, in any order; default: found by itself",
    )
    board.add_argument(
        "--black",
        choices=[side.value for side in Side],
        default="bottom",
        help="side of the picture where Black sits (default bottom)",
    )
    board.add_argument("--picture", type=Path, metavar="FILE", help="write it with coordinates")


def run(arguments: argparse.Namespace) -> int:
    """Calibrate; return the exit code."""
    try:
        return _TASKS[arguments.what](arguments)
    except (StoreError, CornersError) as error:
        raise UsageError(str(error)) from error
    except NotSeenError as error:
        print(f"nothing stored: {error}")
        return 1


def _write_sheet(arguments: argparse.Namespace) -> int:
    path = Path(_single(arguments))
    try:
        path.write_text(sheet_svg(), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
    print(f"{path}: print it at 100 % on A4")
    return 0


def _calibrate_lens(arguments: argparse.Namespace) -> int:
    frames = [frame for name in arguments.source for frame in _frames(name, arguments.seconds)]
    height, width = _common_size(frames)
    if arguments.sheet:
        views, fits = _sheet_views(frames), []
    else:
        shots = [_shot(frame, _sizes(arguments)) for frame in frames]
        seen = [shot for shot in shots if isinstance(shot, Shot)]
        if not seen:
            raise NotSeenError("no board is found in any picture")
        views, fits = [shot.seen for shot in seen], seen
    lens = lens_from(views, fits, width, height, "sheet" if arguments.sheet else "board")
    path = _store(arguments, lens=lens)
    model = lens.model
    focal = "not known" if model.focal_px is None else f"{model.focal_px:.0f} px"
    print(
        f"{path}: k1 {model.k1:+.4f}, k2 {model.k2:+.4f}, focal length {focal},"
        f" {lens.residual_px:.2f} px off at {lens.points} crossings in {lens.pictures} pictures"
    )
    return 0


def lens_from(
    views: Sequence[Crossings], shots: Sequence[Shot], width: int, height: int, source: str
) -> LensCalibration:
    """Return the lens that explains crossings; raise `NotSeenError` if they do not tell."""
    found = estimate_lens(views, width, height)
    if isinstance(found, NoLens):
        raise NotSeenError(found.message)
    if found.residual_px > WORST_PX:
        raise NotSeenError(
            f"the crossings are off by {found.residual_px:.1f} px, at most {WORST_PX:g} can be:"
            " the picture is not sharp or steady enough"
        )
    model = found.camera
    if shots:
        fits = [refitted(shot.fit, shot.seen, model) for shot in shots]
        focal = estimate_focal(fits)
        # From straight above one cannot tell; an unsure length would only mislead.
        if focal.spread_px < 0.15 * focal.focal_px:
            model = replace(model, focal_px=focal.focal_px)
    return LensCalibration(
        model, found.residual_px, len(views), found.points, source, _now()
    )  # fmt: skip


def _sheet_views(frames: Sequence[Frame]) -> list[Crossings]:
    found = [sheet_crossings(frame) for frame in frames]
    views = [view for view in found if isinstance(view, Crossings)]
    if not views:
        faults = [fault.message for fault in found if isinstance(fault, NoSheet)]
        raise NotSeenError(faults[0] if faults else "there are no pictures")
    return views


def _calibrate_board(arguments: argparse.Namespace) -> int:
    frame = _frames(_single(arguments), arguments.seconds)[-1]
    stored = _stored(arguments)
    height, width = frame.image.shape[:2]
    lens = None if stored is None else lens_for(stored, _camera(arguments), width, height)
    camera = lens if isinstance(lens, CameraModel) else None
    if arguments.corners is not None:
        corners = np.array(arguments.corners).reshape(4, 2)
        placed = place_grid(frame, arguments.size or 19, corners, camera)
        fit, how = placed.fit, f"set by hand, corrected by {placed.by.value}"
    else:
        found = find_grid(frame, camera, sizes=_sizes(arguments))
        if isinstance(found, NoGrid):
            raise NotSeenError(f"{found.message}; give the corners by --corners")
        shot = _shot(frame, (found.size,), found)
        fit = shot.fit if isinstance(shot, Shot) else found
        how = f"found, {found.confidence:.0%} sure"
    fit = turned_for_black(fit, Side(arguments.black))
    board = board_of(fit, "hand" if arguments.corners else "found", _now())
    path = _store(arguments, board=board)
    if arguments.picture is not None:
        _, reading = read_stones(None, frame, fit)
        write_image(arguments.picture, draw_set_up(frame, fit, reading))
    print(f"{path}: {fit.size}x{fit.size}, {how}, Black at the {arguments.black}")
    return 0


def _calibrate_light(arguments: argparse.Namespace) -> int:
    frame = _frames(_single(arguments), arguments.seconds)[-1]
    fit = find_grid(frame, None, sizes=_sizes(arguments))
    if isinstance(fit, NoGrid):
        raise NotSeenError(fit.message)
    memory, reading = read_stones(None, frame, fit)
    light = measure_light(frame, memory.fit, reading)
    looks = {"wood": light.wood, "black": light.black, "white": light.white}
    missing = [name for name, look in looks.items() if look is None]
    if light.wood is None:
        raise NotSeenError("the board shows no empty wood")
    stored = LightCalibration(
        light.wood, light.black, light.white, frame.exposure_s, frame.gain, _now()
    )
    path = _store(arguments, light=stored)
    said = ", ".join(
        f"{name} {look.brightness:.0f}" for name, look in looks.items() if look is not None
    )
    rest = f"; put a few stones down to measure {' and '.join(missing)}" if missing else ""
    print(f"{path}: {said} of 255{rest}")
    return 0


def _shot(frame: Frame, sizes: Sequence[int], fit: GridFit | None = None) -> Shot | NoGrid:
    """Return the grid of a frame and the crossings seen, with the grid fitted to them."""
    found = fit or find_grid(frame, None, sizes=sizes)
    if isinstance(found, NoGrid):
        return found
    memory, reading = read_stones(None, frame, found)
    seen = board_crossings(frame, memory.fit, reading)
    return Shot(frame, refitted(memory.fit, seen, memory.fit.camera), seen)


def _frames(name: str, seconds: float) -> tuple[Frame, ...]:
    frames = look_at(name, seconds).frames
    if not frames:
        raise NotSeenError(f"{name} gives no picture")
    return frames[:: max(1, len(frames) // LOOKS)]


def _common_size(frames: Sequence[Frame]) -> tuple[int, int]:
    sizes = {frame.image.shape[:2] for frame in frames}
    if len(sizes) > 1:
        said = ", ".join(f"{width} x {height}" for height, width in sorted(sizes))
        raise UsageError(f"all pictures must have one size, got {said}")
    height, width = sizes.pop()
    return int(height), int(width)


def _sizes(arguments: argparse.Namespace) -> tuple[int, ...]:
    return SIZES if arguments.size is None else (arguments.size,)


def _single(arguments: argparse.Namespace) -> str:
    """Return the one source; raise `UsageError` if there are several."""
    if len(arguments.source) != 1:
        raise UsageError(f"{arguments.what} takes one SOURCE, got {len(arguments.source)}")
    return str(arguments.source[0])


def _camera(arguments: argparse.Namespace) -> str:
    return str(arguments.camera or arguments.source[0])


def _path(arguments: argparse.Namespace) -> Path:
    found: Path = arguments.file or Path(file_name(_camera(arguments), arguments.table))
    return found


def _stored(arguments: argparse.Namespace) -> Calibration | None:
    return load_calibration(_path(arguments))


def _store(
    arguments: argparse.Namespace,
    *,
    lens: LensCalibration | None = None,
    board: BoardCalibration | None = None,
    light: LightCalibration | None = None,
) -> Path:
    """Put what was measured into the file; the rest of it stays."""
    path, camera = _path(arguments), _camera(arguments)
    stored = _stored(arguments)
    if stored is not None and stored.camera != camera:
        raise UsageError(f"{path} is of camera {stored.camera!r}, this is {camera!r}")
    stored = stored or Calibration(camera, arguments.table)
    changed = replace(
        stored, lens=lens or stored.lens, board=board or stored.board, light=light or stored.light
    )
    save_calibration(path, changed)
    return path


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


_TASKS = {
    "lens": _calibrate_lens,
    "board": _calibrate_board,
    "light": _calibrate_light,
    "sheet": _write_sheet,
}

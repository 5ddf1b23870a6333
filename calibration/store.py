"""What is known of one camera at one table, kept in a TOML file that people can read."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w
from numpy.typing import NDArray

from calibration.light import Look
from vision.geometry import corners_px, homography_from_corners
from vision.types import SIZES, CameraModel, GridFit

FORMAT = 2
"""Version of the file; older ones are migrated on reading, newer ones refused."""

HEADER = "# Calibration of one camera at one table, by banmen calibrate. Lengths are in pixels.\n"
MANUAL_WAY = (
    "set the corners by hand (desk, or banmen calibrate board --corners) to write a new one"
)


class StoreError(ValueError):
    """A calibration file cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class LensCalibration:
    """The lens of one camera at one resolution."""

    model: CameraModel
    residual_px: float
    """Median distance between predicted and seen crossings."""

    pictures: int
    points: int
    """Crossings that were used."""

    source: str
    """`board` or `sheet`."""

    date: str
    """UTC, ISO 8601."""


@dataclass(frozen=True, slots=True)
class BoardCalibration:
    """Where the board lies in the picture, and which way it is turned."""

    size: int
    corners_px: tuple[tuple[float, float], ...]
    """Raw pixels of the outer crossings in the kifu's frame: upper left, upper right, lower right,
    lower left. Black sits at the lower side."""

    width_px: int
    height_px: int
    """Of the picture the corners belong to."""

    source: str
    """`found` by itself or set by `hand`."""

    date: str
    """UTC, ISO 8601."""

    k1: float = 0.0
    k2: float = 0.0
    """Of the lens that the grid was fitted with; counts where none was measured by itself."""

    def __post_init__(self) -> None:
        if self.size not in SIZES:
            raise ValueError(f"size must be one of {SIZES}, got {self.size}")
        if len(self.corners_px) != 4 or any(len(corner) != 2 for corner in self.corners_px):
            raise ValueError(f"corners_px must be four pairs, got {self.corners_px}")


@dataclass(frozen=True, slots=True)
class LightCalibration:
    """How wood and stones look in this hall."""

    wood: Look
    black: Look | None
    white: Look | None
    """None: no such stones were on the board."""

    exposure_s: float | None
    gain: float | None
    """Of the camera when this was measured; None: it does not tell."""

    date: str
    """UTC, ISO 8601."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Everything known of one camera at one table."""

    camera: str
    """The source as it is given to `banmen record`."""

    table: str = ""
    lens: LensCalibration | None = None
    board: BoardCalibration | None = None
    light: LightCalibration | None = None


@dataclass(frozen=True, slots=True)
class Unfit:
    """A calibration that is not for this picture; `message` is one sentence for people."""

    message: str


def lens_for(
    calibration: Calibration, camera: str, width_px: int, height_px: int
) -> CameraModel | Unfit:
    """Return the lens if it was measured with this camera at this resolution."""
    if calibration.lens is None:
        return Unfit("the lens has not been measured")
    model = calibration.lens.model
    if calibration.camera != camera:
        return Unfit(f"the lens of {calibration.camera!r} was measured, this is {camera!r}")
    if (model.width_px, model.height_px) != (width_px, height_px):
        return Unfit(
            f"the lens was measured at {model.width_px} x {model.height_px} pixels,"
            f" the picture has {width_px} x {height_px}"
        )
    return model


def grid_for(
    calibration: Calibration, camera: str, width_px: int, height_px: int
) -> GridFit | Unfit:
    """Return the grid through the stored corners if they belong to this camera's pictures.

    Its confidence is 1 for corners set by hand: a person vouches for them.
    """
    board = calibration.board
    if board is None:
        return Unfit("the corners of the board are not stored")
    if calibration.camera != camera:
        return Unfit(f"the corners are those of {calibration.camera!r}, this is {camera!r}")
    if (board.width_px, board.height_px) != (width_px, height_px):
        return Unfit(
            f"the corners belong to a picture of {board.width_px} x {board.height_px} pixels,"
            f" this one has {width_px} x {height_px}"
        )
    lens = lens_for(calibration, camera, width_px, height_px)
    fitted = CameraModel(width_px, height_px, board.k1, board.k2)
    model = lens if isinstance(lens, CameraModel) else fitted
    corners: NDArray[np.float64] = np.array(board.corners_px, float)
    matrix = homography_from_corners(model, board.size, corners)
    return GridFit(board.size, matrix, model, 0.0, 1.0 if board.source == "hand" else 0.9)


def file_name(camera: str, table: str = "") -> str:
    """Return the name of the file of one camera at one table; two never share one."""
    text = f"{table}-{camera}" if table else camera
    plain = re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:48]
    digest = hashlib.sha256(f"{table}\0{camera}".encode()).hexdigest()[:6]
    return f"{plain or 'camera'}-{digest}.toml"


def format_calibration(calibration: Calibration) -> str:
    """Return a calibration as TOML text."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "camera": calibration.camera,
        "table": calibration.table,
    }
    if calibration.lens is not None:
        data["lens"] = _lens_fields(calibration.lens)
    if calibration.board is not None:
        data["board"] = _board_fields(calibration.board)
    if calibration.light is not None:
        data["light"] = _light_fields(calibration.light)
    return HEADER + tomli_w.dumps(data)


def _lens_fields(lens: LensCalibration) -> dict[str, Any]:
    model = lens.model
    focal = {} if model.focal_px is None else {"focal_px": round(model.focal_px, 2)}
    return {
        "width_px": model.width_px,
        "height_px": model.height_px,
        "k1": round(model.k1, 6),
        "k2": round(model.k2, 6),
        **focal,
        "residual_px": round(lens.residual_px, 4),
        "pictures": lens.pictures,
        "points": lens.points,
        "source": lens.source,
        "date": lens.date,
    }


def _board_fields(board: BoardCalibration) -> dict[str, Any]:
    return {
        "size": board.size,
        "corners_px": [[round(value, 3) for value in corner] for corner in board.corners_px],
        "width_px": board.width_px,
        "height_px": board.height_px,
        "source": board.source,
        "date": board.date,
        "k1": round(board.k1, 6),
        "k2": round(board.k2, 6),
    }


def board_of(fit: GridFit, source: str, date: str) -> BoardCalibration:
    """Return what is stored of a grid in the kifu's frame."""
    lens = fit.camera
    corners = tuple((float(x), float(y)) for x, y in corners_px(fit))
    return BoardCalibration(
        fit.size, corners, lens.width_px, lens.height_px, source, date, lens.k1, lens.k2
    )


LOOKS = ("wood", "black", "white")


def _light_fields(light: LightCalibration) -> dict[str, Any]:
    looks = {name: getattr(light, name) for name in LOOKS}
    fields: dict[str, Any] = {
        f"{name}_bgr": [round(value, 1) for value in (look.blue, look.green, look.red)]
        for name, look in looks.items()
        if look is not None
    }
    for name in ("exposure_s", "gain"):
        if getattr(light, name) is not None:
            fields[name] = round(getattr(light, name), 6)
    return {**fields, "date": light.date}


def _without_light(data: dict[str, Any]) -> dict[str, Any]:
    """Version 1 knew no light."""
    return {key: value for key, value in data.items() if key != "light"}


MIGRATIONS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _without_light}
"""From each older version to the next."""


def parse_calibration(text: str) -> Calibration:
    """Return the calibration of a TOML text, whatever its version up to this one.

    Raises
    ------
    StoreError
        The text is damaged or newer than this program.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StoreError(f"it is damaged ({error}); {MANUAL_WAY}") from error
    version = data.pop("format", None)
    if not isinstance(version, int) or not 1 <= version <= FORMAT:
        raise StoreError(f"its format must be 1 to {FORMAT}, got {version!r}; {MANUAL_WAY}")
    for step in range(version, FORMAT):
        data = MIGRATIONS[step](data)
    try:
        return _calibration(data)
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"it is damaged ({_said(error)}); {MANUAL_WAY}") from error


def _said(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _calibration(data: dict[str, Any]) -> Calibration:
    lens, board, light = (data.pop(name, None) for name in ("lens", "board", "light"))
    if not all(isinstance(data.get(name, ""), str) for name in ("camera", "table")):
        raise ValueError("camera and table must be texts")
    return Calibration(
        lens=None if lens is None else _lens(dict(lens)),
        board=None if board is None else _board(dict(board)),
        light=None if light is None else _light(dict(light)),
        **data,
    )


def _lens(fields: dict[str, Any]) -> LensCalibration:
    focal_px = fields.pop("focal_px", None)
    model = CameraModel(
        width_px=int(_number(fields.pop("width_px"), "width_px")),
        height_px=int(_number(fields.pop("height_px"), "height_px")),
        k1=_number(fields.pop("k1"), "k1"),
        k2=_number(fields.pop("k2"), "k2"),
        focal_px=None if focal_px is None else _number(focal_px, "focal_px"),
    )
    if min(model.width_px, model.height_px) < 1:
        raise ValueError(f"a picture of {model.width_px} x {model.height_px} pixels")
    for name in ("residual_px", "pictures", "points"):
        _number(fields[name], name)
    return LensCalibration(model=model, **fields)


def _board(fields: dict[str, Any]) -> BoardCalibration:
    for name in ("k1", "k2"):
        _number(fields.get(name, 0.0), name)
    corners = tuple(
        tuple(float(_number(value, "corners_px")) for value in corner)
        for corner in fields.pop("corners_px")
    )
    return BoardCalibration(corners_px=corners, **fields)  # type: ignore[arg-type]


def _light(fields: dict[str, Any]) -> LightCalibration:
    wood = _look(fields.pop("wood_bgr"), "wood")
    black, white = (
        None if bgr is None else _look(bgr, name)
        for name, bgr in ((name, fields.pop(f"{name}_bgr", None)) for name in LOOKS[1:])
    )
    exposure_s, gain = (
        None if value is None else _number(value, name)
        for name, value in ((name, fields.pop(name, None)) for name in ("exposure_s", "gain"))
    )
    return LightCalibration(wood, black, white, exposure_s, gain, **fields)


def _look(bgr: Any, name: str) -> Look:
    if not isinstance(bgr, list) or len(bgr) != 3:
        raise ValueError(f"{name}_bgr must be three numbers, got {bgr!r}")
    return Look(*(float(_number(value, f"{name}_bgr")) for value in bgr))


def _number(value: Any, name: str) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise ValueError(f"{name} must be a number, got {value!r}")
    return value


def load_calibration(path: Path) -> Calibration | None:
    """Return the calibration in a file, None if there is no such file.

    Raises
    ------
    StoreError
        The file cannot be read, is damaged, or is newer than this program.
    """
    try:
        return parse_calibration(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}; {MANUAL_WAY}") from error
    except StoreError as error:
        raise StoreError(f"{path} cannot be used: {error}") from error


def save_calibration(path: Path, calibration: Calibration) -> None:
    """Write a calibration so that after a power cut the old file or the new one is there, whole.

    Raises
    ------
    StoreError
        The file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.part")
        with partial.open("w", encoding="utf-8") as file:
            file.write(format_calibration(calibration))
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error

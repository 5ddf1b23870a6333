"""Pictures of boards whose outer crossings are known, to train on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop import shrunk
from vision.geometry import homography_from_corners
from vision.types import CameraModel, GridFit

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class BoardPicture:
    """A picture and the grid in it, None when it shows no whole board."""

    name: str
    """File stem; says nothing about the source."""

    source: str
    """Repository the picture comes from, or the generator's name."""

    image: Image
    """(H, W, 3) BGR."""

    grid: GridFit | None

    unclear: tuple[tuple[int, int], ...] = ()
    """(row, col) of crossings that something covers."""

    is_coarse: bool = False
    """Whether the corners are only known to about a tenth of a line spacing."""


def known_grid(
    shape: tuple[int, ...],
    size: int,
    corners_px: NDArray[np.float64],
    *,
    k1: float = 0.0,
    k2: float = 0.0,
) -> GridFit:
    """Return the grid through four known outer crossings (4, 2), raw pixels, TL TR BR BL."""
    camera = CameraModel(shape[1], shape[0], k1=k1, k2=k2)
    matrix = homography_from_corners(camera, size, corners_px)
    return GridFit(size, matrix, camera, rms_px=0.0, confidence=1.0)


def load_labelled(path: Path) -> BoardPicture | None:
    """Read a picture and the JSON label beside it; None if it names no corners."""
    label = json.loads(path.with_suffix(".json").read_text())
    if not label.get("corners_px"):
        return None
    loaded = cv2.imread(str(path))
    if loaded is None:
        raise ValueError(f"{path} is not a picture")
    image, scale = shrunk(np.asarray(loaded, np.uint8))
    corners = np.array(label["corners_px"], float) * scale
    lens = label.get("lens") or {}
    grid = known_grid(
        image.shape, label["size"], corners, k1=lens.get("k1", 0.0), k2=lens.get("k2", 0.0)
    )
    unclear = tuple((int(r), int(c)) for r, c in label.get("unknown", []))
    return BoardPicture(
        path.stem,
        str(label["source"]).split()[0],
        image,
        grid,
        unclear,
        is_coarse="derived from boxes" in str(label.get("status")),
    )


def load_folder(
    folder: Path, keep: Callable[[Path], bool] = lambda path: True
) -> Iterator[BoardPicture]:
    """Yield the labelled pictures of a folder in the order of their names."""
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in {".jpg", ".jpeg", ".png"} or not keep(path):
            continue
        if path.with_suffix(".json").exists():
            picture = load_labelled(path)
            if picture is not None:
                yield picture


def source_of(path: Path) -> str:
    """Return the repository that a labelled picture comes from."""
    label = json.loads(path.with_suffix(".json").read_text())
    return str(label["source"]).split()[0]

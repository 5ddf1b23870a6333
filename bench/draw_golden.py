"""Draw the golden frames of the grid tests: python bench/draw_golden.py tests/data/frames."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from vision.geometry import corners_px
from vision.training.scenes import draw_scene

WANTED = {19: 5, 13: 2, 9: 2}
WIDTH_PX, HEIGHT_PX = 960, 540


def is_clear(corners: np.ndarray, cell_px: float) -> bool:
    """Tell whether the board lies in the picture and is large enough for a person to read."""
    limit = np.array([WIDTH_PX, HEIGHT_PX]) - 12
    return bool((corners > 12).all() and (corners < limit).all() and cell_px > 11)


def main() -> None:
    """Write NAME.jpg and NAME.txt for each golden frame."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=20)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(arguments.seed)
    missing = dict(WANTED)
    while any(missing.values()):
        picture = draw_scene(rng, WIDTH_PX, HEIGHT_PX)
        assert picture.grid is not None
        size, corners = picture.grid.size, corners_px(picture.grid)
        if not missing[size] or not is_clear(corners, picture.grid.cell_px):
            continue
        name = f"grid_{size:02d}_{missing[size]}"
        missing[size] -= 1
        noise = rng.normal(0, 4, picture.image.shape)
        blurred = cv2.GaussianBlur(picture.image, (0, 0), 0.7)
        image = np.clip(blurred + noise, 0, 255).astype(np.uint8)
        cv2.imwrite(str(arguments.folder / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 88])
        numbers = " ".join(f"{value:.2f}" for value in corners.ravel())
        (arguments.folder / f"{name}.txt").write_text(
            f"size: {size}\ncorners_px: {numbers}\n"
            f"origin: drawn by bench/draw_golden.py --seed {arguments.seed}\n"
        )


if __name__ == "__main__":
    main()

"""Fit the weights of the grid's confidence: python -m vision.training.heatmap_confidence --help."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

import vision.net
from vision.geometry import corners_px
from vision.grid import Search, search
from vision.look import confidence_terms
from vision.training.photos import BoardPicture, load_folder, source_of
from vision.training.relight import relit
from vision.training.scenes import draw_scene
from vision.types import CameraModel, Frame, GridFit

Array = NDArray[np.float64]


def is_right(found: GridFit, picture: BoardPicture) -> bool:
    """Tell whether a found grid is the picture's: same size, corners within half a cell."""
    if picture.grid is None or found.size != picture.grid.size:
        return False
    truth, corners = corners_px(picture.grid), corners_px(found)
    apart = min(
        float(np.linalg.norm(np.roll(corners, k, axis=0) - truth, axis=1).mean()) for k in range(4)
    )
    return apart < 0.5 * picture.grid.cell_px


def best_of(seen: Search, picture: BoardPicture) -> GridFit | None:
    """Return the best grid of a search, however little it is believed."""
    if not seen.looks or not seen.looks[-1].fits:
        return None
    look = seen.looks[-1]
    camera = CameraModel(picture.image.shape[1], picture.image.shape[0])
    matrix = np.asarray(look.to_picture(look.fits[0]), np.float64)
    return GridFit(look.fits[0].size, matrix, camera, rms_px=0.0, confidence=0.0)


def unseen(shared: Path, trained: set[str], scenes: int, seed: int) -> Iterator[BoardPicture]:
    """Yield pictures that the development networks were not trained on."""
    rng = np.random.default_rng(seed)
    yield from load_folder(
        shared / "photos" / "labelled", lambda path: source_of(path) not in trained
    )
    yield from load_folder(shared / "stills", lambda path: int(path.stem.split("_")[-1]) % 4 == 0)
    for number in range(scenes):
        picture = draw_scene(rng, 960, 720, has_board=number % 3 != 0)
        image = relit(rng, picture.image) if number % 2 else picture.image
        yield BoardPicture(picture.name, picture.source, image, picture.grid)


def fitted(terms: Array, right: NDArray[np.bool_], *, pull: float = 0.02) -> Array:
    """Return the weights of a logistic regression, the constant first, drawn a little to zero."""
    design = np.column_stack([np.ones(len(terms)), terms])
    weights = np.zeros(design.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (right - p) - pull * weights
        bend = (design * (p * (1 - p))[:, None]).T @ design + pull * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def main() -> None:
    """Print the weights, and how the confidence they give agrees with the truth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--models", type=Path, help="folder of the development networks")
    parser.add_argument("--trained", default="", help="repositories they were trained on")
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--keep", type=Path, help="write the terms here")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if arguments.models:
        vision.net.MODELS = arguments.models
    terms, right = [], []
    trained = set(arguments.trained.split(","))
    for picture in unseen(arguments.shared, trained, arguments.scenes, arguments.seed):
        seen = search(Frame(picture.image, 0.0))
        found = best_of(seen, picture)
        if found is None:
            continue
        terms.append(confidence_terms(seen.looks[-1]))
        right.append(is_right(found, picture))
    table, labels = np.array(terms), np.array(right)
    if arguments.keep:
        np.savez(arguments.keep, terms=table, right=labels)
    weights = fitted(table, labels)
    print("weights", np.round(weights, 2).tolist())
    p = 1 / (1 + np.exp(-(weights[0] + table @ weights[1:])))
    for low, high in ((0, 0.3), (0.3, 0.6), (0.6, 0.9), (0.9, 0.97), (0.97, 1.01)):
        inside = (p >= low) & (p < high)
        if inside.any():
            print(
                f"confidence {low:.2f}-{high:.2f}: {inside.sum()}, "
                f"right {labels[inside].mean():.1%}"
            )


if __name__ == "__main__":
    main()

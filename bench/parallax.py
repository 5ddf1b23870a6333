"""Stones assigned by where their outlines are seen, with and without their height.

Looks for single white stones on rendered stills taken from 30 to 46 degrees: each is a pale region,
and its middle says on which point it stands.

python bench/parallax.py ../shared
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from calibration.pose import (
    TOP_HEIGHT,
    WIDEST_HEIGHT,
    assigned,
    estimate_focal,
    parallax_cells,
    pose_of,
    raised,
)
from vision.geometry import grid_to_raw_px, raw_px_to_grid, rectify, rectify_map
from vision.still import load_still
from vision.training.photos import known_grid
from vision.types import GridFit

CELL = 24
LOWEST, HIGHEST = 30.0, 46.0


def single_stones(rows: list[str]) -> list[tuple[int, int]]:
    """Return the (row, col) of white stones without a neighbor, diagonal ones included."""
    size = len(rows)
    padded = ["." * (size + 2), *(f".{row}." for row in rows), "." * (size + 2)]
    return [
        (row, col)
        for row in range(size)
        for col in range(size)
        if rows[row][col] == "W"
        and all(
            padded[row + 1 + down][col + 1 + across] == "."
            for down in (-1, 0, 1)
            for across in (-1, 0, 1)
            if down or across
        )
    ]


def middle_of(flat: np.ndarray, row: int, col: int) -> np.ndarray | None:
    """Return grid_xy of the middle of a white stone's outline: it is less colored than wood.

    Black stones are left out, whose shadows cannot be told from them so simply.
    """
    reach = round(0.95 * CELL)
    y, x = round((row + 1) * CELL), round((col + 1) * CELL)
    part = flat[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach].astype(np.float32)
    if part.shape[:2] != (2 * reach, 2 * reach):
        return None
    rim = np.concatenate([part[:2].reshape(-1, 3), part[-2:].reshape(-1, 3)])
    wood = np.median(rim, axis=0)
    value = part[..., 0] / np.maximum(part[..., 2], 1) - wood[0] / max(float(wood[2]), 1)
    is_pale = value > 0.5 * float(np.percentile(value, 95))
    is_pale &= part.mean(axis=-1) > 0.8 * wood.mean()
    mask = cv2.morphologyEx(is_pale.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    count, _, stats, centers = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    best = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    area = stats[best, cv2.CC_STAT_AREA] / CELL**2
    if not 0.5 < area < 1.3:
        return None
    return np.array([x, y]) / CELL - 1 + (centers[best] + 0.5 - reach) / CELL


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    arguments = parser.parse_args()
    stones = wrong_with = wrong_without = 0
    far = [0, 0, 0]
    offsets, lefts, largest = [], [], 0.0
    for path in sorted((arguments.shared / "stills").glob("*.json")):
        truth = json.loads(path.read_text())
        elevation = float(truth["view"].split()[1])
        if not LOWEST <= elevation <= HIGHEST:
            continue
        frame, lens = load_still(path.with_suffix(".jpg")), truth["lens"]
        fit: GridFit = known_grid(
            frame.image.shape, truth["size"], np.array(truth["corners_px"], float),
            k1=lens["k1"], k2=lens["k2"],
        )  # fmt: skip
        # The true grid, but not the true camera: its focal length follows from the board.
        pose = pose_of(fit, estimate_focal([fit]).focal_px)
        largest = max(largest, float(np.abs(parallax_cells(fit, pose, TOP_HEIGHT)).max()))
        flat = rectify(frame.image, rectify_map(fit, cell=CELL, margin_cells=1.0))
        hidden = {tuple(point) for point in truth["unknown"]}
        for row, col in single_stones(truth["rows"]):
            middle = None if (row, col) in hidden else middle_of(flat, row, col)
            if middle is None:
                continue
            raw = grid_to_raw_px(fit, middle[None])
            is_wrong = [
                bool((assigned(fit, raw, given)[0] != [col, row]).any()) for given in (pose, None)
            ]
            offsets.append(raw_px_to_grid(fit, raw)[0] - [col, row])
            lefts.append(raw_px_to_grid(raised(fit, pose, WIDEST_HEIGHT), raw)[0] - [col, row])
            stones, wrong_with = stones + 1, wrong_with + is_wrong[0]
            wrong_without += is_wrong[1]
            if row < 5 or row > truth["size"] - 6:
                far = [far[0] + 1, far[1] + is_wrong[0], far[2] + is_wrong[1]]
    moved, left = np.linalg.norm(offsets, axis=1), np.linalg.norm(lefts, axis=1)
    print(f"{stones} single white stones at {LOWEST:g} to {HIGHEST:g} degrees")
    for name, apart in (("without", moved), ("with", left)):
        print(
            f"  {name} the correction {np.median(apart):.2f} cells from their points (median),"
            f" 95 % {np.percentile(apart, 95):.2f}; more than 0.3 cells: {(apart > 0.3).sum()}"
        )
    print(f"  a stone's top lies up to {largest:.2f} cells away")
    print(f"  wrong with the correction {wrong_with}, without {wrong_without}")
    print(f"  in the five nearest and farthest rows: {far[0]}, {far[1]}, {far[2]}")


if __name__ == "__main__":
    main()

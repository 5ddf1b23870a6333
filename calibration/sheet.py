"""The printed sheet that tells a lens exactly: made as SVG, found again in pictures."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Crossings
from vision.types import Frame

SQUARES = (9, 6)
"""Squares of the sheet, across and down."""

SQUARE_MM = 28.0
MARKER_MM = 21.0
PAPER_MM = (297.0, 210.0)
"""A4, lying."""

LEAST_CORNERS = 12


@dataclass(frozen=True, slots=True)
class NoSheet:
    """The sheet is not in the picture, or too little of it; `message` is for people."""

    message: str


def _board() -> cv2.aruco.CharucoBoard:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, dictionary)


def sheet_svg() -> str:
    """Return the sheet as SVG, a ChArUco board (squares with markers, so a part of it is enough).

    Drawn from OpenCV's own picture of the board, so that what is printed is what is looked for.
    """
    pixels = 8  # a marker of 4 x 4 bits with its rim has 6 x 6 modules: 8/6 of it is a square
    side = 6 * pixels
    picture = _board().generateImage((SQUARES[0] * side, SQUARES[1] * side), marginSize=0)
    unit = SQUARE_MM / side
    left, top = (
        0.5 * (paper - count * SQUARE_MM) for paper, count in zip(PAPER_MM, SQUARES, strict=True)
    )
    rects = [
        f'<rect x="{left + x * unit:.3f}" y="{top + y * unit:.3f}"'
        f' width="{wide * unit:.3f}" height="{high * unit:.3f}"/>'
        for x, y, wide, high in _rectangles(np.asarray(picture) < 128)
    ]
    text = (
        f"Banmen · print at 100 %, squares {SQUARE_MM:g} mm · glue on something flat · "
        "show it to the camera in 5 to 10 places, tilted, up to the picture's corners"
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{PAPER_MM[0]:g}mm"'
            f' height="{PAPER_MM[1]:g}mm" viewBox="0 0 {PAPER_MM[0]:g} {PAPER_MM[1]:g}">',
            f'<rect width="{PAPER_MM[0]:g}" height="{PAPER_MM[1]:g}" fill="#fff"/>',
            '<g fill="#000" shape-rendering="crispEdges">',
            *rects,
            "</g>",
            f'<text x="{left:g}" y="{PAPER_MM[1] - 8:g}" font-family="sans-serif"'
            f' font-size="4">{text}</text>',
            "</svg>",
            "",
        ]
    )


def _rectangles(dark: NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """Return (x, y, width, height) of runs of dark pixels; equal runs below each other are one."""
    open_runs: dict[tuple[int, int], int] = {}
    done: list[tuple[int, int, int, int]] = []
    for y in range(dark.shape[0] + 1):
        row = dark[y] if y < dark.shape[0] else np.zeros(dark.shape[1], np.bool_)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row.view(np.int8), [0]])))
        runs = {(int(a), int(b)) for a, b in edges.reshape(-1, 2)}
        for run in [run for run in open_runs if run not in runs]:
            start = open_runs.pop(run)
            done.append((run[0], start, run[1] - run[0], y - start))
        for run in runs:
            open_runs.setdefault(run, y)
    return sorted(done, key=lambda rect: (rect[1], rect[0]))


def sheet_crossings(frame: Frame) -> Crossings | NoSheet:
    """Return where the corners of the sheet's squares are in a picture, a part of it is enough."""
    gray = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
    board = _board()
    seen, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(gray)
    count = 0 if ids is None else len(ids)
    if count < LEAST_CORNERS:
        return NoSheet(f"{count} corners of the sheet are seen, {LEAST_CORNERS} are needed")
    corners = np.asarray(board.getChessboardCorners(), float)[np.asarray(ids).ravel(), :2]
    return Crossings(corners / SQUARE_MM, np.asarray(seen, float).reshape(-1, 2))

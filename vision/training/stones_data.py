"""Boards already rectified, with what stands on each intersection, to train the stone reader on."""

from __future__ import annotations

import argparse
import json
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cells import rectified, shrink_factor
from vision.geometry import homography_from_corners, rectify_map
from vision.grid import find_grid
from vision.training.stones_truth import COVERED, UNKNOWN, VideoTruth, load_truth
from vision.types import CameraModel, Frame, GridFit, NoGrid

CELL_PX = 22
"""Pixels per line spacing in the stored boards: a little more than the reader sees."""

MARGIN_CELLS = 3.5
"""What is stored outside the lines; the reader sees 2.5 cells of it."""

Image = NDArray[np.uint8]
Labels = NDArray[np.uint8]


@dataclass(frozen=True)
class Board:
    """A rectified board and its labels."""

    name: str
    source: str
    """Repository, `stills`, or the video's name: what a split must keep together."""

    jpeg: bytes
    """(S, S, 3) BGR, S = (N - 1 + 2 * MARGIN_CELLS) * CELL_PX."""

    known_png: bytes
    """(S, S), 255 where the picture has content."""

    labels: Labels
    """(N, N): `Label` values, COVERED, or UNKNOWN (not to be learned from)."""

    corner_weight: float
    """[0, 1]: how far the labelled corners can be trusted."""

    hand_png: bytes | None = None
    """(S, S), 255 where a hand or an arm is seen; None if nobody knows or there is none."""

    def image(self) -> Image:
        """Return the picture (S, S, 3) BGR."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), 1), np.uint8)

    def hand(self) -> NDArray[np.uint8] | None:
        """Return (S, S), 255 where a hand is seen, or None."""
        if self.hand_png is None:
            return None
        mask = cv2.imdecode(np.frombuffer(self.hand_png, np.uint8), cv2.IMREAD_GRAYSCALE)
        return np.asarray(mask, np.uint8)

    def known(self) -> NDArray[np.bool_]:
        """Return (S, S), True where the picture has content."""
        mask = cv2.imdecode(np.frombuffer(self.known_png, np.uint8), cv2.IMREAD_GRAYSCALE)
        return np.asarray(mask) > 0


class View(NamedTuple):
    """How a board is cut out of a picture."""

    sampling: NDArray[np.float32]
    factor: int
    """See `vision.cells.rectified`."""


def _view(image: Image, size: int, corners: NDArray[np.float64], lens: dict[str, float]) -> View:
    height, width = image.shape[:2]
    camera = CameraModel(width, height, k1=lens.get("k1", 0.0), k2=lens.get("k2", 0.0))
    grid = GridFit(size, homography_from_corners(camera, size, corners), camera, 0.0, 1.0)
    return view_of(grid)


def view_of(grid: GridFit) -> View:
    """Return how the board of a known grid is cut out."""
    sampling = rectify_map(grid, cell=CELL_PX, margin_cells=MARGIN_CELLS)
    return View(sampling, shrink_factor(grid, CELL_PX))


def _encoded(image: Image, extension: str) -> bytes:
    options = [cv2.IMWRITE_JPEG_QUALITY, 92] if extension == ".jpg" else []
    return bytes(cv2.imencode(extension, image, options)[1])


def make_board(
    name: str,
    source: str,
    image: Image,
    view: View,
    labels: Labels,
    weight: float,
) -> Board:
    """Return the board that a view cuts out of a picture (H, W, 3)."""
    warped = rectified(image, view.sampling, view.factor)
    seen = rectified(np.full(image.shape, 255, np.uint8), view.sampling, view.factor)[..., 0]
    return Board(name, source, _encoded(warped, ".jpg"), _encoded(seen, ".png"), labels, weight)


def labelled_boards(folder: Path, source: str | None = None) -> Iterator[Board]:
    """Yield the boards of a folder of pictures with labels beside them."""
    for path in sorted(folder.glob("*.json")):
        label = json.loads(path.read_text())
        if not label.get("corners_px") or not label.get("rows"):
            continue
        image = cv2.imread(str(path.with_suffix(".jpg")))
        if image is None:
            continue
        picture = np.asarray(image, np.uint8)
        labels = np.array([[".BW".index(c) for c in row] for row in label["rows"]], np.uint8)
        # A renderer knows that something covers the point; a person only could not tell.
        unknown = COVERED if label["source"] == "rendered" else UNKNOWN
        for row, col in label.get("unknown", []):
            labels[row, col] = unknown
        corners = np.array(label["corners_px"], float)
        view = _view(picture, label["size"], corners, label.get("lens") or {})
        weight = 0.1 if "derived from boxes" in label["status"] else 1.0
        name = source or label["source"].split()[0]
        yield make_board(path.stem, name, picture, view, labels, weight)


def found_boards(folder: Path) -> Iterator[Board]:
    """Yield the boards of a folder whose labels name no corners, where the grid is found.

    Only every third picture: they show few positions, most of them full of one color.
    """
    for path in sorted(folder.glob("*.json"))[::3]:
        label = json.loads(path.read_text())
        picture = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
        fit = find_grid(Frame(picture, 0.0), None)
        rows = label["rows"]
        # Which side is up is not known: only what looks the same from all sides is taken.
        if isinstance(fit, NoGrid) or fit.size != label["size"] or len(set("".join(rows))) > 1:
            continue
        labels = np.full((fit.size, fit.size), ".BW".index(rows[0][0]), np.uint8)
        source = label["source"].split()[0]
        yield make_board(path.stem, source, picture, view_of(fit), labels, 0.0)


def _frames(path: Path, wanted: set[int]) -> Iterator[tuple[int, Image]]:
    video = cv2.VideoCapture(str(path))
    for number in range(max(wanted) + 1):
        if not video.grab():
            return
        if number in wanted:
            yield number, np.asarray(video.retrieve()[1], np.uint8)


def _changed(before: Image, after: Image) -> NDArray[np.float32]:
    """Return (S, S): how far a picture differs from another beyond a change of its light."""
    a, b = before.astype(np.float32), after.astype(np.float32)
    window = (9, 9)
    gain = cv2.blur((a * b).sum(2), window) / (cv2.blur((a * a).sum(2), window) + 1)
    gain = np.clip(gain, 0.45, 1.15)[..., None]
    return np.asarray(cv2.blur(np.abs(b - gain * a).max(2), (5, 5)), np.float32)


def point_shares(mask: NDArray[Any], size: int) -> NDArray[np.float64]:
    """Return (N, N): the mean of a map (S, S) around each intersection."""
    box = round(0.8 * CELL_PX) | 1
    smooth = cv2.blur(mask.astype(np.float32), (box, box))
    at = np.round((np.arange(size) + MARGIN_CELLS) * CELL_PX).astype(int)
    return np.asarray(smooth[np.ix_(at, at)], np.float64)


def _with_hand(board: Board, clear: Image) -> Board:
    """Label what a hand covers, by the difference from a clear view of the same position."""
    size = len(board.labels)
    difference = _changed(clear, board.image())
    low, high = point_shares(difference, size), point_shares(difference > 20, size)
    labels = board.labels.copy()
    doubtful = (low > 7) & (labels != UNKNOWN)
    labels[doubtful] = np.where(high > 0.6, COVERED, UNKNOWN)[doubtful]
    hand = cv2.morphologyEx((difference > 20).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9)))
    hand = cv2.morphologyEx(hand, cv2.MORPH_OPEN, np.ones((9, 9)))
    return Board(
        board.name,
        board.source,
        board.jpeg,
        board.known_png,
        labels,
        board.corner_weight,
        _encoded(np.asarray(hand * 255, np.uint8), ".png"),
    )


def video_boards(path: Path, rng: np.random.Generator) -> Iterator[Board]:
    """Yield boards of a video: for each move a clear view, and views with the hand over it."""
    truth: VideoTruth = load_truth(path.with_suffix(".truth.json"))
    plan = truth.sample(rng)
    clear: dict[int, Image] = {}
    views: dict[bytes, View] = {}
    for number, image in _frames(path, set(plan)):
        moment = plan[number]
        corners = truth.corners_at(moment.time_s)
        if corners.tobytes() not in views:
            views[corners.tobytes()] = _view(image, truth.size, corners, {})
        view = views[corners.tobytes()]
        board = make_board(f"{path.stem}_{number}", path.stem, image, view, moment.labels, 0.3)
        if not moment.hand:
            clear = {moment.move: board.image()}
            yield board
        elif moment.move in clear and truth.still_between(moment):
            yield _with_hand(board, clear[moment.move])


def load_boards(folder: Path) -> list[Board]:
    """Return all boards that `main` wrote into a folder."""
    boards: list[Board] = []
    for path in sorted(folder.glob("*.pickle")):
        boards += pickle.loads(path.read_bytes())
    return boards


def main() -> None:
    """Write one file of boards a source; files that are there already are kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path, help="folder with photos/, stills/ and videos/")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=4)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    sources: dict[str, Callable[[], Iterator[Board]]] = {
        "photos": lambda: labelled_boards(arguments.shared / "photos" / "labelled"),
        "rows_only": lambda: found_boards(arguments.shared / "photos" / "rows_only"),
        "stills": lambda: labelled_boards(arguments.shared / "stills", "stills"),
    }
    for path in sorted((arguments.shared / "videos").glob("*.mp4")):
        rng = np.random.default_rng(arguments.seed)
        sources[path.stem] = partial(video_boards, path, rng)
    for name, read in sources.items():
        out = arguments.out / f"{name}.pickle"
        if not out.exists():
            boards = list(read())
            out.write_bytes(pickle.dumps(boards))
            print(name, len(boards), flush=True)


if __name__ == "__main__":
    main()

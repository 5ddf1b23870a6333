"""Good frames made worse on purpose, each with the verdict that the check must give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.check import Level, SystemFacts, Topic
from calibration.sharpness import measure_sharpness
from vision.geometry import corners_px, grid_to_raw_px
from vision.stones import read_stones
from vision.types import Frame, GridFit

Image = NDArray[np.uint8]
Burst = tuple[Frame, ...]
FRAMES, RATE = 8, 6.0
GOOD_FACTS = SystemFacts(20_000_000_000, True, 50.0, False, False)


@dataclass(frozen=True)
class Scene:
    """A good picture of a board and its grid."""

    image: Image
    fit: GridFit
    seed: int = 0

    def burst(self, change: Callable[[int, Image], Image] | None = None) -> Burst:
        """Return frames of the scene with a camera's noise, each changed by a function."""
        frames = []
        for number in range(FRAMES):
            image = self.image if change is None else change(number, self.image)
            noise = np.roll(_noise(image.shape), 37 * number, axis=(0, 1))
            pixels = np.clip(image.astype(np.int16) + noise, 0, 255).astype(np.uint8)
            frames.append(Frame(pixels, number / RATE, number=number, exposure_s=1 / 60))
        return tuple(frames)


@lru_cache(maxsize=2)
def _noise(shape: tuple[int, ...]) -> NDArray[np.int16]:
    return np.round(np.random.default_rng(7).normal(0, 1.0, shape)).astype(np.int16)


@dataclass(frozen=True)
class Variant:
    """One way in which a set-up can be worse, and what the check must say at least."""

    name: str
    make: Callable[[Scene], Burst]
    topic: Topic
    level: Level
    facts: SystemFacts = GOOD_FACTS


def _same(change: Callable[[Scene, Image], NDArray[np.floating] | Image]) -> Callable[..., Burst]:
    """Return a maker whose change is the same in all frames."""

    def make(scene: Scene) -> Burst:
        image = np.clip(change(scene, scene.image), 0, 255).astype(np.uint8)
        return Scene(image, scene.fit, scene.seed).burst()

    return make


def blurred(cells: float) -> Callable[..., Burst]:
    return _same(lambda s, image: cv2.GaussianBlur(image, (0, 0), cells * s.fit.cell_px))


def smeared(cells: float, angle_deg: float) -> Callable[..., Burst]:
    """Motion during the exposure."""

    def change(scene: Scene, image: Image) -> Image:
        length = max(3, round(cells * scene.fit.cell_px))
        kernel = np.zeros((2 * length + 1,) * 2, np.float32)
        turn = np.radians(angle_deg)
        away = np.array([np.cos(turn), np.sin(turn)]) * length / 2
        start, end = (np.round(length + sign * away).astype(int) for sign in (-1, 1))
        cv2.line(kernel, tuple(map(int, start)), tuple(map(int, end)), 1.0, 1)
        return cv2.filter2D(image, -1, kernel / kernel.sum())

    return _same(change)


def exposed(factor: float) -> Callable[..., Burst]:
    return _same(lambda s, image: image.astype(np.float32) * factor)


def foggy(levels: float) -> Callable[..., Burst]:
    """A dirty lens: lines and stones stand out by so many gray levels only."""

    def change(scene: Scene, image: Image) -> NDArray[np.floating]:
        frame = Frame(image, 0.0)
        _, reading = read_stones(None, frame, scene.fit)
        share = levels / measure_sharpness(frame, scene.fit, reading).contrast
        return image * share + 190.0 * (1 - share)

    return _same(change)


def noisy(levels: float) -> Callable[..., Burst]:
    def change(scene: Scene, image: Image) -> NDArray[np.floating]:
        rng = np.random.default_rng(scene.seed + 1)
        return image + rng.normal(0, levels, image.shape)

    return _same(change)


def glaring(share: float, at: tuple[float, float] = (0.3, 0.4)) -> Callable[..., Burst]:
    """A lamp mirrored by the varnish, its radius a share of the board's side."""

    def change(scene: Scene, image: Image) -> NDArray[np.floating]:
        last = scene.fit.size - 1
        center = grid_to_raw_px(scene.fit, np.array(at) * last)
        rows, cols = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
        away = np.hypot(cols - center[0], rows - center[1]) / scene.fit.cell_px
        lamp = 1 / (1 + np.exp((away / (share * last) - 1) / 0.12))
        return image + 400.0 * lamp[..., None]

    return _same(change)


def shaded(factor: float) -> Callable[..., Burst]:
    """A hard shadow over half of the board, in stripes as from blinds."""

    def change(scene: Scene, image: Image) -> NDArray[np.floating]:
        rows, cols = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
        stripe = ((rows + 0.5 * cols) // (3.2 * scene.fit.cell_px)) % 2
        return image * np.where(stripe > 0, factor, 1.0)[..., None]

    return _same(change)


def moved(matrix: Callable[[Scene], NDArray[np.floating]]) -> Callable[..., Burst]:
    """The same scene seen from elsewhere: the picture warped."""

    def change(scene: Scene, image: Image) -> Image:
        size = (image.shape[1], image.shape[0])
        fill = tuple(map(float, np.median(image.reshape(-1, 3), axis=0)))
        warp = np.asarray(matrix(scene), float)
        # Shrinking without a blur before would make patterns that no camera shows.
        soft = cv2.GaussianBlur(image, (0, 0), max(0.01, 0.4 * (1 / _scale(warp, size) - 1) + 0.01))
        return cv2.warpPerspective(soft, warp, size, borderValue=fill, flags=cv2.INTER_AREA)

    return _same(change)


def _scale(warp: NDArray[np.floating], size: tuple[int, int]) -> float:
    middle = np.array([size[0] / 2, size[1] / 2, 1.0])
    steps = [warp @ (middle + step) for step in ([1.0, 0, 0], [0, 1.0, 0], [0, 0, 0])]
    right, down, here = (step[:2] / step[2] for step in steps)
    area = abs(float(np.linalg.det(np.array([right - here, down - here]))))
    return float(np.clip(np.sqrt(area), 0.05, 1.0))


def farther(cell_px: float) -> Callable[..., Burst]:
    def matrix(scene: Scene) -> NDArray[np.floating]:
        scale = cell_px / scene.fit.cell_px
        center = corners_px(scene.fit).mean(axis=0)
        shift = center - scale * center
        return np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1.0]])

    return moved(matrix)


def flattened(factor: float) -> Callable[..., Burst]:
    """From so low that the board is pressed together and its far side gets small."""

    def matrix(scene: Scene) -> NDArray[np.floating]:
        height, width = scene.image.shape[:2]
        corners = corners_px(scene.fit)
        low, high = corners.min(axis=0), corners.max(axis=0)
        box = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
        tall, wide = factor * (high[1] - low[1]), high[0] - low[0]
        top, middle = 0.5 * (height - tall), width / 2
        half = np.array([0.38 * wide, 0.5 * wide])
        to = np.array(
            [
                [middle - half[0], top],
                [middle + half[0], top],
                [middle + half[1], top + tall],
                [middle - half[1], top + tall],
            ]
        )
        return cv2.getPerspectiveTransform(box.astype(np.float32), to.astype(np.float32))

    return moved(matrix)


def cut(side: int, cells: float) -> Callable[..., Burst]:
    """The picture ends so many cells outside (negative: inside) a side of the board."""

    def matrix(scene: Scene) -> NDArray[np.floating]:
        corners = corners_px(scene.fit)
        height, width = scene.image.shape[:2]
        margin = cells * scene.fit.cell_px
        shift = {
            0: (0.0, margin - corners[:, 1].min()),
            1: (width - 1 - margin - corners[:, 0].max(), 0.0),
            2: (0.0, height - 1 - margin - corners[:, 1].max()),
            3: (margin - corners[:, 0].min(), 0.0),
        }[side]
        return np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]])

    return moved(matrix)


def flickering(amount: float) -> Callable[..., Burst]:
    def make(scene: Scene) -> Burst:
        return scene.burst(
            lambda number, image: np.clip(
                image * (1 + amount * 1.41 * np.sin(2.4 * number)), 0, 255
            ).astype(np.uint8)
        )

    return make


def banded(amount: float) -> Callable[..., Burst]:
    """A rolling shutter under a lamp on the mains."""

    def make(scene: Scene) -> Burst:
        rows = np.arange(scene.image.shape[0])[:, None, None]
        period = 5.0 * scene.fit.cell_px

        def change(number: int, image: Image) -> Image:
            wave = 1 + amount * 1.41 * np.sin(2 * np.pi * rows / period + 1.9 * number)
            return np.clip(image * wave, 0, 255).astype(np.uint8)

        return scene.burst(change)

    return make


def shaken(cells: float) -> Callable[..., Burst]:
    def make(scene: Scene) -> Burst:
        def change(number: int, image: Image) -> Image:
            shift = cells * scene.fit.cell_px * np.sin([1.7 * number, 2.3 * number + 1])
            matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
            size = (image.shape[1], image.shape[0])
            return cv2.warpAffine(image, matrix, size, borderMode=cv2.BORDER_REPLICATE)

        return scene.burst(change)

    return make


def sliding(cells: float) -> Callable[..., Burst]:
    """A tripod that sinks."""

    def make(scene: Scene) -> Burst:
        def change(number: int, image: Image) -> Image:
            down = cells * scene.fit.cell_px * number / (FRAMES - 1)
            matrix = np.array([[1, 0, 0], [0, 1, down]])
            size = (image.shape[1], image.shape[0])
            return cv2.warpAffine(image, matrix, size, borderMode=cv2.BORDER_REPLICATE)

        return scene.burst(change)

    return make


def timed(
    rate: float = RATE, *, gap_s: float = 0.0, exposure_s: float = 1 / 60
) -> Callable[..., Burst]:
    def make(scene: Scene) -> Burst:
        return tuple(
            Frame(
                frame.image,
                number / rate + (gap_s if number > FRAMES // 2 else 0.0),
                number=number,
                exposure_s=exposure_s,
            )
            for number, frame in enumerate(scene.burst())
        )

    return make


def covered(radius: float) -> Callable[..., Burst]:
    """A sheet of paper, or a sleeve, over the board."""

    def change(scene: Scene, image: Image) -> Image:
        last = scene.fit.size - 1
        box = np.array([[-0.2, -0.2], [radius, -0.2], [radius, radius], [-0.2, radius]]) * last
        corners = np.round(grid_to_raw_px(scene.fit, box)).astype(np.int32)
        out = image.copy()
        cv2.fillConvexPoly(out, corners, (120, 60, 40), cv2.LINE_AA)
        return out

    return _same(change)


def without_board() -> Callable[..., Burst]:
    def change(scene: Scene, image: Image) -> Image:
        rng = np.random.default_rng(scene.seed)
        small = rng.integers(60, 140, (5, 8, 3)).astype(np.uint8)
        return cv2.resize(small, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_CUBIC)

    return _same(change)


def still(scene: Scene) -> Burst:
    return scene.burst()


def _facts(**changed: object) -> SystemFacts:
    known = {name: getattr(GOOD_FACTS, name) for name in SystemFacts.__dataclass_fields__}
    return SystemFacts(**{**known, **changed})  # type: ignore[arg-type]


G, P, B = Level.GOOD, Level.POOR, Level.BAD
VARIANTS: tuple[Variant, ...] = (
    Variant("a little out of focus", blurred(0.13), Topic.SHARPNESS, P),
    Variant("out of focus", blurred(0.32), Topic.SHARPNESS, B),
    Variant("far out of focus", blurred(0.6), Topic.SHARPNESS, B),
    Variant("smeared sideways", smeared(0.9, 0), Topic.SHARPNESS, B),
    Variant("smeared downward", smeared(0.9, 90), Topic.SHARPNESS, B),
    Variant("smeared aslant", smeared(1.1, 40), Topic.SHARPNESS, B),
    Variant("dim", exposed(0.33), Topic.BRIGHTNESS, P),
    Variant("dark", exposed(0.12), Topic.BRIGHTNESS, B),
    Variant("a little blown", exposed(1.5), Topic.BRIGHTNESS, P),
    Variant("blown", exposed(3.0), Topic.BRIGHTNESS, B),
    Variant("fog", foggy(8.5), Topic.SHARPNESS, P),
    Variant("dense fog", foggy(2.5), Topic.SHARPNESS, B),
    Variant("grain", noisy(20.0), Topic.SHARPNESS, P),
    Variant("heavy grain", noisy(105.0), Topic.SHARPNESS, B),
    Variant("a lamp in the varnish", glaring(0.08), Topic.GLARE, P),
    Variant("a window in the varnish", glaring(0.24), Topic.GLARE, B),
    Variant("blinds", shaded(0.5), Topic.SHADOW, P),
    Variant("too oblique", flattened(0.22), Topic.ANGLE, B),
    Variant("too far", farther(12.5), Topic.CELL, P),
    Variant("much too far", farther(7.0), Topic.CELL, B),
    Variant("hardly in the picture", cut(3, 0.45), Topic.BOARD, P),
    Variant("left edge cut", cut(3, -1.6), Topic.BOARD, B),
    Variant("upper edge cut", cut(0, -1.6), Topic.BOARD, B),
    Variant("right edge cut", cut(1, -2.6), Topic.BOARD, B),
    Variant("lower edge cut", cut(2, -4.0), Topic.BOARD, B),
    Variant("partly covered", covered(0.25), Topic.BOARD, P),
    Variant("covered", covered(0.95), Topic.BOARD, B),
    Variant("no board", without_board(), Topic.BOARD, B),
    Variant("flicker", flickering(0.04), Topic.FLICKER, P),
    Variant("strong flicker", flickering(0.15), Topic.FLICKER, B),
    Variant("stripes of the mains", banded(0.05), Topic.FLICKER, P),
    Variant("strong stripes of the mains", banded(0.16), Topic.FLICKER, B),
    Variant("trembling", shaken(0.12), Topic.STEADINESS, P),
    Variant("shaking", shaken(0.5), Topic.STEADINESS, B),
    Variant("sinking", sliding(0.9), Topic.STEADINESS, B),
    Variant("few frames", timed(3.0), Topic.RATE, P),
    Variant("hardly any frames", timed(1.0), Topic.RATE, B),
    Variant("frames that stop for a while", timed(gap_s=5.0), Topic.RATE, B),
    Variant("long exposure", timed(exposure_s=1 / 12), Topic.EXPOSURE, P),
    Variant("very long exposure", timed(exposure_s=1 / 4), Topic.EXPOSURE, B),
    Variant("little disk", still, Topic.DISK, P, _facts(free_disk_bytes=900_000_000)),
    Variant("no disk", still, Topic.DISK, B, _facts(free_disk_bytes=100_000_000)),
    Variant("clock not set", still, Topic.CLOCK, P, _facts(is_clock_set=False)),
    Variant("warm", still, Topic.TEMPERATURE, P, _facts(temperature_c=78.0)),
    Variant("hot", still, Topic.TEMPERATURE, B, _facts(temperature_c=86.0)),
    Variant("was throttled", still, Topic.POWER, P, _facts(was_throttled=True)),
    Variant("throttled", still, Topic.POWER, B, _facts(is_throttled_now=True)),
)
"""Each with the level that its topic must have."""

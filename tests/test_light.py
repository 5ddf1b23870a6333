"""The light on a board: the look of wood and stones, glare, shadows, flicker, sharpness, shake."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.light import measure_flicker, measure_light
from calibration.sharpness import measure_sharpness, measure_steadiness, noise_of
from vision.still import load_still
from vision.stones import read_stones
from vision.training.photos import known_grid
from vision.types import Frame, GridFit, StoneReading

FRAMES = Path(__file__).parent / "data" / "frames"


def loaded(name: str, size: int) -> tuple[Frame, GridFit]:
    """Return a golden frame and its true grid."""
    numbers = (FRAMES / f"{name}.txt").read_text().split("corners_px: ")[1].split("\n")[0].split()
    frame = load_still(FRAMES / f"{name}.jpg")
    return frame, known_grid(frame.image.shape, size, np.array(numbers, float).reshape(4, 2))


FRAME, FIT = loaded("grid_09_1", 9)


@lru_cache(maxsize=1)
def reading() -> StoneReading:
    return read_stones(None, FRAME, FIT)[1]


def brighter(factor: float) -> Frame:
    return Frame(np.clip(FRAME.image * factor, 0, 255).astype(np.uint8), 0.0)


def test_wood_lies_between_black_and_white_stones() -> None:
    frame, fit = loaded("grid_19_3", 19)
    light = measure_light(frame, fit, read_stones(None, frame, fit)[1])
    assert light.black is not None
    assert light.wood is not None
    assert light.white is not None
    assert light.black.brightness < light.wood.brightness < light.white.brightness
    assert light.glaring.sum() == 0


def test_what_is_not_on_the_board_has_no_look() -> None:
    empty = np.zeros((9, 9, 3), np.float32)
    empty[..., 0] = 1.0
    light = measure_light(FRAME, FIT, StoneReading(empty, np.ones((9, 9), bool), 0.0))
    assert light.black is None
    assert light.white is None


def test_overexposed_wood_is_clipped_and_glares() -> None:
    light = measure_light(brighter(4.0), FIT, reading())
    assert light.clipped > 0.5
    assert light.glaring.sum() > 20


@pytest.mark.parametrize("amount", [0.03, 0.1])
def test_flicker_is_measured_in_parts_of_the_brightness(amount: float) -> None:
    dim = FRAME.image * 0.7
    frames = [
        Frame(np.clip(dim * (1 + amount * 1.41 * np.sin(2.4 * k)), 0, 255).astype(np.uint8), k / 6)
        for k in range(12)
    ]
    flicker = measure_flicker(frames, FIT)
    assert flicker is not None
    assert flicker.brightness == pytest.approx(amount, rel=0.25)
    assert flicker.banding < 0.01
    assert measure_flicker(frames[:3], FIT) is None


def test_a_light_that_changes_slowly_does_not_flicker() -> None:
    frames = [brighter(0.7 + 0.02 * k) for k in range(10)]
    flicker = measure_flicker(frames, FIT)
    assert flicker is not None
    assert flicker.brightness < 0.01


def test_blur_is_measured_in_line_spacings() -> None:
    sharp = measure_sharpness(FRAME, FIT, reading())
    soft = Frame(cv2.GaussianBlur(FRAME.image, (0, 0), 0.13 * FIT.cell_px), 0.0)
    blurred = measure_sharpness(soft, FIT, reading())
    assert sharp.blur_cells is not None
    assert blurred.blur_cells is not None
    assert sharp.blur_cells < 0.06
    assert 0.12 < blurred.blur_cells < 0.17
    assert blurred.contrast < sharp.contrast


def test_noise_is_measured_in_gray_levels() -> None:
    gray = np.full(FRAME.image.shape[:2], 128, np.uint8)
    noise = np.random.default_rng(0).normal(0, 6.0, gray.shape)
    assert noise_of(np.clip(gray + noise, 0, 255).astype(np.uint8), FIT) == pytest.approx(6, abs=1)
    assert noise_of(gray, FIT) == 0.0


def shifted(cells: float) -> Frame:
    matrix = np.array([[1.0, 0, cells * FIT.cell_px], [0, 1.0, 0]])
    size = (FRAME.image.shape[1], FRAME.image.shape[0])
    return Frame(cv2.warpAffine(FRAME.image, matrix, size, borderMode=cv2.BORDER_REPLICATE), 0.0)


def test_shake_and_drift_are_measured_in_line_spacings() -> None:
    shaken = measure_steadiness([shifted(0.2 * (-1) ** k) for k in range(8)], FIT)
    sinking = measure_steadiness([shifted(0.05 * k) for k in range(9)], FIT)
    still = measure_steadiness([FRAME] * 4, FIT)
    assert shaken is not None
    assert sinking is not None
    assert still is not None
    assert shaken.shake_cells == pytest.approx(0.2, abs=0.2)
    assert shaken.shake_cells > 0.15
    assert sinking.drift_cells == pytest.approx(0.3, abs=0.08)
    assert still.shake_cells < 0.01
    assert measure_steadiness([FRAME], FIT) is None

"""Surfaces for generated scenes: wood, cloth, tiles, chess boards, keyboards, calendars."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Color = tuple[float, float, float]


def random_color(rng: np.random.Generator, low: float = 10, high: float = 240) -> Color:
    """Return a BGR color; most are not far from gray."""
    level = rng.uniform(low, high)
    spread = rng.uniform(0, 60) if rng.random() < 0.7 else rng.uniform(60, 160)
    blue, green, red = np.clip(level + rng.uniform(-spread, spread, 3), 0, 255)
    return float(blue), float(green), float(red)


def cloth_color(rng: np.random.Generator) -> Color:
    """Return the BGR color of a table or its cloth: often that of a board, which misleads most."""
    return wood_color(rng) if rng.random() < 0.35 else random_color(rng)


def wood_color(rng: np.random.Generator) -> Color:
    """Return the BGR color of a wooden board: from pale spruce to dark brown, rarely anything."""
    if rng.random() < 0.12:
        return random_color(rng, 40, 240)
    hue, value = rng.uniform(8, 23), rng.uniform(90, 250)
    pixel = np.array([[[hue, rng.uniform(40, 210), value]]], np.uint8)
    blue, green, red = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(float)
    return float(blue), float(green), float(red)


def smooth_noise(
    rng: np.random.Generator, height: int, width: int, cells: tuple[int, int]
) -> NDArray[np.float32]:
    """Return noise of spread 1 whose grains are `cells` (down, across) to the picture."""
    coarse = rng.standard_normal((cells[0] + 1, cells[1] + 1), dtype=np.float32)
    grown = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(grown, np.float32)


def _tinted(image: NDArray[np.float32], noise: NDArray[np.float32]) -> Image:
    return np.asarray(np.clip(image * (1 + noise[..., None]), 0, 255), np.uint8)


def _flat(height: int, width: int, color: Color) -> NDArray[np.float32]:
    return np.full((height, width, 3), color, np.float32)


def wood(rng: np.random.Generator, height: int, width: int, color: Color | None = None) -> Image:
    """Return a wooden surface with its grain along one axis."""
    across = int(rng.integers(10, 90))
    noise = (
        0.06 * rng.random() * smooth_noise(rng, height, width, (int(rng.integers(1, 5)), across))
    )
    noise += 0.05 * rng.random() * smooth_noise(rng, height, width, (2, 4 * across))
    noise += 0.08 * rng.random() * smooth_noise(rng, height, width, (3, 3))
    if rng.random() < 0.5:
        noise = np.ascontiguousarray(noise.T)
        noise = cv2.resize(noise, (width, height)).astype(np.float32)
    return _tinted(_flat(height, width, color or wood_color(rng)), noise)


def _planks(rng: np.random.Generator, height: int, width: int) -> Image:
    image = wood(rng, height, width)
    step = int(rng.integers(width // 12, width // 3))
    for x in range(int(rng.integers(0, step)), width, step):
        cv2.line(image, (x, 0), (x, height), random_color(rng, 0, 80), int(rng.integers(1, 4)))
    return image


def _plain(rng: np.random.Generator, height: int, width: int) -> Image:
    noise = rng.uniform(0, 0.15) * smooth_noise(rng, height, width, (4, 4))
    noise += rng.uniform(0, 0.1) * smooth_noise(rng, height, width, (height // 4, width // 4))
    return _tinted(_flat(height, width, cloth_color(rng)), noise)


def _checks(rng: np.random.Generator, height: int, width: int) -> Image:
    step = rng.uniform(8, 70)
    xs = (np.arange(width) / step).astype(int)
    ys = (np.arange(height) / (step * rng.uniform(0.7, 1.4))).astype(int)
    dark = (xs[None] + ys[:, None]) % 2 == 0
    image = _flat(height, width, cloth_color(rng))
    image[dark] = cloth_color(rng)
    return image.astype(np.uint8)


def _plaid(rng: np.random.Generator, height: int, width: int) -> Image:
    image = _flat(height, width, cloth_color(rng))
    for _ in range(int(rng.integers(1, 4))):
        period, thick = rng.uniform(10, 90), rng.uniform(0.05, 0.6)
        color, share = np.array(cloth_color(rng), np.float32), rng.uniform(0.2, 0.7)
        shift = rng.uniform(0, period)
        for axis, length in ((0, height), (1, width)):
            if rng.random() < 0.85:
                on = ((np.arange(length) + shift) % period) < thick * period
                stripes = image[on] if axis == 0 else image[:, on]
                stripes = stripes * (1 - share) + color * share
                if axis == 0:
                    image[on] = stripes
                else:
                    image[:, on] = stripes
    return image.astype(np.uint8)


def _tiles(rng: np.random.Generator, height: int, width: int) -> Image:
    image = _plain(rng, height, width)
    step_x = rng.uniform(10, 80)
    step_y = step_x * (rng.uniform(0.4, 2) if rng.random() < 0.5 else 1.0)
    color, thick = random_color(rng), int(rng.integers(1, 4))
    for x in np.arange(rng.uniform(0, step_x), width, step_x):
        cv2.line(image, (int(x), 0), (int(x), height), color, thick)
    for y in np.arange(rng.uniform(0, step_y), height, step_y):
        cv2.line(image, (0, int(y)), (width, int(y)), color, thick)
    return image


def _dots(rng: np.random.Generator, height: int, width: int) -> Image:
    image = _plain(rng, height, width)
    step, color = rng.uniform(12, 70), cloth_color(rng)
    radius = int(step * rng.uniform(0.1, 0.4)) + 1
    for row, y in enumerate(np.arange(0, height + step, step)):
        for x in np.arange(0, width + step, step):
            cv2.circle(image, (int(x + (row % 2) * step / 2), int(y)), radius, color, -1)
    return image


def _page(rng: np.random.Generator, height: int, width: int) -> Image:
    """A calendar, a form or a keyboard: boxes in rows, with or without signs in them."""
    image = _flat(height, width, random_color(rng, 20, 255)).astype(np.uint8)
    rows, columns = int(rng.integers(4, 9)), int(rng.integers(5, 15))
    gap, ink, paper = rng.uniform(0, 0.25), random_color(rng, 0, 255), random_color(rng, 20, 255)
    is_keyboard = rng.random() < 0.5
    for row in range(rows):
        shift = rng.uniform(0, 0.6) if is_keyboard else 0.0
        for column in range(columns):
            x0 = int((column + shift + gap) * width / columns)
            x1 = int((column + shift + 1) * width / columns)
            y0, y1 = int((row + gap) * height / rows), int((row + 1) * height / rows)
            cv2.rectangle(
                image, (x0, y0), (x1, y1), paper if is_keyboard else ink, -1 if is_keyboard else 1
            )
            text = chr(int(rng.integers(48, 91)))
            cv2.putText(image, text, (x0 + 3, y1 - 4), 0, height / rows / 60, ink, 1, cv2.LINE_AA)
    return image


def _writing(rng: np.random.Generator, height: int, width: int) -> Image:
    image = _flat(height, width, random_color(rng, 150, 255)).astype(np.uint8)
    for y in range(10, height, int(rng.integers(8, 24))):
        letters = rng.integers(97, 123, int(rng.integers(10, 60)))
        cv2.putText(
            image, "".join(map(chr, letters)), (8, y), 0, 0.35, random_color(rng, 0, 120), 1
        )
    return image


_GROUNDS: tuple[Callable[[np.random.Generator, int, int], Image], ...] = (
    wood,
    wood,
    _planks,
    _plain,
    _plain,
    _plaid,
    _tiles,
    _checks,
    _checks,
    _dots,
    _dots,
    _writing,
    _page,
)


def ground(rng: np.random.Generator, height: int, width: int) -> Image:
    """Return a random surface (height, width, 3) without a Go board."""
    return _GROUNDS[int(rng.integers(0, len(_GROUNDS)))](rng, height, width)

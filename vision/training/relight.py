"""Change light, lens and sensor of a picture the way rooms and cameras do."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Pixels = NDArray[np.float32]


def _ramp(rng: np.random.Generator, shape: tuple[int, ...]) -> Pixels:
    angle = rng.uniform(0, 2 * np.pi)
    xs = np.linspace(-1, 1, shape[1], dtype=np.float32) * np.float32(np.cos(angle))
    ys = np.linspace(-1, 1, shape[0], dtype=np.float32) * np.float32(np.sin(angle))
    return np.asarray(xs[None] + ys[:, None], np.float32)


def _grown(mask: Pixels, shape: tuple[int, ...]) -> Pixels:
    return np.asarray(cv2.resize(mask, shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _shadow(rng: np.random.Generator, full: tuple[int, ...]) -> Pixels:
    shape = (full[0] // 2, full[1] // 2)
    mask = np.zeros(shape[:2], np.float32)
    for _ in range(rng.integers(1, 4)):
        center = rng.uniform(0, 1, 2) * shape[1::-1]
        axes = rng.uniform(0.05, 0.5, 2) * max(shape[:2])
        cv2.ellipse(
            mask,
            (tuple(map(float, center)), tuple(map(float, 2 * axes)), rng.uniform(0, 180)),
            1.0,
            -1,
        )
    return _grown(cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 6)).astype(np.float32), full)


def _glare(rng: np.random.Generator, full: tuple[int, ...]) -> Pixels:
    shape = (full[0] // 4, full[1] // 4)
    glare = np.zeros(shape[:2], np.float32)
    for _ in range(rng.integers(1, 4)):
        center = rng.uniform(0, 1, 2) * shape[1::-1]
        axes = rng.uniform(0.02, 0.25, 2) * max(shape[:2])
        box = (tuple(map(float, center)), tuple(map(float, 2 * axes)), rng.uniform(0, 180))
        if rng.random() < 0.3:
            corners = np.asarray(cv2.boxPoints(box), np.int32)
            cv2.fillConvexPoly(glare, corners, float(rng.uniform(40, 255)))
        else:
            cv2.ellipse(glare, box, float(rng.uniform(40, 255)), -1)
    return _grown(cv2.GaussianBlur(glare, (0, 0), rng.uniform(0.5, 7)).astype(np.float32), full)


def _colored(rng: np.random.Generator, pixels: Pixels) -> Pixels:
    if rng.random() < 0.3:
        # A colored lamp: little is left of one or two of the three colors.
        gains = rng.uniform(0.02, 1.0, 3)
        gains /= gains.max()
        gray = rng.uniform(0, 0.7)
    else:
        gains = rng.normal(1, 0.1, 3)
        gray = 1 - rng.uniform(0.3, 1.4) if rng.random() < 0.5 else 0.0
    mix = (1 - gray) * np.eye(3) + gray / 3 * np.ones((3, 3))
    return np.asarray(cv2.transform(pixels, gains[:, None] * mix), np.float32)


def _blurred(rng: np.random.Generator, pixels: Pixels) -> Pixels:
    kind = rng.random()
    if kind < 0.35:
        return np.asarray(cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.4, 1.6)), np.float32)
    if kind < 0.45:
        length = int(rng.integers(2, 7))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(
            kernel,
            tuple(map(int, rng.integers(0, length, 2))),
            tuple(map(int, rng.integers(0, length, 2))),
            1.0,
        )
        return np.asarray(cv2.filter2D(pixels, -1, kernel / kernel.sum()), np.float32)
    return pixels


def coarsened(rng: np.random.Generator, image: Image, most: float = 2.5) -> Image:
    """Throw away resolution, more along one axis than the other, as a distant board shows."""
    height, width = image.shape[:2]
    factors = rng.uniform(1, most, 2)
    size = (max(8, round(width / factors[0])), max(8, round(height / factors[1])))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def relit(rng: np.random.Generator, image: Image) -> Image:
    """Return the picture (H, W, 3) under other light, from another camera."""
    pixels = image.astype(np.float32)
    if rng.random() < 0.6:
        pixels = _lit_hard(rng, pixels)
    else:
        pixels *= rng.normal(1, 0.06, 3).astype(np.float32) * np.float32(rng.uniform(0.6, 1.2))
    pixels = _blurred(rng, pixels)
    if rng.random() < 0.6:
        sigma = rng.uniform(1, 14) * rng.random()
        noise = rng.standard_normal(pixels.shape, dtype=np.float32)
        pixels = pixels + np.float32(sigma) * noise
    result = np.clip(pixels, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        quality = int(rng.integers(25, 90))
        encoded = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        result = np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)
    return result


def _lit_hard(rng: np.random.Generator, pixels: Pixels) -> Pixels:
    """Put the picture (H, W, 3) under uneven, colored, dim or blinding light."""
    if rng.random() < 0.6:
        pixels = pixels * (
            1 + np.float32(rng.uniform(0, 0.6)) * _ramp(rng, pixels.shape)[..., None]
        )
    if rng.random() < 0.4:
        shadow = _shadow(rng, pixels.shape)[..., None]
        pixels = pixels * (1 - np.float32(rng.uniform(0.2, 0.6)) * shadow)
    pixels = _colored(rng, pixels)
    pixels *= np.float32(rng.uniform(0.35, 1.4))
    if rng.random() < 0.3:
        pixels += _glare(rng, pixels.shape)[..., None]
    if rng.random() < 0.4:
        bent = 255 * (np.clip(pixels, 0, 255) / 255) ** np.float32(rng.uniform(0.6, 1.5))
        pixels = np.asarray(bent, np.float32)
    return pixels

"""The printed sheet: what is drawn is what is found again."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import cv2
import numpy as np
import pytest

from calibration.lens import Crossings, LensEstimate, estimate_lens
from calibration.sheet import (
    PAPER_MM,
    SQUARE_MM,
    NoSheet,
    sheet_crossings,
    sheet_svg,
)
from vision.geometry import distort_points
from vision.types import CameraModel, Frame

WIDTH, HEIGHT = 1280, 720
SCALE = 6


def drawn_sheet() -> np.ndarray:
    """Return the sheet as a printer would make it from the SVG, SCALE pixels a millimeter."""
    page = np.full((int(PAPER_MM[1] * SCALE), int(PAPER_MM[0] * SCALE)), 255, np.uint8)
    group = ET.fromstring(sheet_svg()).find("{http://www.w3.org/2000/svg}g")
    assert group is not None
    for rect in group:
        x, y, wide, high = (float(rect.attrib[k]) * SCALE for k in ("x", "y", "width", "height"))
        page[round(y) : round(y + high), round(x) : round(x + wide)] = 0
    return page


def photographed(lens: CameraModel, corners: list[tuple[float, float]]) -> Frame:
    """Return the sheet with its paper's corners at four ideal pixels, through a lens."""
    page = drawn_sheet()
    h, w = page.shape
    box = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    warp = cv2.getPerspectiveTransform(box, np.array(corners, np.float32))
    flat = cv2.warpPerspective(page, warp, (WIDTH, HEIGHT), borderValue=110, flags=cv2.INTER_AREA)
    # For each raw pixel, the ideal one it shows.
    rows, cols = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
    center, half = np.array([WIDTH / 2, HEIGHT / 2]), np.hypot(WIDTH, HEIGHT) / 2
    offset = (np.stack([cols, rows], axis=-1) - center) / half
    r2 = (offset**2).sum(axis=-1, keepdims=True)
    ideal = (center + half * offset * (1 + lens.k1 * r2 + lens.k2 * r2**2)).astype(np.float32)
    image = cv2.remap(flat, ideal[..., 0].copy(), ideal[..., 1].copy(), cv2.INTER_LINEAR,
                      borderValue=110)  # fmt: skip
    return Frame(np.repeat(image[..., None], 3, axis=2), 0.0)


PLACES = [
    [(60.0, 40.0), (800.0, 90.0), (760.0, 600.0), (100.0, 560.0)],
    [(500.0, 60.0), (1240.0, 30.0), (1230.0, 560.0), (470.0, 590.0)],
    [(120.0, 180.0), (760.0, 240.0), (700.0, 700.0), (60.0, 690.0)],
    [(560.0, 200.0), (1230.0, 160.0), (1250.0, 690.0), (600.0, 650.0)],
]


@pytest.mark.parametrize("k1", [-0.1, 0.05])
def test_the_sheet_tells_a_lens_exactly(k1: float) -> None:
    lens = CameraModel(WIDTH, HEIGHT, k1=k1, k2=0.01)
    views = [sheet_crossings(photographed(lens, place)) for place in PLACES]
    seen = [view for view in views if isinstance(view, Crossings)]
    assert len(seen) == len(PLACES)
    found = estimate_lens(seen, WIDTH, HEIGHT)
    assert isinstance(found, LensEstimate)
    assert found.residual_px < 0.3
    probe = np.stack(np.meshgrid([100.0, 640, 1180], [80.0, 360, 640]), axis=-1)
    apart = distort_points(found.camera, probe) - distort_points(lens, probe)
    # A common scale of the picture is no distortion.
    center = np.array([WIDTH / 2, HEIGHT / 2])
    scale = 1 + float(((probe - center) * apart).sum() / ((probe - center) ** 2).sum())
    left = apart - (scale - 1) * (probe - center)
    assert np.linalg.norm(left, axis=-1).max() < 1.0


def test_a_picture_without_the_sheet_says_so() -> None:
    found = sheet_crossings(Frame(np.full((HEIGHT, WIDTH, 3), 128, np.uint8), 0.0))
    assert isinstance(found, NoSheet)
    assert "0 corners" in found.message


def test_a_part_of_the_sheet_is_enough() -> None:
    place = [(-250.0, -150.0), (700.0, -100.0), (650.0, 600.0), (-220.0, 560.0)]
    found = sheet_crossings(photographed(CameraModel(WIDTH, HEIGHT), place))
    assert not isinstance(found, NoSheet)
    assert 12 <= len(found.grid_xy) < 40


def test_the_sheet_is_as_large_as_it_says() -> None:
    text = sheet_svg()
    assert 'width="297mm" height="210mm"' in text
    widths = [float(width) for width in re.findall(r'width="([\d.]+)" height', text)]
    assert max(width for width in widths if width < 290) <= 3 * SQUARE_MM
    assert text == sheet_svg()

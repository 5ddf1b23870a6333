"""Quadrilaterals around bright regions of a map."""

import cv2
import numpy as np

from vision.quads import boxed, bright_quads, in_order, snapped


def test_a_bright_quadrilateral_is_outlined_to_a_pixel() -> None:
    field = np.zeros((64, 80), np.uint8)
    truth = np.array([[20.0, 12.0], [62.0, 18.0], [55.0, 50.0], [14.0, 44.0]])
    cv2.fillConvexPoly(field, np.round(truth * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    quads = bright_quads(field.astype(np.float32), np.ones((64, 80), np.bool_))
    assert len(quads) == 1
    assert np.abs(quads[0] - truth).max() < 1.5


def test_corners_begin_at_the_upper_left_and_run_clockwise() -> None:
    shuffled = np.array([[90.0, 80.0], [10.0, 12.0], [88.0, 9.0], [12.0, 85.0]])
    assert in_order(shuffled).tolist() == [[10, 12], [88, 9], [90, 80], [12, 85]]


def test_a_quadrilateral_cut_by_the_picture_keeps_its_other_sides() -> None:
    field = np.zeros((64, 80), np.float32)
    field[20:64, 10:70] = 1.0
    quad = bright_quads(field, np.ones((64, 80), np.bool_))[0]
    assert np.abs(quad[0] - [9.5, 19.5]).max() < 1.5
    assert np.abs(quad[1] - [69.5, 19.5]).max() < 1.5


def test_darkness_has_no_quadrilateral() -> None:
    assert bright_quads(np.zeros((40, 40), np.float32), np.ones((40, 40), np.bool_)) == []


def test_a_speck_has_no_quadrilateral() -> None:
    field = np.zeros((100, 100), np.float32)
    field[50:52, 50:52] = 1.0
    assert bright_quads(field, np.ones((100, 100), np.bool_)) == []


def test_the_box_contains_the_quadrilateral() -> None:
    quad = np.array([[20.0, 12.0], [62.0, 18.0], [55.0, 50.0], [14.0, 44.0]])
    outline = boxed(quad).astype(np.float32)
    for corner in quad:
        assert cv2.pointPolygonTest(outline, tuple(map(float, corner)), True) > -0.01


def test_corners_snap_to_the_heat_around_them() -> None:
    heat = np.zeros((60, 60), np.float32)
    heat[9:12, 9:12] = [[0.3, 0.6, 0.3], [0.6, 1.0, 0.6], [0.3, 0.6, 0.3]]
    quad = np.array([[12.0, 8.0], [50.0, 10.0], [50.0, 50.0], [10.0, 50.0]])
    moved = snapped(quad, heat, reach=5.0)
    assert np.abs(moved[0] - 10).max() < 0.01
    assert np.array_equal(moved[1:], quad[1:])

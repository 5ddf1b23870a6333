"""One readable file for each camera and table: atomic, versioned, refused when damaged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.light import Look
from calibration.store import (
    BoardCalibration,
    Calibration,
    LensCalibration,
    LightCalibration,
    StoreError,
    Unfit,
    file_name,
    format_calibration,
    grid_for,
    lens_for,
    load_calibration,
    parse_calibration,
    save_calibration,
)
from vision.geometry import corners_px
from vision.types import CameraModel, GridFit

LENS = LensCalibration(
    CameraModel(1280, 720, 0.031, -0.002, 1050.5), 0.21, 3, 812, "board", "2026-05-01T08:00:00Z"
)
BOARD = BoardCalibration(
    19,
    ((250.125, 130.5), (900.0, 100.0), (1050.0, 620.0), (120.0, 640.0)),
    1280,
    720,
    "hand",
    "2026-05-01T08:01:00Z",
)
LIGHT = LightCalibration(
    Look(90.5, 150.0, 190.0), Look(40.0, 42.0, 45.0), None, 0.01, None, "2026-05-01T08:02:00Z"
)
WHOLE = Calibration("/dev/video0", "table 3", LENS, BOARD, LIGHT)


def test_what_is_saved_is_loaded_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "table3.toml"
    save_calibration(path, WHOLE)
    assert load_calibration(path) == WHOLE
    assert [found.name for found in path.parent.iterdir()] == ["table3.toml"]


def test_without_a_file_nothing_is_known(tmp_path: Path) -> None:
    assert load_calibration(tmp_path / "none.toml") is None


def test_the_file_is_text_that_people_can_read() -> None:
    text = format_calibration(WHOLE)
    assert 'camera = "/dev/video0"' in text
    assert "[lens]" in text
    assert "k1 = 0.031" in text


@given(
    camera=st.text(max_size=40),
    table=st.text(max_size=20),
    k1=st.floats(-0.3, 0.3),
    focal=st.none() | st.floats(100, 5000),
)
def test_any_names_and_numbers_survive_the_file(
    camera: str, table: str, k1: float, focal: float | None
) -> None:
    k1, focal = round(k1, 6), None if focal is None else round(focal, 2)
    model = CameraModel(640, 480, k1, 0.0, focal)
    whole = Calibration(camera, table, replace(LENS, model=model), BOARD)
    assert parse_calibration(format_calibration(whole)) == whole


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("k1 = 0.031", "k1 = 'much'", "k1"),
        ("k1 = 0.031\n", "", "'k1' is missing"),
        ("format = ", "format = 9", "format"),
        ("size = 19", "size = 11", "size"),
        ("[board]", "[board", "damaged"),
        ('source = "hand"', "colour = 3", "damaged"),
        ("wood_bgr = [", "wood_bgr = [1, ", "three numbers"),
        ("[lens]", "unknown = 1\n[lens]", "damaged"),
        ("exposure_s = 0.01", "exposure_s = 'long'", "exposure_s must be"),
    ],
)
def test_a_damaged_file_is_refused_and_the_manual_way_named(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(format_calibration(WHOLE).replace(old, new))
    with pytest.raises(StoreError, match="by hand") as caught:
        load_calibration(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_file_of_the_first_version_is_read_and_written_as_the_newest(tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    older = replace(WHOLE, light=None)
    path.write_text(format_calibration(older).replace("format = 2", "format = 1"))
    found = load_calibration(path)
    assert found == older
    save_calibration(path, found)
    assert "format = 2" in path.read_text()


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "noise.toml"
    path.write_bytes(b"\xff\xfe\x00format")
    with pytest.raises(StoreError, match="cannot be read"):
        load_calibration(path)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        save_calibration(blocker / "x.toml", WHOLE)


def test_a_lens_is_never_applied_to_another_camera_or_resolution() -> None:
    assert lens_for(WHOLE, "/dev/video0", 1280, 720) == LENS.model
    other = lens_for(WHOLE, "/dev/video1", 1280, 720)
    assert isinstance(other, Unfit)
    assert "/dev/video1" in other.message
    assert isinstance(lens_for(WHOLE, "/dev/video0", 1920, 1080), Unfit)
    assert isinstance(lens_for(Calibration("/dev/video0"), "/dev/video0", 1280, 720), Unfit)


def test_the_stored_corners_are_the_corners_of_the_grid() -> None:
    fit = grid_for(WHOLE, "/dev/video0", 1280, 720)
    assert isinstance(fit, GridFit)
    assert np.abs(corners_px(fit) - BOARD.corners_px).max() < 1e-3
    assert fit.camera == LENS.model
    assert isinstance(grid_for(WHOLE, "/dev/video0", 1280, 960), Unfit)
    assert isinstance(grid_for(WHOLE, "picamera", 1280, 720), Unfit)


def test_two_cameras_never_share_a_file() -> None:
    names = [file_name("/dev/video0"), file_name("/dev/video0", "3"), file_name("-dev-video0")]
    names += [file_name("第一台"), file_name("第二台")]
    assert len(set(names)) == len(names)
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.") for name in names)


def test_corners_are_four_pairs() -> None:
    with pytest.raises(ValueError, match="four pairs"):
        replace(BOARD, corners_px=BOARD.corners_px[:3])

"""Labelled pictures are read with their grid, whatever their size."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.geometry import corners_px
from vision.training.photos import load_folder, load_labelled, source_of

CORNERS = [[100.0, 90.0], [1900.0, 110.0], [1850.0, 1400.0], [120.0, 1380.0]]


def write(folder: Path, name: str, label: dict[str, object]) -> Path:
    path = folder / f"{name}.jpg"
    cv2.imwrite(str(path), np.full((1500, 2000, 3), 90, np.uint8))
    path.with_suffix(".json").write_text(json.dumps(label))
    return path


def test_a_large_picture_is_scaled_with_its_corners(tmp_path: Path) -> None:
    label = {"size": 19, "corners_px": CORNERS, "source": "someone/boards (MIT)"}
    picture = load_labelled(write(tmp_path, "one", label))
    assert picture is not None
    assert picture.image.shape == (960, 1280, 3)
    assert picture.grid is not None
    assert np.abs(corners_px(picture.grid) - np.array(CORNERS) * 0.64).max() < 0.01
    assert picture.source == "someone/boards"


def test_a_label_without_corners_is_left_out(tmp_path: Path) -> None:
    assert load_labelled(write(tmp_path, "one", {"size": 19, "source": "x/y"})) is None


def test_a_folder_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    for name in ("b", "a", "c"):
        write(tmp_path, name, {"size": 9, "corners_px": CORNERS, "source": f"x/{name}"})
    pictures = load_folder(tmp_path, lambda path: source_of(path) != "x/c")
    assert [picture.name for picture in pictures] == ["a", "b"]


def test_coarse_corners_are_marked(tmp_path: Path) -> None:
    label = {
        "size": 19,
        "corners_px": CORNERS,
        "source": "x/y",
        "status": "derived from boxes, checked by eye",
    }
    picture = load_labelled(write(tmp_path, "one", label))
    assert picture is not None
    assert picture.is_coarse


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "one", {"size": 19, "corners_px": CORNERS, "source": "x/y"})
    path.write_bytes(b"no picture")
    with pytest.raises(ValueError, match=r"one\.jpg is not a picture"):
        load_labelled(path)

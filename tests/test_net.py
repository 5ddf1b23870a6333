"""Networks give the same answer whichever library runs them."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from vision.net import MODELS, ModelError, load_model, normalized, shipped_model

NAMES = ("board", "grid")


@pytest.mark.skipif(
    importlib.util.find_spec("onnxruntime") is None, reason="onnxruntime is not installed"
)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(192, 256), (352, 352), (96, 224)])
def test_opencv_and_onnxruntime_agree(name: str, shape: tuple[int, int]) -> None:
    blob = np.random.default_rng(1).standard_normal((1, 3, *shape)).astype(np.float32)
    path = MODELS / f"{name}.onnx"
    answers = [load_model(path, backend=backend)(blob) for backend in ("opencv", "onnxruntime")]
    assert answers[0].shape[2:] == (shape[0] // 4, shape[1] // 4)
    assert np.abs(answers[0] - answers[1]).max() < 1e-3


@pytest.mark.parametrize("name", NAMES)
def test_networks_are_small(name: str) -> None:
    assert (MODELS / f"{name}.onnx").stat().st_size <= 2 * 1024 * 1024


def test_a_network_is_loaded_once() -> None:
    assert shipped_model("board") is shipped_model("board")


def test_a_missing_network_is_named() -> None:
    with pytest.raises(ModelError, match=r"nowhere\.onnx"):
        load_model(Path("nowhere.onnx"))


def test_colors_are_normalized_over_the_known_part() -> None:
    rng = np.random.default_rng(0)
    image = rng.integers(50, 200, (40, 60, 3)).astype(np.uint8)
    known = np.zeros((40, 60), np.bool_)
    known[:, :30] = True
    image[:, 30:] = 255
    blob = normalized(image, known)
    assert blob.shape == (1, 3, 40, 60)
    assert np.abs(blob[..., :30].mean(axis=(2, 3))).max() < 1e-3
    assert np.abs(blob[..., :30].std(axis=(2, 3)) - 1).max() < 1e-2
    assert not blob[..., 30:].any()


def test_a_picture_of_one_color_stays_finite() -> None:
    blob = normalized(np.full((32, 32, 3), 7, np.uint8))
    assert np.isfinite(blob).all()

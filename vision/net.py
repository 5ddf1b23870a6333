"""Run a small network: one function, whichever library does it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Maps = NDArray[np.floating[Any]]
Forward = Callable[[Maps], Maps]

MODELS = Path(__file__).parent / "models"
"""Where the networks lie."""


class ModelError(RuntimeError):
    """A network is missing or cannot be read."""


def normalized(image: NDArray[np.uint8], known: NDArray[np.bool_] | None = None) -> Maps:
    """Return a picture as a network wants it: each color with mean 0 and spread 1.

    A color that hardly varies, as under a colored lamp, is not blown up to full noise.

    Parameters
    ----------
    image
        (H, W, 3) BGR.
    known
        (H, W), False where the picture has no content; these pixels become 0.

    Returns
    -------
    (1, 3, H, W) float32.
    """
    mask = None if known is None else known.view(np.uint8)
    mean, spread = (m.ravel() for m in cv2.meanStdDev(image, mask=mask))
    spread = np.maximum(np.maximum(spread, 0.3 * spread.max()), 2.0)
    blob = np.empty((1, 3, *image.shape[:2]), np.float32)
    for channel in range(3):
        plane = blob[0, channel]
        np.subtract(image[..., channel], np.float32(mean[channel]), out=plane)
        plane /= np.float32(spread[channel])
        if known is not None:
            plane *= known
    return blob


def _with_opencv(path: Path) -> Forward:
    # OpenCV 5 has several engines; the classic one is the fastest on these networks.
    engine: Any = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    arguments = (str(path),) if engine is None else (str(path), engine)
    network = cv2.dnn.readNetFromONNX(*arguments)

    def forward(blob: Maps) -> Maps:
        network.setInput(blob)
        # The network owns the memory of its answer and uses it again.
        return np.array(network.forward(), np.float32)

    return forward


def _with_onnxruntime(path: Path) -> Forward:
    import onnxruntime  # late: an optional extra

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name

    def forward(blob: Maps) -> Maps:
        return np.asarray(session.run(None, {name: blob})[0], np.float32)

    return forward


def load_model(path: Path, *, backend: str = "auto") -> Forward:
    """Load a network and return the function that runs it on a (B, C, H, W) float32 blob.

    Parameters
    ----------
    backend
        "opencv", "onnxruntime", or "auto": onnxruntime where it is installed.

    Raises
    ------
    ModelError
        If the file is missing.
    """
    if not path.is_file():
        raise ModelError(f"no network at {path}")
    if backend == "auto":
        found = importlib.util.find_spec("onnxruntime") is not None
        backend = "onnxruntime" if found else "opencv"
    return _with_onnxruntime(path) if backend == "onnxruntime" else _with_opencv(path)


@lru_cache(maxsize=8)
def shipped_model(name: str) -> Forward:
    """Return the network `name` of this package, loaded once a process."""
    return load_model(MODELS / f"{name}.onnx")

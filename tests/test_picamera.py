"""The Pi's camera: every call is one that the real package takes, and nothing moves by itself."""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import inspect
import os
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

from vision.camera_mode import CameraMode
from vision.picamera import SMALL, PiCapture

PLACE = os.environ.get("BANMEN_PICAMERA2", "")
"""Folder into which `pip install --no-deps --target FOLDER picamera2` has put the package."""

BOUND_TO_HARDWARE = {
    *("libcamera", "pidng", "piexif", "simplejpeg", "videodev2", "prctl", "av", "libarchive"),
    *("tqdm", "jsonschema", "OpenEXR", "Imath", "PIL", "pykms", "kms"),
}
"""What picamera2 imports and only a Pi has, or what says nothing about its own signatures."""


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives an empty module for everything that is bound to the hardware."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Take what is to be stubbed."""
        is_stub = name.split(".")[0] in BOUND_TO_HARDWARE
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if is_stub else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Any:
        """Return a module that has everything."""
        module = MagicMock(name=spec.name)
        module.__path__ = []
        module.__spec__ = spec
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing to run."""


@pytest.fixture(scope="module")
def real() -> Iterator[Any]:
    """Import the real package beside stubs of libcamera and its like."""
    if not (Path(PLACE) / "picamera2").is_dir() or not PLACE:
        pytest.skip("picamera2 is not here: BANMEN_PICAMERA2 names no folder with it")
    stubs, before = Stubs(), set(sys.modules)
    sys.meta_path.insert(0, stubs)
    sys.path.insert(0, PLACE)
    try:
        yield importlib.import_module("picamera2")
    finally:
        sys.path.remove(PLACE)
        sys.meta_path.remove(stubs)
        for name in set(sys.modules) - before:
            del sys.modules[name]


class Request:
    """A picture as picamera2 gives it."""

    def __init__(self, value: int) -> None:
        self.value = value

    def make_array(self, name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return the stream of a name."""
        shape = (720, 1280, 3) if name == "main" else (SMALL[1] * 3 // 2, SMALL[0])
        return np.full(shape, self.value, np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        """Return what libcamera tells."""
        return {"ExposureTime": 18_000, "AnalogueGain": 2.0, "ColourGains": (1.8, 1.5)}


class Camera:
    """Notes every call, and holds it against the real signature where there is one."""

    def __init__(self, real: Any = None, controls: Sequence[str] = ("LensPosition",)) -> None:
        self._real = real
        self.camera_controls = dict.fromkeys((*controls, "AeFlickerPeriod"))
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.value = 100
        self.is_broken = False

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            if self._real is not None:
                signature = inspect.signature(getattr(self._real.Picamera2, name))
                signature.bind(self, *arguments, **named)
            self.calls.append((name, arguments, named))
            if name == "configure" and self.is_broken:
                raise RuntimeError("camera is in use")
            return contextlib.nullcontext(Request(self.value)) if "captured" in name else True

        return call

    def controls(self) -> list[dict[str, Any]]:
        """Return what was set, in order."""
        return [arguments[0] for name, arguments, _ in self.calls if name == "set_controls"]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the seconds that the adapter sees."""
    now = [0.0]
    monkeypatch.setattr("vision.picamera.time.monotonic", lambda: now[0])
    return now


def read(capture: PiCapture, clock: list[float], seconds: float) -> None:
    """Read pictures for a while."""
    for _ in range(round(seconds * 10)):
        clock[0] += 0.1
        is_there, image = capture.read()
        assert is_there
        assert image is not None
        assert image.shape == (720, 1280, 3)


def run_through(camera: Camera, clock: list[float]) -> None:
    """Make every call that the adapter ever makes."""
    for mode in (CameraMode(), CameraMode(focus_m=0.8)):
        capture = PiCapture(mode, camera)
        camera.value = 100
        read(capture, clock, 3.0)
        camera.value = 20
        read(capture, clock, 4.0)
        capture.release()


def test_every_call_is_one_that_the_real_package_takes(real: Any, clock: list[float]) -> None:
    camera = Camera(real)
    run_through(camera, clock)
    assert {name for name, _, _ in camera.calls} == {
        "create_video_configuration",
        "configure",
        "set_controls",
        "start",
        "autofocus_cycle",
        "captured_request",
        "close",
    }
    request = real.CompletedRequest
    inspect.signature(request.make_array).bind(None, "main")
    inspect.signature(request.get_metadata).bind(None)


def test_exposure_is_held_after_settling_and_set_free_when_the_light_changes(
    clock: list[float],
) -> None:
    camera = Camera()
    capture = PiCapture(CameraMode(focus_m=0.5), camera)
    read(capture, clock, 3.0)
    camera.value = 20
    read(capture, clock, 4.0)
    assert camera.controls() == [
        {"AeFlickerMode": 1, "AeFlickerPeriod": 10_000},
        {"AfMode": 0, "LensPosition": 2.0},
        {"ExposureTime": 20_000, "AnalogueGain": pytest.approx(1.8), "ColourGains": (1.8, 1.5)},
        {"AeEnable": True, "AwbEnable": True},
    ]


def test_without_a_lens_that_moves_nothing_is_focused(clock: list[float]) -> None:
    camera = Camera(controls=())
    capture = PiCapture(CameraMode(lock_exposure=False), camera)
    read(capture, clock, 3.0)
    assert "autofocus_cycle" not in {name for name, _, _ in camera.calls}
    assert len(camera.controls()) == 1


def test_a_camera_that_cannot_be_started_is_closed_again() -> None:
    camera = Camera()
    camera.is_broken = True
    with pytest.raises(RuntimeError, match="in use"):
        PiCapture(CameraMode(), camera)
    assert camera.calls[-1][0] == "close"

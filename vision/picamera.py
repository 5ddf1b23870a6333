"""The Raspberry Pi's own camera through picamera2, which the system brings."""

from __future__ import annotations

import logging
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.camera_mode import CameraMode
from vision.exposure import Held, Metering, Regulation, Released, regulate

log = logging.getLogger(__name__)

WAIT_S = 5.0
"""A picture that takes longer does not come."""

SMALL = (320, 240)
"""Width and height of the stream by which the light is measured."""

MANUAL_FOCUS, AUTO_FOCUS = 0, 1
"""libcamera's AfModeEnum."""

MANUAL_FLICKER = 1
"""libcamera's AeFlickerModeEnum."""


class PiCapture:
    """An open Pi camera: a stream for recognition, a small one by which light is measured."""

    def __init__(self, mode: CameraMode, camera: Any = None) -> None:
        """Open the camera and start it; raises what picamera2 raises if there is none.

        `camera` stands for the real one in tests.
        """
        if camera is None:
            from picamera2 import Picamera2  # here, because only a Pi has it

            camera = Picamera2()
        self._camera = camera
        self._mode = mode
        self._regulation = Regulation()
        try:
            self._begin()
        except BaseException:
            camera.close()
            raise

    def _begin(self) -> None:
        mode, camera = self._mode, self._camera
        frame_us = round(1e6 / mode.rate)
        # On a Pi 4 the small stream must be YUV. RGB888 has blue first in memory.
        configuration = camera.create_video_configuration(
            main={"size": (mode.width, mode.height), "format": "RGB888"},
            lores={"size": SMALL, "format": "YUV420"},
            controls={"FrameDurationLimits": (frame_us, frame_us)},
            buffer_count=4,
            queue=False,
        )
        camera.configure(configuration)
        known = camera.camera_controls
        if mode.mains_hz and "AeFlickerPeriod" in known:
            period_us = round(0.5e6 / mode.mains_hz)
            camera.set_controls({"AeFlickerMode": MANUAL_FLICKER, "AeFlickerPeriod": period_us})
        camera.start()
        if "LensPosition" in known:
            self._focus()

    def _focus(self) -> None:
        """Fix the focus: a hand over the board must not pull it away."""
        if self._mode.focus_m > 0:
            lens = {"AfMode": MANUAL_FOCUS, "LensPosition": 1 / self._mode.focus_m}
            self._camera.set_controls(lens)
            return
        self._camera.set_controls({"AfMode": AUTO_FOCUS})
        # In this mode the lens stays where one search has left it.
        if not self._camera.autofocus_cycle(wait=WAIT_S):
            log.warning("the camera cannot focus; set [camera] focus_m")

    def read(self) -> tuple[bool, NDArray[np.uint8] | None]:
        """Wait for the next picture; raises what picamera2 raises when none comes."""
        with self._camera.captured_request(wait=WAIT_S) as request:
            image = np.asarray(request.make_array("main"), np.uint8)
            small = np.asarray(request.make_array("lores"), np.uint8)
            told = request.get_metadata()
        if self._mode.lock_exposure:
            self._regulate(told, small[: SMALL[1], : SMALL[0]])
        return True, image

    def _regulate(self, told: dict[str, Any], luminance: NDArray[np.uint8]) -> None:
        red, blue = told.get("ColourGains", (1.0, 1.0))
        seen = Metering(
            told["ExposureTime"] / 1e6,
            float(told["AnalogueGain"]),
            (float(red), float(blue)),
            float(luminance.mean()),
        )
        self._regulation, order = regulate(
            self._regulation, seen, time.monotonic(), mains_hz=self._mode.mains_hz
        )
        if isinstance(order, Held):
            log.info("exposure is held at %.1f ms, gain %.1f", 1e3 * order.exposure_s, order.gain)
            # No AeEnable beside them: it would win over the values.
            self._camera.set_controls(
                {
                    "ExposureTime": round(1e6 * order.exposure_s),
                    "AnalogueGain": order.gain,
                    "ColourGains": order.color_gains,
                }
            )
        elif isinstance(order, Released):
            log.info("the light has changed, exposure settles again")
            self._camera.set_controls({"AeEnable": True, "AwbEnable": True})

    def release(self) -> None:
        """Stop the camera."""
        self._camera.close()

"""A network camera that shows a picture file again and again, by GStreamer's RTSP server.

For Debian's own Python: `python3 rtsp_camera.py PICTURE.jpg` prints its address.
"""

from __future__ import annotations

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402 - only with a version chosen

if len(sys.argv) < 2:
    sys.exit(0)  # whoever asks knows now that it would work

Gst.init(None)
server = GstRtspServer.RTSPServer(address="127.0.0.1", service="0")
camera = GstRtspServer.RTSPMediaFactory(shared=True)
camera.set_launch(
    f'( multifilesrc location="{sys.argv[1]}" loop=true caps="image/jpeg,framerate=6/1"'
    " ! jpegdec ! jpegenc ! rtpjpegpay name=pay0 )"
)
server.get_mount_points().add_factory("/goban", camera)
server.attach(None)
sys.stdout.write(f"rtsp://127.0.0.1:{server.get_bound_port()}/goban\n")
sys.stdout.flush()
GLib.MainLoop().run()

"""Serves a hub's pages to thousands of viewers: light threads instead of real ones."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from flask import Flask
from gevent import monkey
from gevent.pywsgi import WSGIServer

from recorder.hall.boards import Boards
from recorder.web.places import Places
from recorder.web.server import PageServerError

BACKLOG = 1024
STOP_S = 1.0
"""So long the requests under way may take when the server stops."""


def is_light() -> bool:
    """Return whether every thread and lock of this process is gevent's."""
    return bool(monkey.is_module_patched("threading"))


def lightened(words: Sequence[str]) -> list[str]:
    """Return the command that runs a program so, from before its first import."""
    return [sys.executable, "-m", "gevent.monkey", *words]


class LightServer:
    """Serves the application of a hub over http until stopped; in a process that `is_light`."""

    def __init__(self, app: Flask, boards: Boards, places: Places) -> None:
        self._app = app
        self._boards = boards
        self._places = places
        self._server: Any = None

    def start(self, host: str, port: int) -> int:
        """Serve from now on; return the port. Raises `PageServerError` if nobody can listen."""
        self._server = WSGIServer((host, port), self._app, backlog=BACKLOG, log=None)
        try:
            self._server.start()
        except OSError as error:
            raise PageServerError(f"cannot serve pages on {host}:{port}: {error}") from error
        return int(self._server.server_port)

    def stop(self) -> None:
        """End every stream and free the port."""
        self._places.close()
        self._boards.wake()
        self._server.stop(STOP_S)

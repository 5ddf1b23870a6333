"""Serves the hub's pages: one thread for the sockets, a pool for requests and streams."""

from __future__ import annotations

import logging
from threading import Event, Thread
from typing import Any

from flask import Flask

from recorder.hall.boards import Boards
from recorder.hall.queue import CONSOLES
from recorder.web.places import Places
from recorder.web.server import JOIN_S, PageServerError, listen

log = logging.getLogger(__name__)


class HallServer:
    """Serves the application of a hub over http until stopped."""

    def __init__(self, app: Flask, boards: Boards, places: Places) -> None:
        self._app = app
        self._boards = boards
        self._places = places
        self._stopping = Event()
        self._server: Any = None
        self._thread: Thread | None = None

    def start(self, host: str, port: int) -> int:
        """Serve from now on; return the port. Raises `PageServerError` if nobody can listen."""
        logging.getLogger("waitress").setLevel(logging.WARNING)
        try:
            self._server = listen(self._app, host, port, self._places.limit + CONSOLES)
        except OSError as error:
            raise PageServerError(f"cannot serve pages on {host}:{port}: {error}") from error
        self._thread = Thread(target=self._run, name="pages", daemon=True)
        self._thread.start()
        return int(self._server.effective_port)

    def stop(self) -> None:
        """End every stream, close every connection, free the port."""
        if self._thread is None:
            return
        self._places.close()
        self._boards.wake()
        self._stopping.set()
        self._server.pull_trigger()
        self._thread.join(JOIN_S)
        self._thread = None
        self._server.task_dispatcher.shutdown()
        self._server.asyncore.close_all(self._server._map)

    def _run(self) -> None:
        server = self._server
        while not self._stopping.is_set():
            server.asyncore.loop(timeout=1.0, use_poll=True, map=server._map, count=1)

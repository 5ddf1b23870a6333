"""Runs the pages in a thread of their own, beside the pipeline."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

from flask import Flask
from waitress import create_server

from recorder.health import Health
from recorder.library import Library
from recorder.web.app import BEAT_S, VIEWERS, create_app
from recorder.web.clock_page import CLOCKS
from recorder.web.desk import DESKS
from recorder.web.live import LiveGame
from recorder.web.places import Places
from recorder.web.referee import CONSOLES, Console
from recorder.web.secure import Certificate, SecureServer

log = logging.getLogger(__name__)

SPARE_THREADS = 16
"""Threads for everything that is no event stream."""

PRIVATE_THREADS = CONSOLES + DESKS + CLOCKS
"""Threads for the event streams of the private pages."""

JOIN_S = 10.0


class PageServerError(OSError):
    """The address cannot be served, for example because another program has it."""


class PageServer:
    """Serves a live game over http until stopped; can be started again.

    The sockets are handled by one thread, requests and streams by a pool of `viewers` + 16.
    """

    def __init__(
        self,
        live: LiveGame,
        *,
        viewers: int = VIEWERS,
        beat_s: float = BEAT_S,
        console: Console | None = None,
        library: Library | None = None,
        health: Health | None = None,
        certificate: Certificate | None = None,
    ) -> None:
        """Prepare to serve; the options are those of `create_app`.

        With a `certificate` the pages are served by https, and by nothing else.
        """
        self._certificate = certificate
        self._live = live
        self._viewers = viewers
        self._beat_s = beat_s
        self._console = console
        self._library = library
        self._health = health
        self._places = Places(viewers)
        self._stopping = Event()
        self._server: Any = None
        self._secure: SecureServer | None = None
        self._thread: Thread | None = None

    @property
    def streams(self) -> int:
        """How many event streams are open."""
        return self._places.taken

    def start(self, host: str = "127.0.0.1", port: int = 8080) -> int:
        """Serve from now on; return the port (a free one if `port` is 0).

        Raises
        ------
        PageServerError
            Nobody can listen there.
        """
        self._places = Places(self._viewers)
        self._stopping.clear()
        # It tells of every viewer who leaves; that is no news.
        logging.getLogger("waitress").setLevel(logging.WARNING)
        app = create_app(
            self._live,
            places=self._places,
            beat_s=self._beat_s,
            console=self._console,
            library=self._library,
            health=self._health,
        )
        try:
            port, run = self._listen(app, host, port)
        except OSError as error:
            raise PageServerError(f"cannot serve pages on {host}:{port}: {error}") from error
        self._thread = Thread(target=run, name="pages", daemon=True)
        self._thread.start()
        scheme = "http" if self._certificate is None else "https"
        log.info("pages are served on %s://%s:%s", scheme, host, port)
        return port

    def _listen(self, app: Flask, host: str, port: int) -> tuple[int, Callable[[], None]]:
        """Listen; return the port and what answers there."""
        streams = self._viewers + self._private_threads()
        if self._certificate is None:
            self._server = listen(app, host, port, streams)
            return int(self._server.effective_port), self._run
        app.config["SESSION_COOKIE_SECURE"] = True
        self._secure = SecureServer(app, host, port, streams + SPARE_THREADS, self._certificate)
        return self._secure.port, self._secure.run

    def stop(self) -> None:
        """End every stream, close every connection, free the port. Does nothing if not started."""
        if self._thread is None:
            return
        self._places.close()
        self._live.wake()
        if self._console is not None:
            self._console.game.wake()
        self._stopping.set()
        if self._secure is not None:
            self._secure.stop()
            self._thread.join(JOIN_S)
            self._thread, self._secure = None, None
            return
        self._server.pull_trigger()
        self._thread.join(JOIN_S)
        self._thread = None
        # Requests on their way may still wake the loop, so its sockets are closed after them.
        self._server.task_dispatcher.shutdown()
        self._server.asyncore.close_all(self._server._map)

    def _private_threads(self) -> int:
        return 0 if self._console is None else PRIVATE_THREADS

    def _run(self) -> None:
        """Handle sockets until told to stop."""
        server = self._server
        while not self._stopping.is_set():
            server.asyncore.loop(timeout=1.0, use_poll=True, map=server._map, count=1)


def listen(app: Flask, host: str, port: int, streams: int) -> Any:
    """Return a server of an application with a thread for each stream, and some for the rest."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return create_server(
        app,
        sockets=[socket.create_server((host, port), family=family, backlog=1024)],
        threads=streams + SPARE_THREADS,
        # The limit counts sockets; streams beyond the places are answered, not refused.
        connection_limit=2 * streams + 128,
        channel_timeout=60,
        ident=None,
        asyncore_use_poll=True,
    )

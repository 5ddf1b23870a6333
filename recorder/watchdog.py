"""Tells systemd that the service is ready and alive, by plain messages to its socket."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Mapping

log = logging.getLogger(__name__)

SHARE = 0.3
"""Of the time that systemd waits: so often a sign of life is sent."""


def notify(message: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Send a message such as "READY=1" to systemd; return whether anybody was there to take it.

    References
    ----------
    sd_notify(3): a datagram to the socket named by NOTIFY_SOCKET, "@" for an abstract one.
    """
    address = environment.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        try:
            sender.connect("\0" + address[1:] if address.startswith("@") else address)
            sender.sendall(message.encode())
        except OSError as error:
            log.warning("systemd cannot be told %s: %s", message, error)
            return False
    return True


class Watchdog:
    """A chore of the loop: a sign of life whenever it has dealt with what there was to do.

    A loop that hangs, or that fails on every frame, sends none and is started again. A camera that
    gives no frames is no reason for that: the loop lives, and may own the players' clocks.
    """

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        *,
        status: Callable[[], str] = lambda: "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the interval from the environment that systemd gives; `status` is for people."""
        self._environment = environment
        self._status = status
        self._clock = clock
        self._said = ""
        text = environment.get("WATCHDOG_USEC", "")
        self._every_s = int(text) / 1e6 * SHARE if text.isdecimal() else None
        self._due_s = 0.0

    def tend(self, now_s: float) -> None:
        """Send what is due."""
        status = self._status()
        if status != self._said:
            self._said = status
            notify(f"STATUS={status}", self._environment)
        if self._every_s is not None and self._clock() >= self._due_s:
            self._due_s = self._clock() + self._every_s
            notify("WATCHDOG=1", self._environment)

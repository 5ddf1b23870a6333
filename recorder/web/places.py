"""How many may hold an event stream at once, and the end of all streams when the server stops."""

from __future__ import annotations

from threading import Lock


class Places:
    """Counts the open streams of one server; thread-safe."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._taken = 0
        self._is_closed = False
        self._lock = Lock()

    @property
    def taken(self) -> int:
        """How many streams are open."""
        return self._taken

    def take(self) -> bool:
        """Take a place; return False if there is none left or the server stops."""
        with self._lock:
            if self._is_closed or self._taken >= self.limit:
                return False
            self._taken += 1
            return True

    def give_back(self) -> None:
        """Free a place."""
        with self._lock:
            self._taken -= 1

    def close(self) -> None:
        """Let no stream start or go on."""
        self._is_closed = True

    def is_closed(self) -> bool:
        """Whether streams must end."""
        return self._is_closed

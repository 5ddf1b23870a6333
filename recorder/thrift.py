"""Gives memory that is not used any more back to the system."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

EVERY_S = 60.0


def malloc_trim() -> None:
    """Let the C library give back the pages it keeps for later; other libraries do so themselves.

    References
    ----------
    malloc_trim(3): an extension of the GNU C library.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


class Thrift:
    """A chore of the loop: once a minute, gives back what the search for a grid took and freed.

    Images of many sizes leave holes between what lives on: 15 MB of 70 after such a search.
    """

    def __init__(self, give_back: Callable[[], None] = malloc_trim) -> None:
        self._give_back = give_back
        self._due_s: float | None = None

    def tend(self, now_s: float) -> None:
        """Give back what is due."""
        if self._due_s is None or now_s >= self._due_s:
            self._due_s = now_s + EVERY_S
            self._give_back()

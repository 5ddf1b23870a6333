"""A thread with an event loop of its own, for one coroutine that runs until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import Any

log = logging.getLogger(__name__)

AGAIN_S = 1.0


class Background:
    """Runs a coroutine beside the rest of the program, and again if it fails."""

    def __init__(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._name = name
        self._work = work
        self._is_over = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Run from now on."""
        ready = threading.Event()
        self._is_over = False
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._main(ready)), name=self._name, daemon=True
        )
        self._thread.start()
        ready.wait()

    def stop(self, timeout_s: float = 5.0) -> None:
        """Cancel the coroutine and wait for its end. Does nothing if it does not run."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self.call(self._cancel)
        thread.join(timeout_s)

    def _cancel(self) -> None:
        self._is_over = True
        if self._task is not None:
            self._task.cancel()

    def call(self, do: Callable[[], object]) -> None:
        """Let the loop call a function soon; from any thread, returns at once."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(do)

    async def _main(self, ready: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        ready.set()
        while not self._is_over:
            self._task = asyncio.create_task(self._work())
            try:
                await self._task
            except asyncio.CancelledError:
                return
            except Exception:
                log.exception("%s has failed, going on", self._name)
                await asyncio.sleep(AGAIN_S)


async def together(*parts: Coroutine[Any, Any, None]) -> None:
    """Run coroutines beside each other; if one fails the others end, so that all begin anew."""
    async with asyncio.TaskGroup() as group:
        for part in parts:
            group.create_task(part)

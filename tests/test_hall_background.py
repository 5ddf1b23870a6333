"""Tests of the thread that keeps a connection's work going."""

from __future__ import annotations

import asyncio
import threading

from recorder.hall.background import Background, together


class Work:
    """Two parts, of which one fails the first time."""

    def __init__(self) -> None:
        self.starts = 0
        self.running = 0
        self.most = 0
        self.is_again = threading.Event()

    async def all(self) -> None:
        await together(self.go_on(), self.fail_once())

    async def go_on(self) -> None:
        self.starts += 1
        self.running += 1
        self.most = max(self.most, self.running)
        if self.starts == 2:
            self.is_again.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.running -= 1

    async def fail_once(self) -> None:
        if self.starts == 1:
            raise OSError("the disk is full")


def test_when_a_part_fails_the_others_end_before_all_begin_anew() -> None:
    work = Work()
    background = Background("work", work.all)
    background.start()
    assert work.is_again.wait(60.0)
    background.stop()
    assert (work.most, work.running) == (1, 0)

"""What waits for the loop: pages first, every frame of a file, the newest of a camera."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from recorder.goban import Color
from recorder.mailbox import ClosedError, Ended, Mailbox, Submitted, pump
from recorder.observations import Pass
from vision.types import Frame


def frame(number: int) -> Frame:
    """Return a frame with a number."""
    return Frame(np.zeros((4, 4, 3), np.uint8), number / 5, number=number)


def number_of(item: object) -> int:
    """Return the number of what should be a frame."""
    assert isinstance(item, Frame)
    return item.number


def test_of_a_camera_the_newest_frame_wins() -> None:
    mailbox = Mailbox(keeps_every_frame=False)
    for number in range(3):
        mailbox.offer(frame(number))
    assert number_of(mailbox.take(0)) == 2
    assert mailbox.take(0) is None


def test_of_a_file_every_frame_is_taken_and_then_it_ends() -> None:
    mailbox = Mailbox(keeps_every_frame=True)
    thread = pump((frame(n) for n in range(20)), mailbox)
    taken = [number_of(mailbox.take(10)) for _ in range(20)]
    assert taken == list(range(20))
    assert mailbox.take(10) == Ended()
    thread.join(10)


def test_an_observation_goes_before_frames() -> None:
    mailbox = Mailbox(keeps_every_frame=True)
    mailbox.offer(frame(0))
    mailbox.submit(Pass(Color.BLACK))
    item = mailbox.take(0)
    assert isinstance(item, Submitted)
    assert item.content == Pass(Color.BLACK)
    assert number_of(mailbox.take(0)) == 0


def test_closing_ends_the_loop_at_once_and_the_camera_too() -> None:
    mailbox = Mailbox(keeps_every_frame=True)
    thread = pump((frame(n) for n in range(1000)), mailbox)
    assert number_of(mailbox.take(10)) == 0
    mailbox.close()
    item = mailbox.take(0)
    assert isinstance(item, Ended)
    assert item.is_stopped
    thread.join(10)
    assert not thread.is_alive()
    with pytest.raises(ClosedError, match="has ended"):
        mailbox.submit(Pass(Color.BLACK))


def test_a_fault_of_the_camera_reaches_the_loop() -> None:
    def broken() -> object:
        yield frame(0)
        raise OSError("the file ends in the middle")

    mailbox = Mailbox(keeps_every_frame=True)
    pump(broken(), mailbox).join(10)  # type: ignore[arg-type]
    assert number_of(mailbox.take(10)) == 0
    item = mailbox.take(10)
    assert isinstance(item, Ended)
    assert str(item.fault) == "the file ends in the middle"


def test_a_waiting_loop_wakes_for_what_comes() -> None:
    mailbox = Mailbox(keeps_every_frame=False)
    taken: list[object] = []
    thread = threading.Thread(target=lambda: taken.append(mailbox.take(10)))
    thread.start()
    mailbox.offer(frame(7))
    thread.join(10)
    assert number_of(taken[0]) == 7

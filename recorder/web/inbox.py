"""Where the console's words go: into the loop that runs now, if one does."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from recorder.mailbox import ClosedError
from recorder.observations import Content

Submit = Callable[[Content], Future[int]]


class Inbox:
    """Passes observations on to a loop; the pages may be served before and after it runs."""

    def __init__(self) -> None:
        self._submit: Submit | None = None

    def connect(self, submit: Submit) -> None:
        """Pass observations on from now on."""
        self._submit = submit

    def disconnect(self) -> None:
        """Refuse observations from now on."""
        self._submit = None

    def submit(self, content: Content) -> Future[int]:
        """Leave an observation for the loop; raise `ClosedError` if none runs."""
        if self._submit is None:
            raise ClosedError("no game is being recorded")
        return self._submit(content)

"""What things are called at the message server: subjects, streams and buckets of an event."""

from __future__ import annotations

import re
from dataclasses import dataclass

ALL = "*"
_TOKEN = re.compile(r"[A-Za-z0-9-]{1,40}")


class HallNameError(ValueError):
    """A name that cannot be part of a subject."""


def checked(name: str, what: str) -> str:
    """Return a name that may be part of a subject; raise `HallNameError` for any other."""
    if not _TOKEN.fullmatch(name):
        raise HallNameError(f"{what} must be 1 to 40 letters, digits and hyphens, got {name!r}")
    return name


@dataclass(frozen=True, slots=True)
class Subjects:
    """The names of one event; `board` is a board's name or `ALL`."""

    event: str

    def __post_init__(self) -> None:
        checked(self.event, "event")

    @property
    def stream(self) -> str:
        """The stream that keeps the rows of every board's log."""
        return f"banmen-{self.event}"

    @property
    def state_bucket(self) -> str:
        """The key-value bucket with each board's last state, for those who join late."""
        return f"banmen-{self.event}-state"

    def rows(self, board: str = ALL) -> str:
        """Return where a device publishes the rows of its log."""
        return f"banmen.{self.event}.{board}.events"

    def state(self, board: str = ALL) -> str:
        """Return where a device puts its state: its key in the bucket."""
        return f"$KV.{self.state_bucket}.{board}"

    def heads(self, board: str) -> str:
        """Return where hubs report to a device what they have."""
        return f"banmen.{self.event}.{board}.heads"

    def requests(self, board: str) -> str:
        """Return where a device takes rulings and is asked for pictures."""
        return f"banmen.{self.event}.{board}.requests"

    def picture_bucket(self, board: str) -> str:
        """Return the object store for one board's pictures, so that no other can write there."""
        return f"banmen-{self.event}-{board}-pictures"

    def board_of(self, subject: str) -> str | None:
        """Return the board in a subject of this event, None if it is not one."""
        parts = subject.split(".")
        if subject.startswith("$KV.") and len(parts) == 3 and parts[1] == self.state_bucket:
            return parts[2]
        if len(parts) == 4 and parts[:2] == ["banmen", self.event]:
            return parts[2]
        return None

"""The minutes of a game: what the referee notes, the count, who has confirmed the result."""

from __future__ import annotations

from dataclasses import dataclass, replace

from recorder.events import CountEntered, Noted, ResultChanged, ResultSigned
from recorder.goban import Color

EVIDENCE_OPENED = "evidence-opened"
"""Kind of the note that says who looked at the pictures of an alert."""

PICTURES_DELETED = "pictures-deleted"
"""Kind of the note that says who deleted the pictures of the game."""

Minuted = Noted | CountEntered | ResultSigned
"""Events that go into the minutes and change nothing else."""


@dataclass(frozen=True, slots=True)
class Minutes:
    """What was noted of a game besides moves and alerts. Immutable."""

    notes: tuple[Noted, ...] = ()
    """In order."""

    count: CountEntered | None = None
    """The count that was entered last."""

    signatures: tuple[ResultSigned, ...] = ()
    """The players who have confirmed the result as it is."""

    @property
    def has_both_signatures(self) -> bool:
        """Whether both players have confirmed the result."""
        return {signature.color for signature in self.signatures} == set(Color)

    def noted(self, kind: str) -> tuple[Noted, ...]:
        """Return the notes of one kind, in order."""
        return tuple(note for note in self.notes if note.kind == kind)


def with_entry(minutes: Minutes, event: Minuted) -> Minutes:
    """Return the minutes with one more entry; a player signs once."""
    match event:
        case Noted():
            return replace(minutes, notes=(*minutes.notes, event))
        case CountEntered():
            return replace(minutes, count=event)
        case ResultSigned():
            others = tuple(s for s in minutes.signatures if s.color is not event.color)
            return replace(minutes, signatures=(*others, event))


def after_result(minutes: Minutes, before: str | None, event: ResultChanged) -> Minutes:
    """Return the minutes after a result: who has signed has signed it as it was `before`."""
    is_same = event.result == before
    return minutes if is_same or not minutes.signatures else replace(minutes, signatures=())

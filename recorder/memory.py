"""What the session remembers besides the record: what is open, pending or implied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from recorder.events import Event, MovePlayed
from recorder.game import Game, apply
from recorder.goban import Board, Color, Point

GRACE_S = 8.0
"""An unexplained change, or a capture not cleared, is held back so long since its last progress."""

SHORT_GRACE_S = 4.0
"""With the next move, what has been open so long is reported at once."""

HAND_S = 6.0
"""So long after his stone what vanishes beside it is taken to be lifted by the player."""

DWELL_S = 1.0
"""A stone that stood for less has dropped or was adjusted: it was not yet played."""

HUMAN_S = 1.5
"""Two stones of one color first seen less apart are no two moves: nobody plays so fast. One of
them has dropped, or was never there."""

DOUBT_S = 3.0
"""So long after the later of two such stones appeared, both are believed to be there."""

SETTLING_S = 1.0
"""Where stones are told one by one as they settle, what belongs together is complete after so
long; a view without times is a whole one."""

CLOCK_TOLERANCE_S = 1.5
"""A press so much earlier than the stone or the clearing is early; camera and clock differ by
1.0 s at most, and 2.0 s must be reported."""

PRESS_CERTAIN_S = 0.3
"""A press whose moment is less certain warns nobody: clock alerts become notes."""

OLDEST_PRESS_S = 3.0
"""A page cannot say that a press was longer ago."""

UNSEEN_S = 60.0
"""An urgent alert that nobody has taken note of for so long goes to the chief referee."""

LATE_S = 2.0
"""A stone that appears so soon after a second one of the other color was only hidden before."""

SAME_TIME_S = 0.1
"""Stones first seen less apart have no known order."""

MISMATCH_S = 60.0
"""A difference that no alert covers is called to mind after so long."""

Shown = frozenset["Color | None"]
"""What a point of the goban may show."""


class Seen(NamedTuple):
    """When a point of the goban came to differ from the record."""

    t_s: float
    """First seen so."""

    view_s: float
    """Time of the settled view that reported it."""

    empty_s: float | None = None
    """When it was last seen empty, where that is not the view before."""

    @property
    def earliest_s(self) -> float:
        """Since when it may have stood there: a hidden point was last seen empty well before."""
        return self.t_s if self.empty_s is None else self.empty_s

    @property
    def is_tracked(self) -> bool:
        """Whether it was told as it settled, not as part of a whole stable view."""
        return self.t_s < self.view_s


@dataclass(frozen=True, slots=True)
class Standing:
    """A difference between goban and record that is accounted for, until it is put right."""

    kind: str
    """Type of the alert, or "take-back", "held", "restart"."""

    alert_id: int
    """0: none."""

    color: Color | None
    number: int
    """Number that the next move had when it came about."""

    shows: Mapping[Point, Shown]
    """What the goban may show meanwhile."""

    t_s: float = 0.0
    """When it happened."""

    view_s: float = 0.0
    """When it was told."""


@dataclass(frozen=True, slots=True)
class Uncleared:
    """A capture of which stones may still lie on the goban."""

    mover: Color
    number: int
    stones: Mapping[Point, Color]
    """What was captured."""

    progress_s: float
    """When the last of them was lifted, or the capturing stone was played."""

    is_begun: bool = False
    """Whether some of them were lifted."""

    pressed_s: float | None = None
    """When the mover pressed the clock with stones still standing."""

    is_press_judged: bool = False
    is_press_certain: bool = True
    """Whether the moment of the press is known well enough to warn for it."""

    is_reported: bool = False
    alert_id: int = 0
    """The alert that reports it as not cleared; 0: none."""


@dataclass(frozen=True, slots=True)
class Implied:
    """A pass that counts if the opponent plays on."""

    color: Color
    t_s: float
    reason: str
    """"press", "end-proposed" or "void"."""

    is_answered: bool = False
    """The opponent has pressed since: both may have moved unseen, and no stone came too late."""

    is_certain: bool = True
    """Whether the moment of the press is known well enough to warn for it."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last stone was lifted and played elsewhere; the opponent has not replied yet."""

    alert_id: int
    number: int
    color: Color
    origin: Point
    target: Point
    seen: Seen
    is_settled: bool
    """The original point counts: claimed, or by the rule set."""


@dataclass(frozen=True, slots=True)
class Held:
    """Stones of one color seen first in the same view: which of them is the move is not known."""

    color: Color
    points: tuple[Point, ...]
    seen: Seen
    alert_id: int


@dataclass(frozen=True, slots=True)
class Claimable:
    """An illegal move that stands unless the opponent claims before his reply."""

    alert_id: int
    kind: str
    number: int


@dataclass(frozen=True)
class Memory:
    """See the fields; everything is small, whatever the length of the game."""

    seen: Mapping[Point, Seen] = field(default_factory=dict)
    """For the points at which goban and record differ."""

    last_seen: Seen | None = None
    """Of the last move that was seen; None before there is one."""

    changed_s: float | None = None
    """When the unexplained difference last changed; None: there is none."""

    standing: tuple[Standing, ...] = ()
    uncleared: tuple[Uncleared, ...] = ()
    implied: Implied | None = None
    closed_s: float | None = None
    """When the last mover pressed his clock."""

    takeback: TakeBack | None = None
    held: Held | None = None
    claimable: Claimable | None = None
    is_free_choice: bool = False
    """The opponent agreed that the last stone, dropped, may be played freely."""

    is_claimed: bool = False
    """The opponent has claimed a take-back before the stone stood elsewhere."""

    is_placing: bool = False
    """Handicap stones are being put down, rather than given with the start."""

    gestures: frozenset[tuple[Color, str]] = frozenset()
    """Who shows which sign with stones outside the lines: "end" or "resign"."""

    proposed_by: Color | None = None
    """Who has proposed the end."""

    resume_first: Color | None = None
    """Who must play first after a resumption."""

    dead_claim_by: Color | None = None
    incidents: Mapping[tuple[Color, int], int] = field(default_factory=dict)
    """First alert of each (player, move number): later findings are the same incident."""

    loss_s: float | None = None
    """Time of the step that proposed a loss."""

    suspended_s: float | None = None
    """Time of the step that suspended the game."""

    loss_alerts: tuple[int, ...] = ()
    """The alerts a proposed loss rests on."""

    end_board: Board | None = None
    """What stood on the goban when play ended, until it is rearranged for counting."""

    mismatch_s: float | None = None
    """Since when goban and record have differed as they do now."""


@dataclass(frozen=True)
class Draft:
    """A step in the making: the game so far, what is remembered, the events so far."""

    game: Game
    memory: Memory
    now_s: float
    utc: str = ""
    events: tuple[Event, ...] = ()

    def emit(self, event: Event) -> Draft:
        """Return the draft after one more event."""
        return replace(self, game=apply(self.game, event), events=(*self.events, event))

    def remember(self, **changes: object) -> Draft:
        """Return the draft with fields of the memory changed."""
        return replace(self, memory=replace(self.memory, **changes))  # type: ignore[arg-type]

    @property
    def next_number(self) -> int:
        """The number of the next move."""
        return len(self.game.moves) + 1

    def last_move_of(self, color: Color) -> MovePlayed | None:
        """Return the last move of a color, if it is one of the last two of the record."""
        for move in (self.game.moves[-2:])[::-1]:
            if move.move.color is color:
                return move
        return None

"""Everything that can change a game comes in as one of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from recorder.events import GameInfo, Move, ViewState
from recorder.goban import Color, Point, Stone


@dataclass(frozen=True, slots=True)
class LooseStones:
    """Stones that lie between the points or outside the lines, as one view shows them."""

    off_grid: tuple[tuple[Color, float, float], ...] = ()
    """(color, col, row) in line spacings, 0-based from the kifu's upper left."""

    off_board: tuple[tuple[Color, str, int], ...] = ()
    """(color, zone, count); zone is "black-lower-right" or "white-lower-right"."""


@dataclass(frozen=True, slots=True)
class SettledView:
    """What changed on the goban itself since the last settled view; removals apply first.

    A hidden point does not appear: no evidence is not a change.
    """

    add: tuple[Stone, ...] = ()
    remove: tuple[Point, ...] = ()
    first_seen: Mapping[Point, float] = field(default_factory=dict)
    """When each new stone first stood free, monotonic seconds. With times earlier than the view's
    own, points are told as they settle, one by one; without, the view is a whole stable one."""

    loose: LooseStones | None = None
    """None: not looked at, or as before."""

    last_empty: Mapping[Point, float] = field(default_factory=dict)
    """When the point of a new stone was last seen empty; a stone under a sleeve may have been
    played at any time since. A point that is not named was in sight all the time."""


@dataclass(frozen=True, slots=True)
class ViewStateSeen:
    """The camera's view is blocked, moved, clear again..."""

    state: ViewState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ClockPress:
    """The button of a color was pressed."""

    color: Color


@dataclass(frozen=True, slots=True)
class Pass:
    """A color passed in words."""

    color: Color


@dataclass(frozen=True, slots=True)
class Resign:
    """A color resigned."""

    color: Color


@dataclass(frozen=True, slots=True)
class Claim:
    """A player complains about an infraction (`about` is its type)."""

    by: Color
    about: str


@dataclass(frozen=True, slots=True)
class Consent:
    """A player agrees, for example to a dropped stone being played freely."""

    by: Color
    about: str


@dataclass(frozen=True, slots=True)
class ProposeEnd:
    """A player says that the game is over."""

    by: Color


@dataclass(frozen=True, slots=True)
class AgreeEnd:
    """The other player agrees."""

    by: Color


@dataclass(frozen=True, slots=True)
class Dispute:
    """A player disputes life or death of stones; `claim` is "dead" or "alive"."""

    by: Color
    points: tuple[Point, ...]
    claim: str = "dead"


@dataclass(frozen=True, slots=True)
class Resume:
    """Play is resumed; `first` must move."""

    first: Color | None = None


@dataclass(frozen=True, slots=True)
class ColorsSwapped:
    """Somebody reports that the players took the wrong colors."""

    by: Color | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """The referee decides an alert."""

    alert_id: int
    decision: str
    """"confirm", "dismiss", or the code of another ruling."""

    by: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """A person edits the record: from move `number` on, it reads `moves`."""

    number: int
    moves: tuple[Move, ...]
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """A person sets the official position and the side to move."""

    add: tuple[Stone, ...]
    remove: tuple[Point, ...]
    to_move: Color | None
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StartGame:
    """A game begins from the position that stands on the goban, or from `setup` if given."""

    info: GameInfo
    setup: tuple[Stone, ...] | None = None
    to_move: Color | None = None


@dataclass(frozen=True, slots=True)
class ChangeInfo:
    """Names, event, komi... are corrected."""

    info: GameInfo


@dataclass(frozen=True, slots=True)
class Pause:
    """Adjournment: clocks stop, the record is locked."""

    by: str = ""


@dataclass(frozen=True, slots=True)
class EndGame:
    """The referee enters or confirms a result (SGF RE); None: to scoring."""

    result: str | None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Seal:
    """The confirmed result is final."""

    by: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """The console reports something the camera cannot see (conduct-report, late-arrival...)."""

    type: str
    color: Color | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passes and nothing else happens."""


Content = (
    SettledView
    | ViewStateSeen
    | ClockPress
    | Pass
    | Resign
    | Claim
    | Consent
    | ProposeEnd
    | AgreeEnd
    | Dispute
    | Resume
    | ColorsSwapped
    | Ruling
    | Correction
    | Setup
    | StartGame
    | ChangeInfo
    | Pause
    | EndGame
    | Seal
    | Report
    | Tick
)


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing that happened, with both clocks."""

    t_s: float
    """Monotonic seconds; video time for files, case time for scenario files."""

    content: Content
    utc: str = ""
    """ISO time of the same moment; empty where no wall clock is known."""

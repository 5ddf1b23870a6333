"""Everything that can change a game comes in as one of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from recorder.events import GameInfo, Move, ViewState
from recorder.goban import Color, Point, Stone


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """What a person entered on a page; the log keeps who, and what he had seen."""

    entered_by: str = ""
    """Name and role; empty for what did not come from a page."""

    based_on: int = 0
    """Number of the last row of the log that the page showed; 0: not known."""


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
    age_s: float = 0.0
    """How long before this observation; a page knows by its measured offset."""

    uncertainty_s: float = 0.0
    """By how much that may be wrong; above `memory.PRESS_CERTAIN_S` nobody is warned for it."""


@dataclass(frozen=True, slots=True)
class Pass(Entered):
    """A color passed in words."""

    color: Color


@dataclass(frozen=True, slots=True)
class Resign(Entered):
    """A color resigned."""

    color: Color


@dataclass(frozen=True, slots=True)
class Claim(Entered):
    """A player complains about an infraction (`about` is its type)."""

    by: Color
    about: str


@dataclass(frozen=True, slots=True)
class Consent(Entered):
    """A player agrees, for example to a dropped stone being played freely."""

    by: Color
    about: str


@dataclass(frozen=True, slots=True)
class ProposeEnd(Entered):
    """A player says that the game is over."""

    by: Color


@dataclass(frozen=True, slots=True)
class AgreeEnd(Entered):
    """The other player agrees."""

    by: Color


@dataclass(frozen=True, slots=True)
class Dispute(Entered):
    """A player disputes life or death of stones; `claim` is "dead" or "alive"."""

    by: Color
    points: tuple[Point, ...]
    claim: str = "dead"


@dataclass(frozen=True, slots=True)
class Resume(Entered):
    """Play is resumed; `first` must move."""

    first: Color | None = None


@dataclass(frozen=True, slots=True)
class ColorsSwapped(Entered):
    """Somebody reports that the players took the wrong colors."""

    by: Color | None = None


@dataclass(frozen=True, slots=True)
class Ruling(Entered):
    """The referee decides an alert."""

    alert_id: int
    decision: str
    """"confirm", "dismiss", or the code of another ruling."""

    by: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Correction(Entered):
    """A person edits the record: from move `number` on, it reads `moves`."""

    number: int
    moves: tuple[Move, ...]
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Setup(Entered):
    """A person sets the official position and the side to move."""

    add: tuple[Stone, ...]
    remove: tuple[Point, ...]
    to_move: Color | None
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StartGame(Entered):
    """A game begins from the position that stands on the goban, or from `setup` if given."""

    info: GameInfo
    setup: tuple[Stone, ...] | None = None
    to_move: Color | None = None


@dataclass(frozen=True, slots=True)
class ChangeInfo(Entered):
    """Names, event, komi... are corrected."""

    info: GameInfo


@dataclass(frozen=True, slots=True)
class Pause(Entered):
    """Adjournment: clocks stop, the record is locked."""

    by: str = ""


@dataclass(frozen=True, slots=True)
class EndGame(Entered):
    """The referee enters or confirms a result (SGF RE); None: to scoring."""

    result: str | None
    by: str = ""
    reason: str = ""
    """What the result does not tell, for example "both-lose" beside "Void"."""


@dataclass(frozen=True, slots=True)
class Seal(Entered):
    """The confirmed result is final."""

    by: str = ""


@dataclass(frozen=True, slots=True)
class Report(Entered):
    """The console reports something the camera cannot see (conduct-report, late-arrival...)."""

    type: str
    color: Color | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class SeeAlert(Entered):
    """Somebody has taken note of an alert; it sounds no more."""

    alert_id: int


@dataclass(frozen=True, slots=True)
class Note(Entered):
    """A fact for the minutes that changes nothing else (nigiri, a sealed move, an agreement)."""

    kind: str
    color: Color | None = None
    text: str = ""
    detail: tuple[tuple[str, str], ...] = ()
    """Further facts by name."""


@dataclass(frozen=True, slots=True)
class GiveUp(Entered):
    """A player gives up the contest on the board and stops the clock (12.4)."""

    color: Color


@dataclass(frozen=True, slots=True)
class Late(Entered):
    """A player came late; twice the time is deducted, beyond the limit he loses (22.1-22.3)."""

    color: Color
    late_s: float
    limit_s: float


@dataclass(frozen=True, slots=True)
class CheckClock(Entered):
    """The times a clock shows as used are compared with the time that really passed (22.8)."""

    black_shown_s: float
    white_shown_s: float
    real_s: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What one side of a clock shows; the fields of `clock.SideTime`."""

    color: Color
    main_s: float
    periods: int = 0
    used_s: float = 0.0
    block_s: float = 0.0
    moves_left: int = 0


@dataclass(frozen=True, slots=True)
class SetClock(Entered):
    """The referee sets what one or both players have left."""

    readings: tuple[Reading, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RestartCount(Entered):
    """The count of the running byo-yomi period is restarted at so many seconds (16.2)."""

    used_s: float


@dataclass(frozen=True, slots=True)
class EnterCount(Entered):
    """The players agree on dead and shared points; the position is counted by them."""

    dead: tuple[Point, ...] = ()
    """A stone stands for its whole chain."""

    shared: tuple[Point, ...] = ()
    """Points shared by order of the referee (21.2)."""


@dataclass(frozen=True, slots=True)
class Sign(Entered):
    """A player confirms the result (16.4)."""

    color: Color


@dataclass(frozen=True, slots=True)
class ConfirmMoves(Entered):
    """A person confirms moves of the record whose order or being was only inferred."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class TurnBoard(Entered):
    """The record is to be read from another side of the goban: all of it, and what comes."""

    quarters: int
    """Counterclockwise; 1: what was at the right is at the top then."""


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
    | SeeAlert
    | Note
    | GiveUp
    | Late
    | CheckClock
    | SetClock
    | RestartCount
    | EnterCount
    | Sign
    | ConfirmMoves
    | TurnBoard
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

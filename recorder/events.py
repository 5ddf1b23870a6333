"""What happened, as the game log keeps it: the record is a fold of these events."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from recorder.goban import Color, Point, Stone


class Phase(Enum):
    """Where a game stands."""

    IDLE = "idle"
    READY = "ready"
    PLAYING = "playing"
    PAUSED = "paused"
    SUSPENDED = "suspended"
    SCORING = "scoring"
    ENDED = "ended"
    SEALED = "sealed"


class Level(Enum):
    """How much an alert asks of the referee."""

    INFO = "info"
    NOTICE = "notice"
    VIOLATION = "violation"


class Severity(IntEnum):
    """1 interrupts the referee, 2 is a card, 3 a list entry, 4 is only logged."""

    INTERRUPT = 1
    CARD = 2
    LIST = 3
    LOG = 4


class Provenance(Enum):
    """How a move is known."""

    SEEN = "seen"
    INFERRED = "inferred"
    EDITED = "edited"
    IMPOSED = "imposed"
    """A pass that stands for a void move."""


class ViewState(Enum):
    """Whether the camera's view can be judged."""

    CLEAR = "clear"
    BLOCKED = "view-blocked"
    MOVED = "camera-moved"
    UNCERTAIN = "recognition-uncertain"
    NO_GRID = "no-grid"
    LOST = "camera-lost"


@dataclass(frozen=True, slots=True)
class Move:
    """A stone played or, with no point, a pass."""

    color: Color
    point: Point | None

    @property
    def is_pass(self) -> bool:
        """Whether no stone was played."""
        return self.point is None


@dataclass(frozen=True, slots=True)
class GameInfo:
    """Who plays, where, when (`date` is ISO), and by which rules."""

    size: int = 19
    ruleset: str = "chinese-2002"
    komi: float | None = None
    """Points for White (7.5, never 3.75 stones); None: the rule set's own."""

    handicap: int = 0
    black: str = ""
    white: str = ""
    black_rank: str = ""
    white_rank: str = ""
    black_team: str = ""
    white_team: str = ""
    event: str = ""
    round: str = ""
    place: str = ""
    date: str = ""
    time_control: str = ""
    """As people read it, for example "30 min + 5x60 s"."""

    superko: str = "refer"
    """What a repeated position leads to: "refer" (to the referee) or "void-pass"."""

    moves_before: int = 0
    """Moves played before the record begins, where it is joined in the middle."""

    clock_source: str = "buttons"
    """What ends a move on the device's clock: its "buttons", or the "camera" (22.6)."""

    turns: int = 0
    """Quarter turns, counterclockwise, from the frame in which the recorder began to this one."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game began with a position, empty or not."""

    info: GameInfo
    setup: tuple[Stone, ...]
    to_move: Color | None
    """None when joined in the middle and not known yet."""


@dataclass(frozen=True, slots=True)
class InfoChanged:
    """Names, event, komi... were corrected."""

    info: GameInfo


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """A move entered the record as number `number` (from 1)."""

    number: int
    move: Move
    captured: frozenset[Point] = frozenset()
    """Every stone that came off, own ones included where suicide is legal."""

    faults: frozenset[str] = frozenset()
    """Values of `rules.Fault`; a move with faults that stands is written with SGF KO."""

    provenance: Provenance = Provenance.SEEN
    t_s: float = 0.0
    """When it happened on the goban, monotonic seconds."""

    is_order_known: bool = True
    clock_left_s: float | None = None
    note: str = ""
    view_s: float = 0.0
    """Time of the first settled view that shows it; never before `t_s`."""
    clock_moves_left: int | None = None
    """Moves left in the block, or periods left, where overtime counts them."""


@dataclass(frozen=True, slots=True)
class MovesRetracted:
    """Every move from number `number` on left the record again; the moves that stay follow anew."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class MoveVoided:
    """A move that was played and does not count; it is in no move list, but in the file."""

    move: Move
    captured: frozenset[Point]
    number: int
    """The move number it would have had."""

    reason: str
    """The type of the infraction."""

    article: str
    alert_id: int | None = None
    t_s: float = 0.0


@dataclass(frozen=True, slots=True)
class PositionCorrected:
    """The official position was changed outside play (referee, rebuild, agreed correction)."""

    add: tuple[Stone, ...]
    remove: tuple[Point, ...]
    to_move: Color | None
    reason: str


@dataclass(frozen=True, slots=True)
class PhysicalChanged:
    """Stones that came and went on the goban itself, whatever the record says."""

    add: tuple[Stone, ...]
    remove: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Alert:
    """A message for the referee: what to look at, and why."""

    id: int
    """Number within the game, from 1."""

    type: str
    """Stable, documented in docs/alerts.md."""

    level: Level
    severity: Severity
    color: Color | None
    """The offender, or the owner of a moved stone; None: nobody."""

    points: tuple[Point, ...]
    """From, to, from, to... for take-back and moved-stone."""

    t_s: float
    """When it happened on the goban, monotonic seconds."""

    article: str
    ruling: str
    """Code of the proposed ruling, for example "void-pass"; texts per language in rulings.py."""

    warning: Color | None = None
    """Who is proposed a warning."""

    incident: int = 0
    """Findings about one turn of one player share a number; it equals the first alert's id."""

    move_number: int = 0
    detail: tuple[tuple[str, str], ...] = ()
    """Further facts by name (cycle length, earlier move number, options...)."""


@dataclass(frozen=True, slots=True)
class AlertChanged:
    """An alert says more now (a claim made it a violation); same id, never another type."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class AlertWithdrawn:
    """A later view disproved an alert."""

    id: int
    reason: str


@dataclass(frozen=True, slots=True)
class AlertClosed:
    """The referee has decided: confirmed, dismissed, or otherwise."""

    id: int
    decision: str
    by: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class AlertSeen:
    """Somebody has taken note of an alert."""

    id: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class AlertEscalated:
    """Nobody has taken note of an urgent alert in time: it goes to the chief referee."""

    id: int


@dataclass(frozen=True, slots=True)
class Noted:
    """A fact for the minutes."""

    kind: str
    color: Color | None = None
    by: str = ""
    text: str = ""
    detail: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CountEntered:
    """The finished position was counted, with these stones dead and these points shared."""

    dead: tuple[Point, ...]
    shared: tuple[Point, ...]
    result: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class ResultSigned:
    """A player has confirmed the result; another result undoes it."""

    color: Color
    by: str = ""


@dataclass(frozen=True, slots=True)
class MovesConfirmed:
    """A person has confirmed moves that were inferred, or whose order was not known."""

    first: int
    last: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class WarningsChanged:
    """The proposed warnings of both sides."""

    black: int
    white: int


@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """The game is in another phase."""

    phase: Phase
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ResultChanged:
    """A result was proposed, confirmed or taken back."""

    result: str | None
    """SGF RE, for example "B+R"; None: open again."""

    text: str = ""
    is_confirmed: bool = False


@dataclass(frozen=True, slots=True)
class ViewChanged:
    """Recognition was suspended or came back, and why."""

    state: ViewState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MismatchChanged:
    """Where the physical position differs from the official one (empty: nowhere)."""

    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class ClockChanged:
    """The clock's state for display; `state` is `clock_state.format_state`'s JSON text."""

    state: str


Event = (
    GameStarted
    | InfoChanged
    | MovePlayed
    | MovesRetracted
    | MoveVoided
    | PositionCorrected
    | PhysicalChanged
    | Alert
    | AlertChanged
    | AlertWithdrawn
    | AlertClosed
    | AlertSeen
    | AlertEscalated
    | Noted
    | CountEntered
    | ResultSigned
    | MovesConfirmed
    | WarningsChanged
    | PhaseChanged
    | ResultChanged
    | ViewChanged
    | MismatchChanged
    | ClockChanged
)


@dataclass(frozen=True, slots=True)
class Record:
    """An event as it is in the log."""

    number: int
    """The log's own number, the device's, from 1."""

    game_id: str
    t_s: float
    """Monotonic seconds of the observation that led to it (the frame at which it was published)."""

    utc: str
    """ISO time of the same moment."""

    event: Event

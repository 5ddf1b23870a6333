"""One input in, observations and their events out: readings are settled, then judged.

What the loop does with a camera, `replay` does with a tape; both only feed this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from recorder.events import Event, ViewState
from recorder.game import Game
from recorder.goban import Board, Color, Stone
from recorder.observations import (
    Content,
    Observation,
    SettledView,
    StartGame,
    Tick,
    TurnBoard,
    ViewStateSeen,
)
from recorder.session import State, new_state, step
from recorder.settle import settle
from recorder.settling import (
    Expectation,
    Settling,
    new_settling,
    resettle,
    turned_settling,
)
from recorder.turning import turned
from vision.types import StoneReading


@dataclass(frozen=True, slots=True)
class NoSight:
    """The goban was not seen, and why."""

    t_s: float
    state: ViewState
    """NO_GRID, MOVED or LOST."""

    message: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the goban, for whoever looks at the next frame."""

    settling: Settling
    is_size_sure: bool
    """Whether a move was played: a goban does not change its size then."""

    is_doubtful: bool
    """Whether the last reading contradicts it: look for the grid again."""

    @property
    def size(self) -> int:
        """Lines a side."""
        return int(self.settling.settled.shape[0])


Input = StoneReading | NoSight | Observation


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the engine waits before it says so."""

    tick_s: float = 0.5
    """Time is told to the session this often."""

    no_grid_s: float = 3.0
    """Without a grid for so long, the view is reported."""

    doubt_s: float = 6.0
    """So long a view that contradicts the goban as known is not believed."""


TIMING = Timing()

APPEARED_S = 0.6
"""A stone first seen so long after the first reading was not there before."""

DOUBT_SHARE = 0.1
DOUBT_POINTS = 12
"""More points than both that differ at once are a wrong grid, a bumped board or a person's arm;
play changes fewer: a large capture is lifted handful by handful."""


@dataclass(frozen=True, slots=True)
class Step:
    """An observation that reached the session, and the events it led to."""

    observation: Observation
    events: tuple[Event, ...]
    game: Game
    """The game after them."""


@dataclass(frozen=True)
class Engine:
    """Everything the recorder remembers between two inputs."""

    session: State
    settling: Settling | None = None
    """None before the first reading: the size is not known yet."""

    waiting: StartGame | None = None
    """A game that begins with the first settled view."""

    watching_s: float | None = None
    """Since when the goban is looked at: time of its first reading."""

    begun: StartGame | None = None
    """How the game began; it begins again if the grid turns out wrong before the first move."""

    last_s: float = 0.0
    """Time of the last input."""

    last_tick_s: float | None = None
    no_grid_since_s: float | None = None
    doubt_since_s: float | None = None
    view: ViewState = ViewState.CLEAR

    @property
    def game(self) -> Game:
        """The game as the events so far tell it."""
        return self.session.game

    @property
    def knows_goban(self) -> bool:
        """Whether the whole goban has settled once."""
        return self.settling is not None and bool(self.settling.known.any())

    @property
    def known(self) -> Known | None:
        """What is known of the goban; None before the first settled view."""
        if self.settling is None or not self.knows_goban:
            return None
        is_doubtful = self.doubt_since_s is not None
        return Known(self.settling, bool(self.game.moves), is_doubtful)


def new_engine() -> Engine:
    """Return the memory before the first input."""
    return Engine(new_state())


def resumed_engine(game: Game, *, now_s: float) -> Engine:
    """Return the memory to go on with a game: the goban is taken to be as it was last known.

    What has changed there since then settles and is judged like any other change.
    """
    settling = resettle(new_settling(game.physical.size), game.physical)
    return Engine(new_state(game, now_s=now_s), settling, last_s=now_s)


def feed(
    engine: Engine, item: Input, *, timing: Timing = TIMING
) -> tuple[Engine, tuple[Step, ...]]:
    """Take one input; return the new memory and what reached the session by it, in order.

    A `StartGame` waits for the first settled view, so that the position on the goban is known when
    the game begins. An input that is older than the one before it counts as of the same time.
    """
    if isinstance(item, Observation):
        if isinstance(item.content, StartGame) and not engine.knows_goban:
            return replace(engine, waiting=item.content), ()
        return _observe(engine, item.t_s, (item.content,))
    if isinstance(item, NoSight):
        now = item.t_s
        engine, contents = _lose_sight(engine, item, timing)
    else:
        now = item.seen_at_s
        engine, contents = _read(engine, item, timing)
    if engine.last_tick_s is None or now - engine.last_tick_s >= timing.tick_s:
        engine = replace(engine, last_tick_s=now)
        contents = (*contents, Tick())
    return _observe(engine, now, contents)


def _observe(
    engine: Engine, t_s: float, contents: tuple[Content, ...]
) -> tuple[Engine, tuple[Step, ...]]:
    """Hand contents to the session one by one."""
    steps = []
    session, now = engine.session, max(t_s, engine.last_s)
    for content in contents:
        observation = Observation(now, content)
        before = session.game.info.turns
        session, events = step(session, observation)
        steps.append(Step(observation, tuple(events), session.game))
        if isinstance(content, TurnBoard):
            engine = _turned(engine, session.game.info.turns - before)
    return replace(engine, session=session, last_s=now), tuple(steps)


def _turned(engine: Engine, quarters: int) -> Engine:
    """Expect the next readings in the frame to which a person has turned the record."""
    if quarters % 4 == 0 or engine.settling is None:
        return engine
    size = engine.settling.settled.shape[0]
    return replace(
        engine,
        settling=turned_settling(engine.settling, quarters),
        begun=turned(engine.begun, quarters, size),
    )


def _read(
    engine: Engine, reading: StoneReading, timing: Timing
) -> tuple[Engine, tuple[Content, ...]]:
    """Settle one reading, unless it contradicts what is known and may be a wrong grid."""
    settling = engine.settling or new_settling(reading.size)
    since_s = reading.seen_at_s if engine.watching_s is None else engine.watching_s
    engine = replace(engine, settling=settling, watching_s=since_s, no_grid_since_s=None)
    if reading.visible.shape != settling.settled.shape:
        return _resize(engine, reading, timing)
    if contradiction(settling, reading) > doubtful_points(reading.size):
        engine, contents = _doubt(engine, reading, timing)
        since = engine.doubt_since_s
        if since is not None and reading.seen_at_s - since < timing.doubt_s:
            return engine, contents
    else:
        engine, contents = _see_again(replace(engine, doubt_since_s=None))
    memory, settled = settle(settling, reading, _expectation(engine, reading.size))
    engine = replace(engine, settling=memory)
    return _start(engine, (*contents, *settled))


def _resize(
    engine: Engine, reading: StoneReading, timing: Timing
) -> tuple[Engine, tuple[Content, ...]]:
    """Take a reading of another size: one of the two grids was found wrongly.

    Once a move was played, the new one; before that, the old one if the new one lasts.
    """
    engine, contents = _doubt(engine, reading, timing)
    since = reading.seen_at_s if engine.doubt_since_s is None else engine.doubt_since_s
    is_lasting = reading.seen_at_s - since >= timing.doubt_s
    if engine.game.moves or (engine.knows_goban and not is_lasting):
        return engine, contents
    start = engine.waiting or engine.begun
    return Engine(
        engine.session,
        new_settling(reading.size),
        waiting=start,
        watching_s=reading.seen_at_s,
        last_s=engine.last_s,
        last_tick_s=engine.last_tick_s,
        view=engine.view,
    ), contents


def _expectation(engine: Engine, size: int) -> Expectation:
    game = engine.game
    board = game.board if game.board.size == size else Board(size)
    played_s = game.last_move.t_s if game.last_move is not None else -math.inf
    return Expectation(board, game.to_move, played_s)


def contradiction(settling: Settling, reading: StoneReading) -> int:
    """Return how many visible points show something else than what has settled there."""
    differs = (reading.labels != settling.settled) & reading.visible & settling.known
    return int(differs.sum())


def doubtful_points(size: int) -> int:
    """Return how many contradicting points a goban of a size may have in play."""
    return max(DOUBT_POINTS, round(DOUBT_SHARE * size * size))


def _doubt(
    engine: Engine, reading: StoneReading, timing: Timing
) -> tuple[Engine, tuple[Content, ...]]:
    since = engine.doubt_since_s if engine.doubt_since_s is not None else reading.seen_at_s
    engine = replace(engine, doubt_since_s=since)
    if reading.seen_at_s - since < timing.no_grid_s or engine.view is ViewState.UNCERTAIN:
        return engine, ()
    reason = "the view contradicts the position as known"
    return replace(engine, view=ViewState.UNCERTAIN), (ViewStateSeen(ViewState.UNCERTAIN, reason),)


def _lose_sight(
    engine: Engine, item: NoSight, timing: Timing
) -> tuple[Engine, tuple[Content, ...]]:
    """Report a goban that stays out of sight."""
    since = engine.no_grid_since_s if engine.no_grid_since_s is not None else item.t_s
    engine = replace(engine, no_grid_since_s=since)
    is_due = item.state is ViewState.LOST or item.t_s - since >= timing.no_grid_s
    if not is_due or engine.view is item.state:
        return engine, ()
    return replace(engine, view=item.state), (ViewStateSeen(item.state, item.message),)


def _see_again(engine: Engine) -> tuple[Engine, tuple[Content, ...]]:
    if engine.view is ViewState.CLEAR:
        return engine, ()
    return replace(engine, view=ViewState.CLEAR), (ViewStateSeen(ViewState.CLEAR),)


def _start(engine: Engine, contents: tuple[Content, ...]) -> tuple[Engine, tuple[Content, ...]]:
    """Let a waiting game begin with the first settled view.

    As seen, it begins behind the view; from a given position, before it, and the view tells how
    the goban differs from that.
    """
    view = next((c for c in contents if isinstance(c, SettledView)), None)
    start = engine.waiting
    if start is None or view is None or engine.settling is None:
        return engine, contents
    info = replace(start.info, size=engine.settling.settled.shape[0])
    setup = opening_setup(view, engine.watching_s) if start.setup is None else start.setup
    to_move = start.to_move
    if start.setup is None and setup == () and not info.handicap:
        to_move = Color.BLACK
    begun = replace(start, info=info, setup=setup, to_move=to_move)
    both = (view, begun) if setup is None else (begun, _beyond(view, setup))
    place = contents.index(view)
    engine = replace(engine, waiting=None, begun=start)
    return engine, (*contents[:place], *both, *contents[place + 1 :])


def _beyond(view: SettledView, setup: tuple[Stone, ...]) -> SettledView:
    """Return the first view of a whole goban as its difference from a position."""
    add = tuple(stone for stone in view.add if stone not in setup)
    remove = tuple(stone.point for stone in setup if stone not in view.add)
    return replace(view, add=add, remove=remove)


def opening_setup(view: SettledView, watching_s: float | None) -> tuple[Stone, ...] | None:
    """Return the set-up of a game that begins as seen; None: all that stands on the goban.

    An empty goban has none. It was empty, too, if every stone appeared while it was being watched:
    the first look took long, and these are moves. So are one black stone, alone or with one white
    one: that is no position to join.
    """
    colors = sorted(stone.color.value for stone in view.add)
    first_s = min(view.first_seen.values(), default=0.0)
    is_watched = watching_s is not None and first_s > watching_s + APPEARED_S
    return () if is_watched or colors in ([], ["B"], ["B", "W"]) else None


def turn_to_agree(settling: Settling, reading: StoneReading) -> int:
    """Return by how many quarter turns of the grid a reading agrees best with what is known.

    0 unless another turn is clearly better: after a search, the grid is already numbered like the
    one before it. Turns count as in `GridFit.turned`.
    """
    if reading.visible.shape != settling.settled.shape:
        return 0
    wrong = [
        int(
            (
                (np.rot90(reading.labels, turn) != settling.settled)
                & np.rot90(reading.visible, turn)
                & settling.known
            ).sum()
        )
        for turn in range(4)
    ]
    best = min(range(4), key=wrong.__getitem__)
    return best if wrong[best] + 3 <= wrong[0] and 2 * wrong[best] <= wrong[0] else 0

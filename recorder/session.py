"""One step of a game: an observation in, the next state and the events it led to out."""

from __future__ import annotations

from dataclasses import dataclass, field

from recorder.events import Event, GameStarted, PhysicalChanged, ViewChanged
from recorder.game import Game, apply
from recorder.goban import Board
from recorder.observations import Observation, SettledView, StartGame, ViewStateSeen


@dataclass(frozen=True)
class State:
    """Everything that decides what the next observation leads to. Immutable."""

    game: Game = field(default_factory=Game)
    """The fold of all events returned so far."""

    now_s: float = 0.0
    """Time of the last observation, monotonic seconds."""

    @property
    def physical(self) -> Board:
        """What stands on the goban itself."""
        return self.game.physical


def new_state(game: Game | None = None, *, now_s: float = 0.0) -> State:
    """Return the state before the first observation, or to go on from a game read back.

    The caller observes the goban before it goes on with a game: what differs is then judged.
    """
    return State(Game() if game is None else game, now_s)


def step(state: State, observation: Observation) -> tuple[State, tuple[Event, ...]]:
    """Return the next state and the events that an observation leads to, in order.

    `fold` of all events ever returned equals `state.game`. Nothing is refused: what cannot be a
    move becomes an alert. Observations must not go back in time.
    """
    content = observation.content
    events: list[Event] = []
    if isinstance(content, StartGame):
        setup = tuple(state.physical.stones()) if content.setup is None else content.setup
        events.append(GameStarted(content.info, setup, content.to_move))
    elif isinstance(content, SettledView):
        events.append(PhysicalChanged(content.add, content.remove))
    elif isinstance(content, ViewStateSeen):
        events.append(ViewChanged(content.state, content.reason))
    game = state.game
    for event in events:
        game = apply(game, event)
    return State(game, observation.t_s), tuple(events)

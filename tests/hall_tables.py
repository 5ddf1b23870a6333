"""Tables of a hall without network: their rows go straight into a hub's storage."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from recorder.codec import format_event, format_observation, parse_observation
from recorder.events import GameInfo
from recorder.gamelog import LogRow
from recorder.goban import Color, Stone, parse_vertex
from recorder.hall.boards import Boards
from recorder.hall.office import Office
from recorder.hall.storage import SqliteStorage, StoredState
from recorder.hall.wire import Answer, DeviceState, format_answer, format_state
from recorder.observations import Content, EndGame, Observation, SettledView, StartGame
from recorder.public import NO_DELAY, Delay
from recorder.session import State, new_state, step

INFO = GameInfo(black="林海", white="Ada Stone", event="Spring Cup", round="2")


@dataclass
class Table:
    """One board's device: what it observes is at the hub at once."""

    storage: SqliteStorage
    board: str
    state: State = field(default_factory=new_state)
    rows: list[LogRow] = field(default_factory=list)
    game: str = ""
    received: datetime | None = None
    """When the hub received what comes next; None: now."""

    def observe(self, content: Content) -> int:
        """Take one observation; return its number."""
        t_s = self.state.now_s + 3.0
        moment = self.received or datetime.now(UTC)
        utc = moment.isoformat(timespec="milliseconds")
        observation = Observation(t_s, content, utc)
        self.state, events = step(self.state, observation)
        number, game = len(self.rows) + 1, self.game or f"game-{self.board}"
        new = [LogRow(number, game, t_s, utc, "observation", format_observation(observation))]
        for place, event in enumerate(events, start=1):
            new.append(LogRow(number + place, game, t_s, utc, "event", format_event(event)))
        self.rows += new
        self.storage.add_rows(self.board, self.log, new, utc)
        return number

    @property
    def log(self) -> str:
        """The log's name."""
        return self.rows[0].game_id

    def start(self, info: GameInfo = INFO) -> None:
        """Start a game on an empty goban."""
        self.state = new_state(now_s=self.state.now_s)
        self.observe(StartGame(info, (), Color.BLACK))

    def play(self, vertices: str) -> None:
        """Let stones settle in turn, Black first."""
        for place, vertex in enumerate(vertices.split()):
            self.put("BW"[place % 2], vertex)

    def put(self, color: str, vertex: str) -> None:
        """Let a stone settle."""
        self.observe(SettledView((Stone(Color(color), parse_vertex(vertex, 19)),)))

    def double_move(self, info: GameInfo = INFO) -> None:
        """Start a game in which Black plays twice in a row: alert 1."""
        self.start(info)
        self.play("Q16 D4 D16 Q4 C6")
        self.put("B", "R10")

    def end(self, result: str, reason: str = "") -> None:
        """Let the referee enter the result."""
        self.observe(EndGame(result, "chief", reason=reason))

    def say(self, *, ago_s: float = 0.0, instance: str = "one") -> None:
        """Say that the device is there, or was some time ago."""
        at = (datetime.now(UTC) - timedelta(seconds=ago_s)).isoformat()
        current = self.rows[0].game_id if self.rows else ""
        state = DeviceState(instance, at, current, {current: len(self.rows)} if current else {})
        self.storage.put_state(self.board, StoredState(format_state(state).decode(), at))

    def serve(self) -> None:
        """Do what the hub has asked of this board."""
        for request in self.storage.open_requests():
            if request.board == self.board and request.kind == "observation":
                number = self.observe(parse_observation(request.body).content)
                self.storage.answer(request.id, format_answer(Answer(number)).decode())


@dataclass
class Hall:
    """A hub's inside without its network."""

    storage: SqliteStorage
    boards: Boards
    office: Office

    def table(self, board: str) -> Table:
        """Return a table whose device has said that it is there."""
        table = Table(self.storage, board)
        table.say()
        return table

    def look(self) -> None:
        """Let the pages see everything that has come."""
        self.boards.hear()
        while self.boards.look():
            pass


def a_hall(
    storage: SqliteStorage,
    *,
    names: tuple[str, ...] = (),
    delay: Delay = NO_DELAY,
    sections: dict[str, tuple[str, ...]] | None = None,
) -> Hall:
    """Return a hall that has shown what is in a storage."""
    boards = Boards(storage, names=names, delay=delay)
    office = Office(storage, boards, event="Spring Cup", delay=delay, sections=sections or {})
    boards.catch_up()
    return Hall(storage, boards, office)

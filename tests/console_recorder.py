"""A recorder without a camera, for the tests of the console: observations in, records out."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from pathlib import Path

from flask.testing import FlaskClient

from recorder.events import GameInfo, Record
from recorder.goban import Color, Stone, parse_vertex
from recorder.observations import Content, Observation, SettledView, StartGame
from recorder.publish import Batch
from recorder.session import new_state, step
from recorder.web.access import Access, Role, new_access
from recorder.web.live import LiveGame
from recorder.web.private import PrivateGame
from recorder.web.referee import Console

START = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
INFO = GameInfo(black="林海", white="Ada Stone", event="Spring Cup", round="2")
PASSWORDS = {Role.OPERATOR: "operator-1", Role.REFEREE: "referee-2", Role.CHIEF: "chief-3"}
ACCESS: Access = new_access(PASSWORDS, cost=16)
"""Cheap to check: the tests log in a hundred times."""


def log_in(web: FlaskClient, role: Role, name: str = "Li") -> dict[str, str]:
    """Log somebody in; return the headers that his pages send."""
    answer = web.post("/login", data={"password": PASSWORDS[role], "name": name})
    assert answer.status_code == 303
    with web.session_transaction() as session:
        return {"X-Banmen-Token": session["token"]}


class Recorder:
    """Takes observations as the pipeline does, three seconds apart."""

    def __init__(self) -> None:
        self.state = new_state()
        self.records: list[Record] = []
        self.live = LiveGame()
        self.private = PrivateGame()
        self.taken: list[Content] = []
        self._lock = threading.Lock()

    def observe(self, content: Content) -> int:
        """Take one observation; return the number of the last record."""
        with self._lock:
            now_s = self.state.now_s + 3.0
            self.state, events = step(self.state, Observation(now_s, content))
            self.taken.append(content)
            utc = (START + timedelta(seconds=now_s)).isoformat()
            first = len(self.records) + 1
            batch = tuple(
                Record(first + place, "g1", now_s, utc, event) for place, event in enumerate(events)
            )
            self.records += batch
            if batch:
                self.live.publish(Batch(batch, self.state.game))
                self.private.publish(Batch(batch, self.state.game))
            return len(self.records)

    def submit(self, content: Content) -> Future[int]:
        """Take an observation of the console."""
        answer: Future[int] = Future()
        answer.set_result(self.observe(content))
        return answer

    def start(self) -> None:
        """Start a game on an empty goban."""
        self.observe(StartGame(INFO, (), Color.BLACK))

    def put(self, color: str, vertex: str) -> None:
        """Let a stone settle."""
        self.observe(SettledView(add=(Stone(Color(color), parse_vertex(vertex, 19)),)))

    def play(self, vertices: str) -> None:
        """Let stones settle in turn, Black first."""
        for place, vertex in enumerate(vertices.split()):
            self.put("BW"[place % 2], vertex)

    def double_move(self) -> None:
        """Start a game in which Black plays twice in a row: alert 1."""
        self.start()
        self.play("Q16 D4 D16 Q4 C6")
        self.put("B", "R10")

    def console(self, evidence: Path | None = None, settings: Path | None = None) -> Console:
        """Return what the pages need."""
        folder = None if evidence is None else lambda game_id: evidence
        return Console(self.private, self.submit, ACCESS, folder, settings=settings)

"""A whole hub with its own server and credentials: rulings go to the device, pictures come back."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hall_world import free_port, needs_server, wait_until

from recorder.codec import format_observation
from recorder.events import GameInfo
from recorder.gamelog import GameLog
from recorder.goban import Color
from recorder.hall.config import HubConfig, HubSection, PageSection, ServerSection
from recorder.hall.hub import Hub, credentials_of
from recorder.hall.link import Link, read_credentials
from recorder.hall.publisher import HallPublisher, Pace
from recorder.hall.storage import OpenRequest, SqliteStorage
from recorder.hall.wire import Answer, parse_answer
from recorder.observations import Content, Observation, Ruling, StartGame
from recorder.session import new_state, step

pytestmark = [pytest.mark.hall, needs_server]

PICTURE = b"\xff\xd8 not much of a picture"


@dataclass
class Board:
    """A board with a publisher, at a hub that runs in this process."""

    storage: SqliteStorage
    taken: list[Content] = field(default_factory=list)

    def submit(self, content: Content) -> Future[int]:
        self.taken.append(content)
        number: Future[int] = Future()
        number.set_result(40 + len(self.taken))
        return number

    def ask(self, id_: str, kind: str, body: str) -> Answer:
        asked = datetime.now(UTC).isoformat()
        self.storage.ask(OpenRequest(id_, "A1", kind, body, asked))
        wait_until(lambda: self.storage.answer_of(id_) is not None, "an answer")
        return parse_answer((self.storage.answer_of(id_) or "").encode())


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("hub")
    listen = f"127.0.0.1:{free_port()}"
    section = HubSection(event="cup", folder=folder, boards="A1-A2")
    config = HubConfig(section, ServerSection(listen=listen), PageSection(port=0))
    put_picture(folder / "games")
    with Hub(config), GameLog(folder / "device.db", is_writer=True) as gamelog:
        board = Board(SqliteStorage(folder / "hub.db"))
        observation = Observation(0.0, StartGame(GameInfo(), (), Color.BLACK), "2026-05-01T09:00Z")
        gamelog.append("g1", observation, step(new_state(), observation)[1])
        credentials = read_credentials(credentials_of(folder, "A1"))
        link = Link(f"nats://{listen}", "cup", "A1", credentials=credentials)
        publisher = HallPublisher(
            link,
            gamelog.path,
            submit=board.submit,
            pictures=folder / "games",
            pace=Pace(look_s=0.1, state_s=0.5),
        )
        publisher.start()
        rows = gamelog.last_number()
        wait_until(lambda: board.storage.last_place() == rows, "the log at the hub")
        yield board
        publisher.stop()


def put_picture(games: Path) -> None:
    folder = games / "g1" / "evidence" / "alert-0001"
    folder.mkdir(parents=True)
    (folder / "after.jpg").write_bytes(PICTURE)


def ruling(alert: int) -> str:
    return format_observation(Observation(0.0, Ruling(alert, "confirm", "Li (referee)")))


def test_a_ruling_is_taken_once_however_often_it_is_asked(board: Board) -> None:
    before = len(board.taken)
    answer = board.ask("one", "observation", ruling(1))
    assert answer == Answer(41 + before)
    assert board.taken[before:] == [Ruling(1, "confirm", "Li (referee)")]


def test_what_only_the_device_may_observe_is_refused(board: Board) -> None:
    start = format_observation(Observation(0.0, StartGame(GameInfo())))
    before = len(board.taken)
    assert "takes no StartGame" in board.ask("two", "observation", start).error
    assert "must be" in board.ask("three", "observation", '{"content": {}}').error
    assert len(board.taken) == before


def test_a_picture_comes_through_the_boards_object_store(board: Board) -> None:
    assert board.ask("four", "picture", "g1/1/after.jpg").error == ""
    assert board.storage.picture("A1", "g1/1/after.jpg") == PICTURE


@pytest.mark.parametrize("name", ["g1/2/after.jpg", "../g1/1/after.jpg", "g1/1/../../x.jpg"])
def test_a_picture_that_is_not_there_is_named(board: Board, name: str) -> None:
    assert "there is no picture" in board.ask(f"no {name}", "picture", name).error

"""Tests of what a hub shows of its boards, and of what it takes into its storage."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import zipfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from console_recorder import ACCESS, PASSWORDS
from flask.testing import FlaskClient
from hall_tables import INFO, Hall, Table, a_hall

from recorder.gamelog import LogRow
from recorder.hall.app import create_hall_app
from recorder.hall.storage import SqliteStorage, StorageError
from recorder.hall.texts import OFFICE, QUEUE, WALL
from recorder.public import Delay
from recorder.web.access import Role
from recorder.web.places import Places
from recorder.web.private import PrivateState
from recorder.web.referee import format_with_offers


@pytest.fixture
def storage(tmp_path: Path) -> SqliteStorage:
    return SqliteStorage(tmp_path / "hub.db")


def client(hall: Hall, role: Role | None = None) -> FlaskClient:
    app = create_hall_app(hall.boards, hall.office, access=ACCESS, places=Places(8), beat_s=0.1)
    browser = app.test_client()
    if role is not None:
        browser.post("/login", data={"password": PASSWORDS[role], "name": "Li"})
    return browser


def wall(browser: FlaskClient) -> dict[str, Any]:
    return {board["name"]: board for board in json.loads(browser.get("/wall.json").data)["boards"]}


def token(browser: FlaskClient) -> str:
    with browser.session_transaction() as session:
        return str(session["token"])


# The storage


def a_row(number: int, body: str = "{}") -> LogRow:
    return LogRow(number, "g", 0.5, "2026-05-01T09:00:00+00:00", "event", body)


def test_a_row_that_comes_twice_is_kept_once(storage: SqliteStorage) -> None:
    for _ in range(2):
        assert storage.add_rows("1", "g", [a_row(1), a_row(2)], "now") == 0
    assert [stored.row for stored in storage.rows_of_log("1", "g")] == [a_row(1), a_row(2)]


def test_a_row_that_contradicts_another_is_kept_apart_and_reported(storage: SqliteStorage) -> None:
    storage.add_rows("1", "g", [a_row(1, '"first"')], "now")
    assert storage.add_rows("1", "g", [a_row(1, '"other"')], "later") == 1
    assert [stored.row.body for stored in storage.rows_of_log("1", "g")] == ['"first"']
    with closing(sqlite3.connect(storage.path)) as db:
        assert db.execute("SELECT board, body FROM strays").fetchall() == [("1", '"other"')]


def test_a_head_ends_before_the_first_gap(storage: SqliteStorage) -> None:
    storage.add_rows("1", "g", [a_row(n) for n in (1, 2, 4)], "now")
    storage.add_rows("2", "h", [a_row(n) for n in (2, 3)], "now")
    assert storage.heads() == {("1", "g"): 2}


def test_what_failed_within_a_transaction_is_not_kept(storage: SqliteStorage) -> None:
    def fail() -> None:
        with storage.transaction():
            storage.add_rows("1", "g", [a_row(1)], "now")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert storage.last_place() == 0


def test_another_file_is_refused_and_named(tmp_path: Path) -> None:
    path = tmp_path / "strange.db"
    path.write_text("no database at all, but long enough to be taken for one" * 20)
    with pytest.raises(StorageError, match=r"strange\.db"):
        SqliteStorage(path)


# The boards


def test_the_wall_shows_every_board_with_its_position(storage: SqliteStorage) -> None:
    hall = a_hall(storage, names=("1", "2"))
    table = hall.table("1")
    table.start()
    table.play("Q16 D4")
    hall.look()
    shown = wall(client(hall))
    assert list(shown) == ["1", "2"]
    assert shown["1"]["moves"] == 2
    assert shown["1"]["position"].count("X") == shown["1"]["position"].count("O") == 1
    assert shown["1"]["is_online"]
    assert not shown["2"]["is_online"]


def test_rows_that_come_in_the_wrong_order_are_shown_in_the_right_one(
    storage: SqliteStorage,
) -> None:
    hall, elsewhere = a_hall(storage), SqliteStorage(storage.path.with_name("other.db"))
    table = Table(elsewhere, "1")
    table.start()
    table.play("Q16 D4 D16")
    halves = table.rows[:4], table.rows[4:]
    storage.add_rows("1", "game-1", halves[1], "2026-05-01T09:00:00+00:00")
    hall.look()
    assert hall.boards.find("1") is not None
    assert wall(client(hall))["1"]["moves"] == 0
    storage.add_rows("1", "game-1", halves[0], "2026-05-01T09:00:00+00:00")
    hall.look()
    assert wall(client(hall))["1"]["moves"] == 3


def test_after_a_restart_the_hub_shows_what_it_showed(storage: SqliteStorage) -> None:
    hall = a_hall(storage)
    table = hall.table("1")
    table.double_move()
    hall.look()
    again = a_hall(storage)
    before, after = (client(one).get("/boards/1/state.json").json for one in (hall, again))
    assert {**before, "id": ""} == {**after, "id": ""}
    assert again.boards.find("1").private.state().game.alerts
    table.put("W", "C3")
    again.look()
    assert wall(client(again))["1"]["moves"] == wall(client(hall))["1"]["moves"] + 1


def test_the_next_game_of_a_device_follows_the_one_before(storage: SqliteStorage) -> None:
    hall = a_hall(storage)
    table = hall.table("1")
    table.start()
    table.play("Q16 D4")
    table.game = "game-1-later"
    table.start()
    table.play("C3")
    hall.look()
    shown = wall(client(hall))["1"]
    assert (shown["game"], shown["moves"]) == ("game-1-later", 1)


def test_the_delay_counts_from_when_the_hub_knew(storage: SqliteStorage) -> None:
    hall = a_hall(storage, delay=Delay(seconds=300.0))
    old, new = hall.table("1"), hall.table("2")
    old.received = datetime.now(UTC) - timedelta(seconds=400)
    for table in (old, new):
        table.start()
        table.play("Q16 D4")
    again = a_hall(storage, delay=Delay(seconds=300.0))
    shown = wall(client(again))
    assert (shown["1"]["moves"], shown["2"]["moves"]) == (2, 0)
    assert client(again).get("/boards/2/game.sgf").text.count(";") == 1


def test_two_devices_with_one_name_are_reported(storage: SqliteStorage) -> None:
    hall = a_hall(storage)
    table = hall.table("1")
    for instance in ("one", "other", "one"):
        table.say(instance=instance)
        hall.look()
    hidden = client(hall, Role.REFEREE).get("/referee/wall.json").json
    assert hidden["1"]["is_cloned"]


# What is public


def test_the_public_sees_no_alert_and_referees_do(storage: SqliteStorage) -> None:
    hall = a_hall(storage)
    hall.table("1").double_move()
    hall.look()
    public = client(hall)
    for path in ("/", "/wall.json", "/boards/1/", "/boards/1/state.json", "/boards/1/game.sgf"):
        text = public.get(path).text
        assert "double-move" not in text
        assert "alerts" not in text or path == "/"
    for path in ("/referee", "/referee/wall", "/referee/wall.json", "/referee/state.json"):
        assert public.get(path).status_code == 401
    hidden = client(hall, Role.REFEREE).get("/referee/wall.json").json
    assert hidden["1"]["alerts"] == 1


def test_every_private_address_needs_a_role(storage: SqliteStorage) -> None:
    hall = a_hall(storage, names=("1",))
    app = create_hall_app(hall.boards, hall.office, access=ACCESS, places=Places(8))
    values = {"name": "1", "alert_id": 1, "file": "after.jpg", "board": "1"}
    private = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith(("/ref", "/off"))]
    assert len(private) > 10
    for rule in private:
        with app.test_request_context():
            path = app.url_map.bind("").build(rule.endpoint, values, append_unknown=False)
        for method in rule.methods - {"OPTIONS", "HEAD"}:
            assert app.test_client().open(path, method=method).status_code in (401, 403), path


def test_a_cache_may_keep_what_is_public_for_a_second(storage: SqliteStorage) -> None:
    hall = a_hall(storage, names=("1",))
    for path in ("/wall.json", "/boards/1/state.json", "/boards/1/game.sgf"):
        assert client(hall).get(path).headers["Cache-Control"] == "public, max-age=1"
    assert client(hall).get("/boards/1/").headers["Cache-Control"] == "no-store"


def test_an_unknown_board_is_not_there(storage: SqliteStorage) -> None:
    assert client(a_hall(storage)).get("/boards/77/").status_code == 404


def test_every_text_exists_in_both_languages_with_the_same_gaps() -> None:
    for english, chinese in (words for table in (WALL, QUEUE, OFFICE) for words in table.values()):
        assert english
        assert chinese
        assert re.findall(r"\{\d\}", english) == re.findall(r"\{\d\}", chinese)


def test_a_boards_part_of_the_queue_is_made_once_a_change(
    storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def make(state: PrivateState) -> Any:
        made.append(state.number)
        return format_with_offers(state)

    monkeypatch.setattr("recorder.hall.queue.format_with_offers", make)
    hall = a_hall(storage)
    table = hall.table("1")
    table.double_move()
    hall.look()
    referee = client(hall, Role.REFEREE)
    for _ in range(2):
        (shown,) = referee.get("/referee/state.json").json["boards"]
        assert [alert["type"] for alert in shown["alerts"]] == ["double-move"]
    assert len(made) == 1
    table.put("W", "C3")
    hall.look()
    assert referee.get("/referee/state.json").json["boards"][0]["number"] == len(table.rows)
    assert len(made) == 2


# Decisions


def decide(browser: FlaskClient, decision: str, **more: Any) -> Any:
    fields = {"action": "ruling", "alert": 1, "decision": decision, "note": "", **more}
    headers = {"X-Banmen-Token": token(browser)}
    return browser.post("/referee/boards/1/actions", json=fields, headers=headers)


def test_a_ruling_reaches_the_log_of_the_board(
    storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = a_hall(storage)
    table = hall.table("1")
    table.double_move()
    hall.look()
    referee = client(hall, Role.REFEREE)
    # The device does what it is asked while the page waits for the answer.
    monkeypatch.setattr("recorder.hall.office.time.sleep", lambda s: table.serve())
    answer = decide(referee, "confirm", based_on=len(table.rows))
    assert answer.json["number"] == next(row.number for row in table.rows if '"Ruling"' in row.body)
    hall.look()
    (found,) = hall.boards.find("1").private.state().game.alerts
    assert found.closed is not None
    assert found.closed.by == "Li (referee)"
    second = decide(referee, "dismiss", based_on=1)
    assert second.status_code == 409


def test_a_ruling_for_a_board_that_is_offline_is_refused(storage: SqliteStorage) -> None:
    hall = a_hall(storage)
    table = hall.table("1")
    table.double_move()
    table.say(ago_s=60.0)
    hall.look()
    assert decide(client(hall, Role.REFEREE), "confirm").status_code == 503


def test_an_operator_may_not_rule(storage: SqliteStorage) -> None:
    hall = a_hall(storage)
    hall.table("1").double_move()
    hall.look()
    assert decide(client(hall, Role.OPERATOR), "confirm").status_code == 403


# The office

PAIRINGS = "Table,Round,Black,White,Black club,White club\n1,3,Cho,Park,East,West\n2,3,Yi,Ke,,\n"


def send(browser: FlaskClient, path: str, data: bytes) -> Any:
    return browser.post(path, data=data, headers={"X-Banmen-Token": token(browser)})


def test_pairings_seat_the_players_at_their_boards(storage: SqliteStorage) -> None:
    hall = a_hall(storage, names=("1", "2"))
    operator = client(hall, Role.OPERATOR)
    preview = send(operator, "/office/preview", PAIRINGS.encode("gb18030"))
    assert [one["black"] for one in preview.json["pairings"]] == ["Cho", "Yi"]
    assert hall.office.pairings() == ()
    assert send(operator, "/office/pairings", PAIRINGS.encode()).json == {"taken": 2}
    assert wall(operator)["2"]["black"]["name"] == "Yi"
    table = hall.table("1")
    table.start()
    hall.look()
    assert hall.office.seat_players() == 1
    table.serve()
    hall.look()
    info = hall.boards.find("1").private.state().game.info
    assert (info.black, info.white, info.black_team, info.round) == ("Cho", "Park", "East", "3")
    assert hall.office.seat_players() == 0


def test_the_office_does_not_fold_the_games_that_are_shown_once_more(
    storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = a_hall(storage)
    table = hall.table("1")
    table.start()
    table.play("Q16 D4")
    table.game = "game-1-later"
    table.start()
    hall.look()
    before = hall.office.results()
    assert [(result.game_id, result.moves) for result in before] == [
        ("game-1", 2),
        ("game-1-later", 0),
    ]
    table.play("C3")
    hall.look()
    monkeypatch.setattr(storage, "rows_of_game", None)
    assert [result.moves for result in hall.office.results()] == [2, 1]


def test_a_file_without_pairings_is_refused_with_the_reason(storage: SqliteStorage) -> None:
    answer = send(client(a_hall(storage), Role.OPERATOR), "/office/preview", b"nonsense")
    assert answer.status_code == 400
    assert answer.json["error"]


def test_the_records_of_a_round_come_as_one_file(storage: SqliteStorage) -> None:
    hall = a_hall(storage)
    for board in ("1", "2"):
        table = hall.table(board)
        table.double_move()
    hall.look()
    answer = client(hall).get("/rounds/2.zip")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        names = archive.namelist()
        texts = [archive.read(name).decode() for name in names]
    assert len(names) == 2
    assert all(INFO.black in name for name in names)
    assert all("PB[林海]" in text and "double" not in text for text in texts)
    assert client(hall).get("/rounds/9.zip").status_code == 404

"""The operator's desk: corrections name what they correct, and lose nothing else."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from console_recorder import INFO, PASSWORDS, Recorder, log_in

from recorder.game import Game
from recorder.goban import Color, Point, Stone, format_vertex
from recorder.lifecycle import Stage
from recorder.mailbox import ClosedError
from recorder.minutes import PICTURES_DELETED
from recorder.observations import (
    ChangeInfo,
    ColorsSwapped,
    Content,
    Correction,
    Pause,
    Resign,
    Resume,
    SettledView,
    Setup,
    StartGame,
)
from recorder.web.access import Role
from recorder.web.app import create_app
from recorder.web.corrections import DESK_ACTIONS, describe_move
from recorder.web.desk_texts import DESK

BY = "Li (operator)"


class Operator:
    """A browser with the desk, logged in."""

    def __init__(self, recorder: Recorder, role: Role = Role.OPERATOR, **console: Any) -> None:
        app = create_app(recorder.live, console=replace(recorder.console(), **console))
        self.web = app.test_client()
        self.headers = log_in(self.web, role)

    def post(self, path: str, fields: Any) -> Any:
        return self.web.post(path, json=fields, headers=self.headers)

    def act(self, **fields: Any) -> Any:
        return self.post("/desk/actions", fields)

    def state(self) -> Any:
        return self.web.get("/desk/state.json").get_json()


@pytest.fixture
def recorder() -> Recorder:
    made = Recorder()
    made.start()
    made.play("Q16 D4 D16 Q4 C6 F17")
    return made


def line(game: Game) -> str:
    return " ".join(describe_move(move.move, 19).replace(" ", "") for move in game.moves)


def test_an_operator_comes_to_the_desk_and_a_referee_to_the_console(recorder: Recorder) -> None:
    for role, home in ((Role.OPERATOR, "/desk"), (Role.REFEREE, "/referee")):
        web = Operator(recorder).web
        answer = web.post("/login", data={"password": PASSWORDS[role]})
        assert answer.headers["Location"] == home
    assert Operator(recorder, Role.REFEREE).web.get("/desk/state.json").status_code == 200


def test_the_desk_shows_the_record_and_where_it_comes_from(recorder: Recorder) -> None:
    state = Operator(recorder).state()
    assert state["moves"][1] == {
        "is_unsure": False,
        "move": "W D4",
        "provenance": "seen",
        "is_order_known": True,
        "note": "",
    }
    assert state["info"]["black"] == INFO.black
    assert state["differs"] == 0


def test_the_desk_says_what_the_table_is_at(recorder: Recorder) -> None:
    operator = Operator(recorder)
    assert operator.state()["stage"] == ""
    before = recorder.private.state().key
    for stage in Stage:
        recorder.private.tell_stage(stage.value)
        assert operator.state()["stage"] == stage.value
        assert all(DESK[f"stage_{stage.value}"])
    assert recorder.private.state().key != before


def test_deleting_a_move_keeps_every_other(recorder: Recorder) -> None:
    answer = Operator(recorder).act(action="delete", number=3, was="B D16")
    assert answer.get_json()["number"] == len(recorder.records)
    assert line(recorder.state.game) == "BQ16 WD4 WQ4 BC6 WF17"
    taken = recorder.taken[-1]
    assert isinstance(taken, Correction)
    assert (taken.number, taken.by, taken.reason) == (3, BY, "deleted")


def test_a_deleted_phantom_stays_deleted(recorder: Recorder) -> None:
    Operator(recorder).act(action="delete", number=6, was="W F17")
    recorder.observe(SettledView())
    recorder.put("W", "O17")
    assert line(recorder.state.game) == "BQ16 WD4 BD16 WQ4 BC6 WO17"


def test_a_changed_move_has_its_author(recorder: Recorder) -> None:
    Operator(recorder).act(action="replace", number=3, was="B D16", color="B", point="C16")
    assert line(recorder.state.game) == "BQ16 WD4 BC16 WQ4 BC6 WF17"
    assert BY in Operator(recorder).state()["moves"][2]["note"]


def test_a_move_can_be_inserted_in_the_middle_and_at_the_end(recorder: Recorder) -> None:
    operator = Operator(recorder)
    operator.act(action="insert", number=3, was="B D16", color="B", point="K10")
    assert line(recorder.state.game) == "BQ16 WD4 BK10 BD16 WQ4 BC6 WF17"
    operator.act(action="insert", number=8, color="B", point=None)
    assert line(recorder.state.game).endswith("WF17 Bpass")


def test_cutting_deletes_a_move_and_all_after_it(recorder: Recorder) -> None:
    Operator(recorder).act(action="cut", number=5, was="B C6")
    assert line(recorder.state.game) == "BQ16 WD4 BD16 WQ4"


def test_viewers_see_a_correction_as_a_change_of_the_line(recorder: Recorder) -> None:
    operator = Operator(recorder)
    operator.act(action="delete", number=3, was="B D16")
    state = operator.web.get("/state.json").get_json()
    assert [node["point"] for node in state["line"]] == ["Q16", "D4", "Q4", "C6", "F17"]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"action": "delete", "number": 3, "was": "B D17"}, "move 3 is B D16"),
        ({"action": "delete", "number": 3}, "move 3 is B D16"),
        ({"action": "cut", "number": 7, "was": "B A1"}, "there are 6 moves"),
        ({"action": "insert", "number": 8, "color": "B", "point": "A1"}, "there are 6 moves"),
    ],
)
def test_a_correction_of_what_is_not_there_any_more_changes_nothing(
    recorder: Recorder, fields: dict[str, Any], says: str
) -> None:
    before = len(recorder.taken)
    answer = Operator(recorder).act(**fields)
    assert (answer.status_code, answer.get_json()) == (409, {"error": says})
    assert len(recorder.taken) == before


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"action": "ruling", "alert": 1, "decision": "confirm"},
        {"action": "delete", "number": "3", "was": "B D16"},
        {"action": "delete", "number": True, "was": "B Q16"},
        {"action": "replace", "number": 3, "was": "B D16", "color": "X", "point": "A1"},
        {"action": "replace", "number": 3, "was": "B D16", "color": "B", "point": "I5"},
        {"action": "info"},
        {"action": "info", "info": []},
        {"action": "info", "info": {"size": 9}},
        {"action": "info", "info": {"black": 5}},
        {"action": "info", "info": {"black": "x" * 121}},
        {"action": "info", "info": {"black": "two\nlines"}},
        {"action": "info", "info": {"komi": "7.5"}},
        {"action": "info", "info": {"komi": True}},
        {"action": "info", "info": {"komi": 1e9}},
    ],
)
def test_a_senseless_request_is_refused(recorder: Recorder, fields: dict[str, Any]) -> None:
    before = len(recorder.taken)
    assert Operator(recorder).act(**fields).status_code == 400
    assert len(recorder.taken) == before


@pytest.mark.parametrize(
    ("fields", "content"),
    [
        (
            {"action": "info", "info": {"black": " 张三 ", "komi": 6.5}},
            ChangeInfo(replace(INFO, black="张三", komi=6.5)),
        ),
        ({"action": "pause"}, Pause(BY)),
        ({"action": "resume"}, Resume()),
        ({"action": "colors-swapped"}, ColorsSwapped()),
    ],
)
def test_every_other_action_is_one_observation(
    recorder: Recorder, fields: dict[str, Any], content: Content
) -> None:
    assert Operator(recorder).act(**fields).status_code == 200
    taken = recorder.taken[-1]
    assert taken == replace(content, entered_by=BY)  # type: ignore[call-arg]


def test_a_new_game_starts_from_the_goban_with_new_names(recorder: Recorder) -> None:
    Operator(recorder).act(action="start", info={"black": "A", "white": "B"})
    taken = recorder.taken[-1]
    assert isinstance(taken, StartGame)
    assert (taken.info.black, taken.info.event, taken.setup) == ("A", "", None)


def test_the_goban_can_be_accepted_as_it_stands(recorder: Recorder) -> None:
    lifted, put = Point(3, 3), Point(9, 9)
    recorder.observe(SettledView(remove=(lifted,)))
    recorder.observe(SettledView(add=(Stone(Color.WHITE, put),)))
    operator = Operator(recorder)
    assert operator.state()["differs"] == 2
    operator.act(action="accept")
    taken = recorder.taken[-1]
    assert isinstance(taken, Setup)
    assert taken.remove == (lifted,)
    assert [format_vertex(stone.point, 19) for stone in taken.add] == ["K10"]
    assert operator.state()["differs"] == 0


def test_the_delay_holds_at_once(recorder: Recorder) -> None:
    operator = Operator(recorder)
    answer = operator.post("/desk/delay", {"seconds": 0, "moves": 2})
    assert answer.get_json() == {"seconds": 0.0, "moves": 2}
    recorder.play("C10 C11")
    assert len(operator.web.get("/state.json").get_json()["line"]) == 6
    assert operator.state()["delay"] == {"seconds": 0.0, "moves": 2}


@pytest.mark.parametrize(
    "fields",
    [
        [],
        {},
        {"seconds": "5", "moves": 0},
        {"seconds": -1, "moves": 0},
        {"seconds": 0, "moves": 1.5},
        {"seconds": 0, "moves": True},
        {"seconds": 1e9, "moves": 0},
    ],
)
def test_a_senseless_delay_is_refused(recorder: Recorder, fields: Any) -> None:
    operator = Operator(recorder)
    assert operator.post("/desk/delay", fields).status_code == 400
    assert operator.state()["delay"] == {"seconds": 0.0, "moves": 0}


def test_the_camera_shows_its_last_picture_or_nothing(recorder: Recorder) -> None:
    assert Operator(recorder).web.get("/desk/camera.jpg").status_code == 204
    operator = Operator(recorder, picture=lambda: b"jpeg")
    answer = operator.web.get("/desk/camera.jpg")
    assert (answer.data, answer.mimetype) == (b"jpeg", "image/jpeg")


def test_without_a_login_the_desk_shows_nothing(recorder: Recorder) -> None:
    web = create_app(recorder.live, console=recorder.console()).test_client()
    for path in ("/desk", "/desk/state.json", "/desk/events", "/desk/camera.jpg"):
        assert web.get(path).status_code == 401
    for path in ("/desk/actions", "/desk/delay", "/desk/delete-pictures"):
        assert web.post(path, json={"action": "pause"}).status_code == 401


def test_every_text_of_the_desk_exists_in_both_languages() -> None:
    for key, (english, chinese) in DESK.items():
        assert english, key
        assert chinese, key
        assert ("{0}" in english) == ("{0}" in chinese), key


def test_every_action_of_the_desk_is_described() -> None:
    text = (Path(__file__).parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
    for action in DESK_ACTIONS:
        assert f"`{action}`" in text


PAIRINGS = "台号,黑方,黑方段位,白方,让子\n3,林海,5段,王芳,2\n".encode("gb18030")


def test_a_pairing_file_is_shown_before_anything_is_kept(recorder: Recorder) -> None:
    operator = Operator(recorder)
    before = len(recorder.taken)
    headers = operator.headers
    answer = operator.web.post("/desk/pairings", data=PAIRINGS, headers=headers)
    (found,) = answer.get_json()["pairings"]
    assert (found["table"], found["handicap"]) == (3, 2)
    assert found["black"] == {"name": "林海", "rank": "5段", "club": ""}
    refused = operator.web.post("/desk/pairings", data=b"name\nLin\n", headers=headers)
    assert (refused.status_code, "missing" in refused.get_json()["error"]) == (400, True)
    big = operator.web.post("/desk/pairings", data=b"x" * (2 << 20), headers=headers)
    assert big.status_code == 413
    assert len(recorder.taken) == before


def test_a_game_starts_with_the_terms_of_its_pairing(recorder: Recorder) -> None:
    info = {"black": "A", "handicap": 2, "ruleset": "japanese", "clock_source": "camera"}
    assert Operator(recorder).act(action="start", info=info).status_code == 200
    taken = recorder.taken[-1]
    assert isinstance(taken, StartGame)
    found = taken.info
    assert (found.handicap, found.ruleset, found.clock_source) == (2, "japanese", "camera")
    Operator(recorder).act(action="start", info={"black": "B"})
    assert recorder.state.game.info.ruleset == "japanese"
    assert recorder.state.game.info.handicap == 0


@pytest.mark.parametrize(
    "info",
    [{"ruleset": "chess"}, {"clock_source": "sun"}, {"handicap": 10}, {"handicap": "2"}],
)
def test_terms_that_do_not_exist_are_refused(recorder: Recorder, info: dict[str, Any]) -> None:
    assert Operator(recorder).act(action="info", info=info).status_code == 400


def test_an_uncertain_stretch_is_marked_until_it_is_confirmed() -> None:
    recorder = Recorder()
    recorder.start()
    both = tuple(Stone(c, Point(row, 3)) for c, row in ((Color.BLACK, 3), (Color.WHITE, 15)))
    recorder.observe(SettledView(add=both))
    operator = Operator(recorder)
    state = operator.state()
    unsure = [place for place, move in enumerate(state["moves"], 1) if move["is_unsure"]]
    assert unsure
    last = state["moves"][unsure[-1] - 1]["move"]
    wrong = operator.act(action="confirm", first=unsure[0], number=unsure[-1], was="B Q16")
    assert wrong.status_code == 409
    right = operator.act(action="confirm", first=unsure[0], number=unsure[-1], was=last)
    assert right.status_code == 200
    moves = operator.state()["moves"]
    assert not [move for move in moves if move["is_unsure"]]
    line = operator.web.get("/state.json").get_json()["line"]
    assert not [node for node in line if node.get("is_unsure")]
    assert BY not in operator.web.get("/game.sgf").text
    assert moves[unsure[0] - 1]["note"] == BY


def test_the_referee_is_called_from_the_desk(recorder: Recorder) -> None:
    assert Operator(recorder).act(action="call-referee", note="table 3").status_code == 200
    alert = recorder.state.game.alerts[-1].alert
    assert (alert.type, int(alert.severity), dict(alert.detail)["note"]) == (
        "call-referee",
        1,
        "table 3",
    )


@pytest.mark.parametrize(
    ("text", "is_known"),
    [("", True), ("30 min + 5x60 s", True), ("30+5x60", False), ("half an hour", False)],
)
def test_a_time_control_that_no_clock_follows_is_said(
    recorder: Recorder, text: str, is_known: bool
) -> None:
    operator = Operator(recorder)
    assert operator.act(action="info", info={"time_control": text}).status_code == 200
    assert operator.state()["is_time_known"] is is_known


def test_pictures_are_deleted_once_the_game_has_ended_and_the_minutes_say_by_whom(
    recorder: Recorder, tmp_path: Path
) -> None:
    folder = tmp_path / "evidence"
    (folder / "alert-0001").mkdir(parents=True)
    (folder / "alert-0001" / "before.jpg").write_bytes(b"jpeg")
    (tmp_path / "game.sgf").write_text("(;)")
    operator = Operator(recorder, evidence=lambda game_id: folder)
    assert not operator.state()["has_pictures"]
    assert operator.post("/desk/delete-pictures", {}).status_code == 409
    assert folder.exists()
    recorder.observe(Resign(Color.BLACK))
    assert operator.state()["has_pictures"]
    assert operator.post("/desk/delete-pictures", {}).get_json() == {"files": 1}
    assert not folder.exists()
    assert (tmp_path / "game.sgf").exists()
    assert not operator.state()["has_pictures"]
    assert [note.by for note in recorder.state.game.minutes.noted(PICTURES_DELETED)] == [BY]


def test_pictures_whose_deletion_cannot_be_noted_stay(recorder: Recorder, tmp_path: Path) -> None:
    def submit(content: Content) -> Future[int]:
        raise ClosedError("the recorder has ended")

    folder = tmp_path / "evidence"
    folder.mkdir()
    recorder.observe(Resign(Color.BLACK))
    operator = Operator(recorder, evidence=lambda game_id: folder, submit=submit)
    assert operator.post("/desk/delete-pictures", {}).status_code == 503
    assert folder.exists()

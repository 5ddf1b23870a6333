"""Looking at evidence leaves a trace: who, which alert, when."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

from console_recorder import PASSWORDS, Recorder

from recorder.mailbox import ClosedError
from recorder.minutes import EVIDENCE_OPENED
from recorder.observations import Content
from recorder.web.access import Role
from recorder.web.app import create_app


def test_each_person_who_opens_the_pictures_of_an_alert_is_noted_once(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.double_move()
    folder = tmp_path / "alert-0001"
    folder.mkdir()
    for name in ("before.jpg", "after.jpg"):
        (folder / name).write_bytes(b"jpeg")
    app = create_app(recorder.live, console=recorder.console(tmp_path))
    for person in ("Chen", "Ada"):
        web = app.test_client()
        web.post("/login", data={"password": PASSWORDS[Role.REFEREE], "name": person})
        for name in ("before.jpg", "after.jpg"):
            with web.get(f"/referee/alerts/1/{name}") as answer:
                assert answer.data == b"jpeg"
        shown = web.get("/referee/state.json").get_json()
        assert EVIDENCE_OPENED not in str(shown)
    notes = recorder.state.game.minutes.noted(EVIDENCE_OPENED)
    assert [(note.by, note.text) for note in notes] == [
        ("Chen (referee)", "alert 1"),
        ("Ada (referee)", "alert 1"),
    ]
    assert app.test_client().get("/referee/alerts/1/before.jpg").status_code == 401
    assert len(recorder.state.game.minutes.notes) == 2


def test_an_opening_that_could_not_be_noted_is_noted_the_next_time(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.double_move()
    (tmp_path / "alert-0001").mkdir()
    (tmp_path / "alert-0001" / "before.jpg").write_bytes(b"jpeg")
    has_failed: list[Content] = []

    def submit(content: Content) -> Future[int]:
        if not has_failed:
            has_failed.append(content)
            raise ClosedError("the recorder has ended")
        return recorder.submit(content)

    console = replace(recorder.console(tmp_path), submit=submit)
    web = create_app(recorder.live, console=console).test_client()
    web.post("/login", data={"password": PASSWORDS[Role.REFEREE], "name": "Chen"})
    for count in (0, 1, 1):
        web.get("/referee/alerts/1/before.jpg").close()
        assert len(recorder.state.game.minutes.noted(EVIDENCE_OPENED)) == count

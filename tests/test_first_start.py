"""Without the code that is shown on the device, nobody chooses a password."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from console_recorder import Recorder
from flask.testing import FlaskClient

from recorder.web.access import Role, open_access
from recorder.web.app import create_app
from recorder.web.first_start import FirstStart, new_code
from recorder.web.first_start_texts import FIRST_START

CHOSEN = {"operator": "chess-is-fine", "referee": "go-is-better", "chief": "tea-is-best"}


class Setting:
    """A device that has just been started for the first time."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "access.json"
        self.first = FirstStart(self.path, "1234-5678")
        recorder = Recorder()
        console = replace(recorder.console(), first_start=self.first, access=self.first.access)
        self.web: FlaskClient = create_app(recorder.live, console=console).test_client()

    def choose(self, **changes: str) -> int:
        """Fill the form in; return the status of the answer."""
        form = {"code": "1234 5678", **CHOSEN, **changes}
        return self.web.post("/first-start", data=form).status_code


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    """Return such a device."""
    return Setting(tmp_path)


def test_nobody_can_log_in_before_passwords_are_chosen(setting: Setting) -> None:
    assert setting.web.get("/login").location == "/first-start"
    assert setting.web.post("/login", data={"password": ""}).location == "/first-start"
    assert setting.web.get("/referee/state.json").status_code == 401
    assert not setting.path.exists()


def test_with_the_code_passwords_are_chosen_once_and_open_their_pages(setting: Setting) -> None:
    assert setting.choose() == 303
    assert setting.path.stat().st_mode & 0o777 == 0o600
    access, pins = open_access(setting.path)
    assert not pins
    assert access.role_of(CHOSEN["chief"]) is Role.CHIEF
    assert setting.web.get("/login").status_code == 200
    assert setting.web.post("/login", data={"password": CHOSEN["referee"]}).status_code == 303
    assert setting.web.get("/referee/state.json").status_code == 200
    # The code is worth nothing any more.
    assert setting.choose(chief="another-one") == 303
    assert open_access(setting.path)[0].role_of("another-one") is None


def test_a_wrong_code_chooses_nothing_and_guessing_is_slow(setting: Setting) -> None:
    assert [setting.choose(code="0000-0000") for _ in range(6)] == [403] * 5 + [429]
    assert setting.choose() == 429
    assert not setting.path.exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"operator": "short"}, "Passwords need at least 6 characters."),
        ({"operator": CHOSEN["chief"]}, "Each role needs a password of its own."),
    ],
)
def test_weak_passwords_are_refused_in_words(
    setting: Setting, changes: dict[str, str], message: str
) -> None:
    answer = setting.web.post("/first-start", data={"code": "12345678", **CHOSEN, **changes})
    assert answer.status_code == 400
    assert message in answer.text
    assert not setting.path.exists()


def test_another_sites_page_cannot_send_the_form(setting: Setting) -> None:
    answer = setting.web.post(
        "/first-start", data={"code": "12345678", **CHOSEN}, headers={"Origin": "http://evil"}
    )
    assert answer.status_code == 403
    assert not setting.path.exists()


def test_the_page_is_there_in_both_languages(setting: Setting) -> None:
    for place, language in enumerate(("en", "zh")):
        page = setting.web.get(f"/first-start?lang={language}").text
        assert FIRST_START["explain"][place] in page
    assert all(all(words) for words in FIRST_START.values())


def test_each_device_has_a_code_of_its_own() -> None:
    assert re.fullmatch(r"\d{4}-\d{4}", new_code())
    assert new_code() != new_code()

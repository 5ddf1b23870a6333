"""The JSON interface does what docs/api.md says, and lets nobody do more than his role."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from console_recorder import Recorder, log_in

from calibration.check import SystemFacts
from calibration.store import Calibration
from recorder.gamelog import GameLog
from recorder.goban import Color
from recorder.health import Health
from recorder.keeper import LogKeeper
from recorder.library import Library
from recorder.mailbox import Mailbox
from recorder.observations import EndGame, EnterCount, Sign
from recorder.set_up import SetUp
from recorder.web.access import Role
from recorder.web.actions import ACTIONS
from recorder.web.app import create_app
from recorder.web.corrections import DESK_ACTIONS
from recorder.web.first_start import FirstStart
from recorder.web.sealed import seal_move

TEXT = (Path(__file__).parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
ADDRESS = re.compile(r"^\| (GET|POST) \| `([^`]+)` \| (\w+) \|", re.MULTILINE)
ACTION = re.compile(r"^\| `([a-z-]+)` \| (\w+) \| [^|]+ \| `(\{.+\})` \|$", re.MULTILINE)
ADDRESSES = [(method, path, role) for method, path, role in ADDRESS.findall(TEXT)]
CONSOLE, DESK = (ACTION.findall(part) for part in TEXT.split("### Of the desk"))
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
PRIVATE = [one for one in ADDRESSES if one[2] not in ("viewer", "local")]
ELSEWHERE = {"REMOTE_ADDR": "10.0.0.7"}
SECRETS = ("double-move", "17.2", "Wang", "session")
"""What a page for everybody must not hold."""


@pytest.fixture
def recorder() -> Recorder:
    made = Recorder()
    made.double_move()
    return made


def app_of(recorder: Recorder, folder: Path) -> Any:
    """Return the application with every part that a service has."""
    facts = SystemFacts(20_000_000_000, True, 50.0, False, False)
    set_up = SetUp(Calibration("camera"), folder / "camera.toml", facts=lambda: facts)
    log = GameLog(folder / "device.db", is_writer=True)
    health = Health(folder, LogKeeper(log), Mailbox(keeps_every_frame=False))
    first = FirstStart(folder / "access.json", "1234-5678")
    first.is_open = False
    console = replace(recorder.console(folder), set_up=set_up, first_start=first)
    app = create_app(recorder.live, console=console, library=Library(folder), health=health)
    log.close()
    return app


def real(path: str) -> str:
    """Return an address with its placeholders filled in."""
    filled = path.replace("<int:alert_id>", "1").replace("<name>", "before.jpg")
    filled = filled.replace("<int:number>", "1")
    return filled.replace("<game_id>", "g1").replace("<path:filename>", "base.css")


def visit_as(app: Any, role: Role) -> tuple[Any, dict[str, str]]:
    """Return a browser that is logged in, and the headers its page sends."""
    web = app.test_client()
    return web, log_in(web, role)


def test_every_address_is_described_with_its_methods(recorder: Recorder, tmp_path: Path) -> None:
    app = app_of(recorder, tmp_path)
    served = {
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert served == {(method, path) for method, path, _ in ADDRESSES}


@pytest.mark.parametrize(("method", "path", "role"), PRIVATE)
def test_a_private_address_needs_its_role(
    recorder: Recorder, tmp_path: Path, method: str, path: str, role: str
) -> None:
    app = app_of(recorder, tmp_path)
    assert app.test_client().open(real(path), method=method).status_code == 401
    needed = Role[role.upper()]
    for lower in [one for one in Role if one < needed]:
        web, headers = visit_as(app, lower)
        assert web.open(real(path), method=method, headers=headers).status_code == 403


def test_whoever_is_not_logged_in_changes_nothing_and_sees_nothing_private(
    recorder: Recorder, tmp_path: Path
) -> None:
    app = app_of(recorder, tmp_path)
    before, delay = len(recorder.taken), recorder.live.delay
    bodies = [json.loads(example) for _, _, example in (*CONSOLE, *DESK)]
    paths = {rule.rule for rule in app.url_map.iter_rules()}
    for path in sorted({*paths, "/nothing", "/desk/", "/games/x.sgf"}):
        for method in METHODS:
            if not (path == "/events" and method == "GET"):
                try_as_nobody(app, path, method)
    for path in ("/referee/actions", "/desk/actions"):
        for body in bodies:
            assert app.test_client().post(path, json=body).status_code == 401
    assert len(recorder.taken) == before
    assert recorder.live.delay == delay


def try_as_nobody(app: Any, path: str, method: str) -> None:
    """Send a request without a login; it must not be let in, nor see anything private."""
    is_public = (method, path, "viewer") in ADDRESSES or method in ("HEAD", "OPTIONS")
    fields = {"action": "pass", "color": "B", "seconds": 9, "moves": 9}
    request = {"method": method, "json": fields, "environ_overrides": ELSEWHERE}
    with app.test_client().open(real(path), **request) as answer:
        if not is_public:
            assert answer.status_code in (401, 403, 404, 405), (path, method)
        if not path.startswith(("/static", "/login")):
            text = answer.get_data(as_text=True)
            assert not [word for word in SECRETS if f'"{word}"' in text], (path, method)


def test_a_change_needs_the_token_of_the_page_everywhere(
    recorder: Recorder, tmp_path: Path
) -> None:
    app = app_of(recorder, tmp_path)
    web, _ = visit_as(app, Role.CHIEF)
    before = len(recorder.taken)
    for method, path, _ in PRIVATE:
        if method == "POST":
            assert web.post(real(path), json={"action": "pass", "color": "B"}).status_code == 403
    assert len(recorder.taken) == before


def test_every_action_is_described_once() -> None:
    assert sorted(name for name, _, _ in CONSOLE) == sorted(ACTIONS)
    assert sorted(name for name, _, _ in DESK) == sorted(DESK_ACTIONS)


@pytest.mark.parametrize(
    ("path", "name", "role", "example"),
    [("/referee/actions", *row) for row in CONSOLE] + [("/desk/actions", *row) for row in DESK],
)
def test_every_example_is_accepted_from_its_role(
    recorder: Recorder, tmp_path: Path, path: str, name: str, role: str, example: str
) -> None:
    web, headers = visit_as(app_of(recorder, tmp_path), Role[role.upper()])
    fields = json.loads(example)
    assert fields["action"] == name
    prepare(recorder, name)
    answer = web.post(path, json=fields, headers=headers)
    assert answer.status_code == 200, answer.get_json()
    entered = recorder.taken[-1]
    assert entered.entered_by == f"Li ({role})"  # type: ignore[union-attr]
    assert entered.based_on == fields.get("based_on", 0)  # type: ignore[union-attr]


def prepare(recorder: Recorder, action: str) -> None:
    """Bring the game to where an action makes sense."""
    if action == "open-move":
        fields = {"color": "B", "point": "C3", "code": "ABCDEFGH23"}
        recorder.observe(seal_move(fields, recorder.state.game))
    if action in ("count", "sign", "seal"):
        recorder.observe(EndGame(None))
    if action in ("sign", "seal"):
        recorder.observe(EnterCount())
    if action == "seal":
        result = recorder.state.game.result
        recorder.observe(EndGame(result))
        for color in Color:
            recorder.observe(Sign(color))

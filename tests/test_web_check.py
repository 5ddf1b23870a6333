"""What the page of corners refuses, and how it says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from console_recorder import PASSWORDS, Recorder
from flask.testing import FlaskClient

from calibration.store import Calibration
from recorder.engine import NoSight
from recorder.events import ViewState
from recorder.eye import Look
from recorder.set_up import SetUp
from recorder.web.access import Role
from recorder.web.app import create_app
from vision.still import load_still

FRAME = load_still(Path(__file__).parent / "data" / "frames" / "grid_09_1.jpg")
SQUARE = [[200, 100], [500, 100], [500, 400], [200, 400]]
GOOD = {"frame": 1, "corners": SQUARE, "size": 9, "index": 0, "black": "bottom"}


@pytest.fixture(scope="module")
def operator() -> FlaskClient:
    set_up = SetUp(Calibration("camera"))
    set_up.see(FRAME, Look(NoSight(0.0, ViewState.NO_GRID), None))
    recorder = Recorder()
    app = create_app(recorder.live, console=replace(recorder.console(), set_up=set_up))
    web = app.test_client()
    web.post("/login", data={"password": PASSWORDS[Role.OPERATOR], "name": "Chen"})
    with web.session_transaction() as session:
        web.environ_base["HTTP_X_BANMEN_TOKEN"] = session["token"]
    assert web.post("/corners/frame", json={}).get_json()["frame"] == 1
    return web


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"frame": 9}, "this picture is no longer known"),
        ({"frame": "1"}, "this picture is no longer known"),
        ({"corners": SQUARE[:3]}, "corners must be four pairs of numbers"),
        ({"corners": [[1, 2, 3], *SQUARE[1:]]}, "corners must be four pairs of numbers"),
        ({"corners": [["a", 2], *SQUARE[1:]]}, "corners must be four pairs of numbers"),
        ({"corners": [[float("nan"), 2], *SQUARE[1:]]}, "corners must be four pairs of numbers"),
        ({"corners": [None, *SQUARE[1:]]}, "corners must be a list of pairs"),
        ({"corners": "all"}, "corners must be a list of pairs"),
        ({"corners": [[0, 0]] * 4}, "without dents"),
        ({"size": 10}, "size must be one of"),
        ({"size": "9"}, "size must be a whole number"),
        ({"index": 4}, "index must be a whole number in 0-3"),
    ],
)
def test_a_mark_that_cannot_be_snapped_is_refused(
    operator: FlaskClient, wrong: dict[str, Any], said: str
) -> None:
    answer = operator.post("/corners/snap", json={**GOOD, **wrong})
    assert (answer.status_code, said in answer.get_json()["error"]) == (400, True)


def test_a_side_that_is_none_and_a_trial_that_is_gone_are_refused(operator: FlaskClient) -> None:
    tried = operator.post("/corners/try", json={**GOOD, "black": "inside"})
    assert (tried.status_code, "black must be one of" in tried.get_json()["error"]) == (400, True)
    kept = operator.post("/corners/keep", json={"trial": 7})
    assert (kept.status_code, "try them again" in kept.get_json()["error"]) == (400, True)
    assert operator.post("/corners/keep", json=[]).status_code == 400


def test_a_mark_near_a_crossing_is_snapped_to_it(operator: FlaskClient) -> None:
    found = operator.post("/corners/frame", json={}).get_json()
    x, y = found["corners"][0]
    moved = [[x + 4, y - 3], *found["corners"][1:]]
    answer = operator.post(
        "/corners/snap", json={"frame": found["frame"], "corners": moved, "size": 9, "index": 0}
    )
    snapped = answer.get_json()
    assert abs(snapped["x"] - x) < 2.5
    assert abs(snapped["y"] - y) < 2.5

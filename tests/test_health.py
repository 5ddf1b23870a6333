"""How the service is: reasons for those who look after it, an answer for everybody."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from console_recorder import PASSWORDS, Recorder
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families
from test_gamelog import START, STARTED
from test_keeper import FullLog

from recorder.engine import NoSight
from recorder.events import Move, MovePlayed, Record, ViewState
from recorder.eye import Look
from recorder.game import Game
from recorder.goban import Color
from recorder.health import Health
from recorder.keeper import LogKeeper
from recorder.mailbox import Mailbox
from recorder.publish import Batch
from recorder.web.access import Role
from recorder.web.app import create_app
from recorder.web.live import LiveGame
from vision.types import Frame

FRAME = Frame(np.zeros((4, 4, 3), np.uint8), 0.0)
BLIND = Look(NoSight(0.0, ViewState.NO_GRID), None)


class Setting:
    """A service's health with hands to move its clock."""

    def __init__(self, folder: Path) -> None:
        self.now_s = 0.0
        self.free = 10**9
        self.log = FullLog(folder / "a.db", is_writer=True)
        self.keeper = LogKeeper(self.log)
        self.mailbox = Mailbox(keeps_every_frame=False)
        self.health = Health(
            folder,
            self.keeper,
            self.mailbox,
            clock=lambda: self.now_s,
            free=lambda folder: self.free,
        )

    def turn(self, now_s: float) -> None:
        """Let the loop deal with a frame."""
        self.now_s = now_s
        self.health.see(FRAME, BLIND)
        self.health.tend(now_s)

    def reasons(self, now_s: float) -> list[str]:
        """Return why it is not well."""
        self.now_s = now_s
        return list(self.health.report().reasons)


@pytest.fixture
def setting(tmp_path: Path) -> object:
    """Return the health of a service that has just begun."""
    made = Setting(tmp_path)
    yield made
    made.log.close()


def test_it_is_well_while_frames_come_and_says_what_is_wrong_otherwise(setting: Setting) -> None:
    setting.turn(1.0)
    assert setting.reasons(2.0) == []
    assert setting.reasons(8.0) == ["no frame for 7 s"]
    assert setting.reasons(12.0) == ["no frame for 11 s", "the recorder stands still since 11 s"]
    setting.turn(13.0)
    assert setting.reasons(13.0) == []
    setting.free = 3_000_000
    assert setting.reasons(13.0) == ["the disk has only 3 MB left"]


def test_a_camera_that_was_never_there_is_a_reason_of_its_own(setting: Setting) -> None:
    setting.health.tend(0.0)
    assert setting.reasons(1.0) == []
    assert setting.reasons(6.0) == ["the camera has given no frame yet"]


def test_a_log_that_takes_nothing_is_a_reason(setting: Setting) -> None:
    setting.turn(1.0)
    setting.log.is_full = True
    setting.keeper.append("a", START, [STARTED])
    assert setting.reasons(1.0) == ["the game log takes nothing: database or disk is full"]
    assert setting.health.report().waiting_rows == 1


def samples(text: str) -> dict[str, float]:
    """Return the figures of a text as Prometheus reads it."""
    families = text_string_to_metric_families(text)
    return {
        "".join([s.name, *s.labels.values()]): s.value
        for family in families
        for s in family.samples
    }


def test_what_happens_is_counted_as_prometheus_reads_it(setting: Setting) -> None:
    setting.turn(1.0)
    setting.turn(2.0)
    played = MovePlayed(1, Move(Color.BLACK, None))
    setting.health.publish(Batch((Record(1, "a", 0.0, "", played),), Game()))
    with setting.health.timed("look"):
        pass
    setting.now_s = 4.0
    found = samples(setting.health.metrics().decode())
    assert found["banmen_frames_total"] == 2
    assert found["banmen_readings_totalnothing"] == 2
    assert found["banmen_moves_total"] == 1
    assert found["banmen_frame_age_seconds"] == 2
    assert found["banmen_stage_seconds_countlook"] == 1
    assert found["banmen_well"] == 1


def client(setting: Setting) -> FlaskClient:
    """Return a browser."""
    console = Recorder().console()
    app = create_app(LiveGame(), console=console, health=setting.health)
    return app.test_client()


ELSEWHERE = {"REMOTE_ADDR": "192.168.0.7"}


def test_everybody_learns_whether_it_is_well_and_only_some_why_not(setting: Setting) -> None:
    setting.turn(1.0)
    web = client(setting)
    assert web.get("/healthz").get_json() == {"is_fresh": True, "is_well": True, "reasons": []}
    setting.now_s = 9.0
    answer = web.get("/healthz", environ_overrides=ELSEWHERE)
    assert answer.status_code == 503
    assert answer.get_json() == {"is_fresh": True, "is_well": False}
    assert web.get("/metrics", environ_overrides=ELSEWHERE).status_code == 403
    # Whoever is behind a proxy on this machine is not this machine.
    forwarded = {"X-Forwarded-For": "10.0.0.1"}
    assert web.get("/metrics", headers=forwarded).status_code == 403
    password = PASSWORDS[Role.OPERATOR]
    web.post("/login", data={"password": password}, environ_overrides=ELSEWHERE)
    answer = web.get("/healthz", environ_overrides=ELSEWHERE)
    assert answer.get_json()["reasons"] == ["no frame for 8 s"]
    assert web.get("/metrics", environ_overrides=ELSEWHERE).status_code == 200

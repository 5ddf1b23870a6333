"""What `banmen status` prints of a service, and its exit code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from console_recorder import Recorder
from test_health import Setting

from recorder.cli import main
from recorder.commands import status
from recorder.web import health
from recorder.web.server import PageServer


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    """Return the health of a service that has just begun."""
    made = Setting(tmp_path)
    made.turn(1.0)
    yield made
    made.log.close()


@pytest.fixture
def address(setting: Setting) -> Iterator[str]:
    """Serve its pages."""
    server = PageServer(Recorder().live, viewers=1, health=setting.health)
    yield f"http://127.0.0.1:{server.start(port=0)}/"
    server.stop()


def test_a_service_that_is_well_is_printed_with_its_figures(
    setting: Setting, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["status", "--address", address]) == 0
    printed = capsys.readouterr().out
    assert "the service is well" in printed
    assert "1  frames looked at" in printed


def test_the_reasons_are_printed_when_somebody_must_look(
    setting: Setting, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    setting.now_s = 9.0
    assert main(["status", "--address", address]) == 1
    assert "no frame for 8 s" in capsys.readouterr().out
    assert main(["status", "--address", address, "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["reasons"] == ["no frame for 8 s"]
    assert said["figures"]["seconds since the last frame"] == 8


def test_a_device_elsewhere_tells_no_figures_and_its_address_needs_no_slash(
    setting: Setting,
    address: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(health, "is_local", lambda asked: False)
    setting.now_s = 9.0
    assert main(["status", "--address", address.rstrip("/"), "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["is_well"], said["figures"]) == (False, {})


@pytest.mark.parametrize("answer", [b"[]", b"{}", b"<html>"])
def test_what_is_no_recorder_does_not_answer_as_one(
    answer: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status, "_get", lambda asked, trusted: answer)
    assert main(["status", "--address", "http://127.0.0.1:1/"]) == 1
    assert "http://127.0.0.1:1/ does not answer" in capsys.readouterr().out


def test_an_address_without_http_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", "--address", "banmen-7.local:8080"]) == 2
    assert "--address must begin with http:// or https://" in capsys.readouterr().err
    assert main(["status", "--address", "http://127.0.0.1:x"]) == 1
    assert "http://127.0.0.1:x/ does not answer" in capsys.readouterr().out


def test_a_certificate_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "c.toml"
    settings.write_text(
        f'[device]\nfolder = "{tmp_path}"\n[camera]\nsource = "/dev/video99"\n'
        '[page]\nhost = "127.0.0.1"\ncertificate = "none.pem"\nkey = "none.key"\n'
    )
    for command in ("status", "serve"):
        assert main([command, "--config", str(settings)]) == 2
        assert "certificate none.pem" in capsys.readouterr().err


def test_a_service_that_does_not_answer_is_a_reason_to_look(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["status", "--address", "http://127.0.0.1:1/"]) == 1
    assert "http://127.0.0.1:1/ does not answer" in capsys.readouterr().out

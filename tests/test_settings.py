"""What the desk sets outlasts a restart, or the restart says why not."""

from __future__ import annotations

from pathlib import Path

import pytest
from console_recorder import Recorder, log_in

from recorder.public import NO_DELAY, Delay
from recorder.web.access import Role
from recorder.web.app import create_app
from recorder.web.settings import Settings, SettingsError, load_settings, save_settings

DEFAULT = Settings(NO_DELAY)


def test_settings_read_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "page.json"
    assert load_settings(path, DEFAULT) == DEFAULT
    save_settings(path, Settings(Delay(300, 5)))
    assert load_settings(path, DEFAULT) == Settings(Delay(300, 5))


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"delay": {"seconds": -1, "moves": 0}}', '{"delay": 5}']
)
def test_a_broken_file_is_named_rather_than_guessed_at(tmp_path: Path, text: str) -> None:
    path = tmp_path / "page.json"
    path.write_text(text)
    with pytest.raises(SettingsError, match="holds no settings"):
        load_settings(path, DEFAULT)


def test_the_delay_set_at_the_desk_is_kept(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.start()
    path = tmp_path / "page.json"
    console = recorder.console(settings=path)
    web = create_app(recorder.live, console=console).test_client()
    headers = log_in(web, Role.OPERATOR)
    assert (
        web.post("/desk/delay", json={"seconds": 60, "moves": 2}, headers=headers).status_code
        == 200
    )
    assert load_settings(path, DEFAULT).delay == recorder.live.delay == Delay(60, 2)
    path.unlink()
    path.mkdir()
    refused = web.post("/desk/delay", json={"seconds": 0, "moves": 0}, headers=headers)
    assert refused.status_code == 503
    assert recorder.live.delay == Delay(60, 2)

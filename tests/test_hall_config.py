"""Tests of a hub's settings and command line."""

from __future__ import annotations

import argparse
import re
from dataclasses import fields
from pathlib import Path

import pytest

from recorder.cli import UsageError
from recorder.commands.hub import configure, parse_hub, run
from recorder.hall.config import HubConfig, parse_boards, parse_listen, parse_sections
from recorder.settings import SettingsError

DOCS = Path(__file__).parents[1] / "docs" / "hall.md"


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    configure(parser)
    return parser.parse_args(words)


def parse(*words: str) -> HubConfig:
    return parse_hub(arguments(*words))


def test_boards_are_listed_as_people_do() -> None:
    assert parse_boards("1-3, A1-A2, final") == ("1", "2", "3", "A1", "A2", "final")


@pytest.mark.parametrize("text", ["", "1, 1", "a.b", "1-2000", "棋"])
def test_a_list_of_boards_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(SettingsError):
        parse_boards(text)


def test_sections_name_their_boards() -> None:
    assert parse_sections("Upper: 1-2; Lower: 3") == {"Upper": ("1", "2"), "Lower": ("3",)}
    with pytest.raises(SettingsError, match="sections must be like"):
        parse_sections("1-2")


@pytest.mark.parametrize("text", ["4222", "host:", "host:0", "host:70000", "host:x"])
def test_an_address_needs_host_and_port(text: str) -> None:
    with pytest.raises(SettingsError, match="HOST:PORT"):
        parse_listen(text)


def test_the_command_line_goes_before_the_file(tmp_path: Path) -> None:
    path = tmp_path / "hub.toml"
    path.write_text('[hub]\nevent = "cup"\nboards = "1-4"\n[page]\nport = 9000\n')
    config = parse("--config", str(path), "--event", "league", "--serve", "0.0.0.0:80")
    assert (config.hub.event, config.hub.boards) == ("league", "1-4")
    assert (config.page.host, config.page.port) == ("0.0.0.0", 80)


@pytest.mark.parametrize(
    "text",
    [
        '[hub]\nevnt = "cup"\n',
        '[hub]\nevent = "spring cup"\n',
        '[hub]\nboards = "1-4"\nsections = "A: 5"\n',
        '[server]\nlisten = "4222"\n',
        "[page]\nviewers = 0\n",
    ],
)
def test_mistakes_in_the_file_are_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "hub.toml"
    path.write_text(text)
    with pytest.raises(UsageError):
        parse("--config", str(path))


def test_a_folder_that_cannot_be_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nats", reason="nats-py is not installed")
    # Ctrl-C stays with whoever runs the tests.
    monkeypatch.setattr("recorder.commands.hub.signal.signal", lambda *_: None)
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="file/hub"):
        run(arguments("--folder", str(tmp_path / "file" / "hub")))


def test_every_setting_is_in_the_docs() -> None:
    text = DOCS.read_text(encoding="utf-8")
    documented = set(re.findall(r"`(?:\[\w+\] )?(\w+)`", text))
    for section in fields(HubConfig):
        keys = {field.name for field in fields(section.default)}  # type: ignore[arg-type]
        assert keys <= documented

"""The settings of a device: documented, checked, and wrong ones named."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.cli import UsageError, main
from recorder.commands import config as command
from recorder.config import Config, as_tables, parse_config
from recorder.settings import SettingsError, format_settings

DOCS = Path(__file__).parents[1] / "docs" / "configuration.md"
ROW = re.compile(r"\| `(\w+)` \| ([^|]+) \| ([^|]+) \|")


def documented() -> dict[str, dict[str, tuple[str, str]]]:
    """Return what docs/configuration.md says of each setting: what it may be, its default."""
    parts = re.split(r"^## \[(\w+)\]$", DOCS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {
        name: {key: (may.strip(), default.strip()) for key, may, default in ROW.findall(text)}
        for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_every_setting_is_in_the_docs_with_its_range_and_default() -> None:
    told = documented()
    assert set(told) == set(get_type_hints(Config))
    defaults = as_tables(Config())
    for name, section in get_type_hints(Config).items():
        assert list(told[name]) == [f.name for f in fields(section)], name
        for setting in fields(section):
            may, default = told[name][setting.name]
            value = defaults[name].get(setting.name)
            shown = "none" if value is None else f"`{format_settings({'x': {'y': value}})[8:-1]}`"
            assert default == shown, (name, setting.name)
            allowed = setting.metadata.get("allowed")
            if allowed is not None and setting.name not in ("sizes", "rules"):
                assert may == str(allowed), (name, setting.name)


def test_an_empty_file_is_all_defaults_and_the_example_in_the_docs_works() -> None:
    assert parse_config("") == Config()
    example = re.search(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    config = parse_config(example[1])
    assert (config.device.table, config.game.event) == ("7", "Spring Cup")


def test_what_is_printed_is_read_back() -> None:
    config = parse_config('[device]\ntable = "7"\n[board]\nsizes = [19]\n[page]\ndelay_s = 5')
    assert parse_config(format_settings(as_tables(config))) == config


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[pages]", "there is no table [pages]; did you mean page?"),
        ("[page]\nprot = 1", "[page] has no setting prot; did you mean port?"),
        ("[page]\nport = 70000", "[page] port must be a number in 0 to 65535, got 70000"),
        ("[page]\nport = '80'", "[page] port must be a whole number in 0 to 65535, got '80'"),
        ("[camera]\nlock_exposure = 1", "[camera] lock_exposure must be true or false, got 1"),
        ("[board]\nsizes = [17]", "[board] sizes must be of [9, 13, 19], got [17]"),
        ("[board]\nsizes = []", "[board] sizes must be a list of whole numbers in 9 to 19"),
        ("[game]\nrules = 'chinese'", "[game] rules must be one of aga, "),
        ("[game]\ntime = 'soon'", "[game] time: "),
        ("[device]\ntable = 'a b'", "[device] table must be 1 to 30 letters"),
        ("[page]\ncertificate = 'a.pem'", "[page] certificate and key must be given both"),
        ("[clock]\nsource = 'buttons'", "[clock] source buttons needs [gpio] black_button"),
        ("[gpio]\nblack_button = 4\nstatus_led = 4", "[gpio] a pin can be used only once"),
        ("page = 1", "page must be a table [page], got 1"),
        ("[page", "this is no TOML"),
        ("[game]\nevent = 'a\\u0007b'\nevent2 = 1", "[game] has no setting event2"),
    ],
)
def test_a_mistake_is_named_with_what_was_expected(text: str, expected: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(expected)):
        parse_config(text)


def test_all_mistakes_are_named_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        parse_config("[page]\nprot = 1\nport = -1\n[camera]\nrate = 'fast'")
    assert len(str(caught.value).splitlines()) == 3


def test_the_command_prints_the_file_and_the_mistake_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "banmen.toml"
    path.write_text("[page]\nprot = 1\n", encoding="utf-8")
    assert main(["config", "check", str(path)]) == 1
    assert f"{path}: [page] has no setting prot" in capsys.readouterr().err
    path.write_text("[page]\nport = 1\n", encoding="utf-8")
    assert main(["config", "check", str(path)]) == 0
    assert main(["config", "show", str(path)]) == 0
    assert "port = 1" in capsys.readouterr().out
    path.write_bytes(b"\xff\xfe")
    assert main(["config", "check", str(path)]) == 1
    assert main(["config", "check", str(tmp_path / "none.toml")]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_settings_that_are_there_but_cannot_be_read_are_never_replaced_by_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "PATH", tmp_path / "none.toml")
    assert command.load_config(None) == Config()
    with pytest.raises(UsageError, match=r"none\.toml cannot be read"):
        command.load_config(tmp_path / "none.toml")
    monkeypatch.setattr(command, "PATH", tmp_path)
    with pytest.raises(UsageError, match="cannot be read"):
        command.load_config(None)


KEYS = sorted({f.name for section in get_type_hints(Config).values() for f in fields(section)})
VALUES = st.one_of(
    st.integers(),
    st.floats(),
    st.booleans(),
    st.text(max_size=20),
    st.lists(st.integers(0, 30), max_size=3),
)


def faults(text: str) -> list[str]:
    """Return what is wrong with a text of settings, line by line; nothing else may be raised."""
    try:
        parse_config(text)
    except SettingsError as error:
        return str(error).split("\n")
    return []


@given(
    st.dictionaries(
        st.sampled_from([*get_type_hints(Config), "pages"]),
        st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=5),
        max_size=4,
    )
)
def test_whatever_the_values_are_they_are_taken_or_named(
    tables: dict[str, dict[str, object]],
) -> None:
    assert faults(format_settings(tables)) != [""]


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert faults(text) != [""]

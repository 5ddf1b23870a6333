"""What the device says about itself; what it does not say is not invented."""

from __future__ import annotations

from pathlib import Path

import pytest

from recorder import system_facts
from recorder.system_facts import parse_throttled, read_facts


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device without any tools."""
    monkeypatch.setattr(system_facts, "_answer", lambda *command: None)


@pytest.mark.usefixtures("silent")
def test_a_device_that_tells_nothing_but_its_disk(tmp_path: Path) -> None:
    facts = read_facts(tmp_path, thermal=tmp_path, clock_set=tmp_path / "none")
    assert facts.free_disk_bytes is not None
    assert facts.free_disk_bytes > 0
    assert facts.is_clock_set is None
    assert facts.temperature_c is None
    assert facts.is_throttled_now is None
    assert facts.was_throttled is None


@pytest.mark.usefixtures("silent")
def test_the_hottest_sensor_counts_and_broken_ones_do_not(tmp_path: Path) -> None:
    for number, text in enumerate(("41500", "nonsense", "63200")):
        zone = tmp_path / f"thermal_zone{number}"
        zone.mkdir()
        (zone / "temp").write_text(text)
    (tmp_path / "set").write_text("")
    facts = read_facts(tmp_path, thermal=tmp_path, clock_set=tmp_path / "set")
    assert facts.temperature_c == 63.2
    assert facts.is_clock_set is True


@pytest.mark.usefixtures("silent")
def test_a_folder_that_does_not_exist_yet_lies_on_the_disk_of_its_parent(tmp_path: Path) -> None:
    there = read_facts(tmp_path).free_disk_bytes
    planned = read_facts(tmp_path / "games" / "first").free_disk_bytes
    assert there is not None
    assert planned is not None
    assert abs(there - planned) < 1e9


@pytest.mark.parametrize(
    ("answers", "now", "before", "clock"),
    [
        ({"vcgencmd": "throttled=0x50005", "timedatectl": "no"}, True, True, False),
        ({"vcgencmd": "throttled=0x50000", "timedatectl": "yes"}, False, True, True),
        ({"vcgencmd": "throttled=0x0"}, False, False, None),
        ({"vcgencmd": "VCHI failed"}, None, None, None),
    ],
)
def test_throttling_and_clock_are_told_by_the_tools_of_the_system(
    answers: dict[str, str],
    now: bool | None,
    before: bool | None,
    clock: bool | None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(system_facts, "_answer", lambda name, *rest: answers.get(name))
    facts = read_facts(tmp_path, clock_set=tmp_path / "none")
    assert (facts.is_throttled_now, facts.was_throttled) == (now, before)
    assert facts.is_clock_set is clock


def test_a_tool_that_is_not_installed_says_nothing() -> None:
    assert system_facts._answer("no-such-tool-of-banmen") is None
    assert parse_throttled("throttled=what") is None

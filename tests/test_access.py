"""Passwords are kept as hashes, roles include each other, and guessing is slow."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from recorder.web.access import (
    AccessError,
    Guard,
    Role,
    format_access,
    hash_password,
    new_access,
    new_pins,
    open_access,
    parse_access,
)


def test_a_password_gives_its_role_and_another_gives_none() -> None:
    access = new_access({Role.REFEREE: "one", Role.CHIEF: "two"}, cost=16)
    assert access.role_of("one") is Role.REFEREE
    assert access.role_of("two") is Role.CHIEF
    assert access.role_of("One") is None
    assert access.role_of("") is None


def test_one_password_for_two_roles_gives_the_higher() -> None:
    access = new_access({Role.REFEREE: "same", Role.CHIEF: "same"}, cost=16)
    assert access.role_of("same") is Role.CHIEF


def test_no_password_can_be_read_from_the_file() -> None:
    text = format_access(new_access({Role.REFEREE: "open-sesame"}, cost=16))
    assert "open-sesame" not in text
    assert hash_password("a") != hash_password("a")


def test_an_access_reads_back_as_it_was() -> None:
    access = new_access({Role.OPERATOR: "a", Role.REFEREE: "b", Role.CHIEF: "c"}, cost=16)
    assert parse_access(format_access(access)) == access


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"passwords": {"king": "x"}, "secret": "y"}',
        '{"passwords": 1, "secret": 2}',
    ],
)
def test_a_broken_file_is_named_as_such(text: str) -> None:
    with pytest.raises(AccessError):
        parse_access(text)


def test_the_first_start_makes_pins_and_tells_them_once(tmp_path: Path) -> None:
    path = tmp_path / "private" / "access.json"
    access, pins = open_access(path)
    assert set(pins) == set(Role)
    assert access.role_of(pins[Role.REFEREE]) is Role.REFEREE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert open_access(path) == (access, {})


def test_pins_are_digits_and_never_the_same() -> None:
    pins = new_pins()
    assert all(pin.isdigit() and len(pin) == 8 for pin in pins.values())
    assert pins != new_pins()


def test_after_five_failures_an_address_has_to_wait() -> None:
    now = [0.0]
    guard = Guard(lambda: now[0])
    for _ in range(5):
        assert guard.wait_s("here") == 0.0
        guard.fail("here")
    assert guard.wait_s("here") == 300.0
    assert guard.wait_s("there") == 0.0
    now[0] = 301.0
    assert guard.wait_s("here") == 0.0


def test_many_addresses_together_have_to_wait_too() -> None:
    guard = Guard(lambda: 0.0, failures_all=10)
    for n in range(10):
        guard.fail(f"address {n}")
    assert guard.wait_s("another") > 0

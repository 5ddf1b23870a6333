"""The options of the pages: what makes no sense is refused before anything is served."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from recorder.cli import UsageError
from recorder.commands.options import Address
from recorder.commands.page import (
    Pages,
    Referee,
    add_page_options,
    describe_pins,
    parse_pages,
    read_access,
    serving,
)
from recorder.mailbox import ClosedError, Mailbox, Submitted
from recorder.observations import Pause
from recorder.public import Delay
from recorder.web.access import Role
from recorder.web.live import LiveGame


def pages(*words: str) -> Pages:
    parser = argparse.ArgumentParser()
    add_page_options(parser)
    return parse_pages(parser.parse_args(words))


def test_without_options_nothing_is_late_and_nothing_private_is_served() -> None:
    assert pages() == Pages()


def test_delay_viewers_and_passwords_can_be_given() -> None:
    given = pages("--delay", "30", "--delay-moves", "2", "--viewers", "500", "--access", "a.json")
    assert given == Pages(Delay(30.0, 2), 500, Path("a.json"))


@pytest.mark.parametrize(
    "words", [("--delay", "-1"), ("--delay-moves", "-1"), ("--viewers", "0"), ("--delay", "nan")]
)
def test_a_senseless_option_is_wrong_usage(words: tuple[str, str]) -> None:
    with pytest.raises(UsageError, match=words[0].removesuffix("-moves")):
        pages(*words)


def test_a_file_that_holds_no_passwords_is_wrong_usage(tmp_path: Path) -> None:
    path = tmp_path / "access.json"
    path.write_text("no passwords")
    with pytest.raises(UsageError, match="no file of passwords"):
        read_access(path)


def test_new_pins_are_told_by_role(tmp_path: Path) -> None:
    _, pins = read_access(tmp_path / "access.json")
    text = describe_pins(pins)
    assert f"PIN of the chief referee: {pins[Role.CHIEF]}" in text
    assert len(text.splitlines()) == 3


def test_an_address_that_is_taken_is_wrong_usage() -> None:
    with (
        serving(LiveGame(), Address("127.0.0.1", 0)) as port,
        pytest.raises(UsageError, match=str(port)),
        serving(LiveGame(), Address("127.0.0.1", port)),
    ):
        pass


def test_the_referees_words_go_into_the_loop_that_runs() -> None:
    referee, mailbox = Referee(), Mailbox(keeps_every_frame=False)
    with pytest.raises(ClosedError):
        referee.inbox.submit(Pause())
    referee.inbox.connect(mailbox.submit)
    referee.inbox.submit(Pause("Wang"))
    taken = mailbox.take(0.0)
    assert isinstance(taken, Submitted)
    assert taken.content == Pause("Wang")
    referee.inbox.disconnect()
    with pytest.raises(ClosedError):
        referee.inbox.submit(Pause())

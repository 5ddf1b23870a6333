"""The options of `banmen record` and what they mean."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from recorder.cli import UsageError
from recorder.commands import record
from recorder.commands.options import Address, Recording, parse_address, parse_recording
from recorder.goban import Color, Point, Stone

SGF = "(;GM[1]FF[4]SZ[9]AB[aa]AW[bb]PL[B];B[cc];W[dd])"


def parse(*words: str) -> Recording:
    """Return what a command line asks for."""
    parser = argparse.ArgumentParser()
    record.configure(parser)
    return parse_recording(parser.parse_args(["/dev/video9", "--out", "game", *words]))


def test_without_options_everything_is_as_seen() -> None:
    job = parse()
    assert job.sizes == (9, 13, 19)
    assert job.turn == 0
    assert job.start.setup is None
    assert job.start.info.ruleset == "chinese-2002"
    assert job.start.info.komi is None
    assert job.serve is None
    assert not job.is_resumed


def test_who_plays_where_goes_into_the_record() -> None:
    info = parse(
        *("--black", "李昌鎬", "--black-rank", "9p", "--white", "Gu Li", "--event", "LG Cup"),
        *("--round", "1", "--komi", "6.5", "--handicap", "2", "--rules", "japanese"),
    ).start.info
    assert (info.black, info.black_rank, info.white) == ("李昌鎬", "9p", "Gu Li")
    assert (info.event, info.round, info.komi, info.handicap) == ("LG Cup", "1", 6.5, 2)
    assert info.ruleset == "japanese"


def test_a_game_before_a_camera_is_of_today_and_one_on_file_of_a_day_unknown(
    tmp_path: Path,
) -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", parse().start.info.date)
    parser = argparse.ArgumentParser()
    record.configure(parser)
    job = parse_recording(parser.parse_args([str(tmp_path), "--out", "game"]))
    assert job.start.info.date == ""


def test_a_start_position_is_the_end_of_an_sgf(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text(SGF)
    job = parse("--start-position", str(tmp_path / "a.sgf"))
    assert job.sizes == (9,)
    assert job.start.info.size == 9
    assert set(job.start.setup or ()) == {
        Stone(Color.BLACK, Point(0, 0)),
        Stone(Color.WHITE, Point(1, 1)),
        Stone(Color.BLACK, Point(2, 2)),
        Stone(Color.WHITE, Point(3, 3)),
    }
    assert job.start.to_move is Color.BLACK


def test_a_start_position_of_another_size_than_asked_for_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text(SGF)
    with pytest.raises(UsageError, match="--size is 19"):
        parse("--start-position", str(tmp_path / "a.sgf"), "--size", "19")


@pytest.mark.parametrize(("side", "turn"), [("bottom", 0), ("left", 1), ("top", 2), ("right", 3)])
def test_the_side_where_black_sits_becomes_the_lower_one(side: str, turn: int) -> None:
    assert parse("--orientation", side).turn == turn


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("8080", Address("127.0.0.1", 8080)),
        ("0.0.0.0:80", Address("0.0.0.0", 80)),
        ("[::1]:80", Address("::1", 80)),
        (":9", Address("127.0.0.1", 9)),
    ],
)
def test_an_address_is_a_port_and_perhaps_a_host(text: str, address: Address) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["x", "1.2.3.4", "host:", "70000", "-1"])
def test_an_address_without_a_port_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"must be (\[HOST:\]PORT|in 0-65535)"):
        parse_address(text)

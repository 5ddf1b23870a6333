"""GNU Go as an adviser on dead stones: asked by GTP, believed only when it answers properly."""

from __future__ import annotations

from pathlib import Path

import pytest

from recorder.gnugo import GnuGoError, ask_dead_stones, is_installed, parse_answers
from recorder.goban import Point, parse_diagram

BOARD = parse_diagram(
    """
    . X O . .
    . X O X .
    . X O . .
    . X O . .
    . X O . .
    """
)


def script(folder: Path, body: str) -> str:
    """Write a program that answers like GNU Go, and return its path."""
    path = folder / "gnugo"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_points_are_read_from_the_last_answer() -> None:
    text = "= \n\n" * 3 + "= D4\nA1\n\n= \n\n"
    # A1 is empty: nothing stands there that could be dead.
    assert parse_answers(text, BOARD, expected=3) == {Point(1, 3)}


@pytest.mark.parametrize(
    "text", ["", "? unknown command\n\n", "= \n\n", "= \n\n" * 3 + "= Z99\n\n"]
)
def test_an_answer_that_is_no_list_of_points_is_named(text: str) -> None:
    with pytest.raises(GnuGoError, match="expected"):
        parse_answers(text, BOARD, expected=3)


def test_a_program_that_is_not_there_is_named() -> None:
    assert not is_installed("no-such-program")
    with pytest.raises(GnuGoError, match="cannot be started"):
        ask_dead_stones(BOARD, program="no-such-program")


def test_a_program_that_does_not_answer_in_time_is_given_up(tmp_path: Path) -> None:
    program = script(tmp_path, "exec tail -f /dev/null")
    with pytest.raises(GnuGoError, match="did not answer within"):
        ask_dead_stones(BOARD, program=program, time_limit_s=0.2)


@pytest.mark.skipif(not is_installed(), reason="GNU Go is not installed")
def test_the_installed_gnu_go_answers_with_stones_of_the_position() -> None:
    assert all(BOARD[point] is not None for point in ask_dead_stones(BOARD))

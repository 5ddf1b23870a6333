"""**I/O**: dead stones as GNU Go sees them, where it is installed; a suggestion, never a ruling."""

from __future__ import annotations

import shutil
import subprocess

from recorder.goban import Board, GobanError, Point, format_vertex, parse_vertex

TIME_LIMIT_S = 10.0


class GnuGoError(RuntimeError):
    """GNU Go is not installed, took too long, or answered something else than points."""


def is_installed(program: str = "gnugo") -> bool:
    """Return whether GNU Go can be asked."""
    return shutil.which(program) is not None


def ask_dead_stones(
    board: Board, *, program: str = "gnugo", time_limit_s: float = TIME_LIMIT_S
) -> frozenset[Point]:
    """Return the stones of a finished position that GNU Go takes for dead.

    Raises
    ------
    GnuGoError
        It is not installed, does not answer in time, or not as GTP.
    """
    commands = "\n".join([*_set_up(board), "final_status_list dead", "quit"]) + "\n"
    try:
        answered = subprocess.run(
            [program, "--mode", "gtp", "--quiet"],
            input=commands,
            capture_output=True,
            text=True,
            timeout=time_limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GnuGoError(f"{program} did not answer within {time_limit_s:g} s") from error
    except OSError as error:
        raise GnuGoError(f"{program} cannot be started: {error}") from error
    return parse_answers(answered.stdout, board, expected=len(board) + 2)


def _set_up(board: Board) -> list[str]:
    """Return the GTP commands that put the stones down.

    In whatever order, nothing is captured on the way: part of a chain that keeps a liberty in the
    end is next to a stone still to come, or is the whole chain.
    """
    lines = [f"boardsize {board.size}", "clear_board"]
    for color, point in sorted(board.stones(), key=lambda stone: (stone.color.value, stone.point)):
        lines.append(f"play {color.value} {format_vertex(point, board.size)}")
    return lines


def parse_answers(text: str, board: Board, *, expected: int) -> frozenset[Point]:
    """Return the points of the answer after `expected` answers without content.

    Raises `GnuGoError` if a command was refused or the last answer is no list of points.
    """
    answers = [part.strip() for part in text.replace("\r", "").split("\n\n") if part.strip()]
    refused = [part for part in answers if not part.startswith("=")]
    if refused or len(answers) <= expected:
        said = refused[0] if refused else f"{len(answers)} answers instead of {expected + 2}"
        raise GnuGoError(f"expected a GTP answer to every command, got {said[:80]!r}")
    try:
        points = {parse_vertex(name, board.size) for name in answers[expected][1:].split()}
    except GobanError as error:
        raise GnuGoError(f"expected a list of points: {error}") from error
    return frozenset(point for point in points if board[point] is not None)

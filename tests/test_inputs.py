"""Inputs beside a video: read, checked, and handed out when their time has come."""

from __future__ import annotations

from pathlib import Path

import pytest

from recorder.goban import Color, Point
from recorder.inputs import InputsError, read_inputs
from recorder.observations import (
    AgreeEnd,
    Claim,
    ClockPress,
    ColorsSwapped,
    Consent,
    Dispute,
    Observation,
    Pass,
    Pause,
    ProposeEnd,
    Resign,
    Resume,
    Tick,
)

B, W = Color.BLACK, Color.WHITE

LINES = """
{"t": 9, "resign": "W"}
{"t": 1.5, "clock_press": "B", "note": "in time"}
{"t": 2, "pass": "W"}
{"t": 3, "event": "claim", "by": "B", "about": "takeback"}
{"t": 3, "event": "consent", "by": "W", "about": "takeback"}
{"t": 4, "event": "propose-end", "by": "B"}
{"t": 4, "event": "agree-end", "by": "W"}
{"t": 5, "event": "dispute", "by": "B", "about": ["A1", "C9"], "claim": "alive"}
{"t": 6, "event": "resume", "first": "B"}

{"t": 7, "event": "colors-swapped-reported"}
{"t": 7.5, "event": "pause"}
{"t": 8, "note": "silence"}
"""


def written(tmp_path: Path, text: str) -> Path:
    """Write a file of inputs."""
    path = tmp_path / "inputs.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_kind_of_entry_is_read_in_the_order_of_time(tmp_path: Path) -> None:
    inputs = read_inputs(written(tmp_path, LINES))
    assert inputs.until(99, 9) == (
        Observation(1.5, ClockPress(B)),
        Observation(2, Pass(W)),
        Observation(3, Claim(B, "takeback")),
        Observation(3, Consent(W, "takeback")),
        Observation(4, ProposeEnd(B)),
        Observation(4, AgreeEnd(W)),
        Observation(5, Dispute(B, (Point(8, 0), Point(0, 2)), "alive")),
        Observation(6, Resume(B)),
        Observation(7, ColorsSwapped()),
        Observation(7.5, Pause()),
        Observation(8, Tick()),
        Observation(9, Resign(W)),
    )


def test_an_entry_is_handed_out_once_and_not_before_its_time(tmp_path: Path) -> None:
    inputs = read_inputs(written(tmp_path, LINES))
    assert inputs.until(1.4, 19) == ()
    assert len(inputs.until(3, 19)) == 4
    assert inputs.until(3, 19) == ()
    assert len(inputs.until(4, 19)) == 2


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", "line 1: JSON was expected"),
        ("[1]", "line 1 must be an object"),
        ('{"pass": "B"}', "line 1 must have 't'"),
        ('{"t": "soon", "pass": "B"}', r"line 1\.t must be a number"),
        ('{"t": 1, "pass": "red"}', r"line 1\.pass must be one of B, W"),
        ('{"t": 1, "event": "sneeze"}', r"line 1\.event must be one of claim, consent"),
        ('{"t": 1, "event": "dispute", "by": "B", "about": ["Z99"]}', r"line 1\.about\[0\]"),
        ('{"t": 1, "tap": "B"}', "line 1 must be an entry with one of clock_press, pass"),
    ],
)
def test_a_wrong_line_is_named_with_what_was_expected(
    tmp_path: Path, line: str, expected: str
) -> None:
    with pytest.raises(InputsError, match=expected):
        read_inputs(written(tmp_path, line))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputsError, match=r"none\.jsonl"):
        read_inputs(tmp_path / "none.jsonl")

"""The command line itself: log lines for people and for the journal."""

from __future__ import annotations

import logging

import pytest

from recorder.cli import formatter_for


def record(level: int, message: str, *, fault: Exception | None = None) -> logging.LogRecord:
    """Return a log record."""
    about = None if fault is None else (type(fault), fault, None)
    return logging.LogRecord("recorder.x", level, "x.py", 1, message, (), about)


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (logging.DEBUG, "<7>recorder.x: lost"),
        (logging.INFO, "<6>recorder.x: lost"),
        (logging.WARNING, "<4>recorder.x: lost"),
        (logging.ERROR, "<3>recorder.x: lost"),
    ],
)
def test_the_journal_is_told_how_much_a_line_matters(level: int, expected: str) -> None:
    formatter = formatter_for({"JOURNAL_STREAM": "8:1"})
    assert formatter.format(record(level, "lost")) == expected


def test_every_line_of_a_fault_has_its_priority() -> None:
    formatter = formatter_for({"JOURNAL_STREAM": "8:1"})
    text = formatter.format(record(logging.ERROR, "lost", fault=OSError("full")))
    assert len(text.splitlines()) > 1
    assert all(line.startswith("<3>") for line in text.splitlines())


def test_people_read_the_level_in_words() -> None:
    text = formatter_for({}).format(record(logging.WARNING, "lost"))
    assert text == "WARNING recorder.x: lost"

"""Tests of the messages between devices and hubs, and of their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.gamelog import LogRow
from recorder.hall import wire
from recorder.hall.subjects import ALL, HallNameError, Subjects, checked
from recorder.hall.wire import Answer, DeviceState, HallMessageError, Heads, Request, Rows

texts = st.text(st.characters(exclude_categories=["Cs"]))
times = st.floats(allow_nan=False, allow_infinity=False)
kinds = st.sampled_from(["observation", "event"])


@st.composite
def some_rows(draw: Callable[..., Any]) -> Rows:
    first = draw(st.integers(1, 10**9))
    count = draw(st.integers(1, 5))
    rows = [
        LogRow(first + n, draw(texts), draw(times), draw(texts), draw(kinds), draw(texts))
        for n in range(count)
    ]
    return Rows(draw(texts), tuple(rows))


@given(some_rows())
def test_rows_arrive_as_they_were_sent(rows: Rows) -> None:
    assert wire.parse_rows(wire.format_rows(rows)) == rows


@given(texts, texts, texts, st.dictionaries(texts, st.integers(0)))
def test_states_arrive_as_they_were_sent(one: str, at: str, log: str, logs: dict[str, int]) -> None:
    state = DeviceState(one, at, log, logs, {"moves": 3})
    assert wire.parse_state(wire.format_state(state)) == state


@given(texts, st.dictionaries(texts, st.integers(0)))
def test_reports_arrive_as_they_were_sent(hub: str, heads: dict[str, int]) -> None:
    assert wire.parse_heads(wire.format_heads(Heads(hub, heads))) == Heads(hub, heads)


@given(texts, texts, texts)
def test_requests_and_answers_arrive_as_they_were_sent(id_: str, one: str, other: str) -> None:
    request = Request(id_, one, other)
    assert wire.parse_request(wire.format_request(request)) == request
    assert wire.parse_answer(wire.format_answer(Answer(7, one))) == Answer(7, one)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[]",
        b'{"log": "g"}',
        b'{"log": "g", "rows": []}',
        b'{"log": 3, "rows": [[1, "g", 0.5, "", "event", "{}"]]}',
        b'{"log": "g", "rows": [[1, "g", 0.5, "", "event"]]}',
        b'{"log": "g", "rows": [[0, "g", 0.5, "", "event", "{}"]]}',
        b'{"log": "g", "rows": [[1, "g", "soon", "", "event", "{}"]]}',
        b'{"log": "g", "rows": [[1, "g", 0.5, "", "rumour", "{}"]]}',
        b'{"log": "g", "rows": [[1, "g", 0, "", "event", "{}"], [3, "g", 0, "", "event", "{}"]]}',
    ],
)
def test_what_is_no_message_of_rows_is_refused(data: bytes) -> None:
    with pytest.raises(HallMessageError):
        wire.parse_rows(data)


@given(st.binary(max_size=200))
def test_no_noise_gets_through(data: bytes) -> None:
    for parse in (wire.parse_rows, wire.parse_state, wire.parse_heads, wire.parse_answer):
        with pytest.raises(HallMessageError):
            parse(data)


def test_an_observation_and_its_events_travel_together() -> None:
    many = [LogRow(n, "g", 0.0, "", "event", "x") for n in range(2, wire.MOST_ROWS + 51)]
    first = LogRow(1, "g", 0.0, "", "observation", "x")
    second = LogRow(wire.MOST_ROWS + 51, "g", 0.0, "", "observation", "x")
    parts = list(wire.chunks([first, *many, second]))
    assert [part[0].kind for part in parts] == ["observation", "observation"]
    assert sum(map(len, parts)) == len(many) + 2


def test_what_is_asked_for_again_is_another_message_to_the_server() -> None:
    rows = Rows("g", (LogRow(4, "g", 0.0, "", "event", "x"),))
    assert rows.id("7") == rows.id("7") == "7:g:4-4"
    assert rows.id("7", again=1) != rows.id("7")


def test_the_board_is_read_from_the_subject() -> None:
    subjects = Subjects("cup")
    assert subjects.board_of(subjects.rows("A7")) == "A7"
    assert subjects.board_of(subjects.state("A7")) == "A7"
    assert subjects.board_of("banmen.other.A7.events") is None
    assert subjects.rows() == f"banmen.cup.{ALL}.events"


@pytest.mark.parametrize("name", ["", "a.b", "*", ">", "a b", "棋", "x" * 41])
def test_names_that_cannot_be_part_of_a_subject_are_refused(name: str) -> None:
    with pytest.raises(HallNameError, match="event must be"):
        checked(name, "event")

"""Events and observations to JSON and back."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recorder.codec import (
    CodecError,
    format_event,
    format_observation,
    parse_event,
    parse_observation,
)
from recorder.events import Event, GameInfo, GameStarted
from recorder.goban import Point
from recorder.observations import Content, Observation

st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
UNHURRIED = settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])

points = st.builds(Point, st.integers(0, 18), st.integers(0, 18))
st.register_type_strategy(Point, points)


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_an_event_reads_back_as_it_was(kind: type) -> None:
    @UNHURRIED
    @given(st.from_type(kind))
    def check(event: Any) -> None:
        text = format_event(event)
        assert "\n" not in text
        assert parse_event(text) == event

    check()


@pytest.mark.parametrize("kind", get_args(Content), ids=lambda kind: kind.__name__)
def test_an_observation_reads_back_as_it_was(kind: type) -> None:
    @UNHURRIED
    @given(st.builds(Observation, st.floats(0, 1e6), st.from_type(kind), st.text()))
    def check(observation: Observation) -> None:
        assert parse_observation(format_observation(observation)) == observation

    check()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "not JSON"),
        ("[1]", "must be a JSON object"),
        ('{"event": "Nothing"}', "event must be one of"),
        ('{"event": "MovesRetracted", "number": "1", "reason": ""}', "MovesRetracted.number"),
        ('{"event": "MovesRetracted", "number": true, "reason": ""}', "MovesRetracted.number"),
        ('{"event": "MovesRetracted", "number": 1}', "reason"),
        ('{"event": "MovesRetracted", "number": 1, "reason": "", "x": 1}', "no field 'x'"),
        ('{"event": "PhaseChanged", "phase": "asleep"}', "PhaseChanged.phase must be one of"),
        ('{"event": "PhysicalChanged", "add": [["B"]], "remove": []}', "PhysicalChanged.add[0]"),
    ],
)
def test_a_broken_event_is_refused_by_the_name_of_its_place(text: str, place: str) -> None:
    with pytest.raises(CodecError) as error:
        parse_event(text)
    assert place in str(error.value)


@UNHURRIED
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_no_json_makes_the_reader_fail_otherwise(value: Any) -> None:
    text = json.dumps({"observation": "SettledView", "t_s": 0, "content": {"add": value}})
    with suppress(CodecError):
        parse_observation(text)


def test_names_in_any_script_stay_readable_in_the_log() -> None:
    text = format_event(GameStarted(GameInfo(black="柯洁"), (), None))
    assert "柯洁" in text

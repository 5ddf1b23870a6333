"""Scenario files: what they say, and what is said about broken ones."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recorder.goban import Color, Point, Stone
from recorder.observations import LooseStones, SettledView, Tick
from recorder.scenario import ScenarioError, parse_scenario

Case = dict[str, Any]


def case(**changes: Any) -> Case:
    setup = {"B": ["Q16"], "W": [], "to_play": "W"}
    return {"id": "x", "size": 19, "setup": setup, "observations": []} | changes


def read(value: Any) -> Any:
    return parse_scenario(json.dumps(value), "case")


def test_a_view_becomes_what_the_recorder_is_told() -> None:
    entry = {"t": 5, "add": [["W", "D4"]], "remove": ["Q16"], "first_seen": {"D4": 4.5}}
    (observation,) = read(case(observations=[entry])).observations
    point = Point(15, 3)
    stone = Stone(Color.WHITE, point)
    assert observation.t_s == 5.0
    assert observation.content == SettledView((stone,), (Point(3, 15),), {point: 4.5})


def test_an_entry_without_news_is_a_tick() -> None:
    (observation,) = read(case(observations=[{"t": 5, "note": "nothing"}])).observations
    assert observation.content == Tick()


def test_a_stone_beside_its_point_is_on_it_and_one_between_points_is_not() -> None:
    near = {"t": 1, "off_grid": [["B", 10.3, 16.2]]}
    between = {"t": 2, "off_grid": [["B", 10.5, 15.5]]}
    first, second = (o.content for o in read(case(observations=[near, between])).observations)
    assert first.add == (Stone(Color.BLACK, Point(3, 9)),)
    assert second.add == ()
    assert second.remove == (Point(3, 9),)
    assert isinstance(second.loose, LooseStones)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"size": "19"}, "case.size must be a whole number in 2-25"),
        ({"size": 1}, "case.size must be a whole number in 2-25"),
        ({"setup": None}, "case.setup must be an object"),
        ({"setup": {}}, "case.setup must have 'to_play'"),
        ({"setup": {"to_play": "G"}}, "case.setup.to_play must be one of B, W"),
        ({"setup": {"to_play": "B", "B": ["Z9"]}}, "case.setup.B[0]: a point must be"),
        ({"setup": {"to_play": "B", "B": ["Q4"], "W": ["Q4"]}}, "case.setup.W[0] must be a point"),
        ({"ruleset": "chess"}, "case.ruleset must be one of chinese-2002"),
        ({"config": {"superko_policy": 1}}, "case.config.superko_policy must be one of refer"),
        ({"observations": {}}, "case.observations must be a list"),
        ({"observations": [{}]}, "case.observations[0] must have 't'"),
        ({"observations": [{"t": float("nan")}]}, "case.observations[0].t must be a number"),
        ({"observations": [{"t": 5}, {"t": 4}]}, "case.observations[1].t must be at least 5"),
        (
            {"observations": [{"t": 5, "add": ["Q4"]}]},
            "case.observations[0].add[0] must be a stone",
        ),
        ({"observations": [{"t": 5, "event": "tea"}]}, "case.observations[0].event must be one of"),
        ({"observations": [{"t": 5, "event": "claim"}]}, "case.observations[0] must have 'by'"),
        ({"id": 7}, "case.id must be a text"),
    ],
)
def test_a_broken_case_names_the_place_and_what_was_expected(changes: Case, said: str) -> None:
    with pytest.raises(ScenarioError) as error:
        read(case(**changes))
    assert said in str(error.value)


def test_what_is_not_json_says_so() -> None:
    with pytest.raises(ScenarioError, match="case is not JSON"):
        parse_scenario("{", "case")


anything = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
KEYS = ("t", "add", "remove", "off_grid", "off_board", "first_seen", "pass", "event", "by", "about")


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(KEYS), anything), anything, anything)
def test_no_case_breaks_the_reader(entry: Case, setup: Any, config: Any) -> None:
    with suppress(ScenarioError):
        read(case(observations=[{"t": 1} | entry]))
    with suppress(ScenarioError):
        read(case(setup=setup, config=config))
    with suppress(ScenarioError):
        read(setup)

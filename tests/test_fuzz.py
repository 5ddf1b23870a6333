"""Whatever comes by http is answered: no traceback, no hang. Files: test_sgf, test_still."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from console_recorder import Recorder, log_in
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recorder.web.access import Role
from recorder.web.app import create_app

EXAMPLES = int(os.environ.get("BANMEN_FUZZ", "60"))

QUICK = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

WORDS = (
    *("action", "alert", "decision", "color", "point", "number", "was", "info", "points", "by"),
    *("claim", "result", "seconds", "moves", "type", "note", "about", "kind", "text", "dead"),
    *("B", "W", "Q16", "pass", "confirm", "dismiss", "ruling", "start", "delete", "insert", "end"),
    *("komi", "size", "black", "based_on", "minutes", "corners", "to_move", "first", "shared"),
)
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.floats(),
        st.text(max_size=12),
        st.sampled_from(WORDS),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=6), inner, max_size=4),
    ),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def app() -> Flask:
    """Return the pages of a game with an alert to decide."""
    recorder = Recorder()
    recorder.double_move()
    return create_app(recorder.live, console=recorder.console())


@pytest.fixture(scope="module")
def chief(app: Flask) -> tuple[FlaskClient, dict[str, str]]:
    """Return a browser whose user may do everything, and what its pages send along."""
    web = app.test_client()
    return web, log_in(web, Role.CHIEF)


def places(app: Flask, method: str) -> list[str]:
    """Return the addresses that take a method, streams without end left out."""
    found = [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]
    return sorted(rule.rule for rule in found if not rule.rule.endswith("/events"))


def filled(address: str, values: list[str]) -> str:
    """Return an address with something for each of its parts."""
    parts = address.split("<")
    rest = [value + part.split(">", 1)[1] for value, part in zip(values, parts[1:], strict=False)]
    return parts[0] + "".join(rest)


@QUICK
@given(data=st.data())
def test_every_address_takes_any_json(
    app: Flask, chief: tuple[FlaskClient, dict[str, str]], data: st.DataObject
) -> None:
    web, head = chief
    address = data.draw(st.sampled_from([a for a in places(app, "POST") if a != "/logout"]))
    number = st.integers(-1, 3).map(str) | st.just("x")
    url = filled(address, [data.draw(number) for _ in range(3)])
    body: Any = data.draw(VALUES)
    answer = web.post(url, data=json.dumps(body), headers=head, content_type="application/json")
    assert answer.status_code < 500, (url, body)
    answer.close()


@QUICK
@given(data=st.data())
def test_every_address_takes_any_bytes_and_any_query(
    app: Flask, chief: tuple[FlaskClient, dict[str, str]], data: st.DataObject
) -> None:
    web, head = chief
    method = data.draw(st.sampled_from(["GET", "POST"]))
    address = data.draw(st.sampled_from([a for a in places(app, method) if a != "/logout"]))
    segment = st.text(st.characters(exclude_characters="/?#<>", codec="utf-8"), max_size=8)
    url = filled(address, [data.draw(segment) for _ in range(3)])
    query = data.draw(st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=3))
    kind = data.draw(st.sampled_from(["application/json", "text/plain", "multipart/form-data"]))
    body = data.draw(st.binary(max_size=200)) if method == "POST" else None
    answer = web.open(
        url, method=method, query_string=query, data=body, headers=head, content_type=kind
    )
    assert answer.status_code < 500 or answer.status_code == 503, (method, url)
    answer.close()

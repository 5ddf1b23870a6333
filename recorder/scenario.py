"""Scenario files (../shared/rules/SCHEMA.md): a position and what was then seen and said."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import hypot, isfinite
from typing import Any

from recorder.events import GameInfo
from recorder.goban import Color, GobanError, Point, Stone, parse_vertex
from recorder.observations import (
    AgreeEnd,
    Claim,
    ClockPress,
    ColorsSwapped,
    Consent,
    Content,
    Dispute,
    LooseStones,
    Observation,
    Pass,
    Pause,
    ProposeEnd,
    Resign,
    Resume,
    SettledView,
    StartGame,
    Tick,
)
from recorder.rules import RULESETS

ON_POINT = 0.45
"""A stone so near to an intersection, in line spacings, is on it; farther, it lies between."""

POLICIES = ("refer", "void-pass")
ZONES = ("black-lower-right", "white-lower-right")


class ScenarioError(ValueError):
    """A scenario that cannot be read; the message names the place and what was expected."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A case: how it begins, and the observations in the order of time."""

    id: str
    title: str
    size: int
    start: StartGame
    observations: tuple[Observation, ...]


class Node:
    """A value of a JSON document that knows its place, for messages."""

    def __init__(self, value: Any, place: str) -> None:
        self.value = value
        self.place = place

    def fail(self, expected: str) -> ScenarioError:
        """Return the error that says what was expected here."""
        text = json.dumps(self.value, ensure_ascii=False)
        shown = text if len(text) <= 60 else f"{text[:57]}..."
        return ScenarioError(f"{self.place} must be {expected}, got {shown}")

    def object(self) -> Mapping[str, Any]:
        """Return the value as an object."""
        if not isinstance(self.value, dict):
            raise self.fail("an object")
        return self.value

    def get(self, key: str, default: Any) -> Node:
        """Return a field of an object, or a default for a missing one."""
        return Node(self.object().get(key, default), f"{self.place}.{key}")

    def need(self, key: str) -> Node:
        """Return a field that must be there."""
        if key not in self.object():
            raise ScenarioError(f"{self.place} must have {key!r}")
        return self.get(key, None)

    def entries(self) -> list[Node]:
        """Return the items of a list."""
        if not isinstance(self.value, list):
            raise self.fail("a list")
        return [Node(item, f"{self.place}[{i}]") for i, item in enumerate(self.value)]

    def items(self, count: int, expected: str) -> list[Node]:
        """Return the items of a list of a fixed length."""
        if not isinstance(self.value, list) or len(self.value) != count:
            raise self.fail(expected)
        return self.entries()

    def text(self) -> str:
        """Return the value as text."""
        if not isinstance(self.value, str):
            raise self.fail("a text")
        return self.value

    def number(self) -> float:
        """Return the value as a finite number."""
        is_number = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        if not is_number or not isfinite(self.value):
            raise self.fail("a number")
        return float(self.value)

    def whole(self, low: int, high: int) -> int:
        """Return the value as a whole number of a range."""
        value = self.value
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.fail(f"a whole number in {low}-{high}")
        return value

    def one_of(self, *names: str) -> str:
        """Return the value as one of some names."""
        if not isinstance(self.value, str) or self.value not in names:
            raise self.fail(f"one of {', '.join(names)}")
        return self.value

    def color(self) -> Color:
        """Return the value as a color."""
        return Color(self.one_of("B", "W"))

    def point(self, size: int) -> Point:
        """Return the value as a point of the goban."""
        try:
            return parse_vertex(self.text(), size)
        except GobanError as error:
            raise ScenarioError(f"{self.place}: {error}") from error


def parse_scenario(text: str, name: str) -> Scenario:
    """Return the scenario of a JSON text; `name` begins every message.

    Raises
    ------
    ScenarioError
        The text is not JSON, or a field is missing or makes no sense.
    """
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ScenarioError(f"{name} is not JSON: {error}") from error
    case = Node(data, name)
    size = case.need("size").whole(2, 25)
    start = _start(case, size)
    observations: list[Observation] = []
    lying = _Lying(size)
    last = 0.0
    for entry in case.need("observations").entries():
        t_s = entry.need("t").number()
        if t_s < last:
            raise entry.get("t", None).fail(f"at least {last} (entries are in the order of time)")
        last = t_s
        contents = _contents(entry, size, lying) or [Tick()]
        observations += [Observation(t_s, content) for content in contents]
    return Scenario(
        id=case.get("id", name).text(),
        title=case.get("title", "").text(),
        size=size,
        start=start,
        observations=tuple(observations),
    )


def _start(case: Node, size: int) -> StartGame:
    """Return how the game begins: rule set, policy, stones, and who is to play."""
    setup = case.need("setup")
    ruleset = case.get("ruleset", "chinese-2002").one_of(*RULESETS)
    policy = case.get("config", {}).get("superko_policy", "refer").one_of(*POLICIES)
    info = GameInfo(
        size=size,
        ruleset=ruleset,
        handicap=setup.get("handicap", 0).whole(0, size * size),
        superko=policy,
        moves_before=setup.get("moves_played", 0).whole(0, 10_000),
    )
    stones: dict[Point, Stone] = {}
    for color in Color:
        for item in setup.get(color.value, []).entries():
            point = item.point(size)
            if point in stones:
                raise item.fail("a point that holds no other stone")
            stones[point] = Stone(color, point)
    return StartGame(info, tuple(stones.values()), setup.need("to_play").color())


class _Lying:
    """The stones off their intersections, of which those near enough count as on them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._near: dict[Point, Color] = {}

    def moved_to(self, stones: list[tuple[Color, float, float]]) -> tuple[list[Stone], list[Point]]:
        """Return the stones that came onto points, and the points that were left."""
        near: dict[Point, Color] = {}
        for color, col, row in stones:
            point = Point(round(row), round(col))
            is_inside = min(point) >= 0 and max(point) < self._size
            if is_inside and hypot(row - point.row, col - point.col) <= ON_POINT:
                near[point] = color
        add = [Stone(c, p) for p, c in near.items() if self._near.get(p) is not c]
        gone = [p for p in self._near if p not in near]
        self._near = near
        return add, gone


def _contents(entry: Node, size: int, lying: _Lying) -> list[Content]:
    """Return everything one entry reports, what was seen before what was said."""
    fields = entry.object()
    contents: list[Content] = []
    if not {"add", "remove", "off_grid", "off_board"}.isdisjoint(fields):
        contents.append(_view(entry, size, lying))
    return [*contents, *said(entry, size)]


def said(entry: Node, size: int) -> list[Content]:
    """Return what players said and pressed by one entry; raise `ScenarioError` if that is odd."""
    fields = entry.object()
    contents: list[Content] = []
    for key, make in (("clock_press", ClockPress), ("pass", Pass), ("resign", Resign)):
        if key in fields:
            contents.append(make(entry.get(key, None).color()))
    if "event" in fields:
        contents.append(_event(entry, size))
    return contents


def _view(entry: Node, size: int, lying: _Lying) -> SettledView:
    fields = entry.object()
    add: list[Stone] = []
    for item in entry.get("add", []).entries():
        color, point = item.items(2, 'a stone such as ["B", "Q16"]')
        add.append(Stone(color.color(), point.point(size)))
    remove = [item.point(size) for item in entry.get("remove", []).entries()]
    times = entry.get("first_seen", {})
    first_seen = {
        Node(name, times.place).point(size): times.get(name, None).number()
        for name in times.object()
    }
    loose = None
    if "off_grid" in fields or "off_board" in fields:
        off_grid = [_off_grid(item, size) for item in entry.get("off_grid", []).entries()]
        off_board = tuple(_off_board(item) for item in entry.get("off_board", []).entries())
        loose = LooseStones(tuple(off_grid), off_board)
    if "off_grid" in fields and loose is not None:
        near, gone = lying.moved_to(list(loose.off_grid))
        add, remove = [*add, *near], [*remove, *gone]
    return SettledView(tuple(add), tuple(remove), first_seen, loose)


def _off_grid(item: Node, size: int) -> tuple[Color, float, float]:
    color, x, y = item.items(3, 'a stone such as ["B", 10.4, 15.6]')
    return color.color(), x.number() - 1, size - y.number()


def _off_board(item: Node) -> tuple[Color, str, int]:
    count = item.get("count", 1).whole(0, 361)
    return item.need("color").color(), item.need("zone").one_of(*ZONES), count


def _event(entry: Node, size: int) -> Content:
    """Return what was said, by the name of the event."""
    readers: dict[str, Callable[[], Content]] = {
        "claim": lambda: Claim(entry.need("by").color(), entry.need("about").text()),
        "consent": lambda: Consent(entry.need("by").color(), entry.need("about").text()),
        "propose-end": lambda: ProposeEnd(entry.need("by").color()),
        "agree-end": lambda: AgreeEnd(entry.need("by").color()),
        "dispute": lambda: _dispute(entry, size),
        "resume": lambda: Resume(_color_or_none(entry, "first")),
        "pause": lambda: Pause(),
        "colors-swapped-reported": lambda: ColorsSwapped(),
    }
    return readers[entry.need("event").one_of(*readers)]()


def _color_or_none(entry: Node, key: str) -> Color | None:
    node = entry.get(key, None)
    return None if node.value is None else node.color()


def _dispute(entry: Node, size: int) -> Dispute:
    points = tuple(item.point(size) for item in entry.get("about", []).entries())
    claim = entry.get("claim", "dead").one_of("dead", "alive")
    return Dispute(entry.need("by").color(), points, claim)

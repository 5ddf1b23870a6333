"""Whatever is seen, pressed and said in whatever order, `step` goes on and its events fold."""

from __future__ import annotations

from random import Random

import pytest
from rules_play import Table

from recorder.codec import format_event, parse_event
from recorder.events import GameInfo, Move
from recorder.goban import Color, Point, Stone
from recorder.observations import (
    Claim,
    ClockPress,
    Consent,
    Content,
    Correction,
    Pass,
    ProposeEnd,
    Resume,
    Ruling,
    SettledView,
    Setup,
    Tick,
)
from recorder.rules import RULESETS

SIZE = 7
POINTS = [Point(r, c) for r in range(SIZE) for c in range(SIZE)]
DECISIONS = ("confirm", "dismiss", "stands", "void-move", "warning", "no-warning", "original-point")


def some_view(random: Random, table: Table) -> SettledView:
    """Return a view in which some stones come, go, slide, or are put right."""
    official, physical = table.game.board, table.game.physical
    stones = [p for p in POINTS if physical[p] is not None]
    empty = [p for p in POINTS if physical[p] is None]
    add: list[Stone] = []
    remove: list[Point] = []
    kind = random.choice(("play", "play", "play", "lift", "several", "right"))
    if kind == "play" and empty:
        color, point = table.game.to_move or Color.BLACK, random.choice(empty)
        add = [Stone(color, point)]
        remove = sorted(physical.place(color, point).captured)
    elif kind == "lift" and stones:
        remove = random.sample(stones, min(len(stones), random.choice((1, 1, 2, 9))))
    elif kind == "several" and empty:
        places = random.sample(empty, min(len(empty), random.choice((2, 3, 6))))
        add = [Stone(random.choice(list(Color)), p) for p in places]
    elif kind == "right":
        wrong = [p for p in POINTS if official[p] is not physical[p]]
        add = [Stone(c, p) for p in wrong if (c := official[p]) is not None]
        remove = [p for p in wrong if official[p] is None]
    first = {s.point: table.t_s - random.random() for s in add if random.random() < 0.3}
    return SettledView(tuple(add), tuple(remove), first)


def something(random: Random, table: Table) -> Content:
    """Return any observation."""
    color = random.choice(list(Color))
    if random.random() < 0.7:
        return some_view(random, table)
    moves = tuple(Move(random.choice(list(Color)), random.choice(POINTS)) for _ in range(2))
    choices: list[Content] = [
        Tick(),
        ClockPress(color),
        Pass(color),
        Claim(color, random.choice(("take-back", "double-move", "ko-violation"))),
        Consent(color, "dropped-stone"),
        ProposeEnd(color),
        Resume(random.choice((None, color))),
        Ruling(random.randint(0, len(table.game.alerts) + 1), random.choice(DECISIONS)),
        Correction(random.randint(0, len(table.game.moves) + 2), moves),
        Setup((Stone(color, random.choice(POINTS)),), (), random.choice((None, color))),
    ]
    return random.choice(choices)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_order_of_events_breaks_the_session(ruleset: str) -> None:
    for seed in range(3):
        random = Random(seed)
        info = GameInfo(size=SIZE, ruleset=ruleset, time_control="5 min + 3x30 s")
        table = Table(size=SIZE, info=info)
        for _ in range(60):
            wait_s = random.choice((0.0, 0.6, 2.0, 9.0, 20.0))
            for event in table.tell(something(random, table), wait_s):
                assert parse_event(format_event(event)) == event
        table.check_fold()

"""Tests of what a device still has to send, with a clock of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recorder.gamelog import GameLog
from recorder.hall.outbox import Outbox, OutgoingLog, find_logs
from recorder.hall.wire import Heads
from recorder.observations import Observation, Tick

PATIENCE_S = 8.0


class Hands:
    """A clock that stands until it is moved."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def gamelog(tmp_path: Path) -> Iterator[GameLog]:
    with GameLog(tmp_path / "game.db", is_writer=True) as gamelog:
        yield gamelog


@pytest.fixture
def outbox(gamelog: GameLog, hands: Hands) -> Iterator[Outbox]:
    write(gamelog, 10)
    outbox = Outbox(gamelog.path, patience_s=PATIENCE_S, clock=hands)
    outbox.look()
    yield outbox
    outbox.close()


def write(gamelog: GameLog, rows: int, game: str = "g1") -> None:
    for _ in range(rows):
        gamelog.append(game, Observation(0.0, Tick()), [])


def only(outbox: Outbox) -> OutgoingLog:
    (one,) = outbox.due()
    return one


def numbers(one: OutgoingLog) -> list[int]:
    return [row.number for part in one.parts(32) for row in part.rows]


def test_everything_is_sent_that_was_not_confirmed(outbox: Outbox, gamelog: GameLog) -> None:
    one = only(outbox)
    assert numbers(one) == list(range(1, 11))
    one.sent = 10
    write(gamelog, 2)
    assert numbers(one) == [11, 12]


def test_a_restarted_device_goes_on_from_what_the_hub_has(outbox: Outbox) -> None:
    outbox.take_heads(Heads("hub", {"g1": 7}))
    assert numbers(only(outbox)) == [8, 9, 10]


def test_what_a_hub_still_lacks_after_a_while_is_sent_again(outbox: Outbox, hands: Hands) -> None:
    one = only(outbox)
    one.sent = 10
    for hands.now_s in (0.0, 7.0):
        outbox.take_heads(Heads("hub", {"g1": 4}))
        assert numbers(one) == []
    hands.now_s = 9.0
    outbox.take_heads(Heads("hub", {"g1": 4}))
    assert numbers(one) == [5, 6, 7, 8, 9, 10]
    assert one.again == 1


def test_a_hub_that_gets_on_is_not_sent_anything_again(outbox: Outbox, hands: Hands) -> None:
    one = only(outbox)
    one.sent = 10
    for place in range(1, 10):
        hands.now_s += PATIENCE_S - 1
        outbox.take_heads(Heads("hub", {"g1": place}))
    assert one.again == 0


def test_patience_with_a_slow_hub_grows(outbox: Outbox, hands: Hands) -> None:
    one = only(outbox)
    one.sent = 10
    resent = []
    for second in range(100):
        hands.now_s = float(second)
        outbox.take_heads(Heads("hub", {"g1": 4}))
        if one.sent == 4:
            resent.append(second)
            one.sent = 10
    assert resent == [8, 24, 56]


def test_ten_minutes_offline_are_sent_in_order(
    outbox: Outbox, gamelog: GameLog, hands: Hands
) -> None:
    one = only(outbox)
    outbox.take_heads(Heads("hub", {"g1": 10}))
    write(gamelog, 40)
    hands.now_s = 600.0
    outbox.take_heads(Heads("hub", {"g1": 10}))
    assert numbers(one) == list(range(11, 51))


def test_the_slowest_hub_decides_until_it_is_gone(outbox: Outbox, hands: Hands) -> None:
    one = only(outbox)
    one.sent = 10
    for hub, number in (("hub", 10), ("hub-2", 3)):
        outbox.take_heads(Heads(hub, {"g1": number}))
    hands.now_s = 9.0
    for hub, number in (("hub", 10), ("hub-2", 3)):
        outbox.take_heads(Heads(hub, {"g1": number}))
    assert one.sent == 3
    one.sent = 10
    hands.now_s = 60.0
    outbox.take_heads(Heads("hub", {"g1": 10}))
    assert (one.sent, one.behind) == (10, None)


def test_an_old_log_is_sent_only_when_a_hub_has_told_what_it_lacks(tmp_path: Path) -> None:
    for name in ("20260501-090000", "20260502-090000"):
        with GameLog(tmp_path / name / "game.db", is_writer=True) as gamelog:
            write(gamelog, 2, game=name)
    assert [path.parent.name for path in find_logs(tmp_path)][-1] == "20260502-090000"
    outbox = Outbox(tmp_path, patience_s=PATIENCE_S, clock=Hands())
    outbox.look()
    assert [one.name for one in outbox.due()] == ["20260502-090000"]
    outbox.take_heads(Heads("hub", {"20260501-090000": 0, "20260502-090000": 2}))
    assert [one.name for one in outbox.due()] == ["20260502-090000", "20260501-090000"]
    outbox.close()


def test_a_log_without_a_game_is_waited_for(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "device.db", patience_s=PATIENCE_S, clock=Hands())
    outbox.look()
    assert outbox.current is None
    with GameLog(tmp_path / "device.db", is_writer=True) as gamelog:
        outbox.look()
        assert outbox.current is None
        write(gamelog, 1)
        outbox.look()
    assert outbox.current is not None
    outbox.close()

"""Memory goes back to the system now and then."""

from __future__ import annotations

from recorder.thrift import EVERY_S, Thrift, malloc_trim


def test_memory_is_given_back_once_a_minute() -> None:
    given: list[float] = []
    now_s = 100.0
    thrift = Thrift(lambda: given.append(now_s))
    for now_s in (100.0, 101.0, 100.0 + EVERY_S, 101.0 + EVERY_S):
        thrift.tend(now_s)
    assert given == [100.0, 100.0 + EVERY_S]


def test_giving_back_harms_nothing_that_is_in_use() -> None:
    kept = [bytes(100_000) for _ in range(50)]
    del kept[::2]
    malloc_trim()
    assert kept == [bytes(100_000)] * 25

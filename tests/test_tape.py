"""The tape of a game: what is read back is what was judged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.engine import Input, NoSight
from recorder.events import GameInfo, ViewState
from recorder.goban import Color
from recorder.observations import Observation, Pass, StartGame
from recorder.tape import TapeError, TapeWriter, read_tape, rounded
from vision.types import Label, LooseStone, Side, StoneReading


def reading(seed: int, *, size: int = 9, t_s: float = 0.0) -> StoneReading:
    """Return a reading of random probabilities, some points hidden."""
    random = np.random.default_rng(seed)
    shares = random.random((size, size, 3)) ** 4
    probabilities = (shares / shares.sum(axis=2, keepdims=True)).astype(np.float32)
    loose = (LooseStone(Label.WHITE, (random.uniform(-2, size + 1), 3.25), 0.8),) * (seed % 3)
    arms = frozenset({Side.LEFT, Side.BOTTOM} if seed % 2 else ())
    return StoneReading(probabilities, random.random((size, size)) < 0.9, t_s, loose, arms)


def write(path: Path, items: list[Input]) -> None:
    """Write a whole tape."""
    tape = TapeWriter(path)
    for item in items:
        tape.write(item)
    tape.close()


def assert_same(one: Input, other: Input) -> None:
    """Compare two inputs to the bit."""
    if isinstance(one, StoneReading) and isinstance(other, StoneReading):
        assert one.seen_at_s == other.seen_at_s
        assert one.probabilities.dtype == other.probabilities.dtype == np.float32
        assert one.probabilities.tobytes() == other.probabilities.tobytes()
        assert (one.visible == other.visible).all()
        assert (one.loose, one.arms) == (other.loose, other.arms)
    else:
        assert one == other


@given(st.integers(0, 10_000))
def test_rounding_moves_no_probability_far_and_happens_once(seed: int) -> None:
    fine = reading(seed)
    coarse = rounded(fine)
    assert np.abs(coarse.probabilities - fine.probabilities).max() <= 0.0151
    assert coarse.probabilities.sum(axis=2) == pytest.approx(1)
    assert_same(coarse, rounded(coarse))


def test_a_tape_gives_back_every_input_in_order(tmp_path: Path) -> None:
    items: list[Input] = [
        Observation(0.0, StartGame(GameInfo(black="吴清源"))),
        NoSight(0.1, ViewState.NO_GRID, "nothing found"),
        rounded(reading(1, size=19, t_s=0.2)),
        rounded(reading(1, size=19, t_s=1 / 3)),
        rounded(reading(2, size=19, t_s=0.5)),
        Observation(0.6, Pass(Color.WHITE)),
        rounded(reading(3, size=9, t_s=0.7)),
    ]
    write(tmp_path / "tape", items)
    back = list(read_tape(tmp_path / "tape"))
    assert len(back) == len(items)
    for one, other in zip(items, back, strict=True):
        assert_same(one, other)


def test_a_still_scene_takes_few_bytes(tmp_path: Path) -> None:
    still = rounded(reading(4, size=19))
    items: list[Input] = [
        StoneReading(still.probabilities, still.visible, n / 5, still.loose, still.arms)
        for n in range(5 * 600)
    ]
    write(tmp_path / "tape", items)
    assert (tmp_path / "tape").stat().st_size < 20 * len(items)


def test_a_tape_cut_short_ends_with_its_last_whole_entry(tmp_path: Path) -> None:
    write(tmp_path / "tape", [rounded(reading(n, t_s=float(n))) for n in range(100)])
    data = (tmp_path / "tape").read_bytes()
    lengths = []
    for length in range(20, len(data), 997):
        (tmp_path / "cut").write_bytes(data[:length])
        lengths.append(len(list(read_tape(tmp_path / "cut"))))
    assert lengths == sorted(lengths)
    assert lengths[-1] > 90


def test_a_writer_that_was_killed_leaves_what_it_flushed(tmp_path: Path) -> None:
    tape = TapeWriter(tmp_path / "tape")
    for n in range(64):
        tape.write(rounded(reading(n, t_s=float(n))))
    assert len(list(read_tape(tmp_path / "tape"))) == 64
    tape.close()


def test_another_file_is_refused_with_what_was_expected(tmp_path: Path) -> None:
    (tmp_path / "tape").write_bytes(b"\x89PNG")
    with pytest.raises(TapeError, match="must begin with"):
        list(read_tape(tmp_path / "tape"))

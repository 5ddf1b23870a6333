"""The loop: the log first, then everybody; a fault stops nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from recorder.engine import Known, new_engine
from recorder.events import GameInfo, GameStarted, ViewChanged
from recorder.eye import Eye, Look
from recorder.gamelog import GameLog
from recorder.goban import Board, Color, Point, Stone
from recorder.labels import labels_of
from recorder.mailbox import Mailbox, pump
from recorder.observations import (
    ChangeInfo,
    Observation,
    Pass,
    SettledView,
    StartGame,
)
from recorder.pipeline import Outlets, Pipeline
from recorder.publish import Batch
from recorder.rebuild import read_game
from recorder.tape import TapeWriter, read_tape
from vision.types import Frame, StoneReading

STONES = (
    Stone(Color.BLACK, Point(2, 2)),
    Stone(Color.WHITE, Point(6, 6)),
    Stone(Color.BLACK, Point(2, 6)),
)


def film(seconds: float, *, every_s: float = 3.0) -> Iterator[Frame]:
    """Give frames, five a second, whose pixels tell how many stones stand there."""
    for number in range(round(seconds * 5)):
        count = min(int(number / 5 / every_s), len(STONES))
        yield Frame(np.full((8, 8, 3), count, np.uint8), number / 5, number=number)


def looking(eye: Eye, frame: Frame, known: Known | None) -> tuple[Eye, Look]:
    """Read what the pixels tell."""
    board = Board(9, STONES[: int(frame.image[0, 0, 0])])
    probabilities = np.eye(3, dtype=np.float32)[labels_of(board)]
    return eye, Look(StoneReading(probabilities, np.ones((9, 9), bool), frame.seen_at_s), None)


class Heard:
    """A publisher that checks that the log knows already what it is told."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.batches: list[Batch] = []

    def publish(self, batch: Batch) -> None:
        """Compare with the log on disk."""
        with GameLog(self.path) as reader:
            assert batch.records[-1].number <= reader.last_number()
        self.batches.append(batch)


class Fixed:
    """Inputs that come at fixed times."""

    def __init__(self, *observations: Observation) -> None:
        self._left = list(observations)

    def until(self, t_s: float, size: int) -> Sequence[Observation]:
        """Return those that are due."""
        due = [o for o in self._left if o.t_s <= t_s]
        self._left = [o for o in self._left if o.t_s > t_s]
        return due


class Setting:
    """A loop with its files in a folder."""

    def __init__(self, folder: Path, **options: object) -> None:
        self.path = folder / "game.db"
        self.gamelog = GameLog(self.path, is_writer=True)
        self.heard = Heard(self.path)
        self.mailbox = Mailbox(keeps_every_frame=True)
        self.tape = TapeWriter(folder / "tape")
        options = {"looking": looking, "witnesses": (), **options}
        witnesses = options.pop("witnesses")
        self.pipeline = Pipeline(
            self.mailbox,
            Outlets(self.gamelog, self.heard, self.tape, witnesses),  # type: ignore[arg-type]
            game_id="a",
            engine=new_engine(),
            eye=Eye(),
            **options,  # type: ignore[arg-type]
        )
        self.pipeline.observe(StartGame(GameInfo(black="Lee")), 0.0)

    def run(self, frames: Iterator[Frame]) -> None:
        """Run to the end of the frames."""
        thread = pump(frames, self.mailbox)
        try:
            self.pipeline.run()
        finally:
            thread.join(10)
            self.tape.close()


Making = Callable[..., Setting]


@pytest.fixture
def make() -> Iterator[Making]:
    """Make settings whose files are closed in the end."""
    made: list[Setting] = []

    def new(folder: Path, **options: object) -> Setting:
        made.append(Setting(folder, **options))
        return made[-1]

    yield new
    for setting in made:
        setting.gamelog.close()


def test_what_is_told_is_on_disk_and_the_game_is_the_fold_of_the_log(
    make: Making, tmp_path: Path
) -> None:
    setting = make(tmp_path)
    setting.run(film(15))
    assert setting.heard.batches[-1].game == setting.pipeline.engine.game
    assert read_game(setting.gamelog, "a") == setting.pipeline.engine.game
    assert setting.pipeline.engine.game.physical == Board(9, STONES)
    assert setting.pipeline.engine.game.info.black == "Lee"
    assert not setting.pipeline.has_failed


def test_observations_and_their_events_are_in_the_log_and_idle_ticks_are_not(
    make: Making,
    tmp_path: Path,
) -> None:
    setting = make(tmp_path)
    setting.run(film(15))
    kinds = [type(o.observation.content) for o in setting.gamelog.observations("a")]
    assert kinds == [StartGame, SettledView, SettledView, SettledView, SettledView]
    assert [type(r.event) for r in setting.gamelog.records("a")].count(GameStarted) == 1
    assert all(o.observation.utc for o in setting.gamelog.observations("a"))


def test_the_tape_holds_what_was_judged(make: Making, tmp_path: Path) -> None:
    setting = make(tmp_path)
    setting.run(film(4))
    items = list(read_tape(tmp_path / "tape"))
    assert isinstance(items[0], Observation)
    assert sum(isinstance(item, StoneReading) for item in items) == 20


def test_a_page_gets_the_number_under_which_its_observation_was_logged(
    make: Making, tmp_path: Path
) -> None:
    setting = make(tmp_path)
    answers = []

    def frames() -> Iterator[Frame]:
        for frame in film(8, every_s=99):
            if frame.number == 35:
                answers.append(setting.mailbox.submit(ChangeInfo(GameInfo(size=9, black="Cho"))))
            yield frame

    setting.run(frames())
    logged = {o.number: o.observation.content for o in setting.gamelog.observations("a")}
    assert logged[answers[0].result(10)] == ChangeInfo(GameInfo(size=9, black="Cho"))


def test_inputs_come_at_their_times_and_the_last_ones_after_the_video(
    make: Making, tmp_path: Path
) -> None:
    inputs = Fixed(Observation(5.0, Pass(Color.BLACK)), Observation(99.0, Pass(Color.WHITE)))
    setting = make(tmp_path, inputs=inputs)
    setting.run(film(8, every_s=99))
    passes = [
        (o.observation.t_s, o.observation.content)
        for o in setting.gamelog.observations("a")
        if isinstance(o.observation.content, Pass)
    ]
    assert passes == [(5.0, Pass(Color.BLACK)), (99.0, Pass(Color.WHITE))]


def test_a_frame_that_cannot_be_dealt_with_is_left_out_and_logged_once(
    make: Making, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def stumbling(eye: Eye, frame: Frame, known: Known | None) -> tuple[Eye, Look]:
        if frame.number % 10 == 3:
            raise ValueError("a strange picture")
        return looking(eye, frame, known)

    setting = make(tmp_path, looking=stumbling)
    with caplog.at_level(logging.ERROR):
        setting.run(film(15))
    assert setting.pipeline.engine.game.physical == Board(9, STONES)
    assert setting.pipeline.has_failed
    assert len(caplog.records) == 1


class Blind:
    """A witness that fails."""

    def see(self, frame: Frame, seen: Look) -> None:
        """Fail."""
        raise OSError("no space left")


def test_a_witness_that_fails_costs_no_frame(make: Making, tmp_path: Path) -> None:
    setting = make(tmp_path, witnesses=(Blind(),))
    setting.run(film(15))
    assert setting.pipeline.engine.game.physical == Board(9, STONES)


def test_a_camera_that_gives_nothing_is_reported_as_lost(make: Making, tmp_path: Path) -> None:
    clock = iter([n / 2 for n in range(100)])
    setting = make(tmp_path, now_s=lambda: next(clock), idle_s=0.001)

    def frames() -> Iterator[Frame]:
        yield from film(4, every_s=99)
        while not any(
            isinstance(r.event, ViewChanged) for b in setting.heard.batches for r in b.records
        ):
            yield from ()
        setting.mailbox.close()

    setting.run(frames())
    states = [
        r.event.state.value
        for b in setting.heard.batches
        for r in b.records
        if isinstance(r.event, ViewChanged)
    ]
    assert states == ["camera-lost"]


def test_the_end_of_the_frames_by_a_fault_is_raised(make: Making, tmp_path: Path) -> None:
    def frames() -> Iterator[Frame]:
        yield from film(1)
        raise OSError("unplugged")

    setting = make(tmp_path)
    with pytest.raises(OSError, match="unplugged"):
        setting.run(frames())

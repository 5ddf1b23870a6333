"""From one game to the next: offered, begun by itself, asked about."""

from __future__ import annotations

import pytest
from synthetic import looking, picture, stones

from recorder.engine import Engine, feed, new_engine
from recorder.events import GameInfo
from recorder.eye import Eye
from recorder.goban import Board, Color
from recorder.lifecycle import QUIET, Habit, Stage, Watch, watch
from recorder.observations import (
    ChangeInfo,
    Content,
    EndGame,
    Observation,
    Pause,
    Report,
    StartGame,
)
from vision.types import Frame

HABIT = Habit(GameInfo(event="Spring Cup"), quiet_s=600.0)


class Table:
    """An engine and its watch, fed with what is on the goban."""

    def __init__(self, habit: Habit = HABIT) -> None:
        self.engine: Engine = new_engine()
        self.watch = Watch()
        self.habit = habit
        self.now_s = 0.0
        self.said: list[Content] = []

    def show(self, board: Board | None, seconds: float = 4.0, *, every_s: float = 0.2) -> None:
        """Show a goban for a while."""
        for _ in range(round(seconds / every_s)):
            self.now_s += every_s
            _, look = looking(Eye(), Frame(picture(board), self.now_s), None)
            self._feed(look.seen)

    def observe(self, content: Content) -> None:
        """Let somebody say something."""
        self._feed(Observation(self.now_s, content))

    def _feed(self, item: object) -> None:
        self.engine, _ = feed(self.engine, item)  # type: ignore[arg-type]
        self.watch, content = watch(self.watch, self.engine, self.habit, self.now_s)
        if content is not None:
            self.said.append(content)

    @property
    def stage(self) -> Stage:
        """What the table is at."""
        return self.watch.stage


def playing(habit: Habit = HABIT) -> Table:
    """Return a table at which a game has begun on an empty board."""
    table = Table(habit)
    table.show(Board(9))
    table.observe(StartGame(GameInfo(size=9)))
    return table


def test_a_game_is_offered_once_a_goban_is_in_view() -> None:
    table = Table()
    assert table.stage is Stage.LOOKING
    table.show(None)
    assert table.stage is Stage.LOOKING
    table.show(Board(9))
    assert table.stage is Stage.READY
    assert not table.said


def test_the_first_black_and_white_stone_on_an_empty_goban_begin_a_game() -> None:
    table = Table()
    table.show(Board(9))
    table.show(Board(9, stones("B22")))
    assert not table.said
    table.show(Board(9, stones("B22 W66")))
    assert table.said == [StartGame(GameInfo(size=9, event="Spring Cup"), ())]


def test_names_entered_before_the_game_are_kept() -> None:
    table = Table()
    table.show(Board(9))
    table.observe(ChangeInfo(GameInfo(black="Lee", event="Cup")))
    table.show(Board(9, stones("B22")))
    table.show(Board(9, stones("B22 W66")))
    (start,) = table.said
    assert isinstance(start, StartGame)
    assert (start.info.black, start.info.event) == ("Lee", "Cup")


@pytest.mark.parametrize(
    "put",
    [
        "B22 W66",  # both at once, as a position that is put up
        "W11 W12 W13 W14 B55",  # stones drawn for colors
        "B22 B26 B62 B66",  # a handicap
    ],
)
def test_stones_that_are_no_opening_begin_nothing(put: str) -> None:
    table = Table()
    if put.count(" ") > 1:
        table.show(Board(9))
    table.show(Board(9, stones(put)))
    assert table.stage is Stage.READY
    assert not table.said


def test_where_the_operator_starts_games_stones_do_not() -> None:
    table = Table(Habit(GameInfo(), starts_with_stones=False))
    table.show(Board(9))
    table.show(Board(9, stones("B22")))
    table.show(Board(9, stones("B22 W66")))
    assert not table.said


def test_stones_begin_nothing_while_a_game_is_under_way_or_adjourned() -> None:
    table = playing()
    table.show(Board(9, stones("B22")))
    table.show(Board(9, stones("B22 W66")))
    assert table.stage is Stage.PLAYING
    table.observe(Pause("referee"))
    table.show(Board(9), 12.0)
    table.show(Board(9, stones("B22")))
    table.show(Board(9, stones("B22 W66")))
    assert not table.said


def test_after_the_end_the_next_game_is_offered_when_the_goban_is_empty() -> None:
    table = playing()
    table.show(Board(9, stones("B22")))
    table.show(Board(9, stones("B22 W66")))
    table.observe(EndGame("B+R", "referee"))
    assert table.stage is Stage.OVER
    table.show(Board(9), 12.0)
    assert table.stage is Stage.READY
    table.show(Board(9, stones("B33")))
    table.show(Board(9, stones("B33 W55")))
    assert [type(content) for content in table.said] == [StartGame]


def test_a_goban_that_stays_as_it_is_raises_the_question_once() -> None:
    table = playing()
    table.show(Board(9, stones("B22")))
    table.show(Board(9, stones("B22")), 1300.0, every_s=10.0)
    assert table.said == [Report(QUIET, None, "no change for 10 minutes")]
    assert table.stage is Stage.ASKING
    table.show(Board(9, stones("B22 W66")))
    assert table.stage is Stage.PLAYING
    table.show(Board(9, stones("B22 W66")), 650.0, every_s=10.0)
    assert len(table.said) == 2


def test_an_adjourned_game_is_asked_nothing() -> None:
    table = playing()
    table.observe(Pause("referee"))
    table.show(Board(9), 1300.0, every_s=10.0)
    assert not table.said
    assert Color.BLACK is table.engine.game.to_move

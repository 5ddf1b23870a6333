"""Readings become changes of single intersections, each in its own time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from recorder.events import ViewState
from recorder.goban import Board, Color, Point, Stone, parse_diagram
from recorder.labels import labels_of
from recorder.loose import loose_stones
from recorder.observations import Content, SettledView, ViewStateSeen
from recorder.settle import settle
from recorder.settling import Expectation, Settling, new_settling, resettle
from vision.types import Label, LooseStone, StoneReading

RATE = 6.0
EMPTY = Board(9)
HERE, THERE = Point(4, 4), Point(2, 6)


def reading(
    board: Board,
    t_s: float,
    *,
    hidden: frozenset[Point] = frozenset(),
    confidence: float = 0.99,
    loose: tuple[LooseStone, ...] = (),
) -> StoneReading:
    labels = labels_of(board)
    probabilities = np.full((*labels.shape, 3), (1 - confidence) / 2, np.float32)
    np.put_along_axis(probabilities, labels[..., None].astype(int), confidence, axis=2)
    visible = np.ones(labels.shape, bool)
    for point in hidden:
        visible[point] = False
    return StoneReading(probabilities, visible, t_s, loose)


@dataclass
class Camera:
    """Shows positions at a steady rate and keeps what settled, with the time it did."""

    memory: Settling = field(default_factory=lambda: resettle(new_settling(9), EMPTY))
    expected: Expectation = field(default_factory=lambda: Expectation(EMPTY, Color.BLACK))
    now_s: float = 0.0
    seen: list[tuple[float, Content]] = field(default_factory=list)

    def show(self, board: Board, seconds: float, **how: object) -> list[Content]:
        before = len(self.seen)
        for _ in range(round(seconds * RATE)):
            self.now_s += 1 / RATE
            view = reading(board, self.now_s, **how)  # type: ignore[arg-type]
            self.memory, contents = settle(self.memory, view, self.expected)
            self.seen += [(self.now_s, content) for content in contents]
        return [content for _, content in self.seen[before:]]


def with_stone(color: Color = Color.BLACK, point: Point = HERE) -> Board:
    return EMPTY.with_changes(add=[Stone(color, point)])


def added(contents: list[Content]) -> list[Stone]:
    return [s for c in contents if isinstance(c, SettledView) for s in c.add]


def removed(contents: list[Content]) -> list[Point]:
    return [p for c in contents if isinstance(c, SettledView) for p in c.remove]


def test_a_stone_of_the_side_to_move_settles_once_and_soon_with_the_time_it_was_first_seen():
    camera = Camera()
    camera.show(EMPTY, 1)
    contents = camera.show(with_stone(), 2)
    assert added(contents) == [Stone(Color.BLACK, HERE)]
    settled_at = camera.seen[0][0]
    assert settled_at - 1 <= 0.9
    view = camera.seen[0][1]
    assert isinstance(view, SettledView)
    assert view.first_seen[HERE] == pytest.approx(1 + 1 / RATE)


def test_a_stone_of_the_side_not_to_move_takes_longer():
    soon, late = Camera(), Camera(expected=Expectation(EMPTY, Color.WHITE))
    soon.show(with_stone(), 3)
    late.show(with_stone(), 3)
    assert late.seen[0][0] > soon.seen[0][0]


def test_a_phantom_that_vanishes_leaves_no_trace():
    camera = Camera()
    camera.show(with_stone(), 0.34)
    camera.show(EMPTY, 3)
    assert camera.seen == []


def test_a_hidden_point_waits_and_the_others_go_on():
    camera = Camera()
    both = with_stone().with_changes(add=[Stone(Color.BLACK, THERE)])
    contents = camera.show(both, 2, hidden=frozenset({HERE}))
    assert added(contents) == [Stone(Color.BLACK, THERE)]
    assert added(camera.show(both, 2)) == [Stone(Color.BLACK, HERE)]


def test_a_hand_over_a_stone_does_not_lift_it():
    camera = Camera(memory=resettle(new_settling(9), with_stone()))
    assert camera.show(EMPTY, 20, hidden=frozenset({HERE})) == []


def test_one_bad_frame_does_not_start_the_count_again():
    flawless, flawed = Camera(), Camera()
    for camera, bad in ((flawless, with_stone()), (flawed, EMPTY)):
        camera.show(with_stone(), 0.34)
        camera.show(bad, 0.17)
        camera.show(with_stone(), 2)
    assert flawed.seen[0][0] - flawless.seen[0][0] <= 3 / RATE + 1e-6


def test_a_reading_that_is_unsure_takes_longer():
    sure, unsure = Camera(), Camera()
    sure.show(with_stone(), 3, confidence=0.99)
    unsure.show(with_stone(), 3, confidence=0.75)
    assert unsure.seen[0][0] > sure.seen[0][0]


def test_the_first_view_is_reported_whole_and_only_when_every_point_was_seen():
    camera = Camera(memory=new_settling(9))
    position = with_stone().with_changes(add=[Stone(Color.WHITE, THERE)])
    assert camera.show(position, 3, hidden=frozenset({Point(0, 0)})) == []
    contents = camera.show(position, 2)
    assert sorted(added(contents), key=str) == sorted(position.stones(), key=str)


def test_the_order_of_stones_in_one_view_is_that_in_which_they_stood_free():
    camera = Camera(expected=Expectation(EMPTY, None))
    camera.show(with_stone(), 0.17)
    both = with_stone().with_changes(add=[Stone(Color.WHITE, THERE)])
    contents = camera.show(both, 2)
    assert added(contents) == [Stone(Color.BLACK, HERE), Stone(Color.WHITE, THERE)]


def test_a_goban_hidden_for_long_is_reported_once_and_its_return_too():
    camera = Camera()
    everything = frozenset(EMPTY.empty_points())
    states = [
        c.state
        for c in camera.show(EMPTY, 40, hidden=everything) + camera.show(EMPTY, 2)
        if isinstance(c, ViewStateSeen)
    ]
    assert states == [ViewState.BLOCKED, ViewState.CLEAR]


def test_many_points_that_change_at_once_take_longer_than_one():
    one, many = Camera(), Camera()
    row = [Stone(Color.BLACK, Point(6, c)) for c in range(9)]
    one.show(with_stone(), 4)
    many.show(EMPTY.with_changes(add=row), 4)
    assert many.seen[0][0] > one.seen[0][0]


def test_a_stone_turned_black_by_a_shadow_for_a_second_keeps_its_color():
    camera = Camera(memory=resettle(new_settling(9), with_stone(Color.WHITE)))
    camera.expected = Expectation(with_stone(Color.WHITE), Color.BLACK)
    camera.show(with_stone(Color.BLACK), 1.5)
    camera.show(with_stone(Color.WHITE), 3)
    assert camera.seen == []


def test_a_captured_stone_lifted_settles_faster_than_one_that_the_record_still_has():
    board = with_stone(Color.WHITE)
    captured, missing = Camera(), Camera()
    for camera, official in ((captured, EMPTY), (missing, board)):
        camera.memory = resettle(new_settling(9), board)
        camera.expected = Expectation(official, Color.BLACK)
        assert removed(camera.show(EMPTY, 3)) == [HERE]
    assert captured.seen[0][0] < missing.seen[0][0]


def test_stones_outside_the_lines_are_counted_by_corner_and_never_added():
    camera = Camera()
    beside = (LooseStone(Label.WHITE, (8.2, 9.3), 0.9),)
    contents = camera.show(EMPTY, 3, loose=beside)
    assert added(contents) == []
    [view] = contents
    assert isinstance(view, SettledView)
    assert view.loose is not None
    assert view.loose.off_board == ((Color.WHITE, "black-lower-right", 1),)
    mirrored = reading(EMPTY, 0.0, loose=(LooseStone(Label.BLACK, (-0.2, -1.3), 0.9),))
    assert loose_stones(mirrored).off_board == ((Color.BLACK, "white-lower-right", 1),)


def test_a_reading_of_another_size_is_refused():
    with pytest.raises(ValueError, match=r"must have shape \(9, 9\), got \(13, 13\)"):
        settle(new_settling(9), reading(Board(13), 0.0), Expectation(EMPTY, None))


def test_three_new_stones_at_once_are_rather_a_sleeve_and_take_longer():
    one, sleeve = Camera(), Camera()
    row = [Stone(Color.BLACK, Point(r, 6)) for r in range(3)]
    one.show(with_stone(), 4)
    sleeve.show(EMPTY.with_changes(add=row), 1)
    sleeve.show(EMPTY, 3)
    assert len(one.seen) == 1
    assert sleeve.seen == []


def test_a_doubtful_stone_that_the_game_does_not_await_never_settles():
    camera = Camera(expected=Expectation(EMPTY, Color.WHITE))
    assert camera.show(with_stone(), 20, confidence=0.8) == []


def test_a_stone_on_a_point_without_liberties_is_not_what_the_game_awaits():
    eye = parse_diagram("""
        . O . . . . . . .
        O . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    times = []
    for point in (Point(0, 0), HERE):
        camera = Camera(memory=resettle(new_settling(9), eye))
        camera.expected = Expectation(eye, Color.BLACK)
        camera.show(eye.with_changes(add=[Stone(Color.BLACK, point)]), 3)
        times.append(camera.seen[0][0])
    assert times[0] > times[1]


def test_a_stone_played_elsewhere_waits_for_the_hand_over_the_point_it_came_from():
    played = with_stone(Color.BLACK, HERE)
    moved = with_stone(Color.BLACK, THERE)
    camera = Camera(memory=resettle(new_settling(9), played))
    camera.expected = Expectation(played, Color.WHITE)
    assert camera.show(moved, 2, hidden=frozenset({HERE})) == []
    contents = camera.show(moved, 2)
    assert [type(c) for c in contents] == [SettledView] * len(contents)
    first = contents[0]
    assert isinstance(first, SettledView)
    assert first.remove == (HERE,)


def test_a_stone_that_came_under_a_hand_tells_when_its_point_was_last_seen_empty():
    camera = Camera()
    camera.show(EMPTY, 1)
    camera.show(with_stone(), 2, hidden=frozenset({HERE}))
    [view] = camera.show(with_stone(), 2)
    assert isinstance(view, SettledView)
    assert view.last_empty[HERE] == pytest.approx(1)
    assert view.first_seen[HERE] > 3


def test_a_stone_that_came_in_full_view_needs_no_such_time():
    camera = Camera()
    camera.show(EMPTY, 1)
    [view] = camera.show(with_stone(), 2)
    assert isinstance(view, SettledView)
    assert view.last_empty == {}


def test_a_doubtful_stone_is_the_move_that_was_overlooked_when_the_reply_has_come():
    glare = with_stone(Color.WHITE, HERE)
    camera = Camera(expected=Expectation(EMPTY, Color.WHITE))
    camera.show(glare, 4, confidence=0.5)
    assert camera.seen == []
    reply = glare.with_changes(add=[Stone(Color.BLACK, THERE)])
    doubtful = []
    for _ in range(12):
        camera.now_s += 1 / RATE
        view = reading(reply, camera.now_s)
        view.probabilities[HERE] = (0.25, 0.25, 0.5)
        camera.memory, contents = settle(camera.memory, view, camera.expected)
        doubtful += added(list(contents))
    assert doubtful == [Stone(Color.WHITE, HERE), Stone(Color.BLACK, THERE)]


def test_two_doubtful_stones_of_the_side_to_move_are_not_both_its_move():
    camera = Camera()
    beside = [Stone(Color.BLACK, Point(8, 7)), Stone(Color.BLACK, Point(8, 8))]
    assert camera.show(EMPTY.with_changes(add=beside), 6, confidence=0.7) == []


def test_an_unsure_stone_settles_where_one_of_its_color_is_missing_beside_it():
    beside = with_stone(Color.WHITE, Point(HERE.row, HERE.col + 1))
    for official, settles in ((with_stone(Color.WHITE, HERE), True), (EMPTY, False)):
        camera = Camera(expected=Expectation(official, Color.BLACK))
        assert bool(added(camera.show(beside, 6, confidence=0.85))) is settles


def test_a_stone_that_slides_to_the_next_point_is_told_as_one_change_and_not_as_a_move():
    before, after = with_stone(), with_stone(point=Point(4, 5))
    camera = Camera(resettle(new_settling(9), before), Expectation(before, Color.BLACK))
    camera.show(before, 1)
    assert camera.show(after, 0.8) == []
    contents = camera.show(after, 2)
    came, went = added(contents), removed(contents)
    assert (came, went) == ([Stone(Color.BLACK, Point(4, 5))], [HERE])


def test_where_all_stones_are_pale_a_pale_one_is_certain():
    row = [Stone(Color.WHITE, Point(0, col)) for col in range(9)]
    known = EMPTY.with_changes(add=row)
    camera = Camera(resettle(new_settling(9), known), Expectation(known, Color.BLACK))
    camera.show(known, 1, confidence=0.85)
    pale = known.with_changes(add=[Stone(Color.WHITE, HERE)])
    assert added(camera.show(pale, 4, confidence=0.83)) == [Stone(Color.WHITE, HERE)]


def test_where_the_other_stones_are_sure_a_pale_one_is_not():
    row = [Stone(Color.WHITE, Point(0, col)) for col in range(9)]
    known = EMPTY.with_changes(add=row)
    camera = Camera(resettle(new_settling(9), known), Expectation(known, Color.BLACK))
    camera.show(known, 1)
    pale = reading(known.with_changes(add=[Stone(Color.WHITE, HERE)]), 0.0)
    pale.probabilities[HERE] = (0.09, 0.08, 0.83)
    for _ in range(30):
        camera.now_s += 1 / RATE
        view = replace(pale, seen_at_s=camera.now_s)
        camera.memory, contents = settle(camera.memory, view, camera.expected)
        assert contents == ()


def test_a_game_begins_although_a_few_points_stay_hidden():
    camera = Camera(memory=new_settling(9))
    hidden = frozenset([Point(8, 0), Point(8, 1)])
    assert camera.show(with_stone(), 5, hidden=hidden) == []
    assert added(camera.show(with_stone(), 2, hidden=hidden)) == [Stone(Color.BLACK, HERE)]


def test_a_game_does_not_begin_while_much_is_hidden():
    camera = Camera(memory=new_settling(9))
    hidden = frozenset(Point(8, col) for col in range(9))
    assert added(camera.show(with_stone(), 20, hidden=hidden)) == []


def doubtful_reading(board: Board, point: Point, t_s: float) -> StoneReading:
    view = reading(board, t_s)
    view.probabilities[point] = (0.5, 0.38, 0.12)
    return view


def show_doubt(camera: Camera, board: Board, point: Point, seconds: float) -> list[Content]:
    told: list[Content] = []
    for _ in range(round(seconds * RATE)):
        camera.now_s += 1 / RATE
        view = doubtful_reading(board, point, camera.now_s)
        camera.memory, contents = settle(camera.memory, view, camera.expected)
        told += contents
    return told


def test_a_point_that_became_doubtful_is_the_move_that_was_overlooked_when_the_reply_has_come():
    camera = Camera()
    camera.show(EMPTY, 1)
    assert show_doubt(camera, EMPTY, HERE, 2) == []
    reply = with_stone(Color.WHITE, THERE)
    told = added(show_doubt(camera, reply, HERE, 4))
    assert told == [Stone(Color.BLACK, HERE), Stone(Color.WHITE, THERE)]


def test_a_point_that_was_doubtful_before_the_last_move_is_no_overlooked_move():
    camera = Camera()
    camera.show(EMPTY, 1)
    show_doubt(camera, EMPTY, HERE, 2)
    camera.expected = Expectation(EMPTY, Color.BLACK, played_s=camera.now_s)
    reply = with_stone(Color.WHITE, THERE)
    assert added(show_doubt(camera, reply, HERE, 4)) == [Stone(Color.WHITE, THERE)]

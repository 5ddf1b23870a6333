"""What has moved, told from where the grid was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.drift import Drift, GridSample, Movement, Watch, watch
from calibration.surroundings import moved_px, surroundings_of
from vision.training.photos import known_grid
from vision.types import Frame

CORNERS = np.array([[200.0, 100.0], [560.0, 100.0], [560.0, 460.0], [200.0, 460.0]])
CELL_PX = 20.0


def samples(shifts_cells: Iterable[float], **facts: float) -> list[GridSample]:
    """Return samples a second apart, of a grid moved down by so many cells each."""
    rng = np.random.default_rng(5)
    made = []
    for number, shift in enumerate(shifts_cells):
        noise = rng.normal(0, 0.2, (4, 2))
        corners = CORNERS + np.array([0, shift * CELL_PX]) + noise
        made.append(GridSample(float(number), corners, CELL_PX, **facts))
    return made


def told(history: Sequence[GridSample], start: Watch | None = None) -> list[Movement]:
    state, movements = start or Watch(), []
    for sample in history:
        state, movement = watch(state, sample)
        if movement is not None:
            movements.append(movement)
    return movements


def test_a_camera_that_stands_still_is_no_news() -> None:
    assert told(samples([0.0] * 600)) == []


def test_a_slow_sag_is_told_by_and_by_and_in_the_end_needs_a_person() -> None:
    movements = told(samples(np.linspace(0, 1.3, 900)))
    assert {movement.drift for movement in movements} == {Drift.SAG}
    assert len(movements) >= 6
    assert [m.needs_person for m in movements][:3] == [False] * 3
    assert movements[-1].needs_person
    assert movements[-1].cells == pytest.approx(1.3, abs=0.25)


def test_a_sag_seen_in_small_steps_is_still_a_sag() -> None:
    steps = np.floor(np.linspace(0, 0.5, 300) / 0.09) * 0.09
    assert {movement.drift for movement in told(samples(steps))} == {Drift.SAG}


@pytest.mark.parametrize("cells", [0.2, 0.4, 3.0])
def test_a_bump_is_told_once_when_the_grid_has_come_to_rest(cells: float) -> None:
    shifts = [0.0] * 10 + [cells] * 10
    movements = told(samples(shifts, surroundings_cells=cells))
    assert [movement.drift for movement in movements] == [Drift.BUMP]
    assert movements[0].cells == pytest.approx(cells, abs=0.06)
    assert not movements[0].needs_person


def test_a_camera_that_swings_after_a_knock_is_one_bump() -> None:
    swing = [2.0 * (-0.5) ** k for k in range(6)]
    movements = told(samples([0.0] * 5 + swing + [1.0] * 8, surroundings_cells=1.0))
    assert [movement.drift for movement in movements] == [Drift.BUMP]


def test_a_knock_that_leaves_nothing_behind_is_not_told() -> None:
    assert told(samples([0.0] * 5 + [0.6, 0.3] + [0.0] * 8)) == []


@pytest.mark.parametrize("cells", [0.2, 1.5])
def test_a_board_pushed_by_a_player_moves_while_its_surroundings_stay(cells: float) -> None:
    movements = told(samples([0.0] * 10 + [cells] * 10, surroundings_cells=0.02))
    assert [movement.drift for movement in movements] == [Drift.PUSHED]


def test_a_board_pushed_to_the_edge_of_the_picture_needs_a_person() -> None:
    movements = told(samples([0.0] * 5 + [2.0] * 6, surroundings_cells=0.0, margin_cells=0.2))
    assert [movement.needs_person for movement in movements] == [True]


def test_a_lost_grid_needs_a_person_after_ten_seconds_and_is_told_once() -> None:
    history = samples([0.0] * 60)
    gone = [replace(s, corners_px=None) if 20 <= s.t_s < 45 else s for s in history]
    movements = told(gone)
    assert [movement.drift for movement in movements] == [Drift.LOST, Drift.FOUND]
    assert movements[0].needs_person
    assert movements[0].t_s == 30.0
    short = [replace(s, corners_px=None) if 20 <= s.t_s < 25 else s for s in history]
    assert told(short) == []


def room(board_xy: tuple[int, int], camera_xy: tuple[int, int]) -> Frame:
    """Return a board on a patterned table, both moved by pixels."""
    table = np.full((520, 800, 3), 120, np.uint8)
    rng = np.random.default_rng(11)
    for x, y in rng.integers(0, [800, 520], (150, 2)):
        wide, high = rng.integers(8, 40, 2)
        color = tuple(map(int, rng.integers(0, 255, 3)))
        cv2.rectangle(table, (int(x), int(y)), (int(x + wide), int(y + high)), color, -1)
    image = cv2.warpAffine(
        table, np.array([[1.0, 0, camera_xy[0]], [0, 1.0, camera_xy[1]]]), (800, 520),
        borderMode=cv2.BORDER_REFLECT,
    )  # fmt: skip
    x, y = (200 + board_xy[0] + camera_xy[0], 100 + board_xy[1] + camera_xy[1])
    cv2.rectangle(image, (x - 20, y - 20), (x + 380, y + 380), (90, 170, 210), -1)
    for k in range(19):
        cv2.line(image, (x + 20 * k, y), (x + 20 * k, y + 360), (20, 20, 20), 1)
        cv2.line(image, (x, y + 20 * k), (x + 360, y + 20 * k), (20, 20, 20), 1)
    return Frame(np.asarray(image, np.uint8), 0.0)


def test_the_surroundings_tell_a_knocked_camera_from_a_pushed_board() -> None:
    fit = known_grid((520, 800, 3), 19, CORNERS)
    around = surroundings_of(room((0, 0), (0, 0)), fit)
    pushed = moved_px(around, room((12, 5), (0, 0)))
    knocked = moved_px(around, room((0, 0), (12, 5)))
    assert pushed is not None
    assert knocked is not None
    assert pushed < 1.0
    assert knocked == pytest.approx(13.0, abs=1.5)


def test_a_bare_table_says_nothing() -> None:
    frame = Frame(np.full((520, 800, 3), 120, np.uint8), 0.0)
    around = surroundings_of(frame, known_grid((520, 800, 3), 19, CORNERS))
    assert moved_px(around, frame) is None

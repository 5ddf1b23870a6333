"""Reading stones from drawn gobans, and only what changed."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import cv2
import numpy as np
import pytest
from boards import CORNERS_PX, diagram_of, grid, photograph
from numpy.typing import NDArray

from vision.cells import CELL_PX
from vision.geometry import corners_px
from vision.net import MODELS, load_model
from vision.stones import ReadingMemory, changed_cells, read_stones, refine
from vision.types import Frame, GridFit, Label

EMPTY = "\n".join(["." * 9] * 9)
POSITION = """
.X.......
XO..O....
.XO..X...
..X.O..O.
....X....
.O..OX.X.
..X.....O
...O.X..X
X......XO
""".strip()
LARGE = "\n".join(
    "".join(".XO"[value] for value in row)
    for row in np.random.default_rng(5).choice(3, (19, 19), p=[0.5, 0.25, 0.25])
)


def read(frame: Frame, fit: GridFit, memory: ReadingMemory | None = None) -> str:
    return diagram_of(read_stones(memory, frame, fit)[1].labels)


@pytest.mark.parametrize("diagram", [EMPTY, POSITION, LARGE], ids=["empty", "nine", "nineteen"])
def test_a_drawn_position_is_read_as_it_stands(diagram: str) -> None:
    assert read(photograph(diagram), grid(len(diagram.split()))) == diagram


def test_every_point_of_a_clear_board_is_visible() -> None:
    reading = read_stones(None, photograph(POSITION), grid(9))[1]
    assert reading.visible.all()
    assert not reading.arms
    assert not reading.loose


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_turning_the_grid_turns_the_reading(turns: int) -> None:
    reading = read_stones(None, photograph(POSITION), grid(9).turned(turns))[1]
    straight = read_stones(None, photograph(POSITION), grid(9))[1]
    assert diagram_of(reading.labels) == diagram_of(np.rot90(straight.labels, turns))


def test_mirroring_the_picture_mirrors_the_reading() -> None:
    frame = photograph(POSITION)
    mirrored = replace(frame, image=np.ascontiguousarray(frame.image[:, ::-1]))
    corners = CORNERS_PX[[1, 0, 3, 2]] * [-1, 1] + [1280, 0]
    rows = [row[::-1] for row in POSITION.split()]
    assert read(mirrored, grid(9, corners)) == "\n".join(rows)


def test_exchanging_the_stones_exchanges_the_labels() -> None:
    exchanged = POSITION.translate(str.maketrans("XO", "OX"))
    assert read(photograph(exchanged), grid(9)) == exchanged


def test_a_slightly_wrong_grid_is_corrected_by_the_crossings() -> None:
    shaken = CORNERS_PX + np.array([[12.0, -8.0], [-8.0, 8.0], [10.0, 6.0], [-12.0, 5.0]])
    memory, _ = read_stones(None, photograph(POSITION), grid(9, shaken))
    before = np.linalg.norm(shaken - CORNERS_PX, axis=1).mean()
    after = np.linalg.norm(corners_px(memory.fit) - CORNERS_PX, axis=1).mean()
    assert after < 0.5 * before


def test_a_still_scene_is_not_read_again() -> None:
    memory, _ = read_stones(None, photograph(POSITION, seed=1), grid(9))
    again, reading = read_stones(memory, photograph(POSITION, seed=2), grid(9))
    assert again is memory
    assert diagram_of(reading.labels) == POSITION


def test_a_new_stone_is_read_without_reading_all_again() -> None:
    memory, _ = read_stones(None, photograph(LARGE, seed=1), grid(19))
    free = LARGE.index(".", 180)
    after = LARGE[:free] + "X" + LARGE[free + 1 :]
    again, reading = read_stones(memory, photograph(after, seed=2), grid(19))
    assert diagram_of(reading.labels) == after
    unchanged = (again.cells.points == memory.cells.points).all(axis=-1)
    assert 0 < (~unchanged).sum() < 40


def test_a_new_board_is_read_whole() -> None:
    memory, _ = read_stones(None, photograph(EMPTY), grid(9))
    assert read(photograph(POSITION), grid(9), memory) == POSITION


def test_a_grid_that_moved_is_read_anew() -> None:
    memory, _ = read_stones(None, photograph(POSITION), grid(9))
    moved = np.roll(photograph(POSITION).image, 12, axis=1)
    fit = grid(9, CORNERS_PX + np.array([12.0, 0.0]))
    assert read(Frame(moved, 0.0), fit, memory) == POSITION


def test_brighter_light_alone_changes_no_cell() -> None:
    glance = np.random.default_rng(1).uniform(40, 160, (52, 52, 3)).astype(np.float32)
    assert not changed_cells(glance, glance + 12).any()


def test_a_patch_that_darkens_changes_its_cell_alone() -> None:
    glance = np.full((52, 52, 3), 150, np.float32)
    after = glance.copy()
    after[20:24, 8:12] -= 40
    changed = changed_cells(glance, after)
    assert changed[5, 2]
    assert changed.sum() <= 4


def test_on_a_dim_board_less_is_a_change() -> None:
    glance = np.full((52, 52, 3), 20, np.float32)
    after = glance.copy()
    after[20:24, 8:12] -= 5
    assert changed_cells(glance, after, spread=10.0)[5, 2]
    assert not changed_cells(glance, after, spread=40.0).any()


@pytest.mark.parametrize("gain", [1.0, 0.25, 0.1])
def test_a_stone_that_differs_little_from_the_board_is_not_overlooked(gain: float) -> None:
    dim = (photograph(POSITION).image * gain).astype(np.uint8)
    with_stone = (photograph(POSITION.replace("XO", "XX", 1)).image * gain).astype(np.uint8)
    memory, _ = read_stones(None, Frame(dim, 0.0), grid(9))
    for seconds in (0.5, 1.0, 1.5, 2.0, 2.5):
        memory, reading = read_stones(memory, Frame(with_stone, seconds), grid(9))
    assert (reading.labels == read_stones(None, Frame(with_stone, 0.0), grid(9))[1].labels).all()


def test_everything_is_read_again_after_a_while() -> None:
    memory, _ = read_stones(None, photograph(POSITION), grid(9))
    blind = replace(memory, reading=replace(memory.reading, visible=np.zeros((9, 9), bool)))
    soon = replace(photograph(POSITION), seen_at_s=1.0)
    late = replace(photograph(POSITION), seen_at_s=2.5)
    assert not read_stones(blind, soon, grid(9))[1].visible.any()
    assert read_stones(blind, late, grid(9))[1].visible.all()


def test_too_few_crossings_leave_the_grid_alone() -> None:
    fit = grid(9)
    weights = np.zeros((9, 9), np.float32)
    assert refine(fit, np.full((9, 9, 2), 0.2, np.float32), weights) is fit


def test_offsets_move_the_grid() -> None:
    fit = grid(9)
    offsets = np.tile(np.array([0.1, 0.0], np.float32), (9, 9, 1))
    moved = refine(fit, offsets, np.ones((9, 9), np.float32))
    cells = (corners_px(moved) - corners_px(fit))[:, 0] / fit.cell_px
    assert (np.abs(cells - 0.1) < 0.05).all()


@pytest.mark.parametrize("kind", ["black", "white", "noise"])
def test_pictures_without_a_board_are_read_without_harm(kind: str) -> None:
    rng = np.random.default_rng(3)
    image: NDArray[np.uint8] = {
        "black": np.zeros((720, 1280, 3), np.uint8),
        "white": np.full((720, 1280, 3), 255, np.uint8),
        "noise": rng.integers(0, 256, (720, 1280, 3)).astype(np.uint8),
    }[kind]
    reading = read_stones(None, Frame(image, 1.5), grid(19))[1]
    assert reading.seen_at_s == 1.5
    assert np.allclose(reading.probabilities.sum(axis=2), 1, atol=1e-4)


def test_a_grid_outside_the_picture_is_read_without_harm() -> None:
    far = grid(13, CORNERS_PX + np.array([5000.0, 0.0]))
    assert read_stones(None, photograph(EMPTY), far)[1].size == 13


def test_a_stone_between_the_points_is_loose_and_on_no_point() -> None:
    frame = photograph(EMPTY, extra=(("X", 3.5, 4.5),))
    reading = read_stones(None, frame, grid(9))[1]
    assert [stone.label for stone in reading.loose] == [Label.BLACK]
    assert np.abs(np.subtract(reading.loose[0].grid_xy, (3.5, 4.5))).max() < 0.25
    assert not (reading.labels[reading.visible] == Label.BLACK).any()


def test_a_stone_beside_the_lines_is_loose() -> None:
    frame = photograph(POSITION, extra=(("O", 8.9, 4.4),))
    reading = read_stones(None, frame, grid(9))[1]
    assert diagram_of(reading.labels) == POSITION
    assert [stone.label for stone in reading.loose] == [Label.WHITE]
    assert np.abs(np.subtract(reading.loose[0].grid_xy, (8.9, 4.4))).max() < 0.3


def test_a_crooked_stone_stands_on_its_point() -> None:
    frame = photograph(EMPTY, extra=(("O", 4.2, 4.15),))
    reading = read_stones(None, frame, grid(9))[1]
    assert reading.labels[4, 4] == Label.WHITE
    assert (reading.labels != Label.EMPTY).sum() == 1
    assert not reading.loose


def test_a_covered_part_is_not_vouched_for() -> None:
    frame = photograph(LARGE)
    image = frame.image.copy()
    cv2.ellipse(image, (1000, 360), (330, 90), 0, 0, 360, (90, 60, 50), -1)
    reading = read_stones(None, replace(frame, image=image), grid(19))[1]
    assert not reading.visible[8:10, 15:18].any()
    assert reading.visible[:, :6].all()


@pytest.mark.skipif(find_spec("onnxruntime") is None, reason="onnxruntime is not installed")
def test_both_libraries_give_the_same_answer() -> None:
    image = np.random.default_rng(2).normal(0, 1, (1, 3, 23 * CELL_PX, 23 * CELL_PX))
    answers = [
        load_model(MODELS / "stones.onnx", backend=backend)(image.astype(np.float32))
        for backend in ("opencv", "onnxruntime")
    ]
    assert np.abs(answers[0] - answers[1]).max() < 1e-3


def test_the_network_is_small() -> None:
    assert (MODELS / "stones.onnx").stat().st_size <= 2 * 2**20


def test_labels_follow_the_order_of_the_network() -> None:
    assert (Label.EMPTY, Label.BLACK, Label.WHITE) == (0, 1, 2)

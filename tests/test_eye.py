"""The eye: when a grid is believed, when it is looked for again, and which way up it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from recorder import eye as eye_module
from recorder.engine import Known, NoSight
from recorder.events import ViewState
from recorder.eye import HOPE_S, Eye, Look, look
from recorder.goban import Board, Color, Point, Stone
from recorder.labels import labels_of
from recorder.settling import new_settling, resettle
from vision.follow import GridMemory
from vision.geometry import corners_px, homography_from_corners
from vision.types import CameraModel, Frame, GridFit, NoGrid, NoGridReason, StoneReading

CAMERA = CameraModel(640, 360)
CORNERS = np.array([[150.0, 50], [450, 50], [450, 350], [150, 350]])
BOARD = Board(9, [Stone(Color.BLACK, Point(0, n)) for n in range(8)])
NOTHING = NoGrid(NoGridReason.NO_LINES, "nothing looks like a board")
AWAY = NoGrid(NoGridReason.MOVED, "the camera moved")


def fit(confidence: float = 1.0, *, size: int = 9, shift_px: float = 0.0) -> GridFit:
    """Return a grid."""
    corners = CORNERS + shift_px
    homography = homography_from_corners(CAMERA, size, corners)
    return GridFit(size, homography, CAMERA, 0.3, confidence)


@dataclass(frozen=True)
class Stones:
    """What the fake reader remembers."""

    fit: GridFit


@dataclass
class World:
    """What the fake finder finds, and what was asked of it."""

    found: GridFit | NoGrid = field(default_factory=fit)
    searches: list[tuple[int, ...]] = field(default_factory=list)
    lenses: list[CameraModel | None] = field(default_factory=list)
    board: Board = BOARD
    """As it lies in the grid as found."""

    def follow(
        self,
        memory: GridMemory | None,
        frame: Frame,
        camera: CameraModel | None,
        *,
        sizes: Sequence[int],
    ) -> tuple[GridMemory, GridFit | NoGrid]:
        """Keep what is known, else search."""
        if memory is not None and memory.fit is not None and self.found is not AWAY:
            return memory, memory.fit
        self.searches.append(tuple(sizes))
        self.lenses.append(camera)
        if isinstance(self.found, NoGrid):
            return GridMemory(None), self.found
        return GridMemory(self.found), self.found

    def read(self, memory: object, frame: Frame, asked: GridFit) -> tuple[Stones, StoneReading]:
        """Read the board in the turn of the grid that is asked for."""
        turns = next(
            k
            for k in range(4)
            if isinstance(self.found, GridFit)
            and np.allclose(corners_px(self.found.turned(k)), corners_px(asked))
        )
        probabilities = np.eye(3, dtype=np.float32)[np.rot90(labels_of(self.board), turns)]
        visible = np.ones((asked.size, asked.size), bool)
        return Stones(asked), StoneReading(probabilities, visible, frame.seen_at_s)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """Put fakes in the place of finder and reader."""
    made = World()
    monkeypatch.setattr(eye_module, "follow_grid", made.follow)
    monkeypatch.setattr(eye_module, "read_stones", made.read)
    return made


def watch(eye: Eye, start_s: float, end_s: float, known: Known | None = None) -> tuple[Eye, Look]:
    """Look at frames, ten a second; return what the last one showed."""
    seen: Look | None = None
    for number in range(round(start_s * 10), round(end_s * 10)):
        image = np.zeros((360, 640, 3), np.uint8)
        eye, seen = look(eye, Frame(image, number / 10, number=number), known)
    assert seen is not None
    return eye, seen


def known_as(board: Board, *, is_doubtful: bool = False) -> Known:
    """Return that a position is known."""
    return Known(resettle(new_settling(9), board), True, is_doubtful)


def test_a_sure_grid_is_believed_at_once(world: World) -> None:
    _, seen = watch(Eye(), 0.0, 0.1)
    assert isinstance(seen.seen, StoneReading)
    assert len(world.searches) == 1


def test_an_unsure_grid_is_looked_for_again_and_believed_later(world: World) -> None:
    world.found = fit(0.5)
    eye, seen = watch(Eye(), 0.0, 2.0)
    assert isinstance(seen.seen, NoSight)
    _, seen = watch(eye, 2.0, HOPE_S + 1)
    assert isinstance(seen.seen, StoneReading)


def test_without_a_grid_the_search_is_not_repeated_with_every_frame(world: World) -> None:
    world.found = NOTHING
    _, seen = watch(Eye(), 0.0, 2.0)
    assert isinstance(seen.seen, NoSight)
    assert seen.seen.state is ViewState.NO_GRID
    assert len(world.searches) == 4


def test_a_grid_that_moved_is_looked_for_at_once(world: World) -> None:
    eye, _ = watch(Eye(), 0.0, 1.0)
    world.found = AWAY
    eye, seen = watch(eye, 1.0, 1.1)
    assert isinstance(seen.seen, NoSight)
    assert seen.seen.state is ViewState.MOVED
    world.found = fit(shift_px=20)
    _, seen = watch(eye, 1.1, 1.2)
    assert isinstance(seen.seen, StoneReading)


def test_a_doubtful_goban_is_looked_for_again_but_not_with_every_frame(world: World) -> None:
    eye, _ = watch(Eye(), 0.0, 1.0)
    before = len(world.searches)
    watch(eye, 1.0, 3.0, known_as(BOARD, is_doubtful=True))
    assert len(world.searches) - before == 4


def test_once_there_are_moves_only_their_size_is_looked_for(world: World) -> None:
    watch(Eye(), 0.0, 0.1, known_as(BOARD))
    assert world.searches == [(9,)]


@pytest.mark.parametrize("turns", range(4))
def test_a_goban_that_was_turned_is_read_as_the_record_has_it(world: World, turns: int) -> None:
    eye, seen = watch(Eye(), 0.0, 1.0)
    world.found = AWAY
    eye, _ = watch(eye, 1.0, 1.1, known_as(BOARD))
    world.found = fit(shift_px=30)
    labels = np.rot90(labels_of(BOARD), turns)
    world.board = Board(
        9, [Stone(Color.BLACK, Point(int(r), int(c))) for r, c in np.argwhere(labels)]
    )
    _, seen = watch(eye, 1.1, 1.3, known_as(BOARD))
    assert isinstance(seen.seen, StoneReading)
    assert (seen.seen.labels == labels_of(BOARD)).all()


@pytest.mark.parametrize("turn", range(4))
def test_the_operator_says_where_black_sits(world: World, turn: int) -> None:
    _, seen = watch(Eye(turn=turn), 0.0, 0.1)
    assert isinstance(seen.seen, StoneReading)
    assert (seen.seen.labels == np.rot90(labels_of(BOARD), turn)).all()


def test_a_measured_lens_is_used_for_pictures_of_its_own_size_only(world: World) -> None:
    other = replace(CAMERA, width_px=CAMERA.width_px + 2)
    watch(Eye(camera=CAMERA), 0.0, 0.1)
    watch(Eye(camera=other), 0.0, 0.1)
    assert world.lenses[0] == CAMERA
    assert world.lenses[-1] is None

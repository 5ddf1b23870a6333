"""The record is turned while the game goes on: nothing is lost, and what comes maps right."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from public_records import START
from rules_play import Table, random_moves

from recorder.codec import format_event, format_observation, parse_event, parse_observation
from recorder.engine import Known, feed, new_engine
from recorder.events import GameInfo, Move, Record
from recorder.eye import Eye, Look
from recorder.files import Announced, lines_of
from recorder.game import Game, fold
from recorder.gamelog import GameLog
from recorder.goban import Board, Color, Point, Stone
from recorder.labels import labels_of
from recorder.mailbox import Mailbox, Submitted, pump
from recorder.observations import (
    ChangeInfo,
    Content,
    Correction,
    Observation,
    SettledView,
    StartGame,
    TurnBoard,
)
from recorder.pipeline import Outlets, Pipeline
from recorder.publish import Batch
from recorder.rebuild import read_game
from recorder.settling import new_settling, resettle, turned_settling
from recorder.tape import TapeWriter, read_tape
from recorder.turning import turned, turned_point
from recorder.web.live import LiveGame
from vision.types import Frame, StoneReading

SIZE = 9


def views(seed: int) -> list[SettledView]:
    """Return what is seen of a random game, with a stone too many and one lifted by mistake."""
    random = Random(seed)
    seen = [
        SettledView((Stone(played.move.color, played.move.point),), tuple(sorted(played.captured)))
        for played in random_moves(random, SIZE, 40)
        if played.move.point is not None
    ]
    # The third stone is put down again at once, and taken back; later one vanishes for a while.
    again = Stone(seen[2].add[0].color, next(p for p in _free(seen[:20])))
    return [
        *seen[:3],
        SettledView((again,)),
        SettledView(remove=(again.point,)),
        *seen[3:20],
        SettledView(remove=(seen[19].add[0].point,)),
        SettledView(seen[19].add),
        *seen[20:],
    ]


def _free(seen: list[SettledView]) -> Iterator[Point]:
    used = {stone.point for view in seen for stone in view.add}
    return (Point(r, c) for r in range(SIZE) for c in range(SIZE) if Point(r, c) not in used)


def frameless(game: Game) -> Game:
    """Return a game without what tells how it was turned."""
    return replace(game, info=replace(game.info, turns=0))


@pytest.mark.parametrize("quarters", range(-1, 6))
def test_points_turn_as_arrays_do(quarters: int) -> None:
    cells = np.zeros((SIZE, SIZE))
    cells[2, 7] = 1
    row, col = np.argwhere(np.rot90(cells, quarters))[0]
    assert turned_point(Point(2, 7), quarters, SIZE) == Point(row, col)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_game_turned_at_any_moment_is_the_game_seen_from_there(seed: int, quarters: int) -> None:
    seen = views(seed)
    whole, later = Table(SIZE), Table(SIZE)
    place = Random(seed).randrange(1, len(seen))
    for view in seen:
        whole.tell(turned(view, quarters, SIZE), 3.0)
    for view in seen[:place]:
        later.tell(view, 3.0)
    later.tell(TurnBoard(quarters))
    for view in seen[place:]:
        later.tell(turned(view, quarters, SIZE), 3.0)
    assert frameless(later.game) == whole.game
    assert later.game.info.turns == quarters
    later.check_fold()


def test_four_quarters_lead_back() -> None:
    table = Table(SIZE)
    for view in views(1):
        table.tell(view, 3.0)
    before = table.game
    for _ in range(4):
        table.tell(TurnBoard(1))
    assert table.game == before


def test_a_turn_reads_back_from_the_log_and_old_rows_have_none() -> None:
    table = Table(SIZE)
    events = table.tell(TurnBoard(3, entered_by="Wang (operator)"))
    assert [parse_event(format_event(event)) for event in events] == list(events)
    said = Observation(1.0, TurnBoard(3, entered_by="Wang (operator)"), "")
    assert parse_observation(format_observation(said)) == said
    old = format_event(table.events[0]).replace(',"turns":0', "")
    assert "turns" not in old
    assert parse_event(old) == table.events[0]


def test_the_lines_for_programs_say_the_turn_and_go_on_in_the_new_frame() -> None:
    table, records = Table(SIZE), []
    for content in (
        SettledView((Stone(Color.BLACK, Point(2, 6)),)),
        TurnBoard(1),
        SettledView((Stone(Color.WHITE, Point(4, 4)),)),
        Correction(1, (Move(Color.BLACK, Point(2, 2)), Move(Color.WHITE, Point(4, 5)))),
    ):
        table.tell(content, 3.0)
    for number, event in enumerate(table.events, start=1):
        records.append(Record(number, "g1", float(number), "", event))
    told, lines = Announced(), []
    for record in records:
        told, more = lines_of(told, [record])
        lines += [(line["kind"], line.get("point", line.get("quarters"))) for line in more]
    assert [line for line in lines if line[0] in ("move", "turned")] == [
        ("move", "G7"), ("turned", 1), ("move", "E5"), ("move", "C7"), ("move", "F5"),
    ]  # fmt: skip
    assert ("retracted", "G7") not in lines


def test_names_corrected_afterwards_leave_the_record_turned() -> None:
    table = Table(SIZE)
    table.view([Stone(Color.BLACK, Point(2, 6))])
    table.tell(TurnBoard(1))
    table.tell(ChangeInfo(GameInfo(size=SIZE, black="Cho")))
    assert (table.game.info.black, table.game.info.turns) == ("Cho", 1)
    assert table.moves[0].point == Point(2, 2)


def test_before_a_game_and_in_a_sealed_one_nothing_is_turned() -> None:
    table = Table(SIZE)
    table.state = replace(table.state, game=Game())
    assert table.tell(TurnBoard(1)) == ()


def test_viewers_see_the_line_turned_at_once() -> None:
    table, live, records = Table(SIZE), LiveGame(), []

    def publish() -> None:
        fresh = table.events[len(records) :]
        batch = tuple(
            Record(len(records) + place, "g1", table.t_s, START.isoformat(), event)
            for place, event in enumerate(fresh, start=1)
        )
        records.extend(batch)
        live.publish(Batch(batch, table.game))

    table.view([Stone(Color.BLACK, Point(2, 6))])
    publish()
    number = live.snapshot().number
    table.tell(TurnBoard(1))
    publish()
    (message,) = live.wait(number, timeout_s=0.0, is_over=lambda: False)
    assert '"point":"C7"' in message.data
    assert live.snapshot().view.game.moves[0].move.point == Point(2, 2)


STONES = (
    Stone(Color.BLACK, Point(2, 6)),
    Stone(Color.WHITE, Point(6, 5)),
    Stone(Color.BLACK, Point(1, 1)),
)


def film(seconds: float, start_s: float = 0.0) -> Iterator[Frame]:
    """Give frames, five a second, whose pixels tell how many stones stand there."""
    for number in range(round(seconds * 5)):
        t_s = start_s + number / 5
        yield Frame(np.full((8, 8, 3), min(int(t_s / 4), 3), np.uint8), t_s, number=number)


def looking(eye: Eye, frame: Frame, known: Known | None) -> tuple[Eye, Look]:
    """Read what the pixels tell, in the frame that the eye reads in."""
    labels = labels_of(Board(SIZE, STONES[: int(frame.image[0, 0, 0])]))
    probabilities = np.eye(3, dtype=np.float32)[np.rot90(labels, eye.turn)]
    return eye, Look(StoneReading(probabilities, np.ones((9, 9), bool), frame.seen_at_s), None)


class Told:
    """A publisher that forgets."""

    def publish(self, batch: Batch) -> None:
        """Take one batch."""


class ThenNext:
    """An attendant who leaves the beginning of games to others."""

    def attend(self, engine: object, now_s: float) -> Content | None:
        """Want nothing."""
        return None


@pytest.fixture
def gamelog(tmp_path: Path) -> Iterator[GameLog]:
    """Give an open log."""
    with GameLog(tmp_path / "game.db", is_writer=True) as log:
        yield log


def record(
    gamelog: GameLog, tape: Path, eye: Eye, mailbox: Mailbox, start: StartGame, t_s: float
) -> tuple[Pipeline, Submitted | None]:
    """Record a game; return its loop, and the start of the next one."""
    with contextlib.closing(TapeWriter(tape)) as writer:
        made = Pipeline(
            mailbox,
            Outlets(gamelog, Told(), writer),
            game_id=tape.name,
            engine=new_engine(),
            eye=eye,
            looking=looking,
            attendant=ThenNext(),
        )
        made.observe(start, t_s)
        return made, made.run()


def test_the_loop_reads_on_in_the_new_frame_and_so_do_the_next_game_and_the_tape(
    gamelog: GameLog, tmp_path: Path
) -> None:
    mailbox = Mailbox(keeps_every_frame=True)

    def frames() -> Iterator[Frame]:
        for frame in film(16):
            if frame.number == 50:
                mailbox.submit(TurnBoard(1)).result(10)
            if frame.number == 79:
                mailbox.submit(StartGame(GameInfo(black="Cho")))
            yield frame

    pump(frames(), mailbox)
    first, start = record(gamelog, tmp_path / "a", Eye(turn=1), mailbox, StartGame(GameInfo()), 0.0)
    assert start is not None
    game = first.engine.game
    # The eye turned by one quarter before, now by two: the stones lie there.
    assert [played.move.point for played in game.moves] == [
        turned_point(stone.point, 2, SIZE) for stone in STONES
    ]
    assert not game.alerts
    assert game.board == game.physical
    assert read_game(gamelog, "a") == game
    engine = new_engine()
    for item in read_tape(tmp_path / "a"):
        engine, _ = feed(engine, item)
    assert engine.game.moves == game.moves

    assert isinstance(start.content, StartGame)
    mailbox = Mailbox(keeps_every_frame=True)
    pump(film(5, 16.0), mailbox)
    second, _ = record(gamelog, tmp_path / "b", first.eye, mailbox, start.content, 16.0)
    assert second.engine.game.setup == Board(
        SIZE, [Stone(s.color, turned_point(s.point, 2, SIZE)) for s in STONES]
    )
    assert second.engine.game.info.turns == 1


def test_a_game_that_is_resumed_is_looked_at_as_it_was_turned(
    gamelog: GameLog, tmp_path: Path
) -> None:
    table = Table(SIZE)
    table.tell(TurnBoard(3))
    engine = replace(new_engine(), session=table.state)
    made = Pipeline(
        Mailbox(keeps_every_frame=True),
        Outlets(gamelog, Told()),
        game_id="a",
        engine=engine,
        eye=Eye(turn=2),
    )
    assert (made.eye.turn, made.eye.turns) == (1, 3)


def test_what_has_settled_turns_with_the_record() -> None:
    board = Board(SIZE, STONES)
    memory = resettle(new_settling(SIZE), board)
    expected = resettle(new_settling(SIZE), turned(board, 1, SIZE))
    assert (turned_settling(memory, 1).settled == expected.settled).all()


def test_the_position_is_the_fold_of_events_before_and_after_the_turn() -> None:
    table = Table(SIZE)
    for stone in STONES:
        table.view([stone])
    table.tell(TurnBoard(2))
    assert fold(table.events).physical == turned(Board(SIZE, STONES), 2, SIZE)

"""The files of a game: game.sgf whole at any moment, events.jsonl as promised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from recorder.events import (
    Alert,
    AlertWithdrawn,
    Event,
    GameInfo,
    GameStarted,
    Level,
    Move,
    MovePlayed,
    MovesRetracted,
    MoveVoided,
    Provenance,
    Record,
    Severity,
)
from recorder.files import Announced, EventsFile, SgfFile, lines_of, write_atomically
from recorder.game import fold
from recorder.goban import Color, Point, Stone, parse_vertex
from recorder.publish import Batch

B, W = Color.BLACK, Color.WHITE


def move(number: int, color: Color, vertex: str, t_s: float = 0.0) -> MovePlayed:
    """Return a move on a 9x9 goban."""
    point = None if vertex == "pass" else parse_vertex(vertex, 9)
    return MovePlayed(number, Move(color, point), t_s=t_s)


STARTED = GameStarted(GameInfo(size=9), (), B)
FOUR = (move(1, B, "C3"), move(2, W, "G7"), move(3, B, "G3"), move(4, W, "C7"))


def tell(*batches: tuple[Event, ...]) -> list[dict[str, Any]]:
    """Return the lines of the last of several batches; batch n is published at second n."""
    announced, lines = Announced(), ()
    for second, events in enumerate(batches):
        records = [Record(n, "a", float(second), "", event) for n, event in enumerate(events)]
        announced, lines = lines_of(announced, records)
    return [dict(line) for line in lines]


def test_a_move_is_told_with_both_its_times() -> None:
    (line,) = tell((STARTED,), (move(1, B, "C3", t_s=0.25),))
    assert line == {
        "kind": "move",
        "n": 1,
        "color": "B",
        "point": "C3",
        "t": 0.25,
        "seen_t": 1.0,
        "known": "seen",
    }


def test_a_pass_is_told_by_its_name() -> None:
    (line,) = tell((STARTED,), (move(1, B, "pass"),))
    assert line["point"] == "pass"


def test_a_start_tells_the_position() -> None:
    started = GameStarted(GameInfo(size=9), (Stone(W, Point(0, 0)),), None)
    (line,) = tell((started,))
    setup = {"B": [], "W": ["A9"]}
    assert line == {"kind": "start", "size": 9, "setup": setup, "to_play": None, "seen_t": 0.0}


def test_a_retracted_move_is_told() -> None:
    (line,) = tell((STARTED, *FOUR), (MovesRetracted(4, "disproved"),))
    assert (line["kind"], line["n"], line["point"]) == ("retracted", 4, "C7")


def test_moves_that_are_folded_again_are_not_told_again() -> None:
    again = (MovesRetracted(2, "ruling"), *FOUR[1:])
    assert tell((STARTED, *FOUR), again) == []


def test_a_move_found_late_is_told_and_those_after_it_get_their_new_numbers() -> None:
    late = (move(3, B, "E5"), move(4, W, "A1"), move(5, B, "G3"), move(6, W, "C7"))
    lines = tell((STARTED, *FOUR), (MovesRetracted(3, "late evidence"), *late))
    assert [(line["kind"], line.get("from"), line["n"]) for line in lines] == [
        ("move", None, 3),
        ("move", None, 4),
        ("renumbered", 3, 5),
        ("renumbered", 4, 6),
    ]


def test_a_move_that_turns_out_as_another_is_retracted_and_told() -> None:
    lines = tell((STARTED, *FOUR), (MovesRetracted(4, "late evidence"), move(4, W, "C8")))
    assert [(line["kind"], line["n"], line["point"]) for line in lines] == [
        ("retracted", 4, "C7"),
        ("move", 4, "C8"),
    ]


def test_alerts_are_told_with_level_points_and_both_times() -> None:
    alert = Alert(
        1, "double-move", Level.VIOLATION, Severity.INTERRUPT, W, (Point(0, 0),), 0.5, "17.2", "x"
    )
    raised, withdrawn = tell((STARTED,), (alert, AlertWithdrawn(1, "seen late")))
    assert {"kind": "alert", "id": 1, "level": "violation", "type": "double-move"}.items() <= (
        raised.items()
    )
    assert (raised["color"], raised["points"], raised["t"], raised["seen_t"]) == (
        "W",
        ["A9"],
        0.5,
        1.0,
    )
    assert (withdrawn["kind"], withdrawn["id"]) == ("withdrawn", 1)


def test_what_is_only_logged_is_no_alert_for_anybody() -> None:
    info = Alert(1, "quiet", Level.INFO, Severity.LOG, None, (), 0.5, "", "")
    assert tell((STARTED,), (info,)) == []


def test_a_void_move_is_told_beside_the_pass_that_stands_for_it() -> None:
    void = MoveVoided(Move(B, Point(0, 0)), frozenset(), 1, "forbidden-point", "19")
    imposed = MovePlayed(1, Move(B, None), provenance=Provenance.IMPOSED)
    lines = tell((STARTED,), (void, imposed))
    assert [(line["kind"], line["point"]) for line in lines] == [("move", "pass"), ("void", "A9")]


def test_the_events_file_holds_one_object_a_line(tmp_path: Path) -> None:
    file = EventsFile(tmp_path / "events.jsonl")
    records = tuple(Record(n, "a", 0.0, "", e) for n, e in enumerate((STARTED, *FOUR)))
    file.publish(Batch(records, fold((STARTED, *FOUR))))
    lines = (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()
    file.close()
    assert [json.loads(line)["kind"] for line in lines] == ["start"] + 4 * ["move"]


def test_the_sgf_holds_every_move_as_soon_as_it_is_published(tmp_path: Path) -> None:
    file = SgfFile(tmp_path / "game.sgf")
    for count in range(5):
        events = (STARTED, *FOUR[:count])
        file.publish(Batch((Record(1, "a", 0.0, "", events[-1]),), fold(events)))
        assert (tmp_path / "game.sgf").read_text(encoding="utf-8").count(";") == count + 1
    assert [path.name for path in tmp_path.iterdir()] == ["game.sgf"]


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]

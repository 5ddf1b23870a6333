"""Recorded games, judged again from their tapes: what was right once stays right.

Each folder of tests/data/games is a game that was filmed, or rendered as if: its readings as the
recorder took them, and what the referee's own record says. A game that once broke us gets a folder.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from recorder.cli import main
from recorder.commands.replay import replay
from recorder.game import Game
from recorder.goban import format_vertex
from recorder.tape import tapes_of

GAMES = Path(__file__).parent / "data" / "games"


@dataclass(frozen=True)
class Told:
    """What a replay gives: the record, and the alerts that stand."""

    moves: list[str]
    alerts: list[dict[str, Any]]


def told(game: Game) -> Told:
    """Return what people are told of a game."""
    size = game.info.size

    def name(point: Any) -> str:
        return "pass" if point is None else format_vertex(point, size)

    moves = [f"{event.move.color.value} {name(event.move.point)}" for event in game.moves]
    alerts = [
        {
            "type": state.alert.type,
            "color": state.alert.color.value if state.alert.color else None,
            "points": [name(point) for point in state.alert.points],
        }
        for state in game.alerts
        if state.withdrawn is None and state.alert.level.value != "info"
    ]
    return Told(moves, alerts)


@pytest.mark.parametrize("name", sorted(path.name for path in GAMES.iterdir() if path.is_dir()))
def test_a_recorded_game_is_judged_as_it_was(name: str, tmp_path: Path) -> None:
    expected = json.loads((GAMES / name / "expected.json").read_text(encoding="utf-8"))
    found = told(replay(tapes_of(GAMES / name), tmp_path))
    assert found.moves == expected["moves"]
    assert found.alerts == expected["alerts"]


def test_a_replay_gives_the_same_bytes_each_time(tmp_path: Path) -> None:
    for folder in ("one", "other"):
        replay(tapes_of(GAMES / "9x9-forbidden-point"), tmp_path / folder)
    for name in ("game.sgf", "events.jsonl"):
        one, other = (tmp_path / folder / name for folder in ("one", "other"))
        assert one.read_bytes() == other.read_bytes()


def test_a_replay_that_differs_from_the_record_says_in_what(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = tmp_path / "game"
    game.mkdir()
    tape = GAMES / "19x19-double-move" / "readings.tape"
    (game / "readings.tape").write_bytes(tape.read_bytes())
    assert main(["replay", str(game), "--out", str(game)]) == 0
    (game / "events.jsonl").write_text("{}\n", encoding="utf-8")
    assert main(["replay", str(game)]) == 1
    assert "events.jsonl differs" in capsys.readouterr().out


def test_a_folder_without_a_tape_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(tmp_path)]) == 2
    assert "readings.tape" in capsys.readouterr().err

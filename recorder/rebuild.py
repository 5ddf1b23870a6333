"""The files of a game from its log again: every one of them is a projection of the records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from recorder.events import Record
from recorder.files import EventsFile, write_atomically
from recorder.game import Game, apply, fold
from recorder.gamelog import GameLog
from recorder.publish import Batch
from recorder.sgf import format_sgf


def batches(records: Iterable[Record]) -> Iterator[Batch]:
    """Iterate over the batches in which records were appended, each with the game after it.

    An observation has a number of its own before those of its events, so a gap in the numbers
    separates two batches.
    """
    game, batch = Game(), list[Record]()
    for record in records:
        if batch and record.number != batch[-1].number + 1:
            yield Batch(tuple(batch), game)
            batch = []
        batch.append(record)
        game = apply(game, record.event)
    if batch:
        yield Batch(tuple(batch), game)


def read_game(gamelog: GameLog, game_id: str) -> Game:
    """Return a game as the stored events tell it."""
    return fold(record.event for record in gamelog.records(game_id))


def write_files(gamelog: GameLog, game_id: str, folder: Path) -> Game:
    """Write game.sgf and events.jsonl as recording left them; return the game."""
    folder.mkdir(parents=True, exist_ok=True)
    events, game = EventsFile(folder / "events.jsonl"), Game()
    try:
        for batch in batches(gamelog.records(game_id)):
            events.publish(batch)
            game = batch.game
    finally:
        events.close()
    write_atomically(folder / "game.sgf", format_sgf(game).encode("utf-8"))
    return game

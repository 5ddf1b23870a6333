"""The two files a game leaves beside its log: game.sgf, and events.jsonl for programs."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from recorder.events import (
    Alert,
    AlertClosed,
    AlertWithdrawn,
    Event,
    GameStarted,
    InfoChanged,
    Level,
    Move,
    MovePlayed,
    MovesConfirmed,
    MovesRetracted,
    MoveVoided,
    PhaseChanged,
    PositionCorrected,
    Record,
    ResultChanged,
    ViewChanged,
)
from recorder.goban import Point, format_vertex
from recorder.publish import Batch
from recorder.sgf import format_sgf
from recorder.turning import turned

IN_THE_RECORD = (
    GameStarted
    | InfoChanged
    | MovePlayed
    | MovesConfirmed
    | MovesRetracted
    | MoveVoided
    | PositionCorrected
    | Alert
    | AlertWithdrawn
    | AlertClosed
    | PhaseChanged
    | ResultChanged
)
"""Events after which game.sgf may read otherwise."""


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file so that at every moment the old or the new one is there, whole."""
    partial = path.with_name(f".{path.name}.part")
    with partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


class SgfFile:
    """Keeps game.sgf up to date."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def publish(self, batch: Batch) -> None:
        """Write the file again if anything in it may have changed."""
        if any(isinstance(record.event, IN_THE_RECORD) for record in batch.records):
            write_atomically(self.path, format_sgf(batch.game).encode("utf-8"))


@dataclass(frozen=True, slots=True)
class Announced:
    """The moves that were told so far, and the size and frame they are told for."""

    size: int = 19
    moves: tuple[Move, ...] = ()
    turns: int = 0
    """As `GameInfo` counts them."""


class EventsFile:
    """Appends one JSON object a line to events.jsonl; docs/log-format.md lists the fields."""

    def __init__(self, path: Path) -> None:
        """Begin the file anew."""
        self._file = path.open("w", encoding="utf-8")
        self._announced = Announced()

    def publish(self, batch: Batch) -> None:
        """Write the lines of one batch."""
        self._announced, lines = lines_of(self._announced, batch.records)
        for line in lines:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        if lines:
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


Line = Mapping[str, Any]


def lines_of(before: Announced, records: Sequence[Record]) -> tuple[Announced, tuple[Line, ...]]:
    """Return the lines of one batch, and what has been announced after it.

    A move that left the record and came back within the batch, be it under another number, was
    not disproved: such a move is told as renumbered, or not at all.
    """
    after = before
    lines: list[Line] = []
    played: dict[int, Record] = {}
    for record in records:
        event = record.event
        if isinstance(event, GameStarted):
            after = Announced(event.info.size, turns=event.info.turns)
            before = after
        elif isinstance(event, MovesRetracted):
            after = replace(after, moves=after.moves[: event.number - 1])
        elif isinstance(event, MovePlayed):
            after = replace(after, moves=(*after.moves[: event.number - 1], event.move))
            played[event.number] = record
        elif isinstance(event, InfoChanged) and event.info.turns != after.turns:
            quarters = (event.info.turns - after.turns) % 4
            before, after = (_turned(one, event.info.turns) for one in (before, after))
            lines.append({"kind": "turned", "quarters": quarters, "seen_t": _seconds(record.t_s)})
        line = _line(record, after.size)
        if line is not None:
            lines.append(line)
    starts = [line for line in lines if line["kind"] == "start"]
    others = [line for line in lines if line["kind"] != "start"]
    return after, (*starts, *_move_lines(before, after, played, records), *others)


def _turned(announced: Announced, turns: int) -> Announced:
    """Return what was told, in the frame of so many turns."""
    quarters = turns - announced.turns
    return replace(turned(announced, quarters, announced.size), turns=turns)


def _move_lines(
    before: Announced, after: Announced, played: Mapping[int, Record], records: Sequence[Record]
) -> list[Line]:
    """Return the lines about moves that came, went, or have another number."""
    if not records:
        return []
    seen_t, size = _seconds(records[0].t_s), after.size
    same = _common(before.moves, after.moves)
    old, new = before.moves[same:], after.moves[same:]
    gone: list[Line] = []
    came: list[Line] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal" and i != k:
            pairs = zip(range(i, j), range(k, m), strict=True)
            for n, place in pairs:
                came.append({"kind": "renumbered", "from": same + n + 1, "n": same + place + 1})
        elif tag != "equal":
            gone += [
                {"kind": "retracted", "n": same + n + 1, **_move(old[n], size), "seen_t": seen_t}
                for n in range(i, j)
            ]
            came += [_played(played[same + n + 1], size) for n in range(k, m)]
    return gone + came


def _common(one: Sequence[Move], other: Sequence[Move]) -> int:
    """Return how many moves two records share from the beginning."""
    if len(one) <= len(other) and one == other[: len(one)]:
        return len(one)
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _played(record: Record, size: int) -> Line:
    event = record.event
    assert isinstance(event, MovePlayed)
    line: dict[str, Any] = {"kind": "move", "n": event.number, **_move(event.move, size)}
    line |= {"t": _seconds(event.t_s), "seen_t": _seconds(record.t_s)}
    line["known"] = event.provenance.value
    if event.captured:
        line["captured"] = _vertices(sorted(event.captured), size)
    if not event.is_order_known:
        line["order_known"] = False
    return line


def _line(record: Record, size: int) -> Line | None:
    """Return the line of an event that is not a move, None if it has none."""
    event, seen_t = record.event, _seconds(record.t_s)
    if isinstance(event, Alert):
        return _alert(event, seen_t, size) if event.level is not Level.INFO else None
    line = _other(event, size)
    return None if line is None else {**line, "seen_t": seen_t}


def _other(event: Event, size: int) -> Line | None:
    match event:
        case AlertWithdrawn():
            return {"kind": "withdrawn", "id": event.id, "reason": event.reason}
        case AlertClosed():
            return {"kind": "closed", "id": event.id, "decision": event.decision}
        case MoveVoided():
            head = {"kind": "void", "n": event.number, **_move(event.move, size)}
            return {**head, "reason": event.reason, "t": _seconds(event.t_s)}
        case GameStarted():
            setup = {
                color: [format_vertex(s.point, size) for s in event.setup if s.color.value == color]
                for color in ("B", "W")
            }
            to_play = event.to_move.value if event.to_move else None
            return {"kind": "start", "size": event.info.size, "setup": setup, "to_play": to_play}
        case PhaseChanged():
            return {"kind": "phase", "phase": event.phase.value, "reason": event.reason}
        case ResultChanged():
            return {"kind": "result", "result": event.result, "confirmed": event.is_confirmed}
        case ViewChanged():
            return {"kind": "view", "state": event.state.value, "reason": event.reason}
    return None


def _alert(alert: Alert, seen_t: float, size: int) -> Line:
    return {
        "kind": "alert",
        "id": alert.id,
        "level": alert.level.value,
        "type": alert.type,
        "severity": int(alert.severity),
        "color": alert.color.value if alert.color else None,
        "points": _vertices(alert.points, size),
        "t": _seconds(alert.t_s),
        "seen_t": seen_t,
        "article": alert.article,
        "ruling": alert.ruling,
        "move_number": alert.move_number,
    }


def _move(move: Move, size: int) -> Line:
    point = "pass" if move.point is None else format_vertex(move.point, size)
    return {"color": move.color.value, "point": point}


def _vertices(points: Sequence[Point], size: int) -> list[str]:
    return [format_vertex(point, size) for point in points]


def _seconds(t_s: float) -> float:
    """Return a time as it is printed: milliseconds are finer than any frame."""
    return round(t_s, 3)

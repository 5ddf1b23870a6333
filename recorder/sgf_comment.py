"""What an SGF has no property for, as comment lines that people read and that read back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from recorder.events import Level, Move, MovePlayed, MoveVoided, Provenance
from recorder.game import AlertState, Game
from recorder.goban import Color, GobanError, Point, format_vertex, parse_vertex

_KNOWN = {
    Provenance.INFERRED: "known: inferred",
    Provenance.EDITED: "known: edited",
    Provenance.IMPOSED: "known: imposed",
}
"""A move that was seen needs no word."""

_PROVENANCE = {line: provenance for provenance, line in _KNOWN.items()}
_ORDER_UNKNOWN = "order: unknown"
_STANDS = "illegal, stands: "
_NOTE = "note: "
_RULING = "ruling: "
_VOID = re.compile(
    r"void: move (?P<number>\d{1,6}), (?P<color>[BW]) (?P<point>pass|[A-Z]\d{1,2})"
    r", (?P<reason>[^,]*)"
    r"(?:, article (?P<article>[^,]*))?(?:, took (?P<took>[A-Z0-9 ]+))?(?:, provisional)?"
)
CORRECTION = "correction: "


@dataclass(frozen=True, slots=True)
class Remark:
    """What the comment of one node says."""

    provenance: Provenance = Provenance.SEEN
    is_order_known: bool = True
    faults: frozenset[str] = frozenset()
    note: str = ""
    voids: tuple[MoveVoided, ...] = ()
    correction: str = ""


def format_move_remark(played: MovePlayed) -> list[str]:
    """Return the comment lines of a move; `note` is the last, it may have several lines."""
    lines = []
    if played.provenance in _KNOWN:
        lines.append(_KNOWN[played.provenance])
    if not played.is_order_known:
        lines.append(_ORDER_UNKNOWN)
    if played.faults:
        lines.append(_STANDS + ", ".join(sorted(played.faults)))
    if played.note:
        lines.append(_NOTE + played.note)
    return lines


def format_void(void: MoveVoided, game: Game) -> str:
    """Return the line of a move that was played and does not count."""
    words = [f"void: move {void.number}", format_move(void.move, game.info.size), void.reason]
    if void.article:
        words.append(f"article {void.article}")
    if void.captured:
        words.append("took " + _format_points(sorted(void.captured), game.info.size))
    if void.alert_id is not None and 1 <= void.alert_id <= len(game.alerts):
        words += ["provisional"] if game.alerts[void.alert_id - 1].is_open else []
    return ", ".join(words)


def format_ruling(state: AlertState, size: int) -> str:
    """Return the line of a ruling, proposed (provisional) or decided; it is not read back."""
    alert = state.alert
    words = [f"{_RULING}{alert.type}"]
    if alert.color is not None or alert.points:
        color = alert.color.value if alert.color is not None else ""
        words.append(f"{color} {_format_points(alert.points, size)}".strip())
    if alert.article:
        words.append(f"article {alert.article}")
    words.append(alert.ruling or "to be decided")
    if alert.warning is not None:
        words.append(f"warning {alert.warning.value}")
    if state.closed is None:
        words.append("provisional")
    else:
        by = f" by {state.closed.by}" if state.closed.by else ""
        note = f" ({state.closed.note})" if state.closed.note else ""
        words.append(f"{state.closed.decision}{by}{note}")
    return _one_line(", ".join(word for word in words if word))


def is_ruling(state: AlertState) -> bool:
    """Return whether an alert belongs into the file: it stands and asks more than to be logged."""
    return state.stands and state.alert.level is not Level.INFO


def format_move(move: Move, size: int) -> str:
    """Return "B Q16" or "B pass"."""
    point = "pass" if move.point is None else format_vertex(move.point, size)
    return f"{move.color.value} {point}"


def parse_remark(comment: str, size: int, *, is_ours: bool) -> Remark:
    """Return what a comment says; all of it is a note unless the file is ours."""
    if not is_ours:
        return Remark(note=comment)
    remark, lines = Remark(), comment.split("\n")
    for i, line in enumerate(lines):
        if line.startswith(_NOTE):
            return replace(remark, note="\n".join([line[len(_NOTE) :], *lines[i + 1 :]]))
        remark = _parse_line(remark, line, size)
    return remark


def _parse_line(remark: Remark, line: str, size: int) -> Remark:
    if line in _PROVENANCE:
        return replace(remark, provenance=_PROVENANCE[line])
    if line == _ORDER_UNKNOWN:
        return replace(remark, is_order_known=False)
    if line.startswith(_STANDS):
        return replace(remark, faults=frozenset(line[len(_STANDS) :].split(", ")))
    if line.startswith(CORRECTION):
        return replace(remark, correction=line[len(CORRECTION) :])
    void = _parse_void(line, size)
    if void is not None:
        return replace(remark, voids=(*remark.voids, void))
    if line and not line.startswith(_RULING):
        # Somebody has written into our file.
        return replace(remark, note="\n".join(filter(None, [remark.note, line])))
    return remark


def _parse_void(line: str, size: int) -> MoveVoided | None:
    found = _VOID.fullmatch(line)
    if found is None:
        return None
    try:
        point = None if found["point"] == "pass" else parse_vertex(found["point"], size)
        took = frozenset(parse_vertex(name, size) for name in (found["took"] or "").split())
    except GobanError:
        return None
    move = Move(Color(found["color"]), point)
    number, article = int(found["number"]), found["article"] or ""
    return MoveVoided(move, took, number, found["reason"], article)


def _format_points(points: Iterable[Point], size: int) -> str:
    return " ".join(format_vertex(point, size) for point in points)


def _one_line(text: str) -> str:
    return " ".join(text.split())

"""What the commands print while a game goes on."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from recorder.cli import UsageError
from recorder.events import (
    Alert,
    AlertWithdrawn,
    Event,
    GameStarted,
    Level,
    MovePlayed,
    MovesRetracted,
    ResultChanged,
    ViewChanged,
    ViewState,
)
from recorder.eye import Look
from recorder.goban import Color, format_vertex
from recorder.publish import Batch
from vision.types import Frame

NAMES = {Color.BLACK: "Black", Color.WHITE: "White", None: "either"}
BAR_WIDTH = 30


def has_terminal() -> bool:
    """Return whether somebody looks at stderr."""
    return sys.stderr.isatty()


def page_address(host: str, port: int, *, is_secure: bool = False) -> str:
    """Return the address to open in a browser."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"{'https' if is_secure else 'http'}://{shown}:{port}/"


def parse_page_address(text: str) -> str:
    """Return the address of a device's pages with a slash in the end; raise `UsageError`."""
    if not text.startswith(("http://", "https://")):
        raise UsageError(f"--address must begin with http:// or https://, got {text!r}")
    return text.rstrip("/") + "/"


class Told:
    """Prints moves and alerts as they come."""

    def publish(self, batch: Batch) -> None:
        """Print one line for each event that people want to hear of."""
        for record in batch.records:
            for text in describe(record.event, batch.game.info.size):
                print(f"{record.t_s:8.1f} s  {text}", flush=True)


def describe(event: Event, size: int) -> Iterator[str]:
    """Give the lines that tell an event to people; none for what they need not know."""
    match event:
        case GameStarted():
            yield f"game on {event.info.size} lines, {len(event.setup)} stones on the goban"
        case MovePlayed(move=move):
            point = "pass" if move.point is None else format_vertex(move.point, size)
            taken = f", captures {len(event.captured)}" if event.captured else ""
            yield f"move {event.number}: {NAMES[move.color]} {point}{taken}"
        case MovesRetracted():
            yield f"moves from {event.number} on are read again: {event.reason}"
        case Alert() if event.level is not Level.INFO:
            points = " ".join(format_vertex(point, size) for point in event.points)
            article = f", article {event.article}" if event.article else ""
            who = f" by {NAMES[event.color]}" if event.color else ""
            yield f"ALERT {event.id} ({event.level.value}): {event.type}{who} {points}{article}"
        case AlertWithdrawn():
            yield f"alert {event.id} is withdrawn: {event.reason}"
        case ResultChanged(result=str() as result):
            yield f"result {result}"
        case ViewChanged(state=ViewState.CLEAR):
            yield "the goban is in view again"
        case ViewChanged():
            yield f"view: {event.state.value} {event.reason}".rstrip()


class ProgressBar:
    """Shows on stderr how much of a file is done."""

    def __init__(self, duration_s: float | None) -> None:
        self._duration_s = duration_s or 0.0
        self._shown = -1

    def see(self, frame: Frame, seen: Look) -> None:
        """Draw the bar again when it has grown."""
        share = min(frame.seen_at_s / self._duration_s, 1.0) if self._duration_s else 0.0
        percent = int(100 * share)
        if percent != self._shown:
            self._shown = percent
            full = round(BAR_WIDTH * share)
            bar = "#" * full + "-" * (BAR_WIDTH - full)
            print(f"\r[{bar}] {percent:3d} %", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Leave the line to whatever is printed next."""
        if self._shown >= 0:
            print(file=sys.stderr, flush=True)

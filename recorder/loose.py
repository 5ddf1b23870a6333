"""Stones between the points and outside the lines, as the rules speak of them."""

from __future__ import annotations

from recorder.goban import Color
from recorder.labels import COLOR_OF
from recorder.observations import LooseStones
from vision.types import StoneReading


def loose_stones(reading: StoneReading) -> LooseStones:
    """Return the loose stones of a reading: between the points, and by zone outside the lines.

    Black sits at the kifu's lower side, so his lower right corner is the kifu's; White's is the
    kifu's upper left (older edition, article 4.2).
    """
    last = reading.size - 1
    inside: list[tuple[Color, float, float]] = []
    zones: dict[tuple[Color, str], int] = {}
    for stone in reading.loose:
        col, row = stone.grid_xy
        color = COLOR_OF[stone.label]
        if -0.5 <= col <= last + 0.5 and -0.5 <= row <= last + 0.5:
            # Rounded so that the noise of the detector is not a change.
            inside.append((color, round(2 * col) / 2, round(2 * row) / 2))
        elif (zone := _zone(col, row, last)) is not None:
            zones[color, zone] = zones.get((color, zone), 0) + 1
    outside = tuple((color, zone, n) for (color, zone), n in sorted(zones.items(), key=str))
    return LooseStones(tuple(sorted(inside, key=str)), outside)


def _zone(col: float, row: float, last: int) -> str | None:
    """Return whose lower right corner a place outside the lines belongs to, if any."""
    for name, x, y in (("black", col, row), ("white", last - col, last - row)):
        if max(x, y) > last + 0.5 and min(x, y) > last * 2 / 3:
            return f"{name}-lower-right"
    return None

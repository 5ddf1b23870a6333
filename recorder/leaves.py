"""Rows out of an SQLite file whose tree is broken, read from the leaf pages that are left."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

LEAF = 0x0D
"""Type of a page that holds rows of a table."""

Value = int | float | str | None


class Cell(NamedTuple):
    """A row as a leaf holds it; the column that is the row's number reads None."""

    number: int
    values: tuple[Value, ...]


def cells(data: bytes, page_size: int) -> Iterator[Cell]:
    """Iterate over the rows of all tables in a file, in the order of its pages.

    Rows that make no sense are left out. Ignores the write-ahead log.

    References
    ----------
    SQLite, Database File Format, 1.6 (pages) and 2.1 (records).
    """
    for start in range(0, len(data) - page_size + 1, page_size):
        head = start + (100 if start == 0 else 0)
        if data[head] != LEAF:
            continue
        count = int.from_bytes(data[head + 3 : head + 5], "big")
        for place in range(head + 8, min(head + 8 + 2 * count, start + page_size), 2):
            offset = start + int.from_bytes(data[place : place + 2], "big")
            try:
                yield _cell(data, offset, page_size)
            except (IndexError, ValueError, struct.error):
                continue


def _cell(data: bytes, offset: int, page_size: int) -> Cell:
    length, offset = _varint(data, offset)
    number, offset = _varint(data, offset)
    return Cell(number, _record(_payload(data, offset, length, page_size)))


def _payload(data: bytes, offset: int, length: int, page_size: int) -> bytes:
    """Return what a cell holds, with the pages onto which it overflows."""
    local = length
    if length > page_size - 35:
        least = (page_size - 12) * 32 // 255 - 23
        local = least + (length - least) % (page_size - 4)
        local = local if local <= page_size - 35 else least
    payload = data[offset : offset + local]
    following = int.from_bytes(data[offset + local : offset + local + 4], "big")
    while len(payload) < length:
        page = data[(following - 1) * page_size : following * page_size] if following else b""
        if len(page) < page_size:
            raise ValueError("a row goes on beyond the end of the file")
        following = int.from_bytes(page[:4], "big")
        payload += page[4 : 4 + length - len(payload)]
    return payload


def _record(payload: bytes) -> tuple[Value, ...]:
    size, place = _varint(payload, 0)
    types = []
    while place < size:
        kind, place = _varint(payload, place)
        types.append(kind)
    values = []
    for kind in types:
        value, place = _value(payload, place, kind)
        values.append(value)
    return tuple(values)


def _value(payload: bytes, place: int, kind: int) -> tuple[Value, int]:
    if kind >= 12:
        end = place + (kind - 12) // 2
        if end > len(payload):
            raise ValueError("a value goes on beyond its row")
        # Even kinds are blobs, of which a log has none.
        return payload[place:end].decode(), end
    if kind == 0:
        return None, place
    if kind == 7:
        (number,) = struct.unpack_from(">d", payload, place)
        return float(number), place + 8
    if kind in (8, 9):
        return kind - 8, place
    width = (0, 1, 2, 3, 4, 6, 8)[kind]
    return int.from_bytes(payload[place : place + width], "big", signed=True), place + width


def _varint(data: bytes, offset: int) -> tuple[int, int]:
    """Return a number of 1 to 9 bytes and the place behind it."""
    number = 0
    for place in range(offset, offset + 8):
        number = number << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return number, place + 1
    return number << 8 | data[offset + 8], offset + 9

"""A damaged game log: its good beginning goes into a new file, the old one is kept."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from recorder.codec import format_observation
from recorder.gamelog import (
    Appended,
    DamagedLogError,
    GameLog,
    LogRow,
    Prepared,
    lock_log,
)
from recorder.leaves import cells
from recorder.observations import Observation, Tick

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rescued:
    """What was done about a damaged log."""

    kept: Path
    """Where the damaged file is now."""

    rows: int
    """Taken over."""

    lost: int
    """Known to have been there behind them."""


def open_device_log(path: Path) -> tuple[GameLog, Rescued | None]:
    """Open the log of a device for writing; a damaged one is rescued first.

    Raises as `GameLog` does where the file is in use, of a later format, or something else.
    """
    fault = _damage(path)
    rescued = None if fault is None else rescue(path)
    if rescued is not None:
        log.error(
            "%s: its first %s rows are taken over, %s are lost; the old file is %s",
            fault,
            rescued.rows,
            rescued.lost,
            rescued.kept,
        )
    return GameLog(path, is_writer=True), rescued


def _damage(path: Path) -> DamagedLogError | None:
    try:
        with GameLog(path, is_writer=True) as gamelog:
            gamelog.check()
    except DamagedLogError as error:
        return error
    return None


def rescue(path: Path) -> Rescued:
    """Put a damaged log aside and a new one with its good beginning in its place.

    The beginning ends before the first row that cannot be read, and with a whole observation.
    Every row that is known to have followed has a tick of time in its place, so that no number is
    given twice.
    """
    new = path.with_name(path.name + ".rescued")
    with contextlib.closing(lock_log(path)):
        rows, last = _read(path)
        for leftover in _files_of(new):
            leftover.unlink(missing_ok=True)
        _write(new, rows, last)
        kept = path.with_name(f"{path.name}.damaged-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}")
        os.link(path, kept)
        # The old write-ahead log must not be applied to the new file.
        for old, name in zip(_files_of(path)[1:], _files_of(kept)[1:], strict=True):
            if old.exists():
                old.rename(name)
        new.replace(path)
    return Rescued(kept, len(rows), last - len(rows))


def _files_of(path: Path) -> tuple[Path, Path, Path]:
    return path, Path(f"{path}-wal"), Path(f"{path}-shm")


def _read(path: Path) -> tuple[list[LogRow], int]:
    """Return the good beginning of a log, and the highest number that was ever given."""
    copy = path.with_name(path.name + ".reading")
    for source, target in zip(_files_of(path)[:2], _files_of(copy)[:2], strict=True):
        if source.exists():
            shutil.copyfile(source, target)
    data = copy.read_bytes()
    _admit_size(copy, data)
    rows, last = _read_tree(copy)
    for leftover in _files_of(copy):
        leftover.unlink(missing_ok=True)
    # Where an inner page of the tree is missing, its leaves may still be there.
    if len(rows) < last or not last:
        rows = max(rows, _read_leaves(data), key=len)
    whole = max((n for n, row in enumerate(rows) if row.kind == "observation"), default=0)
    return rows[:whole], max(last, len(rows))


def _page_size(header: bytes) -> int:
    """Return the size of a page; 0 where the header is lost."""
    size = int.from_bytes(header[16:18], "big")
    return 1 << 16 if size == 1 else size


def _admit_size(path: Path, data: bytes) -> None:
    """Let the header of a database say how many pages there really are.

    SQLite reads nothing of a file that is shorter than its header says (Database File Format,
    1.3.8).
    """
    if len(data) >= 100 and _page_size(data):
        with path.open("r+b") as file:
            file.seek(28)
            file.write((len(data) // _page_size(data)).to_bytes(4, "big"))


def _read_tree(path: Path) -> tuple[list[LogRow], int]:
    rows: list[LogRow] = []
    last = 0
    with contextlib.closing(sqlite3.connect(path)) as db:
        # What is wrong behind the good rows ends them; it is no reason to stop.
        with contextlib.suppress(sqlite3.DatabaseError):
            found = db.execute("SELECT * FROM log NOT INDEXED ORDER BY number")
            for row in _good_rows(map(LogRow._make, found)):
                rows.append(row)
        with contextlib.suppress(sqlite3.DatabaseError, TypeError):
            (last,) = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'log'").fetchone()
    return rows, int(last)


def _read_leaves(data: bytes) -> list[LogRow]:
    if len(data) < 100 or not _page_size(data):
        return []
    columns = len(LogRow._fields)
    found = {c.number: c.values for c in cells(data, _page_size(data)) if len(c.values) == columns}
    rows = (LogRow(n, *values[1:]) for n, values in sorted(found.items()))  # type: ignore[arg-type]
    return list(_good_rows(row for row in rows if row.kind in ("observation", "event")))


COLUMNS: tuple[type | tuple[type, ...], ...] = (int, str, (int, float), str, str, str)
"""The types of a row's values, whole seconds being stored as integers; in a damaged page a value
may be of any other, or none."""


def _good_rows(rows: Iterator[LogRow]) -> Iterator[LogRow]:
    """Iterate over rows up to the first that is missing or cannot be read."""
    for place, row in enumerate(rows, 1):
        if not all(isinstance(value, kind) for value, kind in zip(row, COLUMNS, strict=True)):
            return
        try:
            json.loads(row.body)
        except ValueError:
            return
        if row.number != place:
            return
        yield row


def _write(path: Path, rows: list[LogRow], last: int) -> None:
    """Write a new log of rows, and ticks for the numbers behind them."""
    game_id = rows[-1].game_id if rows else "lost"
    tick = format_observation(Observation(rows[-1].t_s if rows else 0.0, Tick()))
    ticks = (
        LogRow(number, game_id, rows[-1].t_s if rows else 0.0, "", "observation", tick)
        for number in range(len(rows) + 1, last + 1)
    )
    with GameLog(path, is_writer=True) as gamelog:
        gamelog.write([Prepared((*rows, *ticks), Appended(0, ()))])
    Path(f"{path}.lock").unlink(missing_ok=True)

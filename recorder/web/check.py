"""The pages on which a board is set up: the check before the game, and corners by hand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any, Generic, TypeVar

import cv2
import numpy as np
from flask import Blueprint, Response, abort, jsonify, request
from numpy.typing import NDArray

from calibration.check import blind, check
from calibration.corners import CornersError, Placed, snapped_corner
from calibration.measure import Seen, measure
from calibration.picture import draw_close_up
from calibration.store import StoreError
from recorder.check_texts import format_verdict
from recorder.goban import Color
from recorder.set_up import NoFrameError, Noticed, SetUp, SizeError
from recorder.snapshot import reduced
from recorder.web.access import Role
from recorder.web.area import private_page
from recorder.web.fields import ActionError, Fields, one_of, whole_of
from recorder.web.language import language_of
from recorder.web.sessions import Sessions, private_pages
from recorder.web.set_up_texts import CHECK, CORNERS
from recorder.web.taking import refused, sent_fields
from recorder.web.texts import pick
from vision.geometry import corners_px
from vision.grid import find_grid
from vision.stones import read_stones
from vision.types import SIZES, Frame, GridFit, Label, Side

FROZEN = 3
"""So many pictures are kept for operators who set corners at the same time."""

QUALITY = 88


def make_check(set_up: SetUp, sessions: Sessions) -> Blueprint:
    """Return the page of the check; it needs the role of an operator."""
    pages = private_pages("check", sessions, Role.OPERATOR)
    last = _Shelf[bytes](FROZEN)
    busy = Lock()

    @pages.get("")
    def page() -> Response:
        state = {"movements": [_movement(noticed) for noticed in set_up.movements]}
        return private_page("check.html", partial(pick, CHECK), state, sessions.current())

    @pages.post("/run")
    def run() -> Response:
        if not busy.acquire(blocking=False):
            return refused(409, "a check is being made")
        try:
            return jsonify(_checked(set_up, last, language_of(request)))
        finally:
            busy.release()

    @pages.get("/picture-<int:number>.jpg")
    def picture(number: int) -> Response:
        return _jpeg(last.get(number))

    @pages.get("/movements.json")
    def movements() -> Response:
        alert = set_up.open_alert
        return jsonify(
            movements=[_movement(noticed) for noticed in set_up.movements],
            alert=None if alert is None else _movement(alert),
        )

    return pages


def _movement(noticed: Noticed) -> Fields:
    movement = noticed.movement
    return {
        "kind": movement.drift.value,
        "cells": round(movement.cells, 2),
        "needs_person": movement.needs_person,
        "at": noticed.utc,
    }


def _checked(set_up: SetUp, pictures: _Shelf[bytes], language: str) -> Fields:
    """Look at the camera for some seconds; return the verdict, keep the picture."""
    burst = set_up.burst()
    if not burst.frames:
        return {**format_verdict(blind(set_up.facts()), language), "picture": None}
    lens, board = set_up.lens(burst.frames[0]), set_up.calibration.board
    given = set_up.fit if board is not None and board.source == "hand" else None
    measures = measure(burst.frames, lens, given=given, times_s=burst.times_s)
    verdict = check(measures, set_up.facts(), is_lens_known=lens is not None)
    seen, number = measures.seen, None
    if isinstance(seen, Seen):
        close_up = draw_close_up(seen.frame, seen.fit, seen.reading, seen.light.glaring)
        number = pictures.put(_encoded(reduced(close_up)))
    return {**format_verdict(verdict, language), "picture": number}


@dataclass(frozen=True)
class _Trial:
    """A grid that a person has placed on a picture and not used yet."""

    placed: Placed
    picture: bytes


def make_corners(set_up: SetUp, sessions: Sessions) -> Blueprint:
    """Return the page on which corners are set by hand; it needs the role of an operator."""
    pages = private_pages("corners", sessions, Role.OPERATOR)
    frames, trials = _Shelf[Frame](FROZEN), _Shelf[_Trial](FROZEN)

    @pages.get("")
    def page() -> Response:
        words = partial(pick, CORNERS)
        return private_page("corners.html", words, {"sizes": SIZES}, sessions.current())

    @pages.post("/frame")
    def freeze() -> Response:
        try:
            return jsonify(_frozen(set_up.frame(), frames))
        except NoFrameError as error:
            return refused(503, str(error))

    @pages.get("/frame-<int:number>.jpg")
    def frame(number: int) -> Response:
        kept = frames.get(number)
        return _jpeg(None if kept is None else _encoded(kept.image))

    @pages.post("/snap")
    def snap() -> Response:
        return _answer(lambda fields: _snapped(fields, frames))

    @pages.post("/try")
    def attempt() -> Response:
        return _answer(lambda fields: _tried(fields, set_up, frames, trials))

    @pages.get("/tried-<int:number>.jpg")
    def tried(number: int) -> Response:
        kept = trials.get(number)
        return _jpeg(None if kept is None else kept.picture)

    @pages.post("/keep")
    def keep() -> Response:
        return _answer(lambda fields: _kept(fields, set_up, trials))

    return pages


def _frozen(frame: Frame, frames: _Shelf[Frame]) -> Fields:
    """Keep a picture to set corners on; return its size and where the search has the corners."""
    height, width = frame.image.shape[:2]
    found = find_grid(frame)
    if isinstance(found, GridFit):
        corners, size = corners_px(found), found.size
    else:
        low, high = np.array([0.25, 0.2]), np.array([0.75, 0.8])
        box = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
        corners, size = box * [width, height], 19
    return {
        "frame": frames.put(frame),
        "width": width,
        "height": height,
        "size": size,
        "corners": np.round(corners, 2).tolist(),
        "is_found": isinstance(found, GridFit),
    }


def _snapped(fields: Fields, frames: _Shelf[Frame]) -> Fields:
    """Return the crossing of the outer lines nearest to one of four marks."""
    frame, corners, size = _kept_frame(fields, frames), _corners(fields), _size(fields)
    found = snapped_corner(frame.image, size, corners, whole_of(fields, "index", 0, 3))
    return {"x": round(float(found[0]), 2), "y": round(float(found[1]), 2)}


def _tried(fields: Fields, set_up: SetUp, frames: _Shelf[Frame], trials: _Shelf[_Trial]) -> Fields:
    """Return what is read on the grid through four marks; nothing is used yet."""
    frame, corners, size = _kept_frame(fields, frames), _corners(fields), _size(fields)
    side = one_of(fields, "black", tuple(side.value for side in Side))
    placed = set_up.place(frame, size, corners, Side(side))
    memory, reading = read_stones(None, frame, placed.fit)
    labels = reading.labels
    picture = _encoded(reduced(draw_close_up(frame, memory.fit, reading)))
    return {
        "trial": trials.put(_Trial(placed, picture)),
        "by": placed.by.value,
        "moved": round(placed.moved_cells, 3),
        "corners": np.round(corners_px(placed.fit), 2).tolist(),
        "rows": ["".join(".BW"[label] for label in row) for row in labels],
        "stones": {
            color.value: int((labels == label).sum())
            for color, label in ((Color.BLACK, Label.BLACK), (Color.WHITE, Label.WHITE))
        },
    }


def _kept(fields: Fields, set_up: SetUp, trials: _Shelf[_Trial]) -> Fields:
    """Use a grid that was tried."""
    number = fields.get("trial")
    trial = trials.get(number) if isinstance(number, int) else None
    if trial is None:
        raise CornersError("these corners are no longer known, try them again")
    set_up.keep(trial.placed.fit)
    return {"size": trial.placed.fit.size}


def _kept_frame(fields: Fields, frames: _Shelf[Frame]) -> Frame:
    number = fields.get("frame")
    frame = frames.get(number) if isinstance(number, int) else None
    if frame is None:
        raise CornersError("this picture is no longer known, take a new one")
    return frame


def _corners(fields: Fields) -> NDArray[np.float64]:
    """Return (4, 2) pixels."""
    given = fields.get("corners")
    if not isinstance(given, list) or not all(isinstance(corner, list) for corner in given):
        raise ActionError(f"corners must be a list of pairs, got {given!r}")
    numbers = [value for corner in given for value in corner]
    if [len(corner) for corner in given] != [2] * 4 or not all(map(_is_number, numbers)):
        raise ActionError(f"corners must be four pairs of numbers, got {given!r}")
    return np.array(given, float)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) < 1e6


def _size(fields: Fields) -> int:
    size = whole_of(fields, "size", min(SIZES), max(SIZES))
    if size not in SIZES:
        raise ActionError(f"size must be one of {SIZES}, got {size}")
    return size


def _answer(work: Callable[[Fields], Fields]) -> Response:
    """Answer a request that sends JSON; a mistake is said."""
    try:
        return jsonify(work(sent_fields()))
    except (ActionError, CornersError, SizeError) as error:
        return refused(400, str(error))
    except StoreError as error:
        return refused(507, f"used, but not stored: {error}")


T = TypeVar("T")


class _Shelf(Generic[T]):
    """Keeps the newest few things by number; thread-safe."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._things: OrderedDict[int, T] = OrderedDict()
        self._count = 0
        self._lock = Lock()

    def put(self, thing: T) -> int:
        """Keep a thing; return its number."""
        with self._lock:
            self._count += 1
            self._things[self._count] = thing
            while len(self._things) > self._room:
                self._things.popitem(last=False)
            return self._count

    def get(self, number: int) -> T | None:
        """Return a thing by its number, None if it is gone."""
        with self._lock:
            return self._things.get(number)


def _encoded(image: NDArray[np.uint8]) -> bytes:
    """Return a picture as JPEG."""
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1])


def _jpeg(picture: bytes | None) -> Response:
    if picture is None:
        abort(404)
    return Response(picture, mimetype="image/jpeg")

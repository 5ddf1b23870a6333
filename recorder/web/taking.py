"""What the private pages share: taking actions one after the other, and telling of changes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from flask import Response, jsonify, request

from recorder.mailbox import ClosedError
from recorder.observations import Content, Entered
from recorder.web.actions import EarlyError, RoleError, describe, subject_of
from recorder.web.corrections import ChangedError
from recorder.web.fields import ActionError
from recorder.web.inbox import Submit
from recorder.web.messages import Fields, dump
from recorder.web.places import Places
from recorder.web.private import PrivateGame, PrivateState
from recorder.web.sessions import Session

log = logging.getLogger(__name__)

ANSWER_S = 10.0
"""The pipeline answers within one frame; without an answer for so long something is wrong."""

BEAT_S = 5.0

Parse = Callable[[dict[str, Any], PrivateState, Session], Content]
"""Makes an observation of a request's fields, or raises what `Taker.take` answers for."""


class DecidedError(RuntimeError):
    """Somebody decided before; `decision` says what."""

    def __init__(self, decision: Any) -> None:
        super().__init__("already decided")
        self.decision = decision


@dataclass(frozen=True, slots=True)
class Taken:
    """What was done last about a subject."""

    number: int
    what: str
    by: str


class Taker:
    """Takes one action after the other, so that of two taps at once the second sees the first."""

    def __init__(self, game: PrivateGame, submit: Submit) -> None:
        self._game = game
        self._submit = submit
        self._lock = Lock()
        self._last: dict[str, Taken] = {}

    def take(self, parse: Parse, session: Session) -> Response:
        """Put what the request asks for into the log; return its number or why not."""
        try:
            fields = sent_fields()
        except ActionError as error:
            return refused(400, str(error))
        based_on = fields.get("based_on", 0)
        if not isinstance(based_on, int) or isinstance(based_on, bool) or based_on < 0:
            return refused(400, f"based_on must be a number of the log, got {based_on!r}")
        with self._lock:
            try:
                content = parse(fields, self._game.state(), session)
                self._compare(content, based_on)
            except ActionError as error:
                return refused(400, str(error))
            except RoleError:
                return refused(403, "chief")
            except (ChangedError, EarlyError) as error:
                return refused(409, str(error))
            except DecidedError as error:
                return refused(409, "conflict", decision=error.decision)
            if isinstance(content, Entered):
                content = replace(content, entered_by=session.by, based_on=based_on)
            return self._put(content, Taken(0, describe(fields), session.by))

    def note(self, content: Content, session: Session) -> Response:
        """Put what needs no fields and contradicts nothing into the log."""
        with self._lock:
            if isinstance(content, Entered):
                content = replace(content, entered_by=session.by)
            return self._put(content, Taken(0, "", session.by))

    def _compare(self, content: Content, based_on: int) -> None:
        """Raise `DecidedError` if the page did not know what was done about this last."""
        last = self._last.get(subject_of(content))
        if last is not None and based_on and last.number > based_on:
            raise DecidedError({"decision": last.what, "by": last.by})

    def _put(self, content: Content, taken: Taken) -> Response:
        before = self._game.state().number
        try:
            number = self._submit(content).result(ANSWER_S)
        except ClosedError:
            return refused(503, "the recorder has ended")
        except TimeoutError:
            log.error("an action of a page was not taken within %s s", ANSWER_S)
            return refused(503, "the recorder does not answer")
        # Pages know the numbers of events: what led to none has changed nothing for anybody.
        shown = self._game.state().number
        if shown != before and (subject := subject_of(content)):
            self._last[subject] = replace(taken, number=shown)
        return jsonify(number=number)


def sent_fields() -> dict[str, Any]:
    """Return the JSON object that the request sends; raise `ActionError` if it is none."""
    fields = request.get_json(silent=True)
    if not isinstance(fields, dict):
        raise ActionError("the body must be a JSON object")
    return fields


def refused(status: int, error: str, **more: Any) -> Response:
    """Return an answer that says why not."""
    answer = jsonify(error=error, **more)
    answer.status_code = status
    return answer


@dataclass(frozen=True)
class Telling:
    """Where the private streams come from, and when they end."""

    game: PrivateGame
    is_closed: Callable[[], bool]
    is_fresh: Callable[[], bool]
    """Whether frames come from the camera."""


def private_events(
    telling: Telling, form: Callable[[PrivateState], Fields], places: Places
) -> Response:
    """Answer with a stream of whole states: there is no message that could be missed."""
    if not places.take():
        return refused(503, "all places are taken")
    response = Response(_stream(telling, form), mimetype="text/event-stream")
    response.call_on_close(places.give_back)
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _stream(telling: Telling, form: Callable[[PrivateState], Fields]) -> Iterator[str]:
    key, is_closed = "", telling.is_closed
    while not is_closed():
        state = telling.game.wait(key, timeout_s=BEAT_S, is_over=is_closed)
        if is_closed():
            return
        if state is None:
            yield f"event: beat\ndata: {dump({'is_fresh': telling.is_fresh()})}\n\n"
        else:
            key = state.key
            yield f"id: {state.number}\ndata: {dump(form(state))}\n\n"

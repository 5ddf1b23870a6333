"""What the private pages share: taking actions one after the other, and telling of changes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any

from flask import Response, jsonify, request

from recorder.mailbox import ClosedError
from recorder.observations import Content
from recorder.web.actions import ActionError, RoleError
from recorder.web.corrections import ChangedError
from recorder.web.inbox import Submit
from recorder.web.messages import Fields, dump
from recorder.web.places import Places
from recorder.web.private import PrivateGame, PrivateState

log = logging.getLogger(__name__)

ANSWER_S = 10.0
"""The pipeline answers within one frame; without an answer for so long something is wrong."""

BEAT_S = 5.0


class DecidedError(RuntimeError):
    """Somebody decided before; `decision` says what."""

    def __init__(self, decision: Any) -> None:
        super().__init__("already decided")
        self.decision = decision


class Taker:
    """Takes one action after the other, so that of two taps at once the second sees the first."""

    def __init__(self, game: PrivateGame, submit: Submit) -> None:
        self._game = game
        self._submit = submit
        self._lock = Lock()

    def take(self, parse: Callable[[dict[str, Any], PrivateState], Content]) -> Response:
        """Put what the request asks for into the log; return its number or why not."""
        fields = request.get_json(silent=True)
        if not isinstance(fields, dict):
            return refused(400, "the body must be a JSON object")
        with self._lock:
            try:
                content = parse(fields, self._game.state())
            except ActionError as error:
                return refused(400, str(error))
            except RoleError:
                return refused(403, "chief")
            except ChangedError as error:
                return refused(409, str(error))
            except DecidedError as error:
                answer = jsonify(error="conflict", decision=error.decision)
                answer.status_code = 409
                return answer
            return self._put(content)

    def _put(self, content: Content) -> Response:
        try:
            number = self._submit(content).result(ANSWER_S)
        except ClosedError:
            return refused(503, "the recorder has ended")
        except TimeoutError:
            log.error("an action of a page was not taken within %s s", ANSWER_S)
            return refused(503, "the recorder does not answer")
        return jsonify(number=number)


def refused(status: int, error: str) -> Response:
    """Return an answer that says why not."""
    answer = jsonify(error=error)
    answer.status_code = status
    return answer


def private_events(
    game: PrivateGame,
    form: Callable[[PrivateState], Fields],
    places: Places,
    is_closed: Callable[[], bool],
) -> Response:
    """Answer with a stream of whole states: there is no message that could be missed."""
    if not places.take():
        return refused(503, "all places are taken")
    response = Response(_stream(game, form, is_closed), mimetype="text/event-stream")
    response.call_on_close(places.give_back)
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _stream(
    game: PrivateGame, form: Callable[[PrivateState], Fields], is_closed: Callable[[], bool]
) -> Iterator[str]:
    key = ""
    while not is_closed():
        state = game.wait(key, timeout_s=BEAT_S, is_over=is_closed)
        if is_closed():
            return
        if state is None:
            yield "event: beat\ndata: {}\n\n"
        else:
            key = state.key
            yield f"id: {state.number}\ndata: {dump(form(state))}\n\n"

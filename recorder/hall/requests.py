"""What a device does for the hall: rulings go into its game, pictures into the object store."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from nats.aio.client import Client

from recorder.codec import CodecError, parse_observation
from recorder.hall.link import FAULTS
from recorder.hall.wire import Answer, Request
from recorder.mailbox import ClosedError
from recorder.observations import (
    ClockPress,
    Content,
    Correction,
    SettledView,
    Setup,
    StartGame,
    Tick,
    ViewStateSeen,
)

log = logging.getLogger(__name__)

Submit = Callable[[Content], Future[int]]

TAKE_S = 8.0
REMEMBERED = 1000
"""So many requests are answered alike when they are asked again."""

OWN = (SettledView, ViewStateSeen, ClockPress, Tick, Setup, StartGame, Correction)
"""What only the device and its own desk may observe; the hall rules, and names the players."""

_PICTURE = re.compile(r"([\w-]{1,80})/(\d{1,6})/(before|after|frame)\.jpg")


class Requests:
    """Answers the hall's requests, each once."""

    def __init__(self, submit: Submit | None, pictures: Path | None) -> None:
        self._submit = submit
        self._pictures = pictures
        self._answers: OrderedDict[str, asyncio.Future[Answer]] = OrderedDict()

    async def observe(self, request: Request) -> Answer:
        """Put an observation into the game; return its number in the log, or why there is none."""
        if request.id in self._answers:
            return await asyncio.shield(self._answers[request.id])
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._answers[request.id] = answer
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        answer.set_result(await self._take(request))
        return answer.result()

    async def _take(self, request: Request) -> Answer:
        try:
            content = parse_observation(request.observation).content
        except CodecError as error:
            return Answer(error=str(error))
        if self._submit is None or isinstance(content, OWN):
            return Answer(error=f"this board takes no {type(content).__name__} from the hall")
        try:
            number = await asyncio.wait_for(asyncio.wrap_future(self._submit(content)), TAKE_S)
        except (ClosedError, TimeoutError) as error:
            return Answer(error=str(error) or "the recorder does not answer")
        log.info("from the hall: %s, number %s", type(content).__name__, number)
        return Answer(number)

    async def put_picture(self, client: Client, bucket: str, name: str) -> Answer:
        """Put a picture into the board's object store under its name."""
        path = self._path(name)
        if path is None or not path.is_file():
            return Answer(error=f"there is no picture {name}")
        try:
            store = await client.jetstream().object_store(bucket)
            await store.put(name, await asyncio.to_thread(path.read_bytes))
        except FAULTS as error:
            return Answer(error=f"the picture cannot be stored: {error!r}")
        return Answer()

    def _path(self, name: str) -> Path | None:
        """Return where a picture would be; never outside of the folder."""
        found = _PICTURE.fullmatch(name)
        if found is None or self._pictures is None:
            return None
        game_id, alert, file = found.groups()
        tail = Path(f"alert-{int(alert):04d}") / f"{file}.jpg"
        whole = self._pictures / game_id / "evidence" / tail
        return whole if whole.is_file() else self._pictures / tail

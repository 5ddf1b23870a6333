"""Credentials: a device reads and writes its own board and nothing else, over TLS."""

from __future__ import annotations

import asyncio
import json
import ssl
import stat
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hall_world import free_port, needs_server

from recorder.gamelog import LogRow
from recorder.hall.config import HubConfig, HubSection, ServerSection
from recorder.hall.engine import Engine, new_seed
from recorder.hall.hub import credentials_of, prepare_engine
from recorder.hall.link import BOARD, HUB, Credentials, Link, connect, read_credentials
from recorder.hall.subjects import Subjects
from recorder.hall.wire import Rows, format_rows

pytestmark = [pytest.mark.hall, needs_server]

SUBJECTS = Subjects("cup")
ROW = LogRow(1, "g", 0.0, "2026-05-01T09:00:00+00:00", "event", "{}")


class Hall:
    """A message server with credentials for boards A1 and A2 and the hub."""

    def __init__(self, folder: Path, host: str = "127.0.0.1") -> None:
        port = free_port()
        section = HubSection(event="cup", folder=folder, boards="A1-A2")
        self.config = HubConfig(section, ServerSection(listen=f"{host}:{port}"))
        self.folder = folder
        self.engine: Engine = prepare_engine(self.config)
        scheme = "nats" if host == "127.0.0.1" else "tls"
        self.url = f"{scheme}://127.0.0.1:{port}"

    def link(self, name: str, credentials: Credentials | None = None) -> Link:
        """Return how a board, or the hub, connects."""
        kind = HUB if name == "hub" else BOARD
        path = self.folder / "credentials" / "hub.json"
        own = read_credentials(path if kind is HUB else credentials_of(self.folder, name))
        return Link(self.url, "cup", name, kind, credentials or own)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    hall = Hall(tmp_path_factory.mktemp("hall"))
    hall.engine.start()
    try:
        yield hall
    finally:
        hall.engine.stop()


async def heard_by_hub(
    hall: Hall, act: Callable[[Any], Coroutine[Any, Any, None]], who: str
) -> list[str]:
    """Return the subjects of what the hub hears while a board does something."""
    heard: list[str] = []

    async def hear(message: Any) -> None:
        heard.append(message.subject)

    hub, device = await connect(hall.link("hub")), await connect(hall.link(who))
    try:
        await hub.subscribe(">", cb=hear)
        await hub.flush()
        await act(device)
        await device.flush()
        await hub.flush()
    finally:
        await device.close()
        # What has come is heard before the connection closes.
        await hub.drain()
    return [subject for subject in heard if not subject.startswith("_INBOX")]


def rows() -> bytes:
    return format_rows(Rows("g", (ROW,)))


def test_a_device_writes_its_own_board(hall: Hall) -> None:
    async def act(device: Any) -> None:
        await device.publish(SUBJECTS.rows("A1"), rows())
        await device.publish(SUBJECTS.state("A1"), b"{}")

    heard = asyncio.run(heard_by_hub(hall, act, "A1"))
    assert heard == [SUBJECTS.rows("A1"), SUBJECTS.state("A1")]


@pytest.mark.parametrize(
    "subject",
    [
        SUBJECTS.rows("A2"),
        SUBJECTS.state("A2"),
        SUBJECTS.heads("A2"),
        SUBJECTS.requests("A2"),
        SUBJECTS.heads("A1"),
        "$JS.API.STREAM.DELETE.banmen-cup",
        "$JS.API.STREAM.PURGE.banmen-cup",
        "$JS.API.CONSUMER.DELETE.banmen-cup.hub-hub",
        f"$O.{SUBJECTS.picture_bucket('A2')}.C.x",
        "banmen.other.A1.events",
        "_INBOX.board.A2.x",
    ],
)
def test_a_device_writes_nothing_else(hall: Hall, subject: str) -> None:
    async def act(device: Any) -> None:
        await device.publish(subject, rows())

    assert asyncio.run(heard_by_hub(hall, act, "A1")) == []


@pytest.mark.parametrize(
    "subject", [SUBJECTS.rows("A2"), SUBJECTS.requests("A2"), "_INBOX.board.A2.>", ">"]
)
def test_a_device_reads_nothing_of_another(hall: Hall, subject: str) -> None:
    async def overhear() -> list[bytes]:
        overheard: list[bytes] = []

        async def hear(message: Any) -> None:
            overheard.append(message.data)

        spy, other, hub = [await connect(hall.link(name)) for name in ("A1", "A2", "hub")]
        try:
            await spy.subscribe(subject, cb=hear)
            await spy.flush()
            await other.publish(SUBJECTS.rows("A2"), rows())
            await hub.publish(SUBJECTS.requests("A2"), b"secret")
            for one in (other, hub, spy):
                await one.flush()
        finally:
            for one in (other, hub):
                await one.close()
            await spy.drain()
        return overheard

    assert asyncio.run(overhear()) == []


def test_a_hub_cannot_write_a_boards_rows(hall: Hall) -> None:
    async def act(_: Any) -> None:
        hub = await connect(replace(hall.link("hub"), name="second"))
        await hub.publish(SUBJECTS.rows("A1"), rows())
        await hub.flush()
        await hub.close()

    assert asyncio.run(heard_by_hub(hall, act, "A1")) == []


@pytest.mark.parametrize("seed", ["", new_seed()], ids=["no key", "unknown key"])
def test_without_the_right_key_nobody_connects(hall: Hall, seed: str) -> None:
    link = hall.link("A1", Credentials(seed))

    async def try_it() -> None:
        await asyncio.wait_for(connect(link), 2.0)

    with pytest.raises(Exception):  # noqa: B017, PT011 - whatever the client calls it
        asyncio.run(try_it())


def test_credentials_are_for_their_owner_only_and_stay_the_same(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    path = credentials_of(tmp_path, "A1")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_text()
    assert json.loads(before)["seed"].startswith("SU")
    prepare_engine(hall.config)
    assert path.read_text() == before


def test_credentials_made_for_this_machine_alone_hold_when_others_are_let_in(
    tmp_path: Path,
) -> None:
    alone = Hall(tmp_path).link("A1").credentials
    hall = Hall(tmp_path, "0.0.0.0")
    given = hall.link("A1").credentials
    assert (alone.seed, alone.certificate) == (given.seed, "")
    hall.engine.start()

    async def greet() -> bool:
        for name in ("A1", "hub"):
            client = await asyncio.wait_for(connect(hall.link(name)), 30.0)
            await client.close()
        return True

    try:
        assert asyncio.run(greet())
    finally:
        hall.engine.stop()


def test_beyond_this_machine_everything_is_encrypted(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "0.0.0.0")
    hall.engine.start()

    async def flows(link: Link) -> bool:
        client = await asyncio.wait_for(connect(link), 5.0)
        await client.flush()
        await client.close()
        return True

    own = hall.link("A1")
    stranger = Hall(tmp_path / "stranger", "0.0.0.0")
    other = read_credentials(credentials_of(stranger.folder, "A1")).certificate
    wrong = replace(own.credentials, certificate=other)
    try:
        assert asyncio.run(flows(own))
        # With another certificate than the hall's, the device does not talk to the server.
        with pytest.raises((ssl.SSLError, TimeoutError)):
            asyncio.run(flows(replace(own, credentials=wrong)))
    finally:
        hall.engine.stop()

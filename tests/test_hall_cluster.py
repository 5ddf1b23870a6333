"""A cluster of three message servers and two hubs: one server killed, one cut off and healed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hall_world import World, a_world, free_port, make_game, needs_server, wait_until

from recorder.hall.engine import Cluster

pytestmark = [pytest.mark.hall, pytest.mark.slow, needs_server]

NAMES = ("one", "two", "three")
HUBS = ("hub", "hub-2")
BOARDS = ["1", "2", "3"]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    yield from a_world(tmp_path)


def test_a_cluster_loses_nothing_when_a_server_dies_and_another_is_cut_off(world: World) -> None:
    game = world.folder / "game.jsonl"
    routes = {name: free_port() for name in NAMES}
    every_route = tuple(f"nats-route://127.0.0.1:{port}" for port in routes.values())
    servers, urls = {}, []
    for name in NAMES:
        cluster = Cluster("hall", f"127.0.0.1:{routes[name]}", every_route)
        servers[name], port = world.server(name, cluster=cluster)
        urls.append(f"nats://127.0.0.1:{port}")
    url = ",".join(urls)
    hubs = [world.hub(url, name, replicas="3") for name in HUBS]
    devices = [world.device(board, url, game, 20.0) for board in BOARDS]

    def wait_for_all(rows: int) -> None:
        def is_complete() -> bool:
            return all(world.arrived(b, hub) >= rows for b in BOARDS for hub in HUBS)

        wait_until(is_complete, f"{rows} rows of each game at both hubs")

    rows = make_game(game, 40)
    for process in (*hubs, *devices):
        process.start()
    wait_for_all(rows)

    # One is killed while they play; two of three go on without it.
    rows = make_game(game, 80)
    servers["one"].kill()
    for device in devices:
        device.tell("go on")
    wait_for_all(rows)
    servers["one"].start()

    # Another hangs: its connections stay open and nothing comes through them.
    rows = make_game(game, 120)
    servers["two"].stop()
    for device in devices:
        device.tell("go on")
    wait_until(lambda: all(world.played(b) == rows for b in BOARDS), "the end of the games")
    servers["two"].go_on()
    wait_for_all(rows)
    for board in BOARDS:
        for hub in HUBS:
            assert world.at_hub(board, hub) == world.at_device(board)

"""Power cuts: whatever is killed, the hub ends up with every device's log."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hall_world import World, a_world, make_game, needs_server, wait_until

pytestmark = [pytest.mark.hall, pytest.mark.slow, needs_server]

GAMES = 20
MOVES = 160
RATE = 20.0
KILLS = 24


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    yield from a_world(tmp_path)


def assert_equal_logs(world: World, boards: list[str], rows: int, hub: str = "hub") -> None:
    for board in boards:
        at_device = world.at_device(board)
        assert len(at_device) == rows
        assert world.at_hub(board, hub) == at_device


def is_complete(world: World, boards: list[str], rows: int, hub: str = "hub") -> bool:
    return all(len(world.at_hub(board, hub)) >= rows for board in boards)


def test_twenty_games_survive_kills_of_server_hub_and_devices(world: World) -> None:
    draw = random.Random(7)
    game = world.folder / "game.jsonl"
    rows = make_game(game, MOVES)
    server, port = world.server()
    url = f"nats://127.0.0.1:{port}"
    hub = world.hub(url)
    boards = [str(n) for n in range(1, GAMES + 1)]
    devices = [world.device(board, url, game, RATE) for board in boards]
    for process in (hub, *devices):
        process.start()
    wait_until(lambda: any(world.at_hub(board) for board in boards), 60, "the first rows")
    for _ in range(KILLS):
        victim = draw.choice([server, hub, *draw.sample(devices, 2)])
        victim.kill()
        time.sleep(draw.uniform(0.0, 0.6))
        victim.start()
        time.sleep(draw.uniform(0.1, 0.5))
    wait_until(lambda: is_complete(world, boards, rows), 120, "every row at the hub")
    assert_equal_logs(world, boards, rows)


def test_what_was_played_in_ten_minutes_offline_arrives_in_order(world: World) -> None:
    game = world.folder / "game.jsonl"
    # 40 of the 90 moves are played while the network is away, one each 15 seconds by their times.
    rows = make_game(game, 90, every_s=15.0)
    server, port = world.server()
    url = f"nats://127.0.0.1:{port}"
    hub = world.hub(url)
    device = world.device("1", url, game, 20.0)
    hub.start()
    device.start()
    wait_until(lambda: len(world.at_hub("1")) >= 0.5 * rows, 60, "half of the game")
    server.kill()
    before = len(world.at_hub("1"))
    wait_until(lambda: len(world.at_device("1")) == rows, 60, "the end of the game")
    assert len(world.at_hub("1")) <= before + 10
    server.start()
    wait_until(lambda: is_complete(world, ["1"], rows), 60, "the rest of the game")
    assert_equal_logs(world, ["1"], rows)


def test_a_store_that_was_rolled_back_loses_nothing(world: World) -> None:
    game = world.folder / "game.jsonl"
    rows = make_game(game, 120)
    server, port = world.server()
    url = f"nats://127.0.0.1:{port}"
    hub = world.hub(url)
    boards = ["1", "2", "3"]
    devices = [world.device(board, url, game, 20.0) for board in boards]
    for process in (hub, *devices):
        process.start()
    wait_until(lambda: all(len(world.at_hub(b)) > 40 for b in boards), 60, "some rows")
    # The hub is away while the server confirms rows that the power cut takes from its disk.
    hub.kill()
    server.kill()
    store = world.folder / "store-one"
    shutil.copytree(store, world.folder / "earlier")
    server.start()
    wait_until(lambda: all(len(world.at_device(b)) == rows for b in boards), 60, "the games' end")
    server.kill()
    shutil.rmtree(store)
    shutil.copytree(world.folder / "earlier", store)
    server.start()
    hub.start()
    wait_until(lambda: is_complete(world, boards, rows), 90, "what the server had lost")
    assert_equal_logs(world, boards, rows)


def test_a_hub_that_lost_its_file_is_sent_everything_again(world: World) -> None:
    game = world.folder / "game.jsonl"
    rows = make_game(game, 40)
    _, port = world.server()
    url = f"nats://127.0.0.1:{port}"
    hub = world.hub(url)
    device = world.device("1", url, game, 20.0)
    hub.start()
    device.start()
    wait_until(lambda: is_complete(world, ["1"], rows), 60, "the game at the hub")
    hub.kill()
    shutil.rmtree(world.folder / "hub")
    hub.start()
    wait_until(lambda: is_complete(world, ["1"], rows), 60, "the game at the new hub")
    assert_equal_logs(world, ["1"], rows)

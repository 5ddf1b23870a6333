"""Power cuts: whatever is killed, the hub ends up with every device's log."""

from __future__ import annotations

import random
import shutil
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


def wait_for_all(world: World, boards: list[str], rows: int, hub: str = "hub") -> None:
    def is_complete() -> bool:
        return all(world.arrived(board, hub) >= rows for board in boards)

    wait_until(is_complete, f"every row of {len(boards)} games at the hub")


def wait_for_play(world: World, boards: list[str], rows: float) -> None:
    wait_until(lambda: sum(map(world.played, boards)) >= rows, f"{rows} rows to be played")


def test_twenty_games_survive_kills_of_server_hub_and_devices(world: World) -> None:
    draw = random.Random(7)
    game = world.folder / "game.jsonl"
    rows = make_game(game, MOVES)
    server, port = world.server()
    url = f"nats://127.0.0.1:{port}"
    hub = world.hub(url)
    boards = [str(n) for n in range(1, GAMES + 1)]
    devices = [world.device(board, url, game, RATE) for board in boards]
    for process in (hub, devices[0]):
        process.start()
    wait_until(lambda: world.arrived("1") > 0, "the first rows")
    for device in devices[1:]:
        device.start()
    for place in range(1, KILLS + 1):
        wait_for_play(world, boards, GAMES * rows * place / (KILLS + 1))
        victim = draw.choice([server, hub, *draw.sample(devices, 2)])
        victim.kill()
        victim.start()
    wait_for_all(world, boards, rows)
    assert_equal_logs(world, boards, rows)


def test_what_was_played_in_ten_minutes_offline_arrives_in_order(world: World) -> None:
    game = world.folder / "game.jsonl"
    # One move each 15 seconds by their times: from move 50 to move 90 ten minutes pass.
    before = make_game(game, 50, every_s=15.0)
    server, port = world.server()
    url = f"nats://127.0.0.1:{port}"
    hub = world.hub(url)
    device = world.device("1", url, game, 50.0)
    hub.start()
    device.start()
    wait_for_all(world, ["1"], before)
    server.kill()
    rows = make_game(game, 90, every_s=15.0)
    device.tell("go on")
    wait_for_play(world, ["1"], rows)
    assert world.arrived("1") == before
    server.start()
    wait_for_all(world, ["1"], rows)
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
    wait_until(lambda: min(map(world.arrived, boards)) > 40, "some rows")
    # The hub is away while the server confirms rows that the power cut takes from its disk.
    hub.kill()
    server.kill()
    store = world.folder / "store-one"
    shutil.copytree(store, world.folder / "earlier")
    server.start()
    wait_for_play(world, boards, len(boards) * rows)
    server.kill()
    shutil.rmtree(store)
    shutil.copytree(world.folder / "earlier", store)
    server.start()
    hub.start()
    wait_for_all(world, boards, rows)
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
    wait_for_all(world, ["1"], rows)
    hub.kill()
    shutil.rmtree(world.folder / "hub")
    hub.start()
    wait_for_all(world, ["1"], rows)
    assert_equal_logs(world, ["1"], rows)

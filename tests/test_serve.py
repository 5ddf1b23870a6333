"""The service of a table: games one after another, each in a folder of its own."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from synthetic import Film, looking, played, stones

from recorder.cli import main
from recorder.commands.demo import CLIP
from recorder.commands.page import Referee
from recorder.commands.recording import Listeners
from recorder.commands.serve import habit_of
from recorder.commands.serving import DEVICE_LOG, GAMES, Table, TableService
from recorder.config import Config, parse_config
from recorder.events import GameInfo
from recorder.gamelog import GameLog
from recorder.goban import Board, Color, Point
from recorder.lifecycle import Habit, Stage
from recorder.mailbox import Mailbox
from recorder.observations import Content, EndGame, StartGame
from recorder.publish import Batch
from recorder.sgf import read_sgf
from recorder.web.live import LiveGame
from recorder.web.private import PrivateGame
from vision.types import Frame

FIRST, SECOND = "B22 W66 B26 W62", "B33 W55 B35"


class Says:
    """A source whose frames are accompanied by words of the console."""

    is_live = False
    duration_s: float | None = None

    def __init__(self, film: Film, *said: tuple[int, Content]) -> None:
        self._film = film
        self._said = dict(said)
        self.mailbox: Mailbox | None = None
        self.numbers: list[int] = []

    def frames(self) -> Iterator[Frame]:
        """Iterate over the frames; say what is due before each."""
        for frame in self._film.frames():
            content = self._said.get(frame.number)
            if content is not None and self.mailbox is not None:
                self.numbers.append(self.mailbox.submit(content).result(20))
            yield frame

    def close(self) -> None:
        """Nothing to close."""


class Last:
    """A publisher that remembers the last game."""

    def __init__(self) -> None:
        self.batches: list[Batch] = []

    def publish(self, batch: Batch) -> None:
        """Remember."""
        self.batches.append(batch)


def serve(folder: Path, source: Says | Film, habit: Habit | None = None) -> TableService:
    """Serve a table until the frames end."""
    habit = habit or Habit(GameInfo(event="Cup"))
    table = Table(folder, habit, is_real_time=False, ends_with_frames=True)
    with GameLog(folder / DEVICE_LOG, is_writer=True) as gamelog:
        listeners = Listeners(LiveGame(is_reading=True), (), (), Referee())
        service = TableService(table, source, gamelog, listeners, looking=looking)
        if isinstance(source, Says):
            source.mailbox = service.mailbox
        service.run()
    return service


def moves(path: Path) -> list[tuple[Color, Point | None]]:
    """Return the moves of an SGF file."""
    return [(m.move.color, m.move.point) for m in read_sgf(path.read_bytes()).moves]


def expected(text: str) -> list[tuple[Color, Point]]:
    """Return the same of "B22 W66"."""
    return [(stone.color, stone.point) for stone in stones(text)]


def games_of(folder: Path) -> list[Path]:
    """Return the folders of the games, the first game first."""
    return sorted((folder / GAMES).iterdir(), key=lambda path: path.stat().st_ctime)


def two_games() -> Says:
    """Return a source that shows a game, its end in words, a cleared board, and another game."""
    scenes: Sequence[tuple[float, Board | None]] = [*played(FIRST), (8.0, Board(9))]
    frames = round(5 * sum(seconds for seconds, _ in played(FIRST)))
    return Says(Film([*scenes, *played(SECOND)[1:]]), (frames, EndGame("W+R", "referee")))


def test_one_game_after_another_is_recorded_each_in_its_own_folder(tmp_path: Path) -> None:
    serve(tmp_path, two_games())
    with GameLog(tmp_path / DEVICE_LOG) as gamelog:
        waiting, first, second = gamelog.game_ids()
        assert not [r for r in gamelog.records(waiting) if type(r.event).__name__ == "GameStarted"]
    for game_id, text in ((first, FIRST), (second, SECOND)):
        folder = tmp_path / GAMES / game_id
        assert moves(folder / "game.sgf") == expected(text)
        with GameLog(folder / "game.db") as own:
            assert own.game_ids() == (game_id,)
    assert not (tmp_path / GAMES / waiting).exists()
    first_game = read_sgf((tmp_path / GAMES / first / "game.sgf").read_bytes())
    assert (first_game.result, first_game.info.event) == ("W+R", "Cup")


def test_the_desk_is_told_what_the_table_is_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(PrivateGame, "tell_stage", lambda self, stage: told.append(stage))
    serve(tmp_path, two_games())
    assert told == ["looking", "ready", "playing", "over", "ready", "playing"]


def test_each_game_is_judged_alike_from_its_tape(tmp_path: Path) -> None:
    serve(tmp_path, two_games())
    for folder in games_of(tmp_path):
        assert main(["replay", str(folder)]) == 0


def test_the_service_goes_on_with_the_same_game_after_a_stop(tmp_path: Path) -> None:
    film = played(FIRST)
    serve(tmp_path, Film(film[:3]))
    serve(tmp_path, Film(film[2:]))
    (folder,) = games_of(tmp_path)
    assert moves(folder / "game.sgf") == expected(FIRST)
    assert main(["replay", str(folder)]) == 0


def test_a_stop_between_the_first_two_stones_does_not_cost_the_game(tmp_path: Path) -> None:
    film = played(FIRST)
    serve(tmp_path, Film(film[:2]))
    assert not (tmp_path / GAMES).exists()
    serve(tmp_path, Film(film[2:]))
    (folder,) = games_of(tmp_path)
    assert moves(folder / "game.sgf") == expected(FIRST)


def test_the_desk_starts_a_game_from_what_stands_on_the_goban(tmp_path: Path) -> None:
    source = Says(
        Film([(6.0, Board(9, stones("B22 B66 W26"))), (4.0, Board(9, stones("B22 B66 W26 B62")))]),
        (20, StartGame(GameInfo(black="Lee"))),
    )
    service = serve(tmp_path, source)
    (folder,) = games_of(tmp_path)
    game = read_sgf((folder / "game.sgf").read_bytes())
    assert moves(folder / "game.sgf") == expected("B62")
    assert (game.info.black, game.info.size, len(tuple(game.setup.stones()))) == ("Lee", 9, 3)
    assert source.numbers == [0]
    assert service.stages.now.stage is Stage.PLAYING


def test_without_a_goban_the_service_waits_and_writes_no_game(tmp_path: Path) -> None:
    service = serve(tmp_path, Film([(10.0, None)]))
    assert service.stages.now.stage is Stage.LOOKING
    assert not (tmp_path / GAMES).exists()


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """Return a file of settings for a device with the demo's clip for a camera."""
    path = tmp_path / "banmen.toml"
    path.write_text(
        f'[device]\nfolder = "{tmp_path / "device"}"\n[camera]\nsource = "{CLIP}"\n'
        '[page]\nhost = "127.0.0.1"\nport = 0\n',
        encoding="utf-8",
    )
    return path


@contextlib.contextmanager
def start(settings: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Start `banmen serve`; it does not outlive the block, whatever happens there."""
    command = [sys.executable, "-m", "recorder.cli", "serve", "--config", str(settings), *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def read_until(process: subprocess.Popen[str], pattern: str) -> str:
    """Return the first line printed that matches."""
    assert process.stdout is not None
    for line in process.stdout:
        if re.search(pattern, line):
            return line
    raise AssertionError(f"{pattern} was not printed")


def state_at(address: str) -> Any:
    """Return the public state; while the log is being read, ask again."""
    while True:
        try:
            return json.load(urllib.request.urlopen(f"{address}state.json", timeout=20))
        except urllib.error.HTTPError as refused:
            if refused.status != 503:
                raise


def test_pages_are_there_without_a_camera_and_sigterm_ends_it_cleanly(settings: Path) -> None:
    with start(settings, "--source", "/dev/video99") as process:
        line = read_until(process, "pages are on")
        state = state_at(line.split()[-1])
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    assert process.returncode == 0
    assert state["phase"] == "waiting"


def test_a_second_instance_on_the_same_folder_is_refused(
    settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with start(settings, "--source", "/dev/video99") as process:
        read_until(process, "pages are on")
        assert main(["serve", "--config", str(settings)]) == 2
        assert "written by another process" in capsys.readouterr().err
        process.terminate()
        process.communicate(timeout=30)


def test_games_begin_as_the_settings_say() -> None:
    text = '[game]\nkomi = 6.5\nstart = "ask"\nquiet_min = 5\n[clock]\nsource = "camera"\n'
    habit = habit_of(parse_config(text))
    assert (habit.info.komi, habit.info.clock_source) == (6.5, "camera")
    assert (habit.starts_with_stones, habit.quiet_s) == (False, 300.0)
    assert habit_of(Config()).info == GameInfo()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--source", "none.mp4"], "there is no video, folder or camera 'none.mp4'"),
        (["--config", "none.toml"], "none.toml cannot be read"),
        (["--port", "99999"], "a port must be in 0-65535, got 99999"),
    ],
)
def test_what_cannot_be_used_is_named(
    settings: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--config", str(settings), *words]) == 2
    assert message in capsys.readouterr().err

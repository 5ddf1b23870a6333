"""What goes wrong in a hall, really done to recorders in processes of their own."""

from __future__ import annotations

import http.server
import random
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from faults import (
    PATIENCE_S,
    Running,
    check_log,
    games_of,
    moves_of,
    start,
    true_moves,
    write_settings,
)
from numpy.typing import NDArray
from synthetic import Film, looking, played

from recorder.cli import main
from recorder.commands import record
from recorder.commands.demo import CLIP
from recorder.commands.serving import DEVICE_LOG
from recorder.engine import new_engine
from recorder.events import GameInfo
from recorder.eye import Eye
from recorder.gamelog import GameLog
from recorder.mailbox import Mailbox, pump
from recorder.observations import StartGame
from recorder.pipeline import Outlets, Pipeline
from recorder.publish import FanOut
from recorder.sgf import read_sgf
from recorder.web.live import LiveGame
from vision.camera import VideoFile, open_source
from vision.types import Frame

Recorders = Callable[..., Running]


@pytest.fixture
def recorders() -> Iterator[Recorders]:
    """Start recorders; none of them outlives the test."""
    started: list[Running] = []

    def start_one(steering: Path, folder: Path, *words: str, **plan: object) -> Running:
        started.append(start(steering, folder, *words, **plan))
        return started[-1]

    yield start_one
    for running in started:
        running.process.kill()
        running.process.communicate()


pytestmark = [pytest.mark.faults, pytest.mark.slow]


def test_a_killed_recorder_goes_on_with_the_same_game_and_has_lost_nothing(
    recorders: Recorders,
    tmp_path: Path,
) -> None:
    steering, folder = tmp_path / "steering", tmp_path / "device"
    choose = random.Random(5)
    for _ in range(10):
        running = recorders(steering, folder, stones=60)
        running.wait_until_served()
        running.wait_for_health(200)
        running.wait_for("row ", count=choose.randint(1, 4))
        threading.Event().wait(choose.random() / 2)
        running.end(signal.SIGKILL)
        assert check_log(folder) >= running.acknowledged
        for game in games_of(folder):
            moves_of(game)
    running = recorders(steering, folder, stones=60)
    running.wait_for("after the restart, with .* the goban agrees with the record")
    assert running.end() == 0
    (game,) = games_of(folder)
    found = moves_of(game)
    assert found == true_moves(60)[: len(found)]
    assert len(found) >= 10
    assert main(["export", str(game)]) == 0
    assert moves_of(game) == found


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 6 MB in memory."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here; tests/test_keeper.py has a log that is full")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(path: Path) -> None:
    """Write until the disk takes no more."""
    with path.open("wb", buffering=0) as filler:
        while True:
            filler.write(b"x" * 4096)


def test_on_a_full_disk_recording_goes_on_and_the_log_is_whole_afterwards(
    recorders: Recorders, tmp_path: Path, small_disk: Path
) -> None:
    steering, folder = tmp_path / "steering", small_disk / "device"
    steering.mkdir()
    write_settings(steering / "banmen.toml", reserve_mb=1)
    running = recorders(steering, folder, stones=40)
    running.wait_until_served()
    running.wait_for("MovePlayed", count=3)
    with pytest.raises(OSError, match="No space left"):
        fill(small_disk / "filler")
    running.wait_for("the game log takes nothing")
    running.wait_for_health(503, "the game log takes nothing")
    running.wait_for("MovePlayed", count=4)
    (small_disk / "filler").unlink()
    running.wait_for("the game log takes everything again")
    running.wait_for("MovePlayed", count=2)
    assert running.end() == 0
    assert check_log(folder) >= running.acknowledged
    (game,) = games_of(folder)
    found = moves_of(game)
    assert found == true_moves(40)[: len(found)]
    assert len(found) >= 9
    with GameLog(game / "game.db") as own:
        alerts = [r.event for r in own.records() if type(r.event).__name__ == "Alert"]
    assert "disk-full" in {getattr(alert, "type", "") for alert in alerts}


def test_a_camera_that_hangs_is_reported_and_the_game_goes_on_when_it_is_back(
    recorders: Recorders,
    tmp_path: Path,
) -> None:
    steering, folder = tmp_path / "steering", tmp_path / "device"
    running = recorders(steering, folder, stones=40)
    running.wait_until_served()
    running.wait_for("MovePlayed", count=3)
    (steering / "stall").touch()
    running.wait_for_health(503, "no frame for")
    running.wait_for("ViewChanged")
    (steering / "stall").unlink()
    running.wait_for_health(200)
    running.wait_for("MovePlayed", count=2)
    assert running.end() == 0
    check_log(folder)


Image = NDArray[np.uint8]


class Spoiled:
    """The demo's clip with frames in between that no camera should give."""

    is_live = False
    duration_s: float | None = None

    def __init__(self) -> None:
        self._clip = VideoFile(CLIP)

    def frames(self) -> Iterator[Frame]:
        """Iterate over the frames; the time of the clip stands still for the others."""
        noise = np.random.default_rng(1)
        extra_s, number = 0.0, 0
        for frame in self._clip.frames():
            yield Frame(frame.image, frame.seen_at_s + extra_s, number=number)
            number += 1
            if frame.number in (60, 150, 240):
                for image in self._strange(frame.image, noise)[frame.number // 90]:
                    extra_s += 0.1
                    yield Frame(image, frame.seen_at_s + extra_s, number=number)
                    number += 1

    def _strange(self, image: Image, noise: np.random.Generator) -> list[list[Image]]:
        black = [np.zeros_like(image)] * 20
        garbage = [noise.integers(0, 256, image.shape, np.uint8) for _ in range(8)]
        half = [np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5), np.uint8)] * 10
        return [black, garbage, half]

    def close(self) -> None:
        """End."""
        self._clip.close()


def test_black_garbled_and_small_frames_in_between_change_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "open_job", lambda job: Spoiled())
    assert main(["record", str(CLIP), "--out", str(tmp_path / "spoiled")]) == 0
    monkeypatch.undo()
    game = read_sgf((tmp_path / "spoiled" / "game.sgf").read_bytes())
    assert len(game.moves) == 15
    with GameLog(tmp_path / "spoiled" / "game.db") as log:
        alerts = [r.event for r in log.records() if type(r.event).__name__ == "Alert"]
    kinds = {getattr(alert, "type", "") for alert in alerts}
    assert "double-move" in kinds
    assert kinds <= {"double-move", "recognition-uncertain", "camera-moved", "view-blocked"}


class Stream(http.server.BaseHTTPRequestHandler):
    """A network camera (JPEG pictures over http) that can freeze with the connection open."""

    is_frozen = threading.Event()
    is_over = threading.Event()

    def do_GET(self) -> None:
        """Send pictures for as long as somebody takes them."""
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        image = cv2.imencode(".jpg", np.full((240, 320, 3), 90, np.uint8))[1].tobytes()
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(image)}\r\n\r\n"
        while not self.is_over.wait(0.05):
            if not self.is_frozen.is_set():
                try:
                    self.wfile.write(head.encode() + image + b"\r\n")
                except OSError:
                    return

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


def test_a_network_camera_that_freezes_with_its_connection_open_comes_back() -> None:
    Stream.is_frozen.clear()
    Stream.is_over.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    source = open_source(f"http://127.0.0.1:{server.server_port}/stream.mjpg")
    mailbox = Mailbox(keeps_every_frame=False)
    thread = pump(source.frames(), mailbox)
    try:
        assert isinstance(mailbox.take(PATIENCE_S), Frame)
        Stream.is_frozen.set()
        while mailbox.take(2.0) is not None:
            pass
        # The loop goes on: it is told that nothing came, instead of waiting with the camera.
        assert mailbox.take(0.1) is None
        Stream.is_frozen.clear()
        assert isinstance(mailbox.take(PATIENCE_S), Frame)
    finally:
        Stream.is_over.set()
        source.close()
        mailbox.close()
        thread.join(PATIENCE_S)
        server.shutdown()
        server.server_close()


RTSP_PYTHON = "/usr/bin/python3"
"""Debian's own, for which there are GStreamer's packages."""


@dataclass
class RtspCamera:
    """A server in a process of its own that shows the demo's clip while it is played."""

    process: subprocess.Popen[str]
    address: str
    is_played: threading.Event
    is_over: threading.Event


@pytest.fixture
def rtsp_camera(tmp_path: Path) -> Iterator[RtspCamera]:
    """Start a server that shows the empty goban of the clip's beginning."""
    picture, part = tmp_path / "now.jpg", tmp_path / "next.jpg"
    frames = VideoFile(CLIP).frames()
    cv2.imwrite(str(picture), next(frames).image)
    command = [RTSP_PYTHON, str(Path(__file__).with_name("rtsp_camera.py")), str(picture)]
    if subprocess.run(command[:-1], capture_output=True, check=False).returncode:
        pytest.skip("no RTSP server here: python3-gi and gir1.2-gst-rtsp-server-1.0 are missing")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    camera = RtspCamera(process, address, threading.Event(), threading.Event())

    def show() -> None:
        for frame in frames:
            camera.is_played.wait()
            if camera.is_over.wait(1 / 6):
                return
            cv2.imwrite(str(part), frame.image)
            part.replace(picture)

    thread = threading.Thread(target=show)
    thread.start()
    yield camera
    camera.is_over.set()
    camera.is_played.set()
    thread.join()
    process.kill()
    process.communicate()


def test_a_frozen_rtsp_server_costs_a_line_and_the_game_goes_on_when_it_is_back(
    recorders: Recorders, tmp_path: Path, rtsp_camera: RtspCamera
) -> None:
    steering, folder = tmp_path / "steering", tmp_path / "device"
    running = recorders(steering, folder, "--source", rtsp_camera.address, is_real=True)
    running.wait_until_served()
    running.wait_for("the table is ready")
    rtsp_camera.is_played.set()
    running.wait_for("MovePlayed", count=3)
    rtsp_camera.is_played.clear()
    rtsp_camera.process.send_signal(signal.SIGSTOP)
    running.wait_for("gives no picture, trying again")
    running.wait_for_health(503, "no frame for")
    rtsp_camera.process.send_signal(signal.SIGCONT)
    running.wait_for("is back")
    running.wait_for_health(200)
    rtsp_camera.is_played.set()
    running.wait_for("MovePlayed", count=2)
    assert running.end() == 0
    about = [line for line in running.lines if "rtsp" in line]
    assert len(about) == 2, about
    check_log(folder)
    (game,) = games_of(folder)
    true = read_sgf(b"(;FF[4]GM[1]SZ[19];B[dp];W[pp];B[dc];W[qd];B[oc];W[ce];B[dg])").moves
    found = moves_of(game)
    assert len(found) >= 5
    assert found == [(played.move.color, played.move.point) for played in true[: len(found)]]


def test_a_service_whose_log_was_cut_short_goes_on_from_its_good_beginning(
    recorders: Recorders,
    tmp_path: Path,
) -> None:
    # Every page at which a file can be cut is tried in tests/test_rescue.py.
    steering, folder = tmp_path / "steering", tmp_path / "device"
    running = recorders(steering, folder, stones=40)
    running.wait_for("MovePlayed", count=8)
    assert running.end() == 0
    path = folder / DEVICE_LOG
    before = check_log(folder)
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 4096 * 4096 - 4096)
    running = recorders(steering, folder, stones=40)
    running.wait_for(r"rows are taken over, \d+ are lost; the old file is ")
    running.wait_for("MovePlayed", count=2)
    assert running.end() == 0
    assert check_log(folder) > before
    assert list(folder.glob(f"{DEVICE_LOG}.damaged-*"))


def test_sigterm_within_a_frame_ends_after_that_frame_with_the_log_closed(
    recorders: Recorders, tmp_path: Path
) -> None:
    steering, folder = tmp_path / "steering", tmp_path / "device"
    running = recorders(steering, folder, stones=40)
    running.wait_for("MovePlayed", count=2)
    (steering / "hold").touch()
    running.wait_for("within a frame")
    running.process.send_signal(signal.SIGTERM)
    (steering / "hold").unlink()
    assert running.end() == 0
    # Closed cleanly, the log is one file.
    assert not (folder / f"{DEVICE_LOG}-wal").exists()
    assert check_log(folder) >= running.acknowledged
    (game,) = games_of(folder)
    assert (game / "game.db").exists()


def test_a_second_instance_on_the_same_folder_refuses_and_harms_nothing(
    recorders: Recorders, tmp_path: Path
) -> None:
    steering, folder = tmp_path / "steering", tmp_path / "device"
    first = recorders(steering, folder, stones=40)
    first.wait_for("MovePlayed")
    second = recorders(tmp_path / "other", folder)
    second.wait_for("is written by another process")
    assert second.process.wait(PATIENCE_S) == 2
    first.wait_for("MovePlayed")
    assert first.end() == 0
    check_log(folder)


STEPS = (timedelta(0), -timedelta(days=400), timedelta(days=30), -timedelta(hours=1))
"""A clock without a battery before and after it is set, and summer time gone wrong."""


def test_a_wall_clock_that_jumps_neither_reorders_nor_negates_times(tmp_path: Path) -> None:
    # Nobody may set this machine's clock: the loop's `utc_now` is the seam where it is faked.
    jumps = iter(STEPS * 100)
    live = LiveGame(is_reading=True)
    mailbox = Mailbox(keeps_every_frame=True)
    with GameLog(tmp_path / "game.db", is_writer=True) as log:
        pipeline = Pipeline(
            mailbox,
            Outlets(log, FanOut((live,))),
            game_id="a",
            engine=new_engine(),
            eye=Eye(),
            looking=looking,
            utc_now=lambda: datetime.now(UTC) + next(jumps),
        )
        pipeline.observe(StartGame(GameInfo()), 0.0)
        thread = pump(Film(played("B22 W66 B26 W62 B44 W46")).frames(), mailbox)
        pipeline.run()
        thread.join(PATIENCE_S)
        records = list(log.records())
    assert len({record.utc[:10] for record in records}) > 2
    assert all(a.t_s <= b.t_s and a.number < b.number for a, b in pairwise(records))
    again = LiveGame()
    again.rebuild(records)
    assert [m.move for m in again.snapshot().view.game.moves] == [
        m.move for m in pipeline.engine.game.moves
    ]
    assert len(pipeline.engine.game.moves) == 6

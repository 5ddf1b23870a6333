"""Hours of games through one service with viewers: memory, threads and files must stay flat.

`banmen serve` runs in a process of its own over videos one after the other, each as often as it
takes, in real time or as fast as they decode; every video is a game of its own, started as at the
desk. Meanwhile viewers hold event streams. Every few seconds the process is measured; the slope is
that of a line through the second half.

    python bench/soak.py ../shared/videos/*.mp4 --hours 2 --viewers 50 --pace real
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

EVERY_S = 5.0


class Playlist:
    """Videos one after the other, at times that go on; each begins a game."""

    is_live = False
    duration_s: float | None = None

    def __init__(self, paths: list[str], seconds: float) -> None:
        self._paths = paths
        self._seconds = seconds
        self._is_closed = False
        self.submit: Any = None

    def frames(self) -> Iterator[Any]:
        """Iterate over the frames until there were enough seconds."""
        from recorder.events import GameInfo
        from recorder.observations import StartGame
        from vision.camera import VideoFile

        begun_s, number = 0.0, 0
        while begun_s < self._seconds and not self._is_closed:
            path = Path(self._paths[number % len(self._paths)])
            number += 1
            last_s = 0.0
            for frame in VideoFile(path).frames():
                if self._is_closed:
                    return
                if frame.number == 0:
                    self.submit(StartGame(GameInfo(event=path.stem)))
                last_s = frame.seen_at_s
                yield replace(frame, seen_at_s=begun_s + last_s)
            begun_s += last_s + 1.0

    def close(self) -> None:
        """End after the frame being read."""
        self._is_closed = True


def serve(paths: list[str], hours: float, pace: str, folder: str) -> int:
    """Be the service that is measured."""
    from recorder import cli
    from recorder.commands import serve as command
    from recorder.commands.serving import TableService

    source = Playlist(paths, 3600 * hours)

    def service(*parts: Any, **options: Any) -> TableService:
        made = TableService(*parts, **options)
        source.submit = made.mailbox.submit
        return made

    vars(command).update(open_source=lambda *names: source, TableService=service)
    settings = Path(folder) / "banmen.toml"
    settings.write_text('[page]\nhost = "127.0.0.1"\nviewers = 64\n')
    words = ["--config", str(settings), "--folder", folder, "--port", "0", "--pace", pace]
    return cli.main(["serve", *words])


@dataclass(frozen=True)
class Sample:
    """The process at one moment."""

    hours: float
    """Of play: at six frames a second, 21,600 frames are an hour; in real time, those passed."""

    frames: float
    rss_mb: float
    anonymous_mb: float
    threads: int
    files: int


def measure(pid: int, address: str, passed_s: float | None) -> Sample:
    """Return how the process is; `passed_s`: in real time, how long it has played."""
    text = Path(f"/proc/{pid}/status").read_text()
    rss_kb, anonymous_kb, threads = (
        int(re.findall(rf"{name}:\s+(\d+)", text)[0]) for name in ("VmRSS", "RssAnon", "Threads")
    )
    files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    with urllib.request.urlopen(f"{address}metrics", timeout=60) as answer:
        (frames,) = re.findall(rb"banmen_frames_total ([\d.e+]+)", answer.read())
    hours = float(frames) / 21600 if passed_s is None else passed_s / 3600
    return Sample(hours, float(frames), rss_kb / 1024, anonymous_kb / 1024, threads, files)


def watch(address: str, viewers: int) -> None:
    """Hold event streams until the server ends them."""
    host, port = re.findall(r"//([^:]+):(\d+)", address)[0]

    async def one() -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET /events HTTP/1.1\r\nHost: soak\r\n\r\n")
        while await reader.read(65536):
            pass
        writer.close()

    async def everybody() -> None:
        await asyncio.gather(*(one() for _ in range(viewers)), return_exceptions=True)

    asyncio.run(everybody())


def report(samples: list[Sample], viewers: int, took_s: float) -> str:
    """Return the figures as lines."""
    late = samples[len(samples) // 2 :]
    hours = np.array([s.hours for s in late])
    slope = np.polyfit(hours, [s.rss_mb for s in late], 1)[0] if len(late) > 2 else 0.0
    last = samples[-1]
    return (
        f"{last.frames:.0f} frames ({last.hours:.2f} h of play) in"
        f" {took_s / 60:.0f} min, {viewers} viewers: RSS at most"
        f" {max(s.rss_mb for s in samples):.0f} MB, last {last.rss_mb:.0f} MB, slope of the second"
        f" half {slope:+.1f} MB an hour of play; threads {late[0].threads} -> {last.threads},"
        f" files {late[0].files} -> {last.files}"
    )


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("videos", nargs="+")
    parser.add_argument("--hours", type=float, default=2.0, help="of video")
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after so long")
    parser.add_argument("--pace", choices=("real", "fast"), default="fast")
    parser.add_argument("--viewers", type=int, default=50)
    parser.add_argument("--serve-in", metavar="DIR", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve_in:
        return serve(arguments.videos, arguments.hours, arguments.pace, arguments.serve_in)
    is_real = arguments.pace == "real"
    minutes = min(arguments.minutes, 60 * arguments.hours) if is_real else arguments.minutes
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, *arguments.videos, "--serve-in", folder]
        command += ["--hours", str(arguments.hours), "--pace", arguments.pace]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        found = (re.search(r"pages are on (\S+)", line) for line in process.stdout)
        address = next(match[1] for match in found if match)
        threading.Thread(target=process.stdout.read, daemon=True).start()
        threading.Thread(target=watch, args=(address, arguments.viewers), daemon=True).start()
        begun_s, samples = time.monotonic(), list[Sample]()
        while process.poll() is None and time.monotonic() - begun_s < 60 * minutes:
            time.sleep(EVERY_S)
            passed_s = time.monotonic() - begun_s if is_real else None
            try:
                samples.append(measure(process.pid, address, passed_s))
            except OSError:
                continue
            print(json.dumps(samples[-1].__dict__), file=sys.stderr, flush=True)
        process.terminate()
        process.wait(120)
    print(report(samples, arguments.viewers, time.monotonic() - begun_s))
    return 0


if __name__ == "__main__":
    sys.exit(main())

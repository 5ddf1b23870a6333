"""`banmen serve`: the service of a table, game after game, with its pages."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from calibration.store import Calibration, StoreError, file_name, load_calibration
from recorder.cli import UsageError
from recorder.commands.config import load_config
from recorder.commands.hall import joined
from recorder.commands.options import TURNS, Address
from recorder.commands.page import Referee, kept_delay, read_access, serving
from recorder.commands.recording import Listeners
from recorder.commands.serving import DEVICE_LOG, GAMES, Table, TableService
from recorder.commands.show import Told, page_address
from recorder.config import PATH, Config
from recorder.events import GameInfo
from recorder.evidence import Keeping
from recorder.eye import Eye
from recorder.gamelog import GameLog, GameLogError, GameLogInUseError
from recorder.library import Library
from recorder.lifecycle import Habit
from recorder.panel import Light, Panel, Pins, Submit, light_of
from recorder.pictures import EVIDENCE, make_room
from recorder.public import Delay
from recorder.publish import Publisher
from recorder.rescue import open_device_log
from recorder.set_up import SetUp
from recorder.system_facts import read_facts
from recorder.web.first_start import FirstStart, new_code
from recorder.web.live import LiveGame
from recorder.web.secure import Certificate
from recorder.web.settings import FILE_NAME as SETTINGS
from vision.camera import CameraError, FrameSource, open_source
from vision.camera_mode import CameraMode

log = logging.getLogger(__name__)

ACCESS = "access.json"
MB = 1_000_000
LEAST_BYTES = 1 * MB
"""So much room the log needs to be opened; pictures give way to it."""

HELP = """\
exit codes: 0 asked to stop, 2 the settings, the folder or the camera's name cannot be used
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help=f"settings; default: {PATH}, if it is there"
    )
    parser.add_argument("--folder", type=Path, metavar="DIR", help="instead of [device] folder")
    parser.add_argument("--source", metavar="SOURCE", help="instead of [camera] source")
    parser.add_argument("--port", type=int, metavar="PORT", help="instead of [page] port")
    parser.add_argument(
        "--pace",
        choices=("real", "fast"),
        default="real",
        help="a recorded source in real time (default), or as fast as it decodes and then end",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until asked to stop; return the exit code."""
    config = load_config(arguments.config)
    folder = arguments.folder or config.device.folder
    table = table_of(config, folder, is_fast=arguments.pace == "fast")
    source = _source(arguments.source or config.camera.source, mode_of(config))
    delay = kept_delay(folder, Delay(config.page.delay_s, config.page.delay_moves))
    live = LiveGame(delay=delay, is_reading=True)
    set_up = set_up_of(config, arguments.source or config.camera.source, folder)
    referee = Referee(set_up)
    with contextlib.ExitStack() as stack:
        gamelog = stack.enter_context(_open_log(folder))
        first = first_start(folder / ACCESS)
        access = first.access if first is not None else read_access(folder / ACCESS)[0]
        console = referee.console(
            access, lambda id_: folder / GAMES / id_ / EVIDENCE, folder / SETTINGS
        )
        console = dataclasses.replace(console, first_start=first)
        port = config.page.port if arguments.port is None else arguments.port
        address = Address(config.page.host, port)
        told = stack.enter_context(_joined(config, folder, referee))
        listeners = Listeners(live, (Told(), *told), (referee.snapshot, set_up), referee)
        service = TableService(table, source, gamelog, listeners, looking=set_up.look)
        page = serving(
            live,
            address,
            viewers=config.page.viewers,
            console=console,
            library=Library(folder),
            health=service.health,
            certificate=certificate_of(config),
        )
        port = stack.enter_context(page)
        shown = page_address(address.host, port, is_secure=config.page.certificate is not None)
        print(f"the pages are on {shown}", flush=True)
        if first is not None:
            print(f"first start: choose passwords on {shown}first-start", flush=True)
            print(f"  set-up code: {first.code}", flush=True)
        stack.enter_context(panel(config, referee.inbox.submit, service))
        service.run()
    return 0


def table_of(config: Config, folder: Path, *, is_fast: bool) -> Table:
    """Return what the service of a table needs to know of the settings."""
    return Table(
        folder,
        habit_of(config),
        Eye(config.board.sizes, TURNS[config.board.orientation]),
        Keeping(
            budget_bytes=config.evidence.budget_mb * MB,
            reserve_bytes=config.evidence.reserve_mb * MB,
        ),
        config.evidence.keep_days,
        is_real_time=not is_fast,
        ends_with_frames=is_fast,
    )


def _joined(
    config: Config, folder: Path, referee: Referee
) -> contextlib.AbstractContextManager[Sequence[Publisher]]:
    """Send what is logged to a hall, if the settings name one, while in the block."""
    return joined(
        config.hall,
        folder / DEVICE_LOG,
        pictures=folder / GAMES,
        submit=referee.inbox.submit,
        table=config.device.table,
    )


def set_up_of(config: Config, camera: str, folder: Path) -> SetUp:
    """Return what is known of the camera; a file that cannot be used does not stop the service."""
    path = config.camera.calibration or folder / file_name(camera, config.device.table)
    known = None
    try:
        known = load_calibration(path)
    except StoreError as error:
        log.error("%s", error)
    calibration = known or Calibration(camera, config.device.table)
    return SetUp(calibration, path, facts=lambda: read_facts(folder))


def first_start(path: Path) -> FirstStart | None:
    """Return how the passwords are chosen, None if they have been."""
    return None if path.exists() else FirstStart(path, new_code())


def habit_of(config: Config) -> Habit:
    """Return how games begin and end by the settings."""
    game = config.game
    info = GameInfo(
        ruleset=game.rules,
        komi=game.komi,
        time_control=game.time,
        event=game.event,
        place=game.place,
        clock_source="camera" if config.clock.source == "camera" else "buttons",
    )
    return Habit(info, game.start == "stones", game.quiet_min * 60)


def certificate_of(config: Config) -> Certificate | None:
    """Return the certificate of the pages, None for plain http."""
    page = config.page
    if page.certificate is None or page.key is None:
        return None
    return Certificate(page.certificate, page.key)


@contextlib.contextmanager
def panel(config: Config, submit: Submit, service: TableService) -> Iterator[None]:
    """Use buttons and light while in the block; without them the service goes on."""
    pins = Pins(*(None if pin < 0 else pin for pin in dataclasses.astuple(config.gpio)))
    if config.clock.source != "buttons":
        pins = Pins(status_led=pins.status_led)

    def shown() -> Light:
        return light_of(service.stages.now.stage, is_well=service.health.report().is_well)

    if pins == Pins():
        yield
        return
    try:
        made = Panel(pins, submit, shown)
    except Exception as error:  # noqa: BLE001 - gpiozero raises many things where there are no pins
        log.error("the pins cannot be used: %s", error)
        yield
        return
    service.add_chore(made)
    with contextlib.closing(made):
        yield


def mode_of(config: Config) -> CameraMode:
    """Return how the camera is asked to take its pictures."""
    camera = config.camera
    return CameraMode(
        camera.width,
        camera.height,
        camera.rate,
        camera.lock_exposure,
        camera.mains_hz,
        camera.focus_m,
    )


def _source(name: str, mode: CameraMode) -> FrameSource:
    try:
        return open_source(name, mode)
    except CameraError as error:
        raise UsageError(f"[camera] source: {error}") from error


def _open_log(folder: Path) -> GameLog:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        make_room(folder / GAMES, LEAST_BYTES)
        return open_device_log(folder / DEVICE_LOG)[0]
    except (GameLogInUseError, GameLogError, OSError) as error:
        raise UsageError(f"{folder}: {error}") from error

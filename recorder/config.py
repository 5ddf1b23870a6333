"""The settings of one device: one TOML file, described in docs/configuration.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from recorder.clock_text import parse_control
from recorder.rules import RULESETS
from recorder.settings import Range, SettingsError, number, one_of, parse_settings, read_settings
from vision.types import SIZES

SIDES = ("bottom", "left", "top", "right")
"""Where Black sits in the picture."""

PATH = Path("/etc/banmen/banmen.toml")
"""Where the service has its settings unless told otherwise."""


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """[device]: which table this is, and where its files are."""

    table: str = "1"
    name: str = ""
    folder: Path = Path("/var/lib/banmen")


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """[camera]: where frames come from."""

    source: str = "picamera"
    width: int = number(1280, 320, 4608, "px")
    height: int = number(720, 240, 3456, "px")
    rate: float = number(10.0, 1, 60, "frames a second")
    lock_exposure: bool = True
    mains_hz: int = number(50, 0, 60, "Hz")
    focus_m: float = number(0.0, 0, 10, "m")
    calibration: Path | None = None


@dataclass(frozen=True, slots=True)
class BoardConfig:
    """[board]: what is known of the goban."""

    sizes: tuple[int, ...] = field(
        default=SIZES, metadata={"allowed": Range(min(SIZES), max(SIZES), "lines")}
    )
    orientation: str = one_of("bottom", *SIDES)


@dataclass(frozen=True, slots=True)
class GameConfig:
    """[game]: what holds for each game unless the operator says otherwise."""

    rules: str = one_of("chinese-2002", *sorted(RULESETS))
    komi: float | None = number(None, -400, 400, "points")  # type: ignore[arg-type]
    time: str = ""
    event: str = ""
    place: str = ""
    start: str = one_of("stones", "stones", "ask")
    quiet_min: float = number(30.0, 1, 600, "minutes")


@dataclass(frozen=True, slots=True)
class PageConfig:
    """[page]: where the pages are, and what the public sees."""

    host: str = "0.0.0.0"
    port: int = number(8080, 0, 65535)
    delay_s: float = number(0.0, 0, 86400, "s")
    delay_moves: int = number(0, 0, 400, "moves")
    viewers: int = number(48, 1, 5000)
    certificate: Path | None = None
    key: Path | None = None


@dataclass(frozen=True, slots=True)
class EvidenceConfig:
    """[evidence]: how many pictures are kept, and for how long."""

    budget_mb: int = number(200, 1, 100_000, "MB")
    keep_days: float = number(30.0, 0, 3650, "days")
    reserve_mb: int = number(200, 0, 100_000, "MB")


@dataclass(frozen=True, slots=True)
class ClockConfig:
    """[clock]: who presses."""

    source: str = one_of("page", "page", "buttons", "camera")


@dataclass(frozen=True, slots=True)
class GpioConfig:
    """[gpio]: pins of the Raspberry Pi by their BCM numbers; -1 is none."""

    black_button: int = number(-1, -1, 27)
    white_button: int = number(-1, -1, 27)
    status_led: int = number(-1, -1, 27)


@dataclass(frozen=True, slots=True)
class HallConfig:
    """[hall]: the message engine of a hall; without an address the device is on its own."""

    url: str = ""
    event: str = ""
    board: str = ""
    credentials: Path | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a device."""

    device: DeviceConfig = DeviceConfig()
    camera: CameraConfig = CameraConfig()
    board: BoardConfig = BoardConfig()
    game: GameConfig = GameConfig()
    page: PageConfig = PageConfig()
    evidence: EvidenceConfig = EvidenceConfig()
    clock: ClockConfig = ClockConfig()
    gpio: GpioConfig = GpioConfig()
    hall: HallConfig = HallConfig()


def read_config(path: Path) -> Config:
    """Return the settings of a device; raise `SettingsError` with a line for each mistake."""
    return _checked(read_settings(path, Config), prefix=f"{path}: ")


def parse_config(text: str) -> Config:
    """Return the settings that a TOML text holds; raise `SettingsError`."""
    return _checked(parse_settings(text, Config), prefix="")


def _checked(config: Config, *, prefix: str) -> Config:
    faults = list(_faults(config))
    if faults:
        raise SettingsError("\n".join(prefix + fault for fault in faults))
    return config


def _faults(config: Config) -> Iterator[str]:
    """Give what no single value shows."""
    if not re.fullmatch(r"[A-Za-z0-9-]{1,30}", config.device.table):
        # It becomes a part of the device's name in the network.
        yield (
            "[device] table must be 1 to 30 letters, digits and hyphens,"
            f" got {config.device.table!r}"
        )
    strange = [size for size in config.board.sizes if size not in SIZES]
    if strange:
        yield f"[board] sizes must be of {list(SIZES)}, got {strange}"
    page = config.page
    if (page.certificate is None) is not (page.key is None):
        yield "[page] certificate and key must be given both or neither"
    if config.game.time and (fault := _time_fault(config.game.time)):
        yield f"[game] time: {fault}"
    pins = [config.gpio.black_button, config.gpio.white_button, config.gpio.status_led]
    used = [pin for pin in pins if pin >= 0]
    if len(set(used)) < len(used):
        yield f"[gpio] a pin can be used only once, got {used}"
    if config.clock.source == "buttons" and min(pins[:2]) < 0:
        yield "[clock] source buttons needs [gpio] black_button and white_button"


def _time_fault(text: str) -> str | None:
    try:
        parse_control(text)
    except ValueError as error:
        return str(error)
    return None


def as_tables(config: Config) -> dict[str, dict[str, Any]]:
    """Return the settings as plain values, for people and for reports; no secret is in them."""
    return {table.name: _plain(getattr(config, table.name)) for table in fields(config)}


def _plain(section: Any) -> dict[str, Any]:
    values = {setting.name: getattr(section, setting.name) for setting in fields(section)}
    return {
        name: str(value) if isinstance(value, Path) else value
        for name, value in values.items()
        if value is not None
    }

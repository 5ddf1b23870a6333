"""The units and their installation: clean, closed, safe to run twice and to undo."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from recorder.config import read_config
from recorder.hall.config import HubConfig, read_hub_config

FOLDER = Path(__file__).parents[1] / "systemd"
UNITS = ("banmen.service", "banmen-hub.service")
PROGRAM = "/opt/banmen/venv/bin/banmen"
EXPOSURE = 2.0

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine"
)


def analyze(*words: str) -> str:
    """Return what systemd-analyze says; fail if it finds fault."""
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@needs_systemd
@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_without_fault(unit: str, tmp_path: Path) -> None:
    text = (FOLDER / unit).read_text(encoding="utf-8")
    # The program is not installed where tests run: another stands for it.
    (tmp_path / unit).write_text(text.replace(PROGRAM, "/bin/true"), encoding="utf-8")
    assert analyze("verify", str(tmp_path / unit)) == ""


@needs_systemd
@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_open_for_no_more_than_it_needs(unit: str) -> None:
    said = analyze("security", "--offline=true", "--no-pager", str(FOLDER / unit))
    found = re.search(r"exposure level for \S+: (\d+\.\d+)", said)
    assert found is not None
    assert float(found[1]) <= EXPOSURE


def test_nothing_in_the_unit_closes_the_cameras() -> None:
    text = (FOLDER / "banmen.service").read_text(encoding="utf-8")
    assert "PrivateDevices=yes" not in text
    for device in ("char-video4linux", "char-media", "char-dma_heap", "char-gpiochip"):
        assert f"DeviceAllow={device} rw" in text


def install(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the install script below a folder."""
    return subprocess.run(
        [str(FOLDER / "install"), *words],
        env={**os.environ, "DESTDIR": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


def tree(root: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def test_installing_twice_is_installing_once_and_keeps_settings(tmp_path: Path) -> None:
    assert install(tmp_path, "--table", "7").returncode == 0
    before = tree(tmp_path)
    assert before["etc/banmen/banmen.toml"].endswith(b'table = "7"\n')
    assert read_config(tmp_path / "etc/banmen/banmen.toml").device.table == "7"
    assert before["etc/hostname"] == b"banmen-7\n"
    (tmp_path / "etc/banmen/banmen.toml").write_text('[device]\ntable = "8"\n')
    assert install(tmp_path, "--table", "7").returncode == 0
    after = tree(tmp_path)
    assert after.pop("etc/banmen/banmen.toml") == b'[device]\ntable = "8"\n'
    before.pop("etc/banmen/banmen.toml")
    assert after == before


def test_what_was_installed_is_removed_and_settings_and_games_stay(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/hostname").write_text("raspberrypi\n")
    (tmp_path / "var/lib/banmen").mkdir(parents=True)
    (tmp_path / "var/lib/banmen/device.db").write_text("games")
    install(tmp_path, "--table", "7")
    install(tmp_path, "--hub")
    assert install(tmp_path, "--uninstall").returncode == 0
    assert set(tree(tmp_path)) == {
        "etc/hostname",
        "etc/banmen/banmen.toml",
        "etc/banmen/hub.toml",
        "var/lib/banmen/device.db",
    }
    assert (tmp_path / "etc/hostname").read_text() == "raspberrypi\n"
    assert install(tmp_path, "--uninstall", "--purge").returncode == 0
    assert set(tree(tmp_path)) == {"etc/hostname"}


def test_the_hub_starts_with_settings_that_it_may_read(tmp_path: Path) -> None:
    assert install(tmp_path, "--hub").returncode == 0
    settings = tmp_path / "etc/banmen/hub.toml"
    assert read_hub_config(settings) == HubConfig()
    # The folder of the settings belongs to the group banmen, and so must who reads them.
    assert "d /etc/banmen 0750 root banmen -" in (FOLDER / "banmen.tmpfiles").read_text()
    members = re.findall(r"^m (\S+) banmen$", (FOLDER / "banmen.sysusers").read_text(), re.M)
    assert members == ["banmen-hub"]
    settings.write_text('[hub]\nevent = "cup"\n')
    assert install(tmp_path, "--hub").returncode == 0
    assert settings.read_text() == '[hub]\nevent = "cup"\n'


@pytest.mark.parametrize("words", [["--table", "a b"], ["--tabel", "7"]])
def test_wrong_words_change_nothing(words: list[str], tmp_path: Path) -> None:
    done = install(tmp_path, *words)
    assert done.returncode == 2
    assert "install: " in done.stderr
    assert not tree(tmp_path)

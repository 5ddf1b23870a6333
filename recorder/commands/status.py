"""`banmen status`: how the service on this machine is, from its own answers."""

from __future__ import annotations

import argparse
import json
import ssl
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from recorder.cli import UsageError
from recorder.commands.config import load_config
from recorder.commands.show import page_address, parse_page_address

HELP = """\
exit codes: 0 it is well, 1 somebody must look, or it does not answer, 2 wrong usage
"""

TIMEOUT_S = 10.0

SHOWN = {
    "banmen_frames_total": "frames looked at",
    "banmen_moves_total": "moves recorded",
    "banmen_frame_age_seconds": "seconds since the last frame",
    "banmen_log_waiting": "observations in memory only",
    "banmen_disk_free_bytes": "bytes free on the disk",
    "banmen_temperature_celsius": "degrees Celsius of the processor",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings of the device")
    parser.add_argument("--address", metavar="URL", help="of the pages; default: by the settings")
    parser.add_argument("--json", action="store_true", help="for programs")


def run(arguments: argparse.Namespace) -> int:
    """Ask and print; return the exit code."""
    page = load_config(arguments.config).page
    own = page_address(page.host, page.port, is_secure=page.certificate is not None)
    address = parse_page_address(arguments.address or own)
    trusted = _trusted(page.certificate)
    try:
        health = _health(_get(address + "healthz", trusted))
        figures = _figures(_get(address + "metrics", trusted).decode())
    except (OSError, ValueError, HTTPException) as error:
        health = {"is_well": False, "reasons": [f"{address} does not answer: {error}"]}
        figures = {}
    if arguments.json:
        print(json.dumps({**health, "figures": figures}))
    else:
        _print(health, figures)
    return 0 if health["is_well"] else 1


def _trusted(certificate: Path | None) -> ssl.SSLContext | None:
    """Return whom to trust: the device's own certificate, whatever name is in it."""
    if certificate is None:
        return None
    try:
        context = ssl.create_default_context(cafile=str(certificate))
    except OSError as error:
        raise UsageError(f"[page] certificate {certificate} cannot be used: {error}") from error
    context.check_hostname = False
    return context


def _get(address: str, trusted: ssl.SSLContext | None) -> bytes:
    """Return what an address answers, whether it is well or not."""
    try:
        with urllib.request.urlopen(address, timeout=TIMEOUT_S, context=trusted) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        if error.code == 503:
            return error.read()
        if error.code == 403:
            # A device tells its figures to nobody but itself.
            return b""
        raise


def _health(answer: bytes) -> dict[str, Any]:
    found = json.loads(answer)
    if not isinstance(found, dict) or "is_well" not in found:
        raise ValueError("what answers is no recorder")
    return found


def _figures(text: str) -> dict[str, float]:
    found = [s for family in text_string_to_metric_families(text) for s in family.samples]
    return {SHOWN[s.name]: s.value for s in found if s.name in SHOWN and s.value == s.value}


def _print(health: dict[str, Any], figures: dict[str, float]) -> None:
    print("the service is well" if health["is_well"] else "somebody must look:")
    for reason in health.get("reasons", ()):
        print(f"  {reason}")
    for name, value in figures.items():
        print(f"{value:14,.0f}  {name}")

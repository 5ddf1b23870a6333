"""`banmen qr`: a sheet for the table with the addresses of its pages, to print."""

from __future__ import annotations

import argparse
from pathlib import Path

from recorder.cli import UsageError
from recorder.commands.config import load_config
from recorder.commands.show import parse_page_address
from recorder.config import Config
from recorder.table_sheet import TableSheet, format_sheet

HELP = """\
exit codes: 0 written, 2 wrong usage
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = HELP
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings of the device")
    parser.add_argument(
        "--address", metavar="URL", help="of the pages; default: banmen-<table>.local"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("table.html"), metavar="FILE", help="default: table.html"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the sheet; return the exit code."""
    config = load_config(arguments.config)
    given = arguments.address
    address = parse_page_address(given) if given else address_of(config)
    name = config.device.name or config.device.table
    try:
        arguments.out.write_text(format_sheet(TableSheet(name, address)), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--out {arguments.out}: {error}") from error
    print(f"{arguments.out}: open it in a browser and print it")
    return 0


def address_of(config: Config) -> str:
    """Return the address under which the device is found by its name in the network (mDNS)."""
    page = config.page
    scheme, usual = ("http", 80) if page.certificate is None else ("https", 443)
    port = "" if page.port == usual else f":{page.port}"
    return f"{scheme}://banmen-{config.device.table.lower()}.local{port}/"

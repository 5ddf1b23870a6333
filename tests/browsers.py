"""A real browser for the tests of the pages, and what axe finds wrong on a page in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright_api.expect
# The machine may be busy with other things.
expect.set_options(timeout=60_000)

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or "/usr/bin/chromium"

PHONE, DESKTOP = 360, 1280
"""Widths of a narrow phone and of a computer's screen in pixels."""

in_chromium = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="there is no Chromium on this machine"),
]


@contextmanager
def open_chromium() -> Iterator[Any]:
    """Give a browser, closed after the block."""
    with playwright_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


SERVER_AWAY = ("ERR_CONNECTION_", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE_CHUNKED_ENCODING")
"""What a browser says of requests that a stopping server no longer answers."""


def note_complaints(
    page: Any, home: str, complaints: list[str], expected: tuple[str, ...] = ()
) -> None:
    """Note a page's errors, those `expected` apart, and every request that leaves the machine."""

    def note(message: Any) -> None:
        told = f"{message.text} {message.location.get('url', '')}"
        if message.type == "error" and not any(text in told for text in expected):
            complaints.append(told)

    def watch(request: Any) -> None:
        if not request.url.startswith((home, "data:", "blob:")):
            complaints.append(f"request to {request.url}")

    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", note)
    page.on("request", watch)


def serious_faults(page: Any) -> list[tuple[str, list[str]]]:
    """Return what axe calls serious or critical: its rules and the elements that break them."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing")
    return [
        (fault["id"], [node["html"] for node in fault["nodes"]])
        for fault in axe.Axe().run(page).response["violations"]
        if fault["impact"] in ("serious", "critical")
    ]


def assert_fits_and_is_accessible(page: Any) -> None:
    """Check a page, light and dark, on a phone and on a computer's screen."""
    for width in (PHONE, DESKTOP):
        page.set_viewport_size({"width": width, "height": 800})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            needed = page.evaluate("document.documentElement.scrollWidth")
            faults = serious_faults(page)
            assert needed <= width, f"{page.url} is {needed} px wide on a screen of {width}"
            assert not faults, f"{page.url}, {width} px wide, {scheme}: {faults}"

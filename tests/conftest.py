"""Settings that hold for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

# The same examples in every run, so that what has passed once passes again; to look for new ones:
# BANMEN_RANDOM=1 pytest
settings.register_profile("same", derandomize=True)
settings.register_profile("random", derandomize=False)
settings.load_profile("random" if os.environ.get("BANMEN_RANDOM") else "same")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Give a browser that the tests of a module share."""
    # Only here: without Playwright everything else can be tested.
    from browsers import open_chromium

    with open_chromium() as browser:
        yield browser

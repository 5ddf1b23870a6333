"""Settings that hold for every test."""

from __future__ import annotations

import os

from hypothesis import settings

# The same examples in every run, so that what has passed once passes again; to look for new ones:
# BANMEN_RANDOM=1 pytest
settings.register_profile("same", derandomize=True)
settings.register_profile("random", derandomize=False)
settings.load_profile("random" if os.environ.get("BANMEN_RANDOM") else "same")

"""Game -> SGF and back: what the rest of the program knows about SGF."""

from __future__ import annotations

from recorder.sgf_format import format_sgf
from recorder.sgf_parse import SgfError, read_sgf

__all__ = ["SgfError", "format_sgf", "read_sgf"]

"""Every word that a page's script or template asks for exists, in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from recorder.web.clock_texts import CLOCK
from recorder.web.desk_texts import DESK
from recorder.web.referee_texts import CONSOLE
from recorder.web.texts import PAGE

WEB = Path(__file__).parents[1] / "recorder" / "web"
WORD = re.compile(r"words\.([a-z]\w*)")
LABEL = re.compile(r'(?:label|hint): "([^"]+)"|\["[^"]*", "([a-z][\w-]+)"\](?=[,\]])')
KINDS = {"color", "point", "points", "code", "text", "number", "minutes", "side", "result"}
"""Kinds of fields in the table of forms; they are no words."""

PAGES: Mapping[str, tuple[Mapping[str, tuple[str, str]], tuple[str, ...]]] = {
    "console": (CONSOLE, ("referee.js", "card.js", "forms.js", "count.js", "referee.html")),
    "desk": (DESK, ("desk.js", "desk.html", "private_foot.html")),
    "clock": (CLOCK, ("clock-page.js", "clock.html")),
    "public": (PAGE, ("public.js", "overlay.js", "result.js", "index.html", "games.html")),
}
NESTED = {"alerts", "rulings", "articles", "rulesets", "js"}
"""Tables inside the words, and the end of a file's name."""


def text_of(name: str) -> str:
    folder = "templates" if name.endswith(".html") else "static"
    return (WEB / folder / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_every_word_of_a_page_exists(page: str) -> None:
    table, files = PAGES[page]
    asked = {word for name in files for word in WORD.findall(text_of(name))}
    assert asked - NESTED <= set(table)


def test_every_label_of_the_consoles_forms_exists() -> None:
    found = {one or other for one, other in LABEL.findall(text_of("forms.js"))}
    assert len(found) > 30
    assert found - KINDS <= set(CONSOLE)


@pytest.mark.parametrize("page", PAGES)
def test_every_word_has_both_languages_with_the_same_places(page: str) -> None:
    for key, (english, chinese) in PAGES[page][0].items():
        assert english, key
        assert chinese, key
        for place in ("{0}", "{1}", "{2}"):
            assert (place in english) == (place in chinese), key

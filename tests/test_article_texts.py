"""The articles as cards show them: one for every number an alert can name, in both languages."""

from __future__ import annotations

import pytest

from recorder.rules import RULESETS
from recorder.rulings import KINDS, last_stone_article, proposal
from recorder.web.article_texts import ARTICLES, article_words

OWN = {"recording", "setup", "referee"}
"""What the program itself looks at, and what no article says."""


def named(ruleset: str) -> set[str]:
    """Return every article that an alert names under a rule set."""
    found = [proposal(kind, ruleset).article for kind in KINDS]
    return {number for text in (*found, last_stone_article(ruleset)) for number in text.split(";")}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_article_that_an_alert_names_has_a_text(ruleset: str) -> None:
    assert named(ruleset) - OWN <= set(ARTICLES[ruleset])


def test_every_text_is_there_in_english_and_chinese() -> None:
    for texts in ARTICLES.values():
        for number, (english, chinese) in texts.items():
            assert english.isascii(), number
            assert english.endswith("."), number
            assert chinese.endswith(("。", "）。")), number
    assert article_words("zh")["chinese-2002"]["19"].startswith("着子于禁着点")

"""The table of rulings: every alert, in every rule set, documented and worded."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recorder.events import Level
from recorder.rules import RULESETS
from recorder.rulings import KINDS, claimed_takeback, last_stone_article, proposal, void_repetition
from recorder.web.referee_texts import ALERTS, RULINGS

PAPER = Path(__file__).parents[1] / "docs" / "alerts.md"
ROW = re.compile(r"^\| `([a-z-]+)` \| (\w+), (\d) \|", re.MULTILINE)


def test_every_alert_is_documented_with_its_level_and_severity() -> None:
    found = {
        name: (level, int(severity)) for name, level, severity in ROW.findall(PAPER.read_text())
    }
    assert set(found) == set(KINDS)
    for kind, written in found.items():
        said = proposal(kind, "chinese-2002")
        assert written in {(said.level.value, int(said.severity)), _after_claim(kind)}, kind


def _after_claim(kind: str) -> tuple[str, int]:
    return (KINDS[kind].level.value, int(KINDS[kind].severity))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_alert_has_an_article_and_words_in_every_rule_set(ruleset: str) -> None:
    for kind in KINDS:
        said = proposal(kind, ruleset)
        assert said.article
        assert said.ruling in RULINGS
        assert kind in ALERTS
    assert last_stone_article(ruleset)
    assert void_repetition(ruleset).level is Level.VIOLATION


def test_warnings_are_proposed_by_the_chinese_rule_sets_alone() -> None:
    warned = {r for r in RULESETS for k in KINDS if proposal(k, r).has_warning}
    assert warned == {"chinese-2002", "chinese-older"}
    assert claimed_takeback("chinese-2002").has_warning
    assert not claimed_takeback("japanese").has_warning


@pytest.mark.parametrize(
    ("kind", "newer", "older"),
    [
        ("double-move", "17.2", "8.1"),
        ("forbidden-point", "19", "10"),
        ("ko-violation", "18.3", "11.1"),
        ("wrong-removal", "18.1", "9"),
        ("take-back", "17.3", "8.2"),
        ("moved-stone", "17.5", "8.3"),
        ("board-scattered", "17.6", "8.4"),
        ("two-warnings", "24.2", "12.2"),
    ],
)
def test_the_articles_of_the_two_editions(kind: str, newer: str, older: str) -> None:
    assert proposal(kind, "chinese-2002").article == newer
    assert proposal(kind, "chinese-older").article == older

"""Every item that the check can give has its sentence in both languages."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import calibration.check
from calibration.check import Item, Level, SystemFacts, Topic, Verdict, blind
from recorder.check_texts import (
    LEVELS,
    SILENT,
    TEXTS,
    TOPICS,
    VERDICTS,
    Words,
    format_verdict,
    sentence,
)

ALL = [
    *TEXTS.values(), *TOPICS.values(), *LEVELS.values(), *VERDICTS.values(), *SILENT.values()
]  # fmt: skip


@pytest.mark.parametrize("words", ALL, ids=lambda words: words.en[:30])
def test_both_languages_fill_in_the_same_value(words: Words) -> None:
    assert words.en
    assert words.zh
    assert words.en.count("{0") == words.zh.count("{0")
    assert "{" not in words.say("zh", 3.14159)
    assert words.say("en", 3.0) != words.say("zh", 3.0)


def test_every_topic_has_a_name_and_says_when_it_is_good() -> None:
    assert set(TOPICS) == set(Topic)
    assert {topic for topic, level, _ in TEXTS if level is Level.GOOD} == set(Topic)


def test_every_reason_that_is_given_has_a_sentence() -> None:
    tree = ast.parse(Path(calibration.check.__file__).read_text())
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Item"
    ]
    reasons = {
        (call.args[0].attr, call.args[2].value)
        for call in calls
        if len(call.args) > 2
        and isinstance(call.args[0], ast.Attribute)
        and isinstance(call.args[2], ast.Constant)
    }
    known = {(topic.name, reason) for topic, _, reason in TEXTS}
    assert reasons
    assert reasons <= known


def test_what_is_poor_says_what_it_costs_and_what_is_bad_what_to_do() -> None:
    for (topic, level, _), words in TEXTS.items():
        if level in (Level.POOR, Level.BAD):
            assert len(words.en) > 40, f"{topic}: {words.en}"


def test_a_camera_without_a_picture_is_said() -> None:
    verdict = blind(SystemFacts())
    assert verdict.level is Level.BAD
    assert "gives no picture" in sentence(verdict.of(Level.BAD)[0])
    assert "画面" in sentence(Item(Topic.RATE, Level.BAD, "none"), "zh")


def test_a_verdict_names_what_is_worst_first() -> None:
    levels = (Level.GOOD, Level.UNKNOWN, Level.BAD, Level.POOR)
    topics = (Topic.CLOCK, Topic.LENS, Topic.CELL, Topic.DISK)
    items = tuple(Item(*both, value=1.0) for both in zip(topics, levels, strict=True))
    fields = format_verdict(Verdict(items), "en")
    assert [item["topic"] for item in fields["items"]] == ["cell", "disk", "clock", "lens"]
    assert (fields["level"], fields["text"]) == ("bad", VERDICTS[Level.BAD].en)

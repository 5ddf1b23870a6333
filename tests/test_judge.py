"""`banmen judge`: the shared cases, their symmetry, and what it says about broken files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rules_cases import CASES, SWAPPED, judged, mapped_answer, mapped_case, turned

from recorder.cli import main
from recorder.judge_report import LANGUAGES, format_report
from recorder.scenario import parse_scenario
from recorder.verdict import judge_scenario

pytestmark = pytest.mark.skipif(not CASES, reason="the cases are not beside this checkout")

SIDED = ("handicap", "colors", "end")
"""Kinds of cases in which Black and White do not have the same part."""


def load(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


def same(text: str) -> str:
    return text


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_has_the_record_that_it_expects(path: Path) -> None:
    case = load(path)
    expect = case["expect"]
    if expect.get("difficulty") == "hard":
        pytest.skip("hard: reported, not required")
    found = judged(case)
    assert found["moves"] in [expect["moves"], *expect.get("moves_any_of", [])]
    assert {c: sorted(v) for c, v in found["final"].items()} == {
        c: sorted(v) for c, v in expect["final"].items()
    }
    for key in ("warnings", "to_play", "phase", "result", "board_mismatch"):
        if key in expect:
            assert found[key] == expect[key], key


@pytest.mark.parametrize("turns", [1, 2, 3])
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_turning_the_goban_turns_the_judgment(path: Path, turns: int) -> None:
    case = load(path)
    move = turned(case["size"], turns, is_mirrored=turns == 2)
    found = judged(mapped_case(case, move, same))
    assert mapped_answer(found, same, same) == mapped_answer(judged(case), move, same)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_swapping_the_colors_swaps_the_judgment(path: Path) -> None:
    case = load(path)
    is_empty = not case["setup"].get("B") and not case["setup"].get("W")
    if case["category"] in SIDED or is_empty:
        pytest.skip("the sides do not have the same part")
    found = judged(mapped_case(case, same, SWAPPED.__getitem__))
    wanted = mapped_answer(judged(case), same, SWAPPED.__getitem__)
    assert mapped_answer(found, same, same) == wanted


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_case_can_be_read_by_people(path: Path, language: str) -> None:
    scenario = parse_scenario(path.read_text(encoding="utf-8"), path.name)
    text = format_report(judge_scenario(scenario), language)
    assert scenario.id in text


def test_the_report_shows_ruling_article_and_diagram(capsys: pytest.CaptureFixture[str]) -> None:
    path = next(p for p in CASES if p.stem.startswith("dm-01"))
    assert main(["judge", str(path)]) == 0
    text = capsys.readouterr().out
    assert "article 17.2" in text
    assert "[X]" in text


def test_the_report_speaks_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    path = next(p for p in CASES if p.stem.startswith("ko-03"))
    assert main(["judge", "--lang", "zh", str(path)]) == 0
    assert "第 18.3 条" in capsys.readouterr().out


def test_a_broken_file_is_named_and_the_others_are_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"size": 19, "setup": {"to_play": "B"}, "observations": [{"t": "x"}]}')
    assert main(["judge", "--json", str(broken), str(CASES[0])]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out)["id"] == load(CASES[0])["id"]
    assert "observations[0].t must be a number" in said.err
    assert "Traceback" not in said.err

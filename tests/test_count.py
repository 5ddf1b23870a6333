"""`banmen count`: case files for the rules' examples, game records for people."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recorder.case_files import CaseError, Fields, load_cases
from recorder.cli import main
from recorder.count_cases import OPTIONAL, run_case

CASES = Path(__file__).parents[2] / "shared" / "rules" / "scoring_cases.json"

SMALL = {
    "id": "x",
    "size": 5,
    "B": ["B1", "B2", "B3", "B4", "B5", "D3"],
    "W": ["C1", "C2", "C3", "C4", "C5", "A3"],
    "dead": ["A3", "D3"],
    "komi_zi": 0.25,
    "warnings": {"B": 0, "W": 0},
    "edition": "2002",
}


def answer(**changes: object) -> dict[str, object]:
    """Return the answer to the small case with some fields changed."""
    return run_case(Fields({**SMALL, **changes}, "x"))


@pytest.mark.skipif(not CASES.exists(), reason="the rules' cases are not beside this checkout")
def test_every_scoring_case_is_answered_as_expected() -> None:
    for case in load_cases(CASES):
        answered, expected = run_case(case), case.fields("expect").values
        assert {key: answered[key] for key in expected} == dict(expected), case.place


def test_a_case_is_counted_in_chinese_stones() -> None:
    assert answer() == {
        "id": "x",
        "black": 10.0,
        "white": 15.0,
        "shared": [],
        "margin_zi": -2.75,
        "result_zh": "白胜2又3/4子",
        "re": "W+5.5",
    }


def test_a_case_without_terms_takes_those_of_its_rules() -> None:
    case = {key: SMALL[key] for key in ("id", "size", "B", "W", "dead")}
    assert run_case(Fields(case, "x"))["re"] == "W+12.5"
    assert run_case(Fields({**case, "handicap": 3}, "x"))["re"] == "W+5"


def test_two_warnings_of_both_leave_no_winner() -> None:
    both = answer(warnings={"B": 2, "W": 2})
    assert (both["result_zh"], both["re"]) == ("双方判负", "Void")


def test_territory_is_told_in_points() -> None:
    case = {key: SMALL[key] for key in ("id", "size", "B", "W", "dead")}
    japanese = {**case, "ruleset": "japanese", "komi": 6.5, "prisoners": {"B": 1, "W": 2}}
    counted = run_case(Fields(japanese, "x"))
    # Black 5 + 1 + 1, White 10 + 2 + 1 + 6.5.
    assert (counted["black"], counted["white"]) == (7.0, 13.0)
    assert (counted["result_zh"], counted["re"]) == ("白胜12目半", "W+12.5")


def test_points_shared_by_the_referee_are_in_the_list() -> None:
    assert answer(shared=["E5", "A1"])["shared"] == ["A1", "E5"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"size": None}, "x: size must be a number"),
        ({"size": 40, "B": ["?"]}, "x: size must be a size of 2-25, got 40"),
        ({"B": "B1"}, "x: B must be a list of points"),
        ({"B": [7]}, r"x: B\[0\] must be a point, got 7"),
        ({"B": ["B1", "J9"]}, r"x: B\[1\]: .*got 'J9'"),
        ({"B": ["B1", "C1"]}, "x: C1 must hold one stone, it is given twice"),
        ({"dead": ["E5"]}, "x: dead: there must be a stone on E5"),
        ({"komi_zi": "much"}, "x: komi_zi must be a number, got 'much'"),
        ({"warnings": 1}, "x: warnings must be an object, got 1"),
        ({"warnings": {"B": 0.5}}, "x, warnings: B must be a whole number"),
        ({"edition": "1999"}, "x: edition must be one of 2002, older, got '1999'"),
        ({"ruleset": "chess"}, "x: ruleset must be one of "),
        ({"method": "weight"}, "x: method must be one of area, territory"),
    ],
)
def test_a_wrong_case_is_named_with_its_place(changes: dict[str, object], words: str) -> None:
    with pytest.raises(CaseError, match=words):
        answer(**changes)


WRONG: list[object] = [None, "x", -1, 1e300, 10**400, [], [[]], {}, True, ["I5"]]


@given(st.data())
@settings(deadline=None)
def test_a_damaged_case_is_answered_or_named(data: st.DataObject) -> None:
    key = data.draw(st.sampled_from([*SMALL, *OPTIONAL]))
    wrong = data.draw(st.sampled_from(WRONG))
    try:
        assert answer(**{key: wrong})["re"]
    except CaseError as error:
        assert str(error).startswith("x")  # noqa: PT017


def write_cases(folder: Path, *cases: object) -> str:
    """Write a file of cases and return its path."""
    path = folder / "cases.json"
    path.write_text(json.dumps({"cases": cases}), encoding="utf-8")
    return str(path)


def test_a_wrong_case_is_named_and_the_others_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_cases(tmp_path, {**SMALL, "id": "bad", "dead": ["E5"]}, SMALL)
    assert main(["count", "--cases", path, "--json"]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["x"]
    assert "cases.json, bad: dead: there must be a stone on E5, it is empty" in err


def test_a_field_that_nothing_reads_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert main(["count", "--cases", write_cases(tmp_path, {**SMALL, "komy": 7})]) == 0
    assert "nothing reads komy" in caplog.text
    assert "x  白胜2又3/4子  W+5.5  (10 : 15)" in capsys.readouterr().out


GAME = """(;GM[1]SZ[5]KM[0.5]PB[柯洁]PW[李世石]RU[Chinese]
AB[ba][bb][bc][bd][be][dc]AW[ca][cb][cc][cd][ce][ac];B[];W[])"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    """Return the path of a small game record."""
    path = tmp_path / "game.sgf"
    path.write_text(GAME, encoding="utf-8")
    return str(path)


def test_a_game_is_counted_with_the_dead_stones_that_people_name(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["count", game, "--dead", "A3,D3"]) == 0
    out = capsys.readouterr().out
    assert "Black 柯洁 - White 李世石" in out
    assert "Black: 5 stones + 5 points + 0 shared = 10" in out
    assert "Black: 10 - 12.5 - komi 0.25 = -2 3/4 (in stones)" in out
    assert " 3 @ X O # o" in out
    assert "Dead stones: A3 D3 (as marked)" in out
    assert "Result: White wins by 2 3/4 stones  W+5.5" in out


def test_the_report_exists_in_chinese(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", game, "--dead", "A3,D3", "--lang", "zh", "--warnings", "1,0"]) == 0
    out = capsys.readouterr().out
    assert "黑：10 - 12.5 - 贴子0.25 - 1 + 0（警告） = -3 3/4（子）" in out
    assert "结果：白胜3又3/4子  W+7.5" in out


def test_without_dead_stones_named_a_proposal_is_counted_and_called_one(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["count", game]) == 0
    assert "proposed from unconditional life; a person decides" in capsys.readouterr().out
    assert main(["count", game, "--dead", "none", "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert (counted["dead"], counted["dead_source"]) == ([], "person")


def test_territory_reports_points_prisoners_and_what_seki_changes(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["count", game, "--dead", "A3", "--ruleset", "japanese"]
    assert main([*words, "--seki", "B1"]) == 0
    out = capsys.readouterr().out
    assert "Black: 0 points + 1 prisoners and dead stones = 1" in out
    assert "name chains in seki with --seki" in out


def test_an_open_border_is_pointed_out_instead_of_listing_the_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "open.sgf"
    path.write_text("(;GM[1];B[pd];W[dp])", encoding="utf-8")
    assert main(["count", str(path)]) == 0
    assert "Shared: 359 points, marked : (is a border open?)" in capsys.readouterr().out


def test_aga_territory_counts_pass_stones(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["count", game, "--dead", "A3,D3", "--ruleset", "aga", "--komi", "7.5"]
    assert main([*words, "--method", "territory"]) == 0
    out = capsys.readouterr().out
    assert "Black: 5 points + 2 prisoners, dead and pass stones = 7" in out
    assert "White wins by 12.5 points" in out


def test_stones_given_back_for_handicap_are_in_the_sum(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["count", game, "--dead", "A3,D3", "--handicap-return", "1.5"]) == 0
    assert "komi 0.25 - 1.5 for handicap stones = -4 1/4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--dead", "Z9"], "a point must be a column A-E"),
        (["--dead", "E1"], "dead: there must be a stone on E1"),
        (["--warnings", "many"], "--warnings must be two numbers"),
    ],
)
def test_an_option_that_does_not_fit_ends_with_code_2(
    words: list[str], expected: str, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["count", game, *words]) == 2
    assert expected in capsys.readouterr().err


def test_a_file_that_is_no_record_ends_with_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.sgf"
    assert main(["count", str(path)]) == 2
    path.write_text("(;GM[1];B[zz])", encoding="utf-8")
    assert main(["count", str(path)]) == 2
    assert "node 1, property B: expected a point aa-ss, got 'zz'" in capsys.readouterr().err


def test_gnu_go_proposes_where_it_is_installed(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "gnugo"
    lines = "\n".join(["printf '= \\n\\n'"] * 14 + ["printf '= A3\\nD3\\n\\n= \\n\\n'"])
    program.write_text(f"#!/bin/sh\ncat > /dev/null\n{lines}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert main(["count", game, "--gnugo"]) == 0
    out = capsys.readouterr().out
    assert "Dead stones: A3 D3 (proposed by GNU Go; a person decides" in out


def test_gnu_go_missing_is_said_in_one_line(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent / "nowhere"))
    assert main(["count", game, "--gnugo"]) == 2
    assert "gnugo cannot be started" in capsys.readouterr().err

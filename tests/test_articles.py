"""docs/articles.md: every article of both editions, and what it names is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
REQUIREMENT = ROOT.parent / "shared" / "rules" / "ARTICLES.md"
PAPER = ROOT / "docs" / "articles.md"

ARTICLES_2002 = re.findall(
    r"\S+",
    """
1.1 1.2 2.1 2.2 2.3 2.4 2.5 3 4 5 6 7 8 9 10 11 12 12.1 12.2 12.3 12.4 12.5 13.1 13.2 14 15
16.1 16.2 16.3 16.4 16.5 16.6 16.7 17.1 17.2 17.3 17.4 17.5 17.6 18.1 18.2 18.3 19 20
21.1 21.2 21.3 21.4 22.1 22.2 22.3 22.4 22.5 22.6 22.7 22.8 22.9 23 24.1 24.2
25 26 27.1 27.2 28 29 30 31 32.1 32.2 32.3 32.4 32.5 33
""",
)
ARTICLES_OLDER = [
    f"O {number}"
    for number in (
        *("1", "2", "3", "3.2", "4", "4.2", "5", "6", "7", "7.2", "8.1", "8.2", "8.3", "8.4", "9"),
        *("10", "11.1", "11.2", "11.3", "11.4", "12.1", "12.2"),
    )
]
REASON = "not for software, because "


class Row(NamedTuple):
    """A row of the paper's tables."""

    article: str
    rule: str
    code: str
    page: str
    test: str


@cache
def rows() -> tuple[Row, ...]:
    """Return every row whose first cell is the number of an article."""
    found = []
    for line in PAPER.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and re.match(r"(O )?\d", cells[0]):
            found.append(Row(*cells))
    return tuple(found)


def names(cell: str) -> list[str]:
    """Return what a cell names, between backticks."""
    return re.findall(r"`([^`]+)`", cell)


@cache
def definitions(path: Path) -> frozenset[str]:
    """Return the functions, classes, constants and fields that a module defines."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return frozenset(found)


def test_no_article_is_missing_and_none_is_there_twice() -> None:
    assert [row.article for row in rows()] == [*ARTICLES_2002, *ARTICLES_OLDER]


@pytest.mark.skipif(not REQUIREMENT.exists(), reason="the articles are not beside this checkout")
def test_the_list_of_articles_is_that_of_the_requirement() -> None:
    text = REQUIREMENT.read_text(encoding="utf-8")
    named = re.findall(r"^\| ([0-9][0-9., –]*?) (?:formula )?\|", text, re.MULTILINE)
    wanted = {number for cell in named for number in expand(cell)}
    assert wanted <= set(ARTICLES_2002)
    older = {f"O {number}" for number in re.findall(r"\bO (\d+(?:\.\d+)?)", text)}
    assert older <= set(ARTICLES_OLDER)


def expand(cell: str) -> list[str]:
    """Return the articles of a cell such as "16.6, 16.7", "29–31" or "32.3–4"."""
    found = []
    for part in cell.split(","):
        first, dash, last = part.strip().partition("–")
        chapter, dot, number = first.rpartition(".")
        span = range(int(number), int(last) + 1) if dash else [int(number)]
        found += [f"{chapter}{dot}{n}" for n in span]
    return found


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.article)
def test_an_article_has_code_and_a_test_or_a_reason_why_not(row: Row) -> None:
    if row.code.startswith(REASON):
        assert len(row.code) > len(REASON) + 10
        return
    assert names(row.code)
    assert names(row.test)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.article)
def test_what_an_article_names_is_there(row: Row) -> None:
    for name in names(row.code) + names(row.test):
        path, _, defined = name.partition("::")
        assert (ROOT / path).is_file(), f"{name}: there is no {path}"
        assert not defined or defined in definitions(ROOT / path), f"there is no {name}"
    for name in names(row.page):
        assert (ROOT / name).is_file(), f"there is no page {name}"


def test_tests_are_named_one_by_one() -> None:
    for row in rows():
        for name in names(row.test):
            assert re.fullmatch(r"tests/test_\w+\.py::test_\w+", name), f"{row.article}: {name}"

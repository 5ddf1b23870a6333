"""What the papers promise: the two commands, the links, every command and option."""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from recorder.cli import COMMANDS

ROOT = Path(__file__).parents[1]
READMES = ("README.md", "README.zh.md")
PAPERS = (*READMES, *(str(p.relative_to(ROOT)) for p in sorted((ROOT / "docs").glob("*.md"))))
MAIN = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/banmen demo"
TESTS = "python3 -m venv .venv && .venv/bin/pip install '.[dev]' && .venv/bin/pytest"


def read(name: str) -> str:
    """Return a paper's text."""
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", READMES)
def test_a_readme_has_one_command_for_the_main_job_and_one_for_the_tests(name: str) -> None:
    commands = [line.strip() for line in read(name).splitlines() if "python3 -m venv" in line]
    assert commands == [MAIN, TESTS]


def test_ci_runs_the_readmes_own_test_command() -> None:
    (pattern,) = re.findall(r"grep -m1 -E '(.*)' README\.md", read(".ci/run"))
    found = [line for line in read("README.md").splitlines() if re.search(pattern, line)]
    assert found == [TESTS]


@pytest.mark.parametrize("name", PAPERS)
def test_what_a_paper_links_to_is_there(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)", read(name))
    missing = [
        link
        for link in links
        if "://" not in link and not (ROOT / name).parent.joinpath(link).exists()
    ]
    assert not missing


def test_both_readmes_have_the_same_sections_and_commands() -> None:
    texts = [read(name) for name in READMES]
    assert len({text.count("\n## ") for text in texts}) == 1
    assert len({tuple(re.findall(r"banmen (\w+)", "".join(code(text)))) for text in texts}) == 1


def code(text: str) -> list[str]:
    """Return the code blocks of a paper."""
    return re.findall(r"```.*?```", text, re.DOTALL)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_in_the_readme(name: str) -> None:
    assert f"banmen {name}" in read("README.md")


def parser_of(name: str) -> argparse.ArgumentParser:
    """Return the parser of a command; skip one that is not there."""
    if find_spec(f"recorder.commands.{name}") is None:
        pytest.skip(f"banmen {name} is not there yet")
    parser = argparse.ArgumentParser()
    import_module(f"recorder.commands.{name}").configure(parser)
    return parser


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_tells_its_exit_codes(name: str) -> None:
    assert "exit code" in parser_of(name).format_help()


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_options_in_the_papers_are_those_of_the_command(name: str) -> None:
    known = parser_of(name).format_help()
    for paper in PAPERS:
        for line in read(paper).splitlines():
            for call in re.findall(rf"banmen {name}\b([^`|]*)", line):
                wrong = [o for o in re.findall(r"--[a-z-]+", call) if o not in known]
                assert not wrong, f"{paper}: banmen {name} has no {wrong}"

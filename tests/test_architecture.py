"""The order of the packages, the purity of the stages, and that nothing imports the loop."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("vision", "calibration", "recorder")
"""From the lowest to the highest: each may import those before it."""

PURE = {
    "vision.types",
    "vision.geometry",
    "vision.grid",
    "vision.lattice",
    "vision.cells",
    "vision.hidden",
    "vision.stones",
    "vision.overlay",
    "calibration.check",
    "calibration.corners",
    "calibration.drift",
    "calibration.lens",
    "calibration.light",
    "calibration.measure",
    "calibration.picture",
    "calibration.pose",
    "calibration.sharpness",
    "calibration.sheet",
    "calibration.surroundings",
    "vision.camera_mode",
    "vision.exposure",
    "recorder.clock",
    "recorder.clock_calls",
    "recorder.clock_rulings",
    "recorder.clock_state",
    "recorder.clock_text",
    "recorder.codec",
    "recorder.count_report",
    "recorder.counting",
    "recorder.engine",
    "recorder.events",
    "recorder.game",
    "recorder.game_clock",
    "recorder.goban",
    "recorder.hall.results",
    "recorder.hall.subjects",
    "recorder.hall.wire",
    "recorder.inference",
    "recorder.labels",
    "recorder.leaves",
    "recorder.life",
    "recorder.lifecycle",
    "recorder.loose",
    "recorder.observations",
    "recorder.public",
    "recorder.referee",
    "recorder.results",
    "recorder.rules",
    "recorder.scoring",
    "recorder.session",
    "recorder.patience",
    "recorder.settle",
    "recorder.settling",
    "recorder.sgf",
    "recorder.sgf_comment",
    "recorder.sgf_format",
    "recorder.sgf_parse",
    "recorder.sgf_text",
    "recorder.standings",
    "recorder.table_sheet",
    "recorder.timekeeping",
    "recorder.turning",
}
"""Modules without file, clock, network, thread or randomness of their own."""

IMPURE = {
    "fcntl",
    "http",
    "logging",
    "os",
    "pathlib",
    "queue",
    "secrets",
    "shutil",
    "socket",
    "sqlite3",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "urllib",
}
ALLOWED_TOGETHER = {"recorder.pipeline": {"recorder.commands", "recorder.cli"}}
"""Who may import the loop: the commands that start it."""


def name_of(path: Path) -> str:
    """Return the module's dotted name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for name in PACKAGES for path in (ROOT / name).rglob("*.py")}


def imports(path: Path) -> set[str]:
    """Return every module named in an import statement, those inside functions included."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def starts(name: str, prefix: str) -> bool:
    """Return whether a module is another or lies inside it."""
    return name == prefix or name.startswith(prefix + ".")


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_package_imports_only_those_below_it(module: str) -> None:
    above = PACKAGES[PACKAGES.index(module.split(".")[0]) + 1 :]
    wrong = {n for n in imports(MODULES[module]) for package in above if starts(n, package)}
    assert not wrong


@pytest.mark.parametrize("module", sorted(PURE & set(MODULES)))
def test_a_stage_touches_nothing_but_its_arguments(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    assert not {name for name in imports(MODULES[module]) if name.split(".")[0] in IMPURE}
    calls = {node.func.id for node in ast.walk(tree) if is_named_call(node)}
    assert not calls & {"open", "print", "input"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Global | ast.Nonlocal)]


def is_named_call(node: ast.AST) -> bool:
    """Return whether a node calls a plain name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_only_the_commands_import_the_loop(module: str) -> None:
    for loop, allowed in ALLOWED_TOGETHER.items():
        if not any(starts(module, name) for name in allowed):
            assert loop not in imports(MODULES[module])


@pytest.mark.parametrize("module", sorted(MODULES))
def test_training_is_never_imported_at_run_time(module: str) -> None:
    if not starts(module, "vision.training"):
        heavy = {"torch", "onnx", "vision.training"}
        assert not {n for n in imports(MODULES[module]) for h in heavy if starts(n, h)}


@pytest.mark.parametrize("module", sorted(name for name in MODULES if name.startswith("vision")))
def test_the_camera_side_knows_no_rules(module: str) -> None:
    assert not {n for n in imports(MODULES[module]) if starts(n, "recorder") or n == "sgfmill"}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_stays_within_400_lines(module: str) -> None:
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_function_stays_within_40_lines(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    functions = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    assert not [f"{n.name}: {length(n)}" for n in functions if length(n) > 40]


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function without its docstring."""
    total = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node, clean=False) is not None:
        total -= (first.end_lineno or first.lineno) - first.lineno + 1
    return total


def test_each_module_says_what_it_is_for() -> None:
    silent = [
        name
        for name, path in MODULES.items()
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not silent


DISTRIBUTIONS = {"cv2": "opencv-python-headless", "nats": "nats-py", "nkeys": "nats-py"}
"""Modules that are not called like what installs them; `nkeys` is an extra of `nats-py`."""

SYSTEM = {"libcamera", "PIL"}
"""Modules that come with another package or with the system."""


def imported(path: Path) -> set[str]:
    """Return the first part of every module that a file imports from outside itself."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


def test_everything_imported_is_declared_in_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    declared = {re.split(r"[^A-Za-z0-9_-]", line)[0].lower() for some in lists for line in some}
    used = {name for path in MODULES.values() for name in imported(path)}
    outside = used - set(sys.stdlib_module_names) - set(PACKAGES) - SYSTEM
    names = {DISTRIBUTIONS.get(name, name.replace("_", "-")) for name in outside}
    # Flask brings its own foundation.
    assert names - declared <= {"werkzeug", "jinja2", "itsdangerous", "markupsafe"}

"""Imports go down the layers, and only front ends talk to people."""

from __future__ import annotations

import ast
import graphlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tilewise
from tilewise.courses import BUILT_IN

ROOT = Path(tilewise.__file__).parent
LAYERS = [
    "child_processes errors files quantities toml_models puzzle",
    "core",
    "native",
    "learning tables",
    "heuristics search",
    "anytime defaults solving doubts improving batch checking comparing hints making optimal_paths "
    "plain_functions plugins proofs scrambling suites tracing training",
    "courses",
    "diagnosis traces grading lab drawing __init__",
    "cli play web __main__",
]
LAYER = {name: number for number, names in enumerate(LAYERS) for name in names.split()}
FRONT_ENDS = {"cli", "play", "web", "__main__"}
STARTS = {("__main__", "cli"), ("cli", "play"), ("cli", "web")}
"""Which front end may start which other one."""
NOTEBOOKS = {
    ("puzzle/board.py", "drawing"),
    ("core/result.py", "drawing"),
    ("tracing.py", "drawing"),
}
"""Notebooks show a value by its own method: these import the drawing when it is called."""
COURSES = tuple({*BUILT_IN} | {each.parent.name for each in ROOT.glob("courses/*/__init__.py")})
"""Only `courses/` names a course. Others may: the shell of a course's program, the built-in
experiments, which reproduce printed figures, and `puzzle/`, where notations have these names."""
SHELLS = ("cli/classic.py", "cli/driver.py", "cli/menu.py")
MAY_NAME_COURSES = ("courses/", "lab/builtin/", "puzzle/", *SHELLS)
FOR_PEOPLE = {"print", "input", "exit", "quit", "breakpoint", "argv", "stdout", "stderr", "stdin"}
FOR_PEOPLE |= {"_exit", "argparse", "optparse", "getopt", "typer", "click", "rich", "readline"}


def violations(file: str, source: str) -> Iterator[str]:
    """What a file of the package must not do; `file` is its path below the package."""
    top = file.removesuffix(".py").split("/")[0]
    if top not in LAYER:
        yield f"{top} has no layer"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert) or (isinstance(node, ast.ImportFrom) and node.level):
            yield f"line {node.lineno}: {ast.unparse(node)}"
        for name in used_names(node) if top not in FRONT_ENDS else ():
            if name in FOR_PEOPLE:
                yield f"{name} is for front ends"
        for target in imported(node):
            package, _, rest = target.partition(".")
            if package in ("dask", "distributed") and file != "lab/executors/connection.py":
                yield "Dask is for the executor of the laboratory"
            if package != "tilewise":
                continue
            their = next((part for part in rest.split(".")[:1] if part in LAYER), "__init__")
            if LAYER[their] > LAYER.get(top, 0) and (file, their) not in NOTEBOOKS:
                yield f"{top} imports {their}"
            if {top, their} == {"search", "heuristics"}:
                yield f"{top} imports {their}"
            if "_native" in rest.split(".") and top != "native":
                yield f"{top} imports the native module: only native may"
            if {top, their} <= FRONT_ENDS and top != their and (top, their) not in STARTS:
                yield f"the front end {top} imports {their}"


def courses_named(file: str, source: str) -> Iterator[str]:
    """Where a file names a course: in an import, or as a text that is or begins with its name."""
    if file.startswith(MAY_NAME_COURSES):
        return
    tree = ast.parse(source)
    for node in ast.walk(tree):
        named = [part for target in imported(node) for part in target.split(".")]
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            named += node.value.split()[:1] if len(node.value.split()) == 1 else []
        for name in named:
            if name.startswith(COURSES):
                yield f"line {getattr(node, 'lineno', 0)} names the course {name}"


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("traces/reader.py", 'heap = claims.algorithm == "cs170"'),
        ("lab/execute.py", "from tilewise.courses.eecs391 import search"),
        ("web/schema.py", "from tilewise.courses import columbia"),
        ("core/rules.py", 'NAMED = {"eecs391-table": 1}'),
    ],
)
def test_a_course_that_is_named_outside_of_its_package_is_found(file: str, source: str) -> None:
    assert list(courses_named(file, source))


def test_only_courses_names_a_course() -> None:
    found = {file: list(courses_named(file, source)) for file, source in sources().items()}
    assert {file: named for file, named in found.items() if named} == {}


def test_no_script_of_the_page_decides_by_the_name_of_a_course() -> None:
    for script in (ROOT / "web" / "static").rglob("*.js"):
        code = "".join(
            line.partition("//")[0]
            for line in script.read_text(encoding="utf-8").splitlines(keepends=True)
            if not line.lstrip().startswith(("/*", "*"))
        )
        names = re.findall(r"[\"'`/^](eecs391|columbia|cs170)", code)
        assert names == [], f"{script.name} names {names}"


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def used_names(node: ast.AST) -> list[str]:
    names = [part for target in imported(node) for part in target.split(".")]
    if isinstance(node, ast.Raise) and node.exc and "SystemExit" in ast.unparse(node.exc):
        names.append("exit")
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        names += [node.attr] if node.value.id in ("sys", "os") else []
    return [*names, node.id] if isinstance(node, ast.Name) else names


@pytest.mark.parametrize(
    "file", sorted(str(p.relative_to(ROOT).as_posix()) for p in ROOT.rglob("*.py"))
)
def test_a_file_keeps_to_its_layer(file: str) -> None:
    assert list(violations(file, (ROOT / file).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("puzzle/board.py", "from tilewise.core.problem import Problem"),
        ("puzzle/board.py", "from tilewise import Result"),
        ("puzzle/parity.py", "def f():\n    from tilewise.drawing import svg"),
        ("core/problem.py", "def f():\n    import tilewise.solving"),
        ("search/astar.py", "from tilewise.heuristics import manhattan"),
        ("heuristics/zero.py", "from tilewise.search.bfs import bfs"),
        ("heuristics/zero.py", "from tilewise import search"),
        ("core/registry.py", "import tilewise"),
        ("solving.py", "from tilewise.native import _native"),
        ("solving.py", "from tilewise.courses import columbia"),
        ("courses/columbia/search.py", "from tilewise.cli.render import table"),
        ("tables/distances/whole.py", "import tilewise.native._native"),
        ("play/screen.py", "from tilewise.cli.render import table"),
        ("web/server.py", "from tilewise.play import game"),
        ("solving.py", "from dask.distributed import Client"),
        ("lab/runner.py", "from dask.distributed import Client"),
        ("search/bfs.py", "print('expanded')"),
        ("search/bfs.py", "say = print"),
        ("native/searching.py", "import sys\nsys.exit(1)"),
        ("native/searching.py", "import sys\nsys.stdout.write('x')"),
        ("native/searching.py", "from sys import argv"),
        ("courses/cs170/search.py", "raise SystemExit(2)"),
        ("suites/__init__.py", "import argparse"),
        ("checking.py", "from rich.table import Table"),
        ("core/rules.py", "assert KNOBS"),
        ("search/bfs.py", "from .best_first import best_first"),
        ("unheard_of.py", "x = 1"),
    ],
)
def test_a_planted_violation_is_found(file: str, source: str) -> None:
    assert list(violations(file, source))


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("search/astar.py", "from tilewise.search.best_first import best_first"),
        ("native/searching.py", "from tilewise.native import _native"),
        ("core/result.py", "def f():\n    from tilewise.drawing import svg"),
        ("solving.py", "from tilewise import heuristics, search"),
        ("cli/solve.py", "from tilewise.cli.render import table\nprint(table)"),
        ("cli/play.py", "from tilewise.play import screen"),
        ("web/server.py", "from tilewise import Board"),
        ("__main__.py", "from tilewise.cli.app import main"),
        ("lab/executors/connection.py", "from dask.distributed import Client"),
    ],
)
def test_what_is_allowed_is_not_found(file: str, source: str) -> None:
    assert list(violations(file, source)) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert list(graphlib.TopologicalSorter(imports_of_modules(sources())).static_order())


def test_a_planted_circle_is_found() -> None:
    planted = {
        "lab/experiment.py": "from tilewise.lab.validation import check",
        "lab/validation.py": "def f():\n    from tilewise.lab import experiment",
    }
    with pytest.raises(graphlib.CycleError):
        graphlib.TopologicalSorter(imports_of_modules(planted)).prepare()


def homonyms(files: dict[str, str]) -> dict[str, list[str]]:
    """Classes of one name in several files; private ones are known in theirs only."""
    homes: dict[str, list[str]] = {}
    for file, source in files.items():
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(file)
    return {name: found for name, found in homes.items() if len(found) > 1}


def test_no_two_classes_have_one_name() -> None:
    assert homonyms(sources()) == {}
    assert homonyms({"a.py": "class Space: pass", "b.py": "class Space: pass"})


def sources() -> dict[str, str]:
    """Every file of the package by its path below it."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in ROOT.rglob("*.py")
    }


def module_name(file: str) -> str:
    """`tilewise.search.astar` for `search/astar.py`, a package by its own name."""
    parts = ("tilewise", *file.removesuffix(".py").split("/"))
    return ".".join(part for part in parts if part != "__init__")


def imports_of_modules(files: dict[str, str]) -> dict[str, set[str]]:
    """For each module those of the package that it imports, early or late."""
    names = {module_name(file): file for file in files}
    graph: dict[str, set[str]] = {name: set() for name in names}
    for name, file in names.items():
        for node in ast.walk(ast.parse(files[file])):
            for target in imported(node):
                if target.endswith("._native"):  # compiled: it imports nothing
                    continue
                module = target if target in names else target.rpartition(".")[0]
                late = (file, module.removeprefix("tilewise.").partition(".")[0]) in NOTEBOOKS
                if module in names and not late:
                    graph[name].add(module)
        graph[name].discard(name)
    return graph

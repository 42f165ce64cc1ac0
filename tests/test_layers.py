"""Imports go down the layers, and only front ends talk to people."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tilewise
from tilewise.frontends.cli.app import COMMANDS

ROOT = Path(tilewise.__file__).parent
LAYERS = [
    "errors board drawing formats spec",
    "board_files parity shapes stats events limits options result rules registry problem",
    "engine _native _core",
    "patterns",
    "heuristics search",
    "solving profiles suites loading many optimal_paths spaces",
    "checking comparing hints pictures scrambling teaching experiments __init__",
    "frontends web __main__",
]
LAYER = {name: number for number, names in enumerate(LAYERS) for name in names.split()}
FRONT_ENDS = {target.partition(":")[0] for target in COMMANDS.values()} | {
    "tilewise.frontends.cli.app"
}
FOR_PEOPLE = {
    "print",
    "input",
    "exit",
    "quit",
    "breakpoint",
    "argv",
    "stdout",
    "stderr",
}
FOR_PEOPLE |= {"stdin", "_exit", "argparse", "optparse", "getopt", "typer", "click", "rich"}


def violations(file: str, source: str) -> Iterator[str]:
    """What a file of the package must not do; `file` is its path below the package."""
    top = file.removesuffix(".py").split("/")[0]
    here = "tilewise." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    if top not in LAYER:
        yield f"{top} has no layer"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert) or (isinstance(node, ast.ImportFrom) and node.level):
            yield f"line {node.lineno}: {ast.unparse(node)}"
        for name in used_names(node) if top not in ("frontends", "web", "__main__") else ():
            if name in FOR_PEOPLE:
                yield f"{name} is for front ends"
        for target in imported(node):
            if target.split(".")[0] in ("dask", "distributed") and top != "experiments":
                yield "dask is for experiments"
            if target.split(".")[0] != "tilewise":
                continue
            their = next((part for part in target.split(".")[1:2] if part in LAYER), "__init__")
            if LAYER[their] > LAYER.get(top, 0) or {top, their} == {"search", "heuristics"}:
                yield f"{top} imports {their}"
            if their in ("_native", "_core") and top != "engine":
                yield f"{top} imports {their}: only engine may"
            for other in FRONT_ENDS if top != "__main__" else ():
                inside = (here + ".").startswith(other + ".")
                if (target + ".").startswith(other + ".") and not inside:
                    yield f"{here} imports the front end {other}"


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
        ("board.py", "from tilewise.problem import Problem"),
        ("board.py", "from tilewise import Result"),
        ("problem.py", "def f():\n    import tilewise.solving"),
        ("search/astar.py", "from tilewise.heuristics import manhattan"),
        ("heuristics/zero.py", "from tilewise.search.bfs import bfs"),
        ("heuristics/zero.py", "from tilewise import search"),
        ("registry.py", "import tilewise"),
        ("solving.py", "from tilewise import _native"),
        ("patterns/distances.py", "import tilewise._core"),
        ("frontends/cli/solve.py", "from tilewise.frontends.driver import command"),
        ("frontends/cli/solve.py", "from tilewise.frontends.cli.list_ import list_"),
        ("frontends/driver.py", "from tilewise.frontends.classic.session import Session"),
        ("frontends/render.py", "from tilewise.frontends import menu"),
        ("solving.py", "from dask.distributed import Client"),
        ("search/bfs.py", "print('expanded')"),
        ("search/bfs.py", "say = print"),
        ("engine.py", "import sys\nsys.exit(1)"),
        ("engine.py", "import sys\nsys.stdout.write('x')"),
        ("engine.py", "from sys import argv"),
        ("profiles/cs170.py", "raise SystemExit(2)"),
        ("suites/__init__.py", "import argparse"),
        ("checking.py", "from rich.table import Table"),
        ("rules.py", "assert KNOBS"),
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
        ("engine.py", "from tilewise import _native"),
        ("solving.py", "from tilewise import heuristics, search"),
        ("frontends/cli/solve.py", "from tilewise.frontends.render import table\nprint(table)"),
        ("frontends/classic/session.py", "from tilewise.frontends.classic.reader import read"),
        ("frontends/menu.py", "from tilewise import Board"),
        ("__main__.py", "from tilewise.frontends.cli.app import main"),
        ("experiments/cluster.py", "from dask.distributed import Client"),
    ],
)
def test_what_is_allowed_is_not_found(file: str, source: str) -> None:
    assert list(violations(file, source)) == []

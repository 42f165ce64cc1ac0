"""The notebooks of examples/notebooks run from the first cell to the last, and show pictures."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "examples/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def run(notebook: dict[str, Any]) -> list[Any]:
    """The value of the last line of each code cell, as a notebook would show it."""
    names: dict[str, Any] = {"__name__": "notebook"}
    shown = []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
    return shown


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_something(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    shown = run(notebook)
    assert len(shown) >= 4 and all(value is not None for value in shown)


def test_the_first_notebook_shows_boards_solutions_and_trees() -> None:
    shown = run(json.loads((FOLDER / "first-hour.ipynb").read_text(encoding="utf-8")))
    pictures = [type(value).__name__ for value in shown if hasattr(value, "_repr_svg_")]
    assert pictures == ["Board", "Trace", "Trace"]
    assert all(value._repr_svg_() for value in shown if hasattr(value, "_repr_svg_"))


def test_notebooks_are_kept_without_outputs() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["experiment", "first-hour", "own-heuristic"]
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert not any(cell.get("outputs") for cell in cells)

"""The public surface: every public name is listed once, documented, and on a page."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tilewise

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs"))
surface: Any = import_module("surface")
sys.path.pop(0)

PUBLIC: dict[str, Any] = {name: thing for page in surface.PAGES for name, thing in page.objects()}


def missing(name: str, thing: Any) -> list[str]:
    """What the documentation of a public name lacks."""
    if name in surface.DATA:
        return []
    text = inspect.getdoc(thing) or ""
    lacks = [] if text else ["a docstring"]
    if inspect.isclass(thing):
        made_by_users = name.count(".") == 1 and not issubclass(thing, Exception)
        return [*lacks, *(["an example"] if made_by_users and ">>> " not in text else [])]
    parameters = inspect.signature(thing).parameters
    lacks += [f"the parameter {each}" for each in parameters if not described(each, text)]
    return lacks if ">>> " in text else [*lacks, "an example"]


def described(parameter: str, text: str) -> bool:
    return re.search(rf"^    \*{{0,2}}{parameter}: \S", text, re.MULTILINE) is not None


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_has_a_docstring_with_its_parameters_and_an_example(name: str) -> None:
    assert missing(name, PUBLIC[name]) == []


@pytest.mark.parametrize(
    "first", ['make_heuristic("manhattan", tw.Goal.blank_first(3, 3))', 'solve("1b2 345 678")']
)
def test_a_public_function_works_as_the_first_one_that_is_used(first: str) -> None:
    source = f"import tilewise as tw; tw.{first}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", source], env=environment, check=True)


def test_a_name_without_documentation_is_found() -> None:
    def nothing(value: int) -> int:
        return value

    assert missing("tilewise.nothing", nothing) == [
        "a docstring",
        "the parameter value",
        "an example",
    ]


def test_the_pages_have_every_name_of_the_package_and_none_twice() -> None:
    listed = [name for page in surface.PAGES for _, name in page.names()]
    top = [n for page in surface.PAGES for m, n in page.names() if m == "tilewise"]
    assert sorted(top) == sorted(tilewise.__all__)
    assert len(PUBLIC) == len(listed)


def test_every_function_of_a_documented_verb_is_listed() -> None:
    """The modules of the library's verbs have no public function that is left out."""
    verbs = ("scrambling", "comparing", "hints", "optimal_paths", "suites")
    hidden = {"length_in_words", "Pool"}
    for verb in verbs:
        module = import_module(f"tilewise.{verb}")
        own = {
            name
            for name, thing in vars(module).items()
            if getattr(thing, "__module__", "") == module.__name__
            and not name.startswith("_")
            and (inspect.isfunction(thing) or inspect.isclass(thing))
        }
        assert {f"tilewise.{verb}.{name}" for name in own - hidden} <= set(PUBLIC)

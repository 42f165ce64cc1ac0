"""Spec: configured algorithms and heuristics as text."""

from __future__ import annotations

import string
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles.puzzle import FIRST_OF_8
from tilewise import Spec, TilewiseError
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.made_heuristic import build_heuristic

NAMES = st.text(string.ascii_letters + string.digits + "_.+-/*", min_size=1, max_size=12)
OPTIONS = st.lists(st.tuples(NAMES, NAMES), max_size=3).map(tuple)


def of_parts(parts: st.SearchStrategy[Spec]) -> st.SearchStrategy[Spec]:
    return st.builds(Spec, NAMES, st.lists(parts, max_size=3).map(tuple), OPTIONS)


SPECS = st.recursive(st.builds(Spec, NAMES), of_parts, max_leaves=8)


@given(SPECS)
def test_every_spec_is_written_as_something_that_reads_back(spec: Spec) -> None:
    assert Spec.parse(str(spec)) == spec


def read_or_refused(text: str) -> Spec | str:
    try:
        return Spec.parse(text)
    except TilewiseError as error:
        return str(error)


@given(st.text(max_size=40) | st.text("ab(),= 1", max_size=40))
def test_any_text_is_a_spec_or_a_clear_error(text: str) -> None:
    answer = read_or_refused(text)
    if isinstance(answer, Spec):
        assert Spec.parse(str(answer)) == answer
    else:
        assert answer.startswith("expected") and "\n" not in answer


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("astar", Spec("astar")),
        ("astar()", Spec("astar")),
        ("wastar(weight=1.5)", Spec("wastar", (), (("weight", "1.5"),))),
        (
            " max( manhattan ,pdb(7-8)) ",
            Spec("max", (Spec("manhattan"), Spec("pdb", (Spec("7-8"),)))),
        ),
        ("f(a, b=c, d=e)", Spec("f", (Spec("a"),), (("b", "c"), ("d", "e")))),
    ],
)
def test_a_spec_has_a_name_parts_and_options(text: str, spec: Spec) -> None:
    assert Spec.parse(text) == spec


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "(",
        ")",
        "a(",
        "a)",
        "a b",
        "a(b",
        "a(b c)",
        "a(=1)",
        "a(b=)",
        "a(b=1=2)",
        "a(,)",
        "a(b,)",
        "a(b=1, c)",
        "a=1",
        "a(b)(c)",
        "a,b",
        "a(b(c)=1)",
        "a(b=1,)",
        "é",
        "a;b",
        "a%",
        "a[1]",
        "a{}",
    ],
)
def test_a_malformed_spec_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(TilewiseError, match="expected") as caught:
        Spec.parse(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


def test_an_enormous_spec_is_refused_without_being_read() -> None:
    for text in (
        "a" * 100_000,
        "a(" * 100_000,
        "a(" * 50 + ")" * 50,
        "max(" + "h1," * 100_000 + "h1)",
    ):
        with pytest.raises(TilewiseError, match="expected") as caught:
            Spec.parse(text)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("astar", "astar"),
        ("astar()", "astar"),
        ("beam", "beam(width=100)"),
        ("beam(7)", "beam(width=7)"),
        ("beam( width = 7 )", "beam(width=7)"),
        ("wastar(3/2)", "wastar(weight=1.5)"),
        ("wastar(weight=1.50)", "wastar(weight=1.5)"),
        ("wastar(weight=2)", "wastar(weight=2)"),
        ("wastar(weight=5/3)", "wastar(weight=5/3)"),
    ],
)
def test_an_algorithm_has_one_normal_form_with_all_its_options(text: str, normal: str) -> None:
    assert build_algorithm(text).spec == normal
    assert build_algorithm(normal).spec == normal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("asta", "did you mean astar"),
        ("nothing_like_it", "known: "),
        ("manhattan", "name of an algorithm"),
        ("ucs(3)", "expected ucs with no options"),
        ("beam(3, 4, 5)", "expected beam with width"),
        ("beam(depth=3)", "expected beam with width.*'depth'"),
        ("beam(3, width=4)", "width once"),
        ("beam(width=3, width=4)", "width once"),
        ("beam(width=0)", "positive whole number for width of beam, got '0'"),
        ("beam(width=-5)", "positive whole number for width of beam, got '-5'"),
        ("beam(width=1.5)", "positive whole number"),
        ("beam(width=ten)", "positive whole number"),
        ("beam(width=" + "9" * 100 + ")", "positive whole number"),
        ("wastar(weight=0)", "positive number.* for weight of wastar"),
        ("wastar(weight=-1)", "positive number"),
        ("wastar(weight=1/0)", "positive number"),
        ("wastar(weight=nan)", "positive number"),
        ("wastar(weight=inf)", "positive number"),
        ("wastar(weight=1e9999)", "positive number"),
        ("wastar(weight=1e-9999)", "positive number"),
    ],
)
def test_an_algorithm_that_makes_no_sense_is_refused(text: str, message: str) -> None:
    with pytest.raises(TilewiseError, match=message) as caught:
        build_algorithm(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "normal"),
    [("h1", "misplaced"), ("max( h1,h2 )", "max(misplaced, manhattan)"), ("zero()", "zero")],
)
def test_a_heuristic_has_one_normal_form(text: str, normal: str) -> None:
    assert build_heuristic(text, FIRST_OF_8).spec == normal
    assert build_heuristic(normal, FIRST_OF_8).spec == normal


ALONE = """
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.made_heuristic import build_heuristic
from tilewise.puzzle.board import Goal
print(build_algorithm("astar").spec, build_heuristic("pdb(4-4)", Goal.blank_first(3, 3)).spec)
"""


def test_names_are_known_whatever_was_imported_before() -> None:
    command = [sys.executable, "-c", ALONE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == (["astar", "pdb(4-4)"], "")

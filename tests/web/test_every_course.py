"""Every method of every course gives one answer, whoever runs it."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.one_student import graded
from tests.web.client import Server
from tilewise import Board, Limits
from tilewise.core.result import Result
from tilewise.courses import COURSES
from tilewise.courses.course import Course, Method
from tilewise.courses.running import run_course
from tilewise.diagnosis import counting
from tilewise.diagnosis.rule_variants import RuleVariant
from tilewise.grading import answer_key, read_assignment
from tilewise.lab import Experiment, Part, Store, run_experiment
from tilewise.lab.instances import Boards

Run = Callable[..., subprocess.CompletedProcess[str]]

BOARDS = {"first": Board.parse("312 6b8 754"), "last": Board.parse("123 485 76b")}
"""Boards whose searches are short, depth-first search among them."""
EVERY = [
    pytest.param(course, method, id=f"{course.name} {method.word}")
    for course in COURSES.values()
    for method in course.methods
]


def answer(course: Course, method: Method) -> Result:
    """What everything must give."""
    result = run_course(course, method, BOARDS[course.goal])
    assert result.solved and result.moves
    return result


def request(course: Course, method: Method) -> dict[str, str]:
    """The method as the page and the options of commands name it."""
    heuristic = {} if method.heuristic is None else {"heuristic": method.heuristic}
    return {"profile": course.name, "algorithm": method.spec, **heuristic}


def printed(tilewise: Run, course: Course, method: Method) -> str:
    """What the program of the course prints; a pipe gives it the answers of a person."""
    command = course.grading.command(BOARDS[course.goal], method, None)
    typed, _, call = command.rpartition(" | ")
    answers = shlex.split(typed)[1].replace(r"\n", "\n") if typed else None
    done = tilewise(*shlex.split(call)[1:], input=answers)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("course", "method"), EVERY)
def test_the_program_of_the_course_and_its_grader_agree(
    course: Course, method: Method, tilewise: Run, tmp_path: Path
) -> None:
    expected = answer(course, method)
    text = printed(tilewise, course, method)
    (found,) = course.grading.read_answers("transcript", text)
    found.understand("blank")
    counts = {name: int(value) for name, value in found.values.items() if value.isdecimal()}
    numbers = {
        "length": expected.cost,
        "expanded": expected.stats.expanded,
        "generated": method.generated(expected),
        "max_frontier": expected.stats.max_frontier,
        "max_depth": expected.stats.max_depth,
    }
    asked = [name for name in counts if name in numbers]
    assert len(asked) > 1 and found.moves in (None, expected.moves)
    assert {name: counts[name] for name in asked} == {name: numbers[name] for name in asked}
    points = ", ".join(f"{name} = 1" for name in asked)
    assignment = (
        f'title = "T"\nprofile = "{course.name}"\n[[questions]]\nname = "q"\n'
        f'board = "{course.text(BOARDS[course.goal])}"\nmethod = "{method.word}"\n'
        f"points = {{ {points} }}\n"
    )
    model = answer_key(read_assignment(assignment))["q"]
    assert model.found.moves == expected.moves
    assert {name: model.expected(name) for name in asked} == {n: numbers[n] for n in asked}
    student = graded(tmp_path, assignment, q__txt=text)
    assert (student.points, student.notes) == (len(asked), ())


@pytest.mark.parametrize(("course", "method"), EVERY)
def test_an_experiment_and_the_count_doctor_agree(
    course: Course, method: Method, tmp_path: Path
) -> None:
    expected, board = answer(course, method), BOARDS[course.goal]
    part = Part(
        "all",
        [Boards((str(board),))],
        [method.spec],
        [method.heuristic] if method.heuristic else [],
        profile=course.name,
        seeds=(course.seed,),
    )
    run_experiment(Experiment("x", [part]), tmp_path)
    with Store.open(tmp_path) as store:
        (row,) = store.rows()
    assert (row["status"], row["moves"]) == ("solved", expected.moves)
    assert row["generated"] == method.generated(expected)
    assert row["expanded"] == (expected.stats.expanded if course.has("expanded") else None)
    if method.diagnosed is None:
        return
    name, heuristic = method.diagnosed
    own = course.name if method.own else None
    way = RuleVariant(name, heuristic, method.blank_counted, course.rules, own)
    found = counting.run(way, board, expected.goal, counting.Stop("generated", 100_000))
    assert found.moves == expected.moves
    assert found.stats.generated == method.generated(expected)
    assert found.stats.expanded == expected.stats.expanded


@pytest.mark.parametrize(("course", "method"), EVERY)
def test_traces_explanations_and_the_page_agree(
    course: Course, method: Method, tilewise: Run, server: Server, tmp_path: Path
) -> None:
    expected, board = answer(course, method), str(BOARDS[course.goal])
    named = request(course, method)
    options = [word for name, value in named.items() for word in (f"--{name}", value)]
    done = tilewise("trace", "export", board, *options, "--events", "100000", "-o", "t.jsonl")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "t.jsonl").read_text(encoding="utf-8").splitlines()
    kinds = [json.loads(line).get("kind") for line in lines]
    assert kinds.count("expand") == expected.stats.expanded
    checked = tilewise("trace", "check", "t.jsonl")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    explained = tilewise("explain", board, *options, "--steps", "5")
    assert explained.returncode == 0 and expected.algorithm in explained.stdout
    told = server.post("solve", board=board, **named)
    assert (told["moves"], told["algorithm"]) == (expected.moves, expected.algorithm)
    assert told["stats"]["generated"] == expected.stats.generated
    assert told["stats"]["expanded"] == expected.stats.expanded
    traced = server.post("trace", board=board, **named)
    assert traced["result"]["moves"] == expected.moves
    uploaded = server.post("trace/check", trace="\n".join(lines))
    assert uploaded["verdict"]["ok"]
    assert uploaded["claims"]["profile"] == (course.name if method.own else None)


@pytest.mark.parametrize(("course", "method"), EVERY)
def test_the_page_stops_at_the_limits_that_are_named(
    course: Course, method: Method, server: Server
) -> None:
    far = "8b6 547 231"
    told = server.post("solve", board=far, **request(course, method), max_nodes=50)
    assert told["status"] == "limit"
    expected = run_course(course, method, Board.parse(far), limits=Limits(generated=50))
    assert told["stats"]["stored"] == expected.stats.stored

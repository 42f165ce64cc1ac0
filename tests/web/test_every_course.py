"""Every method of every course gives one answer, whoever runs it; so does a course from a file."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.course_file import EVENING, FILE
from tests.one_student import graded
from tests.web.client import Server, server_of, serving
from tilewise import Board, Limits
from tilewise.core.result import Result
from tilewise.courses import BUILT_IN, COURSES
from tilewise.courses.course import Course, Method
from tilewise.courses.files import find_course, read_course
from tilewise.courses.running import run_course
from tilewise.diagnosis import counting
from tilewise.diagnosis.rule_variants import RuleVariant
from tilewise.grading import answer_key, read_assignment
from tilewise.lab import Experiment, Part, Store, run_experiment
from tilewise.lab.instances import Boards

Run = Callable[..., subprocess.CompletedProcess[str]]

BOARDS = {
    "first": "312 6b8 754",
    "last": "123 485 76b",
    "snail": "1 2 3/8 6 4/7 5 0",
    "1 2 3/4 0 5/6 7 8": "1 2 3/6 4 0/7 8 5",
}
"""Boards whose searches are short, depth-first search among them, by the goal."""
OTHER_BOARDS = {"hill-climbing": "1 2 5/3 4 8/6 7 0"}
"""For methods that get stuck on those."""


def has_worksheet(method: Method) -> bool:
    """All but recursive best-first search and the shuffled searches of one course have one."""
    return method.algorithm != "rbfs" and bool(method.own is None or method.own.frontier.takes)


def every() -> Iterator[Any]:
    """All methods; the usual one of each course, and those that share a search, always run."""
    for course in (*COURSES.values(), read_course(EVENING, source=FILE)):
        for method in course.methods:
            alone = course.request_name(method) == method.algorithm
            marks = () if method == course.usual or not alone else (pytest.mark.full,)
            yield pytest.param(course, method, id=f"{course.name} {method.word}", marks=marks)


EVERY = list(every())


@pytest.fixture(autouse=True)
def course_file(tmp_path: Path) -> Iterator[Path]:
    """The file where commands are run, known to this process while a test runs."""
    file = tmp_path / FILE
    file.write_text(EVENING, encoding="utf-8")
    find_course(str(file))
    yield file
    for name in [name for name in COURSES if name not in BUILT_IN]:
        del COURSES[name]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that offers the course of the file as well."""
    file = tmp_path_factory.mktemp("course") / FILE
    file.write_text(EVENING, encoding="utf-8")
    with server_of(serving("--port", "0", "--course", str(file))) as started:
        yield started


def board_for(course: Course, method: Method) -> Board:
    return Board.parse(OTHER_BOARDS.get(method.name, BOARDS[course.goal]))


def answer(course: Course, method: Method) -> Result:
    """What everything must give."""
    result = run_course(course, method, board_for(course, method))
    assert result.solved and result.moves
    return result


def request(course: Course, method: Method) -> dict[str, str]:
    """The method as the page names it."""
    heuristic = {} if method.heuristic is None else {"heuristic": method.heuristic}
    width = "" if method.width is None else f"(width={method.width})"
    return {
        "profile": course.name,
        "algorithm": course.request_name(method) + width,
        **heuristic,
    }


def options(course: Course, method: Method) -> list[str]:
    """The method as the options of commands name it; a course of a file by its file."""
    named = request(course, method) | {"profile": course.source or course.name}
    return [word for name, value in named.items() for word in (f"--{name}", value)]


def printed(tilewise: Run, course: Course, method: Method) -> str:
    """What the program of the course prints; a pipe gives it the answers of a person."""
    command = course.grading.command(board_for(course, method), method, None)
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
    assert "length" in asked and found.moves in (None, expected.moves)
    assert {name: counts[name] for name in asked} == {name: numbers[name] for name in asked}
    points = ", ".join(f"{name} = 1" for name in asked)
    profile = tmp_path / course.source if course.source else course.name
    assignment = (
        f'title = "T"\nprofile = "{profile}"\n[[questions]]\nname = "q"\n'
        f'board = "{course.text(board_for(course, method))}"\nmethod = "{method.word}"\n'
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
    expected, board = answer(course, method), board_for(course, method)
    part = Part(
        "all",
        [Boards((str(board),))],
        [request(course, method)["algorithm"]],
        [method.heuristic] if method.heuristic else [],
        profile=str(tmp_path / course.source) if course.source else course.name,
        seeds=(course.seed,),
    )
    run_experiment(Experiment("x", [part]), tmp_path / "results")
    with Store.open(tmp_path / "results") as store:
        (row,) = store.rows()
    assert (row["status"], row["moves"]) == ("solved", expected.moves)
    assert row["generated"] == method.generated(expected)
    assert row["expanded"] == (expected.stats.expanded if course.has("expanded") else None)
    if method.diagnosed is None:
        return
    name, heuristic = method.diagnosed
    own = course.name if method.own else None
    rules = course.rules_for(method)
    variant = RuleVariant(name, heuristic, method.blank_counted, rules, own)
    found = counting.run(variant, board, expected.goal, counting.CountLimit("generated", 100_000))
    assert found.moves == expected.moves
    assert found.stats.generated == method.generated(expected)
    assert found.stats.expanded == expected.stats.expanded


def asked_of_the_doctor() -> Iterator[Any]:
    """One method in every run: the doctor tries thousands of rules."""
    for each in EVERY:
        course, method = each.values
        if method.diagnosed is not None:
            first = bool(course.source) and method == course.usual
            yield pytest.param(*each.values, id=each.id, marks=() if first else pytest.mark.full)


@pytest.mark.parametrize(("course", "method"), list(asked_of_the_doctor()))
def test_the_count_doctor_explains_the_count_of_the_course(
    course: Course, method: Method, tilewise: Run
) -> None:
    expected = answer(course, method)
    count = method.generated(expected)
    named = [*options(course, method), "--count", str(count), "--counter", "generated"]
    said = tilewise("why", str(expected.board), *named, "--processes", "1")
    assert said.returncode == 0, said.stdout + said.stderr
    assert f"{count:,} generated (solved)" in said.stdout.splitlines()[0]


@pytest.mark.parametrize(("course", "method"), EVERY)
def test_traces_explanations_and_worksheets_agree(
    course: Course, method: Method, tilewise: Run, server: Server, tmp_path: Path
) -> None:
    expected, board = answer(course, method), str(board_for(course, method))
    named = options(course, method)
    done = tilewise("trace", "export", board, *named, "--events", "100000", "-o", "t.jsonl")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "t.jsonl").read_text(encoding="utf-8").splitlines()
    kinds = [json.loads(line).get("kind") for line in lines]
    expanded = expected.stats.expanded - (course.rules_for(method).count == "goal")
    assert kinds.count("expand") == expanded
    checked = tilewise("trace", "check", "t.jsonl")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    uploaded = server.post("trace/check", trace="\n".join(lines))
    assert uploaded["verdict"]["ok"]
    assert uploaded["claims"]["profile"] == (course.name if method.own else None)
    explained = tilewise("explain", board, *named, "--steps", "5")
    assert explained.returncode == 0 and expected.algorithm in explained.stdout
    sheet = tilewise("explain", board, *named, "--steps", "3", "--worksheet")
    if has_worksheet(method):
        assert sheet.returncode == 0 and "- Start:" in sheet.stdout, sheet.stderr
    else:
        assert (sheet.returncode, sheet.stdout) == (2, "")
        assert "expected an algorithm with a worksheet" in sheet.stderr


@pytest.mark.parametrize(("course", "method"), EVERY)
def test_the_page_solves_watches_and_races_as_the_course_does(
    course: Course, method: Method, server: Server
) -> None:
    expected, board = answer(course, method), str(board_for(course, method))
    named = request(course, method)
    response = server.post("solve", board=board, **named)
    assert (response["moves"], response["algorithm"]) == (expected.moves, expected.algorithm)
    assert response["stats"]["generated"] == expected.stats.generated
    assert response["stats"]["expanded"] == expected.stats.expanded
    traced = server.post("trace", board=board, **named)
    assert traced["result"]["moves"] == expected.moves
    raced = server.post("compare", board=board, searches=[named, {"algorithm": "bfs"}])
    first, second = (each["result"] for each in raced["searches"])
    assert (first["moves"], first["goal"]) == (expected.moves, second["goal"])
    assert first["stats"]["expanded"] == expected.stats.expanded
    far = "8b6 547 231"
    if course.goal_for(Board.parse(far)).reachable_from(Board.parse(far)):
        stopped = server.post("solve", board=far, **named, max_nodes=50)
        limited = run_course(course, method, Board.parse(far), limits=Limits(generated=50))
        assert stopped["status"] == limited.status.value
        assert stopped["stats"]["stored"] == limited.stats.stored


@pytest.mark.parametrize("name", [*BUILT_IN, FILE])
def test_comparing_the_methods_of_a_course_runs_each_of_them(name: str, tilewise: Run) -> None:
    course = COURSES.get(name) or COURSES["evening"]
    board = board_for(course, course.usual)
    done = tilewise("compare", str(board), "--profile", name, "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    results = [run_course(course, method, board) for method in course.methods]
    assert [(row["method"], row["moves"]) for row in rows] == [
        (method.word, each.moves) for method, each in zip(course.methods, results, strict=True)
    ]
    assert [row["stats"]["expanded"] for row in rows] == [each.stats.expanded for each in results]

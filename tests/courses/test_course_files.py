"""Courses as files: what they say runs, mistakes are one line, no code of strangers is run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Run
from tilewise.courses import BUILT_IN, COURSES
from tilewise.courses.course import Course
from tilewise.courses.files import find_course, read_course
from tilewise.courses.form import course_of, form_of
from tilewise.courses.printed_output import differing_line, output_text
from tilewise.courses.running import run_course
from tilewise.courses.starting import file_text, starting_text
from tilewise.errors import SpecError, TilewiseError
from tilewise.grading import read_assignment
from tilewise.grading.sample_assignments import sample
from tilewise.lab.definitions import from_toml
from tilewise.puzzle.board import Board
from tilewise.scrambling import scramble

MINIMAL = """
name = "evening"
title = "An evening course"
goal = "last"
rules = "ties=oldest"
[[methods]]
name = "first"
algorithm = "astar"
heuristic = "manhattan"
[[methods]]
name = "wide"
algorithm = "bfs"
"""


@pytest.fixture(autouse=True)
def forget_courses() -> Iterator[None]:
    """Courses of files are known to the process only while a test runs."""
    yield
    for name in [name for name in COURSES if name not in BUILT_IN]:
        del COURSES[name]


def test_a_new_course_is_as_it_says_and_runs_by_its_file(tmp_path: Path, tilewise: Run) -> None:
    assert tilewise("course", "new", "mine.toml").returncode == 0
    checked = tilewise("course", "check", "mine.toml")
    assert (checked.returncode, checked.stdout.splitlines()[-1]) == (
        0,
        "2 examples, all as expected",
    )
    board = "2 5 3/4 1 6/7 8 0"
    printed = tilewise("course", "run", "mine.toml", "astar", board).stdout.splitlines()
    solved = tilewise("solve", board, "--profile", "mine.toml", "-a", "astar", "--json")
    result = json.loads(solved.stdout)
    assert printed == [
        f"Moves: {result['cost']}",
        "Path: left left up right up left down down right right",
        f"Nodes expanded: {result['stats']['expanded']}",
    ]


def test_an_experiment_with_a_course_file_has_ordinary_runs(tmp_path: Path) -> None:
    (tmp_path / "evening.toml").write_text(MINIMAL)
    text = (
        'profile = "evening.toml"\nalgorithms = ["first", "wide"]\nboards = ["1 2 3/4 5 6/0 7 8"]'
    )
    planned = from_toml(text, name="x", folder=tmp_path).planned_runs()
    runs = [(each.run.profile, each.run.algorithm, each.run.rules) for each in planned]
    assert runs == [("", "astar", "ties=oldest"), ("", "bfs", "default")]
    assert [each.labels["method"] for each in planned] == ["first", "wide"]
    assert planned[0].run.goal == "last"


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_file_of_every_course_is_one_that_a_teacher_could_have_written(name: str) -> None:
    copy = read_course(starting_text("copy", name))
    own = COURSES[name]
    assert (copy.name, copy.about, copy.goal) == ("copy", own.about, own.goal)
    assert [each.name for each in copy.methods] == [each.name for each in own.methods]
    assert copy.rules == own.rules and copy.differences == own.differences
    assert 'name = "copy"' in starting_text("copy", name) and file_text(name).startswith("#")


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_examples_of_every_course_come_out(name: str) -> None:
    course = COURSES[name]
    assert course.examples
    for example in course.examples:
        method = course.by_word(str(course.grading.read_method(example.method)))
        came = output_text(course, method, run_course(course, method, Board.parse(example.board)))
        assert differing_line(example.output, came) is None


def methods_of_files() -> list[tuple[Course, str]]:
    courses = [COURSES[name] for name in ("princeton", "n-puzzle", "aima")]
    courses.append(read_course(starting_text("new")))
    return [(course, method.name) for course in courses for method in course.methods]


@pytest.mark.parametrize(
    ("course", "name"), methods_of_files(), ids=lambda each: getattr(each, "name", each)
)
def test_what_a_template_writes_it_reads(course: Course, name: str) -> None:
    method = course.by_word(name)
    boards = list(scramble("3x3", goal=course.goal, depth=6, count=3, seed=5, distinct=True))
    results = [run_course(course, method, board) for board in boards]
    text = "\n\n".join(f"student's words\n{output_text(course, method, each)}" for each in results)
    answers = course.grading.read_answers("a.txt", text)
    assert [answer.faults for answer in answers] == [[], [], []]
    for answer, result in zip(answers, results, strict=True):
        answer.understand("blank")
        assert answer.moves == result.moves and answer.values["length"] == str(result.cost)
        if "expanded" in answer.values:
            assert answer.values["expanded"] == str(result.stats.expanded)


def test_check_names_the_line_that_differs(tmp_path: Path, tilewise: Run) -> None:
    text = starting_text("mine").replace("Nodes expanded: 2", "Nodes expanded: 3")
    (tmp_path / "mine.toml").write_text(text)
    checked = tilewise("course", "check", "mine.toml")
    assert checked.returncode == 1
    assert "1: astar on 1 2 3/4 5 6/0 7 8: line 3 differs" in checked.stdout
    assert "expected 'Nodes expanded: 3'" in checked.stdout
    assert "got      'Nodes expanded: 2'" in checked.stdout


MISTAKES = [
    ('name = "evening"', 'name = "an evening"', "name: expected a word of letters"),
    ('goal = "last"', 'goal = "lats"', "goal: expected"),
    ('goal = "last"', 'goal = "1 2 3"', "goal: expected"),
    ('goal = "last"', 'goale = "last"', "expected the keys name, title, goal"),
    ('title = "An evening course"', "", "title: expected a text, got nothing"),
    ('title = "An evening course"', "title = 3", "title: expected a text, got 3"),
    ('rules = "ties=oldest"', 'rules = "ties=old"', "rules: expected ties as"),
    ('rules = "ties=oldest"', 'rules = "knob=1"', "rules: expected a knob"),
    ('rules = "ties=oldest"', 'notation = "latin"', "notation: expected a notation"),
    ('rules = "ties=oldest"', 'shape = "3"', "shape: expected a shape such as 3x3, got '3'"),
    ('rules = "ties=oldest"', 'usual = "third"', "usual: expected one of the methods first, wide"),
    ('algorithm = "astar"', 'algorithm = "astra"', "method first: algorithm: expected"),
    ('algorithm = "astar"', "", "method first, algorithm: expected an algorithm"),
    ('heuristic = "manhattan"', 'heuristic = "manhatan"', "method first: heuristic: expected"),
    ('algorithm = "bfs"', 'algorithm = "bfs"\nheuristic = "h1"', "method wide: heuristic: expec"),
    ('algorithm = "bfs"', 'algorithm = "bfs"\nrules = "x"', "method wide: rules: expected"),
    ('name = "wide"', 'name = "first"', "methods: expected different names, got first twice"),
    ("[[methods]]", "[methods]", "Cannot"),
    ("$", '[output]\nsolved = "{lenght}"', "output, solved: expected the fields board, goal"),
    ("$", '[output]\nsolved = "{length"', "output, solved: expected a field in braces"),
    ("$", '[output]\nsolved = "{length.__class__}"', "output, solved: expected the fields"),
    ("$", '[output]\nstep = "{length}"', "output, step: expected the fields number, move"),
    ("$", '[output]\nmoves = "loud"', "output, moves: expected letters, runs, words"),
    ("$", '[output]\nmoves_of = "me"', "output, moves_of: expected blank or tile, got 'me'"),
    ("$", "[output]\ncell_width = 0", "output, cell_width: expected a whole number from 1 to 9"),
    ("$", "[grading]\ntolerance = -1", "grading, tolerance: expected a whole number"),
    ("$", '[grading]\ntolerance = "5"', "grading, tolerance: expected a whole number"),
    ("$", "[grading]\npoints = { pth = 4 }", "expected path, optimal, length"),
    ("$", '[grading]\nwords = { lenght = "Moves" }', "(did you mean length?)"),
    ("rules =", 'counters = ["expandd"]\nrules =', "(did you mean expanded?)"),
    (
        "$",
        '[[grading.sample]]\nmethod = "third"\npoints = "path = 1"',
        "grading, sample 1: method: expected first or wide, got 'third'",
    ),
    (
        "$",
        '[[grading.sample]]\nmethod = "first"\npoints = "pth = 1"',
        "grading, sample 1: points: expected points such as path = 4, length = 1, got 'pth = 1'",
    ),
    ("$", '[grading]\ncounts = "any"', "grading, counts: expected profile, sound or known"),
    ("$", '[[examples]]\nmethod = "first"\noutput = ""', "example 1, board: expected the text"),
    ("$", '[[examples]]\nboard = "1"\nmethod = "first"\noutput = ""', "example 1: board: expected"),
    (
        "$",
        '[[examples]]\nboard = "1 2 3/4 5 6/7 8 0"\nmethod = "third"\noutput = ""',
        "example 1: method: expected first or wide, got 'third'",
    ),
]


@pytest.mark.parametrize(("right", "wrong", "message"), MISTAKES)
def test_a_mistake_is_one_line_with_its_key(right: str, wrong: str, message: str) -> None:
    text = f"{MINIMAL}\n{wrong}" if right == "$" else MINIMAL.replace(right, wrong, 1)
    with pytest.raises(SpecError) as refused:
        read_course(text, where="mine.toml")
    said = str(refused.value)
    assert said.startswith("mine.toml") and message in said and "\n" not in said
    assert "expected" in said


def test_a_mistake_ends_with_exit_code_2(tmp_path: Path, tilewise: Run) -> None:
    (tmp_path / "mine.toml").write_text(MINIMAL.replace('"last"', '"lats"'))
    for arguments in (
        ["course", "check", "mine.toml"],
        ["solve", "1 2 3/4 5 6/0 7 8", "--profile", "mine.toml"],
    ):
        done = tilewise(*arguments)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
        assert "goal: expected" in done.stderr and "did you mean last" in done.stderr


SPY = """
from pathlib import Path
Path("ran").write_text("code of a stranger was run")
"""


def test_a_file_never_makes_a_python_file_run(tmp_path: Path) -> None:
    (tmp_path / "spy.py").write_text(SPY)
    for text in ('profile = "spy.py"', f'profile = "{tmp_path / "spy.py"}"'):
        with pytest.raises(TilewiseError, match="a program is loaded only from the command line"):
            read_assignment(
                f'title = "x"\n{text}\n[[questions]]\nboard = "1b2 345 678"\nmethod = "bfs"\n'
                "points = { path = 1 }",
                folder=tmp_path,
            )
        with pytest.raises(TilewiseError, match="a program is loaded only from the command line"):
            from_toml(f'{text}\nboards = ["1b2 345 678"]', name="x", folder=tmp_path).planned_runs()
    assert not (tmp_path / "ran").exists() and not Path("ran").exists()


def test_a_python_file_that_the_user_names_is_a_course(tmp_path: Path, tilewise: Run) -> None:
    (tmp_path / "own.py").write_text(
        "from dataclasses import replace\n"
        "from tilewise.courses import COURSES\n"
        "COURSE = replace(COURSES['columbia'], name='evening', goal='last')\n"
    )
    done = tilewise("course", "run", "own.py", "bfs", "1 2 3/4 5 6/7 0 8")
    assert done.returncode == 0 and "cost_of_path: 1" in done.stdout
    (tmp_path / "none.py").write_text("x = 1\n")
    refused = tilewise("course", "run", "none.py", "bfs", "1 2 3/4 5 6/7 0 8")
    assert refused.returncode == 2
    assert "expected a Python file with a Course named COURSE" in refused.stderr


def test_a_file_that_was_changed_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "evening.toml"
    for time, goal in enumerate(("last", "first")):
        file.write_text(MINIMAL.replace("last", goal))
        os.utime(file, ns=(time, time))
        assert find_course(str(file)).goal == goal


def test_the_name_of_a_built_in_course_cannot_be_taken(tmp_path: Path) -> None:
    (tmp_path / "fake.toml").write_text(MINIMAL.replace("evening", "columbia"))
    with pytest.raises(SpecError, match="expected a name that no course of tilewise has"):
        find_course(str(tmp_path / "fake.toml"))
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.toml").write_text(MINIMAL)
    find_course(str(tmp_path / "a" / "mine.toml"))
    with pytest.raises(SpecError, match="expected courses of different names, got evening"):
        find_course(str(tmp_path / "b" / "mine.toml"))


def test_check_says_what_the_grader_could_not_read(tmp_path: Path, tilewise: Run) -> None:
    bare = MINIMAL + '[output]\nsolved = "{length}\\n{path}"\n[grading]\npoints = { path = 1 }\n'
    (tmp_path / "bare.toml").write_text(bare)
    said = tilewise("course", "check", "bare.toml")
    assert said.returncode == 1
    assert "expected lines with words beside path, by which answers are read" in said.stdout


@pytest.mark.parametrize(
    ("settings", "shape", "moves"),
    [
        ('goal = "1 2 3/4 5 0"', "2x3", "blank"),
        ('goal = "last"\nshape = "2x2"', "2x2", "blank"),
        ('goal = "last"\nshape = "4x4"', "4x4", "tile"),
    ],
)
def test_a_sample_assignment_is_for_the_shape_and_the_moves_of_its_course(
    settings: str, shape: str, moves: str, tmp_path: Path
) -> None:
    text = MINIMAL.replace('goal = "last"', settings) + f'[output]\nmoves_of = "{moves}"\n'
    (tmp_path / "mine.toml").write_text(text)
    written = sample(str(tmp_path / "mine.toml"), 1)
    assignment = read_assignment(written)
    assert {question.board.shape for question in assignment.questions} == {shape}
    assert assignment.policy.moves == moves


def test_no_line_of_a_student_is_tried_for_ever(tmp_path: Path, tilewise: Run) -> None:
    output = (
        '[output]\nsolved = "Path: {path} Cost: {length}\\nBy {method} of {board} {path} end"\n'
    )
    (tmp_path / "mine.toml").write_text(MINIMAL + output)
    (tmp_path / "hw.toml").write_text(
        'title = "x"\nprofile = "mine.toml"\n[[questions]]\nboard = "1 2 3/4 5 6/7 0 8"\n'
        'method = "first"\npoints = { path = 1 }\n'
    )
    (tmp_path / "class").mkdir()
    lines = [f"Path: a{' ' * 500_000}", f"By {'x of x ' * 200_000}", "a\n" * 1_000_000]
    lines.append("Path: R Cost: 1\n")
    (tmp_path / "class" / "ann.txt").write_text("\n".join(lines))
    done = tilewise("grade", "class", "--assignment", "hw.toml")
    assert done.returncode == 0 and "ann           1   1" in done.stdout, done.stdout


def test_the_loader_without_pydantic_makes_the_same_course() -> None:
    import tomllib

    plain, checked = course_of(form_of(tomllib.loads(MINIMAL))), read_course(MINIMAL)
    assert (plain.methods, plain.rules, plain.output) == (
        checked.methods,
        checked.rules,
        checked.output,
    )
    assert plain.grading.sample == checked.grading.sample

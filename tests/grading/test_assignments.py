"""Assignments: what is refused, and samples whose model answers earn all points."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from tests.one_student import COLUMBIA, graded
from tilewise.cli.app import run
from tilewise.courses import COURSES
from tilewise.errors import SpecError
from tilewise.grading import answer_key, read_assignment
from tilewise.grading.sample_assignments import sample
from tilewise.tables.distances import distance_table


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Search"', "", "^title: expected a text, got nothing$"),
        ('title = "Search"', "title = 3", "^line 1: title: expected a text, got 3$"),
        ('"columbia"', '"columbi"', r"got 'columbi' \(did you mean columbia\?\)"),
        ('name = "far"', 'name = "SHORT"', "expected every question to have its own name"),
        ('name = "far"', 'name = "../far"', "expected a name of letters, digits, - and _"),
        ('"ast"', '"dijkstra"', "question far: expected a method bfs, dfs, ast or ida"),
        ("8,6,4,2", "8,6,4,4", "question far: expected each tile"),
        ("8,6,4,2,1,3,5,7,0", "8,6,4,1,2,3,5,7,0", "far: expected no points but for no_solution"),
        ("length = 2, expanded = 1 }", "shortest = 2 }", "got 'shortest'"),
        (
            "path = 4",
            "path = -1",
            "question short, points, path: expected a number from 0 to 1,000,000, got",
        ),
        (
            "path = 4",
            "path = inf",
            "question short, points, path: expected a number from 0 to 1,000,000, got",
        ),
        (
            "path = 4",
            "path = true",
            "question short, points, path: expected a number from 0 to 1,000,000, got",
        ),
        ("max_depth = 1", "no_solution = 1", "the profile columbia solves it in 26 moves"),
        (
            'method = "bfs"',
            'method = "bfs"\nmax_nodes = 0',
            "question short, max_nodes: expected a whole number from 1 to",
        ),
        ("[[questions]]", "[[question]]", r"got 'question' \(did you mean questions\?\)"),
        ("{policy}", "[policy]\ntolerence = 1", r"policy: .* \(did you mean tolerance\?\)"),
        (
            "{policy}",
            '[policy]\ncounts = "all"',
            r"^line \d+: policy, counts: expected profile, sound or known, got 'all'$",
        ),
        (
            "{policy}",
            '[policy]\ntolerance = "5"',
            r'^line \d+: policy, tolerance: expected .* or a share as in "5%", got',
        ),
        (
            "{policy}",
            "[policy]\nmegabytes = nan",
            r"^line \d+: policy, megabytes: expected a number from 0.001 to 1,024, got nan$",
        ),
        ("{policy}", "policy = 3", r"^line \d+: policy: expected a table of keys, got 3$"),
        ("{policy}", "x = [", "^expected TOML: "),
        ("{policy}", f"x = {'[' * 5000}", "^expected TOML: "),
        ("{policy}", f"x = {'9' * 5000}", "^expected TOML: "),
    ],
)
def test_a_wrong_assignment_is_refused_with_its_place(old: str, new: str, message: str) -> None:
    text = COLUMBIA.replace(old, new).replace("{policy}", "")
    text = text.replace("{{", "{").replace("}}", "}")
    with pytest.raises(SpecError, match=message):
        answer_key(read_assignment(text))


def test_quantities_in_an_assignment_may_be_written_as_on_the_command_line() -> None:
    policy = '[policy]\ndiagnose = "1m"\ndiagnose_all = "0.5h"\nmegabytes = "512kB"\n'
    text = COLUMBIA.format(policy=policy).replace(
        'method = "bfs"', 'method = "bfs"\nmax_nodes = "10k"'
    )
    assignment = read_assignment(text)
    assert assignment.policy.diagnose == 60
    assert assignment.policy.diagnose_all == 1800
    assert assignment.policy.megabytes == 0.5
    assert assignment.questions[0].max_nodes == 10_000


def test_points_for_all_questions_can_stand_in_one_place() -> None:
    text = (
        'title = "T"\nprofile = "cs170"\npoints = { length = 2, expanded = 0.5 }\n'
        '[[questions]]\nboard = "1 2 3/4 5 6/7 0 8"\nmethod = "1"\n'
        '[[questions]]\nboard = "1 2 3/4 5 6/0 7 8"\nmethod = "A* Manhattan"\npoints={length=1}\n'
    )
    questions = read_assignment(text).questions
    assert [(each.name, each.method, each.worth) for each in questions] == [
        ("q1", "ucs", 2.5),
        ("q2", "manhattan", 1),
    ]


def test_a_count_that_the_profile_does_not_have_is_refused() -> None:
    text = (
        'title = "T"\nprofile = "eecs391"\n'
        '[[questions]]\nboard = "1b2 345 678"\nmethod = "h1"\npoints = { expanded = 1 }\n'
    )
    with pytest.raises(SpecError, match=r"a count that eecs391 has \(generated\), got expanded"):
        answer_key(read_assignment(text))


def test_the_teacher_is_told_where_the_course_misses_the_optimum_it_asks_for() -> None:
    text = COLUMBIA.format(policy="").replace("8,6,4,2,1,3,5,7,0", "4,6,2,7,1,5,3,0,8")
    text = text.replace("max_depth = 1", "optimal = 1")
    warning = answer_key(read_assignment(text))["far"].warning
    assert warning is not None and "finds 15 moves where 13 are enough" in warning


@pytest.mark.parametrize("profile", COURSES)
@pytest.mark.parametrize("seed", [1, 77])
def test_a_sample_has_boards_of_exact_depth_and_its_model_answers_get_all_points(
    profile: str,
    seed: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assignment = read_assignment(sample(profile, seed))
    files = {}
    for question, draft in zip(assignment.questions, assignment.course.grading.sample, strict=True):
        goal = assignment.course.goal_for(question.board)
        if draft.depth is None:
            assert not goal.reachable_from(question.board)
        else:
            assert distance_table(goal).distance(question.board.tiles) == draft.depth
    for name, model in answer_key(assignment).items():
        files[f"{name}__txt"] = printed_by(model.command, monkeypatch, capsys)
    student = graded(tmp_path, sample(profile, seed), **files)
    assert (student.points, student.notes) == (assignment.worth, ())
    together = "".join(files.values())
    student = graded(tmp_path / "together", sample(profile, seed), session__log=together)
    assert (student.points, student.notes) == (assignment.worth, ())


def printed_by(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """What a command of a model answer prints; it is run in this process."""
    typed, _, program = command.rpartition(" | ")
    answers = typed.removeprefix("printf '").removesuffix("'").replace("\\n", "\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    words = re.findall(r'"[^"]*"|\S+', program)[1:]
    run([word.strip('"') for word in words])
    return capsys.readouterr().out

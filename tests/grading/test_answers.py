"""Answers of students: in which forms they are read, and to which questions they belong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.one_student import COLUMBIA, FAR, csv_of, graded, reasons
from tilewise.cli.app import run
from tilewise.grading import answer_key, grade, read_assignment
from tilewise.grading.gradebook import Graded
from tilewise.grading.marking import Mark

Lost = Callable[..., list[str]]


@pytest.fixture
def lost(tmp_path: Path) -> Lost:
    """The reasons for the points that a student loses in the two columbia questions."""
    return partial(reasons, tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        csv_of("U L L,3,10,4", f"{FAR},26,1585,26"),
        csv_of("U L L,3,10,4", f"{FAR},26,1585,26").replace(",", ";"),
        csv_of("U L L,3,10,4", f"{FAR},26,1585,26").replace(",", "\t"),
        '\n# mine\nBoard,Method,Moves,Cost,Expanded,Max Depth\n"1,2,5,3,4,0,6,7,8",bfs,ULL,3,10,4\n'
        f'"8,6,4,2,1,3,5,7,0",ast,{FAR},26,"1,585",26.0\n',
    ],
    ids=["commas", "semicolons", "tabs", "boards"],
)
def test_csv_files_are_read(lost: Lost, text: str) -> None:
    assert lost(a__csv=text) == []


SHORT_JSON = '{"path": ["Up", "Left", "Left"], "cost": 3, "expanded": 10}'
FAR_JSON = f'{{"moves": "{FAR}", "length": "26", "stats": {{"expanded": 1585, "max_depth": 26}}}}'


@pytest.mark.parametrize(
    "text",
    [
        f'{{"short": {SHORT_JSON}, "far": {FAR_JSON}}}',
        f'{{"answers": {{"Short": {SHORT_JSON}, "FAR": {FAR_JSON}}}}}',
        f"[{SHORT_JSON}, {FAR_JSON}]",
        f"{SHORT_JSON}\n{FAR_JSON}\n",
        f'[{{"question": "far", {FAR_JSON[1:]}, {SHORT_JSON}]',
    ],
    ids=["by name", "answers", "list", "lines", "named first"],
)
def test_json_files_are_read(lost: Lost, text: str) -> None:
    assert lost(a__json=text) == []


def test_what_tilewise_solve_prints_as_json_is_an_answer(
    lost: Lost, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["solve", "1,2,5,3,4,0,6,7,8", "-a", "bfs", "--goal", "first", "--json"])
    run(["solve", "8,6,4,2,1,3,5,7,0", "-a", "astar", "-H", "h2", "--rules", "columbia", "--json"])
    assert lost(a__jsonl=capsys.readouterr().out) == []


def output(path: str, cost: int, expanded: int, depth: int) -> str:
    return (
        f"path_to_goal: {path}\ncost_of_path: {cost}\nnodes_expanded: {expanded}\n"
        f"search_depth: {cost}\nmax_search_depth: {depth}\n"
    )


SHORT, FAR_OUTPUT = output("['Up', 'Left', 'Left']", 3, 10, 4), output(FAR, 26, 1585, 26)


@pytest.mark.parametrize(
    "files",
    [
        {"output_far__txt": FAR_OUTPUT, "output_short__txt": SHORT},
        {"ast__txt": FAR_OUTPUT, "bfs__txt": SHORT},
        {"output1__txt": FAR_OUTPUT, "output2__txt": SHORT},
        {"log__txt": FAR_OUTPUT + SHORT},
        {"log__txt": f"$ driver.py ast 8,6,4,2,1,3,5,7,0\n{FAR_OUTPUT}{SHORT}"},
    ],
    ids=["names", "methods", "paths", "one file", "command lines"],
)
def test_an_answer_finds_its_question(lost: Lost, files: dict[str, str]) -> None:
    assert lost(**files) == []


def test_files_of_a_student_may_be_told_by_the_start_of_their_names(tmp_path: Path) -> None:
    for name, text in (("s_1_short", SHORT), ("s_2_far", FAR_OUTPUT), ("t_3_far", FAR_OUTPUT)):
        (tmp_path / f"{name}.txt").write_text(text)
    policy = "[policy]\ndiagnose = 0\nname_ends = '_'"
    book = grade(read_assignment(COLUMBIA.format(policy=policy)), tmp_path)
    assert [(each.student, each.points) for each in book.students] == [("s", 18), ("t", 8)]


def test_answers_that_nothing_tells_apart_are_taken_in_order(lost: Lost) -> None:
    empty = SHORT.replace("['Up', 'Left', 'Left']", "[]"), FAR_OUTPUT.replace(FAR, "[]")
    reasons = lost(log__txt="".join(empty))
    assert [reason.split(":")[0] for reason in reasons] == [
        "short path",
        "short optimal",
        "far path",
    ]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (csv_of("ULL,3,10,4", "x,1,1,1") + "near,U,1,1,1\n", "an answer to 'near', which is no"),
        (csv_of("ULL,3,10,4", "x,1,1,1") + "far,U,1,1,1\n", "a second answer to far; the first"),
        (csv_of("ULL,3,10,4", "x,1,1,1") + "far,U,1\n", "a.csv:4: expected 5 fields, got 3"),
        ('board,path\n"1,0,2,3,4,5,6,7,8",L\n', "a board that is not asked for: 1b2 345 678"),
        ("question,path\n", "a.csv: no rows with answers"),
        ("import os\nprint('hello')\n", "a.csv: no answer in a form that is known"),
        ('{"path": ', "a.csv: expected JSON: "),
    ],
)
def test_what_belongs_to_no_question_is_told(tmp_path: Path, text: str, note: str) -> None:
    student = graded(tmp_path, COLUMBIA.format(policy="[policy]\ndiagnose = 0"), a__csv=text)
    assert len(student.notes) == 1 and note in student.notes[0]


def test_of_two_answers_to_a_question_the_first_one_counts(tmp_path: Path) -> None:
    text = csv_of("ULL,3,10,4", "x,1,1,1")
    assignment = COLUMBIA.format(policy="[policy]\ndiagnose = 0")
    once = graded(tmp_path / "once", assignment, a__csv=text)
    twice = graded(tmp_path / "twice", assignment, a__csv=text + "short,x,9,9,9\n")
    assert twice.points_for("short") == once.points_for("short") > 0


def test_the_points_of_a_student_belong_to_their_questions() -> None:
    marks = (Mark("a", "path", 1, 2), Mark("b", "path", 2, 2), Mark("b", "cost", 4, 4))
    graded_one = Graded("s", marks, ())
    assert (graded_one.points_for("a"), graded_one.points_for("b")) == (1, 6)


TYPED = """\
Type "1" to use a default puzzle, or "2" to enter your own puzzle.
2
Enter row 1, use space or tabs between numbers    1 2 3
Enter row 2, use space or tabs between numbers    4 0 6
Enter row 3, use space or tabs between numbers    7 5 8
Enter your choice of algorithm
1. Uniform Cost Search
2. A* with the Misplaced Tile heuristic
3. A* with the Manhattan distance heuristic
{choice}
Solved in 2 steps!
Number of nodes expanded: {expanded}
Max size of queue: {queue}
Type "1" to run solver again, or "2" to exit.
1
"""


def test_a_typed_dialogue_tells_board_and_method(tmp_path: Path) -> None:
    question = '[[questions]]\nboard = "1 2 3/4 0 6/7 5 8"\nmethod = "{}"\npoints={{expanded=1}}\n'
    text = 'title = "T"\nprofile = "cs170"\n[policy]\ndiagnose = 0\n'
    text += question.format("ucs") + question.format("manhattan")
    counts = {
        name: model.found.counts["expanded"]
        for name, model in answer_key(read_assignment(text)).items()
    }
    session = TYPED.format(choice=3, expanded=counts["q2"], queue=5)
    session += TYPED.format(choice=1, expanded=counts["q1"], queue=9)
    assert counts["q1"] != counts["q2"]
    assert graded(tmp_path, text, session__txt=session).points == 2

"""What makes grading one that teachers trust: conventions, own settings, matching, the class."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tilewise import Board, solve
from tilewise.errors import SpecError
from tilewise.grading import Graded, answer_key, grade, read_assignment
from tilewise.grading.anonymity import anonymised
from tilewise.grading.class_summary import summary_text

HANG_GUARD = 120
HEAD = 'title = "Trust"\nprofile = "columbia"\n[policy]\ndiagnose = 0\n'
QUESTIONS = """
[[questions]]
name = "q1"
board = "1,2,5,3,4,0,6,7,8"
method = "bfs"
points = { path = 4, length = 2, expanded = 4 }
[[questions]]
name = "q2"
board = "3,1,2,0,4,5,6,7,8"
method = "ast"
points = { path = 10 }
"""


def graded(tmp_path: Path, assignment: str, text: str, name: str = "answers.csv") -> Graded:
    (tmp_path / "ann").mkdir(exist_ok=True)
    (tmp_path / "ann" / name).write_text(text)
    return grade(read_assignment(assignment), tmp_path).students[0]


@pytest.mark.parametrize(
    ("given", "how"),
    [("Question 1", "number"), ("1", "number"), ("Problem #1", "number")],
)
def test_a_question_of_another_name_is_found_by_its_number(
    tmp_path: Path, given: str, how: str
) -> None:
    found = graded(tmp_path, HEAD + QUESTIONS, f"question,path,length\n{given},Up Left Left,3\n")
    assert found.points_for("q1") == 6
    assert any(f"was taken for q1, by its {how}" in note for note in found.notes), found.notes


def test_content_goes_before_a_wrong_number(tmp_path: Path) -> None:
    text = 'question,board,path,length\nThe 2nd one,"1,2,5,3,4,0,6,7,8",Up Left Left,3\n'
    found = graded(tmp_path, HEAD + QUESTIONS, text)
    assert (found.points_for("q1"), found.points_for("q2")) == (6, 0)
    assert "'The 2nd one' was taken for q1, by its board" in found.notes[0]


def test_a_path_alone_finds_its_question(tmp_path: Path) -> None:
    found = graded(tmp_path, HEAD + QUESTIONS, "question,path\nthe easy one,Up\n")
    assert found.points_for("q2") == 10
    assert "'the easy one' was taken for q2, by its path" in found.notes[0]


def test_what_cannot_be_found_is_said(tmp_path: Path) -> None:
    found = graded(tmp_path, HEAD + QUESTIONS, "question,path\nQuestion 7,DD\n")
    assert found.points == 0 and "which is no question" in found.notes[0]


CONVENTIONS = """
[[conventions]]
name = "the goal counts as expanded"
rules = "count=goal"
[[conventions]]
name = "the order of another book"
rules = "order=RLDU"
"""


def test_a_named_convention_is_accepted_and_said(tmp_path: Path) -> None:
    board = Board.parse("1,2,5,3,4,0,6,7,8")
    other = solve(board, algorithm="bfs", goal="first", rules="order=RLDU").stats.expanded
    own = solve(board, algorithm="bfs", goal="first").stats.expanded
    assert other not in (own, own + 1)
    for count, points, words in (
        (own, 4, None),
        (own + 1, 4, "accepted by the convention 'the goal counts as expanded'"),
        (other, 4, "accepted by the convention 'the order of another book'"),
        (other + 7, 0, "expected 10"),
    ):
        text = f"question,expanded\nq1,{count}\n"
        found = graded(tmp_path, HEAD + CONVENTIONS + QUESTIONS, text)
        mark = next(mark for mark in found.marks if mark.item == "expanded")
        assert mark.points == points and (words or "") in (mark.reason or "")


OWN = """
title = "Own"
profile = "columbia"
goal = "last"
[policy]
diagnose = 0
[[questions]]
name = "mine"
board = "1 2 3/4 5 6/0 7 8"
algorithm = "astar"
heuristic = "max(misplaced, manhattan)"
rules = "ties=newest"
points = { path = 5, optimal = 1, expanded = 4 }
[[questions]]
name = "snail"
board = "1 2 3/8 4 0/7 6 5"
method = "bfs"
goal = "snail"
points = { path = 1, generated = 1 }
"""


def test_an_assignment_may_have_its_own_goal_heuristic_and_rules(tmp_path: Path) -> None:
    key = answer_key(read_assignment(OWN))
    assert key["mine"].goal.name == "last" and key["mine"].found.moves == "RR"
    assert key["snail"].goal.name == "snail" and key["snail"].found.moves == "L"
    assert "--goal 'last' --rules 'ties=newest'" in key["mine"].command
    wanted = solve(
        "1 2 3/4 5 6/0 7 8",
        goal="last",
        algorithm="astar",
        heuristic="max(misplaced, manhattan)",
        rules="ties=newest",
    )
    assert key["mine"].expected("expanded") == wanted.stats.expanded
    generated = key["snail"].expected("generated")
    text = f"question,path,expanded,generated\nmine,R R,{wanted.stats.expanded},\n"
    found = graded(tmp_path, OWN, text + f"snail,L,,{generated}\n")
    assert found.points == 12


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('goal = "snail"', 'goal = "snial"', "question snail: expected a goal"),
        ('method = "bfs"', "", "question snail: expected a method or an algorithm"),
        ('rules = "ties=newest"', 'rules = "ties=x"', "question mine: "),
        ('algorithm = "astar"', 'method = "bfs"', "expected an algorithm beside the heuristic"),
        ('"max(misplaced, manhattan)"', '"maxx"', "question mine: method astar: heuristic:"),
    ],
)
def test_a_mistake_in_own_settings_is_named(right: str, wrong: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        read_assignment(OWN.replace(right, wrong))


def test_a_search_of_the_courses_own_has_no_other_rules() -> None:
    text = (HEAD + QUESTIONS).replace("columbia", "cs170").replace('"bfs"', '"ucs"\nrules = "fifo"')
    with pytest.raises(SpecError, match="expected no goal and no rules for ucs"):
        read_assignment(text.replace('"ast"', '"manhattan"'))


LATE = HEAD + 'deadline = 2026-01-10T12:00:00Z\nlate = "50%"\n' + QUESTIONS
ANSWERS = "question,path,length,expanded\nq1,Up Left Left,3,10\nq2,Up,,\n"


def test_late_and_missing_files_are_said_and_marked_as_the_assignment_wants(tmp_path: Path) -> None:
    for name, stamp in (("ann", 1_768_046_400 - 3600), ("bob", 1_768_046_400 + 3600)):
        (tmp_path / f"{name}.csv").write_text(ANSWERS)
        os.utime(tmp_path / f"{name}.csv", (stamp, stamp))
    text = LATE.replace("[policy]", 'students = ["ann", "Bob", "cyd"]\n[policy]')
    book = grade(read_assignment(text), tmp_path)
    found = {each.student: each for each in book.students}
    assert [found[name].points for name in ("ann", "bob", "cyd")] == [20, 10, 0]
    assert found["ann"].notes == ()
    assert found["bob"].notes == (
        "late: changed at 2026-01-10 13:00, after the deadline of 2026-01-10 12:00, "
        "which costs 50%",
    )
    assert found["cyd"].notes == ("nothing was handed in",)


def test_nobody_loses_points_for_a_form_that_was_not_asked_for(tmp_path: Path) -> None:
    forms = {
        "words.csv": "question,path,length,expanded\nq1,up left left,3 moves,10 nodes\nq2,up,,\n",
        "list.csv": "question;path;length;expanded\nQ1;['Up', 'Left', 'Left'];3.0;10\n"
        "Q2;['Up'];;\n",
        "letters.json": '[{"question": "q1", "path": "ULL", "length": 3, "expanded": 10},'
        ' {"question": "q2", "path": "U"}]',
    }
    for name, text in forms.items():
        student = tmp_path / name.partition(".")[0]
        student.mkdir()
        (student / name).write_text(text)
    book = grade(read_assignment(HEAD + QUESTIONS), tmp_path)
    assert {each.student: each.points for each in book.students} == {
        "words": 20,
        "list": 20,
        "letters": 20,
    }, [each.marks for each in book.students]


def test_the_summary_has_the_spread_and_the_commonest_mistake_with_its_finding(
    tmp_path: Path,
) -> None:
    for number in range(5):
        (tmp_path / f"s{number}.csv").write_text(
            ANSWERS.replace(",10", ",11") if number else ANSWERS
        )
    assignment = read_assignment((HEAD + QUESTIONS).replace("diagnose = 0", "diagnose = 20"))
    text = summary_text(grade(assignment, tmp_path))
    assert "5 students; of 20 points: mean 16.8, median 16.0, least 16, most 20" in text
    assert "| q1 | 10 | 6.8 | 6.0 | 1 | 4 | 0 | `0 0 0 4 1` |" in text
    assert "- 4 students, q1 (expanded): nodes_expanded is 11, expected 10" in text
    assert "the goal counted as expanded" in text


def test_an_anonymous_gradebook_has_no_name_anywhere(tmp_path: Path) -> None:
    (tmp_path / "ann_miller.csv").write_text(ANSWERS + "ann_miller,U,,\n")
    book, names = anonymised(grade(read_assignment(HEAD + QUESTIONS), tmp_path))
    assert names == {"student-1": "ann_miller"} and book.students[0].points == 20
    assert "ann_miller" not in repr(book.students).lower() and book.students[0].notes


def test_the_command_line_exports_hides_names_and_shows_what_it_would_read(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "ann.csv").write_text(ANSWERS)
    (folder / "bob.csv").write_text("question,path\nQuestion 2,Up\n")
    (tmp_path / "hw.toml").write_text(HEAD + QUESTIONS)

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tilewise", "grade", "answers", "--assignment", "hw.toml"]
        return subprocess.run(
            [*command, *more],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=HANG_GUARD,
            check=False,
        )

    dry = run("--dry-run")
    assert dry.returncode == 0 and not (tmp_path / "grades").exists()
    assert dry.stdout.splitlines()[:3] == [
        "ann: ann.csv (59 characters)",
        "  q1       ann.csv:2",
        "  q2       ann.csv:3",
    ]
    assert "  note: bob.csv:2: 'Question 2' was taken for q2, by its number" in dry.stdout
    assert dry.stdout.splitlines()[-1] == "nothing was graded or written"
    columns = "Student ID=student,Grade=percent,q2,Comment=reasons"
    done = run("--export", "lms.csv", "--columns", columns, "--anonymous", "--names", "names.csv")
    assert done.returncode == 0, done.stderr
    rows = list(csv.reader((tmp_path / "lms.csv").read_text().splitlines()))
    assert rows[0] == ["Student ID", "Grade", "q2", "Comment"]
    names = dict(csv.reader((tmp_path / "names.csv").read_text().splitlines()))
    by_name = {names[row[0]]: row for row in rows[1:]}
    assert by_name["ann"][1:] == ["100", "10", ""]
    assert by_name["bob"][1:3] == ["50", "10"] and "no answer" in by_name["bob"][3]
    kept = [path for path in (tmp_path / "grades").rglob("*") if path.is_file()]
    assert {path.name for path in kept} >= {"grades.csv", "summary.md", "student-1.md"}
    for path in kept:
        assert "bob" not in path.name and "bob" not in path.read_text()
    refused = run("--export", "lms.csv", "--columns", "studnet")
    assert refused.returncode == 2 and "did you mean student" in refused.stderr


def test_a_file_that_is_named_like_a_question_is_taken_for_it(tmp_path: Path) -> None:
    text = """title = "T"
profile = "princeton"
[[questions]]
board = "0 1 3/4 2 5/7 8 6"
method = "manhattan"
points = { path = 1 }
[[questions]]
board = "1 2 3/4 5 6/8 7 0"
method = "manhattan"
points = { no_solution = 1 }
"""
    for name, file in (("ann", "Question 2.txt"), ("bob", "02.txt"), ("cyd", "answer.txt")):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text("Unsolvable puzzle\n")
    (tmp_path / "student-1.txt").write_text("No solution possible\n")
    students = {each.student: each for each in grade(read_assignment(text), tmp_path).students}
    assert [(name, each.points) for name, each in students.items()] == [
        ("ann", 1),
        ("bob", 1),
        ("cyd", 1),
        ("student-1", 1),
    ]
    said = "Question 2.txt: taken for q2, by the number in its name"
    assert any(said in note.replace(":1:", ":") for note in students["ann"].notes)
    assert students["cyd"].notes == ()


def test_a_count_without_the_goal_is_named_where_the_course_counts_it(tmp_path: Path) -> None:
    text = """title = "T"
profile = "n-puzzle"
[policy]
diagnose = 0
[[questions]]
name = "q1"
board = "1 2 3/8 6 4/7 5 0"
method = "manhattan"
points = { expanded = 1, peak_stored = 1 }
"""
    (tmp_path / "ann.txt").write_text("Time complexity = 2\nSpace complexity: 5\nMoves: 2\n")
    (student,) = grade(read_assignment(text), tmp_path).students
    assert [mark.points for mark in student.marks] == [0, 1]
    assert "without the goal, which the course counts" in str(student.marks[0].reason)

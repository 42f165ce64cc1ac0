"""Wrong counts in grading: what the count doctor says, whose rules are accepted, in what time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewise.grading import Gradebook, grade, read_assignment

ASSIGNMENT = """\
title = "Search"
profile = "columbia"
[policy]
{policy}
[[questions]]
board = "3,2,4,8,1,5,6,7,0"
method = "ast"
points = {{ expanded = 1 }}
"""
COURSE, FIFO, UNSOUND, STORED = 74, 77, 75, 124
"""Expanded under the course's rules; under fifo, which is sound; with the course's goal counted,
which is not; and what the course stores."""


def graded(tmp_path: Path, policy: str, counts: list[str]) -> tuple[Gradebook, list[str]]:
    """A class in which each student gives one count, and what the progress was reported."""
    for number, count in enumerate(counts):
        (tmp_path / f"{number}.csv").write_text(f"question,expanded\nq1,{count}\n")
    reported = []
    book = grade(
        read_assignment(ASSIGNMENT.format(policy=policy)),
        tmp_path,
        lambda what, done, count: reported.append(f"{what} {done} of {count}"),
    )
    return book, reported


def test_each_different_count_is_looked_into_once_and_named(tmp_path: Path) -> None:
    counts = [str(count) for count in (COURSE, FIFO, FIFO, FIFO, 1, STORED)]
    book, reported = graded(tmp_path, "", counts)
    assert [student.points for student in book.students] == [1, 0, 0, 0, 0, 0]
    looked = [line for line in reported if line.startswith("looking")]
    assert looked == [f"looking into counts {done} of 3" for done in (1, 2, 3)]
    reasons = [student.marks[0].reason or "" for student in book.students]
    assert reasons[0] == "" and reasons[1] == reasons[2] == reasons[3]
    assert reasons[1].startswith("nodes_expanded is 77, expected 74; 77 expanded is what this")
    assert "fifo" in reasons[1] and "sound" in reasons[1]
    assert reasons[4].startswith("nodes_expanded is 1, expected 74; 1 expanded: no rule known")
    assert "number for stored; if it is the number of nodes stored: 124 is" in reasons[5]


def test_the_policy_says_whose_count_is_accepted(tmp_path: Path) -> None:
    given = [str(count) for count in (COURSE, FIFO, UNSOUND, STORED)]
    points = {}
    for counts in ("profile", "sound", "known"):
        folder = tmp_path / counts
        folder.mkdir()
        some = given[:2] if counts == "profile" else given
        book, _ = graded(folder, f'counts = "{counts}"', some)
        points[counts] = [student.points for student in book.students]
    assert points == {"profile": [1, 0], "sound": [1, 1, 0, 0], "known": [1, 1, 1, 0]}


@pytest.mark.parametrize("count", ["50001", "999999999999999", "0"])
def test_a_count_that_no_search_should_be_run_for_is_not_looked_into(
    tmp_path: Path, count: str
) -> None:
    book, _ = graded(tmp_path, "", [count])
    assert book.students[0].marks[0].reason == f"nodes_expanded is {int(count):,}, expected 74"


def test_the_doctor_stops_when_the_time_for_the_class_is_over(tmp_path: Path) -> None:
    book, _ = graded(tmp_path, "diagnose_all = 0", [str(FIFO)])
    assert book.students[0].marks[0].reason == (
        "nodes_expanded is 77, expected 74; not looked into: the time for that was over"
    )

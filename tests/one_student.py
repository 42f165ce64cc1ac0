"""One student's answers to a small assignment, for the tests of grading."""

from __future__ import annotations

from pathlib import Path

from tilewise.grading import Graded, grade, read_assignment

COLUMBIA = """\
title = "Search"
profile = "columbia"
{policy}
[[questions]]
name = "short"
board = "1,2,5,3,4,0,6,7,8"
method = "bfs"
points = {{ path = 4, optimal = 3, length = 2, expanded = 1 }}
[[questions]]
name = "far"
board = "8,6,4,2,1,3,5,7,0"
method = "ast"
points = {{ path = 4, length = 2, expanded = 1, max_depth = 1 }}
"""
FAR = "LUULDRDLURRULLDRRULDDRULUL"


def graded(tmp_path: Path, assignment: str, **files: str) -> Graded:
    """One student, called s, with files of these names (`__` stands for the dot)."""
    folder = tmp_path / "answers" / "s"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    book = grade(read_assignment(assignment), folder.parent)
    return book.students[0]


def reasons(tmp_path: Path, policy: str = "diagnose = 0", **files: str) -> list[str]:
    """Why a student loses points in the two questions of the assignment."""
    student = graded(tmp_path, COLUMBIA.format(policy=f"[policy]\n{policy}"), **files)
    return [
        f"{mark.question} {mark.item}: {mark.reason}"
        for mark in student.marks
        if mark.points < mark.worth
    ]


def csv_of(short: str, far: str) -> str:
    """A CSV file with an answer to each of the two questions, from the path on."""
    return f"question,path,cost,nodes_expanded,max_search_depth\nshort,{short}\nfar,{far}\n"

"""The course CS170: a menu, uniform cost and A*, a trace of every expanded node."""

from __future__ import annotations

from dataclasses import replace

from tilewise.courses.answers import Answer
from tilewise.courses.cs170.methods import FORM, METHODS, command_line, read_method


def _read_answers(file: str, text: str) -> list[Answer]:
    from tilewise.courses.cs170.transcripts import read_answers

    return read_answers(file, text)


COURSE = replace(
    FORM,
    command="tilewise menu",
    methods=METHODS,
    usual=METHODS[-1],
    heuristics={"2": "misplaced", "3": "manhattan"},
    any_goal=False,
    diagnosis="the search of the profile cs170: no duplicate detection but the step straight back, "
    "ties as the heap of C++'s std::priority_queue leaves them, order U D L R",
    grading=replace(
        FORM.grading,
        read_method=read_method,
        read_answers=_read_answers,
        command=command_line,
        points={},
    ),
)

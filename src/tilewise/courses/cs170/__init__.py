"""The course CS170: a menu, uniform cost and A*, a trace of every expanded node."""

from __future__ import annotations

from tilewise.core.rules import Rules
from tilewise.courses.answers import Answer
from tilewise.courses.course import Course, Draft, Grading
from tilewise.courses.cs170.methods import METHODS, NAME, command_line, read_method

_POINTS = "length = 3, expanded = 4, max_frontier = 2, output = 1"


def _read_answers(file: str, text: str) -> list[Answer]:
    from tilewise.courses.cs170.transcripts import read_answers

    return read_answers(file, text)


COURSE = Course(
    name=NAME,
    about="the menu program: uniform cost, misplaced and Manhattan, with traces",
    command="tilewise menu",
    goal="last",
    heuristics={"2": "misplaced", "3": "manhattan"},
    differences=(
        "no duplicate detection but the step straight back",
        "ties are decided by the heap of C++'s std::priority_queue, compared by f alone",
        "the size of the queue is looked at after each expansion",
    ),
    methods=METHODS,
    usual=METHODS[2],
    rule_set=NAME,
    rules=Rules(ties="oldest", duplicates="ancestors(2)", given=frozenset()),
    diagnosis="the search of the profile cs170: no duplicate detection but the step straight back, "
    "ties as the heap of C++'s std::priority_queue leaves them, order U D L R",
    grading=Grading(
        methods="ucs, misplaced or manhattan",
        read_method=read_method,
        read_answers=_read_answers,
        command=command_line,
        words={
            "length": "steps",
            "expanded": "Number of nodes expanded",
            "max_frontier": "Max size of queue",
        },
        notation="slidysim",
        sample=(
            Draft("ucs", 8, _POINTS),
            Draft("misplaced", 10, _POINTS),
            Draft("manhattan", 14, _POINTS),
            Draft("manhattan", None, "no_solution = 10"),
        ),
    ),
)

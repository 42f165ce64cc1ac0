"""grade(): a folder of answers becomes a gradebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tilewise.courses.answers import Answer
from tilewise.grading.assignment import Assignment
from tilewise.grading.likely_causes import Doctor
from tilewise.grading.marking import Mark, marks, wrong_counts
from tilewise.grading.matching import read_submission
from tilewise.grading.model_answers import ModelAnswer, answer_key
from tilewise.grading.submissions import FolderError, submissions

GradingProgress = Callable[[str, int, int | None], None]
"""Called with the kind of work, the amount done, and the total where it is known."""


@dataclass(frozen=True)
class Graded:
    """A student's marks, and what is to be said about the files."""

    student: str
    marks: tuple[Mark, ...]
    notes: tuple[str, ...]

    @cached_property
    def points(self) -> float:
        """All points of the student."""
        return sum(mark.points for mark in self.marks)

    def points_for(self, question: str) -> float:
        """The points for one question."""
        return sum(mark.points for mark in self.marks if mark.question == question)


@dataclass(frozen=True)
class Gradebook:
    """An assignment, its model answers and the marks of all students."""

    assignment: Assignment
    models: dict[str, ModelAnswer]
    students: tuple[Graded, ...]


def grade(
    assignment: Assignment, folder: Path, progress: GradingProgress | None = None
) -> Gradebook:
    """Grade every student of a folder. No code of students is run.

    First all answers are read, then every different wrong count is diagnosed once, then the
    marks are given.

    Args:
        assignment: The questions and what they are worth.
        folder: A folder with a file or a folder for each student.
        progress: Called while it works.

    Raises:
        SpecError: The folder cannot be read.

    Example:
        >>> import tempfile
        >>> from tilewise.grading.assignment import read_assignment
        >>> assignment = read_assignment('''
        ... title = "One board"
        ... profile = "columbia"
        ... [[questions]]
        ... name = "q1"
        ... board = "1,2,5,3,4,0,6,7,8"
        ... method = "bfs"
        ... points = { path = 4, optimal = 6 }
        ... ''')
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     answers = Path(folder, "student.csv")
        ...     _ = answers.write_text("question,path\\nq1,Up Left Left\\n")
        ...     book = grade(assignment, Path(folder))
        >>> [(each.student, each.points) for each in book.students]
        [('student', 10)]
    """

    def report(what: str, done: int, count: int | None = None) -> None:
        if progress:
            progress(what, done, count)

    policy, expected = assignment.policy, answer_key(assignment)
    read: list[tuple[str, dict[str, Answer], list[str]]] = []
    for submission in submissions(folder, policy.megabytes, policy.name_ends):
        read.append((submission.student, *read_submission(assignment, submission)))
        report("reading answers", len(read))
    if not read:
        raise FolderError(f"expected a folder with answers, got an empty one: {folder}")
    wrong = {case for _, given, _ in read for case in wrong_counts(assignment, expected, given)}
    doctor = Doctor(assignment, expected)
    doctor.look_into(wrong, lambda done: report("looking into counts", done, len(wrong)))
    graded = []
    for student, given, notes in read:
        graded.append(
            Graded(student, tuple(marks(assignment, expected, given, doctor)), tuple(notes))
        )
        report("marking", len(graded), len(read))
    return Gradebook(assignment, expected, tuple(graded))

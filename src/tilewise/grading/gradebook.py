"""grade(): a folder of answers becomes a gradebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path

from tilewise.courses.answers import Answer
from tilewise.grading.assignment import Assignment
from tilewise.grading.containment import Ran
from tilewise.grading.likely_causes import Doctor
from tilewise.grading.marking import Mark, marks, wrong_counts
from tilewise.grading.matching import read_submission
from tilewise.grading.model_answers import ModelAnswer, answer_key
from tilewise.grading.programs import Programs
from tilewise.grading.submissions import FolderError, last_changes, submissions

GradingProgress = Callable[[str, int, int | None], None]
"""Called with the kind of work, the amount done, and the total where it is known."""


@dataclass(frozen=True)
class Graded:
    """A student's marks, and what is to be said about the files."""

    student: str
    marks: tuple[Mark, ...]
    notes: tuple[str, ...]
    late_share: float = 0.0
    """The share of the points that is lost because the files were late."""

    @cached_property
    def points(self) -> float:
        """All points of the student."""
        points = sum(mark.points for mark in self.marks)
        return points * (1 - self.late_share) if self.late_share else points

    def points_for(self, question: str) -> float:
        """The points for one question."""
        return sum(mark.points for mark in self.marks if mark.question == question)


@dataclass(frozen=True)
class Gradebook:
    """An assignment, its model answers and the marks of all students."""

    assignment: Assignment
    models: dict[str, ModelAnswer]
    students: tuple[Graded, ...]
    printed: Mapping[str, Mapping[str, Ran]] = field(default_factory=dict)
    """What the programs of students printed, by student and question, where they were run."""


def grade(
    assignment: Assignment,
    folder: Path,
    progress: GradingProgress | None = None,
    programs: Programs | None = None,
) -> Gradebook:
    """Grade every student of a folder. No code of students is run unless `programs` says how.

    First all answers are read, then every different wrong count is diagnosed once, then the
    marks are given.

    Args:
        assignment: The questions and what they are worth.
        folder: A folder with a file or a folder for each student.
        progress: Called while it works.
        programs: How to run the students' programs, contained by bubblewrap; their outputs are
            graded in place of answer files.

    Raises:
        SpecError: The folder cannot be read.
        ContainmentError: Programs cannot be contained here.

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
    printed: dict[str, Mapping[str, Ran]] = {}
    if programs is not None:
        for student, ran in programs.run_all(assignment, folder):
            printed[student] = ran.printed
            read.append((student, ran.answers, ran.notes))
            report("running programs", len(read))
    else:
        for submission in submissions(folder, policy.megabytes, policy.name_ends):
            read.append((submission.student, *read_submission(assignment, submission)))
            report("reading answers", len(read))
    if not read:
        raise FolderError(f"expected a folder with answers, got an empty one: {folder}")
    read += _missing(assignment, [student for student, _, _ in read])
    wrong = {case for _, given, _ in read for case in wrong_counts(assignment, expected, given)}
    doctor = Doctor(assignment, expected)
    doctor.look_into(wrong, lambda done: report("looking into counts", done, len(wrong)))
    graded = []
    late = late_notes(assignment, folder)
    for student, given, notes in read:
        said = (*late.get(student, ()), *notes)
        share = policy.late_share if student in late else 0.0
        given_marks = tuple(marks(assignment, expected, given, doctor))
        graded.append(Graded(student, given_marks, said, share))
        report("marking", len(graded), len(read))
    return Gradebook(assignment, expected, tuple(graded), printed)


def _missing(
    assignment: Assignment, found: list[str]
) -> list[tuple[str, dict[str, Answer], list[str]]]:
    """Those of the list of students who handed in nothing."""
    there = {name.lower() for name in found}
    return [
        (name, {}, ["nothing was handed in"])
        for name in assignment.students
        if name.lower() not in there
    ]


def late_notes(assignment: Assignment, folder: Path) -> dict[str, list[str]]:
    """A note for each student whose files were changed after the deadline."""
    policy = assignment.policy
    if policy.deadline is None:
        return {}
    ends = policy.deadline.timestamp()
    lost = f", which costs {policy.late}" if policy.late_share else ""
    return {
        student: [
            f"late: changed at {datetime.fromtimestamp(changed, policy.deadline.tzinfo):%F %H:%M}, "
            f"after the deadline of {policy.deadline:%F %H:%M}{lost}"
        ]
        for student, changed in last_changes(folder, policy.name_ends).items()
        if changed > ends
    }

"""An assignment: what a teacher asks, how many points each part is worth, what is accepted.

It is a TOML file without answers; those are computed by the course's profile when it is graded.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from tilewise.core.rules import Rules
from tilewise.courses.course import Course, Method
from tilewise.courses.course_tables import PERCENT, POINTS, TOLERANCE, Points, Tolerance
from tilewise.courses.files import find_course
from tilewise.courses.form import MethodForm, method_of_form
from tilewise.errors import SpecError, TilewiseError, shortened, visible
from tilewise.puzzle.board import Board, Goal
from tilewise.toml_models import (
    Count,
    Field,
    Megabytes,
    Seconds,
    TomlTable,
    TomlText,
    read_model,
)

MOST_QUESTIONS = 200
MOST_NODES = 10_000_000
_SECONDS, _SECONDS_IN_ALL, _MEGABYTES = 3600, 86_400, 1024


class Policy(TomlTable):
    """What is accepted.

    `counts`: `profile` takes the number of the course's profile only, `sound` also that of any
    rules that never miss the optimum, `known` that of any rules that the count doctor knows.
    `tolerance`: how far a count may be off, a number of nodes or a share as in "5%".
    `diagnose`: seconds for the count doctor and one number (0: never), `diagnose_all` for all.
    `moves`: whether the students' moves are those of the blank or of the tile. `megabytes`: read
    of each student at most. `deadline`: files that were changed later are late, and `late` is the
    share of the points that is lost for it. `name_ends`: in the name of a file the student's name
    stands before this text, such as "_".
    """

    counts: Literal["profile", "sound", "known"] = Field(
        default="profile", description="profile, sound or known"
    )
    tolerance: Tolerance = Field(default=0, description=TOLERANCE)
    diagnose: Seconds = Field(
        default=30.0, ge=0, le=_SECONDS, description=f"a number from 0 to {_SECONDS:,}"
    )
    diagnose_all: Seconds = Field(
        default=300.0,
        ge=0,
        le=_SECONDS_IN_ALL,
        description=f"a number from 0 to {_SECONDS_IN_ALL:,}",
    )
    moves: Literal["blank", "tile"] = Field(default="blank", description="blank or tile")
    megabytes: Megabytes = Field(
        default=8.0, ge=0.001, le=_MEGABYTES, description=f"a number from 0.001 to {_MEGABYTES:,}"
    )
    name_ends: str = Field(default="", description="a text")
    deadline: datetime | None = Field(
        default=None, description="a date and time such as 2026-11-20T23:59:00Z"
    )
    late: Annotated[str, Field(pattern=rf"^{PERCENT.pattern}$")] = Field(
        default="0%", description='the share that is lost, as in "10%"'
    )

    @property
    def late_share(self) -> float:
        """The share of the points that who is late loses, from 0 to 1."""
        match = PERCENT.fullmatch(self.late)
        return min(1.0, float(match[1]) / 100) if match else 0.0

    def accepts(self, count: int, expected: int) -> bool:
        """Whether a count is the expected one, or near enough."""
        if isinstance(self.tolerance, str):
            match = PERCENT.fullmatch(self.tolerance)
            share = float(match[1]) / 100 if match else 0.0
            return abs(count - expected) <= share * expected
        return abs(count - expected) <= self.tolerance


class QuestionTable(TomlTable):
    """A question as in a file."""

    name: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$",
        description="a name of letters, digits, - and _",
    )
    board: str = Field(min_length=1, description="the text of a board")
    method: str | None = Field(default=None, min_length=1, description="a method of the course")
    algorithm: str | None = Field(default=None, min_length=1, description="an algorithm")
    heuristic: str | None = Field(default=None, min_length=1, description="a heuristic")
    goal: str | None = Field(default=None, description="first, last, snail or a board")
    rules: str | None = Field(default=None, description="rules such as fifo or ties=oldest")
    points: Points = Field(default_factory=dict, description=POINTS)
    max_nodes: Count | None = Field(
        default=None, ge=1, le=MOST_NODES, description=f"a whole number from 1 to {MOST_NODES:,}"
    )


class ConventionTable(TomlTable):
    """Another way to count that is accepted: a name for it, and the rules that count so."""

    name: str = Field(pattern=r"\S", max_length=80, description="a text")
    rules: str = Field(min_length=1, description="rules such as fifo or count=root")


class AssignmentTable(TomlTable):
    """A whole file; its points are those of questions that name none."""

    title: str = Field(pattern=r"\S", description="a text")
    profile: str = Field(description="the name of a course or a course file")
    points: Points = Field(default_factory=dict, description=POINTS)
    policy: Policy = Field(default_factory=Policy, description="a table of keys")
    goal: str | None = Field(default=None, description="first, last, snail or a board")
    rules: str | None = Field(default=None, description="rules such as fifo or ties=oldest")
    conventions: list[ConventionTable] = Field(
        default_factory=list, max_length=20, description="up to 20 [[conventions]] tables"
    )
    students: list[Annotated[str, Field(min_length=1, max_length=200)]] = Field(
        default_factory=list, max_length=10_000, description="a list of names"
    )
    questions: list[QuestionTable] = Field(
        min_length=1,
        max_length=MOST_QUESTIONS,
        description=f"1 to {MOST_QUESTIONS} [[questions]] tables",
    )


@dataclass(frozen=True)
class OwnSetting:
    """A search that the assignment describes itself: its method, and the goal if it has its own."""

    method: Method
    goal: str | None = None


@dataclass(frozen=True)
class Question:
    """A board, a method to solve it with, and the points for each item."""

    name: str
    board: Board
    method: str
    points: dict[str, float]
    max_nodes: int | None = None
    own: OwnSetting | None = None

    @property
    def worth(self) -> float:
        """All points of the question."""
        return sum(self.points.values())


@dataclass(frozen=True)
class Assignment:
    """Questions for one course, and what is accepted as an answer."""

    title: str
    course: Course
    questions: tuple[Question, ...]
    policy: Policy = field(default_factory=Policy)
    conventions: tuple[tuple[str, str], ...] = ()
    """Other ways to count that are accepted: their names and their rules."""
    students: tuple[str, ...] = ()
    """All who should hand in, where the assignment lists them."""

    def goal_of(self, question: Question) -> Goal:
        """The goal of a question: its own, or the course's."""
        if question.own is not None and question.own.goal is not None:
            return Goal.named(question.own.goal, question.board.rows, question.board.columns)
        return self.course.goal_for(question.board)

    def method_of(self, question: Question) -> Method:
        """The search of a question: its own, or the course's of that name."""
        return question.own.method if question.own else self.course.by_word(question.method)

    @property
    def worth(self) -> float:
        """All points of the assignment."""
        return sum(question.worth for question in self.questions)


def read_assignment(text: str, where: str = "", folder: Path | None = None) -> Assignment:
    """Read an assignment from a TOML text.

    Args:
        text: The assignment.
        where: The name of its file, for errors.
        folder: From where a course file that it names is seen.

    Raises:
        SpecError: A setting is wrong.

    Example:
        >>> assignment = read_assignment('''
        ... title = "One board"
        ... profile = "columbia"
        ... [[questions]]
        ... name = "q1"
        ... board = "1,2,5,3,4,0,6,7,8"
        ... method = "bfs"
        ... points = { path = 4, optimal = 6 }
        ... ''')
        >>> assignment.worth
        10
    """
    table = read_model(AssignmentTable, TomlText(text, where))
    try:
        return _assignment(table, folder)
    except TilewiseError as error:
        raise SpecError(f"{where}: {error}" if where else str(error)) from None


def _assignment(table: AssignmentTable, folder: Path | None) -> Assignment:
    try:
        course = find_course(table.profile, folder=folder)
    except TilewiseError as error:
        raise SpecError(f"profile: {error}") from None
    questions = []
    for number, each in enumerate(table.questions, start=1):
        name = each.name or f"q{number}"
        try:
            usual = table.points or dict(course.grading.points)
            questions.append(_question(course, name, each, usual, table))
        except TilewiseError as error:
            raise SpecError(f"question {name}: {error}") from None
    names = [question.name.lower() for question in questions]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(f"expected every question to have its own name, got {name!r} twice")
    return Assignment(
        visible(" ".join(table.title.split())),
        course,
        tuple(questions),
        _policy(course, table.policy),
        tuple((each.name, _checked_rules(each.rules)) for each in table.conventions),
        tuple(visible(name) for name in table.students),
    )


def _policy(course: Course, policy: Policy) -> Policy:
    """What is accepted; where the assignment says nothing, as the course says."""
    of_course = {"tolerance": course.grading.tolerance, "counts": course.grading.counts}
    if course.output is not None:
        of_course["moves"] = course.output.moves_of
    named = policy.model_fields_set
    try:
        return Policy(**{**of_course, **{key: getattr(policy, key) for key in named}})
    except ValueError:
        shown = shortened(course.grading.tolerance)
        raise SpecError(f"the course {course.name}: expected a tolerance, got {shown}") from None


def _checked_rules(text: str) -> str:
    Rules.parse(text)
    return text


def _own(
    course: Course, table: QuestionTable, goal: str | None, rules: str | None
) -> OwnSetting | None:
    """The search that a question describes itself, None where it is just one of the course's."""
    if table.algorithm is None and table.heuristic is not None:
        raise SpecError("expected an algorithm beside the heuristic, got none")
    if (table.algorithm is None) == (table.method is None):
        raise SpecError("expected a method or an algorithm: one of the two")
    if table.algorithm is not None:
        form = MethodForm(table.algorithm, table.algorithm, table.heuristic, rules=rules)
        return OwnSetting(method_of_form(form), goal)
    if goal is None and rules is None:
        return None
    word = course.grading.read_method(str(table.method))
    method = course.by_word(word or str(table.method))
    if method.own is not None:
        raise SpecError(f"expected no goal and no rules for {method.word}, which has its own")
    if rules is not None:
        method = replace(method, rules=Rules.parse(rules))
    return OwnSetting(method, goal)


def _question(
    course: Course,
    name: str,
    table: QuestionTable,
    usual: dict[str, float],
    whole: AssignmentTable,
) -> Question:
    board = Board.parse(table.board)
    shape = course.grading.shape
    if shape is not None and (board.rows, board.columns) != shape:
        wanted = f"{shape[0]}x{shape[1]}"
        raise SpecError(f"expected a {wanted} board for {course.name}, got {board.shape}")
    goal, rules = table.goal or whole.goal, table.rules or whole.rules
    own = _own(course, table, goal, rules)
    if goal is not None:
        Goal.named(goal, board.rows, board.columns)  # a wrong one is refused here
    if table.method is None:
        method: str | None = " ".join(filter(None, (table.algorithm, table.heuristic)))
    else:
        method = course.grading.read_method(table.method)
    if method is None:
        known = course.grading.methods
        raise SpecError(f"expected a method {known}, got {shortened(table.method)}")
    points = table.points or usual
    if not points:
        raise SpecError("expected points such as { path = 5, optimal = 5 }, got none")
    return Question(name, board, method, points, table.max_nodes, own)

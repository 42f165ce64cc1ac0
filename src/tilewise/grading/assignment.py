"""An assignment: what a teacher asks, how many points each part is worth, what is accepted.

It is a TOML file without answers; those are computed by the course's profile when it is graded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal

from tilewise.courses import COURSES
from tilewise.courses.course import Course
from tilewise.errors import SpecError, TilewiseError, did_you_mean, shortened, visible
from tilewise.puzzle.board import Board
from tilewise.toml_models import (
    AfterValidator,
    Count,
    Field,
    Megabytes,
    Seconds,
    TomlTable,
    parse_toml,
    read_model,
)

COUNTERS = ("expanded", "generated", "stored", "max_frontier", "max_depth")
"""The counters that an assignment may ask for, as tilewise names them."""
ITEMS: dict[str, str] = {
    "path": "legal moves that lead from the board to the goal",
    "optimal": "a path that is as short as can be",
    "length": "the length that is stated: that of the path given, or the course's",
    **{name: f"the count `{name}`, as the course's profile counts" for name in COUNTERS},
    "no_solution": "says that there is none: the board is unsolvable, or a limit ends the search",
    "output": "the course's output, complete and well-formed",
}
"""The items of an answer that can give points."""

MOST_QUESTIONS = 200
MOST_POINTS = 1_000_000
MOST_NODES = 10_000_000
_PERCENT = re.compile(r"\s*([0-9]{1,3}(?:\.[0-9]{1,6})?)\s*%\s*")
_SECONDS, _SECONDS_IN_ALL, _MEGABYTES, _NODES_OFF = 3600, 86_400, 1024, 10**9


class Policy(TomlTable):
    """What is accepted.

    `counts`: `profile` takes the number of the course's profile only, `sound` also that of any
    rules that never miss the optimum, `known` that of any rules that the count doctor knows.
    `tolerance`: how far a count may be off, a number of nodes or a share as in "5%".
    `diagnose`: seconds for the count doctor and one number (0: never), `diagnose_all` for all.
    `moves`: whether the students' moves are those of the blank or of the tile. `megabytes`: read
    of each student at most. `name_ends`: in the name of a file the student's name stands before
    this text, such as "_".
    """

    counts: Literal["profile", "sound", "known"] = Field(
        default="profile", description="profile, sound or known"
    )
    tolerance: (
        Annotated[int, Field(ge=0, le=_NODES_OFF)]
        | Annotated[str, Field(pattern=rf"^{_PERCENT.pattern}$")]
    ) = Field(
        default=0, description=f'a whole number from 0 to {_NODES_OFF:,}, or a share as in "5%"'
    )
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

    def accepts(self, count: int, expected: int) -> bool:
        """Whether a count is the expected one, or near enough."""
        if isinstance(self.tolerance, str):
            match = _PERCENT.fullmatch(self.tolerance)
            share = float(match[1]) / 100 if match else 0.0
            return abs(count - expected) <= share * expected
        return abs(count - expected) <= self.tolerance


def _item(name: str) -> str:
    if name not in ITEMS:
        hint = did_you_mean(name, ITEMS)
        raise SpecError(f"expected {', '.join(ITEMS)}; got {shortened(name, 40)}{hint}")
    return name


def _in_order(points: dict[str, float]) -> dict[str, float]:
    return {item: points[item] for item in ITEMS if item in points}


Points = Annotated[
    dict[
        Annotated[str, AfterValidator(_item)], Annotated[int | float, Field(ge=0, le=MOST_POINTS)]
    ],
    AfterValidator(_in_order),
]
_POINTS = f"a number from 0 to {MOST_POINTS:,}"


class QuestionTable(TomlTable):
    """A question as in a file."""

    name: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$",
        description="a name of letters, digits, - and _",
    )
    board: str = Field(min_length=1, description="the text of a board")
    method: str = Field(min_length=1, description="a text")
    points: Points = Field(default_factory=dict, description=_POINTS)
    max_nodes: Count | None = Field(
        default=None, ge=1, le=MOST_NODES, description=f"a whole number from 1 to {MOST_NODES:,}"
    )


class AssignmentTable(TomlTable):
    """A whole file; its points are those of questions that name none."""

    title: str = Field(pattern=r"\S", description="a text")
    profile: str = Field(description=f"one of {', '.join(COURSES)}")
    points: Points = Field(default_factory=dict, description=_POINTS)
    policy: Policy = Field(default_factory=Policy, description="a table of keys")
    questions: list[QuestionTable] = Field(
        min_length=1,
        max_length=MOST_QUESTIONS,
        description=f"1 to {MOST_QUESTIONS} [[questions]] tables",
    )


@dataclass(frozen=True)
class Question:
    """A board, a method to solve it with, and the points for each item."""

    name: str
    board: Board
    method: str
    points: dict[str, float]
    max_nodes: int | None = None

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

    @property
    def worth(self) -> float:
        """All points of the assignment."""
        return sum(question.worth for question in self.questions)


def read_assignment(text: str, where: str = "") -> Assignment:
    """Read an assignment from a TOML text.

    Args:
        text: The assignment.
        where: The name of its file, for errors.

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
    table = read_model(AssignmentTable, parse_toml(text, where), where)
    try:
        return _assignment(table)
    except TilewiseError as error:
        raise SpecError(f"{where}: {error}" if where else str(error)) from None


def _assignment(table: AssignmentTable) -> Assignment:
    if table.profile not in COURSES:
        hint = did_you_mean(table.profile, COURSES)
        raise SpecError(
            f"profile: expected {', '.join(COURSES)}; got {shortened(table.profile)}{hint}"
        )
    course = COURSES[table.profile]
    questions = []
    for number, each in enumerate(table.questions, start=1):
        name = each.name or f"q{number}"
        try:
            questions.append(_question(course, name, each, table.points))
        except TilewiseError as error:
            raise SpecError(f"question {name}: {error}") from None
    names = [question.name.lower() for question in questions]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(f"expected every question to have its own name, got {name!r} twice")
    return Assignment(
        visible(" ".join(table.title.split())), course, tuple(questions), table.policy
    )


def _question(course: Course, name: str, table: QuestionTable, usual: dict[str, float]) -> Question:
    board = Board.parse(table.board)
    shape = course.grading.shape
    if shape is not None and (board.rows, board.columns) != shape:
        wanted = f"{shape[0]}x{shape[1]}"
        raise SpecError(f"expected a {wanted} board for {course.name}, got {board.shape}")
    method = course.grading.read_method(table.method)
    if method is None:
        known = course.grading.methods
        raise SpecError(f"expected a method {known}, got {shortened(table.method)}")
    points = table.points or usual
    if not points:
        raise SpecError("expected points such as { path = 5, optimal = 5 }, got none")
    return Question(name, board, method, points, table.max_nodes)

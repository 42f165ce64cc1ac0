"""An assignment: what a teacher asks, how many points each part is worth, what is accepted.

It is a TOML file without answers; those are computed by the course's profile when it is graded.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any

from tilewise.errors import SpecError, TilewiseError, shortened
from tilewise.grading.courses import COUNTERS, COURSES, Course
from tilewise.grading.files import visible
from tilewise.puzzle.board import Board

ITEMS: dict[str, str] = {
    "path": "legal moves that lead from the board to the goal",
    "optimal": "a path that is as short as can be",
    "length": "the length that is stated: that of the path given, or the course's",
    **{name: f"the count `{name}`, as the course's profile counts" for name in COUNTERS},
    "no_solution": "says that there is none: the board is unsolvable, or a limit ends the search",
    "output": "the course's output, complete and well-formed",
}
"""What can be asked of an answer."""

COUNT_POLICIES = ("profile", "sound", "known")
MOST_QUESTIONS = 200
MOST_POINTS = 1_000_000
MOST_NODES = 10_000_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_PERCENT = re.compile(r"\s*([0-9]{1,3}(?:\.[0-9]{1,6})?)\s*%\s*")


@dataclass(frozen=True)
class Policy:
    """What is accepted.

    `counts`: `profile` takes the number of the course's profile only, `sound` also that of any
    rules that never miss the optimum, `known` that of any rules that the count doctor knows.
    `tolerance`: how far a count may be off, a number of nodes or a share as in "5%".
    `diagnose`: seconds for the count doctor and one number (0: never), `diagnose_all` for all.
    `moves`: whose ways the students' moves are. `megabytes`: read of each student at most.
    `name_ends`: in the name of a file the student's name stands before this text, such as "_".
    """

    counts: str = "profile"
    tolerance: int | str = 0
    diagnose: float = 30.0
    diagnose_all: float = 300.0
    moves: str = "blank"
    megabytes: float = 8.0
    name_ends: str = ""

    def __post_init__(self) -> None:
        _one_of("counts", self.counts, COUNT_POLICIES)
        _one_of("moves", self.moves, ("blank", "tile"))
        _number("diagnose", self.diagnose, 0, 3600)
        _number("diagnose_all", self.diagnose_all, 0, 86400)
        _number("megabytes", self.megabytes, 0.001, 1024)
        if not isinstance(self.name_ends, str):
            raise SpecError(f"expected name_ends as a text, got {shortened(self.name_ends)}")
        if isinstance(self.tolerance, str):
            if not _PERCENT.fullmatch(self.tolerance):
                raise SpecError(
                    f'expected tolerance as a number or as in "5%", got {shortened(self.tolerance)}'
                )
        else:
            _whole("tolerance", self.tolerance, 0, 10**9)

    def accepts(self, count: int, expected: int) -> bool:
        """Whether a count is the expected one, or near enough."""
        if isinstance(self.tolerance, str):
            match = _PERCENT.fullmatch(self.tolerance)
            share = float(match[1]) / 100 if match else 0.0
            return abs(count - expected) <= share * expected
        return abs(count - expected) <= self.tolerance


@dataclass(frozen=True)
class Question:
    """A board, a method to solve it with, and the points for each item that is asked."""

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


def read_assignment(text: str) -> Assignment:
    """The assignment that a TOML text says; what is wrong is named with its place."""
    try:
        data = tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        # ValueError: an integer of thousands of digits
        raise SpecError(f"expected an assignment in TOML: {_first_line(error)}") from None
    _known_keys("an assignment", data, ("title", "profile", "points", "policy", "questions"))
    title, profile = _text("title", data), _text("profile", data)
    _one_of("profile", profile, tuple(COURSES))
    policy = _table("policy", data.get("policy", {}))
    _known_keys("[policy]", policy, [each.name for each in fields(Policy)])
    usual = _points("[points]", _table("points", data.get("points", {})))
    asked = data.get("questions")
    if not isinstance(asked, list) or not asked:
        raise SpecError("expected at least one [[questions]] in the assignment, got none")
    if len(asked) > MOST_QUESTIONS:
        raise SpecError(f"expected at most {MOST_QUESTIONS} questions, got {len(asked)}")
    course = COURSES[profile]
    questions = [_question(course, number, each, usual) for number, each in enumerate(asked, 1)]
    names = [question.name.lower() for question in questions]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(f"expected every question to have its own name, got {name!r} twice")
    return Assignment(visible(" ".join(title.split())), course, tuple(questions), Policy(**policy))


def _question(course: Course, number: int, data: object, usual: dict[str, float]) -> Question:
    table = _table(f"question {number}", data)
    place = f"question {number}"
    _known_keys(place, table, ("name", "board", "method", "points", "max_nodes"))
    try:
        name = _text("name", table) if "name" in table else f"q{number}"
        if not _NAME.fullmatch(name):
            raise SpecError(f"expected a name of letters, digits, - and _, got {shortened(name)}")
        place = f"question {name}"
        board = Board.parse(_text("board", table))
        if not course.any_shape and board.shape != "3x3":
            raise SpecError(f"expected a 3x3 board for {course.profile}, got {board.shape}")
        method = course.read_method(_text("method", table))
        if method is None:
            raise SpecError(
                f"expected a method {course.methods}, got {shortened(_text('method', table))}"
            )
        max_nodes = table.get("max_nodes")
        if max_nodes is not None:
            _whole("max_nodes", max_nodes, 1, MOST_NODES)
        points = _points("points", _table("points", table.get("points", {}))) or usual
        if not points:
            raise SpecError("expected points such as { path = 5, optimal = 5 }, got none")
    except TilewiseError as error:
        raise SpecError(f"{place}: {error}") from None
    return Question(name, board, method, points, max_nodes)


def _points(place: str, table: Mapping[str, Any]) -> dict[str, float]:
    _known_keys(place, table, ITEMS)
    for item, points in table.items():
        _number(f"{place}: {item}", points, 0, MOST_POINTS)
    return {item: table[item] for item in ITEMS if item in table}


def _known_keys(place: str, table: Mapping[str, Any], known: Iterable[str]) -> None:
    for key in table:
        if key not in known:
            close = get_close_matches(key[:40], list(known), n=1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            raise SpecError(
                f"expected {', '.join(known)} in {place}, got {shortened(key, 40)}{hint}"
            )


def _table(place: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise SpecError(f"expected {place} as a table of keys, got {shortened(value)}")
    return value


def _text(key: str, table: Mapping[str, Any]) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        came = "nothing" if value is None else shortened(value)
        raise SpecError(f"expected {key} as a text, got {came}")
    return value


def _one_of(key: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        close = get_close_matches(str(value)[:40], known, n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise SpecError(f"expected {key} {', '.join(known)}; got {shortened(value)}{hint}")


def _number(key: str, value: object, least: float, most: float) -> None:
    right = isinstance(value, int | float) and not isinstance(value, bool)
    if not right or not math.isfinite(float(str(value))) or not least <= float(str(value)) <= most:
        raise SpecError(
            f"expected {key} as a number from {least:g} to {most:g}, got {shortened(value)}"
        )


def _whole(key: str, value: object, least: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise SpecError(
            f"expected {key} as a whole number from {least} to {most}, got {shortened(value)}"
        )


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]

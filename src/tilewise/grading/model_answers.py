"""Model answers: what the course's profile itself finds for the questions of an assignment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tilewise.checking import known_distance
from tilewise.core.limits import Limits
from tilewise.core.result import Status
from tilewise.core.rules import Rules
from tilewise.courses.answers import COUNTERS
from tilewise.courses.course import ONE_LINE, Course
from tilewise.courses.running import plain_rules, rules_for_algorithm, run_course
from tilewise.errors import SpecError
from tilewise.grading.assignment import Assignment, Question
from tilewise.puzzle.board import Board, Goal
from tilewise.solving import solve

PATIENCE = 60.0
"""Seconds that a course may search for one model answer."""


@dataclass(frozen=True)
class Found:
    """What a course's search found: the moves, if any, and its counters."""

    status: Status
    moves: str | None
    counts: dict[str, int]


@dataclass(frozen=True)
class ModelAnswer:
    """The profile's answer to one question.

    `optimum` is the fewest moves, None where no points depend on it. `warning` is for the
    teacher: the course's own rules miss an optimum that gives points.
    """

    question: Question
    goal: Goal
    found: Found
    optimum: int | None
    command: str
    warning: str | None = None
    conventions: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """What the accepted conventions count, by their names."""

    @property
    def length(self) -> int | None:
        """The length of the profile's path."""
        return None if self.found.moves is None else len(self.found.moves)

    def expected(self, item: str) -> int | None:
        """The number that the profile gives for a counter or the length."""
        return self.length if item == "length" else self.found.counts.get(item)


def answer_key(assignment: Assignment) -> dict[str, ModelAnswer]:
    """Find the model answer to every question.

    Args:
        assignment: The questions.

    Returns:
        The answers by the name of the question.

    Raises:
        SpecError: A question gives points for something that the course does not count.

    Example:
        >>> from tilewise.grading.assignment import read_assignment
        >>> assignment = read_assignment('''
        ... title = "One board"
        ... profile = "columbia"
        ... [[questions]]
        ... name = "q1"
        ... board = "1,2,5,3,4,0,6,7,8"
        ... method = "bfs"
        ... points = { path = 10 }
        ... ''')
        >>> answer_key(assignment)["q1"].length
        3
    """
    return {question.name: model_answer(assignment, question) for question in assignment.questions}


def model_answer(assignment: Assignment, question: Question) -> ModelAnswer:
    """Solve a question as the course does; refuses points for what the profile does not have."""
    course, goal = assignment.course, assignment.goal_of(question)
    found = _found(assignment, question)
    if found.status is Status.LIMIT and _gave_up(course, question, found):
        raise SpecError(
            f"question {question.name}: expected a board that the profile {course.name} solves "
            f"within {PATIENCE:g} s and half of the memory; {question.method} did not"
        )
    _check_items(course, question, found)
    optimum = warning = None
    if "optimal" in question.points:
        optimum = _optimum(question.board, goal)
        if optimum is None:
            raise SpecError(
                f"question {question.name}: expected a board whose optimum is found within "
                f"{PATIENCE:g} s, since `optimal` is asked; it was not"
            )
        if found.moves is not None and len(found.moves) > optimum:
            warning = (
                f"question {question.name}: {question.method} under the course's own rules finds "
                f"{len(found.moves)} moves where {optimum} are enough; who follows them loses the "
                f"points for `optimal`"
            )
    return ModelAnswer(
        question,
        goal,
        found,
        optimum,
        _command(assignment, question),
        warning,
        _conventions(assignment, question, goal),
    )


def _command(assignment: Assignment, question: Question) -> str:
    """The command line that gives the model answer."""
    method = assignment.method_of(question)
    if question.own is None:
        return assignment.course.grading.command(question.board, method, question.max_nodes)
    rules = plain_rules(assignment.course, method)
    words = [f"tilewise solve '{question.board.to(ONE_LINE)}' -a '{method.spec}'"]
    words += [f"-H '{method.heuristic}'"] if method.heuristic else []
    words += [f"--goal '{assignment.goal_of(question).name}' --rules '{rules}'"]
    return " ".join(words)


def _conventions(
    assignment: Assignment, question: Question, goal: Goal
) -> dict[str, dict[str, int]]:
    """What each accepted convention counts, by its name."""
    if not set(question.points) & set(COUNTERS):
        return {}
    method = assignment.method_of(question)
    algorithm, heuristic = method.diagnosed or (method.algorithm, method.heuristic)
    counted = {}
    for name, rules in assignment.conventions:
        result = solve(
            question.board,
            goal=goal,
            algorithm=algorithm,
            heuristic=heuristic,
            rules=rules_for_algorithm(Rules.parse(rules), algorithm),
            limits=Limits(generated=question.max_nodes, seconds=PATIENCE),
        )
        counted[name] = {item: getattr(result.stats, item) for item in COUNTERS}
    return counted


def _found(assignment: Assignment, question: Question) -> Found:
    """What the course finds, with the counters that its program has, as it counts them."""
    course, method = assignment.course, assignment.method_of(question)
    limits = Limits(generated=question.max_nodes, seconds=PATIENCE)
    goal = assignment.goal_of(question) if question.own else None
    result = run_course(course, method, question.board, goal=goal, limits=limits)
    every = question.own is not None
    counts = {name: getattr(result.stats, name) for name in COUNTERS if every or course.has(name)}
    counts["generated"] = method.generated(result)
    return Found(result.status, result.moves, counts)


def _gave_up(course: Course, question: Question, found: Found) -> bool:
    """Whether time or memory ran out, rather than the nodes that are allowed."""
    most = question.max_nodes or course.max_nodes
    return most is None or found.counts["generated"] < most


def _check_items(course: Course, question: Question, found: Found) -> None:
    for item in question.points:
        if found.moves is None and item != "no_solution":
            raise SpecError(
                f"question {question.name}: expected no points but for no_solution, since the "
                f"profile {course.name} finds none ({found.status.value}); got {item}"
            )
        if found.moves is not None and item == "no_solution":
            raise SpecError(
                f"question {question.name}: expected no points for no_solution, since the profile "
                f"{course.name} solves it in {len(found.moves)} moves"
            )
        if item in COUNTERS and item not in found.counts:
            known = ", ".join(found.counts)
            raise SpecError(
                f"question {question.name}: expected a count that {course.name} has "
                f"({known}), got {item}"
            )


def _optimum(board: Board, goal: Goal) -> int | None:
    known = known_distance(board, goal)
    if known is not None:
        return known
    result = solve(board, goal=goal, algorithm="idastar", limits=Limits(seconds=PATIENCE))
    return result.cost

"""Marks: the points of an answer, item by item, with the reason for every point that is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tilewise.checking import PathCheck, check_path
from tilewise.courses.answers import COUNTERS, Answer, number_in
from tilewise.errors import shortened
from tilewise.grading.assignment import Assignment
from tilewise.grading.likely_causes import Doctor, LikelyCause, Wrong
from tilewise.grading.model_answers import ModelAnswer
from tilewise.puzzle import formats

NO_ANSWER = "no answer to this question was found"


@dataclass(frozen=True)
class Mark:
    """The points for one item; `reason` says why some are lost, or why they are given all the
    same."""

    question: str
    item: str
    points: float
    worth: float
    reason: str | None = None


def wrong_counts(
    assignment: Assignment, models: Mapping[str, ModelAnswer], given: Mapping[str, Answer]
) -> Iterator[Wrong]:
    """The counts of a student that are not the profile's."""
    for name, answer in given.items():
        for item in models[name].question.points:
            count = number_in(answer.values.get(item, "")) if item in COUNTERS else None
            expected = models[name].expected(item)
            if count is None or expected is None:
                continue
            accepted = any(
                counts.get(item) == count for counts in models[name].conventions.values()
            )
            if not accepted and not assignment.policy.accepts(count, expected):
                yield name, item, count


def marks(
    assignment: Assignment,
    models: Mapping[str, ModelAnswer],
    given: Mapping[str, Answer],
    doctor: Doctor,
) -> list[Mark]:
    """The marks of one student, question by question."""
    return [
        mark
        for name, model in models.items()
        for mark in _Marker(assignment, models, model, doctor).marks(given.get(name))
    ]


class _Marker:
    """Marks the answers to one question."""

    def __init__(
        self,
        assignment: Assignment,
        models: Mapping[str, ModelAnswer],
        model: ModelAnswer,
        doctor: Doctor,
    ) -> None:
        self._assignment = assignment
        self._models = models
        self._model = model
        self._doctor = doctor

    def marks(self, answer: Answer | None) -> Iterator[Mark]:
        """A mark for every item of the question."""
        question = self._model.question
        played = None if answer is None else self._played(answer)
        for item, worth in question.points.items():
            accepted, reason = False, NO_ANSWER
            if answer is not None:
                accepted, reason = self._judged(item, answer, played)
            points = worth if accepted else 0
            yield Mark(question.name, item, points, worth, reason or None)

    def _played(self, answer: Answer) -> PathCheck | None:
        if answer.moves is None:
            return None
        model = self._model
        # without an optimum to compare with, the length of the path itself stops any search
        optimum = len(answer.moves) if model.optimum is None else model.optimum
        return check_path(model.question.board, model.goal, answer.moves, optimum=optimum)

    def _judged(self, item: str, answer: Answer, played: PathCheck | None) -> tuple[bool, str]:
        """Whether an item is right, and the remark about it."""
        if item == "no_solution":
            if answer.no_solution:
                return True, ""
            return False, "there is no solution, and the answer does not say so"
        if item == "output":
            if not answer.native:
                return False, "not in the form of the course's output"
            return not answer.faults, "; ".join(answer.faults)
        if answer.no_solution and item in ("path", "optimal", "length"):
            return False, f"says that there is no solution, but {self._model.length} moves are one"
        if item in ("path", "optimal"):
            return self._path(item, answer, played)
        return self._number(item, answer, played)

    def _path(self, item: str, answer: Answer, played: PathCheck | None) -> tuple[bool, str]:
        if answer.path_fault is not None:
            return False, f"the path cannot be read: {answer.path_fault}"
        if played is None:
            return False, "no path is given"
        trouble = self._trouble(played)
        if trouble:
            return False, trouble if item == "path" else "the path is no solution"
        if item == "optimal" and played.too_long:
            return False, f"{len(played.moves):,} moves where {played.optimum} is optimal"
        return True, ""

    def _trouble(self, played: PathCheck) -> str | None:
        """Why a path does not solve the board."""
        as_tiles, shown = "", self._assignment.course.text
        if played.solves_as_tile_moves:
            as_tiles = "; read as moves of the tiles it would be a solution"
        if played.illegal_at is not None:
            move = formats.write_moves(played.moves[played.illegal_at - 1], "words")
            legal = formats.write_moves("".join(played.end.legal_moves()), "words").split()
            directions = f"{', '.join(legal[:-1])} or {legal[-1]}"
            return (
                f"illegal move at position {played.illegal_at:,}: {move}, but on "
                f"{shown(played.end)} the blank can go {directions}{as_tiles}"
            )
        if not played.reaches_goal:
            passes = played.passes_goal_at
            was_there = "" if passes is None else f" (it was there after {passes:,})"
            return (
                f"reaches another board: its {len(played.moves):,} moves lead to "
                f"{shown(played.end)}, not to {shown(self._model.goal.board)}{was_there}{as_tiles}"
            )
        return None

    def _number(self, item: str, answer: Answer, played: PathCheck | None) -> tuple[bool, str]:
        """The length or a counter."""
        word = self._assignment.course.word(item)
        text = answer.values.get(item)
        if text is None:
            return False, f"{word} is not given"
        number = number_in(text)
        if number is None:
            return False, f"{word}: expected a whole number, got {shortened(text, 40)}"
        expected = self._model.expected(item) or 0
        if item == "length":
            if played is not None and played.reaches_goal:
                right = number == len(played.moves)
                return right, "" if right else (
                    f"{word} is {number:,}, but the path has {len(played.moves):,} moves"
                )
            right = number == expected
            return right, "" if right else f"{word} is {number:,}, expected {expected:,}"
        return self._count(item, word, number, expected)

    def _count(self, item: str, word: str, count: int, expected: int) -> tuple[bool, str]:
        policy = self._assignment.policy
        if count == expected:
            return True, ""
        if policy.accepts(count, expected):
            return True, f"{word} is {count:,}, near enough to {expected:,}"
        for name, counts in self._model.conventions.items():
            if counts.get(item) == count:
                return True, f"{word} is {count:,}, accepted by the convention {name!r}"
        finding = self._doctor.finding((self._model.question.name, item, count))
        said = f"{word} is {count:,}, expected {expected:,}"
        remarks = [*self._coincidences(item, count), *([finding.sentence] if finding else [])]
        said = "; ".join((said, *remarks))
        return _accepted(policy.counts, finding), said

    def _coincidences(self, item: str, count: int) -> Iterator[str]:
        """What else of the model answers has this very number."""
        method = self._assignment.method_of(self._model.question)
        counted = self._assignment.course.rules_for(method).count
        if item == "expanded" and "goal" in counted and count + 1 == self._model.expected(item):
            yield "that is the number without the goal, which the course counts as well"
        for other, value in self._model.found.counts.items():
            if other != item and value == count:
                yield f"that is the profile's number for {self._assignment.course.word(other)}"
        for name, model in self._models.items():
            if name != self._model.question.name and model.found.counts.get(item) == count:
                yield f"that is the answer to {name}"


def _accepted(policy: str, finding: LikelyCause | None) -> bool:
    """Whether the rules that give another number than the profile's are accepted as well."""
    if finding is None or policy == "profile":
        return False
    return finding.sound if policy == "sound" else finding.known

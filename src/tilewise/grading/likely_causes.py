"""Wrong counts, taken to the count doctor: once for each board and number, in bounded time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tilewise.grading.assignment import Assignment
from tilewise.grading.model_answers import ModelAnswer

LARGEST_COUNT = 50_000
"""Larger numbers are not looked into: a search for them would take too long."""
_DOCTORS_COUNTERS = ("expanded", "generated", "stored", "max_frontier")

Wrong = tuple[str, str, int]
"""A question's name, a counter, and the number that a student gives for it."""
Progress = Callable[[int], None]
"""Told how many numbers have been looked into."""


@dataclass(frozen=True)
class Finding:
    """What the doctor says of a number; `sound` and `known` tell whether rules give it."""

    sentence: str
    known: bool = False
    sound: bool = False


class Doctor:
    """Looks into wrong counts until its time is over; what is known is not asked again."""

    def __init__(self, assignment: Assignment, models: dict[str, ModelAnswer]) -> None:
        self._assignment = assignment
        self._models = models
        self._findings: dict[Wrong, Finding] = {}

    def look_into(self, wrong: Iterable[Wrong], progress: Progress | None = None) -> None:
        """Ask for every number; the largest of a board first, which makes the others quick."""
        policy = self._assignment.policy
        ends = time.monotonic() + policy.diagnose_all
        cases = sorted(set(wrong), key=lambda each: (each[0], each[1], -each[2]))
        for done, case in enumerate(cases, start=1):
            seconds = min(policy.diagnose, ends - time.monotonic())
            if policy.diagnose > 0 and self._can_be_asked(case):
                if seconds > 0:
                    self._findings[case] = self._ask(case, seconds)
                else:
                    self._findings[case] = Finding("not looked into: the time for that was over")
            if progress:
                progress(done)

    def finding(self, case: Wrong) -> Finding | None:
        """What was found out about a number, None where the doctor has nothing to say."""
        return self._findings.get(case)

    def _can_be_asked(self, case: Wrong) -> bool:
        name, counter, count = case
        method = self._models[name].question.method
        known = counter in _DOCTORS_COUNTERS and self._assignment.course.by_word(method).diagnosed
        return bool(known) and 1 <= count <= LARGEST_COUNT

    def _ask(self, case: Wrong, seconds: float) -> Finding:
        """Ask for the counter that the number is given for, then for any: it may be another's."""
        from tilewise.diagnosis.why import Observation, diagnose

        name, counter, count = case
        model = self._models[name]
        method = self._assignment.course.by_word(model.question.method)
        algorithm, heuristic = method.diagnosed or (None, None)
        ends = time.monotonic() + seconds
        first = ""
        for asked in (counter, None):
            if first and time.monotonic() >= ends:
                break
            diagnosis = diagnose(
                [Observation(model.question.board, count, asked)],
                algorithm=algorithm,
                heuristic=heuristic,
                goal=model.goal,
                processes=1,
                seconds=max(0.1, ends - time.monotonic()),
                examples=1,  # the sentence speaks of the first explanation
            )
            first = first or diagnosis.sentence
            if diagnosis.explanations and asked is None:
                other = diagnosis.explanations[0].counter
                return Finding(f"if it is the number of nodes {other}: {diagnosis.sentence}")
            if diagnosis.explanations:
                sound = any(each.sound for each in diagnosis.explanations)
                return Finding(diagnosis.sentence, known=True, sound=sound)
        return Finding(first)

"""Diagnoses wrong counts: once for each board and number, within a time limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tilewise.grading.assignment import Assignment
from tilewise.grading.model_answers import ModelAnswer

LARGEST_COUNT = 50_000
"""Larger numbers are not diagnosed: a search for them would take too long."""
_DOCTORS_COUNTERS = ("expanded", "generated", "stored", "max_frontier")

Wrong = tuple[str, str, int]
"""A question's name, a counter, and the number that a student gives for it."""
DoctorProgress = Callable[[int], None]
"""Called with the number of counts examined so far."""


@dataclass(frozen=True)
class LikelyCause:
    """What the count doctor says about a number: `known` if rules give it, `sound` if good ones."""

    sentence: str
    known: bool = False
    sound: bool = False


class Doctor:
    """Examines wrong counts until its time is up; each count is examined once."""

    def __init__(self, assignment: Assignment, models: dict[str, ModelAnswer]) -> None:
        self._assignment = assignment
        self._models = models
        self._causes: dict[Wrong, LikelyCause] = {}

    def look_into(self, wrong: Iterable[Wrong], progress: DoctorProgress | None = None) -> None:
        """Examine every count; the largest of a board first, which makes the others quick."""
        policy = self._assignment.policy
        ends = time.monotonic() + policy.diagnose_all
        cases = sorted(set(wrong), key=lambda each: (each[0], each[1], -each[2]))
        for done, case in enumerate(cases, start=1):
            seconds = min(policy.diagnose, ends - time.monotonic())
            if policy.diagnose > 0 and self._can_be_diagnosed(case):
                if seconds > 0:
                    self._causes[case] = self._diagnose(case, seconds)
                else:
                    self._causes[case] = LikelyCause("not looked into: the time for that was over")
            if progress:
                progress(done)

    def finding(self, case: Wrong) -> LikelyCause | None:
        """What was found out about a count, None where nothing was."""
        return self._causes.get(case)

    def _can_be_diagnosed(self, case: Wrong) -> bool:
        name, counter, count = case
        method = self._assignment.method_of(self._models[name].question)
        known = counter in _DOCTORS_COUNTERS and method.diagnosed
        return bool(known) and 1 <= count <= LARGEST_COUNT

    def _diagnose(self, case: Wrong, seconds: float) -> LikelyCause:
        """Try the counter that the number was given for, then any: the student may mean another."""
        from tilewise.diagnosis.why import Observation, diagnose

        name, counter, count = case
        model = self._models[name]
        method = self._assignment.method_of(model.question)
        algorithm, heuristic = method.diagnosed or (None, None)
        ends = time.monotonic() + seconds
        first = ""
        for tried in (counter, None):
            if first and time.monotonic() >= ends:
                break
            diagnosis = diagnose(
                [Observation(model.question.board, count, tried)],
                algorithm=algorithm,
                heuristic=heuristic,
                goal=model.goal,
                processes=1,
                seconds=max(0.1, ends - time.monotonic()),
                examples=1,  # the sentence is about the first explanation
            )
            first = first or diagnosis.sentence
            if diagnosis.explanations and tried is None:
                other = diagnosis.explanations[0].counter
                return LikelyCause(f"if it is the number of nodes {other}: {diagnosis.sentence}")
            if diagnosis.explanations:
                sound = any(each.sound for each in diagnosis.explanations)
                return LikelyCause(diagnosis.sentence, known=True, sound=sound)
        return LikelyCause(first)

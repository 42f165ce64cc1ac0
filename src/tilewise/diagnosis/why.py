"""The count doctor: under which rules does a search count exactly this number of nodes?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.problem import DEFAULT_ORDER
from tilewise.courses import COURSES
from tilewise.diagnosis.budget import INTERRUPTED, Budget, EndedEarlyError
from tilewise.diagnosis.counterexamples import Finding, small_goal, smallest
from tilewise.diagnosis.counting import Counts, serves
from tilewise.diagnosis.distinguishing_board import telling_apart
from tilewise.diagnosis.findings import Apart, Diagnosis, Explanation, Observation, default_rules
from tilewise.diagnosis.known_counts import Batch, BoardMeasurement, DiagnosisProgress
from tilewise.diagnosis.rule_variants import (
    COUNTERS,
    COUNTINGS,
    ORDERS,
    UNNAMED_COUNTERS,
    Counting,
    RuleVariant,
    Settings,
    chosen_algorithms,
    chosen_heuristics,
    profile_variants,
    variants,
)
from tilewise.diagnosis.workers import Workers
from tilewise.errors import GoalError, LimitsError
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.parity import why_unsolvable
from tilewise.puzzle.position import WantedGoal, read_position

__all__ = ["Diagnosis", "DiagnosisInterrupted", "Explanation", "Observation", "diagnose"]

NEAREST, EXAMPLES, TOLD_APART = 5, 12, 6
FOR_SEARCHES = 0.8
"""The share of the time for the searches; the rest is for counterexamples and another board."""


class DiagnosisInterrupted(KeyboardInterrupt):
    """Ctrl-C; `found` is what was found until then."""

    def __init__(self, found: Diagnosis) -> None:
        super().__init__()
        self.found = found


@dataclass(frozen=True)
class _Candidate:
    """A variant, what an unnamed count is taken for ("" if all are named), how it is counted."""

    variant: RuleVariant
    unnamed: str
    counting: Counting

    def value(self, counts: Counts | None, counter: str | None) -> int | None:
        """What this counts in a run."""
        place = COUNTERS.index(counter or self.unnamed)
        number = counts[place] if counts else None
        return None if number is None else number + self.counting.added[place]


def diagnose(
    observations: Iterable[Observation],
    *,
    algorithm: str | None = None,
    heuristic: str | None = None,
    goal: WantedGoal = None,
    processes: int | None = 1,
    seconds: float | None = None,
    examples: int | None = EXAMPLES,
    progress: DiagnosisProgress | None = None,
    files: Sequence[str] = (),
) -> Diagnosis:
    """Find every combination of rules that gives all the counts, the fewest departures first.

    Args:
        observations: What a program printed, for one board or several.
        algorithm: The algorithm. With none, the best-first searches of the package are tried.
        heuristic: The heuristic. With none, manhattan and misplaced are tried.
        goal: The goal of all boards that name none.
        processes: How many processes to use; None is one for each core (the caller must then be
            safe to import, as for every use of `multiprocessing`).
        seconds: After this long it ends with what it has, and says what it left.
        examples: For how many explanations to look for counterexamples; None is all of them.
        progress: Called while it works.
        files: Python files to load in every process, as `--load` does.

    Raises:
        LimitsError: There is no count to explain.
        SpecError: A spec is unknown.
        DiagnosisInterrupted: Ctrl-C came; it has what was found.

    Example:
        >>> board = Board.parse("312 475 68b")
        >>> seen = Observation(board, 4, "expanded")
        >>> found = diagnose([seen], algorithm="astar", heuristic="manhattan", examples=0)
        >>> found.explanations[0].rules
        'default'
    """
    seen = tuple(sorted(observations, key=lambda each: each.count))
    goals = tuple(_goal_of(each.board, each.goal or goal) for each in seen)
    if not seen:
        raise LimitsError("expected a count to explain, got none")
    with Workers(processes, files) as workers:
        budget = Budget.of(seconds, workers.count)
        doctor = _Doctor(algorithm, heuristic, seen, goals)
        try:
            doctor.narrow(workers, budget.part(FOR_SEARCHES), progress)
            doctor.look_closer(workers, budget, examples, progress)
        except KeyboardInterrupt:
            doctor.ended = INTERRUPTED
            raise DiagnosisInterrupted(doctor.diagnosis()) from None
    return doctor.diagnosis()


class _Doctor:
    """Narrows the variants down, observation by observation, the smallest count first."""

    def __init__(
        self,
        algorithm: str | None,
        heuristic: str | None,
        seen: tuple[Observation, ...],
        goals: tuple[Goal, ...],
    ) -> None:
        self._algorithm, self._heuristics = algorithm, chosen_heuristics(heuristic)
        self._seen, self._goals = seen, goals
        self._measured = [
            BoardMeasurement(each, goal) for each, goal in zip(seen, goals, strict=True)
        ]
        self._batches = _batches(algorithm, heuristic)
        self._before: list[_Candidate] = list(self._candidates())
        self._survivors: list[_Candidate] = []
        self._matched, self._runs = 0, 0
        self._left: list[RuleVariant] = []
        self._findings: dict[RuleVariant, Finding] = {}
        self._apart: Apart | None = None
        self._skipped: tuple[str, ...] = ("counterexamples", "a board that tells them apart")
        self.ended = ""

    def _candidates(self) -> Iterator[_Candidate]:
        """All variants with all ways to count that matter for the observed counters."""
        named = {each.counter for each in self._seen if each.counter}
        unnamed = UNNAMED_COUNTERS if any(not each.counter for each in self._seen) else ("",)
        for counter in unnamed:
            used = [COUNTERS.index(each) for each in named | {counter} if each]
            different: dict[tuple[int, ...], Counting] = {}
            for counting in COUNTINGS:
                different.setdefault(tuple(counting.added[place] for place in used), counting)
            for variant in (variant for batch in self._batches for variant in batch):
                if counter == "stored" and _natural(variant) == "generated":
                    continue  # pairs that are made are stored: the same number
                for counting in different.values():
                    yield _Candidate(variant, counter, counting)

    def narrow(self, workers: Workers, budget: Budget, progress: DiagnosisProgress | None) -> None:
        """Measure on one board after the other, as long as a variant gives all the counts."""
        for place, (measured, goal) in enumerate(zip(self._measured, self._goals, strict=True)):
            wanted = {candidate.variant for candidate in self._before}
            batches = [
                kept
                for batch in self._batches
                if (
                    kept := tuple(
                        variant for variant in batch if variant in wanted and serves(variant, goal)
                    )
                )
            ]
            self._runs += sum(map(len, batches))
            try:
                measured.measure(batches, workers, budget, progress)
            except EndedEarlyError as ended:
                self.ended = ended.reason
            finally:  # on Ctrl-C as well
                self._left = measured.left(batches)
                self._survivors = list(self._fitting(place))
            if not self._survivors or self.ended:
                return
            self._before = self._survivors
            self._matched += 1

    def _fitting(self, place: int) -> Iterator[_Candidate]:
        """The candidates that give the count of a board. There are tens of thousands of them."""
        observation, measured = self._seen[place], self._measured[place]
        # by identity: to hash a variant takes longer than the rest, and at Ctrl-C a person waits
        known: dict[int, Counts | None] = {}
        for each in self._before:
            if id(each.variant) not in known:
                known[id(each.variant)] = measured.known(each.variant)
            counts = known[id(each.variant)]
            if counts and each.value(counts, observation.counter) == observation.count:
                yield each

    def look_closer(
        self,
        workers: Workers,
        budget: Budget,
        examples: int | None,
        progress: DiagnosisProgress | None,
    ) -> None:
        """Counterexamples of the first explanations, and a board on which they differ."""
        explanations = self.explanations(self._survivors)
        first = explanations[: len(explanations) if examples is None else examples]
        unsound = list(dict.fromkeys(each.variant for each in first if not each.sound))
        work = partial(_finding, small_goal(self._goals[0]), budget)
        try:
            for variant, finding in workers.run(work, unsound, budget):
                self._findings[variant] = finding
                if progress:
                    progress(len(self._findings), len(unsound))
            self._skipped = self._skipped[1:]
            apart = explanations[:TOLD_APART]
            self._apart = telling_apart(apart, self._goals[0], self._seen, budget)
            budget.check()
            self._skipped = ()
        except EndedEarlyError:
            return

    def diagnosis(self) -> Diagnosis:
        """All that was found."""
        explanations = tuple(
            replace(each, finding=self._findings.get(each.variant))
            for each in self.explanations(self._survivors)
        )
        return Diagnosis(
            observations=self._seen,
            goals=self._goals,
            explanations=explanations,
            nearest=self._nearest(),
            matched=self._matched,
            runs=self._runs,
            default=self._default_counts(),
            ended=self.ended,
            left=tuple(Counter(variant.who for variant in self._left).items()),
            skipped=self._skipped if explanations else (),
            apart=self._apart,
        )

    def explanations(self, candidates: Iterable[_Candidate]) -> tuple[Explanation, ...]:
        """Candidates that differ in the order of successors alone are one explanation."""
        groups: dict[_Candidate, list[_Candidate]] = {}
        for each in candidates:
            rules = replace(each.variant.rules, order=DEFAULT_ORDER)
            key = replace(each, variant=replace(each.variant, rules=rules))
            groups.setdefault(key, []).append(each)
        made = []
        for group in groups.values():
            group.sort(key=lambda each: ORDERS.index(each.variant.rules.order))
            made.append(self._explanation(group))
        return tuple(
            sorted(made, key=lambda each: (each.departures, each.variant.named_rules is None))
        )

    def _explanation(self, group: list[_Candidate]) -> Explanation:
        first = group[0]
        odd_counter = first.unnamed not in ("", _natural(first.variant))
        return Explanation(
            variant=first.variant,
            counting=first.counting,
            counter=first.unnamed or str(self._seen[0].counter),
            orders=tuple(each.variant.rules.order for each in group),
            counts=tuple(
                first.value(measured.known(first.variant), each.counter)
                for each, measured in zip(self._seen, self._measured, strict=True)
            ),
            departures=first.variant.departures(self._heuristics, self._algorithm)
            + first.counting.departures
            + odd_counter,
        )

    def _nearest(self) -> tuple[Explanation, ...]:
        """Where nothing gives all counts: of those that gave the ones before, the nearest."""
        if self._survivors or self.ended:
            return ()
        observation, measured = self._seen[self._matched], self._measured[self._matched]
        by_error: dict[int, list[_Candidate]] = {}
        for each in self._before:
            value = each.value(measured.known(each.variant), observation.counter)
            if value is not None and (self._matched or each.counting is COUNTINGS[0]):
                by_error.setdefault(abs(value - observation.count), []).append(each)
        found: list[Explanation] = []
        for error in sorted(by_error):
            found += self.explanations(by_error[error])
            if len(found) >= NEAREST:
                break
        return tuple(found[:NEAREST])

    def _default_counts(self) -> tuple[int | None, ...]:
        """What the default gives on each board; None where it is stopped, or was not run."""
        name = chosen_algorithms(self._algorithm)[0]
        needs_heuristic = build_algorithm(name).entry.needs_heuristic
        heuristic = self._heuristics[0] if needs_heuristic else None
        variant = RuleVariant(name, heuristic, False, default_rules(Settings.of(name).ties[0]))
        plain = _Candidate(variant, "expanded", COUNTINGS[0])
        return tuple(
            plain.value(measured.known(variant), each.counter)
            for each, measured in zip(self._seen, self._measured, strict=True)
        )


@lru_cache(maxsize=16)
def _batches(algorithm: str | None, heuristic: str | None) -> tuple[Batch, ...]:
    """All variants, the likely ones first: the usual order of successors, the courses' own."""
    usual, others = list[Batch](), list[Batch]()
    for batch in variants(algorithm, heuristic):
        (usual if batch[0].rules.order == DEFAULT_ORDER else others).append(batch)
    own = ((variant,) for variant in profile_variants(algorithm, heuristic))
    return (*usual, *own, *others)


def _natural(variant: RuleVariant) -> str:
    """The counter that a variant is known by: the first one that a course's program prints."""
    counters = () if variant.profile is None else COURSES[variant.profile].counters
    return counters[0] if counters else "expanded"


def _goal_of(board: Board, goal: WantedGoal) -> Goal:
    position = read_position(board, goal)
    if not position.solvable:
        reason = why_unsolvable(board, position.goal)
        raise GoalError(f"expected a board that can be solved; {reason}")
    return position.goal


def _finding(goal: Goal, budget: Budget, variant: RuleVariant) -> Finding:
    return smallest(variant, goal, budget)

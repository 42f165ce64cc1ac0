"""The count doctor: under which rules does a search count exactly this number of nodes?"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from tilewise.core.limits import Limits
from tilewise.core.problem import DEFAULT_ORDER
from tilewise.core.registry import build_algorithm
from tilewise.courses import COURSES
from tilewise.diagnosis.counterexamples import Finding, small_goal, smallest
from tilewise.diagnosis.counting import Counts, Measuring, Stop, serves
from tilewise.diagnosis.distinguishing_board import telling_apart
from tilewise.diagnosis.findings import Diagnosis, Explanation, Observation, default_rules
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
from tilewise.diagnosis.workers import OutOfTimeError, Workers
from tilewise.errors import GoalError, LimitsError
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.parity import why_unsolvable
from tilewise.puzzle.position import WantedGoal, read_position
from tilewise.solving import solve

__all__ = ["Diagnosis", "Explanation", "Observation", "diagnose"]

LEAST_MARGIN = 20
"""A run stops at 1.2 times the count, and not before this many above it."""
SMALL_COUNT = 100
"""Counts up to this are looked for in one process: others would take longer to start."""
QUICKLY = 2.0
"""Seconds for the optimal solution, which saves runs that must be too long."""
NEAREST, EXAMPLES, TOLD_APART, KEPT_BOARDS = 5, 12, 6, 64

DiagnosisProgress = Callable[[int, int], None]
_kept: OrderedDict[tuple[Board, Goal], dict[RuleVariant, tuple[Counts | None, Stop]]] = (
    OrderedDict()
)
"""What was measured on the last boards, so that the next count on one of them is looked up."""


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
        seconds: After this long it ends with what it has.
        examples: For how many explanations to look for counterexamples; None is all of them.
        progress: Called while it works.
        files: Python files to load in every process, as `--load` does.

    Raises:
        LimitsError: There is no count to explain.
        SpecError: A spec is unknown.

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
    doctor = _Doctor(algorithm, heuristic, seen, goals)
    with Workers(processes, seconds, files) as workers:
        doctor.narrow(workers, progress)
        explanations = doctor.explanations(doctor.survivors)
        if doctor.complete:
            first = len(explanations) if examples is None else examples
            explanations = _with_findings(explanations, first, goals[0], workers, progress)
    return Diagnosis(
        observations=seen,
        goals=goals,
        explanations=explanations,
        nearest=doctor.nearest(),
        matched=doctor.matched,
        runs=doctor.runs,
        default=doctor.default_counts(),
        complete=doctor.complete,
        apart=telling_apart(explanations[:TOLD_APART], goals[0], seen),
    )


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
        self._batches = _batches(algorithm, heuristic)
        self._before: list[_Candidate] = list(self._candidates())
        self.survivors: list[_Candidate] = []
        self.matched, self.runs, self.complete = 0, 0, True

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

    def narrow(self, workers: Workers, progress: DiagnosisProgress | None) -> None:
        """Measure on one board after the other, as long as a variant gives all the counts."""
        for observation, goal in zip(self._seen, self._goals, strict=True):
            left = {candidate.variant for candidate in self._before}
            batches = [
                kept
                for batch in self._batches
                if (
                    kept := tuple(
                        variant for variant in batch if variant in left and serves(variant, goal)
                    )
                )
            ]
            self.runs += sum(map(len, batches))
            self.complete = _measure(observation, goal, batches, workers, progress)
            found = [
                each
                for each in self._before
                if each.value(_known(observation, goal, each.variant), observation.counter)
                == observation.count
            ]
            self.survivors = found
            if not found or not self.complete:
                return
            self._before = found
            self.matched += 1

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
                first.value(_known(each, goal, first.variant), each.counter)
                for each, goal in zip(self._seen, self._goals, strict=True)
            ),
            departures=first.variant.departures(self._heuristics, self._algorithm)
            + first.counting.departures
            + odd_counter,
        )

    def nearest(self) -> tuple[Explanation, ...]:
        """Where nothing gives all counts: of those that gave the ones before, the nearest."""
        if self.survivors or not self.complete:
            return ()
        observation, goal = self._seen[self.matched], self._goals[self.matched]
        by_error: dict[int, list[_Candidate]] = {}
        for each in self._before:
            value = each.value(_known(observation, goal, each.variant), observation.counter)
            if value is not None and (self.matched or each.counting is COUNTINGS[0]):
                by_error.setdefault(abs(value - observation.count), []).append(each)
        found: list[Explanation] = []
        for error in sorted(by_error):
            found += self.explanations(by_error[error])
            if len(found) >= NEAREST:
                break
        return tuple(found[:NEAREST])

    def default_counts(self) -> tuple[int | None, ...]:
        """What the default gives on each board; None where it is stopped, or was not run."""
        name = chosen_algorithms(self._algorithm)[0]
        needs_heuristic = build_algorithm(name).entry.needs_heuristic
        heuristic = self._heuristics[0] if needs_heuristic else None
        variant = RuleVariant(name, heuristic, False, default_rules(Settings.of(name).ties[0]))
        plain = _Candidate(variant, "expanded", COUNTINGS[0])
        return tuple(
            plain.value(_known(each, goal, variant), each.counter)
            for each, goal in zip(self._seen, self._goals, strict=True)
        )


@lru_cache(maxsize=16)
def _batches(algorithm: str | None, heuristic: str | None) -> tuple[tuple[RuleVariant, ...], ...]:
    """All variants, those in the usual order of successors first; the profiles' own at the end."""
    usual_first = sorted(
        variants(algorithm, heuristic), key=lambda batch: batch[0].rules.order != "UDLR"
    )
    return (*usual_first, *((variant,) for variant in profile_variants(algorithm, heuristic)))


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


def _stop_of(observation: Observation, goal: Goal) -> Stop:
    most = max(observation.count * 6 // 5, observation.count + LEAST_MARGIN)
    shortest = solve(observation.board, goal=goal, limits=Limits(seconds=QUICKLY))
    optimal = shortest.cost if shortest.optimal else None
    return Stop(observation.counter or "expanded", most, optimal)


def _known(observation: Observation, goal: Goal, variant: RuleVariant) -> Counts | None:
    return _kept.get((observation.board, goal), {}).get(variant, (None, None))[0]


def _measure(
    observation: Observation,
    goal: Goal,
    batches: Sequence[tuple[RuleVariant, ...]],
    workers: Workers,
    progress: DiagnosisProgress | None,
) -> bool:
    """Run what is not known yet; whether there was time for all of it."""
    stop = _stop_of(observation, goal)
    known = _kept.setdefault((observation.board, goal), {})
    _kept.move_to_end((observation.board, goal))
    while len(_kept) > KEPT_BOARDS:
        _kept.popitem(last=False)
    needed = [
        rest
        for batch in batches
        if (rest := tuple(variant for variant in batch if not _settled(known.get(variant), stop)))
    ]
    work = partial(_counts_of, observation.board, goal, stop)
    alone = observation.count <= SMALL_COUNT
    try:
        for done, (batch, counts) in enumerate(workers.run(work, needed, alone), start=1):
            known.update(
                (variant, (each, stop)) for variant, each in zip(batch, counts, strict=True)
            )
            if progress:
                progress(done, len(needed))
    except OutOfTimeError:
        return False
    return True


def _settled(known: tuple[Counts | None, Stop] | None, stop: Stop) -> bool:
    """Whether a variant was run to its end, or at least as far as it is of interest now."""
    if known is None:
        return False
    counts, stopped = known
    return counts is not None or (stopped.counter == stop.counter and stopped.most >= stop.most)


def _counts_of(
    board: Board, goal: Goal, stop: Stop, batch: tuple[RuleVariant, ...]
) -> list[Counts | None]:
    return Measuring(board, goal, stop).counts(batch)


def _with_findings(
    explanations: tuple[Explanation, ...],
    first: int,
    goal: Goal,
    workers: Workers,
    progress: DiagnosisProgress | None,
) -> tuple[Explanation, ...]:
    """The explanations, the first ones with a counterexample if one was found."""
    unsound = list(dict.fromkeys(each.variant for each in explanations[:first] if not each.sound))
    findings: dict[RuleVariant, Finding] = {}
    try:
        for variant, finding in workers.run(partial(_finding, goal), unsound):
            findings[variant] = finding
            if progress:
                progress(len(findings), len(unsound))
    except OutOfTimeError:
        pass
    return tuple(replace(each, finding=findings.get(each.variant)) for each in explanations)


def _finding(goal: Goal, variant: RuleVariant) -> Finding:
    return smallest(variant, small_goal(goal))

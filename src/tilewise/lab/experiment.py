"""Experiment and Part: the runs that are wanted, as data. An experiment is a union of products."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import product
from random import Random
from typing import Any

from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.limits import Limits
from tilewise.courses.course import Course
from tilewise.courses.files import find_course
from tilewise.courses.running import plain_rules
from tilewise.errors import SpecError, shortened
from tilewise.lab.columns import Label
from tilewise.lab.instances import Instance, Source, for_goal
from tilewise.lab.recorded_depth import DEPTH, ContradictionError, check_depth
from tilewise.lab.row import COLUMNS
from tilewise.lab.run import Run
from tilewise.lab.validation import normal_run
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.position import read_position, text_for
from tilewise.puzzle.shapes import solvable_states
from tilewise.tables.distances import SMALL_STATES, distance_table

LONGEST_NAME = 80


@dataclass(frozen=True)
class PlannedRun:
    """A run and its place in the tables of an experiment: which part, which instance, labels."""

    part: str
    instance: str
    labels: Mapping[str, Label]
    full: bool
    run: Run


@dataclass(frozen=True)
class Part:
    """A product of instances, algorithms, heuristics, rules, limits and seeds.

    An algorithm that uses no heuristic appears once; without heuristics each algorithm has its
    own default. `profile`: the searches of a course, by its name or its file; a course of a file
    is data, so its runs are ordinary ones, with the labels `course` and `method`. `measure`: a
    function "module:name" of the run that is called in place of a search. `labels` are columns of
    all its rows. `full`: only done with `--full`.
    """

    name: str
    instances: Sequence[Source]
    algorithms: Sequence[str] = ("astar",)
    heuristics: Sequence[str] = ()
    rules: Sequence[str] = ("default",)
    profile: str = ""
    goal: str = ""
    limits: Sequence[Limits] = (Limits(),)
    seeds: Sequence[int] = (0,)
    labels: Mapping[str, Label] = field(default_factory=dict)
    measure: str = ""
    full: bool = False

    def planned_runs(self) -> Iterator[PlannedRun]:
        """Every run of the product; names and specs are checked and put in their normal form."""
        for seed in self.seeds:
            for number, instance in enumerate(self._drawn(seed), start=1):
                goal = read_position(instance.board, self._named_goal or instance.goal or None).goal
                name = instance.name or f"{self.name}:{number}"
                labels = _labels(name, instance, goal, self.labels)
                for run, more in self._runs(str(instance.board), goal.name, seed):
                    yield PlannedRun(self.name, name, {**labels, **more}, self.full, run)

    def describe(self) -> dict[str, Any]:
        """The part as strings, numbers and lists."""
        facts: dict[str, Any] = {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if each.name not in ("instances", "limits", "labels")
        }
        facts["instances"] = [source.describe() for source in self.instances]
        facts["limits"] = [
            {"max_nodes": each.generated, "seconds": each.seconds, "memory": each.memory}
            for each in self.limits
        ]
        facts["labels"] = dict(self.labels)
        for name in ("algorithms", "heuristics", "rules", "seeds"):
            facts[name] = list(facts[name])
        return facts

    def _drawn(self, seed: int) -> Iterator[Instance]:
        for source in self.instances:
            yield from for_goal(source, self._named_goal).draw(seed)

    @property
    def _named_goal(self) -> str:
        """The goal of the profile or the one that is named; empty: each board has its own."""
        fixed = self.course.goal if self.course else ""
        if fixed and self.goal and self.goal != fixed:
            raise SpecError(
                f"expected the goal {fixed}, which profile {self.profile} has, got {self.goal}"
            )
        return fixed or self.goal

    @property
    def course(self) -> Course | None:
        """The course whose searches are run."""
        return find_course(self.profile) if self.profile else None

    def _runs(self, board: str, goal: str, seed: int) -> Iterator[tuple[Run, Mapping[str, Label]]]:
        """The runs of a board, with the labels that only they have."""
        for (algorithm, heuristic), rules, limits in product(
            self._searches(), self.rules, self.limits
        ):
            run = Run(
                board=board,
                goal=goal,
                algorithm=algorithm,
                heuristic=heuristic,
                rules=rules,
                profile=self.course.name if self.course else "",
                measure=self.measure,
                max_nodes=limits.generated,
                max_seconds=None if limits.seconds is None else float(limits.seconds),
                max_memory=limits.memory,
                seed=seed,
            )
            yield self._plain(run) if self.course and self.course.source else (normal_run(run), {})

    def _plain(self, run: Run) -> tuple[Run, Mapping[str, Label]]:
        """The ordinary run that a run of a course from a file is: its rules are knobs."""
        course = find_course(self.profile)
        method = course.method(run.algorithm, run.heuristic or None, usual=False)
        plain = replace(
            run,
            profile="",
            algorithm=method.algorithm,
            heuristic=method.heuristic or "",
            rules=plain_rules(course, method),
        )
        return normal_run(plain), {"course": course.name, "method": method.name}

    def _searches(self) -> Iterable[tuple[str, str]]:
        """Pairs of an algorithm and a heuristic, each once."""
        return dict.fromkeys(
            (algorithm, heuristic)
            for algorithm in self.algorithms
            for heuristic in (self.heuristics if self._takes_heuristic(algorithm) else ()) or ("",)
        )

    def _takes_heuristic(self, algorithm: str) -> bool:
        if self.measure:
            return True
        if self.course:
            methods = self.course.with_algorithm(algorithm)
            return any(method.heuristic for method in methods)
        return build_algorithm(algorithm).entry.needs_heuristic


@dataclass(frozen=True)
class Experiment:
    """A name and the parts whose runs are wanted; the order of the runs is drawn by a seed.

    With None as the seed they are done in the order of the definition.
    A run that several parts want is done once and stands in all of them.
    """

    name: str
    parts: Sequence[Part]
    title: str = ""
    report: str = ""
    order_seed: int | None = 0
    load: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > LONGEST_NAME or not self.name.isprintable():
            raise SpecError(f"expected a short name for an experiment, got {shortened(self.name)}")

    def planned_runs(self, full: bool = False) -> list[PlannedRun]:
        """The runs in the order of the definition; an experiment without any is an error."""
        return list(self.each_planned(full))

    def each_planned(self, full: bool = False) -> Iterator[PlannedRun]:
        """The same, made one after the other: there may be millions."""
        none = True
        for part in self.parts:
            if full or not part.full:
                for each in part.planned_runs():
                    none = False
                    yield each
        if none:
            raise SpecError(f"expected at least one run, got none in experiment {self.name}")

    def shuffled(self, planned: Iterable[PlannedRun]) -> list[Run]:
        """The runs, each once, in the order in which they are to be done."""
        runs = list({each.run.key: each.run for each in planned}.values())
        if self.order_seed is not None:
            Random(self.order_seed).shuffle(runs)
        return runs

    def to_dict(self) -> dict[str, Any]:
        """The definition as strings, numbers and lists, as the store keeps it."""
        return {
            "name": self.name,
            "title": self.title,
            "report": self.report,
            "order_seed": self.order_seed,
            "load": list(self.load),
            "parts": [part.describe() for part in self.parts],
        }


def _labels(
    name: str, instance: Instance, goal: Goal, of_part: Mapping[str, Label]
) -> dict[str, Label]:
    """The labels of a run; on small shapes the depth is looked up, or checked if it is given."""
    labels = {**of_part, **instance.labels}
    for label, value in labels.items():
        if not isinstance(label, str) or not label.isidentifier() or label in COLUMNS:
            raise SpecError(f"expected a new word as the name of a label, got {shortened(label)}")
        if not isinstance(value, str | int | float):
            raise SpecError(f"expected text or a number as label {label}, got {shortened(value)}")
    if DEPTH in instance.labels and not _made_for(instance, goal):
        del labels[DEPTH]  # what is known is the depth to another goal
    if DEPTH in labels:
        check_depth(name, labels[DEPTH])
    if _has_table(goal, instance.board):
        found = distance_table(goal).distance(instance.board.tiles)
        if labels.setdefault(DEPTH, found) != found:
            raise ContradictionError(
                f"{name}: expected boards of the recorded depth {labels[DEPTH]}, got one that is "
                f"{found} moves from the goal {goal.name}: {text_for(instance.board, goal)}"
            )
    return labels


def _made_for(instance: Instance, goal: Goal) -> bool:
    return not instance.goal or read_position(instance.board, instance.goal).goal == goal


def _has_table(goal: Goal, board: Board) -> bool:
    small = solvable_states(board.rows, board.columns) <= SMALL_STATES
    return small and goal.name in ("first", "last", "snail") and goal.reachable_from(board)

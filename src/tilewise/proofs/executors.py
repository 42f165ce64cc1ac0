"""Who searches the subtrees of a pass: the threads of this process, or others."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tilewise import native
from tilewise.core.limits import default_memory
from tilewise.core.made_heuristic import Heuristic, build_heuristic
from tilewise.core.problem import Problem
from tilewise.native import SubtreeCount
from tilewise.puzzle.position import read_position
from tilewise.tables.patterns.lookup import bytes_of

NODES_A_STORED, MOST_STORED = 40, 1_000_000
"""A probe stores a node for this many that it makes depth-first: storing one takes as long."""


@dataclass(frozen=True)
class PassTask:
    """A pass as strings and numbers, so that it can go to another machine."""

    board: str
    goal: str
    heuristic: str
    words: int
    order: str
    bound: int
    expected: int
    """Nodes that are left of the proof, about: for many, faster tables are made at once."""

    def problem(self) -> Problem:
        """The puzzle that the task is about."""
        position = read_position(self.board, self.goal)
        return Problem(position.board, position.goal, self.order)


Report = Callable[[list[SubtreeCount], int], bool]
"""Called now and then with the subtrees that are done since, by their number among the roots of
the pass, and the nodes of those that are not done; True stops."""


class SubtreeExecutor(Protocol):
    """Searches subtrees. A solution ends it, and so does the report."""

    def connect(self, seconds: float, ended: Callable[[], bool]) -> None:
        """Get ready within the seconds; called once, before anything is searched.

        Raises:
            CancelledError: It was not ready in time, or `ended` said so.
        """
        ...

    def search(
        self, task: PassTask, roots: Sequence[tuple[int, str]], report: Report
    ) -> str | None:
        """Search the subtrees with these numbers and roots; a solution, if one was found."""
        ...

    def probe(
        self, task: PassTask, nodes: int, ended: Callable[[], bool]
    ) -> tuple[str | None, int]:
        """Look for a solution within the bound by about this many nodes; and how many it took."""
        ...

    def close(self) -> None:
        """End or leave those who search."""
        ...


def cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


@dataclass
class ThreadsHere:
    """The threads of this process."""

    threads: int = field(default_factory=cores)
    memory: int = field(default_factory=default_memory)

    def connect(self, seconds: float, ended: Callable[[], bool]) -> None:
        """Nothing is needed."""

    def search(
        self, task: PassTask, roots: Sequence[tuple[int, str]], report: Report
    ) -> str | None:
        """Search all subtrees by one call of the native engine."""
        numbers = [number for number, _ in roots]

        def renumbered(done: list[SubtreeCount], generated: int) -> bool:
            return report([each._replace(number=numbers[each.number]) for each in done], generated)

        _, moves = self._searched(task, [root for _, root in roots], renumbered)
        return moves

    def probe(
        self, task: PassTask, nodes: int, ended: Callable[[], bool]
    ) -> tuple[str | None, int]:
        """Depth-first from the open nodes of a best-first search, in the order of h."""
        problem = task.problem()
        stored = min(MOST_STORED, nodes // NODES_A_STORED)
        top = native.probe_roots(problem, self._heuristic(task), task.bound, stored, ended)
        if top.stopped or top.moves is not None or not top.roots:
            return top.moves, top.generated
        made = 0

        def report(done: list[SubtreeCount], generated: int) -> bool:
            nonlocal made
            made = max(made, generated)
            return made >= nodes or ended()

        _, moves = self._searched(task, top.roots, report)
        return moves, top.generated + made

    def close(self) -> None:
        """Nothing is kept."""

    def _searched(
        self, task: PassTask, roots: list[str], report: Report
    ) -> tuple[bool, str | None]:
        heuristic = self._heuristic(task)
        return native.search_subtrees(
            task.problem(),
            heuristic,
            roots,
            bound=task.bound,
            words=task.words,
            threads=self.threads,
            memory=max(0, self.memory - bytes_of(heuristic)),
            expected=task.expected,
            report=report,
        )

    @staticmethod
    def _heuristic(task: PassTask) -> Heuristic:
        return build_heuristic(task.heuristic, read_position(task.board, task.goal).goal)

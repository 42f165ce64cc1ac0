"""Who searches the subtrees of a pass: the threads of this process, or others."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tilewise import native
from tilewise.core.limits import default_memory
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import Problem
from tilewise.native import SubtreeCount
from tilewise.puzzle.position import read_position


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
    """Nodes that are left of the pass, about."""

    def problem(self) -> Problem:
        """The puzzle that the task is about."""
        position = read_position(self.board, self.goal)
        return Problem(position.board, position.goal, self.order)


Report = Callable[[list[SubtreeCount], int], bool]
"""Called now and then with the subtrees that are done since, by their number among the roots of
the pass, and the nodes of those that are not done; True stops."""


class SubtreeExecutor(Protocol):
    """Searches subtrees. A solution ends it, and so does the report."""

    def search(
        self, task: PassTask, roots: Sequence[tuple[int, str]], report: Report
    ) -> str | None:
        """Search the subtrees with these numbers and roots; a solution, if one was found."""
        ...


@dataclass
class ThreadsHere:
    """The threads of this process."""

    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    memory: int = field(default_factory=default_memory)

    def search(
        self, task: PassTask, roots: Sequence[tuple[int, str]], report: Report
    ) -> str | None:
        """Search all subtrees by one call of the native engine."""
        numbers = [number for number, _ in roots]

        def renumbered(done: list[SubtreeCount], generated: int) -> bool:
            return report([each._replace(number=numbers[each.number]) for each in done], generated)

        problem = task.problem()
        goal = read_position(task.board, task.goal).goal
        _, moves = native.search_subtrees(
            problem,
            build_heuristic(task.heuristic, goal),
            [root for _, root in roots],
            bound=task.bound,
            words=task.words,
            threads=self.threads,
            memory=self.memory,
            expected=task.expected,
            report=renumbered,
        )
        return moves

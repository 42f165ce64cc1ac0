"""Shortens a path by solving windows of it again, between their first and their last board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from tilewise import native
from tilewise.core.problem import Problem, State

SHORTEST, LONGEST = 16, 72
"""Moves of the first and of the last windows that are tried."""
QUICK_ROUNDS = 4
FIRST_NODES, MOST_NODES = 2_000, 2_000_000_000


@dataclass(frozen=True)
class Round:
    """All windows of one length, each within a number of nodes."""

    length: int
    nodes: int
    offset: int


def rounds() -> Iterator[Round]:
    """Longer and longer windows with more and more nodes, without an end."""
    length, nodes, number = SHORTEST, FIRST_NODES, 0
    while True:
        yield Round(length, nodes, number * 37)
        number += 1
        length, nodes = min(length + 4, LONGEST), min(nodes * 4, MOST_NODES)


def within(what: Round, moves: int, nodes: int) -> Round:
    """The same round with so small windows that a path of this length takes at most the nodes."""
    searched = moves // max(1, what.length // 4) + 1
    return replace(what, nodes=max(1, min(what.nodes, nodes // (4 * searched))))


def without_detours(problem: Problem, moves: str, engine: str, stopped: Callable[[], bool]) -> str:
    """A path after the first rounds: milliseconds on usual boards, or until it is `stopped`."""
    for what in islice(rounds(), QUICK_ROUNDS if engine == "native" else 1):
        moves, _ = shorten(problem, moves, what, engine=engine, threads=1, stopped=stopped)
    return moves


def shorten(
    problem: Problem,
    moves: str,
    what: Round,
    *,
    engine: str,
    threads: int,
    seconds: float = 0.0,
    stopped: Callable[[], bool],
) -> tuple[str, int]:
    """The path after one round, and the nodes that it took. 0 seconds are no limit."""
    if engine == "python":
        return _shorten_in_python(problem, moves, what, stopped)
    return native.shorten_path(
        problem,
        moves,
        length=what.length,
        nodes=what.nodes,
        offset=what.offset,
        threads=threads,
        seconds=seconds,
        stopped=stopped,
    )


def _shorten_in_python(
    problem: Problem, moves: str, what: Round, stopped: Callable[[], bool]
) -> tuple[str, int]:
    generated, at = 0, 0
    stride = max(1, what.length // 4)
    states = _states(problem, problem.start, moves)
    while at + 2 < len(moves) and not stopped():
        end = min(len(moves), at + what.length)
        search = _WindowSearch(problem, states[end], what.nodes)
        found = search.run(states[at], end - at - 2)
        generated += search.generated
        if found is None:
            at += stride
        else:
            moves = moves[:at] + found + moves[end:]
            states[at:end] = _states(problem, states[at], found)[:-1]
            at = max(0, at - what.length // 2)
    return moves, generated


def _states(problem: Problem, start: State, moves: str) -> list[State]:
    states = [start]
    for move in moves:
        states.append(dict(problem.successors(states[-1]))[move])
    return states


class _WindowSearch:
    """Iterative deepening with Manhattan distance from one state to another."""

    def __init__(self, problem: Problem, target: State, nodes: int) -> None:
        self._problem, self._target, self._most = problem, target, nodes
        self._home = {tile: divmod(cell, problem.columns) for cell, tile in enumerate(target)}
        self.generated = 0

    def run(self, start: State, longest: int) -> str | None:
        """The shortest way of at most `longest` moves, or None within the nodes."""
        for bound in range(self._distance(start), longest + 1, 2):
            found = self._deepen(start, bound, "")
            if found is not None or self.generated >= self._most:
                return found
        return None

    def _distance(self, state: State) -> int:
        total = 0
        for cell, tile in enumerate(state):
            if tile:
                row, column = divmod(cell, self._problem.columns)
                total += abs(row - self._home[tile][0]) + abs(column - self._home[tile][1])
        return total

    def _deepen(self, state: State, left: int, last: str) -> str | None:
        if state == self._target:
            return ""
        for move, after in self._problem.successors(state, last):
            self.generated += 1
            if self.generated >= self._most:
                return None
            if self._distance(after) < left:
                found = self._deepen(after, left - 1, move)
                if found is not None:
                    return move + found
        return None

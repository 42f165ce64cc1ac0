"""Every optimal solution of a board, and how many there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import Problem, State
from tilewise.errors import SpecError, TableError
from tilewise.puzzle.board import Board, Goal

MAX_STATES = 2_000_000
"""Layers of more states than this are given up."""
STATES_BETWEEN_LOOKS = 1024


@dataclass(frozen=True)
class OptimalPaths:
    """All shortest solutions. Iterating gives them; they are not stored, so there may be millions.

    Example:
        >>> paths = optimal_paths(Board.parse("8b6 547 231"), Goal.blank_first(3, 3), 31)
        >>> paths.count == len(list(paths))
        True
    """

    count: int
    """How many there are."""
    _steps: list[dict[State, list[tuple[str, State]]]]
    _start: State

    def __iter__(self) -> Iterator[str]:
        """The solutions in the order U D L R of their first differing move."""
        walk: list[Iterator[tuple[str, State]]] = []
        moves: list[str] = []
        if not self._steps:
            yield ""
            return
        walk.append(iter(self._steps[0][self._start]))
        while walk:
            step = next(walk[-1], None)
            if step is None:
                walk.pop()
                if moves:
                    moves.pop()
                continue
            move, state = step
            if len(walk) == len(self._steps):
                yield "".join(moves) + move
            else:
                moves.append(move)
                walk.append(iter(self._steps[len(walk)][state]))


def optimal_paths(
    board: Board, goal: Goal, cost: int, context: BuildContext = DEFAULT_CONTEXT
) -> OptimalPaths:
    """Find all shortest solutions of a board whose optimal cost is known.

    Layer by layer from the start, keeping the states that linear conflict does not rule out;
    then back from the goal, keeping those that lead to it.

    Args:
        board: The board.
        goal: The goal.
        cost: The length of a shortest solution.
        context: Whether to go on is asked there.

    Raises:
        CancelledError: The context ended it.
        SpecError: `cost` is too small.
        TableError: There are too many states on the way.

    Example:
        >>> list(optimal_paths(Board.parse("312 475 68b"), Goal.blank_first(3, 3), 4))
        ['LULU']
    """
    problem = Problem(board, goal)
    estimate = build_heuristic("linear_conflict", goal).estimate
    layers: list[dict[State, list[tuple[str, State]]]] = []
    layer = {problem.start}
    held = 0
    for left in range(cost, 0, -1):
        steps: dict[State, list[tuple[str, State]]] = {}
        for state in layer:
            if len(steps) % STATES_BETWEEN_LOOKS == 0:
                context.check()
            steps[state] = [
                (move, child)
                for move, child in problem.successors(state)
                if estimate(child) <= left - 1
            ]
        layers.append(steps)
        held += len(steps)
        if held > MAX_STATES:
            raise TableError(
                f"expected at most {MAX_STATES:,} states on the way to all optimal solutions of "
                f"{board}, got more"
            )
        layer = {child for children in steps.values() for _, child in children}
    if problem.goal not in layer:
        raise SpecError(f"expected the optimal cost of {board}, got {cost}")
    paths = {problem.goal: 1}
    for depth in range(cost - 1, -1, -1):
        context.check()
        layers[depth] = {
            state: kept
            for state, children in layers[depth].items()
            if (kept := [step for step in children if step[1] in paths])
        }
        paths = {
            state: sum(paths[child] for _, child in children)
            for state, children in layers[depth].items()
        }
    return OptimalPaths(paths[problem.start], layers, problem.start)

"""Wrong solvers: one plain A*, as in many homework solutions, each with one defect.

They are written without the searches of the package, as their authors did: Manhattan distance,
successors up, down, left, right, a heap with a counter, so ties go to the oldest node.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import Problem, State
from tilewise.puzzle.board import Board, Goal

MOST_EXPANDED = 100_000


@dataclass(frozen=True)
class Printed:
    """What a solver prints: its moves, the cost it claims, and its count; None for no solution."""

    moves: str | None
    cost: int | None
    expanded: int
    says: str = ""


@dataclass(frozen=True)
class Defect:
    """In what a homework differs from a right A*."""

    priority: Callable[[int, int], int] = lambda g, h: g + h
    skips_open: bool = False
    forgets_g: bool = False
    marks_when_generated: bool = False
    knows_no_state: bool = False
    goal_when_generated: bool = False


def greedy_called_astar(board: Board, goal: Goal) -> Printed:
    """h alone; no state is looked at twice."""
    return _homework(board, goal, Defect(lambda g, h: h, marks_when_generated=True))


def skip_if_in_frontier(board: Board, goal: Goal) -> Printed:
    """`if child not in open and child not in closed: open.push(child)`."""
    return _homework(board, goal, Defect(skips_open=True))


def closed_when_generated(board: Board, goal: Goal) -> Printed:
    """`visited.add(child)` when it is pushed."""
    return _homework(board, goal, Defect(marks_when_generated=True))


def g_forgotten(board: Board, goal: Goal) -> Printed:
    """`parent[child] = node` for a cheaper path, but neither g nor the heap is touched."""
    return _homework(board, goal, Defect(skips_open=True, forgets_g=True))


def no_closed_list(board: Board, goal: Goal) -> Printed:
    """Only the step straight back is left out."""
    return _homework(board, goal, Defect(knows_no_state=True))


def goal_counted(board: Board, goal: Goal) -> Printed:
    """The goal is recognised when it is generated, and counted as if it were expanded."""
    return _homework(board, goal, Defect(goal_when_generated=True))


def parity_of_the_wrong_goal(board: Board, goal: Goal) -> Printed:
    """A textbook's test of solvability for blank last, used for blank first."""
    tiles = [tile for tile in board.tiles if tile]
    inversions = sum(a > b for i, a in enumerate(tiles) for b in tiles[i + 1 :])
    if board.columns % 2 == 0:
        inversions += board.rows - 1 - board.blank // board.columns
    if inversions % 2:
        return Printed(None, None, 0, "unsolvable")
    return _homework(board, goal, Defect())


def _homework(board: Board, goal: Goal, defect: Defect) -> Printed:
    """A* with a heap of (f, number, g, state)."""
    problem, h = Problem(board, goal), build_heuristic("manhattan", goal).estimate
    number, expanded = count(), 0
    start = problem.start
    g_of: dict[State, int] = {start: 0}
    parent: dict[State, tuple[State, str] | None] = {start: None}
    closed: set[State] = set()
    heap = [(defect.priority(0, h(start)), next(number), 0, start, "")]
    while heap and expanded < MOST_EXPANDED:
        _, _, g, state, path = heapq.heappop(heap)
        if not defect.knows_no_state and g > g_of[state]:
            continue  # an old entry
        if state == problem.goal:
            return _printed(defect, parent, state, path, g, expanded)
        closed.add(state)
        expanded += 1
        last = path[-1:] if defect.knows_no_state else ""
        for move, child in problem.successors(state, last):
            if defect.goal_when_generated and child == problem.goal:
                return Printed(path + move, g + 1, expanded + 1)
            if not defect.knows_no_state and child in g_of:
                cheaper = g + 1 < g_of[child]
                if defect.forgets_g and cheaper and child not in closed:
                    parent[child] = state, move
                if (
                    not cheaper
                    or defect.marks_when_generated
                    or (defect.skips_open and child not in closed)
                ):
                    continue
            g_of[child] = g + 1
            parent[child] = state, move
            closed.discard(child)
            f = defect.priority(g + 1, h(child))
            heapq.heappush(heap, (f, next(number), g + 1, child, path + move))
    return Printed(None, None, expanded, "gave up")


def _printed(
    defect: Defect,
    parent: dict[State, tuple[State, str] | None],
    state: State,
    path: str,
    g: int,
    expanded: int,
) -> Printed:
    """The answer; who forgets g walks back along the parents and prints the g it has."""
    if defect.forgets_g:
        moves: list[str] = []
        step = parent[state]
        while step is not None:
            moves.append(step[1])
            step = parent[step[0]]
        path = "".join(reversed(moves))
    return Printed(path, g, expanded)

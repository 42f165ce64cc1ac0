"""Enhanced partial expansion A*."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.search.best_first import path_to
from tilewise.search.bucket_queue import BucketQueue
from tilewise.search.narration import Narrator, Node


@algorithm(
    "epeastar",
    optimal=True,
    complete=True,
    title="Enhanced partial expansion A*",
    frontier=Frontier(FrontierKind.OWN_ORDER, g=1, h=1, reopens=False),
    choice="takes the smallest value, of equals the smallest h, then the newest; the value is f, "
    "and f + 2 after the moves that do not raise f are made",
    pseudo_code="""
        put the start on the open list; its value is its f <- start
        while the open list is not empty:
            take the node with the smallest value
            if it is the goal: return the path to it <- goal
            expand it by the moves after which f is the value, by a table <- expand
                if its state is known by a path no longer: throw it away <- duplicate
                else: put it on the open list <- generate
            if a move is left: put the node back with the value f + 2
        """,
)
def epeastar(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """EPEA* (Felner and others 2012): makes only successors whose f it wants next.

    What a move does to the Manhattan distance depends on one tile and two cells, so a table says
    beforehand which moves leave f as it is and which raise it by 2. It has no other heuristic.
    """
    stats, moves = Stats(peak_stored=1), _Moves(problem)
    nodes: list[Node] = [(problem.start, -1, "", 0, moves.manhattan(problem.start))]
    number_of: dict[State, int] = {problem.start: 0}
    superseded: set[int] = set()
    taken: set[int] = set()  # taken once, so the moves that raise f are left
    open_list = BucketQueue(newest_first=True)
    open_list.push((nodes[0][4], nodes[0][4]), 0)
    narrator = Narrator(observer, nodes, lambda g, h: g + h) if observer else None
    if narrator:
        narrator.start()

    def end(status: Status, node: int) -> Outcome:
        stats.peak_stored = len(number_of)
        if narrator:
            narrator.end(status, node, node)
        return Outcome(status, path_to(nodes, node) if status is Status.SOLVED else None, stats)

    while True:
        node = open_list.pop()
        if node in superseded:  # a cheaper copy was pushed later
            continue
        state, _, _, g, node_h = nodes[node]
        if state == problem.goal:
            return end(Status.SOLVED, node)
        change = 1 if node in taken else -1
        stats.bound = g + node_h + 1 + change
        stats.expanded += 1
        if narrator:
            narrator.expand(node)
        wanted, left = moves.split(state, change)
        for move in wanted:
            if stats.generated == meter.pause and meter.stop(stats):
                return end(meter.status, node)
            stats.generated += 1
            child, number = moves.apply(state, move), len(nodes)
            known = number_of.setdefault(child, number)
            if known != number and nodes[known][3] <= g + 1:
                stats.duplicates += 1
                if narrator:
                    narrator.duplicate(known, node, move)
                continue
            if known != number:
                superseded.add(known)
                number_of[child] = number
            nodes.append((child, node, move, g + 1, node_h + change))
            open_list.push((g + 1 + node_h + change, node_h + change), number)
            stats.stored += 1
            stats.max_depth = max(stats.max_depth, g + 1)
            if narrator:
                narrator.made(number)
        if left and node not in taken:
            taken.add(node)
            open_list.push((g + node_h + 2, node_h), node)
        stats.max_frontier = max(stats.max_frontier, open_list.size)


class _Moves:
    """The operator selection function: moves by their change of the Manhattan distance."""

    def __init__(self, problem: Problem) -> None:
        cells, columns = len(problem.goal), problem.columns
        home = {tile: divmod(cell, columns) for cell, tile in enumerate(problem.goal)}
        self._steps = [
            abs(cell // columns - home[tile][0]) + abs(cell % columns - home[tile][1])
            for tile in range(cells)
            for cell in range(cells)
        ]
        self._cells = cells
        self._targets: list[list[tuple[str, int]]] = []
        for blank in range(cells):
            state = tuple(0 if cell == blank else 1 for cell in range(cells))
            after = problem.successors(state)
            self._targets.append([(move, made.index(0)) for move, made in after])
        self._to = [dict(targets) for targets in self._targets]

    def manhattan(self, state: State) -> int:
        """The Manhattan distance of a state."""
        return sum(self._steps[t * self._cells + cell] for cell, t in enumerate(state) if t)

    def split(self, state: State, change: int) -> tuple[list[str], bool]:
        """The moves with this change of the distance, and whether there are others."""
        blank, steps, cells = state.index(0), self._steps, self._cells
        targets = self._targets[blank]
        wanted = []
        for move, cell in targets:
            row = state[cell] * cells
            if steps[row + blank] - steps[row + cell] == change:
                wanted.append(move)
        return wanted, len(wanted) < len(targets)

    def apply(self, state: State, move: str) -> State:
        """The state after a move."""
        blank = state.index(0)
        cell = self._to[blank][move]
        made = list(state)
        made[blank], made[cell] = made[cell], 0
        return tuple(made)

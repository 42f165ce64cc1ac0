"""Frontier search."""

from __future__ import annotations

from dataclasses import dataclass

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.puzzle.board import Move

BIT = {move.value: 1 << number for number, move in enumerate(Move)}
BACK = {move.value: BIT[move.opposite.value] for move in Move}


@dataclass(slots=True)
class _Node:
    state: State
    number: int
    g: int
    used: int = 0
    """A bit for each move that leads to a state of the layer before, so that none is needed."""
    middle: _Node | None = None
    """Where the path to it is halfway, in passes that look for that."""


@algorithm(
    "frontier_search",
    optimal=True,
    complete=True,
    tree=True,
    title="Frontier search",
    frontier=Frontier(FrontierKind.OWN_ORDER, g=1, reopens=False),
    choice="goes breadth-first by whole layers and forgets each layer when the next one is made; "
    "the path is found by searching again for its middle, then for the middles of the halves",
    pseudo_code="""
        the first layer is the start <- start
        until the goal is in the layer: <- bound
            for each node of the layer: expand it by the moves that are not marked <- expand
                if the next layer has its state: mark the way back there, too <- duplicate
                else: put it in the next layer, with the way back marked <- generate
            forget the layer, go on with the next one
        search again: each node now knows the one halfway on its path
        do the same from the start to that node, and from there to the goal
        return the moves of all the parts <- goal
        """,
)
def frontier_search(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Frontier search (Korf, Zhang, Thayer, Hohwald 2005): breadth-first without a closed list.

    Each node carries the moves that would lead back, so two layers are all that is held. The
    solution is put together by divide and conquer: the search runs again for the state in the
    middle of the path, and so on for both halves.
    """
    search = _FrontierSearch(problem, meter, observer)
    root = _Node(problem.start, 0, 0)
    goal = search.run(root, problem.goal)
    moves = None if goal is None else search.between(root, goal)
    return search.end(goal if moves is not None else None, moves)


class _FrontierSearch:
    """Passes from one node to another, each with two layers."""

    def __init__(self, problem: Problem, meter: Meter, observer: Observer | None) -> None:
        self._problem, self._meter, self._observer = problem, meter, observer
        self.stats = Stats(peak_stored=1)
        self._report(Kind.START, _Node(problem.start, 0, 0), -1, "")

    def run(self, root: _Node, goal: State, middle: int = -1) -> _Node | None:
        """The node of the goal, with the node of depth `middle` on its path; None at a limit."""
        stats, meter = self.stats, self._meter
        stats.iterations += 1
        self._report(Kind.BOUND, root, -1, "")
        layer = {root.state: _Node(root.state, root.number, root.g)}
        while goal not in layer:
            made: dict[State, _Node] = {}
            for node in layer.values():
                stats.expanded += 1
                self._report(Kind.EXPAND, node, -1, "")
                for move, state in self._problem.successors(node.state):
                    if node.used & BIT[move]:
                        continue
                    if stats.generated == meter.pause and meter.stop(stats):
                        return None
                    stats.generated += 1
                    known = made.get(state)
                    stats.duplicates += known is not None
                    if known is None:
                        known = _Node(state, stats.generated, node.g + 1, 0, node.middle)
                        made[state] = known
                        stats.stored += 1
                        self._report(Kind.GENERATE, known, node.number, move)
                    else:
                        self._report(Kind.DUPLICATE, known, node.number, move)
                    known.used |= BACK[move]
            stats.max_depth = max(stats.max_depth, node.g + 1)
            stats.max_frontier = max(stats.max_frontier, len(made))
            stats.peak_stored = max(stats.peak_stored, len(layer) + len(made))
            layer = made
            if node.g + 1 == middle:
                for halfway in layer.values():
                    halfway.middle = halfway
        return layer[goal]

    def between(self, root: _Node, goal: _Node) -> str | None:
        """The moves from one node to another, by the node halfway; None at a limit."""
        if root.state == goal.state:
            return ""
        if goal.g == root.g + 1:
            return next(m for m, s in self._problem.successors(root.state) if s == goal.state)
        again = self.run(root, goal.state, (root.g + goal.g) // 2)
        if again is None or again.middle is None:
            return None
        first = self.between(root, again.middle)
        second = None if first is None else self.between(again.middle, goal)
        return None if first is None or second is None else first + second

    def end(self, goal: _Node | None, moves: str | None) -> Outcome:
        """The outcome; without a goal a limit was reached."""
        if goal is None:
            self._report(Kind.STOP, _Node(self._problem.start, 0, 0), -1, "")
            return Outcome(self._meter.status, None, self.stats)
        self._report(Kind.GOAL, goal, -1, "")
        self._report(Kind.STOP, goal, -1, "")
        return Outcome(Status.SOLVED, moves, self.stats)

    def _report(self, kind: Kind, node: _Node, parent: int, move: str) -> None:
        if self._observer:
            self._observer(kind, node.number, parent, move, node.g, 0, (node.g, 0), node.state)

"""Recursive best-first search."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats


@dataclass(slots=True)
class _Node:
    state: State
    move: str
    g: int
    h: int
    number: int
    backed_up: float
    """The least f known below this node, its own f at first."""
    limit: float = math.inf
    children: list[_Node] = field(default_factory=list)


@algorithm(
    "rbfs",
    needs_heuristic=True,
    fractions=True,
    optimal=True,
    complete=True,
    tree=True,
    title="Recursive best-first search",
    frontier=Frontier(FrontierKind.RECURSION, g=1, h=1, reopens=False),
    choice="no open list: the successor with the smallest backed-up f on the way down",
    pseudo_code="""
        begin at the start, with no limit <- start
        at a node, with a limit:
            if it is the goal: return the path to it <- goal
            expand it: for each successor but the way back: <- expand
                value = the larger of its f = g + h and the value of the node <- generate
            while the smallest value of the successors is not above the limit:
                go down to the best successor; its limit is the second smallest value,
                or the limit of the node if that is smaller
            give the successors up; the value of the node is their smallest
        """,
)
def rbfs(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Recursive best-first search (Korf 1993): best-first order in memory linear in the depth.

    Goes down the best successor until its value exceeds that of the best alternative, then
    backs up and remembers what was found there. The recursion is a list. Successors never
    take the last move straight back; ties go to the earlier successor.
    """
    stats = Stats(peak_stored=1)
    root_h = h(problem.start)
    held = 1
    path = [_Node(problem.start, "", 0, root_h, 0, root_h)]
    if observer:
        _report(observer, Kind.START, path[0])

    def end(status: Status) -> Outcome:
        if observer and status is Status.SOLVED:
            _report(observer, Kind.GOAL, path[-1])
        if observer:
            _report(observer, Kind.STOP, path[-1])
        moves = "".join(node.move for node in path) if status is Status.SOLVED else None
        return Outcome(status, moves, stats)

    while True:
        node = path[-1]
        if not node.children:
            if node.state == problem.goal:
                return end(Status.SOLVED)
            stats.expanded += 1
            if observer:
                _report(observer, Kind.EXPAND, node, path[-2].number if len(path) > 1 else -1)
            for move, state in problem.successors(node.state, node.move):
                if stats.generated == meter.pause and meter.stop(stats):
                    return end(meter.status)
                stats.generated += 1
                g, child_h = node.g + 1, h(state)
                # a node visited before cannot be better than what was found below it
                value = max(g + child_h, node.backed_up)
                child = _Node(state, move, g, child_h, stats.generated, value)
                node.children.append(child)
                if observer:
                    _report(observer, Kind.GENERATE, child, node.number)
            stats.max_depth = max(stats.max_depth, node.g + 1)
            held += len(node.children)
            stats.peak_stored = max(stats.peak_stored, held)
        best = min(node.children, key=lambda child: child.backed_up, default=None)
        if best is None or best.backed_up > node.limit:
            node.backed_up = math.inf if best is None else best.backed_up
            held -= len(node.children)
            node.children = []
            path.pop()
            if not path:
                return Outcome(Status.UNSOLVABLE, None, stats)
            continue
        others = (child.backed_up for child in node.children if child is not best)
        best.limit = min(node.limit, min(others, default=math.inf))
        path.append(best)


def _report(observer: Observer, kind: Kind, node: _Node, parent: int = -1) -> None:
    key = (node.g + node.h, 0)
    observer(kind, node.number, parent, node.move, node.g, node.h, key, node.state)

"""Partial expansion A*."""

from __future__ import annotations

import math

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
    "peastar",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    tree=True,
    title="Partial expansion A*",
    frontier=Frontier(FrontierKind.OWN_ORDER, g=1, h=1),
    choice="takes the smallest value, of equals the smallest h, then the newest; the value is f, "
    "and after an expansion the smallest f of the successors that were put off",
    pseudo_code="""
        put the start on the open list; its value is its f <- start
        while the open list is not empty:
            take the node with the smallest value
            if it is the goal: return the path to it <- goal
            expand it: for each successor: <- expand
                if its state is known by a path no longer: throw it away <- duplicate
                else if its f is above the value + `cutoff`: put it off, do not store it
                else: put it on the open list <- generate, reopen
            if some were put off: put the node back, with the smallest f of those as its value
        """,
)
def peastar(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    cutoff: int = 0,
) -> Outcome:
    """Partial expansion A* (Yoshizumi, Miura, Ishida 2000): A* that stores no node too early.

    Successors whose f is above that of the node are made, but not stored; the node waits in their
    place and makes them again. With a larger `cutoff` more are stored and fewer made again.
    """
    stats = Stats(peak_stored=1)
    nodes: dict[int, Node] = {0: (problem.start, -1, "", 0, h(problem.start))}
    value_of = {0: nodes[0][4]}  # of the nodes that wait
    number_of: dict[State, int] = {problem.start: 0}
    expanded: set[int] = set()
    open_list = BucketQueue(newest_first=True)
    open_list.push((nodes[0][4], nodes[0][4]), 0)
    narrator = Narrator(observer, nodes, lambda g, h: g + h) if observer else None
    if narrator:
        narrator.start()

    def end(status: Status, node: int) -> Outcome:
        if narrator:
            narrator.end(status, node, node)
        return Outcome(status, path_to(nodes, node) if status is Status.SOLVED else None, stats)

    while True:
        node = open_list.pop()
        value = value_of.pop(node, None)
        if value is None:  # a cheaper copy was made later
            continue
        state, _, _, g, node_h = nodes[node]
        stats.bound = max(stats.bound, value)
        if state == problem.goal:
            return end(Status.SOLVED, node)
        expanded.add(node)
        stats.expanded += 1
        if narrator:
            narrator.expand(node)
        put_off = math.inf
        for move, child in problem.successors(state):
            if stats.generated == meter.pause and meter.stop(stats):
                return end(meter.status, node)
            stats.generated += 1
            known = number_of.get(child)
            if known is not None and nodes[known][3] <= g + 1:
                stats.duplicates += 1
                if narrator:
                    narrator.duplicate(known, node, move)
                continue
            number, child_h = stats.generated, h(child)
            nodes[number] = (child, node, move, g + 1, child_h)
            f, reopens = g + 1 + child_h, known in expanded
            if f > value + cutoff:
                put_off = min(put_off, f)
                if narrator:
                    narrator.made(number)
                del nodes[number]
                continue
            if known is not None:
                value_of.pop(known, None)
                stats.reopened += reopens
            number_of[child], value_of[number] = number, f
            open_list.push((f, child_h), number)
            stats.stored += 1
            stats.max_depth = max(stats.max_depth, g + 1)
            if narrator:
                narrator.made(number, reopens=reopens)
        if put_off < math.inf:
            value_of[node] = int(put_off)
            open_list.push((int(put_off), node_h), node)
        stats.max_frontier = max(stats.max_frontier, open_list.size)
        stats.peak_stored = len(number_of)

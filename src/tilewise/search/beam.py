"""Beam search, and hill climbing as the beam of width 1."""

from __future__ import annotations

from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import Estimate, algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.search.best_first import Node, path_to

BEAM_HEURISTIC = "sum(misplaced, manhattan)"


@algorithm("beam", needs_heuristic=True, contract="EXACT", default_heuristic=BEAM_HEURISTIC)
def beam(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    width: int = 100,
) -> Outcome:
    """Beam search: layer by layer, only the `width` states with the smallest h are kept.

    A state is made at most once in the whole search. The layer is generated whole, sorted
    stably, and cut; the search is over when the goal is in the layer, stuck when it is empty.
    """
    stats = Stats()
    start, root_h = problem.start, h(problem.start)
    nodes: list[Node] = [(start, -1, "", 0, root_h)]
    number_of = {start: 0}
    layer = [0]
    if observer:
        observer(Kind.START, 0, -1, "", 0, root_h, (root_h, 0), start)

    def end(status: Status, node: int) -> Outcome:
        stats.peak_stored = len(nodes)
        state, parent, move, g, node_h = nodes[node]
        if observer:
            if status is Status.SOLVED:
                observer(Kind.GOAL, node, parent, move, g, node_h, (node_h, 0), state)
            observer(Kind.STOP, node, parent, move, g, node_h, (node_h, 0), state)
        return Outcome(status, path_to(nodes, node) if status is Status.SOLVED else None, stats)

    while layer:
        if problem.goal in number_of:
            return end(Status.SOLVED, number_of[problem.goal])
        stats.iterations += 1
        made = []
        for node in layer:
            state, parent, move, g, node_h = nodes[node]
            stats.expanded += 1
            if observer:
                observer(Kind.EXPAND, node, parent, move, g, node_h, (node_h, 0), state)
            for move, child in problem.successors(state):
                if stats.generated == meter.pause and meter.stop(stats):
                    return end(meter.status, node)
                stats.generated += 1
                number = len(nodes)
                known = number_of.setdefault(child, number)
                if known != number:
                    stats.duplicates += 1
                    if observer:
                        child_h = nodes[known][4]
                        observer(
                            Kind.DUPLICATE, known, node, move, g + 1, child_h, (child_h, 0), child
                        )
                    continue
                child_h = h(child)
                nodes.append((child, node, move, g + 1, child_h))
                made.append(number)
                stats.stored += 1
                stats.max_depth = g + 1
                if observer:
                    observer(Kind.GENERATE, number, node, move, g + 1, child_h, (child_h, 0), child)
        stats.max_frontier = max(stats.max_frontier, len(made))
        layer = sorted(made, key=lambda number: nodes[number][4])[:width]
    return end(Status.STUCK, 0)


@algorithm("hill_climbing", needs_heuristic=True, default_heuristic=BEAM_HEURISTIC)
def hill_climbing(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Hill climbing: the beam of width 1, always on to the best new neighbour."""
    return beam(problem, h, meter, rules, observer, width=1)

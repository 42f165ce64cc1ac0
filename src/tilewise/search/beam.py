"""Beam search, and hill climbing as the beam of width 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import itemgetter

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.search.best_first import path_to
from tilewise.search.narration import Narrator, Node

BEAM_HEURISTIC = "sum(misplaced, manhattan)"


LAYERS = Frontier(FrontierKind.LAYERS, h=1, reopens=False, width="width")


@algorithm(
    "beam",
    needs_heuristic=True,
    fractions=True,
    default_heuristic=BEAM_HEURISTIC,
    title="Beam search",
    frontier=LAYERS,
    choice="goes layer by layer: a layer is sorted by h, the best are kept, and those are expanded "
    "one after the other",
    pseudo_code="""
        the first layer is the start <- start
        while the layer is not empty:
            if the goal was made: return the path to it <- goal
            for each node of the layer, the smallest h first: expand it <- expand
                for each of its successors:
                    if its state was made before: throw it away <- duplicate
                    else: put it in the next layer <- generate
            sort the next layer by h, keep the first `width` of it: that is the layer
        report that the search is stuck
        """,
    native="BEAM",
    native_options={"threads": range(1025)},
)
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
    With `threads` a faster beam runs on that number of threads: ties are broken by a hash, states
    are known again for 64 layers only, and memory is bounded.
    """
    return layered(problem, h, meter, observer, lambda made: by_h(made)[:width])


@algorithm(
    "hill_climbing",
    needs_heuristic=True,
    fractions=True,
    default_heuristic=BEAM_HEURISTIC,
    title="Hill climbing",
    frontier=replace(LAYERS, width=1),
    choice="always goes on to the new neighbour with the smallest h",
    pseudo_code="""
        the node is the start <- start
        while there is a node:
            if the goal was made: return the path to it <- goal
            expand the node: for each of its successors: <- expand
                if its state was made before: throw it away <- duplicate
                else: it is a new neighbour <- generate
            the node is the new neighbour with the smallest h
        report that the search is stuck
        """,
    native="BEAM",
)
def hill_climbing(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Hill climbing: the beam of width 1, always on to the best new neighbour."""
    return beam(problem, h, meter, rules, observer, width=1)


Made = list[tuple[int, int]]
"""The nodes of a new layer: h and number of each, in the order in which they were made."""


def by_h(made: Made) -> Made:
    """The smallest h first, of equals the oldest."""
    return sorted(made, key=itemgetter(0))


def layered(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    observer: Observer | None,
    keep: Callable[[Made], Made],
) -> Outcome:
    """Go layer by layer; `keep` chooses what stays of a new layer, in the order of expansion."""
    stats = Stats()
    nodes: list[Node] = [(problem.start, -1, "", 0, h(problem.start))]
    number_of = {problem.start: 0}
    layer = [0]
    narrator = Narrator(observer, nodes, LAYERS.priority()) if observer else None
    if narrator:
        narrator.start()

    def end(status: Status, node: int) -> Outcome:
        stats.peak_stored = len(nodes)
        if narrator:
            narrator.end(status, node, node)
        return Outcome(status, path_to(nodes, node) if status is Status.SOLVED else None, stats)

    while layer:
        if problem.goal in number_of:
            return end(Status.SOLVED, number_of[problem.goal])
        stats.iterations += 1
        made = []
        for node in layer:
            state, _, _, g, _ = nodes[node]
            stats.expanded += 1
            if narrator:
                narrator.expand(node)
            for move, child in problem.successors(state):
                if stats.generated == meter.pause and meter.stop(stats):
                    return end(meter.status, node)
                stats.generated += 1
                number = len(nodes)
                known = number_of.setdefault(child, number)
                if known != number:
                    stats.duplicates += 1
                    if narrator:
                        narrator.duplicate(known, node, move)
                    continue
                nodes.append((child, node, move, g + 1, h(child)))
                made.append(number)
                stats.stored += 1
                stats.max_depth = g + 1
                if narrator:
                    narrator.made(number)
        stats.max_frontier = max(stats.max_frontier, len(made))
        layer = [number for _, number in keep([(nodes[each][4], each) for each in made])]
    return end(Status.STUCK, 0)

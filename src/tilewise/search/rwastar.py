"""Restarting weighted A*."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from math import ceil

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.search.known_paths import KnownPaths

WEIGHTS = (Fraction(5), Fraction(3), Fraction(2), Fraction(1))


@algorithm(
    "rwastar",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    anytime=True,
    title="Restarting weighted A*",
    frontier=Frontier(FrontierKind.OWN_ORDER, g=1, h=1),
    choice="takes the smallest g + w * h, of equals the newest; each pass begins again at the "
    "start with a smaller w",
    pseudo_code="""
        for each w of `weight`, 5, 3, 2, 1 that is not above `weight`:
            the open list is the start alone <- start, bound
            while the open list is not empty:
                take the node with the smallest g + w * h
                if a solution no longer than its g + h is known: skip it
                if it is the goal: the path to it is the best so far; end this pass <- goal
                expand it: for each successor: <- expand
                    if no path to it was as short: put it on the open list <- generate, reopen
                    else if its state was not on the open list in this pass: <- duplicate
                        put it there with the shortest path that is known
        return the best solution
        """,
)
def rwastar(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    weight: Fraction = Fraction(5),
) -> Outcome:
    """Restarting weighted A* (Richter, Thayer, Ruml 2010): weighted A* again, with smaller weights.

    Each pass begins with an empty open list, so that it is not bound to the region that the one
    before it looked at; what it keeps are the shortest paths that are known. The last pass is A*.
    """
    paths = KnownPaths(problem, h, meter, observer, "rwastar")
    stats, best, nodes, number_of = paths.stats, paths.best, paths.nodes, paths.number_of
    for w in dict.fromkeys([max(weight, Fraction(1)), *(w for w in WEIGHTS if w < weight)]):
        paths.begin_pass()
        for_g, for_h, opened = w.denominator, w.numerator, {problem.start}
        open_list = [(for_h * nodes[0][4], 0)]
        reached = False
        while open_list:
            node = -heappop(open_list)[1]
            state, _, _, g, node_h = nodes[node]
            if number_of[state] != node or g + node_h >= best.cost:
                continue  # a cheaper copy was made later, or it leads to nothing shorter
            if state == problem.goal:
                best.improve(paths.path_to_goal(), ceil(g / w))
                reached = True
                break
            paths.expand(node)
            for move, child in problem.successors(state):
                if stats.generated == meter.pause and meter.stop(stats):
                    return paths.end(node)
                number, before = paths.make(node, move, child)
                if number == before and child in opened:
                    continue
                opened.add(child)
                _, _, _, child_g, child_h = nodes[number]
                heappush(open_list, (for_g * child_g + for_h * child_h, -number))
            stats.max_frontier = max(stats.max_frontier, len(open_list))
        if not reached:  # nothing that waits can be shorter
            best.improve(None, int(best.cost))
        stats.bound = best.bound
        if best.good_enough:
            break
    return paths.end(number_of[problem.goal])

"""Restarting weighted A*."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from math import ceil

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
from tilewise.search.incumbents import BestSoFar
from tilewise.search.narration import Narrator, Node

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
    stats, best = Stats(), BestSoFar(meter, "rwastar", h(problem.start))
    nodes: list[Node] = [(problem.start, -1, "", 0, h(problem.start))]
    number_of: dict[State, int] = {problem.start: 0}
    expanded: set[int] = set()
    narrator = Narrator(observer, nodes, lambda g, h: g + h) if observer else None
    if narrator:
        narrator.start()

    def end(node: int) -> Outcome:
        stats.peak_stored = len(number_of)
        if narrator:
            solved = best.status is Status.SOLVED
            narrator.end(best.status, number_of[problem.goal] if solved else node, node)
        return best.outcome(stats)

    for w in dict.fromkeys([max(weight, Fraction(1)), *(w for w in WEIGHTS if w < weight)]):
        stats.iterations += 1
        if narrator:
            narrator.bound(best.bound)
        for_g, for_h, opened = w.denominator, w.numerator, {problem.start}
        open_list = [(for_h * nodes[0][4], 0)]
        reached = False
        while open_list:
            node = -heappop(open_list)[1]
            state, _, _, g, node_h = nodes[node]
            if number_of[state] != node or g + node_h >= best.cost:
                continue  # a cheaper copy was made later, or it leads to nothing shorter
            if state == problem.goal:
                best.improve(path_to(nodes, node), ceil(g / w))
                reached = True
                break
            expanded.add(node)
            stats.expanded += 1
            if narrator:
                narrator.expand(node)
            for move, child in problem.successors(state):
                if stats.generated == meter.pause and meter.stop(stats):
                    return end(node)
                stats.generated += 1
                number = len(nodes)
                known = number_of.setdefault(child, number)
                if known == number or g + 1 < nodes[known][3]:
                    nodes.append((child, node, move, g + 1, h(child)))
                    number_of[child] = number
                    stats.stored += 1
                    stats.reopened += known in expanded
                    stats.max_depth = max(stats.max_depth, g + 1)
                    if narrator:
                        narrator.made(number, reopens=known in expanded)
                else:
                    number = known
                    stats.duplicates += 1
                    if narrator:
                        narrator.duplicate(known, node, move)
                    if child in opened:
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
    return end(number_of[problem.goal])

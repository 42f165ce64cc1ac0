"""Anytime repairing A*."""

from __future__ import annotations

from fractions import Fraction
from heapq import heapify, heappop, heappush

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.search.known_paths import KnownPaths


@algorithm(
    "arastar",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    anytime=True,
    title="ARA*",
    frontier=Frontier(FrontierKind.OWN_ORDER, g=1, h=1),
    choice="takes the smallest g + w * h of the nodes that were not expanded in this pass, of "
    "equals the newest; w falls from pass to pass",
    pseudo_code="""
        put the start on the open list; w = `weight` <- start
        repeat: <- bound
            while the smallest g + w * h is below that of the goal:
                take that node and expand it: for each successor: <- expand
                    if its state is known by a path no longer: throw it away <- duplicate
                    else if its state was expanded in this pass: <- reopen
                        keep it for the next pass, on the list of inconsistent nodes
                    else: put it on the open list <- generate
            the path to the goal is the best so far, the smallest g + h of both lists the bound
            if they meet: return the path <- goal
            lower w by `step`, to 1 at least; all nodes of both lists are the open list
        """,
)
def arastar(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    weight: Fraction = Fraction(3),
    step: Fraction = Fraction(1, 2),
) -> Outcome:
    """Anytime repairing A* (Likhachev, Gordon, Thrun 2003): weighted A* with falling weights.

    Each pass goes on with the nodes of the pass before it, and none expands a state twice. It ends
    when the smallest g + h of all nodes that wait proves the solution to be a shortest one.
    """
    paths = KnownPaths(problem, h, meter, observer, "arastar")
    stats, best, nodes, number_of = paths.stats, paths.best, paths.nodes, paths.number_of
    waiting = {0}  # on one of the two lists
    weight = max(weight, Fraction(1))
    while True:
        paths.begin_pass()
        for_g, for_h = weight.denominator, weight.numerator
        open_list = [(for_g * nodes[n][3] + for_h * nodes[n][4], -n) for n in waiting]
        heapify(open_list)
        closed: set[State] = set()
        while open_list:
            key, node = open_list[0][0], -open_list[0][1]
            goal = number_of.get(problem.goal)
            if goal is not None and for_g * nodes[goal][3] + for_h * nodes[goal][4] <= key:
                break
            heappop(open_list)
            if node not in waiting:  # a cheaper copy was pushed later
                continue
            state = nodes[node][0]
            waiting.remove(node)
            closed.add(state)
            paths.expand(node)
            for move, child in problem.successors(state):
                if stats.generated == meter.pause and meter.stop(stats):
                    return paths.end(node)
                number, before = paths.make(node, move, child)
                if number == before:
                    continue
                waiting -= {before}
                waiting.add(number)
                if child not in closed:
                    _, _, _, g, child_h = nodes[number]
                    heappush(open_list, (for_g * g + for_h * child_h, -number))
        stats.max_frontier = max(stats.max_frontier, len(waiting))
        cost = nodes[number_of[problem.goal]][3]
        bound = min((nodes[n][3] + nodes[n][4] for n in waiting), default=cost)
        best.improve(paths.path_to_goal(), min(bound, cost))
        stats.bound = best.bound
        if best.good_enough:
            return paths.end(number_of[problem.goal])
        weight = max(Fraction(1), weight - step)

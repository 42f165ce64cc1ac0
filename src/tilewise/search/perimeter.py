"""Perimeter search."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm, no_estimate
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.search.sides import LazyHeap, Side, TwoSided


@algorithm(
    "perimeter",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    title="Perimeter search",
    frontier=Frontier(FrontierKind.TWO_SIDED, g=1, h=1),
    choice="breadth-first from the goal to a depth, then the smallest f from the start, of equals "
    "the newest with the smallest h",
    pseudo_code="""
        one side begins at the start, the other at the goal <- start
        expand the states fewer than `depth` moves from the goal, breadth-first
        h of a state inside: its distance. Outside: depth + 1 at least; with a consistent
            heuristic h + the smallest (depth - h) of the perimeter
        while the side of the start has open nodes:
            take the node with the smallest f = g + h
            if the side of the goal knows its state: join the two paths, return them <- goal
            expand it: for each successor: <- expand
                if its state is known by a path no longer: throw it away <- duplicate
                else: put it on the open list <- generate, reopen
        """,
)
def perimeter(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    depth: int = 8,
) -> Outcome:
    """Perimeter search (Dillenburg and Nelson 1994): A* towards all states near the goal.

    Inside the perimeter distances are known, outside h grows by what it falls short of at the
    perimeter (the add method of Kaindl and Kainz 1997, for consistent heuristics).
    """
    inside: dict[State, int] = {}

    def corrected(state: State) -> int:
        known = inside.get(state)
        return max(h(state) + short, depth + 1) if known is None else known

    short = -depth  # before the perimeter is known
    search = TwoSided(problem, corrected, no_estimate, observer)
    forward, back = search.sides
    layer = [0]
    for distance in range(depth + 1):
        inside.update((back.nodes[index][0], distance) for index in layer)
        if distance == depth or problem.start in inside:
            break
        made: list[int] = []
        for index in layer:
            new = search.expand(1, index, meter)
            if new is None:
                return search.end(meter.status)
            made += new
        layer = made
    rim = [distance - h(back.nodes[index][0]) for index in layer]
    short = max(0, min(rim)) if meter.consistent else 0
    return _forward(search, forward, back, meter)


def _forward(search: TwoSided, forward: Side, back: Side, meter: Meter) -> Outcome:
    """A* from the start to the states that the side of the goal knows."""
    stats, open_list = search.stats, LazyHeap(forward)
    root = forward.nodes[0]
    forward.nodes[0] = (*root[:4], forward.h(root[0]), root[5])
    made = [0]
    while True:
        for index in made:
            _, _, _, g, node_h, _ = forward.nodes[index]
            open_list.push(g + node_h, index, tie=node_h)
        stats.bound = int(open_list.least)
        state = forward.nodes[open_list.first][0]
        if state in back.index_of:
            search.meeting = state
            return search.end(Status.SOLVED)
        new = search.expand(0, open_list.pop(), meter)
        if new is None:
            return search.end(meter.status)
        made = new

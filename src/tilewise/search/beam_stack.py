"""Beam-stack search."""

from __future__ import annotations

import math
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
from tilewise.search.incumbents import BestSoFar

Key = tuple[float, State]
"""f, then the state: no two nodes of a layer are equal, so that every cut makes progress."""
LOWEST: Key = (0, ())
HIGHEST: Key = (math.inf, ())
Known = tuple[State, str, int, int]
"""The state before, the move between, the number of the node, its h."""


@dataclass(slots=True)
class _Layer:
    """The states of a layer, and the keys that the next layer may have."""

    states: list[State]
    low: Key = LOWEST
    high: Key = HIGHEST


@algorithm(
    "beam_stack",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    tree=True,
    anytime=True,
    title="Beam-stack search",
    frontier=Frontier(FrontierKind.OWN_ORDER, g=1, h=1, reopens=False),
    choice="goes layer by layer, the best `width` of each by f; after the last layer it goes back "
    "to the deepest layer that was cut and makes what was cut off",
    pseudo_code="""
        the first layer is the start; every layer has an interval, at first of all f <- start
        while there is a layer:
            expand the nodes of the last layer: for each successor: <- expand
                if a layer has its state: throw it away <- duplicate
                if its f is in the interval and below the best cost: keep it <- generate
            if the next layer is wider than `width`: keep its smallest f, end the interval there
            if the goal is in it: the path to it is the best so far
            else if it is not empty: it is the last layer; go on with it
            take away layers at the end whose interval was not cut short
            the interval of the last one begins where it ended
        return the best solution <- goal
        """,
)
def beam_stack(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    width: int = 100,
) -> Outcome:
    """Beam-stack search (Zhou and Hansen 2005): a beam that comes back for what it cut off.

    A solution as fast as a beam finds one, then better ones; when all is done, the best of them is
    a shortest one. It holds `width` states a layer and knows only the states of its layers again.
    """
    stats, best = Stats(peak_stored=1), BestSoFar(meter, "beam_stack", h(problem.start))
    report = _Reporter(observer, problem, h(problem.start))
    # all states of all layers; one that a layer has is of no use in a later one
    held: dict[State, Known] = {problem.start: (problem.start, "", 0, h(problem.start))}
    layers = [_Layer([problem.start])]
    if problem.start == problem.goal:
        best.improve("", 0)
        layers.clear()
    while layers:
        top, g = layers[-1], len(layers)
        stats.iterations += 1
        made: dict[State, Known] = {}
        keys: list[Key] = []
        for state in top.states:
            before, last, node, node_h = held[state]
            stats.expanded += 1
            report(Kind.EXPAND, node, held[before][2], last, g - 1, node_h, state)
            for move, child in problem.successors(state, last):
                if stats.generated == meter.pause and meter.stop(stats):
                    return report.end(best, stats)
                stats.generated += 1
                known = made.get(child) or held.get(child)
                if known:
                    stats.duplicates += 1
                    report(Kind.DUPLICATE, known[2], node, move, g, known[3], child)
                    continue
                child_h = h(child)
                report(Kind.GENERATE, stats.generated, node, move, g, child_h, child)
                key = (g + child_h, child)
                if g + child_h < best.cost and top.low <= key < top.high:
                    made[child] = (state, move, stats.generated, child_h)
                    keys.append(key)
                    stats.stored += 1
        stats.max_frontier = max(stats.max_frontier, len(made))
        if problem.goal in made:
            best.improve(_path(held | made, problem), 0)
            report.goal = (*made[problem.goal][1:3], g)
        keys.sort()
        if len(keys) > width:
            top.high = keys[width]
        if keys and problem.goal not in made:
            layers.append(_Layer([state for _, state in keys[:width]]))
            held.update((state, made[state]) for state in layers[-1].states)
            stats.peak_stored = max(stats.peak_stored, len(held))
            stats.max_depth = max(stats.max_depth, g)
            continue
        while layers and layers[-1].high[0] >= best.cost:
            for state in layers.pop().states:
                del held[state]
        # what is left to make was cut off, so its f is not below the keys where that was done
        cut = [each.high[0] for each in layers]
        best.improve(None, int(min([best.cost, *cut], default=0)))
        if best.good_enough:
            break
        if layers:
            layers[-1].low, layers[-1].high = layers[-1].high, HIGHEST
    return report.end(best, stats)


def _path(known: dict[State, Known], problem: Problem) -> str:
    state, moves = problem.goal, []
    while state != problem.start:
        state, move, _, _ = known[state]
        moves.append(move)
    return "".join(reversed(moves))


class _Reporter:
    """Reports the steps of the search, if there is an observer; the goal once, at the end."""

    def __init__(self, observer: Observer | None, problem: Problem, h: int) -> None:
        self._observer, self._problem, self._h = observer, problem, h
        self.goal = ("", 0, 0)
        """Move, number and g of the goal when it was found last."""
        if observer:
            observer(Kind.START, 0, -1, "", 0, h, (h, 0), problem.start)

    def __call__(
        self,
        kind: Kind,
        node: int,
        parent: int,
        move: str,
        g: int,
        h: int,
        state: State,
    ) -> None:
        if self._observer:
            self._observer(kind, node, parent if g else -1, move, g, h, (g + h, 0), state)

    def end(self, best: BestSoFar, stats: Stats) -> Outcome:
        """The end of the search."""
        if self._observer:
            move, node, g = self.goal
            if best.status is Status.SOLVED:
                self._observer(Kind.GOAL, node, -1, move, g, 0, (g, 0), self._problem.goal)
            self._observer(Kind.STOP, 0, -1, "", 0, self._h, (self._h, 0), self._problem.start)
        return best.outcome(stats)

"""Learning real-time A*."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.search.walk import LimitReached, Walk


@algorithm(
    "lrtastar",
    needs_heuristic=True,
    complete=True,
    tree=True,
    title="LRTA*",
    frontier=Frontier(FrontierKind.WALK, g=1, h=1, reopens=False),
    choice="moves at once, to the successor with the smallest 1 + value; it never takes back a "
    "move in its head",
    pseudo_code="""
        the value of a state is its h, until another is learned
        for each of `trials` trials, or until a trial changes no value:
            the state is the start <- start, bound
            while it is not the goal: <- goal
                make its successors <- expand, generate
                the value of the state is the smallest 1 + value of them, if that is larger
                go on to that successor
        return the moves of the last trial
        """,
)
def lrtastar(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    trials: int = 1,
) -> Outcome:
    """Learning real-time A* (Korf 1990): looks one move ahead, moves, and learns from it.

    An online search: the solution is the whole walk, detours included. Values that it has learned
    help it in later trials. After a trial without a change, the walk is as long as the value of
    the start; with an admissible heuristic that is a shortest solution.
    """
    way = Walk(problem, h, meter, observer, cuts_loops=False)
    values: dict[State, int] = {}
    start = problem.start

    def value(state: State, estimate: int) -> int:
        return values.get(state, estimate)

    try:
        for trial in range(trials):
            if trial:
                way.restart()
            way.begin_pass(value(start, way.here.h))
            learned = False
            while not way.solved:
                made = [way.make(*successor) for successor in way.expand()]
                best = min(made, key=lambda step: value(step.state, step.h))
                least = 1 + value(best.state, best.h)
                if least > value(way.here.state, way.here.h):
                    values[way.here.state], learned = least, True
                way.go(best)
                stats = way.stats
                stats.peak_stored = max(stats.peak_stored, len(values) + len(way.path))
            if not learned:
                break
    except LimitReached:
        return way.end(meter.status, values.get(start, 0))
    return way.end(Status.SOLVED, values.get(start, h(start)))

"""An algorithm of your own: a function of problem, heuristic, meter, rules and observer.

tilewise solve "8b6 547 231" -a enforced_hill_climbing --load examples/own_algorithm.py
"""

from __future__ import annotations

from collections import deque

import tilewise as tw
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.result import Outcome
from tilewise.core.stats import Stats


@tw.algorithm("enforced_hill_climbing", needs_heuristic=True, complete=True)
def enforced_hill_climbing(
    problem: Problem, h: Estimate, meter: Meter, rules: tw.Rules, observer: Observer | None
) -> Outcome:
    """Breadth-first to the nearest better state, again and again (Hoffmann and Nebel 2001)."""
    stats = Stats()
    state, moves = problem.start, ""
    while state != problem.goal:
        stats.iterations += 1
        step = nearest_better(problem, h, meter, stats, state)
        if step is None:
            return Outcome(meter.status, None, stats)
        state, moves = step[0], moves + step[1]
    return Outcome(tw.Status.SOLVED, moves, stats)


def nearest_better(
    problem: Problem, h: Estimate, meter: Meter, stats: Stats, start: State
) -> tuple[State, str] | None:
    """The goal or the nearest state of smaller h, and the moves to it; None at a limit."""
    to_beat = h(start)
    queue = deque([(start, "")])
    seen = {start}
    while True:  # the goal can be reached, so the queue does not run out
        state, moves = queue.popleft()
        stats.expanded += 1
        for move, child in problem.successors(state):
            if stats.generated == meter.pause and meter.stop(stats):
                return None
            stats.generated += 1
            if child == problem.goal or h(child) < to_beat:
                return child, moves + move
            if child in seen:
                stats.duplicates += 1
                continue
            seen.add(child)
            stats.stored += 1
            stats.peak_stored = max(stats.peak_stored, len(seen))
            queue.append((child, moves + move))


if __name__ == "__main__":
    for name in ("astar", "enforced_hill_climbing", "greedy"):
        result = tw.solve("8b6 547 231", algorithm=name, heuristic="manhattan")
        print(f"{name:<22} {result.cost} moves, {result.stats.expanded:,} states expanded")

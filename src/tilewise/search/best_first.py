"""Best-first search: one loop for bfs, dfs, ucs, greedy, astar and wastar.

They differ in the priority alone. What textbooks leave open is in `Rules`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import Estimate
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.search.frontier import Frontier

Priority = Callable[[int, int], int]
Node = tuple[State, int, str, int, int]
"""State, number of the parent, move, g, h."""


def best_first(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    priority: Priority,
    reopen: bool = True,
    push_reversed: bool = False,
) -> Outcome:
    """Take the node of least priority(g, h) until it is the goal.

    Without `reopen` a state is stored once, however cheap a later path to it is.
    """
    stats, goal, tie = Stats(), problem.goal, rules.tie_sign
    test_when_generated = rules.goal_test == "generated"
    once = not reopen or rules.duplicates == "closed-when-generated"
    skip_open = rules.duplicates == "skip-if-in-frontier"
    ancestors, generate = rules.ancestors, Kind.GENERATE

    root_h = h(problem.start)
    nodes: list[Node] = [(problem.start, -1, "", 0, root_h)]
    number_of: dict[State, int] = {problem.start: 0}  # the cheapest node of each state
    closed: set[int] = set()
    superseded: set[int] = set()
    expanded_with_f: dict[int, int] = defaultdict(int)
    frontier = Frontier(newest_first=rules.newest_first)
    key = (priority(0, root_h), tie * root_h)
    frontier.push(key, 0)
    if "root" in rules.count:
        stats.generated = stats.stored = 1
    if observer:
        observer(Kind.START, 0, -1, "", 0, root_h, key, problem.start)

    def end(status: Status, node: int) -> Outcome:
        state, parent, move, g, node_h = nodes[node]
        stats.peak_stored = len(nodes) if ancestors else len(number_of)
        if status is Status.SOLVED:
            stats.expanded += "goal" in rules.count
            stats.expanded_below_cost = sum(n for f, n in expanded_with_f.items() if f < g)
            if observer:
                observer(Kind.GOAL, node, parent, move, g, node_h, key, state)
        if observer:
            observer(Kind.STOP, node, parent, move, g, node_h, key, state)
        return Outcome(status, path_to(nodes, node) if status is Status.SOLVED else None, stats)

    if test_when_generated and problem.start == goal:
        return end(Status.SOLVED, 0)
    while frontier.size:
        key, node = frontier.pop()
        state, parent, move, g, node_h = nodes[node]
        if node in superseded:  # a cheaper copy was pushed later
            if observer:
                observer(Kind.STALE, node, parent, move, g, node_h, key, state)
            continue
        if state == goal and not test_when_generated:
            return end(Status.SOLVED, node)
        closed.add(node)
        if observer:
            observer(Kind.EXPAND, node, parent, move, g, node_h, key, state)
        expanded_with_f[g + node_h] += 1
        g += 1
        stats.expanded += 1
        children = problem.successors(state)
        for move, child in reversed(children) if push_reversed else children:
            if stats.generated == meter.pause and meter.stop(stats):
                return end(meter.status, node)
            stats.generated += 1
            number = len(nodes)
            if ancestors:
                known = _ancestor(nodes, node, child, ancestors, number)
            else:
                known = number_of.setdefault(child, number)
            if known == number:
                child_h, kind = h(child), generate
            elif once or nodes[known][3] <= g or (skip_open and known not in closed):
                stats.duplicates += 1
                if observer:
                    child_h = nodes[known][4]
                    child_key = (priority(g, child_h), tie * child_h)
                    observer(Kind.DUPLICATE, known, node, move, g, child_h, child_key, child)
                continue
            else:  # a cheaper path to a known state
                child_h, kind = nodes[known][4], generate
                number_of[child] = number
                if known in closed:
                    stats.reopened += 1
                    kind = Kind.REOPEN
                else:
                    superseded.add(known)
            child_key = (priority(g, child_h), tie * child_h)
            nodes.append((child, node, move, g, child_h))
            frontier.push(child_key, number)
            stats.stored += 1
            if g > stats.max_depth:
                stats.max_depth = g
            if observer:
                observer(kind, number, node, move, g, child_h, child_key, child)
            if test_when_generated and child == goal:
                return end(Status.SOLVED, number)
        if frontier.size > stats.max_frontier:
            stats.max_frontier = frontier.size
    return end(Status.UNSOLVABLE, 0)


def path_to(nodes: list[Node], node: int) -> str:
    """The moves from the root to a node."""
    moves = []
    while node > 0:
        _, node, move, _, _ = nodes[node]
        moves.append(move)
    return "".join(reversed(moves))


def _ancestor(nodes: list[Node], node: int, child: State, most: int, new: int) -> int:
    """The one of the child's nearest ancestors that has its state, or the new number."""
    for _ in range(most):
        if node < 0:
            break
        if nodes[node][0] == child:
            return node
        node = nodes[node][1]
    return new

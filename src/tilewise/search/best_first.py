"""Best-first search: one loop for bfs, dfs, ucs, greedy, astar and wastar.

They differ in their frontier alone. What textbooks leave open is in `Rules`.
"""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.search.bucket_queue import BucketQueue
from tilewise.search.narration import Narrator, Node, Nodes


def best_first(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    frontier: Frontier,
) -> Outcome:
    """Take the node of least priority from the frontier until it is the goal."""
    rules = frontier.with_ties(rules)
    priority, tie = frontier.priority(), rules.tie_sign
    once = not frontier.reopens or rules.duplicates == "closed-when-generated"
    skip_open = rules.duplicates == "skip-if-in-frontier"
    ancestors, early = rules.ancestors, rules.goal_test == "generated"
    stats, goal, root_h = Stats(), problem.goal, h(problem.start)
    if "root" in rules.count:
        stats.generated = stats.stored = 1

    nodes: list[Node] = [(problem.start, -1, "", 0, root_h)]
    number_of: dict[State, int] = {problem.start: 0}  # the cheapest node of each state
    closed: set[int] = set()
    superseded: set[int] = set()
    open_list = BucketQueue(newest_first=rules.newest_first)
    open_list.push((priority(0, root_h), tie * root_h), 0)
    narrator = Narrator(observer, nodes, priority, tie) if observer else None
    if narrator:
        narrator.start()

    def end(status: Status, node: int, taken: int) -> Outcome:
        stats.peak_stored = len(nodes) if ancestors else len(number_of)
        if narrator:
            narrator.end(status, node, taken)
        if status is not Status.SOLVED:
            stats.bound = priority(nodes[taken][3], nodes[taken][4])
            return Outcome(status, None, stats)
        cost = nodes[node][3]
        stats.expanded += "goal" in rules.count
        stats.expanded_below_cost = sum(nodes[n][3] + nodes[n][4] < cost for n in closed)
        return Outcome(status, path_to(nodes, node), stats)

    if early and problem.start == goal:
        return end(Status.SOLVED, 0, 0)
    while open_list.size:
        node = open_list.pop()
        if node in superseded:  # a cheaper copy was pushed later
            if narrator:
                narrator.stale(node)
            continue
        state, _, _, g, _ = nodes[node]
        if state == goal and not early:
            return end(Status.SOLVED, node, node)
        closed.add(node)
        if narrator:
            narrator.expand(node)
        stats.expanded += 1
        g += 1
        children = problem.successors(state)
        for move, child in reversed(children) if frontier.pushes_reversed else children:
            if stats.generated == meter.pause and meter.stop(stats):
                return end(meter.status, node, node)
            stats.generated += 1
            number = len(nodes)
            if ancestors:
                known = _ancestor(nodes, node, child, ancestors, number)
            else:
                known = number_of.setdefault(child, number)
            if known == number:
                child_h = h(child)
            elif once or nodes[known][3] <= g or (skip_open and known not in closed):
                stats.duplicates += 1
                if narrator:
                    narrator.duplicate(known, node, move)
                continue
            else:  # a cheaper path to a known state
                child_h, number_of[child] = nodes[known][4], number
                if known in closed:
                    stats.reopened += 1
                else:
                    superseded.add(known)
            nodes.append((child, node, move, g, child_h))
            open_list.push((priority(g, child_h), tie * child_h), number)
            stats.stored += 1
            if g > stats.max_depth:
                stats.max_depth = g
            if narrator:
                narrator.made(number, reopens=known in closed)
            if early and child == goal:
                return end(Status.SOLVED, number, node)
        if open_list.size > stats.max_frontier:
            stats.max_frontier = open_list.size
    return end(Status.UNSOLVABLE, 0, node)


def path_to(nodes: Nodes, node: int) -> str:
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


def pseudo_code(frontier: Frontier) -> str:
    """The loop in a few lines, as it is under the default rules with this frontier."""
    held = "open list" if frontier.kind is FrontierKind.PRIORITY_QUEUE else frontier.kind
    of_equals = f", of equals the {frontier.ties}" if frontier.ties else ""
    last_first = ", the last first" if frontier.pushes_reversed else ""
    lines = [
        f"put the start on the {held} <- start",
        f"while the {held} is not empty:",
        f"    take the node with the {frontier.best} {frontier.formula}{of_equals}",
        "    if it is the goal: return the path to it <- goal",
        f"    expand it: make its successors{last_first}; for each of them: <- expand",
        "        if its state was made before: throw it away <- duplicate",
        f"        else: put it on the {held} <- generate",
        "report that there is no solution",
    ]
    if frontier.finds_cheaper_paths:
        lines[3:3] = ["    if a cheaper path to its state was found since: skip it <- stale"]
        lines[6:8] = [
            "        if its state is known by a path no longer: throw it away <- duplicate",
            f"        else if its state was expanded before: put it on the {held} again <- reopen",
            f"        else: put it on the {held} <- generate",
        ]
    return "\n".join(lines)

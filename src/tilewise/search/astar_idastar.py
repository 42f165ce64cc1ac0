"""A*+IDA*."""

from __future__ import annotations

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
from tilewise.search.bounded_tree import BoundedTree, Root
from tilewise.search.bucket_queue import BucketQueue
from tilewise.search.narration import Narrator, Node

MOST_SUCCESSORS = 4


@algorithm(
    "astar_idastar",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    tree=True,
    title="A*+IDA*",
    frontier=Frontier(FrontierKind.OWN_ORDER, g=1, h=1),
    choice="takes the smallest f, as A* does, until memory is full; then goes depth-first below a "
    "growing bound on f from each node of the open list, the smallest h first",
    pseudo_code="""
        put the start on the open list <- start
        while fewer than `nodes` states are stored: as A*,
            take the node with the smallest f = g + h
            if it is the goal: return the path to it <- goal
            expand it: for each successor: <- expand
                if its state is stored with a path no longer: throw it away <- duplicate
                else: put it on the open list <- generate, reopen
        repeat, with the smallest f on the open list or cut off as the bound: <- bound
            for each node of the open list with f within the bound, the smallest h first:
                go down from it, depth-first, as IDA* does; turn back at states
                that are stored with a path no longer
        """,
    native_with_options="ASTAR_IDASTAR",
    native_options={"prune": range(13)},
    takes_incumbent=True,
)
def astar_idastar(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    nodes: int = 100_000,
) -> Outcome:
    """A*+IDA* (Bu and Korf 2019): A* until `nodes` states are stored, then IDA* from its open list.

    The stored states spare the depth-first part the walks through the middle of the search, where
    most duplicates are; it needs no more memory. `prune` is a number of moves: words of up to that
    length which other words replace are left out (Taylor and Korf 1993). Then it does not turn back
    at states that are stored, and from the second pass on it takes those open nodes first below
    which the last pass came near to the goal with few nodes. With an incumbent, a solution that is
    known, the passes below its length are enough to prove it.
    """
    stats = Stats()
    stored = _Stored(problem.start, h(problem.start))
    tree = BoundedTree(problem, h, meter, observer, stats, stored)
    narrator = Narrator(observer, stored.nodes, lambda g, h: g + h) if observer else None
    if narrator:
        narrator.start()
    status, node = _astar(problem, h, meter, stored, stats, narrator, nodes)
    if status is not None:
        stats.peak_stored = len(stored)
        if narrator and node is not None:
            narrator.end(status, node, node)
        if node is None:
            return Outcome(status, meter.incumbent, stats)
        moves = path_to(stored.nodes, node) if status is Status.SOLVED else None
        return Outcome(status, moves, stats)
    waiting = sorted((stored.nodes[each][4], each) for each in stored.open)
    bound: float = min(stored.f(each) for each in stored.open)
    while True:
        stats.bound = int(bound)
        if _met(meter, stats):
            return Outcome(Status.SOLVED, meter.incumbent, stats)
        stats.iterations += 1
        tree.begin_pass(stored.root(0), int(bound))
        later: list[float] = [stored.f(each) for _, each in waiting if stored.f(each) > bound]
        for _, each in waiting:
            if stored.f(each) <= bound:
                ended = tree.run(stored.root(each), bound)
                if ended.status is not None:
                    return tree.end(ended.status, path_to(stored.nodes, each))
                later.append(ended.least_above)
        bound = min(later)


def _astar(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    stored: _Stored,
    stats: Stats,
    narrator: Narrator | None,
    most: int,
) -> tuple[Status | None, int | None]:
    """A* until it ends, or until memory is full, which is no status; the node that it ended at.

    There is none where the bound has come to the length of the incumbent.
    """
    nodes, number_of = stored.nodes, stored.number_of
    expanded: set[int] = set()
    open_list = BucketQueue(newest_first=True)
    open_list.push((nodes[0][4], nodes[0][4]), 0)
    while len(number_of) + MOST_SUCCESSORS <= most or nodes[0][0] == problem.goal:
        node = open_list.pop()
        if node not in stored.open:  # a cheaper copy was pushed later
            continue
        state, _, _, g, node_h = nodes[node]
        stats.bound = g + node_h
        if _met(meter, stats):
            return Status.SOLVED, None
        if state == problem.goal:
            return Status.SOLVED, node
        stored.open.remove(node)
        expanded.add(node)
        stats.expanded += 1
        if narrator:
            narrator.expand(node)
        for move, child in problem.successors(state):
            if stats.generated == meter.pause and meter.stop(stats):
                return meter.status, node
            stats.generated += 1
            known = number_of.get(child)
            if known is not None and nodes[known][3] <= g + 1:
                stats.duplicates += 1
                if narrator:
                    narrator.duplicate(known, node, move)
                continue
            number = stats.generated
            nodes[number] = (child, node, move, g + 1, h(child))
            number_of[child] = number
            if known is not None:
                stored.open.discard(known)
                stats.reopened += known in expanded
            stored.open.add(number)
            open_list.push((stored.f(number), nodes[number][4]), number)
            stats.stored += 1
            stats.max_depth = max(stats.max_depth, g + 1)
            if narrator:
                narrator.made(number, reopens=known in expanded)
        stats.max_frontier = max(stats.max_frontier, open_list.size)
    return None, 0


def _met(meter: Meter, stats: Stats) -> bool:
    """Whether no solution can be shorter than the one that is known."""
    return meter.incumbent is not None and stats.bound >= len(meter.incumbent)


class _Stored:
    """The nodes of A*, by number, and those on its open list."""

    def __init__(self, start: State, h: int) -> None:
        self.nodes: dict[int, Node] = {0: (start, -1, "", 0, h)}
        self.number_of: dict[State, int] = {start: 0}
        self.open = {0}

    def __len__(self) -> int:
        return len(self.number_of)

    def f(self, number: int) -> int:
        """g + h of a node."""
        return self.nodes[number][3] + self.nodes[number][4]

    def root(self, number: int) -> Root:
        """A node as the root of a depth-first search."""
        state, parent, move, g, h = self.nodes[number]
        return Root(state, move, g, h, number, parent)

    def by(self, state: State, g: int) -> int | None:
        number = self.number_of.get(state)
        return number if number is not None and self.nodes[number][3] <= g else None

    def add(self, state: State, g: int, number: int) -> None:
        """Nothing is stored while going depth-first."""

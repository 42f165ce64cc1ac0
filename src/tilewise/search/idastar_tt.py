"""IDA* with a transposition table."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.search.bounded_tree import BoundedTree, Root


@algorithm(
    "idastar_tt",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    tree=True,
    title="IDA* with a transposition table",
    frontier=Frontier(FrontierKind.DEEPENING, g=1, h=1, reopens=False),
    choice="goes depth-first below a bound on f, as IDA* does, and turns back at states that it "
    "came to before in this pass by a path no longer",
    pseudo_code="""
        set the bound to h of the start <- start
        repeat, each time from the start: <- bound
            go down the tree, depth-first; at each node:
                if it is the goal: return the path to it <- goal
                expand it: for each successor but the way back: <- expand
                    if the table has its state by a path no longer: turn back <- duplicate
                    compute its f = g + h <- generate
                    if that is above the bound: cut it off
                    else: put it in the table, if that has room, and go down to it
            set the bound to the smallest f that was cut off
        """,
)
def idastar_tt(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    nodes: int = 100_000,
) -> Outcome:
    """IDA* with a transposition table (Reinefeld and Marsland 1994) of `nodes` states.

    The table keeps for each state the fewest moves by which this pass came to it; no solution
    within the bound is left below such a state. States beyond `nodes` are searched as by IDA*.
    """
    stats, table = Stats(peak_stored=1), _TranspositionTable(nodes)
    tree = BoundedTree(problem, h, meter, observer, stats, table)
    root = Root(problem.start, h=h(problem.start))
    bound: float = root.h
    tree.start(root)
    while True:
        before = stats.expanded
        stats.iterations += 1
        stats.bound = int(bound)
        tree.begin_pass(root, int(bound))
        table.begin_pass(problem.start)
        ended = tree.run(root, bound)
        if ended.status is not None:
            stats.expanded_below_cost = before
            return tree.end(ended.status)
        bound = ended.least_above


class _TranspositionTable:
    """The fewest moves by which a pass came to a state; states beyond a number are not kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._seen: dict[State, tuple[int, int, int]] = {}
        self._pass = 0

    def __len__(self) -> int:
        return len(self._seen)

    def begin_pass(self, start: State) -> None:
        """What earlier passes came to counts no more."""
        self._pass += 1
        self.add(start, 0, 0)

    def by(self, state: State, g: int) -> int | None:
        seen = self._seen.get(state)
        return seen[2] if seen and seen[0] == self._pass and seen[1] <= g else None

    def add(self, state: State, g: int, number: int) -> None:
        if state in self._seen or len(self._seen) < self._most:
            self._seen[state] = (self._pass, g, number)

"""Limited discrepancy beam search."""

from __future__ import annotations

from collections.abc import Generator

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.search.beam import BEAM_HEURISTIC

Known = tuple[State, str, int, int, int]
"""The state before, the move between, the number of the node, its g and its h."""
Probe = Generator["Probe", None, None]


@algorithm(
    "bulb",
    needs_heuristic=True,
    default_heuristic=BEAM_HEURISTIC,
    tree=True,
    title="Limited discrepancy beam search",
    frontier=Frontier(FrontierKind.OWN_ORDER, h=1, reopens=False),
    choice="goes layer by layer, each layer a slice of `width` states of its successors by h; at a "
    "discrepancy it takes another slice than the first",
    pseudo_code="""
        for 0, 1, 2, ... discrepancies: probe from the layer of the start alone <- start, bound
        probe from a layer, with discrepancies:
            expand the layer: for each successor: <- expand
                if memory has its state: throw it away, else keep it <- duplicate, generate
            if one is the goal: return the path to it <- goal
            sort them by h and cut them into slices of `width`
            with discrepancies left: probe from each slice but the first, with one less
            probe from the first slice, with as many
            a slice that does not fit into memory, of `nodes` states, ends the probe
        """,
)
def bulb(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    width: int = 100,
    nodes: int = 100_000,
) -> Outcome:
    """BULB (Furcy and Koenig 2005): limited discrepancy search in the slices of a beam.

    Where a beam is stuck or goes astray, it tries the second best slice somewhere, then two of
    them, and so on: a beam that ends with a solution if one fits into its memory of `nodes` states.
    """
    bulb = _Bulb(problem, h, meter, observer, width, nodes)
    status: Status | None = Status.SOLVED if problem.start == problem.goal else None
    discrepancies = 0
    while status is None:
        bulb.begin(discrepancies)
        stack = [bulb.probe([problem.start], discrepancies)]
        while stack and status is None:  # the recursion is a list
            deeper = next(stack[-1], None)
            if deeper is None:
                stack.pop()
            else:
                stack.append(deeper)
            status = bulb.status
        if status is None and not bulb.cut:
            status = Status.STUCK
        discrepancies += 1
    return bulb.end(status)


class _Bulb:
    """The memory of the search: the slices between the start and the layer that is expanded."""

    def __init__(
        self,
        problem: Problem,
        h: Estimate,
        meter: Meter,
        observer: Observer | None,
        width: int,
        most: int,
    ) -> None:
        self._problem, self._h, self._meter, self._observer = problem, h, meter, observer
        self._width, self._most = width, most
        self.stats = Stats(peak_stored=1)
        root = (problem.start, "", 0, 0, h(problem.start))
        self._known: dict[State, Known] = {problem.start: root}
        self.status: Status | None = None
        self.cut = False
        """Whether slices were left out in this probe for want of discrepancies."""
        self._report(Kind.START, problem.start, root, -1)

    def begin(self, discrepancies: int) -> None:
        """A pass with this many discrepancies begins."""
        self.stats.iterations += 1
        self.cut = False
        start = self._problem.start
        if self._observer:
            h = self._known[start][4]
            self._observer(Kind.BOUND, 0, -1, "", 0, h, (discrepancies, 0), start)

    def probe(self, layer: list[State], discrepancies: int) -> Probe:
        """Expand a layer and go on with its slices, those beside the first ones before it."""
        index = self._width if discrepancies else 0
        while True:
            made = self._successors(layer)
            if made is None:
                return
            states = sorted(made, key=lambda state: made[state][4])
            slice_ = states[index : index + self._width]
            self.cut |= not discrepancies and len(states) > self._width
            if slice_ and len(self._known) + len(slice_) <= self._most:
                self._known.update((state, made[state]) for state in slice_)
                self.stats.peak_stored = max(self.stats.peak_stored, len(self._known))
                yield self.probe(slice_, discrepancies - (index > 0))
                for state in slice_:
                    del self._known[state]
            if not index:
                return
            index = index + self._width if slice_ else 0

    def _successors(self, layer: list[State]) -> dict[State, Known] | None:
        """The new states after a layer; None at a limit or with the goal among them."""
        stats, made = self.stats, dict[State, Known]()
        for state in layer:
            _, _, node, g, _ = entry = self._known[state]
            stats.expanded += 1
            self._report(Kind.EXPAND, state, entry, self._known[entry[0]][2])
            for move, child in self._problem.successors(state):
                if stats.generated == self._meter.pause and self._meter.stop(stats):
                    self.status = self._meter.status
                    return None
                stats.generated += 1
                known = self._known.get(child) or made.get(child)
                if known:
                    stats.duplicates += 1
                    seen = (state, move, known[2], g + 1, known[4])
                    self._report(Kind.DUPLICATE, child, seen, node)
                    continue
                made[child] = (state, move, stats.generated, g + 1, self._h(child))
                stats.stored += 1
                stats.max_depth = max(stats.max_depth, g + 1)
                self._report(Kind.GENERATE, child, made[child], node)
        stats.max_frontier = max(stats.max_frontier, len(made))
        if self._problem.goal not in made:
            return made
        self._known[self._problem.goal] = made[self._problem.goal]
        self.status = Status.SOLVED
        return None

    def end(self, status: Status) -> Outcome:
        """The outcome, with the path through the slices to the goal."""
        if status is not Status.SOLVED:
            start = self._problem.start
            self._report(Kind.STOP, start, self._known[start], -1)
            return Outcome(status, None, self.stats)
        state, moves = self._problem.goal, []
        for kind in (Kind.GOAL, Kind.STOP):
            self._report(kind, state, self._known[state], -1)
        while state != self._problem.start:
            state, move, _, _, _ = self._known[state]
            moves.append(move)
        return Outcome(status, "".join(reversed(moves)), self.stats)

    def _report(self, kind: Kind, state: State, known: Known, parent: int) -> None:
        if self._observer:
            _, move, node, g, h = known
            parent = parent if move else -1
            self._observer(kind, node, parent, move, g, h, (h, 0), state)

"""The events that a search with numbered nodes reports, kept apart from its loop."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Priority
from tilewise.core.events import Key, Kind, Observer
from tilewise.core.problem import State
from tilewise.core.result import Status

Node = tuple[State, int, str, int, int]
"""State, number of the parent, move, g, h."""
Nodes = list[Node] | dict[int, Node]
"""The nodes by number."""


class Narrator:
    """Reports the steps of a search to an observer.

    It looks up the nodes itself, so that a loop names only their numbers. A loop without an
    observer has no narrator and loses no time.
    """

    def __init__(
        self, observer: Observer, nodes: Nodes, priority: Priority, tie_sign: int = 0
    ) -> None:
        self._observer, self._nodes = observer, nodes
        self._priority, self._tie_sign = priority, tie_sign

    def start(self) -> None:
        """The root enters the search."""
        self._report(Kind.START, 0)

    def bound(self, bound: int) -> None:
        """A new pass begins, with a bound on what is compared."""
        state, _, _, g, h = self._nodes[0]
        self._observer(Kind.BOUND, 0, -1, "", g, h, (bound, 0), state)

    def stale(self, node: int) -> None:
        """A node was taken and skipped, because a cheaper copy of it was made later."""
        self._report(Kind.STALE, node)

    def expand(self, node: int) -> None:
        """The successors of a node are about to be made."""
        self._report(Kind.EXPAND, node)

    def duplicate(self, known: int, parent: int, move: str) -> None:
        """A successor was thrown away, because a node already has its state."""
        state, _, _, _, h = self._nodes[known]
        g = self._nodes[parent][3] + 1
        self._observer(Kind.DUPLICATE, known, parent, move, g, h, self._key(g, h), state)

    def made(self, node: int, *, reopens: bool = False) -> None:
        """A successor was stored; `reopens` if its state had been expanded before."""
        self._report(Kind.REOPEN if reopens else Kind.GENERATE, node)

    def end(self, status: Status, node: int, taken: int) -> None:
        """The search is over at a node; the key is that of the node that was taken last."""
        state, parent, move, g, h = self._nodes[node]
        key = self._key(*self._nodes[taken][3:])
        if status is Status.SOLVED:
            self._observer(Kind.GOAL, node, parent, move, g, h, key, state)
        self._observer(Kind.STOP, node, parent, move, g, h, key, state)

    def _report(self, kind: Kind, node: int) -> None:
        state, parent, move, g, h = self._nodes[node]
        self._observer(kind, node, parent, move, g, h, self._key(g, h), state)

    def _key(self, g: int, h: int) -> Key:
        return self._priority(g, h), self._tie_sign * h

"""What a best-first search knows of its states: how the rules treat each successor."""

from __future__ import annotations

from typing import NamedTuple

from tilewise.core.events import Kind
from tilewise.core.problem import Problem, State
from tilewise.core.rules import Rules


class Successor(NamedTuple):
    """A successor, whether it is generated, re-opened or a duplicate, and of which node."""

    move: str
    state: State
    kind: Kind
    known: int | None


class KnownNode(NamedTuple):
    """A node: its state, its parent's number (-1 for the root) and its g."""

    state: State
    parent: int
    g: int


class ClosedList:
    """The nodes made so far and the cheapest of each state, as `search.best_first` keeps them."""

    def __init__(
        self, problem: Problem, rules: Rules, stored_once: bool, pushes_reversed: bool = False
    ) -> None:
        self.problem = problem
        self.pushes_reversed = pushes_reversed
        self.rules = rules
        self.stored_once = stored_once
        self.nodes: dict[int, KnownNode] = {}
        self.node_of: dict[State, int] = {}
        self.closed: set[int] = set()
        self.superseded: set[int] = set()

    def add(self, number: int, node: KnownNode) -> int | None:
        """Keep a new node; the open node of the same state that it makes stale, if there is one."""
        self.nodes[number] = node
        known = self.node_of.get(node.state)
        self.node_of[node.state] = number
        if known is None or known in self.closed or self.rules.ancestors is not None:
            return None
        self.superseded.add(known)
        return known

    def expand(self, number: int) -> list[Successor]:
        """Close a node; its successors as they are made, each as the rules treat it."""
        self.closed.add(number)
        state, _, g = self.nodes[number]
        children = self.problem.successors(state)
        return [
            Successor(move, child, *self._treated(number, child, g + 1))
            for move, child in (reversed(children) if self.pushes_reversed else children)
        ]

    def _treated(self, parent: int, child: State, g: int) -> tuple[Kind, int | None]:
        if self.rules.ancestors is not None:
            ancestor = self._ancestor(parent, child, self.rules.ancestors)
            return (Kind.GENERATE, None) if ancestor is None else (Kind.DUPLICATE, ancestor)
        known = self.node_of.get(child)
        if known is None:
            return Kind.GENERATE, None
        waits = known not in self.closed
        skipped = waits and self.rules.duplicates == "skip-if-in-frontier"
        if self.stored_once or self.nodes[known].g <= g or skipped:
            return Kind.DUPLICATE, known
        return (Kind.GENERATE if waits else Kind.REOPEN), known

    def _ancestor(self, number: int, child: State, most: int) -> int | None:
        for _ in range(most):
            if number < 0:
                break
            if self.nodes[number].state == child:
                return number
            number = self.nodes[number].parent
        return None

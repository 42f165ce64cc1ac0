"""Why a node was expanded: the open list at that moment, what tied, what other rules would take.

`explain` goes once through the events of a search, O(log n) for each, so that a page can show the
reasons of thousands of expansions at once. What an algorithm declares of its frontier decides how
its events are followed: an open list under any rules, layers, or a path below a bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Protocol

from tilewise import search  # noqa: F401  (registers the algorithms)
from tilewise.core.algorithm_facts import Frontier, FrontierKind, PseudoCode
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.events import Event, Kind
from tilewise.core.rules import DEFAULT, Rules
from tilewise.courses import own_search
from tilewise.errors import SpecError, shortened
from tilewise.traces.beam_layers import BeamLayers
from tilewise.traces.open_list import OpenEntry, OpenList, Order, Other, own_open_list

SHOWN_TIES = 10


@dataclass(frozen=True, slots=True)
class Choice:
    """Why one node was taken.

    `step` counts expansions from 1; the goal, when it ends the search, is the last step.
    `open` is the open list just before, in the order in which it would be taken if nothing were
    added (the chosen node is in it), cut where the caller wished; `open_count` is its whole size
    without stale entries. `expected` is the node that the rules take: in a trace of tilewise
    always the chosen one. `path` is the way from the root in searches without an open list.
    `line` is the line of the algorithm's pseudo-code, from 1, that the step carries out.
    """

    step: int
    event: Event
    reason: str
    open_count: int = 0
    open: tuple[OpenEntry, ...] = ()
    tied_count: int = 0
    tied: tuple[int, ...] = ()
    others: tuple[Other, ...] = ()
    expected: int | None = None
    skipped: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    line: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Strings, numbers and lists only."""
        return {
            "step": self.step,
            "seq": self.event.seq,
            "kind": self.event.kind.value,
            "node": self.event.node,
            "board": str(self.event.board),
            "g": self.event.g,
            "h": self.event.h,
            "reason": self.reason,
            "open_count": self.open_count,
            "open": [
                {
                    "node": event.node,
                    "board": str(event.board),
                    "g": event.g,
                    "h": event.h,
                    "key": list(event.key),
                    "stale": stale,
                }
                for event, stale in self.open
            ],
            "tied_count": self.tied_count,
            "tied": list(self.tied),
            "others": [{"rule": other.rule, "node": other.node} for other in self.others],
            "skipped": list(self.skipped),
            "path": list(self.path),
            "line": self.line,
        }


def explain(
    events: Iterable[Event],
    algorithm: str,
    rules: Rules | str = DEFAULT,
    *,
    show: int | None = 0,
) -> Iterator[Choice]:
    """Give the reason of every expansion of a search, and of the goal that ends it.

    Args:
        events: The events, as `trace` keeps them; from the first one on.
        algorithm: A spec such as `wastar(weight=2)`, or a course's own search by the name that
            `Result.algorithm` has for it.
        rules: The rules of the search.
        show: How many entries of the open list each choice carries; None is all of them, which
            costs their number at each step.

    Raises:
        SpecError: The algorithm or a rule is unknown.

    Example:
        >>> import tilewise as tw
        >>> record = tw.trace("312 475 68b", algorithm="astar", heuristic="manhattan")
        >>> [choice.reason for choice in explain(record, "astar")][1]
        'f = 4 is the smallest'
    """
    explainer = _explainer(algorithm, Rules.parse(rules) if isinstance(rules, str) else rules)
    code = pseudo_code(algorithm)
    step = 0
    for event in events:
        if event.kind in (Kind.EXPAND, Kind.GOAL):
            step += 1
            yield replace(explainer.choice(event, step, show), line=code.line(event.kind))
        explainer.see(event)


def pseudo_code(algorithm: str) -> PseudoCode:
    """The pseudo-code of an algorithm; that of a course's own search is empty."""
    return PseudoCode() if own_search(algorithm) else build_algorithm(algorithm).entry.pseudo_code


def explain_step(
    events: Iterable[Event],
    step: int,
    algorithm: str,
    rules: Rules | str = DEFAULT,
    *,
    show: int | None = None,
) -> Choice:
    """Give the reason of one expansion, with the open list.

    Args:
        events: The events, from the first one on.
        step: Which expansion, counted from 1.
        algorithm: As for `explain`.
        rules: As for `explain`.
        show: As for `explain`.

    Raises:
        LimitsError: The search has no such step.

    Example:
        >>> import tilewise as tw
        >>> record = tw.trace("312 475 68b", algorithm="astar", heuristic="manhattan")
        >>> choice = explain_step(record, 2, "astar")
        >>> choice.event.node, choice.open_count
        (2, 2)
    """
    explainer = _explainer(algorithm, Rules.parse(rules) if isinstance(rules, str) else rules)
    seen = 0
    for event in events:
        if event.kind in (Kind.EXPAND, Kind.GOAL):
            seen += 1
            if seen == step:
                line = pseudo_code(algorithm).line(event.kind)
                return replace(explainer.choice(event, step, show), line=line)
        explainer.see(event)
    raise SpecError(f"expected a step from 1 to {seen}, got {shortened(step)}")


class _Explainer(Protocol):
    """Follows the events of one kind of search."""

    def see(self, event: Event) -> None:
        """Take note of an event."""

    def choice(self, event: Event, step: int, show: int | None) -> Choice:
        """Why the node of an expand or goal event was taken, before it is seen."""


def _explainer(algorithm: str, rules: Rules) -> _Explainer:
    own = own_search(algorithm)
    if own is not None:
        _, method = own
        if method.width is not None:
            return _Beam(method.width)
        # every copy of a state is a node of its own, as in a tree
        order = Order(Frontier(g=1, h=1), Rules(ties="oldest", duplicates="ancestors(2)"))
        return _BestFirst(own_open_list(order, method))
    configured = build_algorithm(algorithm)
    frontier = configured.frontier
    if frontier.best_first:
        return _BestFirst(OpenList(Order.of(configured, rules)))
    if frontier.kind is FrontierKind.LAYERS:
        return _Beam(int(frontier.width or 1))
    if frontier.kind is FrontierKind.DEEPENING:
        return _Deepening(frontier, rules)
    entry = configured.entry
    return _Unlisted(entry.choice or f"the order of {entry.name} is its own")


class _BestFirst:
    """A search with an open list sorted by a key."""

    def __init__(self, open_list: OpenList) -> None:
        self.open = open_list
        self._node_of: dict[tuple[int, ...], int] = {}
        self._skipped: list[int] = []

    def see(self, event: Event) -> None:
        if event.kind in (Kind.START, Kind.GENERATE, Kind.REOPEN):
            if self.open.order.rules.ancestors is None:
                known = self._node_of.get(event.board.tiles)
                if known in self.open.live:
                    self.open.supersede(known)
                self._node_of[event.board.tiles] = event.node
            self.open.push(event)
        elif event.kind in (Kind.EXPAND, Kind.STALE, Kind.GOAL):
            if event.kind is Kind.STALE:
                self._skipped.append(event.node)
            else:
                self._skipped.clear()
            self.open.take(event)

    def choice(self, event: Event, step: int, show: int | None) -> Choice:
        if event.node not in self.open.live:
            return Choice(step, event, "it was not on the open list", len(self.open))
        pushed = self.open.live[event.node]
        expected = self.open.next()
        tested_early = event.kind is Kind.GOAL and self.open.order.rules.goal_test == "generated"
        return Choice(
            step=step,
            event=event,
            reason=self._early() if tested_early else self._reason(pushed, expected),
            open_count=len(self.open),
            open=tuple(islice(self.open.in_order(), show)) if show != 0 else (),
            tied_count=self.open.tied_count(pushed),
            tied=tuple(other.node for other in islice(self.open.tied(pushed), SHOWN_TIES)),
            others=() if tested_early else self.open.others(),
            expected=event.node if tested_early else expected,
            skipped=tuple(self._skipped),
        )

    @staticmethod
    def _early() -> str:
        return "it is the goal, and these rules test a node when it is generated"

    def _reason(self, event: Event, expected: int | None) -> str:
        skipped = len(self._skipped)
        before = f"after {_counted(skipped, 'stale entry', 'stale entries')}: " if skipped else ""
        if expected != event.node and expected is not None:
            rival = self.open.live[expected]
            return f"{before}not by these rules: they take node {expected}, {self._why(rival)}"
        return before + self._why(event)

    def _why(self, event: Event) -> str:
        """What decides for the first node of the open list."""
        order, ties = self.open.order, self.open.tied_count(event)
        if len(self.open) == 1:
            return "the only node on the open list"
        value = order.frontier.value(event.g, event.h)
        if not ties:
            return f"{value} is the {order.frontier.best}"
        words = [f"{value} ties with {_counted(ties, 'other')}"]
        if order.rules.tie_sign and self.open.equals(event) <= ties:
            equal = self.open.equals(event) - 1
            extreme = "smallest" if order.rules.tie_sign > 0 else "largest"
            with_it = f" ties with {_counted(equal, 'other')}" if equal else ""
            words.append(f"{extreme} h ({event.h}){with_it}")
            if not equal:
                return "; ".join(words)
        return "; ".join([*words, self.open.last_resort])


class _Beam:
    """Layer by layer, the best by h kept."""

    def __init__(self, width: int) -> None:
        self._layers = BeamLayers(width)

    def see(self, event: Event) -> None:
        if event.kind in (Kind.START, Kind.GENERATE):
            self._layers.make(event)
        elif event.kind is Kind.EXPAND:
            self._layers.take(event)

    def choice(self, event: Event, step: int, show: int | None) -> Choice:
        layers = self._layers
        if event.kind is Kind.GOAL:
            reason = "it is the goal, and the layer that was just made has it"
            return Choice(step, event, reason, layers.size, expected=event.node)
        layers.enter(event.g)
        first = layers.first()
        reason = layers.why(event)
        if first is None:
            reason = "not by these rules: nothing of the layer is left"
        elif first != event.node:
            reason = f"not by these rules: they take node {first}"
        return Choice(
            step=step,
            event=event,
            reason=reason,
            open_count=layers.size,
            open=tuple(OpenEntry(each, False) for each in layers.in_order(show)),
            tied_count=layers.tied_count(event),
            tied=tuple(islice(layers.tied(event), SHOWN_TIES)),
            expected=first,
        )


class _Deepening:
    """Depth-first below a bound; there is no open list, only the current path."""

    def __init__(self, frontier: Frontier, rules: Rules) -> None:
        self._value = frontier.name if frontier.h else "depth"
        self._order = " ".join(rules.order)
        self._path: list[int] = []
        self._bound, self._passes = 0, 0

    def see(self, event: Event) -> None:
        if event.kind is Kind.BOUND:
            self._bound, self._passes = event.key[0], self._passes + 1
        elif event.kind is Kind.EXPAND:
            self._path[event.g :] = [event.node]

    def choice(self, event: Event, step: int, show: int | None) -> Choice:
        bound = f"pass {self._passes}, {self._value} at most {self._bound}"
        if event.g == 0:
            why = "begins" if self._passes == 1 else "begins again"
            reason = f"{bound}: the search {why} at the root"
        else:
            reason = (
                f"{bound}: {self._value} = {event.key[0]} is within the bound; {event.move} is the "
                f"next successor of node {event.parent} in the order {self._order}"
            )
        path = (*self._path[: event.g], event.node)
        return Choice(step, event, reason, expected=event.node, path=path)


class _Unlisted:
    """A search whose order does not follow from its events."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def see(self, event: Event) -> None:
        pass

    def choice(self, event: Event, step: int, show: int | None) -> Choice:
        return Choice(step, event, self._reason, expected=event.node)


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"

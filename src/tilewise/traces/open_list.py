"""The open list of a best-first search, rebuilt from its events.

It knows at any moment the order in which its nodes will be taken, what ties with what, and what
other rules would take from it. Each node costs O(log n).
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from tilewise import search  # noqa: F401  (registers the algorithms)
from tilewise.core.algorithm_facts import Frontier, FrontierKind, Priority
from tilewise.core.configured_algorithm import ConfiguredAlgorithm
from tilewise.core.events import Event, Key
from tilewise.core.registry import ALGORITHMS
from tilewise.core.rules import TIES, Rules
from tilewise.courses.course import Method, Queue

TIE_WORDS = {
    "h-newest": "the smaller h, then the newest",
    "h-oldest": "the smaller h, then the oldest",
    "largeh-newest": "the larger h, then the newest",
    "largeh-oldest": "the larger h, then the oldest",
    "newest": "the newest",
    "oldest": "the oldest",
}
"""Where a tie goes, in words."""


class OpenEntry(NamedTuple):
    """A node on the open list; a stale one has a cheaper copy and is skipped when taken."""

    event: Event
    stale: bool


class Other(NamedTuple):
    """The node that another rule would take from the same open list."""

    rule: str
    node: int


@dataclass(frozen=True)
class Order:
    """What a best-first search sorts by: a priority of g and h, then the ties of its rules."""

    frontier: Frontier
    rules: Rules

    @classmethod
    def of(cls, configured: ConfiguredAlgorithm, rules: Rules) -> Order:
        """The order of an algorithm; a queue and a stack have ties of their own."""
        return cls(configured.frontier, configured.frontier.with_ties(rules))

    @cached_property
    def priority(self) -> Priority:
        """The number of which the smallest is taken, the same as the key of the events has."""
        return self.frontier.priority()

    @property
    def stored_once(self) -> bool:
        """Whether a state never comes back, however cheap a later path to it is."""
        return not self.frontier.reopens or self.rules.duplicates == "closed-when-generated"

    def key(self, g: int, h: int) -> Key:
        """What the open list sorts by."""
        return self.priority(g, h), self.rules.tie_sign * h

    def others(self) -> dict[str, Order]:
        """Rules to compare with: every setting of the ties, then other priorities."""
        settings = TIES if self.frontier.ties_look_at_h else ("newest", "oldest")
        same = {f"ties={ties}": Order(self.frontier, Rules(ties=ties)) for ties in settings}
        ties = Rules(ties=self.rules.ties)
        return same | {name: Order(rival, ties) for name, rival in rivals(self.frontier).items()}


def rivals(frontier: Frontier) -> dict[str, Frontier]:
    """The algorithms of the package that take another node from the same open list.

    A search with h is compared with the priority queues, one without h with those without h.
    """
    found: dict[str, Frontier] = {}
    for name, entry in ALGORITHMS.items():
        other = entry.frontier
        comparable = (
            other.kind is FrontierKind.PRIORITY_QUEUE if frontier.h else not entry.needs_heuristic
        )
        seen = [(known.g, known.h) for known in (frontier, *found.values())]
        if not entry.built_in or not other.best_first or isinstance(other.h, str):
            continue
        if comparable and (other.g, other.h) not in seen:
            found[name] = other
    return found


def rule_words(rule: str) -> str:
    """One of the rules that `OpenList.others` compares with, in words."""
    _, equals, ties = rule.partition("ties=")
    if equals:
        return f"ties to {TIE_WORDS[ties]}"
    frontier = ALGORITHMS[rule].frontier
    return f"{rule}: {frontier.best} {frontier.formula}"


@dataclass(slots=True)
class _Lookout:
    """A heap by one order; what has left the open list is dropped when it comes up."""

    order: Order
    heap: list[tuple[int, int, int, int]] = field(default_factory=list)

    def push(self, event: Event, age: int) -> None:
        key = self.order.key(event.g, event.h)
        heappush(self.heap, (*key, -age if self.order.rules.newest_first else age, event.node))

    def best(self, live: dict[int, Event]) -> int | None:
        while self.heap and self.heap[0][3] not in live:
            heappop(self.heap)
        return self.heap[0][3] if self.heap else None


class OpenList:
    """Nodes by key, in a key by age; stale ones stay until they are taken, but count no more."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.live: dict[int, Event] = {}
        self._keys: list[Key] = []
        self._buckets: dict[Key, OrderedDict[int, Event]] = {}
        self._with_priority: Counter[int] = Counter()
        self._with_key: Counter[Key] = Counter()
        self._age = 0
        self._own = _Lookout(order)
        self._others = {rule: _Lookout(other) for rule, other in order.others().items()}

    def __len__(self) -> int:
        return len(self.live)

    def push(self, event: Event) -> None:
        """Add the node of an event."""
        key = self.order.key(event.g, event.h)
        if key not in self._buckets:
            self._buckets[key] = OrderedDict()
            insort(self._keys, key)
        self._buckets[key][event.node] = event
        self.live[event.node] = event
        self._with_priority[key[0]] += 1
        self._with_key[key] += 1
        self._age += 1
        for lookout in (self._own, *self._others.values()):
            lookout.push(event, self._age)

    def supersede(self, node: int) -> None:
        """A cheaper copy of the node's state was pushed: it is stale from now on."""
        event = self.live.pop(node)
        key = self.order.key(event.g, event.h)
        self._with_priority[key[0]] -= 1
        self._with_key[key] -= 1

    def take(self, event: Event) -> None:
        """Remove a node, live or stale."""
        event = self.live.get(event.node, event)  # as it was pushed
        if event.node in self.live:
            self.supersede(event.node)
        key = self.order.key(event.g, event.h)
        bucket = self._buckets.get(key, OrderedDict())
        bucket.pop(event.node, None)
        if key in self._buckets and not bucket:
            del self._buckets[key]
            del self._keys[bisect_left(self._keys, key)]

    def next(self) -> int | None:
        """The node that the rules take now."""
        return self._own.best(self.live)

    def others(self) -> tuple[Other, ...]:
        """What other rules would take now."""
        found = ((rule, lookout.best(self.live)) for rule, lookout in self._others.items())
        return tuple(Other(rule, node) for rule, node in found if node is not None)

    @property
    def last_resort(self) -> str:
        """What decides between nodes of equal key."""
        return "newest" if self.order.rules.newest_first else "oldest"

    def in_order(self) -> Iterator[OpenEntry]:
        """The entries in the order in which they would be taken if nothing were added."""
        for key in self._keys:
            yield from self._bucket(key)

    def tied_count(self, event: Event) -> int:
        """How many others have the priority of an open node."""
        return self._with_priority[self.order.priority(event.g, event.h)] - 1

    def tied(self, event: Event) -> Iterator[Event]:
        """The others of the same priority, in the order in which they would be taken."""
        priority = self.order.priority(event.g, event.h)
        for place in range(bisect_left(self._keys, (priority, -(10**9))), len(self._keys)):
            if self._keys[place][0] != priority:
                break
            for entry in self._bucket(self._keys[place]):
                if not entry.stale and entry.event.node != event.node:
                    yield entry.event

    def equals(self, event: Event) -> int:
        """How many live nodes have the key of an open node, itself included."""
        return self._with_key[self.order.key(event.g, event.h)]

    def _bucket(self, key: Key) -> Iterator[OpenEntry]:
        bucket = self._buckets[key]
        newest = self.order.rules.newest_first
        for event in reversed(bucket.values()) if newest else bucket.values():
            yield OpenEntry(event, event.node not in self.live)


def own_open_list(order: Order, method: Method | None) -> OpenList:
    """The open list of a search; a course's own may have a queue that decides between equals."""
    own = method.own.frontier if method and method.own else None
    if own is None or own.queue is None:
        return OpenList(order)
    return QueueList(order, own.queue(), own.last_resort)


class QueueList(OpenList):
    """The open list of a course whose own queue decides between nodes of equal f."""

    def __init__(self, order: Order, queue: Queue, last_resort: str) -> None:
        super().__init__(order)
        self._heap, self._last_resort = queue, last_resort
        self._events: dict[int, Event] = {}

    @property
    def last_resort(self) -> str:
        return self._last_resort

    def push(self, event: Event) -> None:
        super().push(event)
        self._heap.push(event.g + event.h, event.node)
        self._events[event.node] = event

    def take(self, event: Event) -> None:
        super().take(event)
        if len(self._heap) and self._heap.top[1] == event.node:
            self._heap.pop()

    def next(self) -> int | None:
        while len(self._heap) and self._heap.top[1] not in self.live:
            self._heap.pop()  # the trace took it before its turn
        return self._heap.top[1] if len(self._heap) else None

    def in_order(self) -> Iterator[OpenEntry]:
        rest = self._heap.copy()
        while len(rest):
            yield OpenEntry(self._events[rest.pop()[1]], stale=False)

    def tied(self, event: Event) -> Iterator[Event]:
        for entry in self.in_order():
            if entry.event.g + entry.event.h != event.g + event.h:
                break
            if entry.event.node != event.node:
                yield entry.event

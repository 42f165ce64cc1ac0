"""The open list of a best-first search, rebuilt from its events.

It knows at any moment the order in which its nodes will be taken, what ties with what, and what
other rules would take from it. Each node costs O(log n).
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from tilewise.core.events import Event, Key
from tilewise.core.registry import ConfiguredAlgorithm
from tilewise.core.rules import TIES, Rules
from tilewise.courses.course import Method, Queue

Priority = Callable[[int, int], int]

USUAL_TIES = {"bfs": "oldest", "dfs": "newest"}
"""The ties that a queue and a stack bring along where none are set on purpose."""


class Entry(NamedTuple):
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

    algorithm: str
    rules: Rules
    weight: Fraction = Fraction(1)

    @classmethod
    def of(cls, configured: ConfiguredAlgorithm, rules: Rules) -> Order:
        """The order of an algorithm; a queue and a stack have ties of their own."""
        name = configured.entry.name
        usual = USUAL_TIES.get(name)
        if usual:
            knobs = {knob: getattr(rules, knob) for knob in ("order", "duplicates", "goal_test")}
            rules = Rules(**knobs, ties=rules.ties_or(usual), count=rules.count)
        return cls(name, rules, configured.options.get("weight", Fraction(1)))

    @cached_property
    def priority(self) -> Priority:
        """The number of which the smallest is taken, the same as the key of the events has."""
        p, q = self.weight.numerator, self.weight.denominator
        return {
            "bfs": lambda g, h: g,
            "dfs": lambda g, h: -g,
            "ucs": lambda g, h: g,
            "greedy": lambda g, h: h,
            "astar": lambda g, h: g + h,
            "wastar": lambda g, h: q * g + p * h,
        }[self.algorithm]

    @property
    def stored_once(self) -> bool:
        """Whether a state never comes back, however cheap a later path to it is."""
        once = self.algorithm in ("dfs", "greedy")
        return once or self.rules.duplicates == "closed-when-generated"

    @property
    def pushes_reversed(self) -> bool:
        """Whether successors are made from last to first, so that a stack gives the first."""
        return self.algorithm == "dfs"

    def key(self, g: int, h: int) -> Key:
        """What the open list sorts by."""
        return self.priority(g, h), self.rules.tie_sign * h

    def value(self, g: int, h: int) -> str:
        """The priority in words: `f = 12`."""
        if self.algorithm == "wastar":
            weight = _decimal(self.weight)
            return f"g + {weight}h = {_decimal(g + self.weight * h)}"
        name = {"astar": "f", "greedy": "h"}.get(self.algorithm, "g")
        return f"{name} = {abs(self.priority(g, h))}"

    @property
    def best(self) -> str:
        """Whether the smallest or the largest value is taken."""
        return "largest" if self.algorithm == "dfs" else "smallest"

    def others(self) -> dict[str, Order]:
        """Rules to compare with: every way to break ties, then other priorities."""
        same = {
            f"ties={ties}": Order(self.algorithm, Rules(ties=ties), self.weight) for ties in TIES
        }
        if self.algorithm in ("bfs", "dfs", "ucs", "greedy"):  # equal priority is then equal h
            same = {rule: same[rule] for rule in ("ties=newest", "ties=oldest")}
        if self.algorithm in ("bfs", "dfs", "ucs"):
            names = ["bfs" if self.algorithm == "dfs" else "dfs"]
        else:
            names = [name for name in ("astar", "greedy", "ucs") if name != self.algorithm]
        ties = Rules(ties=self.rules.ties)
        return same | {name: Order(name, ties) for name in names}


def _decimal(number: Fraction) -> str:
    """1.5 rather than 3/2 where a decimal fraction is exact."""
    short = f"{float(number):g}"
    return short if Fraction(short) == number else str(number)


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

    def in_order(self) -> Iterator[Entry]:
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

    def _bucket(self, key: Key) -> Iterator[Entry]:
        bucket = self._buckets[key]
        newest = self.order.rules.newest_first
        for event in reversed(bucket.values()) if newest else bucket.values():
            yield Entry(event, event.node not in self.live)


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

    def in_order(self) -> Iterator[Entry]:
        rest = self._heap.copy()
        while len(rest):
            yield Entry(self._events[rest.pop()[1]], stale=False)

    def tied(self, event: Event) -> Iterator[Event]:
        for entry in self.in_order():
            if entry.event.g + entry.event.h != event.g + event.h:
                break
            if entry.event.node != event.node:
                yield entry.event

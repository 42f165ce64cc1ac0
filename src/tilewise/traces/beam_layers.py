"""The layers of a beam search, rebuilt from its events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from heapq import nsmallest
from itertools import islice

from tilewise.core.events import Event


class BeamLayers:
    """The layer that is being expanded, best first, and the one that is being made of it."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._depth = -1
        self._kept: list[Event] = []
        self._place = 0
        self._of_made = 0
        self._made: list[Event] = []
        self._by_h: dict[int, list[int]] = {}

    @property
    def size(self) -> int:
        """The states of the layer still to be expanded, and those of the next as it is now."""
        return len(self._kept) - self._place + min(self._width, len(self._made))

    def make(self, event: Event) -> None:
        """A new state of the next layer; the start is the first layer."""
        self._made.append(event)

    def enter(self, depth: int) -> None:
        """Sort and cut the layer that was made, when its first state is about to be expanded."""
        if depth == self._depth:
            return
        self._depth, self._place, self._of_made = depth, 0, len(self._made)
        self._kept = sorted(self._made, key=_h)[: self._width]
        self._by_h = defaultdict(list)
        for event in self._kept:
            self._by_h[event.h].append(event.node)
        self._made = []

    def take(self, event: Event) -> None:
        """Expand the next state of the layer."""
        self.enter(event.g)
        self._place += 1

    def first(self) -> int | None:
        """The node that is expanded next."""
        return self._kept[self._place].node if self._place < len(self._kept) else None

    def tied_count(self, event: Event) -> int:
        """How many other kept states of the layer have the same h."""
        return len(self._by_h[event.h]) - 1

    def tied(self, event: Event) -> Iterator[int]:
        """Those states, in the order in which they are expanded."""
        return (node for node in self._by_h[event.h] if node != event.node)

    def in_order(self, most: int | None) -> list[Event]:
        """The rest of the layer, then the next one as far as it is made."""
        rest = list(islice(self._kept, self._place, None if most is None else self._place + most))
        wanted = self._width if most is None else min(self._width, most - len(rest))
        return rest + (nsmallest(wanted, self._made, key=_h) if wanted > 0 else [])

    def why(self, event: Event) -> str:
        """The place of a state in its layer, in words."""
        if self._depth == 0:
            return "the start is the first layer"
        cut = (
            f", {len(self._kept):,} of {self._of_made:,} kept"
            if self._of_made > self._width
            else ""
        )
        ties = self.tied_count(event)
        oldest = (
            f", ties with {ties:,} other{'s' * (ties > 1)} of the layer; oldest" if ties else ""
        )
        place = f"{self._place + 1:,} of {len(self._kept):,}"
        return f"layer {self._depth} by h{cut}: number {place}; h = {event.h}{oldest}"


def _h(event: Event) -> int:
    return event.h

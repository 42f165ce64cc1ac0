"""The open list of a best-first search."""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush

from tilewise.core.events import Key


class BucketQueue:
    """Buckets of nodes by key: the smallest key first, in a bucket the newest or the oldest."""

    def __init__(self, *, newest_first: bool) -> None:
        self.size = 0
        self._newest_first = newest_first
        self._buckets: dict[Key, deque[int]] = {}
        self._keys: list[Key] = []

    def push(self, key: Key, node: int) -> None:
        bucket = self._buckets.get(key)
        if bucket is None:
            self._buckets[key] = deque((node,))
            heappush(self._keys, key)
        else:
            bucket.append(node)
        self.size += 1

    def pop(self) -> int:
        key = self._keys[0]
        bucket = self._buckets[key]
        node = bucket.pop() if self._newest_first else bucket.popleft()
        if not bucket:
            del self._buckets[key]
            heappop(self._keys)
        self.size -= 1
        return node

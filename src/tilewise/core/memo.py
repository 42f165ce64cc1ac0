"""Memo: a cache of results that are slow to compute; Caches: all of them, bounded by bytes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import count
from threading import Lock
from typing import Any, Generic, TypeVar

from tilewise.core.build_context import never
from tilewise.core.limits import default_memory
from tilewise.core.waiting import Cancelled, held

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(slots=True)
class KeptResult:
    """A result, and when it was last used: a number that grows."""

    value: Any
    used: int


class Caches:
    """What all memos keep together: the last used results, of at most `most_bytes`.

    Tables that are mapped from files are not counted: the system takes their memory back when
    it is needed.
    """

    def __init__(self, most_bytes: int | None = None) -> None:
        self._most_bytes = most_bytes
        self._kept: dict[tuple[Memo[Any, Any], Hashable], KeptResult] = {}
        self._uses = count()
        self._lock = Lock()

    @property
    def most_bytes(self) -> int:
        """The bound: a quarter of the machine's memory, unless another one was set."""
        return default_memory() // 2 if self._most_bytes is None else self._most_bytes

    def set_most_bytes(self, most_bytes: int) -> None:
        """Set the bound, and forget at once what is beyond it."""
        self._most_bytes = most_bytes
        self.trim()

    @property
    def bytes(self) -> int:
        """The bytes of all results that are kept."""
        with self._lock:
            return sum(memo.size(kept.value) for (memo, _), kept in self._kept.items())

    def find(self, memo: Memo[Any, Any], key: Hashable) -> KeptResult | None:
        """A result that is kept, and is now the last used one."""
        kept = self._kept.get((memo, key))  # without the lock: one look at a dictionary is whole
        if kept is not None:
            kept.used = next(self._uses)
        return kept

    def keep(self, memo: Memo[Any, Any], key: Hashable, value: Any) -> KeptResult:
        """Keep a result, and forget the oldest ones that are too many or too large."""
        kept = KeptResult(value, next(self._uses))
        with self._lock:
            self._kept[memo, key] = kept
            own = [each for each in self._oldest_first() if each[0] is memo]
            for oldest in own[: max(0, len(own) - memo.most)]:
                del self._kept[oldest]
        self.trim()
        return kept

    def trim(self) -> None:
        """Forget the oldest results until the rest is within the bound; results may have grown."""
        with self._lock:
            sizes = {each: each[0].size(self._kept[each].value) for each in self._oldest_first()}
            total = sum(sizes.values())
            for each, size in sizes.items():
                if total <= self.most_bytes:
                    break
                if size:
                    del self._kept[each]
                    total -= size

    def clear(self, memo: Memo[Any, Any]) -> None:
        """Forget all results of a memo."""
        with self._lock:
            for each in [each for each in self._kept if each[0] is memo]:
                del self._kept[each]

    def _oldest_first(self) -> list[tuple[Memo[Any, Any], Hashable]]:
        return sorted(self._kept, key=lambda each: self._kept[each].used)


CACHES = Caches()
"""The results that this process keeps."""


def small(value: object) -> int:
    """The size of results that take next to no memory."""
    return 0


class Memo(Generic[Key, Value]):
    """The last used results by their keys; nothing is kept of a call that fails.

    `functools.lru_cache` keys on every argument; here the caller says what is part of the key,
    so that results are shared by callers who differ in limits, cancelling or progress. `size`
    gives the bytes of a result.
    """

    def __init__(
        self, most: int, size: Callable[[Value], int] = small, caches: Caches = CACHES
    ) -> None:
        self.most, self.size = most, size
        self._caches = caches
        self._making: dict[Key, Lock] = {}
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Value], cancelled: Cancelled = never) -> Value:
        """The result of a key, made now if it is not there.

        Threads that want the same result wait for the first one to make it, unless they are
        `cancelled`; if the first one fails, the next one tries.
        """
        kept = self._caches.find(self, key)
        if kept is not None:
            return kept.value  # type: ignore[no-any-return]
        with self._lock:
            making = self._making.setdefault(key, Lock())
        try:
            with held(making, cancelled):
                kept = self._caches.find(self, key) or self._caches.keep(self, key, make())
        finally:
            with self._lock:
                if not making.locked():  # else the last one who waits does it
                    self._making.pop(key, None)
        return kept.value  # type: ignore[no-any-return]

    def clear(self) -> None:
        """Forget all results."""
        self._caches.clear(self)

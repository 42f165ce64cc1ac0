"""Memo: a cache of results that are slow to compute."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Memo(Generic[Key, Value]):
    """The last used results by their keys; nothing is kept of a call that fails.

    `functools.lru_cache` keys on every argument; here the caller says what is part of the key,
    so that results are shared by callers who differ in limits, cancelling or progress.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Key, Value] = {}
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The result of a key, made now if it is not there; two threads may make it at once."""
        with self._lock:
            if key in self._kept:
                value = self._kept[key] = self._kept.pop(key)  # the last used one to the end
                return value
        value = make()
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
        return value

    def clear(self) -> None:
        """Forget all results."""
        with self._lock:
            self._kept.clear()

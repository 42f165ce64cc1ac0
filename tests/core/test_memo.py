"""Results that are kept: shared, bounded, and never those of a call that failed."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from tests.conftest import HANG_GUARD
from tilewise.core.memo import Caches, Memo
from tilewise.errors import CancelledError


def test_a_result_is_made_once_and_the_least_used_one_goes_first() -> None:
    made: list[str] = []
    memo: Memo[str, str] = Memo(2)

    def make(key: str) -> str:
        made.append(key)
        return key.upper()

    def get(key: str) -> str:
        return memo.get(key, lambda: make(key))

    assert [get(key) for key in "abacab"] == ["A", "B", "A", "C", "A", "B"]
    assert made == ["a", "b", "c", "b"]
    memo.clear()
    assert get("a") == "A" and made[-1] == "a"


def test_a_call_that_fails_is_made_again() -> None:
    memo: Memo[str, int] = Memo(2)
    with pytest.raises(ZeroDivisionError):
        memo.get("x", lambda: 1 // 0)
    assert memo.get("x", lambda: 7) == 7


def test_what_all_memos_keep_is_bounded_by_bytes_and_the_least_used_goes_first() -> None:
    caches = Caches(most_bytes=100)
    one: Memo[str, bytes] = Memo(10, len, caches)
    other: Memo[str, bytes] = Memo(10, len, caches)
    small: Memo[str, str] = Memo(10, caches=caches)
    small.get("kept", lambda: "x")
    one.get("a", lambda: bytes(60))
    other.get("b", lambda: bytes(30))
    one.get("a", lambda: bytes(0))
    other.get("c", lambda: bytes(40))
    assert caches.bytes == 100
    assert one.get("a", lambda: b"again") == bytes(60)
    assert other.get("b", lambda: b"again") == b"again"
    other.get("too large", lambda: bytes(101))
    assert caches.bytes == 0 and small.get("kept", lambda: "made again") == "x"


def test_results_that_have_grown_are_counted_again() -> None:
    caches = Caches(most_bytes=10)
    memo: Memo[str, list[int]] = Memo(10, len, caches)
    growing = memo.get("a", lambda: [0])
    growing += range(20)
    caches.trim()
    assert caches.bytes == 0


def test_threads_that_want_the_same_result_wait_for_the_first_one() -> None:
    memo: Memo[str, int] = Memo(2)
    begun, go_on, made = Event(), Event(), []

    def slow() -> int:
        begun.set()
        assert go_on.wait(HANG_GUARD)
        made.append(1)
        return 7

    first = Thread(target=memo.get, args=("x", slow))
    first.start()
    assert begun.wait(HANG_GUARD)
    with pytest.raises(CancelledError):
        memo.get("x", slow, lambda: True)
    go_on.set()
    assert memo.get("x", slow) == 7
    first.join(HANG_GUARD)
    assert made == [1]

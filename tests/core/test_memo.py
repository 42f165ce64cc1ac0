"""Results that are kept: shared, bounded, and never those of a call that failed."""

from __future__ import annotations

import pytest

from tilewise.core.memo import Memo


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

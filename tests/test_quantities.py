"""Quantities as people write them."""

from __future__ import annotations

import pytest

from tilewise.quantities import read_count, read_memory, read_seconds


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("1,000,000", 1_000_000),
        ("1e6", 1_000_000),
        ("1.1E6", 1_100_000),
        ("2.5M", 2_500_000),
        ("10 k", 10_000),
        ("1,500k", 1_500_000),
        ("0.3e1", 3),
        ("9007199254740993", 2**53 + 1),
        ("9.007199254740993e15", 2**53 + 1),
        ("1.5", None),
        ("0.0005k", None),
        ("1e", None),
        ("1e999", None),
        ("k", None),
        ("1kk", None),
        ("1k5", None),
        ("1,5k", None),
        ("\u0663", None),
        ("1" * 41, None),
    ],
)
def test_a_count_is_a_whole_number_and_exact(text: str, number: int | None) -> None:
    assert read_count(text) == number


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("500", 500 * 2**20),
        ("500MB", 500 * 2**20),
        ("500 mib", 500 * 2**20),
        ("2GB", 2**31),
        ("1.5g", 3 * 2**29),
        ("64k", 2**16),
        ("4096b", 4096),
        ("1TB", 2**40),
        ("1e3", 1000 * 2**20),
        ("0.0000001", 0),
        ("2 gigabytes", None),
        ("-1", None),
        ("", None),
    ],
)
def test_a_size_without_a_unit_is_in_megabytes(text: str, size: int | None) -> None:
    assert read_memory(text) == size


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90.0),
        ("0.1", 0.1),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e-3", 0.001),
        ("0.5s", 0.5),
        ("250ms", 0.25),
        ("1m30s", 90.0),
        ("1M30S", 90.0),
        ("2h", 7200.0),
        ("1h 15min", 4500.0),
        ("1.5h", 5400.0),
        ("30s1m", None),
        ("1m1m", None),
        ("1m30", None),
        ("1,5", None),
        ("inf", None),
        ("nan", None),
        ("1e400", None),
        ("", None),
        ("s", None),
    ],
)
def test_a_time_without_a_unit_is_in_seconds(text: str, seconds: float | None) -> None:
    assert read_seconds(text) == (None if seconds is None else pytest.approx(seconds))

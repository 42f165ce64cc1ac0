"""The random numbers of searches: known values, and fair ones."""

from __future__ import annotations

from collections import Counter

from tilewise.core.dice import Dice


def test_the_numbers_are_those_of_splitmix64() -> None:
    dice = Dice(1234567)
    assert [dice.bits() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_all_sides_of_the_dice_come_up_equally_often() -> None:
    dice = Dice(1)
    counts = Counter(dice.below(6) for _ in range(60_000))
    assert sorted(counts) == list(range(6))
    assert all(9_500 < count < 10_500 for count in counts.values())


def test_heads_in_a_row_are_half_as_frequent_with_each_more() -> None:
    dice = Dice(2)
    counts = Counter(dice.heads() for _ in range(64_000))
    assert all(0.8 < counts[n] / (64_000 / 2 ** (n + 1)) < 1.2 for n in range(6))


def test_shuffling_gives_all_orders_and_changes_nothing_else() -> None:
    dice, letters = Dice(3), "abc"
    orders = Counter("".join(dice.shuffled(letters)) for _ in range(6_000))
    assert len(orders) == 6 and min(orders.values()) > 850
    assert {dice.choice(letters) for _ in range(50)} == set(letters)
    assert all(0 <= dice.fraction() < 1 for _ in range(1000))

"""Dice: the random numbers of a search, the same on every machine and in every version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_MASK = 2**64 - 1


class Dice:
    """SplitMix64 (Steele, Lea, Flood 2014): 64 bits at a time from a seed.

    Example:
        >>> dice = Dice(1)
        >>> [dice.below(6) for _ in range(5)]
        [3, 4, 5, 2, 2]
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def bits(self) -> int:
        """The next 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = ((self._state ^ (self._state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, number: int) -> int:
        """A number from 0 to one below `number`, all of them equally likely (to 2**-60 or so)."""
        return (self.bits() * number) >> 64

    def choice(self, things: Sequence[T]) -> T:
        """One of them."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """All of them in a random order (Fisher and Yates)."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def fraction(self) -> float:
        """A number from 0 to below 1."""
        return (self.bits() >> 11) / 2**53

    def heads(self) -> int:
        """How often a coin shows heads in a row: n or more with a chance of 1 in 2**n."""
        bits = self.bits()
        return (bits & -bits).bit_length() - 1 if bits else 64

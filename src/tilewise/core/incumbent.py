"""Incumbent: the best solution so far with what is proved; Gap: how far apart they may stay."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tilewise.errors import LimitsError, shortened


@dataclass(frozen=True)
class Incumbent:
    """The best solution of a search that goes on, the proved bound, and what changed them last.

    Example:
        >>> Incumbent(seconds=0.5, moves="LULU", bound=4, source="beam").gap
        0
    """

    seconds: float
    """Seconds since the search began."""
    moves: str | None
    """The best solution so far; None before the first one."""
    bound: int
    """Moves that are proved to be needed at least."""
    source: str
    """Which part of the search made the change."""

    @property
    def cost(self) -> int | None:
        """The number of moves, or None before the first solution."""
        return None if self.moves is None else len(self.moves)

    @property
    def gap(self) -> int | None:
        """The cost minus the bound."""
        return None if self.moves is None else len(self.moves) - self.bound


Improved = Callable[[Incumbent], None]
"""Called whenever a search has found a shorter solution or proved a higher bound."""


@dataclass(frozen=True)
class Gap:
    """The gap at which a search may end: moves, or a percentage of the incumbent's cost.

    >>> Gap.parse("5%").allows(cost=100, bound=95), Gap.parse(4).allows(cost=100, bound=95)
    (True, False)
    """

    moves: int = 0
    percent: float = 0.0

    @classmethod
    def parse(cls, given: int | str) -> Gap:
        """A gap such as `4` or `5%`."""
        text = str(given).strip()
        if re.fullmatch(r"\d{1,6}", text) and not isinstance(given, bool):
            return cls(moves=int(text))
        percent = re.fullmatch(r"(\d{1,3}(?:\.\d{1,6})?) ?%", text)
        if percent and float(percent[1]) <= 100:
            return cls(percent=float(percent[1]))
        raise LimitsError(
            f"expected a gap of moves such as 4, or of a percentage up to 100%, "
            f"got {shortened(given)}"
        )

    def allows(self, cost: int, bound: int) -> bool:
        """Whether a search may end with these."""
        return cost - bound <= self.largest(cost)

    def largest(self, cost: int) -> float:
        """The moves that a solution of this cost may be above the bound."""
        return max(self.moves, cost * self.percent / 100)

    def __str__(self) -> str:
        return f"{self.percent:g}%" if self.percent else str(self.moves)

"""PatternSum: the estimate of a heuristic that looks its values up in pattern databases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tilewise.core.problem import State


class PatternLookup(Protocol):
    """A pattern's table, and how a board is turned into the index of its entry.

    `cells` maps a cell of the board to a cell of the table, `tiles` a tile to its number in the
    pattern, or to 255 if it is not part of it.
    """

    @property
    def table(self) -> memoryview: ...

    @property
    def cells(self) -> tuple[int, ...]: ...

    @property
    def tiles(self) -> tuple[int, ...]: ...

    def __call__(self, state: State) -> int: ...


@dataclass(frozen=True, eq=False)
class PatternSum:
    """The largest sum of table entries over the views of a board.

    Each view, the board as it is or in a mirror, has one look-up for each pattern of the
    partition, and their entries add up.
    """

    views: tuple[tuple[PatternLookup, ...], ...]

    def __call__(self, state: State) -> int:
        """A lower bound of the moves to the goal."""
        return max([sum([lookup(state) for lookup in view]) for view in self.views])

"""Distances of whole spaces of up to 12 cells: two bits' worth of knowledge in one bit a state.

For each state the table has the second bit of its distance. The first is known from the cell of
the blank, so the distance is known modulo 4, which tells for every move whether it leads nearer:
walking down to the goal gives the distance.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from tilewise import native
from tilewise.core.problem import State
from tilewise.errors import TableError
from tilewise.puzzle.board import Goal
from tilewise.puzzle.shapes import solvable_states
from tilewise.tables import cache
from tilewise.tables.distances.small import MAX_STATES, DistanceTable, distance_table
from tilewise.tables.patterns.building import FIRST_USE, granted_now, polled
from tilewise.tables.patterns.partition_choice import goal_option
from tilewise.tables.patterns.pattern import symmetries
from tilewise.tables.table_file import Header

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KIND = "space"
MOST_CELLS = 12
MOST_IN_HEADER = 64
"""The deepest states are kept with the table if they are not more than this."""


class WholeTable:
    """The distance of every state that reaches a goal, by a table in the cache.

    Tiles are known by their goal cells and the board is turned, so that goals which differ by
    the labels or by a turn share the table.
    """

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        board = goal.board
        turned = [
            (symmetry.rows, symmetry.columns, symmetry.cells[board.blank], symmetry.cells)
            for symmetry in symmetries(board.rows, board.columns)
            if symmetry.rows <= symmetry.columns
        ]
        self._rows, self._columns, self._blank, self._cells = min(turned)
        home = [0] * len(board.tiles)
        for cell, tile in enumerate(board.tiles):
            home[tile] = self._cells[cell]
        self._home = home
        self._tile_of = {cell: tile for tile, cell in enumerate(home)}

    @property
    def name(self) -> str:
        """The name of the table in the cache."""
        return f"{self._rows}x{self._columns}-space-b{self._blank}"

    @property
    def levels(self) -> list[int]:
        """The number of states at distance 0, 1, 2, ..."""
        return list(self._made[0].levels)

    def distance(self, state: State) -> int:
        """Moves from a state to the goal; the state must be one that can reach it."""
        homes = bytearray(len(state))
        for cell, tile in zip(self._cells, state, strict=True):
            homes[cell] = self._home[tile]
        return native.distance(self._rows, self._columns, self._blank, self._made[1], bytes(homes))

    def states(self, distance: int) -> Iterator[State]:
        """The states at one distance, sorted as tuples."""
        header = self._made[0]
        if distance == len(header.levels) - 1 and header.states:
            found = [bytes.fromhex(text) for text in header.states]
        else:
            found = self._drawn(distance, header.levels[distance], seed=0)
        return iter(sorted(map(self._state, found)))

    def sample(self, distance: int, most: int, seed: int) -> list[State]:
        """Different states at one distance, each set of them with the same chance; sorted."""
        return sorted(map(self._state, self._drawn(distance, most, seed)))

    def _drawn(self, distance: int, most: int, seed: int) -> list[bytes]:
        if self._too_much_now:
            raise TableError(
                f"expected a shape of fewer boards than {self.goal.board.shape} to go through "
                f"all of them here; `tilewise scramble {self.goal.board.shape} --depth {distance}` "
                "does"
            )
        shape = self._rows, self._columns, self._blank
        with polled(f"{self._rows}x{self._columns} states at depth {distance}") as poll:
            return native.states_at(*shape, distance, most, seed, threads=_threads(), poll=poll)[1]

    def _state(self, homes: bytes) -> State:
        return tuple([self._tile_of[homes[cell]] for cell in self._cells])

    @cached_property
    def _made(self) -> tuple[Header, NDArray[np.uint8]]:
        if self._too_much_now and not cache.holds(self.name):
            shape = self.goal.board.shape
            raise TableError(
                f"expected the table of all distances of {shape} in the cache, got none; "
                f"`tilewise space {shape}{goal_option(self.goal)}` builds it in half a minute"
            )
        cancelled = granted_now().cancelled
        return cache.obtain(self.name, self._header((), ()), self._build, cancelled=cancelled)

    @property
    def _too_much_now(self) -> bool:
        """Whether going through all states takes longer than the caller grants."""
        return granted_now().sparing and solvable_states(self._rows, self._columns) > FIRST_USE

    def _header(self, levels: tuple[int, ...], deepest: tuple[str, ...]) -> Header:
        return Header(
            kind=KIND,
            rows=self._rows,
            columns=self._columns,
            cells=(),
            blank=self._blank,
            bits=1,
            count=solvable_states(self._rows, self._columns),
            size=native.distance_bytes(self._rows, self._columns),
            levels=levels,
            states=deepest,
        )

    def _build(self) -> tuple[Header, NDArray[np.uint8]]:
        import numpy as np

        data = np.zeros(native.distance_bytes(self._rows, self._columns), dtype=np.uint8)
        with polled(self.name) as poll:
            levels = native.build_distances(
                self._rows, self._columns, self._blank, data, threads=_threads(), poll=poll
            )
        deepest: tuple[str, ...] = ()
        if levels[-1] <= MOST_IN_HEADER:
            deepest = tuple(
                state.hex() for state in self._drawn(len(levels) - 1, MOST_IN_HEADER, seed=0)
            )
        return self._header(tuple(levels), deepest), data


def _threads() -> int:
    return os.cpu_count() or 1


@lru_cache(maxsize=4)
def whole_table(goal: Goal) -> DistanceTable | WholeTable:
    """The distances of all states that reach a goal: shapes of up to 12 cells.

    Up to 3x3 and 2x4 the table is made in Python and in memory; larger ones need the native
    core and are kept in the cache.
    """
    board = goal.board
    if solvable_states(board.rows, board.columns) <= MAX_STATES:
        return distance_table(goal)
    if len(board.tiles) > MOST_CELLS:
        raise TableError(
            f"expected a shape of at most {MOST_CELLS} cells (3x4, 2x6) for a table of all "
            f"distances, got {board.shape}"
        )
    if not native.NATIVE:
        raise TableError(
            f"expected a shape of up to 3x3 or 2x4 for a table of all distances without the "
            f"native engine, got {board.shape}"
        )
    return WholeTable(goal)

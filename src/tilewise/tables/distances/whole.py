"""Distances of whole spaces of up to 12 cells, stored in one bit a state.

For each state the table has the second bit of its distance. The first is known from the cell of
the blank, so the distance is known modulo 4, which shows for every move whether it leads nearer:
walking down to the goal gives the distance.
"""

from __future__ import annotations

from functools import partial

from tilewise import native
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.memo import Memo
from tilewise.core.problem import State
from tilewise.errors import TableError
from tilewise.puzzle.board import Goal
from tilewise.puzzle.shapes import solvable_states
from tilewise.tables import cache
from tilewise.tables.building import QUICK_ENTRIES, goal_option, polled, threads
from tilewise.tables.patterns.pattern import symmetries
from tilewise.tables.table_file import bytes_in_memory, new_table
from tilewise.tables.table_header import TableHeader

KIND = "space"
MOST_IN_HEADER = 64
"""The deepest states are kept with the table if they are not more than this."""


class CanonicalGoal:
    """A goal in the form that its table is made for.

    Tiles are known by their goal cells and the board is turned, so that goals which differ by
    the labels or by a turn share the table.
    """

    def __init__(self, goal: Goal) -> None:
        board = goal.board
        turned = [
            (symmetry.rows, symmetry.columns, symmetry.cells[board.blank], symmetry.cells)
            for symmetry in symmetries(board.rows, board.columns)
            if symmetry.rows <= symmetry.columns
        ]
        self.rows, self.columns, self.blank, self._cells = min(turned)
        home = [0] * len(board.tiles)
        for cell, tile in enumerate(board.tiles):
            home[tile] = self._cells[cell]
        self._home = home
        self._tile_of = {cell: tile for tile, cell in enumerate(home)}

    @property
    def name(self) -> str:
        """The name of the table in the cache."""
        return f"{self.rows}x{self.columns}-space-b{self.blank}"

    @property
    def shape_and_blank(self) -> tuple[int, int, int]:
        """What the native core needs to know of the goal."""
        return self.rows, self.columns, self.blank

    @property
    def states(self) -> int:
        """The number of states that reach the goal."""
        return solvable_states(self.rows, self.columns)

    def homes_of(self, state: State) -> bytes:
        """A state turned: for each cell the goal cell of its tile."""
        homes = bytearray(len(state))
        for cell, tile in zip(self._cells, state, strict=True):
            homes[cell] = self._home[tile]
        return bytes(homes)

    def state_of(self, homes: bytes) -> State:
        """The state that `homes_of` turned."""
        return tuple([self._tile_of[homes[cell]] for cell in self._cells])


class WholeTable:
    """The distance of every state that reaches a goal, by a table in the cache."""

    def __init__(self, goal: Goal, context: BuildContext = DEFAULT_CONTEXT) -> None:
        self.goal = goal
        self._form = CanonicalGoal(goal)
        self._header, self._table = self._obtain(context)

    @property
    def table_bytes(self) -> int:
        """The memory of the table, unless it is mapped from a file."""
        return bytes_in_memory(self._table)

    @property
    def levels(self) -> list[int]:
        """The number of states at distance 0, 1, 2, ..."""
        return list(self._header.levels)

    def distance(self, state: State) -> int:
        """Moves from a state to the goal; the state must be one that can reach it."""
        form = self._form
        try:
            return native.distance(*form.shape_and_blank, self._table, form.homes_of(state))
        except ValueError:
            board = self.goal.board
            raise TableError(f"expected a state that reaches {board}, got {state}") from None

    def states(self, distance: int, context: BuildContext = DEFAULT_CONTEXT) -> list[State]:
        """The states at one distance, sorted as tuples."""
        levels, deepest = self._header.levels, self._header.states
        if distance == len(levels) - 1 and deepest:
            return sorted(self._form.state_of(bytes.fromhex(text)) for text in deepest)
        return self.sample(distance, levels[distance], 0, context)

    def sample(
        self, distance: int, most: int, seed: int, context: BuildContext = DEFAULT_CONTEXT
    ) -> list[State]:
        """Different states at one distance, each set of them with the same chance; sorted."""
        if self._too_long(context):
            raise TableError(
                f"expected a shape of fewer boards than {self.goal.board.shape} to go through "
                f"all of them here; `tilewise scramble {self.goal.board.shape} --depth {distance}` "
                "does"
            )
        return sorted(map(self._form.state_of, self._drawn(distance, most, seed, context)))

    def _drawn(self, distance: int, most: int, seed: int, context: BuildContext) -> list[bytes]:
        form = self._form
        with polled(f"{form.rows}x{form.columns} states at depth {distance}", context) as poll:
            return native.states_at(
                *form.shape_and_blank, distance, most, seed, threads=threads(), poll=poll
            )[1]

    def _obtain(self, context: BuildContext) -> tuple[TableHeader, memoryview]:
        wanted = self._facts((), ())
        if self._too_long(context) and not cache.holds(self._form.name, wanted, context.cancelled):
            shape = self.goal.board.shape
            raise TableError(
                f"expected the table of all distances of {shape} in the cache, got none; "
                f"`tilewise space {shape}{goal_option(self.goal)}` builds it in half a minute"
            )
        build = partial(self._build, context)
        return cache.obtain(self._form.name, wanted, build, cancelled=context.cancelled)

    def _too_long(self, context: BuildContext) -> bool:
        """Whether going through all states takes longer than the caller allows."""
        return context.quick and self._form.states > QUICK_ENTRIES

    def _facts(self, levels: tuple[int, ...], deepest: tuple[str, ...]) -> TableHeader:
        form = self._form
        return TableHeader(
            kind=KIND,
            rows=form.rows,
            columns=form.columns,
            cells=(),
            blank=form.blank,
            bits=1,
            count=form.states,
            size=native.distance_bytes(form.rows, form.columns),
            levels=levels,
            states=deepest,
        )

    def _build(self, context: BuildContext) -> tuple[TableHeader, memoryview]:
        form = self._form
        data = new_table(native.distance_bytes(form.rows, form.columns))
        with polled(form.name, context) as poll:
            levels = native.build_distances(
                *form.shape_and_blank, data, threads=threads(), poll=poll
            )
        deepest: tuple[str, ...] = ()
        if levels[-1] <= MOST_IN_HEADER:
            drawn = self._drawn(len(levels) - 1, MOST_IN_HEADER, 0, context)
            deepest = tuple(state.hex() for state in drawn)
        return self._facts(tuple(levels), deepest), data


_made: Memo[Goal, WholeTable] = Memo(4, lambda table: table.table_bytes)


def whole_table(goal: Goal, context: BuildContext = DEFAULT_CONTEXT) -> WholeTable:
    """The table of a goal of up to 12 cells, from the cache or built now; needs the native core."""
    return _made.get(goal, lambda: WholeTable(goal, context), context.cancelled)

"""Proof that a table is right, by conditions on each entry and its neighbours alone.

A *node* is a placement of the pattern's tiles together with the region of empty cells that the
blank is in; a *step* moves one tile of the pattern into that region. Steps can be taken back.
The goal is the pattern at home with the blank in the region of its home. D(x) is the number of
steps from node x to the goal; a table must hold, for each placement, the least D over its
regions.

Given numbers E(x) for all nodes with

1. E(goal) = 0,
2. E(x) = 1 + the least E(y) over the neighbours y of x, for every other node x,
   where "unreachable" counts as infinity,

E = D. Not more: along a shortest path x = x0, x1, ..., goal, condition 2 gives
E(xi) <= 1 + E(xi+1), so E(x) <= D(x); in particular E is finite wherever D is. Not less: if E(x)
is finite and x is not the goal, some neighbour has E(y) = E(x) - 1. Going on like this, E falls
by one with each step and cannot pass 0, and only the goal can have E = 0, since every other
value is 1 + something. So after E(x) steps we stand on the goal, and D(x) <= E(x).

The table gives E at once for placements with one region. For the others E is worked out from
their neighbours; how does not matter, since afterwards both conditions are checked on every
node, and the least E over the regions is compared with the table. A table that passes is right,
whoever made it; one wrong entry breaks a condition at it or next to it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, factorial
from typing import TYPE_CHECKING

import numpy as np

from tilewise import native
from tilewise.errors import TableError
from tilewise.tables.patterns.pattern import UNREACHABLE, Pattern, beside, region
from tilewise.tables.table_file import Watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Block = NDArray[np.uint8]

Edge = tuple[int, int, int]
"""Number of the neighbouring node, and places that the moved tile leaves and takes in the order."""


@dataclass
class Arrangements:
    """All orders of the tiles on one set of cells, with the blank in one region."""

    mask: int
    edges: list[Edge]
    values: Block
    alone: bool


def verify(pattern: Pattern, table: memoryview, watch: Watch | None = None) -> None:
    """Prove that a table is right, by the native core if it is there.

    Args:
        pattern: The canonical pattern.
        table: Its table.
        watch: Called with the progress.

    Raises:
        TableError: The table is wrong.

    Example:
        >>> from tilewise.puzzle.board import Goal
        >>> from tilewise.tables.patterns.building import table
        >>> from tilewise.tables.patterns.partitions import patterns_of
        >>> pattern, _ = patterns_of(Goal.blank_first(3, 3), "4-4")[0].canonical()
        >>> verify(pattern, table(pattern, keep=False))
    """
    if table.shape != (pattern.entries,):
        raise TableError(f"expected {pattern.entries:,} entries, got {len(table):,}")
    if not native.NATIVE:
        return verify_in_python(pattern, table, watch)

    def poll(done: int, total: int) -> bool:
        if watch is not None:
            watch(done, total)
        return False

    wrong = native.wrong_entries(
        pattern.rows,
        pattern.columns,
        pattern.cells,
        pattern.blank,
        table,
        threads=os.cpu_count() or 1,
        poll=poll,
    )
    if wrong:
        raise TableError(f"{wrong:,} of {pattern.entries:,} entries of {pattern.name} are wrong")
    return None


def verify_in_python(pattern: Pattern, table: memoryview, watch: Watch | None = None) -> None:
    """The same proof without the native core; the error names an entry that is wrong."""
    entries = np.frombuffer(table, np.uint8)
    nodes = _nodes(pattern, entries.reshape(-1, factorial(pattern.order)))
    turns = _turns(pattern.order)
    several = [number for number, node in enumerate(nodes) if not node.alone]
    goal = _goal(pattern, nodes)
    _settle(nodes, several, turns, goal)
    _check_steps(pattern, nodes, turns, goal, watch)
    _check_least(pattern, nodes, entries)


def _nodes(pattern: Pattern, blocks: NDArray[np.uint8]) -> list[Arrangements]:
    """All nodes, ordered by the rank of their cells; those alone on their cells share the table."""
    rows, columns, order = pattern.rows, pattern.columns, pattern.order
    area = rows * columns
    regions_of: dict[int, list[set[int]]] = {}
    number_of: dict[tuple[int, int], int] = {}
    masks = sorted(combinations(range(area), order), key=lambda cells: cells[::-1])
    count = 0
    for cells in masks:
        key = sum(1 << cell for cell in cells)
        regions_of[key] = _regions(rows, columns, cells)
        for empty in regions_of[key]:
            for cell in empty:
                number_of[key, cell] = count
            count += 1
    nodes = []
    for rank, cells in enumerate(masks):
        key = sum(1 << cell for cell in cells)
        found = regions_of[key]
        for empty in found:
            edges = []
            for place, cell in enumerate(cells):
                for target in beside(rows, columns)[cell]:
                    if target in empty:
                        taken = sum(other < target for other in cells) - (cell < target)
                        after = key - (1 << cell) + (1 << target)
                        edges.append((number_of[after, cell], place, taken))
            alone = len(found) == 1
            values = blocks[rank] if alone else np.full(blocks.shape[1], UNREACHABLE, np.uint8)
            nodes.append(Arrangements(rank, edges, values, alone))
    return nodes


def _regions(rows: int, columns: int, cells: tuple[int, ...]) -> list[set[int]]:
    left = set(range(rows * columns)) - set(cells)
    found = []
    while left:
        found.append(region(rows, columns, cells, min(left)))
        left -= found[-1]
    return found


def _goal(pattern: Pattern, nodes: list[Arrangements]) -> int:
    """The number of the node that holds the goal; its regions come by their smallest cells."""
    home = sum(comb(cell, number) for number, cell in enumerate(pattern.cells, start=1))
    first = next(number for number, node in enumerate(nodes) if node.mask == home)
    regions = _regions(pattern.rows, pattern.columns, pattern.cells)
    return first + [min(empty) for empty in regions].index(pattern.blank)


def _turns(order: int) -> dict[tuple[int, int], NDArray[np.intp]]:
    """For a tile that leaves one place in the order and takes another: the rank of each new order.

    The goal's order is the first one, so its rank is 0.
    """
    orders = np.array(list(permutations(range(order))), dtype=np.int8)
    made = {}
    for start in range(order):
        for end in range(order):
            if start != end:
                rest = np.delete(orders, start, axis=1)
                made[start, end] = _ranks(np.insert(rest, end, orders[:, start], axis=1))
    return made


def _ranks(orders: NDArray[np.int8]) -> NDArray[np.intp]:
    size = orders.shape[1]
    ranks = np.zeros(len(orders), dtype=np.intp)
    for place in range(size):
        smaller_later = (orders[:, place + 1 :] < orders[:, place : place + 1]).sum(axis=1)
        ranks += smaller_later * factorial(size - 1 - place)
    return ranks


def _one_more(
    nodes: list[Arrangements], node: Arrangements, turns: dict[tuple[int, int], NDArray[np.intp]]
) -> Block:
    """One more than the least value among the neighbours; nothing is beyond unreachable."""
    least = np.full(node.values.shape, UNREACHABLE - 1, dtype=np.uint8)
    for other, start, end in node.edges:
        values = nodes[other].values
        np.minimum(least, values if start == end else values[turns[start, end]], out=least)
    return least + np.uint8(1)


def _settle(
    nodes: list[Arrangements],
    several: list[int],
    turns: dict[tuple[int, int], NDArray[np.intp]],
    goal: int,
) -> None:
    """Work out the values of nodes that share their cells with others, until nothing changes."""
    apart = set(several)
    waiting = dict.fromkeys(several)
    while waiting:
        number = next(iter(waiting))
        del waiting[number]
        node = nodes[number]
        values = _one_more(nodes, node, turns)
        if number == goal:
            values[0] = 0
        if not np.array_equal(values, node.values):
            node.values = values
            waiting.update(dict.fromkeys(other for other, _, _ in node.edges if other in apart))


def _check_steps(
    pattern: Pattern,
    nodes: list[Arrangements],
    turns: dict[tuple[int, int], NDArray[np.intp]],
    goal: int,
    watch: Watch | None,
) -> None:
    for number, node in enumerate(nodes):
        expected = _one_more(nodes, node, turns)
        if number == goal:
            expected[0] = 0
        if not np.array_equal(expected, node.values):
            place = int(np.flatnonzero(expected != node.values)[0])
            raise _wrong(pattern, node.mask, place, int(expected[place]), int(node.values[place]))
        if watch is not None and number % 256 == 0:
            watch(number, len(nodes))


def _check_least(pattern: Pattern, nodes: list[Arrangements], table: NDArray[np.uint8]) -> None:
    blocks = table.reshape(-1, factorial(pattern.order))
    least: dict[int, Block] = {}
    for node in nodes:
        if not node.alone:
            known = least.get(node.mask)
            least[node.mask] = node.values if known is None else np.minimum(known, node.values)
    for mask, values in least.items():
        if not np.array_equal(values, blocks[mask]):
            place = int(np.flatnonzero(values != blocks[mask])[0])
            raise _wrong(pattern, mask, place, int(values[place]), int(blocks[mask][place]))


def _wrong(pattern: Pattern, mask: int, place: int, expected: int, got: int) -> TableError:
    entry = mask * factorial(pattern.order) + place
    return TableError(
        f"expected {expected} in entry {entry:,} of table {pattern.name} by its neighbours, "
        f"got {got}"
    )

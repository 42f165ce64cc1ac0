"""What the native engine does with tables: building, proving, reading them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tilewise.errors import EngineError
from tilewise.native.built_from import warn_if_stale, why_absent
from tilewise.native.compiled import NATIVE, compiled

TableBytes = Any
"""The bytes of a table: a memoryview, or an array of numpy."""

Poll = Callable[[int, int], bool]
"""Called with the entries done and all entries, about every 50 ms; True ends the building."""


def table_kernels() -> list[str]:
    """The levels of instructions that tables can be built with here, the best first."""
    return compiled.kernels() if NATIVE else []


def build_pattern(
    rows: int,
    columns: int,
    cells: Sequence[int],
    blank: int,
    out: TableBytes,
    *,
    threads: int = 1,
    kernels: str = "",
    poll: Poll | None = None,
) -> None:
    """Fill the table of a pattern, see patterns/pattern.py for its index."""
    _needs_core("building a pattern database")
    done = compiled.build_pattern(
        rows, columns, list(cells), blank, out, threads=threads, kernels=kernels, poll=poll
    )
    _not_ended(done)


def wrong_entries(
    rows: int,
    columns: int,
    cells: Sequence[int],
    blank: int,
    table: TableBytes,
    *,
    threads: int = 1,
    poll: Poll | None = None,
) -> int:
    """How many entries of a pattern's table a proof by local invariants finds wrong."""
    _needs_core("proving a pattern database")
    wrong = compiled.wrong_entries(
        rows, columns, list(cells), blank, table, threads=threads, poll=poll
    )
    return _not_ended(wrong)


def distance_bytes(rows: int, columns: int) -> int:
    """The size of the table of distances of a whole space of 4 to 12 cells."""
    _needs_core("a table of distances")
    return compiled.distance_bytes(rows, columns)


def build_distances(
    rows: int,
    columns: int,
    blank: int,
    out: TableBytes | None = None,
    *,
    threads: int = 1,
    poll: Poll | None = None,
) -> list[int]:
    """The number of states at each distance from the goal with its blank on a cell.

    `out` gets the table: for each state one bit, the second of its distance.
    """
    _needs_core("counting a space")
    return _not_ended(
        compiled.build_distances(rows, columns, blank, out, threads=threads, poll=poll)
    )


def states_at(
    rows: int,
    columns: int,
    blank: int,
    depth: int,
    most: int,
    seed: int,
    *,
    threads: int = 1,
    poll: Poll | None = None,
) -> tuple[int, list[bytes]]:
    """The number of states at a distance, and `most` of them drawn at random (or all).

    A state has for each cell the cell at which its tile is at home in the goal.
    """
    _needs_core("drawing states of a space")
    count, states = _not_ended(
        compiled.states_at(rows, columns, blank, depth, most, seed, threads=threads, poll=poll)
    )
    return count, [bytes(state) for state in states]


def distance(rows: int, columns: int, blank: int, table: TableBytes, homes: bytes) -> int:
    """The distance of a state, given as for `states_at`, by a table of distances."""
    return compiled.distance(rows, columns, blank, table, homes)


def _needs_core(what: str) -> None:
    if not NATIVE:
        raise EngineError(
            f"{what} needs the native engine, which this installation does not have: {why_absent()}"
        )
    warn_if_stale()


T = TypeVar("T")


def _not_ended(answer: T | None) -> T:
    if answer is None or answer is False:
        raise EngineError("the table was not finished: it was cancelled")
    return answer

"""Native functions that work on whole paths."""

from __future__ import annotations

from collections.abc import Callable

from tilewise.core.problem import Problem
from tilewise.native.built_from import warn_if_stale
from tilewise.native.compiled import compiled


def shorten_path(
    problem: Problem,
    moves: str,
    *,
    length: int,
    nodes: int,
    offset: int,
    threads: int,
    seconds: float,
    stopped: Callable[[], bool],
) -> tuple[str, int]:
    """Solve windows of a path again: the path by then, and the nodes that were generated.

    `length` is that of a window in moves, `nodes` what each may take; `offset` says where the path
    is cut into the pieces that threads share out. 0 seconds are no limit.
    """
    warn_if_stale()
    return compiled.shorten_path(
        problem.rows,
        problem.columns,
        bytes(problem.start),
        moves,
        length=length,
        nodes=nodes,
        offset=offset,
        threads=threads,
        seconds=seconds,
        poll=lambda generated: stopped(),
    )


def solve_lines(
    problem: Problem,
    core: tuple[int, int, int, int],
    *,
    width: int,
    threads: int,
    seconds: float,
    stopped: Callable[[], bool],
) -> str:
    """The moves that bring all tiles outside of a core home; empty if the time is over before.

    `core` is its first row and column, its rows and its columns; `width` is the number of boards
    that are kept after each placement.
    """
    row, column, rows, columns = core
    return compiled.solve_lines(
        problem.rows,
        problem.columns,
        bytes(problem.start),
        bytes(problem.goal),
        core_row=row,
        core_column=column,
        core_rows=rows,
        core_columns=columns,
        width=width,
        threads=threads,
        seconds=seconds,
        poll=lambda generated: stopped(),
    )

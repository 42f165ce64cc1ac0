"""Native functions that work on whole paths."""

from __future__ import annotations

from collections.abc import Callable

from tilewise.core.problem import Problem
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

"""What the native engine does with learned values: the beam over them, and their training."""

from __future__ import annotations

from collections.abc import Callable

from tilewise.native.compiled import NATIVE, compiled

__all__ = [
    "BeamPoll",
    "LearnedValues",
    "Training",
    "learned_beam_bytes",
    "learned_sizes",
    "run_learned_beam",
]

if NATIVE:
    from tilewise.native._native import LearnedValues, Training
else:

    class LearnedValues:  # type: ignore[no-redef]
        """Absent: built without a C++ compiler."""

    class Training:  # type: ignore[no-redef]
        """Absent: built without a C++ compiler."""


BeamPoll = Callable[[dict[str, int]], bool]
"""Called with the counters, about every 50 ms; True ends the search."""


def run_learned_beam(
    values: LearnedValues,
    start: bytes,
    goal: bytes,
    *,
    width: int,
    most_moves: int,
    generated: int,
    seconds: float,
    memory: int,
    threads: int,
    poll: BeamPoll | None = None,
) -> tuple[int, bytes, dict[str, int]]:
    """A beam by learned values: the number of its status, the cells of the blank, counters.

    Boards have for each cell the home cell of its tile; the blank's home is cell 0.
    """
    return compiled.learned_beam(
        values,
        start,
        goal,
        width=width,
        most_moves=most_moves,
        generated=generated,
        seconds=seconds,
        memory=memory,
        threads=threads,
        poll=poll,
    )


def learned_beam_bytes(cells: int, width: int, moves: int) -> int:
    """The memory that a beam needs at most when it has come to a depth."""
    return compiled.learned_beam_bytes(cells, width, moves)


def learned_sizes(rows: int, columns: int) -> tuple[int, int, int]:
    """The numbers of weights of a model: of single tiles, of pairs of tiles, shared ones."""
    return compiled.learned_sizes(rows, columns)

"""What the native engine does with learned values: the beam over them, and their training."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tilewise.core.waiting import Cancelled
from tilewise.errors import CancelledError
from tilewise.native.compiled import NATIVE, compiled

__all__ = [
    "BeamPoll",
    "LearnedModel",
    "LearnedValues",
    "Network",
    "Training",
    "folded_size",
    "folded_weights",
    "learned_beam_bytes",
    "learned_sizes",
    "run_learned_beam",
    "stretched_values",
    "train_round",
    "unfolded_weights",
]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int16]

if NATIVE:
    from tilewise.native._native import LearnedModel, LearnedValues, Network, Training
else:

    class LearnedModel:  # type: ignore[no-redef]
        """Absent: built without a C++ compiler."""

    class Network:  # type: ignore[no-redef]
        """Absent: built without a C++ compiler."""

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
    partly: bool = False,
    narrows: bool = False,
    ends_in: float = 0.0,
    poll: BeamPoll | None = None,
) -> tuple[int, bytes, dict[str, int]]:
    """A beam by learned values: the number of its status, the cells of the blank, counters.

    Boards have for each cell the home cell of its tile; the blank's home is cell 0. Without a
    solution the cells are none, or with `partly` the way to the board that promised the shortest.
    One that `narrows` keeps fewer boards in the last third of the way. With `ends_in` it keeps as
    few as it takes to come to `most_moves` in these seconds.
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
        partly=partly,
        narrows=narrows,
        ends_in=ends_in,
        poll=poll,
    )


def stretched_values(
    rows: int, columns: int, side: int, weights: tuple[Whole, Whole, Whole], cancelled: Cancelled
) -> LearnedValues:
    """Values for a large shape by the weights of a square one: singles, own and shared ones."""
    try:
        return LearnedValues.stretched(rows, columns, side, *weights, cancelled)
    except compiled.Ended:
        raise CancelledError("stopped while learned values were being stretched") from None


def train_round(
    training: Training, rate: float, threads: int, cancelled: Cancelled, *, ranks: bool = False
) -> dict[str, Any] | None:
    """A round of a training; steps are full while its walks are short.

    None: it was cancelled, and the weights are those of before.
    """
    try:
        if not training.walks_are_long:
            return training.round("rest", 1.0, threads, cancelled)
        return training.round("ranks" if ranks else "differences", rate, threads, cancelled)
    except compiled.Ended:
        return None


def learned_beam_bytes(cells: int, width: int, moves: int) -> int:
    """The memory that a beam needs at most when it has come to a depth."""
    return compiled.learned_beam_bytes(cells, width, moves)


def learned_sizes(rows: int, columns: int) -> tuple[int, int, int, int]:
    """The numbers of weights of a model: of single tiles, of pairs of tiles, shared ones, and of
    squares, if it has any."""
    return compiled.learned_sizes(rows, columns)


def folded_weights(side: int, own: Whole) -> Whole | None:
    """Half of the weights of pairs of a square shape: a board and its transposed image have the
    same value. None if they do not."""
    return compiled.folded_weights(side, own)


def unfolded_weights(side: int, half: Whole) -> Whole:
    """All weights of pairs, from that half."""
    return compiled.unfolded_weights(side, half)


def folded_size(side: int) -> int:
    """The number of weights of that half."""
    return compiled.folded_size(side)

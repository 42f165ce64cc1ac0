"""Training of a model: rounds of solving boards with the values so far and learning from the paths.

A round solves boards by a narrow beam while another thread takes steps of gradient descent on
earlier paths. The boards are random walks from the goal, which grow from round to round, then also
boards drawn at random; none comes from a file. While the walks are short the values learn the
moves that are left; later they learn differences between two boards of one path, by steps that
become smaller from slice to slice of the training.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewise.core.build_context import never
from tilewise.errors import TableError
from tilewise.learning.model_file import SCALE, Header, Weights
from tilewise.native import Training

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SLICES = 20
"""Parts of a training; each has its own size of steps."""
SMALLEST_RATE = 0.05
"""Of the full step, in the last slice."""


@dataclass(frozen=True)
class Progress:
    """Where a training stands."""

    seconds: float
    slice: int
    rounds: int
    walk: int
    mean_length: float | None
    """Of the solutions of the last round's boards that were drawn at random: new ones each time."""
    error: float


Watch = Callable[[Progress], None]


@dataclass(frozen=True)
class Trained:
    """What a training made."""

    header: Header
    weights: Weights


def train(
    rows: int,
    columns: int,
    *,
    seconds: float | None = None,
    rounds: Sequence[int] | None = None,
    seed: int = 1,
    threads: int = 1,
    begin: Weights | None = None,
    begins_with: str = "nothing",
    watch: Watch | None = None,
    save: Callable[[Trained], None] | None = None,
    cancelled: Callable[[], bool] = never,
) -> Trained:
    """Train a model for a time, or for so many rounds in each slice, which is reproducible.

    `begin` are weights to go on with. `save` gets the model after each slice.
    """
    if (seconds is None) is (rounds is None):
        raise TableError("expected seconds or rounds for a training: one of the two")
    training = Training(rows, columns, seed)
    if begin is not None:
        _load(training, rows, columns, begin, long_walks=begins_with != "shared")
    began, done = time.perf_counter(), [0] * SLICES
    stopped = False

    def header() -> Header:
        spent = round(time.perf_counter() - began, 1)
        return Header(rows, columns, seed, tuple(done), spent, begins_with, step=1)

    for number in range(SLICES):
        rate = 1 - (1 - SMALLEST_RATE) * number / (SLICES - 1)
        while not stopped:
            spent = time.perf_counter() - began
            if rounds is not None and done[number] >= rounds[number]:
                break
            if seconds is not None and spent >= seconds * (number + 1) / SLICES:
                break
            differences = training.walks_are_long
            report = training.round(differences, rate if differences else 1.0, threads)
            done[number] += 1
            if watch is not None:
                mean = report["mean_length"] if report["random_boards"] else None
                watch(
                    Progress(
                        time.perf_counter() - began,
                        number,
                        sum(done),
                        int(report["walk"]),
                        mean,
                        report["error"],
                    )
                )
            stopped = cancelled()
        if save is not None and done[number]:
            save(Trained(header(), rounded(training, rows, columns)))
    return Trained(header(), rounded(training, rows, columns))


def rounded(training: Training, rows: int, columns: int) -> Weights:
    """The weights so far as whole numbers, beyond those that every model begins with."""
    import numpy as np

    fresh = Training(rows, columns, 0).weights()

    def whole(now: NDArray[np.float32], first: NDArray[np.float32]) -> NDArray[np.int16]:
        return np.clip(np.rint((now - first) * SCALE), -32000, 32000).astype(np.int16)

    return Weights(
        *(whole(now, first) for now, first in zip(training.weights(), fresh, strict=True))
    )


def _load(
    training: Training, rows: int, columns: int, weights: Weights, *, long_walks: bool
) -> None:
    import numpy as np

    fresh = Training(rows, columns, 0).weights()
    parts = (weights.singles, weights.own, weights.shared)
    training.load(
        *(
            first + part.astype(np.float32) / SCALE
            for first, part in zip(fresh, parts, strict=True)
        ),
        long_walks,
    )

"""`tilewise learn train --model linear|network|policy`: models trained on known distances."""

from __future__ import annotations

import sys

from tilewise.cli import exit_codes, interrupts
from tilewise.cli.progress import ProgressLine
from tilewise.core.limits import Meter
from tilewise.errors import CancelledError, TableError
from tilewise.learning import regressions
from tilewise.puzzle.shapes import read_shape
from tilewise.training.fitting import Fit, FitProgress, fit


def train(
    shape: str,
    model: str,
    seconds: float | None,
    states: int | None,
    epochs: int | None,
    seed: int,
) -> int:
    """Train a model on known distances, and keep it."""
    rows, columns = sorted(read_shape(shape))
    if rows * columns > regressions.MOST_CELLS:
        raise TableError(
            f"expected a shape of at most {regressions.MOST_CELLS} cells, got {rows}x{columns}"
        )
    plan = Fit(model, rows, columns, seconds, states, seed, epochs)
    clock = plan.clock(interrupts.CameFlag())  # scikit-learn swallows the exception
    line, times = ProgressLine(), 0

    def watch(progress: FitProgress) -> None:
        nonlocal times
        times = progress.epoch
        if progress.epoch or progress.loss:
            interrupts.keep()  # something is learned
        if line.due():
            line.write(_text(progress))

    try:
        layers = fit(plan, watch, clock)
    except CancelledError:
        return nothing_learned(clock)
    finally:
        line.clear()
    path = regressions.cached_path(model, rows, columns)
    regressions.write(path, layers)
    print(f"{path.name}: {layers.facts.shape}, trained on {layers.facts.states:,} states")
    print(quality(layers.facts))
    if epochs is not None and times < epochs and model != "linear":
        why = "interrupted" if clock.cancelled else "the time was up"
        print(f"{why} after {times:,} of {epochs:,} times through all states")
    interrupts.keep_nothing()
    return exit_codes.OK


def nothing_learned(clock: Meter) -> int:
    """Say that a training came to nothing, and why; the exit code."""
    if clock.cancelled:
        return exit_codes.INTERRUPTED
    print(
        f"tilewise: the time was up before anything was learned: {clock.limits.seconds:g} s for "
        "all of it (--seconds S gives it more); no model was written",
        file=sys.stderr,
    )
    return exit_codes.LIMIT


def _text(progress: FitProgress) -> str:
    if not progress.states:
        return "finding states with known distances"
    return (
        f"{progress.seconds:.0f} s, {progress.states:,} states, "
        f"{progress.epoch} times, loss {progress.loss:.4f}"
    )


def quality(facts: regressions.ModelFacts) -> str:
    """How good a model is on states that it was not trained on."""
    held_out = f"{facts.held_out:,} states held out"
    if facts.model == "policy":
        return f"{held_out}: {1 - facts.mean_error:.1%} of its moves are on a shortest path"
    return (
        f"{held_out}: mean error {facts.mean_error:.2f} moves; at most {facts.lowered_by} above "
        f"the distance on {facts.checked:,} states"
    )

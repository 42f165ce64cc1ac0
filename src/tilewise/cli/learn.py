"""`tilewise learn`: models of learned values trained, listed, shown and removed."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import click

from tilewise.cli import commands, exit_codes, interrupts, learn_fits
from tilewise.cli import shared_options as shared
from tilewise.cli.learn_fits import nothing_learned
from tilewise.cli.numbers import Whole
from tilewise.cli.progress import ProgressLine
from tilewise.core.limits import Limits, Meter
from tilewise.errors import CancelledError, LimitsError, SpecError, TableError, shortened
from tilewise.learning import model_file, models, regressions
from tilewise.learning.training import (
    SHARED,
    SLICES,
    Trained,
    TrainingPlan,
    TrainingProgress,
    beginning,
    train,
    train_shared,
)
from tilewise.puzzle.board import Goal
from tilewise.puzzle.shapes import read_shape
from tilewise.tables import cache
from tilewise.training.fitting import SECONDS

DEFAULT_SECONDS = 300.0
WIDEST_BEAM = 1_000_000
PAIRS = "pairs"
MODELS_OF_FITS = " and ".join(regressions.MODELS)

shape_ = partial(click.argument, "shape", metavar="SHAPE", help="5x5, 6x6, 4x6, ... up to 8x8.")


@commands.group
def learn() -> None:
    """Train a heuristic on boards that it solves itself.

    Searches use its values as the heuristic `learned`, which proves nothing. Models are kept in the
    cache folder; TILEWISE_CACHE names another one. 3x3, 3x4, 4x4 and 5x5 to 8x8 have models that
    come with the package.

    Examples:
        tilewise learn list
        tilewise learn train 6x6 --seconds 300
        tilewise solve "8b6 547 231" -a greedy -H learned
    """


@learn.command("train")
@shape_()
@click.option(
    "--model",
    default=PAIRS,
    metavar="MODEL",
    help=f"{PAIRS} (values of pairs of tiles), {', '.join(regressions.MODELS)}.",
)
@shared.seconds(
    help="Take S seconds for everything: reading a model, finding states, training, saving "
    f"({DEFAULT_SECONDS:.0f}; other models {SECONDS:.0f}).",
)
@click.option(
    "--states",
    metavar="N",
    type=Whole(10, 10**9),
    help="Train on at most N states with known distances (not pairs).",
)
@click.option(
    "--epochs",
    metavar="N",
    type=Whole(1, 10**6),
    help="Go N times through all states instead of training by the clock, unless --seconds are "
    "over before (not pairs).",
)
@click.option(
    "--rounds",
    metavar="N",
    help=f"Train for N rounds instead, or for the {SLICES} numbers that `learn show` gives.",
)
@shared.seed(default=1, help="The same seed and rounds give the same model.")
@click.option(
    "--begin",
    metavar="nothing|shared|SHAPE",
    help="Begin with nothing, the shared weights or another shape's, not with the model at hand.",
)
@click.option(
    "--ranks",
    is_flag=True,
    help="Go on by ranks: learn which boards a beam should keep to find the paths of a wider one.",
)
@click.option(
    "--squares",
    is_flag=True,
    help="Beside --ranks: learn values of squares of 2x2 cells, too.",
)
@click.option(
    "--beams",
    metavar="WIDE,NARROW",
    help="Beside --ranks: widths of the beam that finds paths and of the one to keep to them "
    "(3000,300).",
)
@click.option(
    "--threads", metavar="N", type=Whole(1, 1024), help="Threads; by default one per core."
)
def train_(
    shape: str,
    model: str,
    seconds: float | None,
    states: int | None,
    epochs: int | None,
    rounds: str | None,
    seed: int,
    begin: str | None,
    ranks: bool,
    squares: bool,
    beams: str | None,
    threads: int | None,
) -> int:
    """Train a model for a shape, or go on with the one at hand.

    The model is saved every now and then; Ctrl-C keeps what was learned so far. Boards are drawn
    by the program itself. A shape without a model begins with that of the nearest one, stretched.
    The shape `shared` trains weights that do not depend on the size of the board.

    The models linear, network and policy learn from known distances: from the table of all states
    up to 3x3 and 2x4, from boards that are solved for it on larger shapes, up to 36 cells. Networks
    need the extra `learn`. A tenth of the states is held out, to measure the error.

    Exit code: 0, 2 bad input, 20 the time was up before anything was learned: then no model is
    written, and the one at hand stays. 130 interrupted.

    Examples:

    tilewise learn train 3x3 --model network

    tilewise learn train 4x4 --model policy --seconds 300

    tilewise learn train 6x6 --seconds 300

    tilewise learn train 4x6 --rounds 200 --seed 7 --begin 5x5

    tilewise learn train 6x6 --ranks --squares --seconds 600
    """
    if model != PAIRS:
        if rounds is not None or begin is not None or ranks or squares or beams is not None:
            raise SpecError(
                "expected --rounds, --begin, --ranks, --squares and --beams for the model "
                f"{PAIRS}, got {model}"
            )
        return learn_fits.train(shape, model, seconds, states, epochs, seed)
    if states is not None or epochs is not None:
        raise SpecError(f"expected --states and --epochs for {MODELS_OF_FITS}, got the model pairs")
    if seconds is not None and rounds is not None:
        raise SpecError("expected --seconds or --rounds, not both")
    if ranks and (shape == SHARED or begin in ("nothing", SHARED)):
        raise SpecError("expected a model that knows distances to go on with by --ranks, got none")
    if (squares or beams is not None) and not ranks:
        option = "--squares" if squares else "--beams"
        raise SpecError(f"expected {option} beside --ranks, got it alone")
    rows, columns = (2, 2) if shape == SHARED else _shape(shape)
    limit = (seconds or DEFAULT_SECONDS) if rounds is None else None
    clock = Meter(Limits(seconds=limit), rows * columns)
    try:
        wanted = "nothing" if shape == SHARED else begin
        weights, begins_with = beginning(rows, columns, wanted, lambda: clock.over)
        plan = TrainingPlan(
            limit,
            None if rounds is None else _rounds(rounds),
            seed,
            threads or os.cpu_count() or 1,
            weights,
            begins_with,
            ranks,
            squares,
            _beams(beams),
        )
        _train_pairs(None if shape == SHARED else (rows, columns), plan, clock)
    except CancelledError:
        return nothing_learned(clock)
    return exit_codes.OK


def _train_pairs(shape: tuple[int, int] | None, plan: TrainingPlan, clock: Meter) -> None:
    """Train a model of values of pairs, or the shared weights, and keep it."""
    path = models.cached_shared() if shape is None else models.cached_path(*shape)
    line, lengths = ProgressLine(), _Lengths()

    def watch(progress: TrainingProgress) -> None:
        interrupts.keep()  # a round is learned
        lengths.add(progress)
        if line.due():
            line.write(lengths.text(progress))

    def save(trained: Trained) -> None:
        model_file.write(path, trained.header, trained.weights, model_file.QUICK)

    try:
        if shape is None:
            trained = train_shared(plan, watch=watch, clock=clock)
        else:
            trained = train(*shape, plan, watch=watch, save=save, clock=clock)
    finally:
        line.clear()
    header = trained.header
    model_file.write(path, header, trained.weights, hurry=lambda: clock.over)
    interrupts.keep_nothing()
    print(f"{path.name}: {header.shape}, {sum(header.rounds)} rounds in {header.seconds:.1f} s")
    if lengths.mean is not None:
        print(f"random boards: {lengths.mean:.1f} moves on average, {lengths.found_by}")


@learn.command("list")
@shared.as_json(help="As JSON.")
def list_(as_json: bool) -> None:
    """Show the models in the cache and those of the package.

    Examples:

    tilewise learn list
    """
    found = [_facts(source, path) for source, path in models.files()]
    if as_json:
        print(json.dumps(found, indent=2))
        return
    for one in found:
        about = one.get("fault") or one["about"]
        print(f"{one['bytes'] / 1000:>9,.1f} kB  {one['source']:<7}  {one['name']}  {about}")
    print(f"{len(found)} models; cache: {cache.folder()}")


@learn.command()
@shape_()
@click.option("--model", default=PAIRS, metavar="MODEL", help="Which model; pairs.")
@shared.as_json(help="As JSON.")
def show(shape: str, model: str, as_json: bool) -> None:
    """Show the model for a shape, and the command that makes it.

    Examples:

    tilewise learn show 6x6

    tilewise learn show 3x3 --model network
    """
    if model != PAIRS:
        _show_fit(shape, model, as_json)
        return
    rows, columns = _shape(shape)
    found = models.path_for(rows, columns)
    if found is None:
        facts: dict[str, Any] = {"source": "stretched", "shape": f"{rows}x{columns}"}
    else:
        source, path = found
        model_file.read(path)  # refuses a damaged one
        facts = _facts(source, path)
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    if found is None:
        print(f"{rows}x{columns}: no model of its own; that of another shape is stretched")
        print(f"to train one: tilewise learn train {rows}x{columns}")
        return
    print(f"{facts['name']}: {facts['shape']}, from the {facts['source']}")
    print(f"{sum(facts['rounds'])} rounds in {facts['seconds']:.1f} s, seed {facts['seed']}")
    print(f"began with: {facts['begins_with']}; checksum {facts['checksum']}")
    rounds = ",".join(map(str, facts["rounds"]))
    named = facts["begins_with"] in ("nothing", SHARED) or "x" in facts["begins_with"]
    begin = f" --begin {facts['begins_with']}" if named else ""
    begin += " --ranks" if facts["ranks"] else ""
    begin += " --squares" if facts["squares"] else ""
    begin += f" --beams {','.join(map(str, facts['beams']))}" if facts["beams"] else ""
    print(f"again: tilewise learn train {shape} --seed {facts['seed']} --rounds {rounds}{begin}")


def _show_fit(shape: str, model: str, as_json: bool) -> None:
    layers = regressions.layers_for(model, Goal.blank_first(*sorted(read_shape(shape))))
    facts = layers.facts
    if as_json:
        print(json.dumps(facts.to_dict(), indent=2))
        return
    print(f"{facts.shape}, {facts.model}: layers of {', '.join(map(str, facts.layers))}")
    print(f"trained on {facts.states:,} states in {facts.seconds:.1f} s, seed {facts.seed}")
    print(learn_fits.quality(facts))


@learn.command()
@click.argument("shape", metavar="[SHAPE]", required=False, help="Only the model of this shape.")
@click.option("--all", "everything", is_flag=True, help="Every model in the cache.")
def remove(shape: str | None, everything: bool) -> None:
    """Remove models from the cache; those that come with the package stay.

    Examples:

    tilewise learn remove 6x6

    tilewise learn remove --all
    """
    if (shape is None) is not everything:
        raise SpecError("expected a shape, or --all: one of the two")
    chosen = [path for source, path in models.files() if source == "cache"]
    if shape is not None:
        rows, columns = _shape(shape)
        fits = (regressions.cached_path(model, rows, columns) for model in regressions.MODELS)
        chosen = [path for path in (models.cached_path(rows, columns), *fits) if path in chosen]
        if not chosen:
            raise TableError(f"expected a model for {shape} in the cache, got none")
    for path in chosen:
        path.unlink(missing_ok=True)
    print(f"removed {len(chosen)} {'model' if len(chosen) == 1 else 'models'}")


class _Lengths:
    """The mean length over the last rounds of a shape, each of which has new random boards."""

    def __init__(self) -> None:
        self._last: list[float] = []
        self._shape: str | None = None
        self.found_by = ""

    def add(self, progress: TrainingProgress) -> None:
        self.found_by = f"by a beam of width {progress.width:,}"
        if progress.shape != self._shape:
            self._shape, self._last = progress.shape, []
        if progress.mean_length is not None:
            self._last = [*self._last[-9:], progress.mean_length]

    @property
    def mean(self) -> float | None:
        return sum(self._last) / len(self._last) if self._last else None

    def text(self, progress: TrainingProgress) -> str:
        length = (
            f"random boards {self.mean:.1f} moves" if self.mean else f"walks of {progress.walk}"
        )
        return f"{progress.seconds:.0f} s, round {progress.rounds}, {progress.shape}: {length}"


def _facts(source: str, path: Path) -> dict[str, Any]:
    facts: dict[str, Any] = {"name": path.name, "source": source, "bytes": path.stat().st_size}
    try:
        if regressions.is_trained_model(path):
            fitted = regressions.read(path).facts
            about = f"{fitted.model}, {fitted.states:,} states, seed {fitted.seed}"
            return {**facts, "shape": fitted.shape, "about": about, **fitted.to_dict()}
        header = model_file.read_header(path)
    except TableError as error:
        return {**facts, "fault": str(error)}
    known = {"about": f"{sum(header.rounds)} rounds, seed {header.seed}", **header.to_dict()}
    checksum = model_file.checksum(path)
    return {**facts, "shape": header.shape, "model": PAIRS, **known, "checksum": checksum}


def _shape(text: str) -> tuple[int, int]:
    """Rows and columns of a model: no more rows than columns."""
    rows, columns = sorted(read_shape(text))
    if rows * columns > models.MOST_CELLS:
        raise TableError(
            f"expected a shape of at most {models.MOST_CELLS} cells for a model, "
            f"got {rows}x{columns}"
        )
    return rows, columns


def _beams(text: str | None) -> tuple[int, ...]:
    """Two widths, the larger one first."""
    if text is None:
        return ()
    parts = [part.strip() for part in text.split(",")]
    if all(part.isascii() and part.isdigit() and len(part) <= 7 for part in parts):
        widths = tuple(map(int, parts))
        if len(widths) == 2 and 1 <= widths[1] <= widths[0] <= WIDEST_BEAM:
            return widths
    raise LimitsError(
        f"expected two widths up to {WIDEST_BEAM:,} for --beams, the larger one first, "
        f"got {shortened(text)}"
    )


def _rounds(text: str) -> list[int]:
    """Rounds for each slice: a number for all of them together, or one for each."""
    parts = [part.strip() for part in text.split(",")]
    good = all(part.isascii() and part.isdigit() and len(part) <= 9 for part in parts)
    if good and len(parts) == SLICES:
        return [int(part) for part in parts]
    if not good or len(parts) != 1 or not int(text):
        raise LimitsError(
            f"expected a whole number of at least 1 or {SLICES} numbers for --rounds, "
            f"got {shortened(text)}"
        )
    total = int(text)
    return [total * (i + 1) // SLICES - total * i // SLICES for i in range(SLICES)]

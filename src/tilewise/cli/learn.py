"""`tilewise learn`: models of learned values trained, listed, shown and removed."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import click

from tilewise.cli import commands
from tilewise.cli import shared_options as shared
from tilewise.cli.numbers import Seconds, Whole
from tilewise.cli.progress import ProgressLine
from tilewise.errors import LimitsError, SpecError, TableError, shortened
from tilewise.learning import model_file, models
from tilewise.learning.training import (
    SHARED,
    SLICES,
    Plan,
    Progress,
    Trained,
    beginning,
    train,
    train_shared,
)
from tilewise.puzzle.shapes import read_shape
from tilewise.tables import cache

DEFAULT_SECONDS = 300.0

shape_ = partial(click.argument, "shape", metavar="SHAPE", help="5x5, 6x6, 4x6, ... up to 8x8.")


@commands.group
def learn() -> None:
    """Learned values: a heuristic that is trained on boards which it solves itself.

    Searches use them as the heuristic `learned`. Models are kept in the cache folder;
    TILEWISE_CACHE names another one. 5x5 to 8x8 have models that come with the package.
    """


@learn.command("train")
@shape_()
@click.option(
    "--seconds", metavar="S", type=Seconds(), help=f"Train for S seconds ({DEFAULT_SECONDS:.0f})."
)
@click.option(
    "--rounds",
    metavar="N",
    help=f"Train for N rounds instead, or for the {SLICES} numbers that `learn show` gives.",
)
@shared.seed(default=1, help="The same seed and rounds give the same model.")
@click.option("--fresh", is_flag=True, help="Begin with nothing, not with the model at hand.")
@click.option(
    "--threads", metavar="N", type=Whole(1, 1024), help="Threads; by default one for each core."
)
def train_(
    shape: str,
    seconds: float | None,
    rounds: str | None,
    seed: int,
    fresh: bool,
    threads: int | None,
) -> None:
    """Train a model for a shape, or go on with the one at hand.

    The model is saved every now and then; Ctrl-C keeps what was learned so far. Boards are drawn
    by the program itself. The shape `shared` trains the weights for shapes without a model.

    Examples:

    tilewise learn train 6x6 --seconds 300

    tilewise learn train 4x6 --rounds 200 --seed 7 --fresh
    """
    if seconds is not None and rounds is not None:
        raise SpecError("expected --seconds or --rounds, not both")
    if shape == SHARED:
        fresh = True
    rows, columns = (2, 2) if shape == SHARED else _shape(shape)
    path = models.cached_shared() if shape == SHARED else models.cached_path(rows, columns)
    begin, begins_with = (None, "nothing") if fresh else beginning(rows, columns)
    plan = Plan(
        (seconds or DEFAULT_SECONDS) if rounds is None else None,
        None if rounds is None else _rounds(rounds),
        seed,
        threads or os.cpu_count() or 1,
        begin,
        begins_with,
    )
    line, lengths = ProgressLine(), _Lengths()

    def watch(progress: Progress) -> None:
        lengths.add(progress)
        if line.due():
            line.write(lengths.text(progress))

    def save(trained: Trained) -> None:
        model_file.write(path, trained.header, trained.weights)

    try:
        if shape == SHARED:
            trained = train_shared(plan, watch=watch)
        else:
            trained = train(rows, columns, plan, watch=watch, save=save)
    finally:
        line.clear()
    save(trained)
    header = trained.header
    print(f"{path.name}: {header.shape}, {sum(header.rounds)} rounds in {header.seconds:.1f} s")
    if lengths.mean is not None:
        print(f"random boards: {lengths.mean:.1f} moves on average by a beam of width 250")


@learn.command("list")
@shared.as_json(help="As JSON.")
def list_(as_json: bool) -> None:
    """Show the models: those in the cache, and those that come with the package.

    Examples:

    tilewise learn list
    """
    found = [_facts(source, path) for source, path in models.files()]
    if as_json:
        print(json.dumps(found, indent=2))
        return
    for one in found:
        about = one.get("fault") or f"{sum(one['rounds'])} rounds, seed {one['seed']}"
        print(f"{one['bytes'] / 1000:>9,.1f} kB  {one['source']:<7}  {one['name']}  {about}")
    print(f"{len(found)} models; cache: {cache.folder()}")


@learn.command()
@shape_()
@shared.as_json(help="As JSON.")
def show(shape: str, as_json: bool) -> None:
    """Show the model that is used for a shape, and the command that makes it again.

    Examples:

    tilewise learn show 6x6
    """
    rows, columns = _shape(shape)
    found = models.path_for(rows, columns)
    if found is None:
        facts: dict[str, Any] = {"source": "shared", "shape": f"{rows}x{columns}"}
    else:
        source, path = found
        model_file.read(path)  # refuses a damaged one
        facts = _facts(source, path)
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    if found is None:
        print(f"{rows}x{columns}: no model of its own; the weights that all shapes share")
        print(f"to train one: tilewise learn train {rows}x{columns}")
        return
    print(f"{facts['name']}: {facts['shape']}, from the {facts['source']}")
    print(f"{sum(facts['rounds'])} rounds in {facts['seconds']:.1f} s, seed {facts['seed']}")
    print(f"began with: {facts['begins_with']}; checksum {facts['checksum']}")
    rounds = ",".join(map(str, facts["rounds"]))
    again = " --fresh" if facts["begins_with"] == "nothing" else ""
    print(f"again: tilewise learn train {shape} --seed {facts['seed']} --rounds {rounds}{again}")


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
        path = models.cached_path(*_shape(shape))
        if path not in chosen:
            raise TableError(f"expected a model for {shape} in the cache, got none")
        chosen = [path]
    for path in chosen:
        path.unlink(missing_ok=True)
    print(f"removed {len(chosen)} {'model' if len(chosen) == 1 else 'models'}")


class _Lengths:
    """The mean length over the last rounds, each of which has new random boards."""

    def __init__(self) -> None:
        self._last: list[float] = []

    def add(self, progress: Progress) -> None:
        if progress.mean_length is not None:
            self._last = [*self._last[-9:], progress.mean_length]

    @property
    def mean(self) -> float | None:
        return sum(self._last) / len(self._last) if self._last else None

    def text(self, progress: Progress) -> str:
        length = (
            f"random boards {self.mean:.1f} moves" if self.mean else f"walks of {progress.walk}"
        )
        return f"{progress.seconds:.0f} s, round {progress.rounds}, {length}"


def _facts(source: str, path: Path) -> dict[str, Any]:
    facts: dict[str, Any] = {"name": path.name, "source": source, "bytes": path.stat().st_size}
    try:
        header = model_file.read_header(path)
    except TableError as error:
        return {**facts, "fault": str(error)}
    checksum = model_file.checksum(path)
    return {**facts, "shape": header.shape, **header.to_dict(), "checksum": checksum}


def _shape(text: str) -> tuple[int, int]:
    """Rows and columns of a model: no more rows than columns."""
    rows, columns = sorted(read_shape(text))
    if rows * columns > models.MOST_CELLS:
        raise TableError(
            f"expected a shape of at most {models.MOST_CELLS} cells for a model, "
            f"got {rows}x{columns}"
        )
    return rows, columns


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

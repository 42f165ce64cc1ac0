"""Models that are trained on known distances: linear ones, networks and policies.

A model is read from a file that anybody may have written, so everything in it is checked. It is a
line of JSON, then the weights as 32-bit numbers, compressed. Nothing in it is run.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Hashable
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewise.errors import SpecError, TableError, shortened
from tilewise.files import replacing, version_of
from tilewise.puzzle.board import Goal
from tilewise.tables import cache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KIND, VERSION = "tilewise trained model", 1
MODELS = ("linear", "network", "policy")
"""What can be trained on known distances; the values of pairs of tiles learn from their own."""
FEATURES = ("manhattan", "linear_conflict", "misplaced", "gaschnig", "walking_distance")
"""The heuristics that a linear model weighs, and a constant."""
MOVES = "UDLR"
"""What the outputs of a policy stand for: the way that the blank goes, as the model has it."""
MOST_LAYERS, WIDEST_LAYER, MOST_CELLS = 4, 1024, 36
LONGEST_HEADER, LARGEST_FILE = 8192, 20_000_000
SHIPPED = Path(__file__).parent / "models"
SUFFIX = ".model"


@dataclass(frozen=True)
class ModelFacts:
    """What a model is, how it was made and how good it is on states that it has not seen."""

    model: str
    rows: int
    columns: int
    layers: tuple[int, ...]
    """The sizes of the layers, inputs and outputs included."""
    seed: int
    seconds: float
    states: int
    """The states that it was trained on."""
    held_out: int
    """The states that its error was measured on; none of them was trained on."""
    mean_error: float
    """Of a policy: the share of states in which its move is not on a shortest path."""
    lowered_by: int
    """The most that it exceeds a known distance by."""
    checked: int
    """The states with known distances that this was found on."""

    @property
    def shape(self) -> str:
        return f"{self.rows}x{self.columns}"

    @property
    def weights(self) -> int:
        """How many numbers the layers have."""
        return sum(
            (before + 1) * after
            for before, after in zip(self.layers, self.layers[1:], strict=False)
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields, for people and JSON."""
        return {**asdict(self), "layers": list(self.layers)}


@dataclass(frozen=True, eq=False)
class Layers:
    """The weights of a model, as they were trained: searches round them to whole numbers."""

    facts: ModelFacts
    matrices: tuple[NDArray[np.float32], ...]
    biases: tuple[NDArray[np.float32], ...]


def packed(layers: Layers) -> bytes:
    """The bytes of a model's file."""
    import numpy as np

    pairs = zip(layers.matrices, layers.biases, strict=True)
    numbers = np.concatenate([part.ravel() for pair in pairs for part in pair])
    data = zlib.compress(numbers.astype("<f4").tobytes(), 9)
    facts = {"kind": KIND, "version": VERSION, **layers.facts.to_dict()}
    facts |= {"size": len(data), "checksum": zlib.crc32(data)}
    return json.dumps(facts).encode() + b"\n" + data


def write(path: Path, layers: Layers) -> None:
    """Write a model; the name refers to the old file or to the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path, sync=True) as unfinished:
        unfinished.write_bytes(packed(layers))


def read(path: Path) -> Layers:
    """A model; refuses what is not one, was cut off, was changed, or makes no sense."""
    import numpy as np

    if path.stat().st_size > LARGEST_FILE:
        raise TableError(f"{_named(path)} is larger than {LARGEST_FILE:,} bytes")
    content = path.read_bytes()
    line, _, _ = content[: LONGEST_HEADER + 1].partition(b"\n")
    facts = _header(line, path)
    data = content[len(line) + 1 :]
    if facts.pop("size", None) != len(data):
        raise TableError(f"{_named(path)} was cut off or added to")
    if facts.pop("checksum", None) != zlib.crc32(data):
        raise TableError(f"{_named(path)} is damaged: its weights are not what was written")
    known = _facts(facts, path)
    try:
        plain = zlib.decompressobj().decompress(data, 4 * known.weights + 1)
    except zlib.error:
        plain = b""
    if len(plain) != 4 * known.weights:
        raise TableError(f"{_named(path)} has other weights than its layers need")
    numbers = np.frombuffer(plain, "<f4").astype(np.float32)
    if not np.isfinite(numbers).all() or np.abs(numbers).max() > 1e6:
        raise TableError(f"{_named(path)} has weights that are no sensible numbers")
    return _layers(known, numbers)


def _layers(facts: ModelFacts, numbers: NDArray[np.float32]) -> Layers:
    matrices, biases, at = [], [], 0
    for before, after in pairwise(facts.layers):
        matrices.append(numbers[at : at + before * after].reshape(before, after))
        biases.append(numbers[at + before * after : at + (before + 1) * after])
        at += (before + 1) * after
    return Layers(facts, tuple(matrices), tuple(biases))


def _header(line: bytes, path: Path) -> dict[str, Any]:
    try:
        facts = json.loads(line)
    except (ValueError, RecursionError):
        facts = None
    if not isinstance(facts, dict) or facts.pop("kind", None) != KIND:
        raise TableError(f"{_named(path)} is not a trained model")
    if facts.pop("version", None) != VERSION:
        raise TableError(f"{_named(path)} is a model of another version")
    return facts


def _facts(facts: dict[str, Any], path: Path) -> ModelFacts:
    try:
        known = ModelFacts(**{**facts, "layers": tuple(facts["layers"])})
        whole = (*known.layers, known.rows, known.columns, known.seed, known.states)
        whole += (known.held_out, known.lowered_by, known.checked)
        sound = all(type(number) is int and 0 <= number < 2**63 for number in whole)
        sound = sound and all(
            type(number) in (int, float) and math.isfinite(number)
            for number in (known.seconds, known.mean_error)
        )
        cells = known.rows * known.columns
        sound = sound and 2 <= known.rows <= known.columns and cells <= MOST_CELLS
        least_layers = 2 if known.model == "linear" else 3
        sound = sound and least_layers <= len(known.layers) <= MOST_LAYERS
        sound = sound and all(1 <= size <= WIDEST_LAYER for size in known.layers[1:])
        ends = {"linear": (len(FEATURES), 1), "network": (cells**2, 1), "policy": (cells**2, 4)}
        if not sound or ends.get(known.model) != (known.layers[0], known.layers[-1]):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise TableError(f"{_named(path)} has a header that makes no sense") from None
    return known


def cached_path(model: str, rows: int, columns: int) -> Path:
    """The file of a model in the cache."""
    return cache.folder() / f"learned-{rows}x{columns}-{model}{SUFFIX}"


def path_for(model: str, rows: int, columns: int) -> tuple[str, Path] | None:
    """The source and the file of a model for a shape, if there is one."""
    shipped = SHIPPED / f"{rows}x{columns}-{model}{SUFFIX}"
    named = (("cache", cached_path(model, rows, columns)), ("package", shipped))
    return next(((source, path) for source, path in named if path.exists()), None)


def layers_for(model: str, goal: Goal) -> Layers:
    """The model for the boards of a goal; none is an error that names the command."""
    if model not in MODELS:
        known = ", ".join(("pairs", *MODELS))
        raise SpecError(f"expected a model {known}; got {shortened(model)}")
    rows, columns = sorted((goal.board.rows, goal.board.columns))
    found = path_for(model, rows, columns)
    if found is None:
        raise TableError(
            f"expected a trained model {model} for {rows}x{columns}, got none: "
            f"`tilewise learn train {rows}x{columns} --model {model}` makes one"
        )
    return _kept(found[1], model, rows, columns, version_of(found[1]))


def version_for(model: str, goal: Goal) -> Hashable:
    """The file that a model would be read from now, and when it was written."""
    found = path_for(model, *sorted((goal.board.rows, goal.board.columns)))
    return found and (found[1], version_of(found[1]))


@lru_cache(maxsize=16)
def _kept(path: Path, model: str, rows: int, columns: int, version: Hashable) -> Layers:
    layers = read(path)
    facts = layers.facts
    if (facts.model, facts.rows, facts.columns) != (model, rows, columns):
        raise TableError(f"{_named(path)} is a model {facts.model} for {facts.shape}")
    return layers


def is_trained_model(path: Path) -> bool:
    """Whether a file begins as a trained model does."""
    with path.open("rb") as file:
        return file.read(64).startswith(f'{{"kind": "{KIND}"'.encode())


def _named(path: Path) -> str:
    return f"model file {shortened(path.name)}"

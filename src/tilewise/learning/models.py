"""Which model serves a shape: the one in the cache, the one that comes with the package, or one of
another shape, stretched."""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tilewise.core.build_context import never
from tilewise.core.memo import Memo
from tilewise.core.waiting import Cancelled
from tilewise.errors import EngineError, TableError, TableWarning
from tilewise.files import version_of
from tilewise.learning import model_file
from tilewise.learning.frames import frame_of
from tilewise.learning.model_file import ModelHeader, Weights
from tilewise.learning.stretching import Shape, stretched
from tilewise.native import NATIVE, LearnedValues, learned_sizes, stretched_values
from tilewise.puzzle.board import Goal
from tilewise.tables import cache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHIPPED = Path(__file__).parent / "models"
SUFFIX = ".model"
SHAPES = tuple(Shape(*shape) for shape in ((3, 3), (3, 4), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8)))
"""Those whose models come with the package."""
LARGEST_SIDE = 7
"""Of the model that serves boards which are too large for tables. That of 8x8 learned ranks, which
do not carry over to other sizes as distances do: on 10x10 narrow beams are longer by it.
"""
LEAST_LINES = 5
"""Of a shape that serves larger ones: a pair is in four lines, and the first one always stays."""
MOST_CELLS = 64
"""Larger boards have no models of their own."""


@dataclass(frozen=True)
class Model:
    """Learned values for the boards of one shape."""

    header: ModelHeader | None
    """None for a model of another shape, stretched."""
    source: str
    """`cache`, `package` or `stretched`."""
    values: LearnedValues

    @property
    def trained(self) -> bool:
        """Whether it was trained for its own shape."""
        return self.header is not None


def model_for(goal: Goal, cancelled: Cancelled = never) -> Model:
    """The best model at hand for the boards of a goal; it takes up to a second to make."""
    if not NATIVE:
        raise EngineError(
            "learned values need the native engine, which this installation does not have: it was "
            "built without a C++ compiler"
        )
    key = version_for(goal)
    return _models.get(key, lambda: _model(*key.shape, cancelled), cancelled)


class ModelVersion(NamedTuple):
    """A shape, the files of the cache that its model may be read from, and when they were written.

    None: there is no such file.
    """

    shape: Shape
    files: tuple[tuple[Path, Hashable], ...]


def version_for(goal: Goal) -> ModelVersion:
    """What the model for the boards of a goal would be read from now."""
    frame = frame_of(goal)
    shape = Shape(frame.rows, frame.columns)
    used = [cached_path(*shape)]
    if not shipped_path(*shape).exists():
        used.append(cached_path(*stretched_shape(*shape)))
    return ModelVersion(shape, tuple((path, version_of(path)) for path in used))


_models: Memo[ModelVersion, Model] = Memo(8, lambda model: model.values.bytes)


def _model(rows: int, columns: int, cancelled: Cancelled) -> Model:
    path = cached_path(rows, columns)
    if os.path.lexists(path):
        try:
            header, weights = model_file.read(path, cancelled)
            _check_shape(header, rows, columns, path)
            return Model(header, "cache", native_values(rows, columns, weights))
        except TableError as error:
            warnings.warn(f"{error}; it is not used", TableWarning, stacklevel=4)
    shipped = shipped_path(rows, columns)
    if shipped.exists():
        header, weights = model_file.read(
            shipped.resolve(), cancelled
        )  # some installers make links
        return Model(header, "package", native_values(rows, columns, weights))
    if rows * columns > MOST_CELLS:  # tables of their slides would take too much memory
        return Model(None, "stretched", _large(rows, columns, cancelled))
    weights = stretched_weights(rows, columns, cancelled)
    return Model(None, "stretched", native_values(rows, columns, weights))


def _large(rows: int, columns: int, cancelled: Cancelled) -> LearnedValues:
    shape = stretched_shape(rows, columns)
    small = weights_at_hand(shape, cancelled)
    weights = (small.singles, small.own, small.shared)
    return stretched_values(rows, columns, shape.rows, weights, cancelled)


def stretched_weights(rows: int, columns: int, cancelled: Cancelled = never) -> Weights:
    """The weights of a shape without a model of its own, by those of another one."""
    shape = stretched_shape(rows, columns)
    return stretched(weights_at_hand(shape, cancelled), shape, Shape(rows, columns), cancelled)


def stretched_shape(rows: int, columns: int) -> Shape:
    """The shape whose model serves one without: the one with the fewest other lines.

    Boards that are too large for tables take the largest square one.
    """
    if rows * columns > MOST_CELLS:
        side = min(LARGEST_SIDE, rows)
        return Shape(side, side)
    able = [shape for shape in SHAPES if _stretches(shape, Shape(rows, columns))]
    return min(able, key=lambda shape: abs(rows - shape.rows) + abs(columns - shape.columns))


def _stretches(shape: Shape, wanted: Shape) -> bool:
    """Whether every pair of tiles of a shape has lines that can be taken out, down to another."""
    return all(
        lines >= LEAST_LINES or lines >= more for lines, more in zip(shape, wanted, strict=True)
    )


def weights_at_hand(shape: Shape, cancelled: Cancelled = never) -> Weights:
    """The weights of a shape with a model of its own."""
    cached, shipped = cached_path(*shape), shipped_path(*shape)
    if os.path.lexists(cached):
        try:
            header, weights = model_file.read(cached, cancelled)
            _check_shape(header, *shape, cached)
            return weights
        except TableError as error:
            if not shipped.exists():
                raise
            warnings.warn(f"{error}; it is not used", TableWarning, stacklevel=5)
    if not shipped.exists():
        raise TableError(f"expected a shape with a model, got {shape.rows}x{shape.columns}")
    return model_file.read(shipped.resolve(), cancelled)[1]


def forget() -> None:
    """Forget the models that this process has read."""
    _models.clear()


def _check_shape(header: ModelHeader, rows: int, columns: int, path: Path) -> None:
    if (header.rows, header.columns) != (rows, columns):
        raise TableError(f"model file {path.name} is a model for {header.shape}")


def native_values(rows: int, columns: int, weights: Weights) -> LearnedValues:
    """The model as the native engine has it."""
    return LearnedValues(
        rows, columns, weights.singles, weights.own, weights.shared, weights.squares
    )


def shared_weights(rows: int, columns: int) -> Weights:
    """Weights for a shape of which only the shared ones are not 0."""
    import numpy as np

    singles, own, *_ = (np.zeros(count, np.int16) for count in learned_sizes(rows, columns))
    return Weights(singles, own, shared_part(), np.zeros(0, np.int16))


def shared_part() -> NDArray[np.int16]:
    """The shared weights: those in the cache, or those that come with the package."""
    import numpy as np

    for path in (cached_shared(), (SHIPPED / f"shared{SUFFIX}").resolve()):
        if os.path.lexists(path):
            try:
                return model_file.read(path)[1].shared
            except TableError as error:
                warnings.warn(f"{error}; it is not used", TableWarning, stacklevel=5)
    return np.zeros(learned_sizes(2, 2)[2], np.int16)


def cached_path(rows: int, columns: int) -> Path:
    """The file of a model in the cache."""
    return cache.folder() / f"learned-{rows}x{columns}{SUFFIX}"


def cached_shared() -> Path:
    """The file of the shared weights in the cache."""
    return cache.folder() / f"learned-shared{SUFFIX}"


def shipped_path(rows: int, columns: int) -> Path:
    """The file of a model that comes with the package."""
    return SHIPPED / f"{rows}x{columns}{SUFFIX}"


def path_for(rows: int, columns: int) -> tuple[str, Path] | None:
    """The source and the file of the model for a shape, if it has one."""
    named = (("cache", cached_path(rows, columns)), ("package", shipped_path(rows, columns)))
    return next(((source, path) for source, path in named if os.path.lexists(path)), None)


def files() -> list[tuple[str, Path]]:
    """All models, as their source and file."""
    kept = sorted(cache.folder().glob(f"learned-*{SUFFIX}"))
    shipped = sorted(SHIPPED.glob(f"*{SUFFIX}"))
    return [*(("cache", path) for path in kept), *(("package", path) for path in shipped)]

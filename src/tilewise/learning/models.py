"""Which model serves a shape: the one in the cache, the one that comes with the package, or one
that is made of the shared weights alone, which do not depend on the size of the board."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tilewise.errors import EngineError, TableError, TableWarning
from tilewise.learning import model_file
from tilewise.learning.frames import frame_of
from tilewise.learning.model_file import Header, Weights
from tilewise.native import NATIVE, LearnedValues, learned_sizes
from tilewise.puzzle.board import Goal
from tilewise.tables import cache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHIPPED = Path(__file__).parent / "models"
SUFFIX = ".model"
MOST_CELLS = 64
"""Larger boards have no models of their own."""


@dataclass(frozen=True)
class Model:
    """Learned values for the boards of one shape."""

    header: Header | None
    """None for a model of shared weights alone."""
    source: str
    """`cache`, `package` or `shared`."""
    values: LearnedValues

    @property
    def trained(self) -> bool:
        """Whether it was trained for its own shape."""
        return self.header is not None


def model_for(goal: Goal) -> Model:
    """The best model at hand for the boards of a goal."""
    if not NATIVE:
        raise EngineError(
            "learned values need the native engine, which this installation does not have: it was "
            "built without a C++ compiler"
        )
    frame = frame_of(goal)
    path = cached_path(frame.rows, frame.columns)
    try:
        found = path.stat()
        version = (found.st_ino, found.st_size, found.st_mtime_ns)
    except OSError:
        version = None
    return _model(frame.rows, frame.columns, path, version)


@lru_cache(maxsize=8)
def _model(rows: int, columns: int, path: Path, version: tuple[int, ...] | None) -> Model:
    if version is not None:
        try:
            header, weights = model_file.read(path)
            _check_shape(header, rows, columns, path)
            return Model(header, "cache", native_values(rows, columns, weights))
        except (OSError, TableError) as error:
            warnings.warn(f"{error}; it is not used", TableWarning, stacklevel=4)
    shipped = shipped_path(rows, columns)
    if shipped.exists():
        header, weights = model_file.read(shipped)
        return Model(header, "package", native_values(rows, columns, weights))
    if rows * columns > MOST_CELLS:  # tables of their slides would take too much memory
        return Model(None, "shared", LearnedValues.of_shared(rows, columns, shared_part()))
    return Model(None, "shared", native_values(rows, columns, shared_weights(rows, columns)))


def _check_shape(header: Header, rows: int, columns: int, path: Path) -> None:
    if (header.rows, header.columns) != (rows, columns):
        raise TableError(f"model file {path.name} is a model for {header.shape}")


def native_values(rows: int, columns: int, weights: Weights) -> LearnedValues:
    """The model as the native engine has it."""
    return LearnedValues(rows, columns, weights.singles, weights.own, weights.shared)


def shared_weights(rows: int, columns: int) -> Weights:
    """The weights of a shape without a model of its own: only the shared ones."""
    import numpy as np

    singles, own, _ = (np.zeros(count, np.int16) for count in learned_sizes(rows, columns))
    return Weights(singles, own, shared_part())


def shared_part() -> NDArray[np.int16]:
    """The shared weights: those in the cache, or those that come with the package."""
    import numpy as np

    for path in (cached_shared(), SHIPPED / f"shared{SUFFIX}"):
        if path.exists():
            return model_file.read(path)[1].shared
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
    return next(((source, path) for source, path in named if path.exists()), None)


def files() -> list[tuple[str, Path]]:
    """All models, as their source and file."""
    kept = sorted(cache.folder().glob(f"learned-*{SUFFIX}"))
    shipped = sorted(SHIPPED.glob(f"*{SUFFIX}"))
    return [*(("cache", path) for path in kept), *(("package", path) for path in shipped)]

"""Which model serves a shape: the one in the cache, the one that comes with the package, or one
that is made of the shared weights alone, which do not depend on the size of the board."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tilewise.errors import EngineError, TableError, TableWarning
from tilewise.learning import model_file
from tilewise.learning.frames import frame_of
from tilewise.learning.model_file import Header, Weights
from tilewise.native import NATIVE, LearnedValues, learned_sizes
from tilewise.puzzle.board import Goal
from tilewise.tables import cache

SHIPPED = Path(__file__).parent / "models"
SUFFIX = ".model"
MOST_CELLS = 64


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
    if frame.rows * frame.columns > MOST_CELLS:
        raise TableError(
            f"expected a board of at most {MOST_CELLS} cells for learned values, "
            f"got {goal.board.shape}"
        )
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

    singles, own, shared = (np.zeros(count, np.int16) for count in learned_sizes(rows, columns))
    path = SHIPPED / f"shared{SUFFIX}"
    if path.exists():
        shared = model_file.read(path)[1].shared
    return Weights(singles, own, shared)


def cached_path(rows: int, columns: int) -> Path:
    """The file of a model in the cache."""
    return cache.folder() / f"learned-{rows}x{columns}{SUFFIX}"


def shipped_path(rows: int, columns: int) -> Path:
    """The file of a model that comes with the package."""
    return SHIPPED / f"{rows}x{columns}{SUFFIX}"


def files() -> list[tuple[str, Path]]:
    """All models, as their source and file."""
    kept = sorted(cache.folder().glob(f"learned-*{SUFFIX}"))
    shipped = sorted(SHIPPED.glob(f"*{SUFFIX}"))
    return [*(("cache", path) for path in kept), *(("package", path) for path in shipped)]

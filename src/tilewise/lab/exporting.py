"""Rows as CSV or Parquet, with polars."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewise.errors import MissingExtraError, SpecError, shortened
from tilewise.files import replacing
from tilewise.lab.row import COLUMNS, Row

if TYPE_CHECKING:
    import polars

ENDINGS = (".csv", ".parquet")


def export(rows: Sequence[Row], path: str | Path) -> None:
    """Write rows to a file. It is there whole or not at all.

    Args:
        rows: What `Store.rows` gives.
        path: A file that ends in .csv or .parquet.

    Raises:
        SpecError: Another ending.
        MissingExtraError: polars is missing.

    Example:
        >>> export([], "rows.xls")
        Traceback (most recent call last):
            ...
        tilewise.errors.SpecError: expected a file .csv or .parquet, got 'rows.xls'
    """
    path = Path(path)
    if path.suffix not in ENDINGS:
        raise SpecError(f"expected a file .csv or .parquet, got {shortened(str(path))}")
    table = frame(rows)
    try:
        # opened here: polars takes no name that is no UTF-8
        with replacing(path) as unfinished, unfinished.open("wb") as file:
            if path.suffix == ".csv":
                table.write_csv(file)
            else:
                table.write_parquet(file)
    except OSError as error:
        raise SpecError(
            f"expected a file that can be written: {error.strerror or error}: "
            f"{shortened(str(path))}"
        ) from None


def frame(rows: Sequence[Row]) -> polars.DataFrame:
    """Rows as a data frame with the right type for each column; measurements as JSON text."""
    library = _polars()
    types = {
        str: library.String,
        int: library.Int64,
        float: library.Float64,
        bool: library.Boolean,
        dict: library.String,
    }
    names = list(rows[0]) if rows else list(COLUMNS)
    schema = {
        name: types[COLUMNS[name].kind] if name in COLUMNS else _label_type(library, name, rows)
        for name in names
    }
    values = {
        name: [_plain(row[name], schema[name] is library.String) for row in rows] for name in names
    }
    made: polars.DataFrame = library.DataFrame(values, schema=schema)
    return made


def _plain(value: Any, as_text: bool) -> Any:
    if isinstance(value, dict):
        return json.dumps(value)
    return value if value is None or not as_text else str(value)


def _label_type(library: Any, name: str, rows: Sequence[Row]) -> Any:
    """The narrowest type that holds all values of a label."""
    kinds = {type(row[name]) for row in rows} - {type(None)}
    if kinds and kinds <= {int}:
        return library.Int64
    return library.Float64 if kinds and kinds <= {int, float} else library.String


def _polars() -> Any:
    try:
        import polars
    except ImportError:
        raise MissingExtraError("polars", "for an export", "lab") from None
    return polars

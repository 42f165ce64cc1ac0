"""Boards with paths from files: the rows of a CSV file, or boards alone in any other file."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from tilewise.cli import board_input
from tilewise.errors import visible
from tilewise.puzzle.board_files import csv_error, csv_row

PATH_COLUMNS = ("path", "moves", "solution")
_DELIMITERS = ",;\t"
_LONGEST_HEADER = 10_000


class BoardWithPath(NamedTuple):
    """A text that should be a board, the path given for it if any, and where they stand."""

    place: str
    board: str
    path: str | None
    problem: str | None = None


def boards_with_paths(path: str, lines: Iterable[str]) -> Iterator[BoardWithPath]:
    """The rows of a CSV file with a column for the board and perhaps one for the path.

    Fields are separated by commas, semicolons or tabs, as in the first line. A file without
    such a first line holds boards only, as `tilewise solve --file` reads them.
    """
    rest = iter(lines)
    for above, first in enumerate(rest):
        delimiter = max(_DELIMITERS, key=first.count)
        columns = _fields(first, delimiter)
        if set(columns) & set(board_input.CSV_COLUMNS):
            yield from _rows(path, columns, rest, above + 1, delimiter)
            return
        if first.strip() and not first.startswith("#"):
            whole_file = chain([""] * above, [first], rest)
            yield from (
                BoardWithPath(*entry, None) for entry in board_input.entries(path, whole_file)
            )
            return


def _fields(line: str, delimiter: str) -> list[str]:
    row = csv_row(line[:_LONGEST_HEADER], "the first line", delimiter)
    return [field.strip().lower() for field in row]


def _rows(
    path: str, columns: list[str], lines: Iterator[str], above: int, delimiter: str
) -> Iterator[BoardWithPath]:
    board = _column(columns, board_input.CSV_COLUMNS)
    moves = _column(columns, PATH_COLUMNS)
    rows = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    while True:
        place = f"{visible(path)}:{above + rows.line_num + 1}"
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            raise csv_error(error, place) from None
        if not row or row[0].startswith("#"):
            continue
        if len(row) != len(columns) or board is None:
            hint = "; a board with commas needs quotes" if len(row) > len(columns) else ""
            problem = f"expected {len(columns)} fields, got {len(row)}{hint}"
            yield BoardWithPath(place, "", None, problem)
        else:
            yield BoardWithPath(place, row[board], None if moves is None else row[moves])


def _column(columns: list[str], names: Iterable[str]) -> int | None:
    return next((columns.index(name) for name in names if name in columns), None)

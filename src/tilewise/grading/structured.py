"""Answers in CSV and JSON files, in which fields have names."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tilewise.courses.answers import MOST_ANSWERS, Answer
from tilewise.errors import SpecError
from tilewise.grading.answer_fields import answer_from, field_of, gathered
from tilewise.grading.submissions import Document

LARGEST_JSON = 4 * 2**20
"""Characters; a few bytes of JSON can become hundreds in memory."""
LONGEST_FIELD = 4 * 2**20
MOST_NOTES = 10
_DELIMITERS = ",;\t"
_LONGEST_HEADER = 10_000

ReadMethod = Callable[[str], str | None]


def looks_like_json(text: str) -> bool:
    """Whether a text starts as JSON objects and lists do."""
    return text.lstrip()[:1] in ("{", "[")


def read_json(document: Document, read_method: ReadMethod) -> tuple[list[Answer], list[str]]:
    """The answers of a JSON file: an object, a list of them, one a line, or one for each question.

    Numbers stay texts, so none is too large. The notes say what was not read.
    """
    if len(document.text) > LARGEST_JSON:
        raise SpecError(
            f"expected JSON of at most {LARGEST_JSON:,} characters, got {len(document.text):,}"
        )
    found: list[Answer] = []
    for value in _values(document.text):
        for name, each in _objects(value):
            if len(found) == MOST_ANSWERS:
                return found, [_too_many(document)]
            fields = gathered(_flat(each))
            if name is not None:
                fields.setdefault("question", name)
            found.append(answer_from(document.name, None, fields, read_method))
    return found, []


def _too_many(document: Document) -> str:
    return f"{document.name}: more than {MOST_ANSWERS:,} answers: the rest was not read"


def _values(text: str) -> list[object]:
    """The JSON value of a file, or those of its lines."""
    try:
        return [_loaded(text)]
    except SpecError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not all(looks_like_json(line) for line in lines):
            raise
        try:
            return [_loaded(line) for line in lines[: MOST_ANSWERS + 1]]
        except SpecError:
            raise error from None


def _loaded(text: str) -> object:
    try:
        value: object = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        reason = "it is too deep" if isinstance(error, RecursionError) else str(error)[:80]
        raise SpecError(f"expected JSON: {reason}") from None
    return value


def _objects(value: object) -> Iterator[tuple[str | None, dict[str, object]]]:
    """The objects that may be answers, with the name of the question if a key gives it."""
    if isinstance(value, list):
        yield from ((None, each) for each in value if isinstance(each, dict))
    elif isinstance(value, dict):
        inner = value.get("answers", value.get("questions"))
        if isinstance(inner, list | dict):
            yield from _objects(inner)
        elif any(field_of(key) and not isinstance(value[key], dict) for key in value):
            yield None, value
        else:
            yield from ((key, each) for key, each in value.items() if isinstance(each, dict))


def _flat(answer: dict[str, object]) -> Iterator[tuple[str, str]]:
    """Keys and texts; the counters of `tilewise solve --json` stand in an object of their own."""
    for key, value in answer.items():
        if isinstance(value, dict) and key in ("stats", "counts", "counters"):
            yield from _flat({k: v for k, v in value.items() if not isinstance(v, dict)})
        elif isinstance(value, list) and field_of(key) == "board":
            yield key, json.dumps(value).replace('"', "")
        elif isinstance(value, list):
            yield key, " ".join(each for each in value if isinstance(each, str))
        elif isinstance(value, str):
            yield key, value


def looks_like_csv(text: str) -> bool:
    """Whether the first line names fields of answers."""
    return len(_header(text)[0]) >= 2


def read_csv(document: Document, read_method: ReadMethod) -> tuple[list[Answer], list[str]]:
    """The answers of a CSV file, one a row, and what is wrong with other rows.

    Fields are separated by commas, semicolons or tabs, as in the first line.
    """
    known, columns, delimiter, above = _header(document.text)
    lines = document.text.splitlines(keepends=True)[above + 1 :]
    found: list[Answer] = []
    notes: list[str] = []
    with _long_fields():
        rows = csv.reader(lines, delimiter=delimiter)
        try:
            for count, row in enumerate(rows):
                if count == MOST_ANSWERS:
                    notes.append(_too_many(document))
                    break
                line = above + 1 + rows.line_num
                if not any(cell.strip() for cell in row) or row[0].startswith("#"):
                    continue
                if len(row) != len(columns):
                    hint = "; a board with commas needs quotes" if len(row) > len(columns) else ""
                    notes.append(
                        f"{document.name}:{line}: expected {len(columns)} fields, got "
                        f"{len(row)}{hint}"
                    )
                    continue
                fields = gathered((columns[at], row[at]) for at in known)
                found.append(answer_from(document.name, line, fields, read_method))
        except csv.Error as error:
            place = f"{document.name}:{above + 1 + rows.line_num}"
            notes.append(f"{place}: expected CSV: {str(error)[:80]}")
    if len(notes) > MOST_NOTES:
        notes = [
            *notes[:MOST_NOTES],
            f"{document.name}: and {len(notes) - MOST_NOTES} more such rows",
        ]
    return found, notes


def _header(text: str) -> tuple[list[int], list[str], str, int]:
    """Which columns are known, all columns, what parts them, and the number of lines above."""
    for above, line in enumerate(text[:_LONGEST_HEADER].splitlines()):
        if line.strip() and not line.startswith("#"):
            delimiter = max(_DELIMITERS, key=line.count)
            try:
                columns = next(csv.reader([line], delimiter=delimiter), [])
            except csv.Error:
                columns = []
            known = [at for at, title in enumerate(columns) if field_of(title)]
            return known, columns, delimiter, above
    return [], [], ",", 0


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let a field be as long as the path of a depth-first search."""
    before = csv.field_size_limit(LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(before)

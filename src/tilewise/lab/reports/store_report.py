"""From a folder with a store to a report: nothing else is read, nothing is run."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from tilewise.errors import SpecError
from tilewise.lab import Store
from tilewise.lab.builtin import REPORTS
from tilewise.lab.recorded_depth import DEPTH, contradiction
from tilewise.lab.reports import general
from tilewise.lab.reports.report import Report, Section
from tilewise.lab.row import Row

HIDDEN = ("name", "experiment", "plan")
"""Facts of a store that a reader of the report has no use for, or has elsewhere."""
MOST_FAILED = 10


def make_report(
    folder: Path | str,
    *,
    by: str | None = None,
    counters: Sequence[str] = (),
    baseline: str | None = None,
) -> Report:
    """Make the report of an experiment from its folder.

    A built-in experiment has a report of its own; with `by`, `counters` or `baseline` it is the
    general one.

    Args:
        folder: The folder with the store.
        by: What the rows of the tables are: a label or a column.
        counters: Which counters to show.
        baseline: The search that others are compared with.

    Raises:
        StoreError: The folder has no store.
        SpecError: No run has ended yet, or a counter is unknown.

    Example:
        >>> make_report("no-such-folder")
        Traceback (most recent call last):
            ...
        tilewise.lab.database.StoreError: ...
    """
    with Store.open(folder) as store:
        experiment, facts = store.experiment, store.facts
        rows, progress = store.rows(), store.progress()
    if not rows:
        raise SpecError(f"expected results in {folder}, got none: no run has ended yet")
    name = str(experiment["name"])
    own = REPORTS.get(str(experiment.get("report") or ""))
    if own is None or by is not None or counters or baseline is not None:
        sections = general.sections(rows, by, counters, baseline)
    else:
        sections = _own_sections(own, rows)
    return Report(
        name,
        _title(name, str(experiment.get("title") or "")),
        tuple(sections),
        tuple(_summary(rows, progress)),
        _facts(rows, facts),
        experiment,
    )


def _own_sections(where: str, rows: list[Row]) -> list[Section]:
    module, function = where.split(":")
    sections: list[Section] = getattr(import_module(module), function)(rows)
    return sections


def _title(name: str, title: str) -> str:
    return f"{name}: {title}" if title else name


def _summary(rows: Sequence[Row], progress: Any) -> list[str]:
    statuses = dict.fromkeys(("solved", "measured", "limit", "stuck", "unsolvable", "failed"), 0)
    for row in rows:
        statuses[row["status"]] = statuses.get(row["status"], 0) + 1
    counts = ", ".join(f"{count:,} {name}" for name, count in statuses.items() if count)
    runs = len({row["key"] for row in rows})
    shared = f" of {runs:,} runs" if runs < len(rows) else ""
    lines = [f"{len(rows):,} results{shared}: {counts}."]
    if progress.done < progress.planned:
        lines.append(
            f"Unfinished: {progress.planned - progress.done:,} of {progress.planned:,} runs are "
            "still to be done; the figures are of those that are there."
        )
    failed = [row for row in rows if row["status"] == "failed"]
    lines += [
        f"Failed: {row['instance'] or row['board']}, {row['algorithm']}: {row['reason']}"
        for row in failed[:MOST_FAILED]
    ]
    wrong = [
        found for row in rows if (found := contradiction(row.get(DEPTH), row.run, row.outcome))
    ]
    if wrong:
        lines.append(f"Contradictions: {len(wrong):,}. The first one: {wrong[0]}.")
    if len(failed) > MOST_FAILED:
        lines.append(
            f"{len(failed) - MOST_FAILED:,} more failed: `tilewise experiment export` has them."
        )
    return lines


def _facts(rows: Sequence[Row], facts: dict[str, Any]) -> dict[str, str]:
    """What is needed to do it again: command, versions, engines, dates."""
    found = {
        name: str(value)
        for name, value in facts.items()
        if name not in HIDDEN and value not in (None, "", "{}")
    }
    for column in ("engine", "version", "machine"):
        values = sorted({str(row[column]) for row in rows if row.get(column)})
        if values:
            found[f"{column}s" if len(values) > 1 else column] = ", ".join(values)
    return found

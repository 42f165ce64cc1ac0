"""`tilewise trace`: searches as files that other programs read, and other people's traces."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, TextIO

import click

import tilewise
from tilewise.cli import commands, exit_codes, progress
from tilewise.cli import shared_options as shared
from tilewise.cli.numbers import Whole
from tilewise.cli.output import AGAIN
from tilewise.core.limits import Limits, Meter
from tilewise.core.result import Status
from tilewise.drawing import tree_picture
from tilewise.errors import SpecError, TraceError, shortened
from tilewise.files import is_text, lines_in, replacing, write_file
from tilewise.puzzle.parity import explain as why_unsolvable
from tilewise.puzzle.position import board_text
from tilewise.traces.conformance import ConformanceReport, check_trace
from tilewise.traces.exports import FORMATS as EVENT_FORMATS
from tilewise.traces.exports import SUFFIXES as EVENT_SUFFIXES
from tilewise.traces.json_lines import ReadTrace
from tilewise.traces.reader import LONGEST_LINE, read_lines
from tilewise.traces.watched import Watched, watch

DEFAULT_EVENTS, MOST_EVENTS = 10_000, 10_000_000
EVENTS_TRIED, WRITING = 2000, 1.25
"""Events that show how long writing takes, and how much longer with a disk than without."""


def _tree(search: Watched, program: str | None = None) -> Iterator[str]:
    yield tree_picture(search.events, ".svg").decode().rstrip("\n")


FORMATS = {**EVENT_FORMATS, "svg": _tree}
SUFFIXES = {**EVENT_SUFFIXES, ".svg": "svg", ".png": "png"}


@commands.group
def trace() -> None:
    """Export a search, or check the trace of another solver.

    Examples:
        tilewise trace export "125 34b 678" -H manhattan -o tree.svg
        tilewise trace check search.jsonl
    """


@trace.command()
@shared.board()
@shared.algorithm()
@shared.heuristic()
@shared.goal()
@shared.rules()
@shared.profile()
@click.option(
    "--events",
    metavar="N",
    type=Whole(most=MOST_EVENTS),
    help=f"Keep the first N events (default: {DEFAULT_EVENTS:,}).",
)
@click.option(
    "--format", "as_format", metavar="NAME", help="jsonl, dot, posthoc or svg; else by the file."
)
@click.option("--output", "-o", metavar="FILE", help="Write to a file.")
@shared.max_nodes()
@shared.seconds(help="Stop after S seconds; writing has what is left, or half as long again.")
@shared.load()
def export(
    board: str,
    algorithm: str | None,
    heuristic: str | None,
    goal: str,
    rules: str | None,
    profile: str | None,
    events: int | None,
    as_format: str | None,
    output: str | None,
    max_nodes: int | None,
    seconds: float | None,
) -> int:
    """Write the events of a search, or draw its tree.

    The file's name says the format: .jsonl, .dot or .gv (Graphviz), .trace.json (Posthoc),
    .svg or .png (a picture of up to 400 nodes).

    Examples:

    tilewise trace export "125 34b 678" -H manhattan > search.jsonl

    tilewise trace export "125 34b 678" -H manhattan -o tree.svg

    tilewise trace export "125 34b 678" -a bfs -o search.dot

    tilewise trace export "867 254 3b1" -o search.trace.json
    """
    chosen, line = _format(as_format, output), progress.SearchLine()
    clock = None if seconds is None else Meter(Limits(seconds=seconds), 0)
    try:
        search = watch(
            board,
            goal=goal,
            algorithm=algorithm,
            heuristic=heuristic,
            rules=rules,
            profile=profile,
            events=events or DEFAULT_EVENTS,
            limits=Limits(generated=max_nodes, seconds=seconds),
            progress=line,
            context=progress.shown_tables(),
        )
    finally:
        line.clear()
    if search.status is Status.UNSOLVABLE:
        print(why_unsolvable(search.board, search.goal), file=sys.stderr)
        return exit_codes.UNSOLVABLE
    if search.note:
        print(f"tilewise: {search.note}", file=sys.stderr)
    program = f"tilewise {tilewise.__version__}"
    if clock is not None and chosen in EVENT_FORMATS:
        search = _what_can_be_written(search, chosen, clock)
    if chosen == "png" and output:
        write_file(output, tree_picture(search.events, ".png"))
    else:
        with _stream(output) as stream:
            for text in FORMATS[chosen](search, program):
                stream.write(text + "\n")
    wrote = f"wrote {len(search.events):,} of {search.count:,} events"
    if output:
        print(f"{wrote} to {output}")
    elif not search.whole:
        print(f"tilewise: {wrote} (--events N)", file=sys.stderr)
    if (missing := min(events or DEFAULT_EVENTS, search.count) - len(search.events)) > 0:
        print(f"tilewise: no time left to write {missing:,} more (--seconds S)", file=sys.stderr)
    return exit_codes.OF_STATUS[search.status]


def _what_can_be_written(search: Watched, chosen: str, clock: Meter) -> Watched:
    """The search with as many events as there is time to write, by the speed of the first ones.

    A file is whole, however many events it has.
    """
    first = replace(search, events=search.events[:EVENTS_TRIED])
    if len(search.events) <= EVENTS_TRIED:
        return search
    began = clock.seconds
    for _ in FORMATS[chosen](first, None):
        pass
    each = (clock.seconds - began) / EVENTS_TRIED
    limit = clock.limits.seconds or 0
    left = max(limit - clock.seconds, AGAIN * limit - max(0, clock.seconds - limit))
    most = max(EVENTS_TRIED, int(left / each / WRITING))
    return replace(search, events=search.events[:most])


@trace.command()
@click.argument("file", metavar="FILE|-", help="A trace in JSON Lines.")
@shared.as_json()
@shared.load()
def check(file: str, as_json: bool) -> int:
    """Check a trace against its rules, and name the first deviation.

    What the header claims is checked, what it leaves out is allowed; docs/traces.md describes the
    format. A file with nothing but expanded boards will do.

    Exit code: 0 the trace does what it claims, 1 it does not, 2 it cannot be read.

    Examples:

    tilewise trace check search.jsonl

    my_solver 867254301 | tilewise trace check -
    """
    with _opened(file) as stream:
        trace = read_lines(_lines(stream), context=progress.shown_tables())
    report = check_trace(trace, context=progress.shown_tables())
    if as_json:
        print(json.dumps(_object(trace, report)))
    else:
        for line in _page(trace, report):
            print(line)
    return exit_codes.CLAIM_FAILS if report.deviation else exit_codes.OK


def _format(named: str | None, output: str | None) -> str:
    if named is not None:
        if named not in FORMATS:
            raise SpecError(f"expected --format {', '.join(FORMATS)}; got {shortened(named)}")
        return named
    if output is None:
        return "jsonl"
    for suffix, name in SUFFIXES.items():
        if output.lower().endswith(suffix):
            return name
    raise SpecError(
        f"expected a file ending in {', '.join(SUFFIXES)}, or --format; got {shortened(output)}"
    )


@contextmanager
def _stream(output: str | None) -> Iterator[TextIO]:
    if output is None:
        yield sys.stdout
        return
    with (
        replacing(Path(output)) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="\n") as stream,
    ):
        yield stream


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    if path == "-":
        yield sys.stdin.buffer
        return
    if Path(path).is_dir():
        raise TraceError(f"expected a file, got a folder: {shortened(path)}")
    with Path(path).open("rb") as stream:
        yield stream


def _lines(stream: BinaryIO) -> Iterator[str]:
    """The lines of a file; one without end is cut where the reader refuses it."""
    for number, line in enumerate(lines_in(stream, LONGEST_LINE), start=1):
        if not is_text(line):
            raise TraceError(f"line {number}: expected UTF-8 text, got other bytes")
        yield line


def _page(trace: ReadTrace, report: ConformanceReport) -> Iterator[str]:
    claims = trace.claims
    parts = [claims.algorithm or "no algorithm claimed"]
    parts += [claims.heuristic] if claims.heuristic else []
    parts += [f"goal {claims.goal.name}"]
    parts += [f"{knob}={getattr(claims.rules, knob)}" for knob in sorted(claims.stated)]
    if claims.note:
        yield claims.note
    yield f"{board_text(claims.board, claims.goal)}: {', '.join(parts)}"
    ending = "reaches the goal" if report.reached_goal else "ends before the goal"
    yield f"{len(trace):,} events, {report.expansions:,} expansions; {ending}"
    if report.deviation:
        yield f"first deviation: {report.deviation}"
        return
    yield "it does what it claims:"
    for said in report.checked:
        yield f"  {said}"
    if report.unchecked:
        yield "not checked:"
        for said in report.unchecked:
            yield f"  {said}"


def _object(trace: ReadTrace, report: ConformanceReport) -> dict[str, object]:
    deviation = report.deviation
    return {
        "board": str(trace.claims.board),
        "goal": str(trace.claims.goal.board),
        "algorithm": trace.claims.algorithm,
        "heuristic": trace.claims.heuristic,
        "rules": {knob: getattr(trace.claims.rules, knob) for knob in sorted(trace.claims.stated)},
        "events": len(trace),
        "expansions": report.expansions,
        "reached_goal": report.reached_goal,
        "ok": deviation is None,
        "line": deviation.line if deviation else None,
        "deviation": deviation.said if deviation else None,
        "checked": list(report.checked),
        "not_checked": list(report.unchecked),
    }

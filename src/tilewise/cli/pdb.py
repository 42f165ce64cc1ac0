"""`tilewise pdb`: pattern databases listed, built, verified, removed and explained."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from tilewise.cli import commands, exit_codes, render
from tilewise.cli import shared_options as shared
from tilewise.cli.bars import bar
from tilewise.cli.progress import TableLine
from tilewise.core.build_context import BuildContext
from tilewise.errors import SpecError, TableError, shortened, visible
from tilewise.puzzle.board import Goal
from tilewise.puzzle.shapes import goal_of_shape
from tilewise.tables import cache
from tilewise.tables.patterns.building import (
    canonical,
    is_kept,
    memory_of,
    memory_to_build,
    seconds_to_build,
    table,
    tables,
)
from tilewise.tables.patterns.catalogue import Kept, histogram, kept, prove
from tilewise.tables.patterns.partition_choice import MEASURED, default_partition
from tilewise.tables.patterns.partitions import (
    drawing,
    exchanged_partitions_of,
    partitions_of,
    patterns_of,
    views_of,
)
from tilewise.tables.patterns.pattern import Pattern

WIDEST_BAR = 50

shape_ = partial(click.argument, "shape", metavar="SHAPE", help="4x4, 3x5, ... up to 8x8.")
partition_ = partial(
    click.argument,
    "partition",
    metavar="[PARTITION]",
    default="auto",
    help="Sizes such as 6-6-3, a drawing such as .AAB/ABBB, a collection such as 6-6-6-6x4, or "
    "sizes with look-ups by cells such as 6-6-6-6+dual.",
)
only_shape = partial(
    click.argument,
    "shape",
    metavar="[SHAPE]",
    required=False,
    help="Only tables of this shape.",
)
only_partition = partial(
    click.argument,
    "partition",
    metavar="[PARTITION]",
    required=False,
    help="Only tables of this partition.",
)


@commands.group
def pdb() -> None:
    """Build and inspect pattern databases.

    They are tables of the moves that groups of tiles need. Heuristics use them as pdb(6-6-3),
    pdb(7-8), ... They are kept in the cache folder and shared by all processes; TILEWISE_CACHE
    names another folder.

    Examples:
        tilewise pdb list
        tilewise pdb explain 4x4 6-6-3
        tilewise pdb build 4x4 7-8
    """


@pdb.command("list")
@shared.as_json(help="As JSON.")
def list_(as_json: bool) -> None:
    """Show the tables in the cache.

    Examples:

    tilewise pdb list

    tilewise pdb list --json
    """
    found = kept()
    if as_json:
        print(json.dumps([one.to_dict() for one in found], indent=2))
        return
    print(f"cache: {visible(str(cache.folder()))}")
    for one in found:
        print(f"{_size(one.size):>9}  {visible(one.name)}{f'  ({one.fault})' if one.fault else ''}")
    total = sum(one.size for one in found)
    print(f"{_size(total):>9}  in {len(found)} {_plural('table', len(found))}")


@pdb.command()
@shape_()
@partition_()
@shared.goal_of_shape()
def build(shape: str, partition: str, goal: str) -> None:
    """Build the tables of a partition, unless they are in the cache.

    Goals that differ by the labels of the tiles or by a turn of the board share their tables.
    Exit code 2 if a table could not be kept in the cache.

    Examples:

    tilewise pdb build 4x4 7-8

    tilewise pdb build 5x5 6-6-6-6

    tilewise pdb build 5x5 6-6-6-6x4

    tilewise pdb build 5x5 6-6-6-6+dual

    tilewise pdb build 3x4 ".AAB/AABB/CCCB" --goal first
    """
    name, patterns = _partition(shape, partition, goal)
    line, built = TableLine(), set()

    def watch(table_name: str, done: int, total: int) -> None:
        built.add(table_name)
        line(table_name, done, total)

    tables(patterns, f"pdb({name})", BuildContext(progress=watch))
    lost = 0
    for pattern in canonical(patterns):
        done = "built" if pattern.name in built else "was there"
        kept_too = is_kept(pattern)
        lost += not kept_too
        print(
            f"{_size(pattern.entries):>9}  {pattern.name}  {done}{'' if kept_too else ', not kept'}"
        )
    if lost:
        raise TableError(
            f"expected to keep the tables, got {lost} that could not be: "
            f"{shortened(str(cache.folder()))}"
        )


@pdb.command()
@only_shape()
@only_partition()
@shared.goal_of_shape()
def verify(shape: str | None, partition: str | None, goal: str) -> int:
    """Prove tables in the cache, entry by entry.

    First the checksum of the whole file, then the proof; tilewise does not trust the builder.
    Exit code 1 if a table is wrong.

    Examples:

    tilewise pdb verify

    tilewise pdb verify 4x4 6-6-3
    """
    line = TableLine("verifying")
    chosen = _chosen(shape, partition, goal)
    code = exit_codes.OK
    for one in chosen:

        def watch(done: int, total: int, name: str = one.name) -> None:
            line(name, done, total)

        try:
            outcome = prove(one, watch)
        except TableError as error:
            outcome, code = f"WRONG: {error}", exit_codes.CLAIM_FAILS
        finally:
            watch(1, 1)
        print(f"{visible(one.name)}: {outcome}")
    if not chosen:
        print("no tables in the cache")
    return code


@pdb.command()
@only_shape()
@only_partition()
@shared.goal_of_shape()
@click.option("--all", "everything", is_flag=True, help="Every table in the cache.")
def remove(shape: str | None, partition: str | None, goal: str, everything: bool) -> None:
    """Remove tables from the cache; they are built again when needed.

    Examples:

    tilewise pdb remove 4x4 7-8

    tilewise pdb remove --all
    """
    if (shape is None) is not everything:
        raise SpecError("expected a shape, or --all: one of the two")
    chosen = _chosen(shape, partition, goal)
    for one in chosen:
        cache.remove(one.path)
    freed = _size(sum(one.size for one in chosen))
    print(f"removed {len(chosen)} {_plural('table', len(chosen))}, {freed}")


@pdb.command()
@shape_()
@partition_()
@shared.goal_of_shape()
@shared.as_json(help="As JSON.")
def explain(shape: str, partition: str, goal: str, as_json: bool) -> None:
    """Show a partition, what its tables cost and what they hold.

    Nothing is built; what tables hold is shown for those in the cache. The histogram counts the
    placements of a pattern's tiles by the moves that they need.

    Examples:

    tilewise pdb explain 4x4 6-6-3

    tilewise pdb explain 5x5 6-6-6-6x4

    tilewise pdb explain 5x5 6-6-6-6 --json
    """
    name, patterns = _partition(shape, partition, goal)
    target = goal_of_shape(shape, goal)
    if as_json:
        print(json.dumps(_facts(name, target, patterns), indent=2))
        return
    for line in _explanation(name, target, patterns):
        print(line)


def _partition(shape: str, partition: str, goal: str) -> tuple[str, tuple[Pattern, ...]]:
    target = goal_of_shape(shape, goal)
    name = default_partition(target) if partition == "auto" else partition
    return name, patterns_of(target, name)


def _chosen(shape: str | None, partition: str | None, goal: str) -> list[Kept]:
    """The tables in the cache of everything, of a shape or of a partition."""
    found = kept()
    if shape is None:
        return found
    if partition is None:
        board = goal_of_shape(shape, goal).board
        short, long = sorted((board.rows, board.columns))
        return [one for one in found if one.name.startswith(f"{short}x{long}-")]
    wanted = {pattern.name for pattern in canonical(_partition(shape, partition, goal)[1])}
    chosen = [one for one in found if one.name in wanted]
    if not chosen:
        raise TableError(
            f"expected tables of {partition} for {shape} in the cache, got none "
            f"(tilewise pdb build {shape} {partition})"
        )
    return chosen


def _facts(name: str, goal: Goal, patterns: tuple[Pattern, ...]) -> dict[str, Any]:
    board = goal.board
    partitions = partitions_of(goal, name)
    views = views_of(goal, partitions)
    by_cells = exchanged_partitions_of(goal, name)
    return {
        "partition": name,
        "drawing": " ".join(
            drawing(tuple(pattern.cells for pattern in each), board.rows, board.columns)
            for each in partitions
        ),
        "shape": board.shape,
        "goal": goal.name,
        "views": len(views),
        "look_ups": sum(map(len, views)),
        "look_ups_by_cells": max((sum(map(len, each)) for each in by_cells), default=0),
        "bytes": memory_of(patterns),
        "bytes_to_build": memory_to_build(patterns),
        "seconds_to_build": seconds_to_build(patterns),
        "tables": [_table_facts(pattern) for pattern in canonical(patterns)],
    }


def _table_facts(pattern: Pattern) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": pattern.name,
        "tiles": pattern.order,
        "bytes": pattern.entries,
        "in_cache": is_kept(pattern),
    }
    if facts["in_cache"]:
        values, unreachable = histogram(table(pattern))
        reachable = sum(values)
        facts |= {
            "mean": sum(value * count for value, count in enumerate(values)) / reachable,
            "maximum": len(values) - 1,
            "values": values,
            "unreachable": unreachable,
        }
    return facts


def _explanation(name: str, goal: Goal, patterns: tuple[Pattern, ...]) -> Iterator[str]:
    facts = _facts(name, goal, patterns)
    drawings, views = facts["drawing"].split(), facts["views"]
    what = "partition" if len(drawings) == 1 else f"the largest of {len(drawings)} partitions,"
    yield f"{facts['shape']}, goal {facts['goal']}, {what} {name}:"
    yield ""
    for rows in zip(*(each.split("/") for each in drawings), strict=True):
        yield "  " + "   ".join(" ".join(row) for row in rows)
    yield ""
    tables_here = len(facts["tables"])
    yield (
        f"{len(patterns)} {_plural('pattern', len(patterns))} in {tables_here} "
        f"{_plural('table', tables_here)}, {_size(facts['bytes'])}; {facts['look_ups']} look-ups a "
        f"board{f' ({views} views, mirror images included)' if views > 1 else ''}"
    )
    if facts["look_ups_by_cells"]:
        yield (
            f"up to {facts['look_ups_by_cells']} more by cells: which tiles are on the cells of a "
            "pattern; the partitions for them depend on the cell of the blank"
        )
    if len(drawings) > 1:
        yield "a search reads a few of them: one where the first sum exceeds the bound"
    yield from _measured(name, facts["shape"])
    missing = [one for one in facts["tables"] if not one["in_cache"]]
    if missing:
        cores = os.cpu_count() or 1
        yield (
            f"to build: about {facts['seconds_to_build']:.1f} s on {cores} "
            f"{_plural('core', cores)}, {_size(facts['bytes_to_build'])} of memory at most"
        )
    for one in facts["tables"]:
        yield ""
        yield from _table_lines(one)


def _measured(name: str, shape: str) -> Iterator[str]:
    """Why a collection is the choice: what the passes of some proofs generate with each."""
    counts = MEASURED.get(shape, {})
    if name not in counts:
        return
    yield ""
    boards = list(counts[name])
    yield f"nodes in the passes below the optimum, korf24 {', '.join(boards)} (words of 12 moves):"
    for each, nodes in counts.items():
        chosen = "  <-" if each == name else ""
        yield f"  {each:<11}" + "".join(f"{nodes[board]:>15,}" for board in boards) + chosen


def _table_lines(facts: dict[str, Any]) -> Iterator[str]:
    state = "in the cache" if facts["in_cache"] else "not built"
    yield f"{facts['name']}: {facts['tiles']} tiles, {facts['bytes']:,} entries, {state}"
    if not facts["in_cache"]:
        return
    yield f"  moves: {facts['mean']:.3f} on average, at most {facts['maximum']}"
    most = max(facts["values"])
    digits = len(f"{most:,}")
    width = min(WIDEST_BAR, render.terminal_width() - digits - 10)
    for value, count in enumerate(facts["values"]):
        yield f"  {value:>4}  {count:>{digits},}  {bar(count / most, width)}".rstrip()
    if facts["unreachable"]:
        yield f"  cannot come home: {facts['unreachable']:,}"


def _size(count: int) -> str:
    """Bytes in the unit that people read."""
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:,.0f} {unit}" if unit == "B" or size >= 100 else f"{size:,.1f} {unit}"
        size /= 1000
    return ""


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"

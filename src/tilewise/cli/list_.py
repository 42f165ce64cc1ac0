"""`tilewise list`: everything registered."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from tilewise import anytime, heuristics, search, suites
from tilewise.cli import commands
from tilewise.cli import shared_options as shared
from tilewise.core import rules
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.registry import ALGORITHMS, HEURISTICS
from tilewise.core.stats import COUNTERS
from tilewise.courses import COURSES
from tilewise.errors import SpecError, shortened
from tilewise.native import ENGINES, why_absent, why_stale
from tilewise.puzzle import formats

__all__ = ["anytime", "heuristics", "list_", "search"]

Value = str | int | bool | list[str] | None
ListedRow = dict[str, Value]


ALWAYS_CARDS, ROOM_FOR_PROSE = {"profiles"}, 30


def _algorithms() -> list[ListedRow]:
    return [
        {
            "algorithm": build_algorithm(entry.name).spec,
            "optimal": entry.optimal,
            "complete": entry.complete,
            "heuristic": entry.default_heuristic,
            "rules": "all" if entry.knobs == rules.KNOBS else " ".join(entry.knobs),
            "about": entry.about,
        }
        for entry in ALGORITHMS.values()
    ]


def _algorithm(name: str) -> ListedRow:
    """All that one algorithm declares."""
    entry = build_algorithm(name).entry
    frontier = entry.frontier
    takes = f"the {frontier.best} {frontier.formula}" if frontier.best_first else entry.choice
    (row,) = (row for row in _algorithms() if row["algorithm"] == build_algorithm(entry.name).spec)
    return row | {
        "title": entry.title,
        "frontier": frontier.kind.value,
        "takes": takes,
        "ties": frontier.usual_ties if frontier.best_first else None,
        "re-opens states": frontier.best_first and frontier.reopens,
        "contract": entry.contract.value,
        "solutions": entry.guarantee,
        "native": entry.native is not None,
        "pseudo-code": "\n".join(entry.pseudo_code.lines) or None,
    }


def _heuristics() -> list[ListedRow]:
    return [
        {
            "heuristic": name,
            "aliases": list(entry.aliases),
            "combines others": entry.combines,
            "admissible": entry.admissible,
            "consistent": entry.consistent,
            "about": entry.about,
        }
        for name, entry in HEURISTICS.items()
    ]


def _formats() -> list[ListedRow]:
    return [
        {
            "format": notation.name,
            "aliases": list(notation.aliases),
            "goal": notation.goal,
            "example": notation.example,
            "about": notation.about,
        }
        for notation in formats.NOTATIONS
    ]


def _profiles() -> list[ListedRow]:
    return [
        {
            "profile": course.name,
            "command": course.command,
            "goal": course.goal,
            "about": course.about,
            "rules": course.rules.knobs_text(),
            "differs": list(course.differences),
        }
        for course in COURSES.values()
    ]


def _rules() -> list[ListedRow]:
    return [
        {
            "rules": name,
            **{knob: getattr(rule_set, knob) for knob in rules.KNOBS},
        }
        for name, rule_set in rules.rule_sets().items()
    ]


def _suites() -> list[ListedRow]:
    return [
        {
            "suite": suite.name,
            "boards": len(suite.instances),
            "shape": suite.shape,
            "moves": suite.lengths if suite.proved else f"{suite.lengths}, not proved",
            "goal": suite.goal,
            "about": suite.title,
            "source": suite.source,
        }
        for suite in map(suites.load, suites.names())
    ]


def _engines() -> list[ListedRow]:
    about = dict(ENGINES)
    if (reason := why_absent()) is not None:
        about["native"] = f"not in this installation: {reason}"
    elif (stale := why_stale()) is not None:
        about["native"] += f". Now: {stale}"
    return [{"engine": name, "about": text} for name, text in about.items()]


def _counters() -> list[ListedRow]:
    return [
        {"counter": counter.name, "unit": counter.unit, "meaning": counter.meaning}
        for counter in COUNTERS
    ]


TABLES: dict[str, Callable[[], list[ListedRow]]] = {
    "algorithms": _algorithms,
    "heuristics": _heuristics,
    "formats": _formats,
    "profiles": _profiles,
    "rules": _rules,
    "suites": _suites,
    "engines": _engines,
    "counters": _counters,
}


@commands.command("list")
@click.argument("what", required=False, metavar="[WHAT]", help=f"One of {', '.join(TABLES)}.")
@click.argument("name", required=False, metavar="[NAME]", help="One of them, with all its facts.")
@shared.as_json(help="As JSON.")
@shared.load()
def list_(what: str | None, name: str | None, as_json: bool) -> None:
    """List algorithms, heuristics, formats, courses, rules, suites ...

    Examples:

    tilewise list

    tilewise list algorithms

    tilewise list algorithms astar

    tilewise list profiles --json
    """
    if what is not None and what not in TABLES:
        raise SpecError(f"expected one of {', '.join(TABLES)}; got {shortened(what)}")
    if what is not None and name is not None:
        row = _named(what, name)
        if as_json:
            print(json.dumps(row, indent=2))
        else:
            code = row.pop("pseudo-code", None)
            _print_cards([{key: _text(value) for key, value in row.items()}])
            for line in str(code or "").splitlines():
                print(f"  {line}")
        return
    chosen = [what] if what else list(TABLES)
    if as_json:
        tables = {name: TABLES[name]() for name in chosen}
        print(json.dumps(tables[what] if what else tables, indent=2))
        return
    _print_tables(chosen)


def _named(what: str, name: str) -> ListedRow:
    """The row of a table with a name in its first column, or with that alias."""
    if what == "algorithms":
        return _algorithm(name)
    rows = {str(next(iter(row.values()))): row for row in TABLES[what]()}
    for known, row in rows.items():
        aliases = row.get("aliases")
        if name == known or (isinstance(aliases, list) and name in aliases):
            return row
    raise SpecError(f"expected one of {', '.join(rows)}; got {shortened(name)}")


def text_rows(name: str) -> list[dict[str, str]]:
    """A table with its values as people read them."""
    return [{key: _text(value) for key, value in row.items()} for row in TABLES[name]()]


def _print_tables(names: list[str]) -> None:
    """A table where it fits the terminal, else a card for each row."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table

    console = Console(highlight=False)
    for name in names:
        rows = text_rows(name)
        table = Table(title=name, box=SIMPLE_HEAD, title_justify="left", pad_edge=False)
        for column in rows[0]:
            table.add_column(column)
        for row in rows:
            table.add_row(*row.values())
        wide = Console(width=10_000)
        least, most = Measurement.get(wide, wide.options, table)
        fits = most <= console.width or least <= console.width - ROOM_FOR_PROSE
        if fits and name not in ALWAYS_CARDS:
            console.print(table)
            continue
        console.print(f"{name}\n", style="italic", markup=False)
        _print_cards(rows)


def _print_cards(rows: list[dict[str, str]]) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    for row in rows:
        _print_card(console, row)


def _print_card(console: Any, row: dict[str, str]) -> None:
    from rich.table import Table

    (_, title), *facts = row.items()
    console.print(title, style="bold", markup=False)
    card = Table(box=None, show_header=False, pad_edge=False)
    card.add_column(no_wrap=True)
    card.add_column(overflow="fold")
    for fact, text in facts:
        card.add_row(f"  {fact}", text)
    console.print(card, "")


def _text(value: Value) -> str:
    """A value as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        sentences = any(" " in item for item in value)
        return "\n".join(f"- {item}" for item in value) if sentences else " ".join(value) or "-"
    return "-" if value is None else str(value)

"""`tilewise list`: what there is, from the registry."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated

import typer

from tilewise import formats, heuristics, rules, search, suites
from tilewise.engine import ENGINES
from tilewise.errors import SpecError
from tilewise.loading import load_file
from tilewise.profiles import PROFILES
from tilewise.registry import (
    ALGORITHMS,
    ALL_KNOBS,
    HEURISTICS,
    TIELESS_KNOBS,
    build_algorithm,
)
from tilewise.stats import COUNTERS

__all__ = ["heuristics", "list_", "search"]

Row = dict[str, str]


_KNOBS_IN_WORDS = {ALL_KNOBS: "all", TIELESS_KNOBS: "all but ties"}


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _algorithms() -> list[Row]:
    return [
        {
            "algorithm": build_algorithm(entry.name).spec,
            "optimal": _yes(entry.optimal),
            "complete": _yes(entry.complete),
            "heuristic": entry.default_heuristic or "-",
            "rules": _KNOBS_IN_WORDS.get(entry.knobs) or " ".join(entry.knobs),
            "about": entry.about,
        }
        for entry in ALGORITHMS.values()
    ]


def _heuristics() -> list[Row]:
    return [
        {
            "heuristic": " ".join((f"{name}(...)" if entry.combines else name, *entry.aliases)),
            "admissible": _yes(entry.admissible),
            "consistent": _yes(entry.consistent),
            "about": entry.about,
        }
        for name, entry in HEURISTICS.items()
    ]


def _formats() -> list[Row]:
    return [
        {
            "format": notation.name,
            "aliases": " ".join(notation.aliases) or "-",
            "goal": notation.goal or "-",
            "example": notation.example,
            "about": notation.about,
        }
        for notation in formats.NOTATIONS
    ]


def _profiles() -> list[Row]:
    return [
        {
            "profile": profile.name,
            "command": profile.command,
            "goal": profile.goal,
            "about": profile.about,
            "rules": profile.rules.knobs_text(),
            "differs": "\n".join(f"- {difference}" for difference in profile.differences),
        }
        for profile in PROFILES.values()
    ]


def _rules() -> list[Row]:
    return [
        {
            "rules": name,
            **{knob: getattr(rule_set, knob) for knob in rules.KNOBS},
        }
        for name, rule_set in rules.NAMED.items()
    ]


def _suites() -> list[Row]:
    return [
        {
            "suite": suite.name,
            "boards": str(len(suite.instances)),
            "goal": suite.goal,
            "about": suite.title,
            "source": suite.source,
        }
        for suite in map(suites.load, suites.names())
    ]


def _engines() -> list[Row]:
    return [{"engine": name, "about": about} for name, about in ENGINES.items()]


def _counters() -> list[Row]:
    return [
        {"counter": counter.name, "unit": counter.unit, "meaning": counter.meaning}
        for counter in COUNTERS
    ]


TABLES: dict[str, Callable[[], list[Row]]] = {
    "algorithms": _algorithms,
    "heuristics": _heuristics,
    "formats": _formats,
    "profiles": _profiles,
    "rules": _rules,
    "suites": _suites,
    "engines": _engines,
    "counters": _counters,
}


def list_(
    what: Annotated[
        str | None, typer.Argument(metavar="[WHAT]", help=f"One of {', '.join(TABLES)}.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    load: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE.py", help="Load your own heuristics and algorithms first."),
    ] = None,
) -> None:
    """Show what there is: algorithms, heuristics, formats, profiles, rules, suites, counters.

    Examples:

    tilewise list

    tilewise list algorithms

    tilewise list profiles --json
    """
    for path in load or []:
        load_file(path)
    if what is not None and what not in TABLES:
        raise SpecError(f"expected one of {', '.join(TABLES)}; got {what!r}")
    chosen = [what] if what else list(TABLES)
    if as_json:
        tables = {name: TABLES[name]() for name in chosen}
        print(json.dumps(tables[what] if what else tables, indent=2))
        return
    _print_tables(chosen)


def _print_tables(names: list[str]) -> None:
    """Tables as wide as the terminal; profiles have too much to say and get a card each."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    for name in names:
        rows = TABLES[name]()
        if name == "profiles":
            for row in rows:
                card = Table(title=row["profile"], box=None, title_justify="left", pad_edge=False)
                card.show_header = False
                for item in list(row.items())[1:]:
                    card.add_row(*item)
                console.print(card, "")
            continue
        table = Table(title=name, box=SIMPLE_HEAD, title_justify="left", pad_edge=False)
        for column in rows[0]:
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*row.values())
        console.print(table)

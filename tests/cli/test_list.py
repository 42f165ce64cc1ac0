"""`tilewise list`: everything that is registered, readable for people and for programs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tilewise import COUNTERS, suites
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.registry import ALGORITHMS, HEURISTICS
from tilewise.core.rules import rule_sets
from tilewise.courses import COURSES
from tilewise.native import ENGINES
from tilewise.puzzle import formats

Run = Callable[..., subprocess.CompletedProcess[str]]

NAMES: dict[str, list[str]] = {
    "algorithms": [build_algorithm(name).spec for name in ALGORITHMS],
    "heuristics": list(HEURISTICS),
    "formats": [notation.name for notation in formats.NOTATIONS],
    "profiles": list(COURSES),
    "rules": list(rule_sets()),
    "suites": suites.names(),
    "engines": list(ENGINES),
    "counters": [counter.name for counter in COUNTERS],
}

OWN = '''
import tilewise as tw


@tw.heuristic("steady", admissible=True)
def steady(goal):
    """The same for all boards."""
    return lambda board: 0


@tw.algorithm("lucky", optimal=True)
def lucky(problem, heuristic, meter, rules, observer, *, tries: int = 3):
    """Guesses the solution."""
'''


def listed(tilewise: Run, *args: str) -> Any:
    """What `list --json` says."""
    run = tilewise("list", "--json", *args)
    assert (run.returncode, run.stderr) == (0, "")
    return json.loads(run.stdout)


def words(text: str) -> set[str]:
    """The words of a printed table, however its cells were broken into lines."""
    return set(text.split())


def test_without_a_word_every_table_is_shown(tilewise: Run) -> None:
    run = tilewise("list", env={"COLUMNS": "200"})
    assert (run.returncode, run.stderr) == (0, "")
    shown = words(run.stdout)
    for table, names in NAMES.items():
        first_words = {name.split()[0] for name in names}
        combinators = {"max", "sum"} if table == "heuristics" else set()
        assert first_words - combinators <= shown, table


@pytest.mark.parametrize("table", NAMES)
def test_the_json_of_a_table_has_a_row_for_everything_there_is(tilewise: Run, table: str) -> None:
    rows = listed(tilewise, table)
    assert [row[table.removesuffix("s")] if table != "rules" else row["rules"] for row in rows] == (
        NAMES[table]
    )


def test_the_json_without_a_word_holds_every_table(tilewise: Run) -> None:
    tables = listed(tilewise)
    assert list(tables) == list(NAMES)
    assert {name: len(rows) for name, rows in tables.items()} == {
        name: len(names) for name, names in NAMES.items()
    }


def test_facts_and_numbers_are_facts_and_numbers_in_json(tilewise: Run) -> None:
    tables = listed(tilewise)
    for row in tables["algorithms"]:
        entry = ALGORITHMS[row["algorithm"].partition("(")[0]]
        assert (row["optimal"], row["complete"]) == (entry.optimal, entry.complete)
        assert row["heuristic"] == entry.default_heuristic
    for row in tables["heuristics"]:
        entry_of_row = HEURISTICS[row["heuristic"]]
        assert row["admissible"] == entry_of_row.admissible
        assert row["consistent"] == entry_of_row.consistent
    sizes = {row["suite"]: row["boards"] for row in tables["suites"]}
    assert sizes == {name: len(suites.load(name).instances) for name in suites.names()}


def test_each_profile_is_explained_by_its_differences_from_the_default(tilewise: Run) -> None:
    run = tilewise("list", "profiles", env={"COLUMNS": "200"})
    assert (run.returncode, run.stderr) == (0, "")
    for profile in COURSES.values():
        assert profile.differences
        assert all(difference in run.stdout for difference in profile.differences)
        assert profile.command in run.stdout


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_tables_are_as_wide_as_the_terminal_and_keep_names_whole(
    tilewise: Run, columns: int
) -> None:
    run = tilewise("list", "algorithms", env={"COLUMNS": str(columns)})
    assert run.returncode == 0
    assert max(map(len, run.stdout.splitlines())) <= columns
    # a spec may be broken between its options, no option may
    assert words(" ".join(NAMES["algorithms"])) <= words(run.stdout)


def test_on_80_columns_no_word_of_an_explanation_is_broken(tilewise: Run) -> None:
    run = tilewise("list", env={"COLUMNS": "80"})
    explained = " ".join(
        [entry.about for entry in ALGORITHMS.values()]
        + [entry.about for entry in HEURISTICS.values()]
        + [counter.meaning for counter in COUNTERS]
    )
    missing = words(explained) - words(run.stdout)
    assert {word for word in missing if "-" not in word} == set()
    assert "Breadth-firs" not in words(run.stdout)


def test_what_the_user_loads_is_listed_with_its_explanation(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    tables = listed(tilewise, "--load", "own.py")
    assert tables["heuristics"][-1]["heuristic"] == "steady"
    assert tables["heuristics"][-1]["about"] == "The same for all boards."
    assert tables["algorithms"][-1]["algorithm"] == "lucky(tries=3)"
    assert tables["algorithms"][-1]["about"] == "Guesses the solution."


def test_everything_has_an_explanation(tilewise: Run) -> None:
    tables = listed(tilewise)
    for name in ("algorithms", "heuristics", "formats", "profiles", "suites", "engines"):
        assert all(row["about"].strip() for row in tables[name]), name
    assert all(row["meaning"] and row["unit"] for row in tables["counters"])

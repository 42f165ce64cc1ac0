"""The store: what is in it stays, and what is not a store is left alone."""

from __future__ import annotations

import csv
import hashlib
import os
import shutil
import sqlite3
import threading
from pathlib import Path

import polars
import pytest

from tilewise.core.stats import COUNTERS
from tilewise.errors import SpecError
from tilewise.lab import (
    Boards,
    Experiment,
    Instance,
    Part,
    Run,
    Store,
    StoreError,
    export,
    run_experiment,
)
from tilewise.lab.leases import LEASE_SECONDS, Leases
from tilewise.lab.measurement_names import measurement
from tilewise.lab.outcome import OUTCOME_COLUMNS, RunOutcome
from tilewise.lab.row import COLUMNS, Row
from tilewise.puzzle.board import Board

BOARDS = ("1b2 345 678", "312 b45 678", "142 35b 678")
SMALL = Experiment("small", [Part("all", [Boards(BOARDS)], heuristics=["manhattan", "zero"])])


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    run_experiment(SMALL, folder)
    return folder


def rows(folder: Path) -> list[Row]:
    with Store.open(folder) as store:
        return store.rows()


def test_a_row_has_every_counter_and_what_was_run(finished: Path) -> None:
    row = rows(finished)[0]
    assert set(row) == {*COLUMNS, "depth"}
    assert {counter.name for counter in COUNTERS} <= set(row)
    assert (row["instance"], row["depth"], row["cost"], row["moves"]) == ("1b2 345 678", 1, 1, "L")
    assert (row["engine"], row["status"], row["optimal"]) == ("native", "solved", True)
    assert (row["heuristic"], row["rules"], row["shape"], row["seed"]) == (
        "manhattan",
        "default",
        "3x3",
        0,
    )


def test_rows_come_in_the_order_of_the_definition(finished: Path) -> None:
    assert [(row["instance"], row["heuristic"]) for row in rows(finished)] == [
        (board, heuristic) for board in BOARDS for heuristic in ("manhattan", "zero")
    ]


def test_every_commit_waits_for_the_disk_and_the_log_is_kept(finished: Path) -> None:
    with Store.open_to_write(finished, "small") as store:
        pragmas = [
            store._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous")
        ]
    assert pragmas == ["wal", 2]


def test_a_second_run_does_nothing(finished: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(finished, tmp_path / "copy")
    before = rows(folder)
    summary = run_experiment(SMALL, folder)
    assert (summary.planned, summary.done_now) == (6, 0)
    assert rows(folder) == before


def test_a_larger_definition_does_only_what_is_new(finished: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(finished, tmp_path / "copy")
    more = Part("all", [Boards((*BOARDS, "b12 345 678"))], heuristics=["manhattan", "zero"])
    assert run_experiment(Experiment("small", [more]), folder).done_now == 2
    assert len(rows(folder)) == 8
    assert run_experiment(SMALL, folder).done_now == 0
    assert rows(folder) == rows(finished)


def test_a_run_that_two_parts_want_is_done_once_and_stands_in_both(tmp_path: Path) -> None:
    board = Board.parse(BOARDS[0])
    parts = [
        Part("one", [Boards((Instance(board, labels={"walk": 9}),))]),
        Part("two", [Boards((Instance(board, name="again"),))]),
    ]
    assert run_experiment(Experiment("x", parts), tmp_path).done_now == 1
    one, two = rows(tmp_path)
    assert (one["part"], one["walk"], two["part"], two["walk"]) == ("one", 9, "two", None)
    assert (one["key"], two["instance"]) == (two["key"], "again")


def test_cells_of_an_earlier_full_run_stay_in_the_tables(tmp_path: Path) -> None:
    parts = [
        Part("quick", [Boards(BOARDS[:1])]),
        Part("long", [Boards(BOARDS[1:])], full=True),
    ]
    experiment = Experiment("x", parts)
    assert run_experiment(experiment, tmp_path).done_now == 1
    assert run_experiment(experiment, tmp_path, full=True).done_now == 2
    assert run_experiment(experiment, tmp_path).done_now == 0
    assert [row["part"] for row in rows(tmp_path)] == ["quick", "long", "long"]


def test_a_run_that_breaks_is_recorded_and_the_rest_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import tilewise as tw\n"
        "@tw.heuristic('moody')\n"
        "def moody(goal):\n"
        "    return lambda board: 1 // (str(board) != '312 b45 678')\n",
        encoding="utf-8",
    )
    part = Part("all", [Boards(BOARDS)], heuristics=["moody"])
    experiment = Experiment("x", [part], load=[str(file)])
    assert run_experiment(experiment, tmp_path / "out").failed == 1
    broken = rows(tmp_path / "out")[1]
    assert broken["status"] == "failed"
    assert "ZeroDivisionError" in str(broken["reason"])
    assert [row["status"] for row in rows(tmp_path / "out")] == ["solved", "failed", "solved"]
    assert run_experiment(experiment, tmp_path / "out").done_now == 0
    assert run_experiment(experiment, tmp_path / "out", retry_failed=True).done_now == 1
    file.write_text(file.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    with pytest.raises(StoreError, match=r"expected mine.py as it was"):
        run_experiment(experiment, tmp_path / "out")


def measured(run: Run) -> dict[str, object]:
    """A measurement for the test below."""
    return {"length": len(run.board), "heuristic": run.heuristic}


def test_a_measurement_takes_the_place_of_a_search(tmp_path: Path) -> None:
    target = f"{__name__}:measured"
    part = Part("all", [Boards(BOARDS[:1])], [""], ["manhattan"], measure=target)
    measurement.cache_clear()
    run_experiment(Experiment("x", [part]), tmp_path)
    (row,) = rows(tmp_path)
    assert row["measured"] == {"length": 11, "heuristic": "manhattan"}
    assert (row["status"], row["cost"], row["generated"]) == ("measured", None, None)


def test_profiles_run_the_searches_of_their_courses(tmp_path: Path) -> None:
    parts = [
        Part("table", [Boards(("125 348 67b",))], ["beam(10)"], profile="eecs391-table"),
        Part("menu", [Boards(("012 453 786",))], ["ucs", "astar"], ["misplaced"], profile="cs170"),
        Part("driver", [Boards(("8,6,4,2,1,3,5,7,0",))], profile="columbia"),
        Part("tight", [Boards(("8b6 547 231",))], heuristics=["h1"], profile="eecs391"),
    ]
    run_experiment(Experiment("x", parts), tmp_path)
    found = {(str(r["part"]), str(r["algorithm"])): r for r in rows(tmp_path)}
    assert found["menu", "ucs"]["expanded"] == 28
    assert found["menu", "ucs"]["max_frontier"] == 18
    assert found["menu", "astar"]["expanded"] == 4
    assert found["driver", "astar"]["expanded"] == 1585
    tight = found["tight", "astar"]
    assert (tight["status"], tight["generated"], tight["max_nodes"]) == ("limit", 10_000, 10_000)
    assert tight["expanded"] is None


def test_two_stores_of_both_engines_have_the_same_counters(finished: Path, tmp_path: Path) -> None:
    run_experiment(SMALL, tmp_path, engine="python")
    differing = {"seconds", "peak_memory", "machine", "engine"}
    for one, other in zip(rows(finished), rows(tmp_path), strict=True):
        assert {n for n in one if one[n] != other[n]} <= differing


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_another_version_is_refused_and_left_alone(finished: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(finished, tmp_path / "copy")
    with sqlite3.connect(folder / "store.sqlite") as connection:
        connection.execute("PRAGMA user_version = 2")
    connection.close()
    before = digest(folder / "store.sqlite")
    for attempt in (Store.open, lambda path: run_experiment(SMALL, path)):
        with pytest.raises(StoreError, match="expected a store of version 1, got version 2"):
            attempt(folder)
    assert digest(folder / "store.sqlite") == before


def test_other_columns_are_refused_by_name(finished: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(finished, tmp_path / "copy")
    with sqlite3.connect(folder / "store.sqlite") as connection:
        connection.execute("ALTER TABLE runs ADD COLUMN luck INTEGER")
    connection.close()
    with pytest.raises(StoreError, match=r"table runs .* differs in luck"):
        run_experiment(SMALL, folder)


def test_a_store_without_a_newer_counter_is_read_and_gets_it_when_it_is_resumed(
    finished: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(finished, tmp_path / "copy")
    with sqlite3.connect(folder / "store.sqlite") as connection:
        connection.execute("ALTER TABLE runs DROP COLUMN reopened")
        connection.execute("DELETE FROM runs WHERE key = ?", (rows(finished)[0]["key"],))
    connection.close()
    assert {row["reopened"] for row in rows(folder)} == {None}
    assert run_experiment(SMALL, folder).done_now == 1
    assert [row["reopened"] for row in rows(folder)] == [0, *[None] * 5]


@pytest.mark.parametrize("damage", ["text", "header", "middle", "cut", "another"])
def test_a_damaged_file_is_refused_and_not_overwritten(
    damage: str, finished: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(finished, tmp_path / "copy")
    for beside in ("store.sqlite-wal", "store.sqlite-shm"):
        (folder / beside).unlink(missing_ok=True)
    file = folder / "store.sqlite"
    content = bytearray(file.read_bytes())
    if damage == "text":
        content = bytearray(b"my notes, which nobody has a copy of\n" * 100)
    elif damage == "header":
        content[:100] = os.urandom(100)
    elif damage == "middle":
        content[4096:] = os.urandom(len(content) - 4096)
    elif damage == "cut":
        content = content[: len(content) // 2]
    file.write_bytes(content)
    if damage == "another":
        file.unlink()
        with sqlite3.connect(file) as connection:
            connection.execute("CREATE TABLE mine (x)")
        connection.close()
    before = digest(file)
    for attempt in (Store.open, lambda path: run_experiment(SMALL, path)):
        with pytest.raises(StoreError):
            attempt(folder)
    assert digest(file) == before


def test_a_store_that_was_never_finished_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / "store.sqlite").touch()
    assert run_experiment(SMALL, tmp_path).done_now == 6


def test_a_folder_of_another_experiment_is_refused(finished: Path) -> None:
    with pytest.raises(StoreError, match="got one of small"):
        run_experiment(Experiment("other", SMALL.parts), finished)


def test_a_transaction_that_fails_leaves_the_store_as_it_was(
    finished: Path, tmp_path: Path
) -> None:
    shutil.copytree(finished, tmp_path / "copy")
    with Store.open_to_write(tmp_path / "copy", "small") as store:
        with pytest.raises(StoreError):
            store.plan([], "digest", {"title": object()})  # type: ignore[dict-item]
        assert len(store.rows()) == 6 and store.progress().planned == 6
    assert len(rows(tmp_path / "copy")) == 6


def test_a_run_that_is_done_again_keeps_its_first_row(finished: Path, tmp_path: Path) -> None:
    shutil.copytree(finished, tmp_path / "copy")
    run = SMALL.planned_runs()[0].run
    before = rows(tmp_path / "copy")
    with Store.open_to_write(tmp_path / "copy", "small") as store:
        assert store.add([(run, RunOutcome("failed", reason="again"))]) == 0
    assert rows(tmp_path / "copy") == before


def test_two_at_a_time_share_the_runs_and_do_none_twice(tmp_path: Path) -> None:
    part = Part("all", [Boards(BOARDS)], ["astar"], ["zero"], seeds=range(60))
    experiment = Experiment("x", [part])
    done: list[int] = []
    threads = [
        threading.Thread(target=lambda: done.append(run_experiment(experiment, tmp_path).done_now))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(done) == 180
    assert len(rows(tmp_path)) == 180


def test_a_lease_holds_until_it_is_given_back(finished: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(finished, tmp_path / "copy")
    known = str(rows(folder)[0]["key"])
    mine, yours = Leases(folder, "1"), Leases(folder, "1")
    assert mine.take(["a", "b", known]) == ({"a", "b"}, {known})
    assert yours.take(["a", "c"]) == ({"c"}, set())
    mine.close()
    assert yours.take(["a", "b"]) == ({"a", "b"}, set())
    yours.close()
    assert list(folder.glob("*.lock")) == []


def test_a_lease_that_is_not_renewed_ends(finished: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(finished, tmp_path / "copy")
    mine, yours = Leases(folder, "1"), Leases(folder, "1")
    mine.take(["a"])
    with sqlite3.connect(folder / "store.sqlite") as connection:
        connection.execute(f"UPDATE claims SET until = until - {LEASE_SECONDS}")
    connection.close()
    assert yours.take(["a"]) == ({"a"}, set())
    mine.close()
    yours.close()


def test_an_export_has_every_row_and_column(finished: Path, tmp_path: Path) -> None:
    found = rows(finished)
    export(found, tmp_path / "rows.csv")
    export(found, tmp_path / "rows.parquet")
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as stream:
        lines = list(csv.DictReader(stream))
    assert [line["key"] for line in lines] == [row["key"] for row in found]
    table = polars.read_parquet(tmp_path / "rows.parquet")
    assert table.to_dicts() == found
    assert table.schema["generated"] == polars.Int64
    assert table.schema["optimal"] == polars.Boolean
    assert {column.name for column in OUTCOME_COLUMNS} <= set(table.columns)


def test_an_export_needs_a_known_ending_and_leaves_no_half_files(
    finished: Path, tmp_path: Path
) -> None:
    for name in ("rows.xlsx", "rows", "nowhere/rows.csv"):
        with pytest.raises(SpecError):
            export(rows(finished), tmp_path / name)
    assert list(tmp_path.iterdir()) == []

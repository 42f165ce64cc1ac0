"""The command explain, as people call it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tilewise.cli.app import run

Run = Callable[..., subprocess.CompletedProcess[str]]

BOARD = "867 254 3b1"


def test_one_step_shows_the_node_the_reason_the_open_list_and_other_rules(tilewise: Run) -> None:
    done = tilewise("explain", BOARD, "--step", "5", "--show", "2")
    assert done.returncode == 0
    assert done.stdout == (
        """\
867 254 3b1: astar, linear_conflict, goal first

step 5: the expansion of node 9, g = 4, h = 17, f = 21
from the start by RULL
  8 6 7
  . 2 5
  3 1 4

why: f = 21 ties with 4 others; smallest h (17) ties with 2 others; newest
tied with it: nodes 8, 7, 5, 1

open list, 6 in the order in which they will be taken:
  place  node  g   h   f  move  board
      1     9  4  17  21  L     867 b25 314
      2     8  4  17  21  D     867 215 3b4
  ... 4 more (--show N shows N of them)

other rules would take from this open list:
  ties to the smaller h, then the newest  the same
  ties to the smaller h, then the oldest  node 7
  ties to the larger h, then the newest   node 1
  ties to the larger h, then the oldest   node 1
  ties to the newest                      the same
  ties to the oldest                      node 1
  greedy: smallest h                      the same
  ucs: smallest g                         node 1

A* in pseudo-code; -> marks this step:
   put the start on the open list
   while the open list is not empty:
       take the node with the smallest f = g + h
       if a cheaper path to its state was found since: skip it
       if it is the goal: return the path to it
->     expand it: make its successors; for each of them:
           if its state is known by a path no longer: throw it away
           else if its state was expanded before: put it on the open list again
           else: put it on the open list
   report that there is no solution
"""
    )


def test_without_a_step_the_first_ones_are_listed(tilewise: Run) -> None:
    done = tilewise("explain", "125 34b 678", "-a", "bfs", "--steps", "3")
    assert done.stdout == (
        """\
125 34b 678: bfs, goal first

step  node  g  open  board        why
   1     0  0     1  125 34b 678  the only node on the open list
   2     1  1     3  12b 345 678  g = 1 ties with 2 others; oldest
   3     2  1     3  125 348 67b  g = 1 ties with 1 other; oldest
"""
    )


def test_json_has_every_step_as_an_object(tilewise: Run) -> None:
    done = tilewise("explain", "125 34b 678", "--json", "--show", "1")
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    assert [step["node"] for step in steps] == [0, 1, 4, 6]
    assert [step["kind"] for step in steps] == ["expand", "expand", "expand", "goal"]
    assert all(len(step["open"]) == 1 for step in steps)
    one = tilewise("explain", "125 34b 678", "--json", "--step", "2")
    assert json.loads(one.stdout)["reason"] == "f = 3 is the smallest"


def test_the_profiles_that_can_be_watched_are_explained(tilewise: Run) -> None:
    columbia = tilewise("explain", "8,6,4,2,1,3,5,7,0", "--profile", "columbia", "--step", "40")
    assert "why: f = 22 ties with 11 others; oldest" in columbia.stdout
    cs170 = tilewise("explain", "1 3 6/5 0 7/4 8 2", "--profile", "cs170", "--step", "12")
    assert "cs170, manhattan, goal last" in cs170.stdout
    beam = tilewise("explain", BOARD, "--profile", "eecs391", "-a", "beam(width=4)", "--step", "3")
    assert "eecs391-beam(width=4), h1 + h2, goal first" in beam.stdout
    other = tilewise("explain", BOARD, "--profile", "eecs391", "--rules", "fifo")
    assert other.returncode == 2 and "expected --profile or --rules, got both" in other.stderr


def test_a_narrow_terminal_gets_whole_words(tilewise: Run) -> None:
    done = tilewise("explain", BOARD, "-a", "idastar", "--steps", "4", env={"COLUMNS": "60"})
    assert max(map(len, done.stdout.splitlines())) <= 60


def test_a_worksheet_goes_to_the_output_or_to_a_file(tilewise: Run, tmp_path: Path) -> None:
    shown = tilewise("explain", "125 34b 678", "--worksheet")
    assert shown.stdout.startswith("# A\\* with manhattan, step by step\n")
    assert shown.stdout.count("## Step 4") == 2
    for name, start in (("sheet.html", "<!DOCTYPE html>"), ("sheet.md", "# A\\*")):
        done = tilewise("explain", "125 34b 678", "--worksheet", "-o", name)
        assert done.stdout == f"wrote {name}\n"
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_an_unsolvable_board_is_explained_by_its_parity(tilewise: Run) -> None:
    done = tilewise("explain", "1 2 3/4 5 6/8 7 0", "--step", "3")
    assert done.returncode == 10
    assert "cannot reach" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--step", "0"], "expected a whole number of at least 1 for --step, got '0'"),
        (["--step", "7"], "expected a step from 1 to 4, got 7"),
        (["--steps", "9999999"], "at most 100,000 for --steps"),
        (["--step", "1", "--steps", "2"], "expected --step N for one, or --steps N"),
        (["--worksheet", "--json"], "expected --worksheet, or --step or --json: not both"),
        (["--worksheet", "--steps", "41"], "at most 40 for --steps"),
        (["-o", "x.html"], "expected --output together with --worksheet"),
        (["--worksheet", "-o", "x.pdf"], "expected a file ending in .md or .html, got 'x.pdf'"),
        (["--worksheet", "-o", "no/x.md"], "No such file or directory: 'no/x.md'"),
        (["--worksheet", "-a", "rbfs"], "expected an algorithm with a worksheet"),
        (["--profile", "mit"], "expected a profile eecs391"),
        (["--profile", "cs170", "-a", "bfs"], "expected ucs or astar for the profile cs170"),
        (["--profile", "columbia", "--rules", "fifo"], "expected --profile or --rules, got both"),
        (["-a", "bfs", "-H", "manhattan"], "expected no heuristic for bfs"),
    ],
)
def test_what_makes_no_sense_gets_one_clear_line(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["explain", "125 34b 678", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err
    assert said.err.count("\n") == 1

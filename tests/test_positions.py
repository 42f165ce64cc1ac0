"""The same text means the same board and goal to everything that reads it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

import tilewise as tw
from tests.conftest import Run
from tilewise.checking import check_board
from tilewise.cli.play import new_game
from tilewise.comparing import Pairing, compare
from tilewise.core.limits import Limits
from tilewise.hints import find_route
from tilewise.lab.instances import Boards, FromFile
from tilewise.traces.watched import watch


class Case(NamedTuple):
    """A text, the goal that is named, and what they mean; no cost: it cannot be solved."""

    text: str
    named: str | None
    board: str
    goal: str
    cost: int | None
    note: str | None = None


ALREADY = "goal: {} (this board already is that goal)"
OTHER = "goal: {} (the goal {} cannot be reached from this board)"
CASES = [
    Case("1 2 3/4 0 6/7 5 8", None, "123 4b6 758", "last", 2),
    Case("1 2 3\n4 0 6\n7 5 8", None, "123 4b6 758", "last", 2),
    Case("123 4b6 758", None, "123 4b6 758", "first", 20),
    Case("1,2,3,4,0,6,7,5,8", None, "123 4b6 758", "first", 20),
    Case("[[1,2,3],[4,0,6],[7,5,8]]", None, "123 4b6 758", "first", 20),
    Case("1 2 3/4 0 6/7 5 8", "first", "123 4b6 758", "first", 20),
    Case("123 4b6 758", "last", "123 4b6 758", "last", 2),
    Case("3\n1 2 3\n8 4 0\n7 6 5", None, "123 84b 765", "snail", 1),
    Case("b12 345 678", None, "b12 345 678", "first", 0),
    Case("1 2 3/4 5 6/7 8 0", None, "123 456 78b", "last", 0),
    Case("1 2 3 4 5 6 7 8 0", None, "123 456 78b", "last", 0, ALREADY.format("last")),
    Case("0 1 2/3 4 5/6 7 8", None, "b12 345 678", "first", 0, ALREADY.format("first")),
    Case("123 8b4 765", None, "123 8b4 765", "snail", 0, ALREADY.format("snail")),
    Case("1 2 3 4 5 6 7 8 0", "first", "123 456 78b", "first", 22),
    Case("123 456 78b --goal first", None, "123 456 78b", "first", 22),
    Case("123 456 78b --goal first", "last", "123 456 78b", "last", 0),
    Case("123 b84 765 --goal 1,2,3,8,0,4,7,6,5", None, "123 b84 765", "snail", 1),
    Case("1,0,3,2", None, "1b 32", "last", 1, OTHER.format("last", "first")),
    Case("1 0/2 3", None, "1b 23", "first", 1, OTHER.format("first", "last")),
    Case("21b 345 678", None, "21b 345 678", "first", None),
    Case("2 1 3/4 5 6/7 8 0", None, "213 456 78b", "last", None),
]
IDS = [f"{case.text!r} {case.named or ''}" for case in CASES]
every_case = pytest.mark.parametrize("case", CASES, ids=IDS)
SHOWN = {0, 2, 5, 7, 10, 14, 17, 18, 19}
"""Where in the list every kind of text, goal and note stands once."""
some_cases = pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=name, marks=() if place in SHOWN else pytest.mark.full)
        for place, (case, name) in enumerate(zip(CASES, IDS, strict=True))
    ],
)
"""For the program: that the other texts mean the same is shown without it."""


def options(case: Case) -> list[str]:
    return [case.text] if case.named is None else [case.text, "--goal", case.named]


@every_case
def test_the_python_interface_reads_it_so(case: Case) -> None:
    position = tw.read_position(case.text, case.named)
    meant = (str(position.board), position.goal.name, position.note)
    assert meant == (case.board, case.goal, case.note)
    assert position.solvable == (case.cost is not None)
    result = tw.solve(case.text, goal=case.named)
    assert (str(result.board), result.goal.name, result.cost) == (case.board, case.goal, case.cost)
    assert case.cost is None or result.note == case.note
    assert tw.trace(case.text, goal=case.named).result.cost == case.cost
    (same,) = tw.solve_many([case.text], goal=case.named)
    assert (same.goal, same.cost) == (result.goal, result.cost)
    checked = check_board(case.text, case.named)
    assert (checked.goal, checked.note) == (position.goal, position.note)
    assert checked.distance == case.cost or len(checked.board.tiles) < 9
    (compared,) = compare(case.text, case.named, [Pairing("bidirectional", None)])
    assert (compared.goal, compared.cost) == (position.goal, case.cost)
    watched = watch(case.text, goal=case.named or "auto")
    assert (watched.board, watched.goal) == (position.board, position.goal)
    if case.cost is not None:
        assert find_route(case.text, case.named, Limits(seconds=5)).distance == case.cost


@some_cases
def test_solve_and_check_speak_of_the_same_goal_and_end_with_the_same_code(
    tilewise: Run, case: Case
) -> None:
    code = 10 if case.cost is None else 0
    solved, checked = (tilewise(name, *options(case), "--json") for name in ("solve", "check"))
    assert (solved.returncode, checked.returncode) == (code, code)
    answers = [json.loads(run.stdout) for run in (solved, checked)]
    assert [(each["board"], each["goal"]) for each in answers] == [(case.board, case.goal)] * 2
    assert answers[0]["cost"] == case.cost and answers[1]["note"] == case.note
    page = tilewise("check", *options(case)).stdout.splitlines()
    assert f", goal {case.goal}" in page[1 if case.note else 0]
    if case.cost is not None:
        line = tilewise("solve", *options(case)).stdout.splitlines()
        assert line[0] == (case.note or line[0]) and line[1 if case.note else 0].startswith(
            f"{case.cost} move"
        )
        assert any(f", goal {case.goal}, " in each for each in line)
        assert case.note is None or page[0] == case.note


@some_cases
def test_compare_explain_and_trace_speak_of_the_same_goal(tilewise: Run, case: Case) -> None:
    compared = tilewise("compare", *options(case), "-a", "astar", "--json")
    answer = json.loads(compared.stdout)
    assert (answer["board"], answer["goal"]) == (case.board, case.goal)
    assert answer["cost"] == case.cost
    exported = tilewise("trace", "export", *options(case))
    explained = tilewise("explain", *options(case))
    if case.cost is None:
        assert (exported.returncode, explained.returncode) == (10, 10)
        return
    header = json.loads(exported.stdout.splitlines()[0])
    assert (header["board"], len(header["moves"])) == (case.board, case.cost)
    assert exported.stderr == (f"tilewise: {case.note}\n" if case.note else "")
    checked = tilewise("trace", "check", "-", input=exported.stdout)
    assert f", goal {case.goal}, " in checked.stdout.splitlines()[0]
    lines = explained.stdout.splitlines()
    assert f", goal {case.goal}" in lines[1 if case.note else 0]
    assert case.note is None or lines[0] == case.note


ONE_EXPANDED = ("--count", "1", "--counter", "expanded")


@some_cases
def test_the_doctors_speak_of_the_same_goal(tilewise: Run, case: Case) -> None:
    zoo = tilewise("zoo", "no-closed-list", *options(case), "--json")
    why = tilewise("why", *options(case), *ONE_EXPANDED, "-a", "bfs", "--json")
    if case.cost is None:
        assert (zoo.returncode, why.returncode) == (10, 10)
        return
    shown = json.loads(zoo.stdout)["run"]
    assert (shown["goal"], shown["cost"], shown["note"]) == (case.goal, case.cost, case.note)
    (seen,) = json.loads(why.stdout)["observations"]
    meant = tw.read_position(seen["board"], seen["goal"])
    assert (str(meant.board), meant.goal.name) == (case.board, case.goal)


@every_case
def test_games_and_experiments_have_the_same_goal(case: Case, tmp_path: Path) -> None:
    (drawn,) = Boards((case.text,), goal=case.named or "").draw(0)
    assert (str(drawn.board), drawn.goal) == (case.board, case.goal)
    if case.named is None:
        file = tmp_path / "boards.txt"
        file.write_text(case.text + "\n", encoding="utf-8")
        (drawn,) = FromFile(str(file)).draw(0)
        assert (str(drawn.board), drawn.goal) == (case.board, case.goal)
    if case.cost is None:
        with pytest.raises(tw.TilewiseError, match="no moves lead from"):
            new_game(case.text, case.named or "auto", None, None)
        return
    game = new_game(case.text, case.named or "auto", None, None)
    assert (str(game.board), game.goal.name, game.note) == (case.board, case.goal, case.note)


def test_a_trace_without_a_goal_in_its_header_has_that_of_its_board(tilewise: Run) -> None:
    trace = '{"format": "tilewise-trace", "version": 1, "board": "1 2 3/4 5 6/7 0 8"}\n'
    events = '{"kind": "expand", "board": "1 2 3/4 5 6/7 0 8"}\n'
    done = tilewise("trace", "check", "-", input=trace + events)
    assert done.stdout.splitlines()[0] == "1 2 3/4 5 6/7 0 8: no algorithm claimed, goal last"


def test_a_board_that_cannot_be_read_is_refused_with_its_goal_left_aside() -> None:
    with pytest.raises(tw.TilewiseError, match=r"expected 9 tiles .*: '123 456 78'$"):
        tw.read_position("123 456 78 --goal first")
    with pytest.raises(tw.TilewiseError, match=r"got 'frist' \(did you mean first\?\)"):
        tw.read_position("123 456 78b --goal frist")
    with pytest.raises(tw.TilewiseError, match="expected a goal first, last, snail or a board"):
        tw.solve("123 456 78b", goal=7)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "costs"),
    [
        ("8 1 3 4 0 2 7 6 5", [22]),
        ("solve 8 1 3 4 0 2 7 6 5", [22]),
        ("8b6 547 231", [31]),
        ("solve 8b6 547 231", [31]),
        ("solve 1 2 3/4 0 6/7 5 8", [2]),
        ("b 1 2 3 4 5 6 7 8", [0]),
        ("solve 1, 2, 5, 3, 4, 0, 6, 7, 8", [3]),
        ("0,1,2,3 4,5,6,7 8,9,10,11 12,13,14,15", [0]),
        ("solve 1023 2130 10,3,2", None),
        ("solve 1023 2130", [1, 2]),
        ("1023 1,2,0,3,4,5,6,7,8", [1, 2]),
        ("solve 123 456 78b --goal first", [22]),
        ("8 1 3 4 0 2 7 6 5 -a bfs", [22]),
    ],
)
def test_a_board_needs_no_quotes(tilewise: Run, words: str, costs: list[int] | None) -> None:
    done = tilewise(*words.split(), "--json")
    if costs is None:
        assert done.returncode == 2 and "'10,3,2'" in done.stderr
        return
    assert done.stderr == ""
    assert [json.loads(line)["cost"] for line in done.stdout.splitlines()] == costs


def test_words_that_make_no_board_are_quoted_together(tilewise: Run) -> None:
    for words in ("8 1 3 4 0 2 7 6", "solve 8 1 3 4 0 2 7 6"):
        done = tilewise(*words.split())
        assert done.returncode == 2 and done.stderr.endswith("got 8: '8 1 3 4 0 2 7 6'\n")


def test_a_board_of_several_words_can_be_saved_and_certified(tilewise: Run, tmp_path: Path) -> None:
    more = ("--certificate", "proof.json", "--save", "picture.svg")
    assert tilewise("solve", "1b2", "345", "678", *more).returncode == 0
    assert (tmp_path / "picture.svg").exists()
    assert tilewise("verify", "proof.json").returncode == 0


def printed_boards(text: str, between: str) -> list[str]:
    """The boards that stand in a text at a place."""
    found = re.findall(between, " ".join(text.split()))
    assert found, text
    return found


GOALS = ["first", "last", "snail", "213 456 78b"]
NOTATIONS = [None, "slidysim", "columbia", "grid", "42", "json"]


@pytest.mark.parametrize(
    ("goal", "notation"),
    [
        pytest.param(goal, notation, marks=() if (n - g) % 4 == 0 else pytest.mark.full)
        for g, goal in enumerate(GOALS)
        for n, notation in enumerate(NOTATIONS)
    ],
)
def test_boards_of_exact_depth_carry_their_goal(
    tilewise: Run, goal: str, notation: str | None
) -> None:
    chosen = [] if notation is None else ["--to", notation]
    drawn = tilewise("scramble", "3x3", "--depth", "7", "-n", "3", "--goal", goal, *chosen)
    solved = tilewise("solve", "--file", "-", "--json", input=drawn.stdout)
    answers = [json.loads(line) for line in solved.stdout.splitlines()]
    assert [(each["cost"], each["goal"]) for each in answers] == [(7, goal)] * 3


@pytest.mark.parametrize("goal", ["first", "last", "snail"])
def test_the_boards_of_the_doctors_and_of_a_space_mean_their_goal(tilewise: Run, goal: str) -> None:
    space = tilewise("space", "2x3", "--goal", goal).stdout.splitlines()
    audited = tilewise("audit", "zoo:blank-counted", "--shape", "2x3", "--goal", goal).stdout
    nearest = printed_boards(audited, r"the nearest: ([^:]+?), h = ")
    nearest += printed_boards(audited, r"NOT admissible: h = \d+ for (.+?), 1 move from")
    for text in [space[-1].strip(), *nearest]:
        assert tw.read_position(text).goal == tw.Goal.named(goal, 2, 3)


def test_the_boards_of_the_count_doctor_mean_their_goal(tilewise: Run) -> None:
    board = "1 2 3/5 0 7/4 8 6"
    done = tilewise("why", board, "--count", "9", "--counter", "expanded", "-a", "astar")
    assert done.returncode == 0
    texts = printed_boards(done.stdout, r"count on (\S+) \d")
    texts += printed_boards(done.stdout, r"can miss the optimum: (.+?) is solved in")
    texts += printed_boards(done.stdout, r"^(\S+), goal last: 9 expanded")
    for text in texts:
        assert tw.read_position(text).goal.name == "last"


def test_the_boards_next_to_an_unsolvable_one_mean_its_goal(tilewise: Run) -> None:
    for name in ("solve", "check"):
        done = tilewise(name, "1 2 3/4 5 6/8 7 0")
        boards = re.findall(r"^  (.+?)   \(swap", done.stdout, re.MULTILINE)
        assert len(boards) == 3 and done.returncode == 10
        assert all(tw.read_position(each).goal.name == "last" for each in boards)
        assert all(tw.read_position(each).solvable for each in boards)


def test_a_converted_board_keeps_the_goal_that_it_carries(tilewise: Run) -> None:
    done = tilewise("convert", "123 456 78b --goal first", "--to", "slidysim")
    assert done.stdout == "1 2 3/4 5 6/7 8 0 --goal first\n"


def test_the_boards_of_a_suite_keep_its_goal_though_one_is_a_goal_itself(tilewise: Run) -> None:
    done = tilewise("solve", "--suite", "korf100", "-a", "human", "--json")
    assert {json.loads(line)["goal"] for line in done.stdout.splitlines()} == {"first"}

"""`tilewise solve`: what it prints, in which order, and with which exit code."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tilewise as tw
from tests.oracles.puzzle import distances, neighbours, replayed, shuffled
from tilewise import COUNTERS, Board, Goal
from tilewise.defaults import FASTEST

Run = Callable[..., subprocess.CompletedProcess[str]]

EASY = "1b2 345 678"
HARD = "8b6 547 231"
SWAPPED = "21b 345 678"
SLOW = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
STUCK = "647 85b 321"

KEYS = {
    "name",
    "note",
    "board",
    "status",
    "cost",
    "moves",
    "goal",
    "algorithm",
    "heuristic",
    "rules",
    "engine",
    "bound",
    "gap",
    "optimal",
    "stopped_by",
    "stopped_at",
    "stats",
}

OWN = '''
import tilewise as tw
from tilewise.core.result import Outcome


@tw.heuristic("half", admissible=True)
def half(goal):
    """Half of the Manhattan distance."""
    manhattan = tw.make_heuristic("manhattan", goal)
    return lambda board: manhattan(board) // 2


@tw.algorithm("first_legal")
def first_legal(problem, heuristic, meter, rules, observer, *, steps: int = 1):
    """The first legal moves, whatever comes."""
    stats, state, moves = tw.Stats(), problem.start, ""
    while len(moves) < steps:
        move, state = problem.successors(state)[0]
        moves += move
    return Outcome(tw.Status.SOLVED, moves, stats)
'''


def objects(run: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    """The JSON objects that a run printed, one a line."""
    return [json.loads(line) for line in run.stdout.splitlines()]


def solved(tilewise: Run, *args: str) -> dict[str, Any]:
    """The only JSON object of a run that must end well."""
    run = tilewise("solve", "--json", *args)
    assert (run.returncode, run.stderr) == (0, "")
    (answer,) = objects(run)
    return answer


def test_a_board_alone_gets_a_page_with_moves_search_and_every_counter(tilewise: Run) -> None:
    run = tilewise("solve", HARD)
    lines = run.stdout.splitlines()
    assert (run.returncode, run.stderr) == (0, "")
    moves = lines[0].removeprefix("31 moves, optimal: ")
    assert replayed(Board.parse(HARD), moves) == Goal.blank_first(3, 3).board.tiles
    assert "astar, linear_conflict, goal first" in run.stdout
    shown = re.findall(r"([a-z_]+) +([\d,.]+)", "\n".join(lines[3:]))
    assert [name for name, _ in shown] == [counter.name for counter in COUNTERS]
    assert dict(shown)["generated"] == f"{tw.solve(HARD).stats.generated:,}"


def test_the_json_object_has_every_key_and_every_counter(tilewise: Run) -> None:
    answer = solved(tilewise, HARD)
    assert set(answer) == KEYS
    assert set(answer["stats"]) == {counter.name for counter in COUNTERS}
    result = tw.solve(HARD)
    for key in ("seconds", "peak_memory"):
        assert answer["stats"].pop(key) > 0
    assert answer["stats"].items() <= result.to_dict()["stats"].items()
    assert (answer["status"], answer["cost"], answer["optimal"]) == ("solved", 31, True)
    assert answer["moves"] == result.moves
    assert (answer["name"], answer["board"], answer["goal"]) == (HARD, HARD, "first")
    assert (answer["algorithm"], answer["heuristic"]) == ("astar", "linear_conflict")
    assert (answer["rules"], answer["note"]) == ("default", None)


def test_what_was_asked_for_is_in_the_object_in_its_normal_form(tilewise: Run) -> None:
    answer = solved(
        tilewise, HARD, "-a", "wastar( 3/2 )", "-H", "max( h1,h2 )", "--rules", "ties=lifo"
    )
    assert answer["algorithm"] == "wastar(weight=1.5)"
    assert answer["heuristic"] == "max(misplaced, manhattan)"
    assert answer["rules"] == "ties=newest"
    assert answer["optimal"] is False and answer["stats"]["expanded_below_cost"] is None


def test_the_rules_of_a_course_give_the_count_of_the_course(tilewise: Run) -> None:
    board = "8,6,4,2,1,3,5,7,0"
    answer = solved(tilewise, board, "-a", "astar", "-H", "manhattan", "--rules", "columbia")
    assert (answer["stats"]["expanded"], answer["cost"]) == (1585, 26)


def test_each_notation_means_its_own_goal(tilewise: Run) -> None:
    boards = {
        "1b2 345 678": "first",
        "1,0,2,3,4,5,6,7,8": "first",
        "1 0 2 3 4 5 6 7 8": "first",
        "1 2 3\n4 5 6\n7 0 8": "last",
        "1 2 3/4 5 6/7 0 8": "last",
        "3\n1 2 3\n0 8 4\n7 6 5": "snail",
        "[[1,0,2],[3,4,5],[6,7,8]]": "first",
    }
    run = tilewise("solve", "--json", *boards)
    assert run.returncode == 0
    goals = [(answer["cost"], answer["goal"], answer["note"]) for answer in objects(run)]
    assert goals == [(1, goal, None) for goal in boards.values()]


@pytest.mark.parametrize(
    ("goal", "cost", "named"),
    [("last", 22, "last"), ("auto", 0, "first"), ("12b 345 678", 2, "12b 345 678")],
)
def test_a_goal_that_is_named_is_the_goal(tilewise: Run, goal: str, cost: int, named: str) -> None:
    answer = solved(tilewise, "b12 345 678", "--goal", goal)
    assert (answer["cost"], answer["goal"], answer["note"]) == (cost, named, None)


def test_where_only_the_other_corner_can_be_reached_the_first_line_says_so(tilewise: Run) -> None:
    board = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15"
    said = "goal: last (the goal first cannot be reached from this board)"
    assert tilewise("solve", board).stdout.splitlines()[:2] == [said, "1 move, optimal: R"]
    line, other = tilewise("solve", board, EASY).stdout.splitlines()
    assert line == f"{board}: 1 move, optimal: R  ({said})"
    assert said not in other
    assert solved(tilewise, board)["note"] == said


def test_a_goal_that_was_named_is_never_exchanged(tilewise: Run) -> None:
    run = tilewise("solve", "12 3b", "--goal", "first", "--json")
    (answer,) = objects(run)
    assert (run.returncode, answer["status"], answer["goal"]) == (10, "unsolvable", "first")


def test_an_unsolvable_board_is_explained_and_nearby_boards_are_solvable(tilewise: Run) -> None:
    run = tilewise("solve", SWAPPED)
    assert (run.returncode, run.stderr) == (10, "")
    assert run.stdout.startswith("21b 345 678 cannot reach b12 345 678.\n")
    assert "(blank 2) take 1 in all, which is odd" in run.stdout
    assert "2 steps from home, which is even" in run.stdout
    nearest = re.findall(r"^  (\S+ \S+ \S+)   \(swap (\d) and (\d)\)$", run.stdout, re.MULTILINE)
    assert len(nearest) == 3
    for text, one, two in nearest:
        swapped = SWAPPED.translate(str.maketrans(one + two, two + one))
        assert text == swapped
        assert Board.parse(text).tiles in distances(Goal.blank_first(3, 3))


def test_an_unsolvable_board_has_no_moves_in_json_and_says_why(tilewise: Run) -> None:
    run = tilewise("solve", SWAPPED, "--json")
    (answer,) = objects(run)
    assert run.returncode == 10
    assert (answer["status"], answer["moves"], answer["cost"]) == ("unsolvable", None, None)
    assert "odd number of swaps" in answer["note"] and answer["stats"]["generated"] == 0


@pytest.mark.parametrize(
    ("args", "status"),
    [
        ([HARD, "-a", "astar", "--max-nodes", "1,000"], "limit"),
        ([HARD, "-a", "idastar", "--max-nodes", "1000"], "limit"),
        ([SLOW, "-a", "bfs", "--memory", "1"], "limit"),
        ([SLOW, "-a", "astar", "--seconds", "0.01"], "limit"),
        ([STUCK, "-a", "hill_climbing"], "stuck"),
    ],
)
def test_a_limit_or_a_dead_end_is_exit_code_20_with_the_figures_so_far(
    tilewise: Run, args: list[str], status: str
) -> None:
    run = tilewise("solve", "--json", *args)
    (answer,) = objects(run)
    assert (run.returncode, run.stderr) == (20, "")
    assert (answer["status"], answer["moves"], answer["optimal"]) == (status, None, False)
    assert answer["stats"]["expanded"] > 0
    if "--max-nodes" in args:
        assert answer["stats"]["generated"] == 1000


def test_enormous_limits_are_refused_with_the_largest_that_will_do(tilewise: Run) -> None:
    for option in ("--max-nodes", "--seconds", "--memory", "--trace", "--threads"):
        run = tilewise("solve", HARD, f"{option}={'9' * 25}")
        assert (run.returncode, run.stdout) == (2, "")
        assert re.search(rf"at most [\d,]+.* for {option}, got '9{{25}}'", run.stderr)


def test_the_page_of_a_limit_shows_the_figures_so_far(tilewise: Run) -> None:
    run = tilewise("solve", HARD, "-a", "astar", "--max-nodes", "10")
    assert run.returncode == 20
    assert run.stdout.startswith(
        "no solution within the limits: stopped by nodes (10 of 10); at least 23 are needed\n"
    )
    assert re.search(r"\bgenerated +10\b", run.stdout)


def test_a_search_that_nobody_named_ends_as_people_do_and_says_so(tilewise: Run) -> None:
    answer = solved(tilewise, SLOW, "--max-nodes", "500")
    assert (answer["algorithm"], answer["optimal"], answer["status"]) == ("human", False, "solved")
    assert f"{FASTEST} reached its limit" in answer["note"] and "500 nodes" in answer["note"]
    goal = Goal.blank_first(4, 4).board.tiles
    assert replayed(Board.parse(SLOW), answer["moves"]) == goal
    page = tilewise("solve", SLOW, "--max-nodes", "500").stdout.splitlines()
    assert page[0].startswith("not optimal: ") and "; at least " in page[1]


def test_the_largest_board_is_solved_as_people_do(tilewise: Run) -> None:
    board = shuffled(Goal.blank_first(16, 16), seed=3)
    answer = solved(tilewise, board.to("columbia"), "-a", "human", "--goal", "first")
    assert replayed(board, answer["moves"]) == Goal.blank_first(16, 16).board.tiles


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["solve", EASY, SWAPPED, EASY], 10),
        (["solve", SWAPPED, STUCK, EASY, "-a", "hill_climbing"], 20),
        (["solve", EASY, HARD], 0),
    ],
)
def test_the_exit_code_of_several_boards_is_the_worst(
    tilewise: Run, args: list[str], code: int
) -> None:
    run = tilewise(*args)
    assert run.returncode == code
    assert [line.partition(":")[0] for line in run.stdout.splitlines()] == [
        text for text in args if " " in text
    ]


def test_boards_of_different_shapes_may_be_mixed(tilewise: Run) -> None:
    run = tilewise("solve", "--json", "12 3b", EASY, "3x2:1,2,3,4,0,5", "2x5:0,1,2,3,4,5,6,7,8,9")
    assert run.returncode == 0
    shapes = [Board.parse(answer["board"]).shape for answer in objects(run)]
    assert shapes == ["2x2", "3x3", "3x2", "2x5"]


def test_moves_of_the_tile_are_the_opposite_ones(tilewise: Run) -> None:
    blank = solved(tilewise, HARD)["moves"]
    tile = solved(tilewise, HARD, "--moves", "tile")["moves"]
    assert tile == blank.translate(str.maketrans("UDLR", "DURL"))
    page = tilewise("solve", HARD, "--moves", "tile").stdout
    assert page.startswith(f"31 moves, optimal: {tile} (of the tiles)\n")


def shortest_paths(board: Board, goal: Goal) -> set[str]:
    """Every shortest solution, by going down the true distances."""
    distance = distances(goal)
    paths = {("", board.tiles)}
    for left in range(distance[board.tiles], 0, -1):
        paths = {
            (moves + move, made)
            for moves, tiles in paths
            for move, made in neighbours(tiles, board.columns)
            if distance[made] == left - 1
        }
    return {moves for moves, _ in paths}


def test_all_shows_every_optimal_solution_and_their_number(tilewise: Run) -> None:
    expected = shortest_paths(Board.parse(HARD), Goal.blank_first(3, 3))
    answer = solved(tilewise, HARD, "--all")
    assert answer["solution_count"] == len(answer["solutions"]) == len(expected) == 40
    assert set(answer["solutions"]) == expected
    page = tilewise("solve", HARD, "--all").stdout
    assert "\n40 optimal solutions:\n" in page
    assert set(re.findall(r"^  ([UDLR]{31})$", page, re.MULTILINE)) == expected


@pytest.mark.parametrize("args", [[], ["-a", "idastar", "-H", "manhattan"], ["-a", "bfs"]])
def test_all_solutions_do_not_depend_on_the_search(tilewise: Run, args: list[str]) -> None:
    board = Board.parse("2x3:4,5,0,1,2,3")
    answer = solved(tilewise, "2x3:4,5,0,1,2,3", "--all", "--goal", "first", *args)
    assert set(answer["solutions"]) == shortest_paths(board, Goal.blank_first(2, 3))


def test_a_start_on_the_goal_has_one_solution_of_no_moves(tilewise: Run) -> None:
    answer = solved(tilewise, "b12 345 678", "--all", "--pretty")
    assert (answer["cost"], answer["moves"]) == (0, "")
    assert (answer["solutions"], answer["solution_count"]) == ([""], 1)


def test_a_trace_shows_the_first_events_as_the_api_gives_them(tilewise: Run) -> None:
    answer = solved(tilewise, HARD, "-a", "astar", "-H", "manhattan", "--trace", "7")
    trace = tw.trace(HARD, algorithm="astar", heuristic="manhattan", events=7)
    shown = [(event["seq"], event["kind"], event["board"]) for event in answer["events"]]
    assert shown == [(event.seq, event.kind.value, str(event.board)) for event in trace]
    assert len(shown) == 7
    assert (answer["event_count"], int(answer["event_digest"], 16)) == (trace.count, trace.digest)


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        (["--trace", HARD], 50),
        ([HARD, "--trace"], 50),
        ([HARD, "--trace", "3"], 3),
        (["--trace=3", HARD], 3),
        (["--trace", "3", HARD, "--pretty"], 3),
    ],
)
def test_a_trace_may_stand_without_its_number(tilewise: Run, args: list[str], shown: int) -> None:
    run = tilewise("solve", *args)
    rows = re.findall(r"^ *(\d+)  (start|expand|generate|duplicate)\b", run.stdout, re.MULTILINE)
    assert (run.returncode, len(rows)) == (0, shown)
    assert f"events in all, {13_954 - shown:,} not shown" in run.stdout


def test_each_of_several_boards_gets_its_trace(tilewise: Run) -> None:
    run = tilewise("solve", EASY, "12b 345 678", "--trace")
    assert run.returncode == 0
    assert len(re.findall(r"^ *0  start\b", run.stdout, re.MULTILINE)) == 2


@pytest.mark.parametrize("columns", [20, 47, 80, 400])
def test_pretty_boards_stand_side_by_side_as_wide_as_the_terminal(
    tilewise: Run, columns: int
) -> None:
    run = tilewise("solve", HARD, "--pretty", env={"COLUMNS": str(columns)})
    picture = run.stdout.split("\n\n")[1:-1]
    rows = [line for block in picture for line in block.splitlines()]
    across = [len(re.findall(r"start|\d+ [UDLR]", block)) for block in picture]
    assert sum(across) == 32 and max(map(len, rows)) <= columns
    assert max(across) == min(32, (columns + 3) // 8)
    assert rows[1].startswith("8 . 6   . 8 6")
    assert [line[-5:] for line in rows[-3:]] == [". 1 2", "3 4 5", "6 7 8"]


def test_pretty_boards_of_many_tiles_are_aligned(tilewise: Run) -> None:
    run = tilewise("solve", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15", "--pretty")
    assert "13 14  . 15   13 14 15  .\n" in run.stdout


LAYOUTS = {
    "eecs391, one a line": ("1b2 345 678\n8b6 547 231\n12b 345 678\n", [1, 31, 2]),
    "columbia, one a line": ("1,0,2,3,4,5,6,7,8\n1,2,0,3,4,5,6,7,8\n", [1, 2]),
    "korf, one a line": ("1 0 2 3 4 5 6 7 8\n1 2 0 3 4 5 6 7 8\n", [1, 2]),
    "JSON, one a line": ("[[1,0,2],[3,4,5],[6,7,8]]\n[[0,1],[2,3]]\n", [1, 0]),
    "slashes, one a line": ("1 2 3/4 5 6/7 0 8\n1 0/3 2\n", [1, 1]),
    "grids": ("1 2 3\n4 5 6\n7 0 8\n\n\n1 0\n3 2\n", [1, 1]),
    "42 files": ("# a\n3\n1 2 3\n0 8 4\n7 6 5\n\n2\n0 2\n1 3 # b\n", [1, 1]),
    "a table": ('id,board\n1,1b2 345 678\n2,"1,2,0,3,4,5,6,7,8"\n', [1, 2]),
    "Windows line ends": ("\ufeff1b2 345 678\r\n\r\n12b 345 678\r\n", [1, 2]),
    "comments": ("# easy\n1b2 345 678\n# harder\n12b 345 678", [1, 2]),
    "a mixture": ("1b2 345 678\n\n1 2 3\n4 5 6\n7 0 8\n\n[[1,0],[3,2]]\n", [1, 1, 1]),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_boards_of_a_file_are_solved_in_order(
    tilewise: Run, tmp_path: Path, layout: str
) -> None:
    text, costs = LAYOUTS[layout]
    (tmp_path / "boards.txt").write_bytes(text.encode())
    run = tilewise("solve", "--file", "boards.txt", "--json")
    assert (run.stderr, run.returncode) == ("", 0)
    assert [answer["cost"] for answer in objects(run)] == costs
    assert all(answer["name"].startswith("boards.txt:") for answer in objects(run))


def test_the_input_is_read_like_a_file(tilewise: Run) -> None:
    run = tilewise("solve", "--file", "-", input="1b2 345 678\n\n1 2 3\n4 5 6\n7 0 8\n")
    assert run.returncode == 0
    assert run.stdout == "-:1: 1 move, optimal: L\n-:3: 1 move, optimal: R\n"


def test_a_bad_board_in_a_file_is_reported_with_its_line_and_the_rest_goes_on(
    tilewise: Run, tmp_path: Path
) -> None:
    (tmp_path / "boards.txt").write_text("1b2 345 678\n12b 345 67\n21b 345 678\n12b 345 678\n")
    run = tilewise("solve", "--file", "boards.txt")
    assert re.findall(r"^boards.txt:(\d)", run.stdout, re.MULTILINE) == ["1", "3", "4"]
    assert run.stderr.startswith("tilewise: error: boards.txt:2: expected 9 tiles")
    assert run.stderr.count("\n") == 1
    assert run.returncode == 10


def test_a_bad_row_in_a_table_is_reported_with_its_line_and_the_rest_goes_on(
    tilewise: Run, tmp_path: Path
) -> None:
    (tmp_path / "boards.csv").write_text("id,board\n1,1,0,2,3\n2,1b2 345 678\n")
    run = tilewise("solve", "--file", "boards.csv")
    assert run.stdout == "boards.csv:3: 1 move, optimal: L\n"
    assert "boards.csv:2" in run.stderr and run.stderr.count("\n") == 1
    assert run.returncode == 2


def test_a_suite_is_solved_board_by_board_in_its_order(tilewise: Run) -> None:
    run = tilewise("solve", "--suite", "korf100", "-a", "astar", "--max-nodes", "20", "--json")
    answers = objects(run)
    assert run.returncode == 20
    assert [answer["name"] for answer in answers] == [f"korf100:{i}" for i in range(1, 101)]
    assert answers[0]["board"] == "14,13,15,7,11,12,9,5,6,0,2,1,4,8,10,3"
    assert {answer["goal"] for answer in answers} == {"first"}
    assert {answer["stats"]["generated"] for answer in answers} == {20}


def test_a_heuristic_of_the_user_works_by_its_name(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    answer = solved(tilewise, HARD, "-H", "max(half, misplaced)", "--load", "own.py")
    assert (answer["cost"], answer["optimal"]) == (31, True)
    assert answer["heuristic"] == "max(half, misplaced)"
    assert list(tmp_path.iterdir()) == [tmp_path / "own.py"]


def test_an_algorithm_of_the_user_works_by_its_name(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    request = ["345 b12 678", "--goal", "b45 312 678", "-a", "first_legal", "--load", "own.py"]
    answer = solved(tilewise, *request)
    assert (answer["moves"], answer["algorithm"]) == ("U", "first_legal(steps=1)")
    # Manhattan distance proves that one move is needed
    assert answer["optimal"] is True and answer["bound"] == 1
    run = tilewise("solve", EASY, "-a", "first_legal(2)", "--load", "own.py")
    assert run.returncode == 2 and "first_legal" in run.stderr

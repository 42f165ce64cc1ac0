"""What a user declares wrongly is never called proved: heuristics and algorithms of their own."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import tilewise as tw
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.made_heuristic import Heuristic
from tilewise.core.problem import Problem
from tilewise.core.registry import ALGORITHMS
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.doubts import overestimate
from tilewise.lab import Store, from_toml, run_experiment
from tilewise.puzzle.board import Goal
from tilewise.tables.distances import distance_table
from tilewise.web.searches import response_of

Run = Callable[..., subprocess.CompletedProcess[str]]

HARD = "8b6 547 231"
MIDDLE = "b12 356 478"
FIRST = Goal.blank_first(3, 3)
LARGE = Goal.blank_first(4, 4)
OPTIMAL_WITH_H = [
    name for name, entry in ALGORITHMS.items() if entry.optimal and entry.needs_heuristic
]
NOT_MISLED = {"beam_stack", "mm", "nbs", "perimeter"}
"""Searches that find a short solution beside one wrong value: by a beam, or from the goal."""
THRICE = """
import tilewise as tw

@tw.heuristic("thrice", admissible=True)
def thrice(goal):
    manhattan = tw.make_heuristic("manhattan", goal)
    return lambda board: 3 * manhattan(board)
"""
DOUBT = "thrice is not admissible: it is 63 on 8b6 547 231, at most 35 moves from the goal"


def declared(goal: Goal, change: Callable[[tuple[int, ...], int], float]) -> Heuristic:
    """Manhattan distance, changed, and declared to be admissible all the same."""
    manhattan = tw.make_heuristic("manhattan", goal)
    return Heuristic(
        "mine",
        goal,
        lambda state: change(state, manhattan.estimate(state)),  # type: ignore[arg-type,return-value]
        admissible=True,
        consistent=True,
    )


@pytest.mark.parametrize(
    "algorithm",
    [pytest.param(n, marks=pytest.mark.full if n == "mm" else ()) for n in OPTIMAL_WITH_H],
)
def test_a_heuristic_above_the_moves_of_its_own_solution_proves_nothing(algorithm: str) -> None:
    result = tw.solve(HARD, algorithm=algorithm, heuristic=declared(FIRST, lambda _, h: 3 * h))
    assert result.solved and not result.optimal and result.stats.expanded_below_cost is None
    assert result.bound == 21 and ", optimal" not in result.summary
    assert response_of(result).note == result.to_dict()["note"] == result.doubt
    assert result.doubt == (
        f"mine is not admissible: it is 63 on {HARD}, at most {result.cost} moves from the goal"
    )


@pytest.mark.parametrize("algorithm", OPTIMAL_WITH_H)
def test_too_large_a_value_at_the_goal_alone_is_found(algorithm: str) -> None:
    goal = FIRST.board.tiles
    heuristic = declared(FIRST, lambda state, h: 2 if state == goal else h)
    result = tw.solve(MIDDLE, algorithm=algorithm, heuristic=heuristic)
    doubt = "mine is not admissible: it is 2 on b12 345 678, which is the goal"
    assert result.solved and (result.optimal, result.doubt) == (False, doubt)


@pytest.mark.parametrize("algorithm", OPTIMAL_WITH_H)
def test_too_large_values_beside_the_solution_are_found_on_small_boards(algorithm: str) -> None:
    board = tw.Board.parse("125 348 67b")
    path = tw.solve(board).boards()
    barred = path[2].tiles
    assert len(path) == 5 and barred != FIRST.board.tiles
    heuristic = declared(FIRST, lambda state, h: 100 if state == barred else h)
    result = tw.solve(board, algorithm=algorithm, heuristic=heuristic)
    if algorithm in NOT_MISLED:
        assert (result.cost, result.optimal) == (4, True)
        return
    assert result.cost is not None and result.cost > 4 and not result.optimal
    assert result.doubt is not None
    assert result.doubt.startswith(f"mine is not admissible: it is 100 on {path[2]}, at most ")


def test_too_large_values_beside_the_solution_are_found_where_a_second_search_ends() -> None:
    board = LARGE.board.after("RRRDDDLLLU")
    barred = tw.solve(board).boards()[5].tiles
    heuristic = declared(LARGE, lambda state, h: 18 if state == barred else h)
    result = tw.solve(board, algorithm="astar", heuristic=heuristic)
    assert result.cost is not None and result.cost > 10 and not result.optimal
    assert result.doubt == "mine is not admissible: 10 moves are enough"


class Changing:
    """Twice Manhattan distance when it is first asked for a state, and honest after that."""

    def __init__(self, goal: Goal) -> None:
        self.manhattan = tw.make_heuristic("manhattan", goal).estimate
        self.asked: set[tuple[int, ...]] = set()

    def __call__(self, state: tuple[int, ...]) -> int:
        first = state not in self.asked
        self.asked.add(state)
        return (1 + first) * self.manhattan(state)


@pytest.mark.parametrize(
    ("algorithm", "board", "depth"),
    [
        ("astar", "9,13,15,1,11,10,14,4,12,6,3,8,7,2,5,0", 58),
        ("beam_stack", "10,11,9,0,13,1,2,14,7,3,12,4,8,6,15,5", 53),
        ("arastar", "10,11,9,0,13,1,2,14,7,3,12,4,8,6,15,5", 53),
        ("rwastar", "10,11,9,0,13,1,2,14,7,3,12,4,8,6,15,5", 53),
    ],
)
def test_values_count_that_the_search_saw_and_not_those_that_are_given_later(
    algorithm: str, board: str, depth: int
) -> None:
    mine = Heuristic("mine", LARGE, Changing(LARGE), admissible=True, consistent=True)
    limits = tw.Limits(generated=40_000)
    result = tw.solve(board, algorithm=algorithm, heuristic=mine, limits=limits)
    assert result.cost is not None and result.cost > depth and not result.optimal
    assert result.doubt is not None and result.doubt.startswith("mine is not admissible: it is ")


@pytest.mark.parametrize("algorithm", ["mm", "nbs"])
def test_the_side_of_the_goal_is_checked_as_well(algorithm: str) -> None:
    @tw.heuristic("deaf", admissible=True, on_boards=False)
    def deaf(goal: Goal) -> Callable[[tuple[int, ...]], int]:
        return tw.make_heuristic("manhattan", LARGE).estimate  # whatever the goal is

    board = LARGE.board.after("RRRDDDLLLU")
    result = tw.solve(board, algorithm=algorithm, heuristic="deaf")
    assert result.solved and result.doubt is not None
    assert result.doubt.startswith("deaf, made for the start, is not admissible: it is ")
    assert result.doubt.endswith("which is the start")


def test_what_is_not_a_number_is_no_lower_bound() -> None:
    problem = Problem(tw.Board.parse("125 348 67b"), FIRST)
    assert overestimate(problem, lambda _: float("nan"), "UULL") is not None  # type: ignore[arg-type,return-value]
    assert overestimate(problem, lambda _: 0, "UULL") is None


def test_a_bound_of_a_users_own_heuristic_is_not_proved() -> None:
    greedy = tw.solve(HARD, algorithm="greedy", heuristic="manhattan")
    start = tw.Board.parse(HARD).tiles
    cost = greedy.cost or 0
    heuristic = declared(FIRST, lambda state, h: cost if state == start else h)
    result = tw.solve(HARD, algorithm="greedy", heuristic=heuristic)
    assert (result.cost, result.bound, result.optimal) == (cost, 21, False)
    thrice = declared(FIRST, lambda _, h: 3 * h)
    for algorithm in OPTIMAL_WITH_H:
        limits = tw.Limits(generated=100)
        stopped = tw.solve(HARD, algorithm=algorithm, heuristic=thrice, limits=limits)
        assert (stopped.status, stopped.bound) == (tw.Status.LIMIT, 21), algorithm


def test_the_bound_of_a_search_that_stopped_is_not_above_the_distance() -> None:
    table = distance_table(FIRST)
    for depth in range(1, 32, 3):
        for state in table.states(depth)[:30]:
            for algorithm in ("astar", "idastar"):
                limits = tw.Limits(generated=depth * depth)
                stopped = tw.solve(tw.Board(3, 3, state), algorithm=algorithm, limits=limits)
                assert stopped.bound is not None and stopped.bound <= depth
                assert (depth - stopped.bound) % 2 == 0


@pytest.mark.parametrize("algorithm", OPTIMAL_WITH_H)
def test_an_inconsistent_heuristic_that_is_admissible_still_proves(algorithm: str) -> None:
    heuristic = declared(FIRST, lambda state, h: h if sum(state[::2]) % 3 else 0)
    result = tw.solve("867 254 3b1", algorithm=algorithm, heuristic=heuristic)
    assert (result.cost, result.optimal, result.doubt) == (
        tw.solve("867 254 3b1").cost,
        True,
        None,
    )


def test_an_algorithm_that_is_wrongly_declared_optimal_is_found() -> None:
    @tw.algorithm("careful", optimal=True)
    def careful(
        problem: Problem, h: object, meter: Meter, rules: Rules, observer: Observer | None
    ) -> Outcome:
        """As people do it, which is not optimal."""
        return ALGORITHMS["human"].search(problem, h, meter, rules, observer)

    result = tw.solve(HARD, algorithm="careful")
    assert result.solved and result.cost != 31 and not result.optimal
    assert result.doubt == "careful is not optimal: 31 moves are enough"


def test_every_part_that_shows_a_result_shows_the_doubt(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(THRICE, encoding="utf-8")
    load = ("--load", "mine.py")
    search = (HARD, "-a", "astar", "-H", "thrice", *load)
    text = tilewise("solve", *search, "--certificate", "claim.json")
    assert text.returncode == 0
    assert text.stdout.startswith(f"{DOUBT}\n35 moves; at least 21 (gap 14)")
    answer = json.loads(tilewise("solve", *search, "--json").stdout)
    assert (answer["note"], answer["optimal"]) == (DOUBT, False)
    assert answer["stats"]["expanded_below_cost"] is None
    claim = json.loads((tmp_path / "claim.json").read_text("utf-8"))
    assert (claim["cost"], claim["optimal"]) == (35, False)
    explained = tilewise("explain", "125 348 67b", *search[1:])
    doubt = "thrice is not admissible: it is 12 on 125 348 67b, at most 4 moves from the goal"
    assert doubt in explained.stdout
    compared = tilewise("compare", HARD, "-H", "thrice", "-H", "manhattan", *load)
    assert compared.stdout.rstrip().endswith(f"* proved optimal\n{DOUBT}")


def test_the_store_has_the_doubt(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(THRICE, encoding="utf-8")
    text = f"""
name = "thrice"
heuristics = ["thrice", "manhattan"]
boards = ["{HARD}"]
load = ["{(tmp_path / "mine.py").as_posix()}"]
"""
    run_experiment(from_toml(text), tmp_path / "out")
    rows = {row["heuristic"]: row for row in Store.open(tmp_path / "out").rows()}
    assert (bool(rows["thrice"]["optimal"]), rows["thrice"]["reason"]) == (False, DOUBT)
    assert (bool(rows["manhattan"]["optimal"]), rows["manhattan"]["reason"]) == (True, None)


GOAL_OF_6 = Goal.blank_first(2, 3)
KNOBS = {
    "order": ("UDLR", "LRUD", "RLDU"),
    "ties": ("h-newest", "oldest", "largeh-oldest", "newest"),
    "duplicates": ("full", "skip-if-in-frontier", "closed-when-generated", "ancestors(3)"),
    "goal_test": ("taken", "generated"),
}
FEW, MANY = 150, 3000
BREADTH = [FEW, pytest.param(MANY, marks=pytest.mark.full)]


def drawn_heuristic(dice: random.Random) -> Heuristic:
    """Any values up to the distance; every second time some are above it, declared or not."""
    table = distance_table(GOAL_OF_6)
    states = [state for depth in range(len(table.levels)) for state in table.states(depth)]
    values = {state: dice.randint(0, table.distance(state)) for state in states}
    if dice.random() < 0.5:
        for state in dice.sample(states, len(states) // 20):
            values[state] = table.distance(state) + dice.randint(1, 6)
    return Heuristic("drawn", GOAL_OF_6, values.__getitem__, admissible=True, consistent=True)


@pytest.mark.parametrize("tries", BREADTH)
def test_no_search_under_any_rules_heuristic_or_limit_proves_what_is_wrong(tries: int) -> None:
    dice, table = random.Random(tries), distance_table(GOAL_OF_6)
    claims = 0
    for _ in range(tries):
        entry = dice.choice(list(ALGORITHMS.values()))
        knobs = {
            name: dice.choice(values)
            for name, values in KNOBS.items()
            if name in entry.knobs and dice.random() < 0.4
        }
        board = tw.Board(2, 3, dice.choice(table.states(dice.randrange(len(table.levels)))))
        result = tw.solve(
            board,
            goal=GOAL_OF_6,
            algorithm=entry.name,
            heuristic=drawn_heuristic(dice) if entry.needs_heuristic else None,
            rules=",".join(map("=".join, knobs.items())) or None,
            limits=tw.Limits(generated=dice.choice((5, 50, 500, 2000))),
            engine="python",
        )
        claims += result.optimal
        if result.optimal:
            assert result.cost == table.distance(board.tiles), (entry.name, knobs, str(board))
    assert claims > tries // 10


@pytest.mark.parametrize("tries", BREADTH)
def test_no_native_search_with_any_options_or_limit_proves_what_is_wrong(tries: int) -> None:
    dice, table = random.Random(tries), distance_table(FIRST)
    depths = {depth: table.states(depth)[:500] for depth in (5, 10, 15, 20, 25, 30, 31)}
    searches = [f"idastar(threads={number})" for number in (1, 2, 7)]
    searches += ["idastar(prune=6)", "idastar(prune=9, threads=3)", "astar(batch=8)"]
    searches += ["astar(batch=100)", "astar"]
    claims = 0
    for _ in range(tries):
        depth = dice.choice(list(depths))
        board = tw.Board(3, 3, dice.choice(depths[depth]))
        search = dice.choice(searches)
        heuristic = dice.choice(("manhattan", "linear_conflict"))
        limits = tw.Limits(generated=int(10 ** dice.uniform(0.5, 5)))
        result = tw.solve(board, algorithm=search, heuristic=heuristic, limits=limits)
        claims += result.optimal
        assert result.optimal == result.solved
        if result.optimal:
            assert result.cost == depth, (search, heuristic, limits, str(board))
    assert claims > tries // 10

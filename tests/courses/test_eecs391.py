"""The searches of the eecs391 profiles: printed figures, random draws, limits, odd ends."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tilewise.core.result import Status
from tilewise.courses.eecs391.search import (
    DEFAULT_MAX_NODES,
    DEFAULT_SEED,
    DIALECTS,
    GOAL,
    HEURISTICS,
    Actions,
    ProgramResult,
    astar,
    beam,
    h1,
    h2,
)
from tilewise.puzzle.board import Board
from tilewise.puzzle.formats import write_moves

GOLDEN = Path(__file__).parents[1] / "golden" / "cases.json"
SYSTEMS = {"A": "eecs391", "B": "eecs391-table"}
CASES = [
    case
    for case in json.loads(GOLDEN.read_text())["cases"]
    if case["for"] == "compat" and case["system"] in SYSTEMS
]
SHUFFLED, TABLE = DIALECTS["eecs391"], DIALECTS["eecs391-table"]
HOME = GOAL.board.tiles
UNSOLVABLE = "7b2 853 641"

State = tuple[int, ...]


def fresh(name: str = "eecs391") -> Actions:
    """The actions of a new run."""
    return Actions(DIALECTS[name], random.Random(DEFAULT_SEED))


def board_of(state: State) -> str:
    return str(Board(3, 3, state))


def solve(case: dict[str, Any]) -> ProgramResult:
    name, params = SYSTEMS[case["system"]], case["params"]
    actions, start = fresh(name), Board.parse(case["board"])
    limit = params.get("max_nodes", DEFAULT_MAX_NODES)
    if "walk" in params:
        start = Board(3, 3, actions.random_walk(params["walk"]))
    if case["algorithm"] == "astar":
        return astar(start, HEURISTICS[params["heuristic"]](), actions, limit)
    return beam(start, params["k"], DIALECTS[name], actions, limit)


def test_every_compat_case_of_both_systems_is_here() -> None:
    assert len(CASES) == 35


@pytest.mark.parametrize(
    "case", [c for c in CASES if c["algorithm"] != "randomizeState"], ids=lambda case: case["id"]
)
def test_a_golden_search_gives_its_figures(case: dict[str, Any]) -> None:
    answer = solve(case)
    found = {
        "status": answer.status.value,
        "doc_nodes_generated": answer.nodes,
        "path_length": None if answer.moves is None else len(answer.moves),
        "path": answer.moves and write_moves(answer.moves, "words").split(),
    }
    assert {name: found[name] for name in case["expect"]} == case["expect"]


@pytest.mark.parametrize(
    "case", [c for c in CASES if c["algorithm"] == "randomizeState"], ids=lambda case: case["id"]
)
def test_a_golden_walk_ends_on_its_board(case: dict[str, Any]) -> None:
    state = fresh(SYSTEMS[case["system"]]).random_walk(case["params"]["n"])
    assert board_of(state) == case["expect"]["board"]


def test_one_generator_serves_a_whole_run() -> None:
    actions = fresh()
    assert board_of(actions.random_walk(50)) == "154 3b2 678"
    actions.look_up(HOME)
    assert [move for move, _ in actions.look_up(HOME)] == ["D", "R"]
    assert astar(Board.parse("312 475 68b"), h1(), actions, DEFAULT_MAX_NODES).nodes == 12
    assert astar(Board.parse(UNSOLVABLE), h1(), actions, 10).status is Status.LIMIT
    start = Board(3, 3, actions.random_walk(10))
    assert str(start) == "312 645 78b"
    assert astar(start, h2(), actions, 500) == (Status.SOLVED, "LLUU", 10)
    found = beam(Board.parse("125 348 67b"), 10, SHUFFLED, actions, DEFAULT_MAX_NODES)
    assert found == (Status.SOLVED, "UULL", 38)
    assert beam(Board.parse("3b2 615 748"), 50, SHUFFLED, actions, 2000).nodes == 92
    start = Board(3, 3, actions.random_walk(16))
    assert str(start) == "32b 615 748"
    assert astar(start, h2(), actions, DEFAULT_MAX_NODES) == (Status.SOLVED, "LDDLUU", 17)


def random_boards(count: int, seed: int) -> list[Board]:
    chosen = random.Random(seed)
    tiles = list(range(9))
    boards = []
    for _ in range(count):
        chosen.shuffle(tiles)
        boards.append(Board(3, 3, tuple(tiles)))
    return boards


def described_astar(
    start: State, h: Callable[[State], int], actions: Actions, max_nodes: int
) -> ProgramResult:
    """The described rules word by word: nodes are pairs, the open list is sorted."""
    made: set[tuple[State, State]] = set()
    paths = {start: ""}
    open_list = [(h(start), start, "")]
    state, path = start, ""
    while True:
        paths.setdefault(state, path)
        legal = actions.look_up(state)
        for move, child in legal:
            if len(made) >= max_nodes:
                return ProgramResult(Status.LIMIT, None, len(made))
            actions.inner_look_up(legal)
            if (state, child) not in made:
                made.add((state, child))
                longer = paths[state] + move
                open_list.append((len(longer) + h(child), child, longer))
        open_list.sort(key=lambda entry: entry[0])
        _, state, path = open_list.pop(0)
        if state == HOME:
            return ProgramResult(Status.SOLVED, path, len(made))


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_astar_equals_the_described_rules_and_leaves_the_same_random_stream(heuristic: str) -> None:
    h = HEURISTICS[heuristic]()
    for start in random_boards(12, seed=5):
        ours, theirs = random.Random(42), random.Random(42)
        found = astar(start, h, Actions(SHUFFLED, ours), 700)
        expected = described_astar(start.tiles, h, Actions(SHUFFLED, theirs), 700)
        assert found == expected
        assert ours.getstate() == theirs.getstate()


@pytest.mark.parametrize("name", DIALECTS)
def test_solutions_lead_to_the_goal(name: str) -> None:
    for start in random_boards(10, seed=8):
        for answer in (
            astar(start, h2(), fresh(name), 3000),
            beam(start, 10, DIALECTS[name], fresh(name), 3000),
        ):
            assert answer.moves is None or start.after(answer.moves) == GOAL.board
            assert (answer.moves is None) == (answer.status is not Status.SOLVED)


def test_the_blank_counts_as_a_misplaced_tile() -> None:
    start = Board.parse("1b2 345 678")
    assert (h1()(start.tiles), h2()(start.tiles)) == (2, 1)


class CountingRandom(random.Random):
    """Counts the look-ups, which are shuffles, and the choices."""

    shuffles = choices_made = 0

    def shuffle(self, x: Any) -> None:
        self.shuffles += 1
        super().shuffle(x)

    def choice(self, seq: Any) -> Any:
        self.choices_made += 1
        return super().choice(seq)


def test_a_random_step_is_a_look_up_a_choice_and_a_look_up_inside_the_move() -> None:
    generator = CountingRandom(42)
    Actions(SHUFFLED, generator).random_walk(7)
    assert (generator.shuffles, generator.choices_made) == (14, 7)


def test_the_table_dialect_draws_for_random_steps_only() -> None:
    generator = CountingRandom(42)
    actions = Actions(TABLE, generator)
    actions.random_walk(7)
    assert (generator.shuffles, generator.choices_made) == (0, 7)
    before = generator.getstate()
    astar(Board.parse("321 574 6b8"), h1(), actions, DEFAULT_MAX_NODES)
    beam(Board.parse("321 574 6b8"), 10, TABLE, actions, DEFAULT_MAX_NODES)
    assert generator.getstate() == before


def test_an_expansion_looks_up_once_and_once_more_for_each_move() -> None:
    # The goal is the start: the root is expanded (1 + 2), then taken and tested.
    generator = CountingRandom(42)
    assert astar(GOAL.board, h2(), Actions(SHUFFLED, generator), 10) == (Status.SOLVED, "", 2)
    assert generator.shuffles == 3


def test_the_root_is_expanded_again_when_it_is_taken() -> None:
    # f is 1 for the root and for the goal: the root is older, so it is expanded twice (4 + 4).
    generator = CountingRandom(42)
    start = Board.parse("1b2 345 678")
    assert astar(start, h2(), Actions(SHUFFLED, generator), 10) == (Status.SOLVED, "L", 3)
    assert generator.shuffles == 8
    # With h1 the root has f 2, so the goal with f 1 is taken before it.
    generator = CountingRandom(42)
    assert astar(start, h1(), Actions(SHUFFLED, generator), 10) == (Status.SOLVED, "L", 3)
    assert generator.shuffles == 4


def test_the_limit_of_astar_also_stops_an_expansion_that_makes_nothing() -> None:
    start = Board.parse("1b2 345 678")
    assert astar(start, h2(), fresh(), 3) == (Status.LIMIT, None, 3)
    assert astar(start, h1(), fresh(), 3) == (Status.SOLVED, "L", 3)
    assert astar(start, h2(), fresh(), 4) == (Status.SOLVED, "L", 3)


def test_the_limit_of_astar_counts_exactly() -> None:
    for limit in (1, 2, 7, 100):
        assert astar(Board.parse(UNSOLVABLE), h2(), fresh(), limit) == (Status.LIMIT, None, limit)


def test_the_limit_of_the_beam_is_tested_between_layers() -> None:
    start = Board.parse("125 348 67b")
    totals = [beam(start, 10, SHUFFLED, fresh(), limit).nodes for limit in (1, 2, 3, 9, 20, 21)]
    assert totals == [2, 2, 8, 20, 20, 38]


@pytest.mark.parametrize("name", DIALECTS)
def test_a_beam_that_starts_on_the_goal_makes_nothing(name: str) -> None:
    assert beam(GOAL.board, 1, DIALECTS[name], fresh(name), 1) == (Status.SOLVED, "", 0)


def test_the_table_beam_stops_at_the_goal_and_does_not_count_it() -> None:
    start = Board.parse("3b2 615 748")
    assert beam(start, 20, TABLE, fresh("eecs391-table"), 2000) == (Status.SOLVED, "DDLUU", 50)
    assert beam(start, 20, SHUFFLED, fresh("eecs391-table"), 2000).nodes > 50


def test_a_beam_that_empties_is_stuck() -> None:
    answer = beam(Board.parse(UNSOLVABLE), 1, SHUFFLED, fresh(), DEFAULT_MAX_NODES)
    assert answer.status is Status.STUCK
    assert answer.moves is None


@pytest.mark.full
def test_an_open_list_that_runs_out_has_made_every_pair() -> None:
    answer = astar(Board.parse(UNSOLVABLE), h2(), fresh("eecs391-table"), 1_000_000)
    assert answer == (Status.UNSOLVABLE, None, 181_440 * 24 // 9)

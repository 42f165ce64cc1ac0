"""The golden cases of the sound searches, and of the profile that the five knobs can say."""

from __future__ import annotations

import hashlib
import itertools

import pytest

import tilewise as tw
from tests.golden_cases import CASES, CLAIMS, EXPERIMENTS, TESTS, Case, claimed_by
from tests.oracles.puzzle import FIRST_OF_8, by_depth, distances, replayed
from tilewise import Board, Goal, Result, Rules
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.registry import ALGORITHMS
from tilewise.core.stats import effective_branching_factor
from tilewise.tables.distances import distance_table

MINE = claimed_by("test_golden.py")
OF_SYSTEM = {
    system: [case for case in MINE if case["system"] == system] for system in ("A/B", "C", "D")
}
SOLVED_D = [case for case in OF_SYSTEM["D"] if case["algorithm"] != "any"]
UNSOLVABLE_D = [case for case in OF_SYSTEM["D"] if case["algorithm"] == "any"]
RANGED = [case for case in MINE if "range" in case]
METHODS: dict[str, tuple[str, str | None, str]] = {
    "bfs": ("bfs", None, "fifo"),
    "dfs": ("dfs", None, "fifo"),
    "ast": ("astar", "manhattan", "fifo"),
    "ast_course": ("astar", "manhattan", "columbia"),
    "ucs": ("ucs", None, "fifo"),
    "misplaced": ("astar", "misplaced", "fifo"),
    "manhattan": ("astar", "manhattan", "fifo"),
}
"""What the names of the courses are: algorithm, heuristic, rules."""
NAMES = {"U": "Up", "D": "Down", "L": "Left", "R": "Right"}
ORDERS = ["".join(letters) for letters in itertools.permutations("UDLR")]
OTHER_TIES = ["h-newest", "largeh-oldest", "newest"]


def by_id(case: Case) -> str:
    return str(case["id"])


def run(case: Case, rules: Rules | str | None = None) -> Result:
    name = case["algorithm"]
    if case["system"] == "A/B":
        k, heuristic = case["params"].get("k"), case["params"].get("heuristic")
        algorithm, named = (f"beam(width={k})" if name == "beam" else name), "fifo"
    else:
        algorithm, heuristic, named = METHODS[name]
    return tw.solve(
        Board.parse(case["board"]),
        goal=Goal(Board.parse(case["goal"])),
        algorithm=algorithm,
        heuristic=heuristic,
        rules=rules or named,
    )


def check_replay(result: Result) -> None:
    if result.solved:
        assert replayed(result.board, result.moves) == result.goal.board.tiles


@pytest.mark.parametrize("case", OF_SYSTEM["A/B"], ids=by_id)
def test_a_sound_search_gives_the_figures_of_the_first_two_systems(case: Case) -> None:
    result, expected = run(case), dict(case["expect"])
    assert result.status == expected.pop("status")
    assert result.cost == expected.pop("path_length")
    assert {name: getattr(result.stats, name) for name in expected} == expected
    check_replay(result)


@pytest.mark.parametrize("case", OF_SYSTEM["C"], ids=by_id)
def test_the_searches_give_the_figures_of_the_driver(case: Case) -> None:
    result, expected = run(case), dict(case["expect"])
    assert result.cost == expected.pop("cost_of_path") == expected.pop("search_depth")
    assert result.stats.expanded == expected.pop("nodes_expanded")
    assert result.stats.max_depth == expected.pop("max_search_depth")
    path = [NAMES[move] for move in result.moves or ""]
    if expected.pop("path_to_goal", None) is not None:
        assert path == case["expect"]["path_to_goal"]
    if expected:
        digest = hashlib.sha256(",".join(path).encode()).hexdigest()
        assert {"path_sha256": digest} == expected
    check_replay(result)


@pytest.mark.parametrize("case", SOLVED_D, ids=by_id)
def test_a_sound_search_gives_the_figures_of_the_menu(case: Case) -> None:
    result = run(case)
    figures = {
        "steps": result.cost,
        "expanded": result.stats.expanded,
        "max_queue": result.stats.max_frontier,
    }
    assert figures == case["expect"]
    check_replay(result)


@pytest.mark.parametrize("case", UNSOLVABLE_D, ids=by_id)
@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_an_unsolvable_board_is_unsolvable_for_any_search(algorithm: str, case: Case) -> None:
    goal = Goal(Board.parse(case["goal"]))
    result = tw.solve(Board.parse(case["board"]), goal=goal, algorithm=algorithm)
    assert {"status": result.status.value} == case["expect"]
    assert result.stats.expanded == 0


@pytest.mark.parametrize("case", RANGED, ids=by_id)
def test_any_tie_breaking_expands_a_number_of_states_within_the_range(case: Case) -> None:
    ranges = case["range"]
    least, most = next(ranges[name] for name in ranges if name.endswith("any_tie_breaking"))
    for rules in [Rules(ties="oldest"), *(Rules(ties=ties) for ties in OTHER_TIES)]:
        result = run(case, rules)
        cost, below = result.cost, result.stats.expanded_below_cost
        assert result.optimal and cost is not None and below is not None
        assert least <= result.stats.expanded <= most
        assert least == max(below, cost)


@pytest.mark.parametrize(
    "case", [case for case in RANGED if case["expect"].get("path_length", 0) < 31], ids=by_id
)
def test_the_ends_of_the_range_are_counts_of_states(case: Case) -> None:
    result, ranges = run(case), case["range"]
    cost = result.cost or 0
    h = build_heuristic(result.heuristic or "zero", result.goal).estimate
    f = [g + h(tiles) for tiles, g in distances(Goal(result.board), cost).items()]
    at_most = [value for value in f if value <= cost]
    expected = [max(sum(value < cost for value in f), cost), len(at_most) - 1]
    assert next(ranges[name] for name in ranges if name.endswith("any_tie_breaking")) == expected


@pytest.mark.parametrize(
    "case", [case for case in RANGED if case["range"].get("expanded_fifo_24_orders")], ids=by_id
)
def test_the_orders_of_successors_span_the_range(case: Case) -> None:
    counts = [run(case, Rules(order=order, ties="oldest")).stats.expanded for order in ORDERS]
    assert [min(counts), max(counts)] == case["range"]["expanded_fifo_24_orders"]


def test_the_numbers_of_states_at_each_depth_are_the_known_ones() -> None:
    counts = EXPERIMENTS["depth_counts"]
    assert distance_table(FIRST_OF_8).levels == counts
    assert [len(layer) for layer in by_depth(FIRST_OF_8)] == counts


@pytest.mark.parametrize("row", EXPERIMENTS["ebf_check"], ids=lambda row: f"{row[0]}-{row[1]}")
def test_the_effective_branching_factor_is_the_one_of_the_tables(row: list[object]) -> None:
    depth, _, generated, printed, recomputed, agrees = row
    assert (
        isinstance(depth, int) and isinstance(generated, int) and isinstance(printed, int | float)
    )
    b = effective_branching_factor(generated, depth)
    assert b is not None
    assert round(b, 4) == recomputed
    assert (abs(b - printed) < 0.0051) == agrees


def test_each_of_the_140_cases_is_claimed_by_exactly_one_test_module() -> None:
    assert len(CASES) == len({case["id"] + case["for"] for case in CASES}) == 140
    for case in CASES:
        assert sum(claim(case) for claim in CLAIMS.values()) == 1, case["id"]
    assert sum(map(len, map(claimed_by, CLAIMS))) == 140
    for module in CLAIMS:
        assert (TESTS / module).is_file(), f"{module} must run its golden cases"


def test_this_module_runs_all_cases_that_it_claims() -> None:
    run_here = [*OF_SYSTEM["A/B"], *OF_SYSTEM["C"], *SOLVED_D, *UNSOLVABLE_D]
    assert sorted(map(by_id, run_here)) == sorted(map(by_id, MINE))

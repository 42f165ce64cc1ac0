"""The native searches are observably equal to the Python ones: cost, moves, counters, digest."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from tilewise import Board, Goal, Limits, Result, Rules, TilewiseError, native, solve, suites
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.events import Recorder
from tilewise.core.limits import Meter
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import Problem
from tilewise.core.registry import ALGORITHMS
from tilewise.core.stats import COUNTERS
from tilewise.tables.distances import distance_table

KEPT = 30
COMPARED = [each.name for each in COUNTERS if each.name not in ("seconds", "peak_memory")]
ALGORITHM_SPECS = [
    *(name for name, entry in ALGORITHMS.items() if entry.contract == "EXACT"),
    "wastar(weight=3)",
    "wastar(weight=0.7)",
    "beam(width=2)",
]
HEURISTIC_SPECS = [
    *native.CHANGES_BY_ONE,
    "max(linear_conflict, walking_distance)",
    "sum(misplaced, manhattan)",
]


TOO_LARGE_TO_WALK = ((5, 5), (2, 8), (6, 6), (2, 16))


def pairs() -> Iterator[tuple[str, str | None]]:
    """Every EXACT pair of an algorithm and a heuristic."""
    for algorithm in ALGORITHM_SPECS:
        if build_algorithm(algorithm).entry.needs_heuristic:
            yield from product([algorithm], HEURISTIC_SPECS)
        else:
            yield algorithm, None


class Packed(Recorder):
    """Keeps the bytes of which the digest is made; `digests` adds up those of many searches."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__(0, rows, columns)
        self.parts: list[bytes] = []

    def add(self, event: bytes) -> None:
        self.parts.append(event)


def digests(packed: list[Packed]) -> list[int]:
    """The digest of each search: FNV-1a of 64 bits, a byte of all of them at a time."""
    texts = [b"".join(each.parts) for each in packed]
    order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
    longest = len(texts[order[0]])
    columns = np.zeros((longest, len(texts)), dtype=np.uint8)
    for column, place in enumerate(order):
        columns[: len(texts[place]), column] = np.frombuffer(texts[place], dtype=np.uint8)
    # so many searches have a byte at this place
    going_on = np.searchsorted([-len(texts[place]) for place in order], -np.arange(longest))
    found = np.full(len(texts), 0xCBF29CE484222325, dtype=np.uint64)
    for bytes_here, number in zip(columns, going_on.tolist(), strict=True):
        some = found[:number]
        some ^= bytes_here[:number]
        some *= np.uint64(0x100000001B3)
    digest = dict(zip(order, found.tolist(), strict=True))
    return [digest[place] for place in range(len(texts))]


def observed(
    board: Board, goal: Goal, engine_name: str, observer: Recorder | None = None, **how: Any
) -> dict[str, Any]:
    """The answer of a search and its counters, but for time and memory."""
    result = solve(board, goal=goal, engine=engine_name, observer=observer, **how)
    assert result.engine == engine_name
    counters = {name: getattr(result.stats, name) for name in COMPARED}
    return {"status": result.status, "moves": result.moves, **counters}


def assert_equal_engines(board: Board, goal: Goal, **how: Any) -> None:
    """Compare both engines, watched and unwatched."""
    python, native = (Recorder(KEPT, board.rows, board.columns) for _ in range(2))
    specification = observed(board, goal, "python", python, **how)
    assert observed(board, goal, "native", native, **how) == specification
    assert native.events == python.events
    assert (native.count, native.digest) == (python.count, python.digest)
    assert observed(board, goal, "native", **how) == specification


def assert_equal_digests(boards: list[Board], **how: Any) -> None:
    """The same for many boards, the digests of Python's searches made together."""
    packed, seen = [], []
    for number, board in enumerate(boards):
        goal = Goal.blank_first(board.rows, board.columns)
        python, native = Packed(board.rows, board.columns), Recorder(0, board.rows, board.columns)
        specification = observed(board, goal, "python", python, **how)
        assert observed(board, goal, "native", native, **how) == specification
        if number % 8 == 0:
            assert observed(board, goal, "native", **how) == specification
        packed.append(python)
        seen.append((native.count, native.digest))
    counts = [each.count for each in packed]
    assert seen == list(zip(counts, digests(packed), strict=True))


def is_hopeless(algorithm: str, heuristic: str | None, depth: int) -> bool:
    """Tree searches that know little take for ever on deep boards."""
    entry = build_algorithm(algorithm).entry
    knows_little = not entry.needs_heuristic or heuristic in ("zero", "misplaced")
    return entry.tree and knows_little and depth > 12


PAIRS = list(pairs())
REGISTERED = [(a, h) for a, h in PAIRS if "(" not in a or h in ("zero", "manhattan", "pdb")]
"""Every pair of the registry; those with options with some heuristics only."""


def test_the_native_engine_is_there() -> None:
    assert native.NATIVE, "built without a C++ compiler"


def is_quick(algorithm: str, heuristic: str | None) -> bool:
    """One heuristic that every move changes by one, with some searches one of tables.

    Of the registered searches: iterative lengthening does what `ids` does, event by event.
    """
    if "(" in algorithm or algorithm == "iterative_lengthening":
        return False
    tables = heuristic == "pdb" and algorithm in ("astar", "idastar", "beam")
    return heuristic in (None, "manhattan") or tables


@pytest.mark.parametrize(
    ("algorithm", "heuristic", "step"),
    [
        *((a, h, 2) for a, h in REGISTERED if is_quick(a, h)),
        *(pytest.param(a, h, 1, marks=pytest.mark.full) for a, h in REGISTERED),
    ],
)
def test_engines_agree_on_every_small_state(
    algorithm: str, heuristic: str | None, step: int
) -> None:
    tables = [distance_table(Goal.blank_first(*shape)) for shape in ((2, 2), (2, 3), (3, 2))]
    boards = [
        Board(table.goal.board.rows, table.goal.board.columns, state)
        for table in tables
        for depth in range(len(table.levels))
        if not is_hopeless(algorithm, heuristic, depth)
        for state in table.states(depth)
    ]
    assert len(boards) == 12 + 360 + 360 or is_hopeless(algorithm, heuristic, 21)
    assert_equal_digests(boards[::step], algorithm=algorithm, heuristic=heuristic)


DEPTHS = {
    "some": [*product(["first"], (0, 1, 5, 9, 17)), ("snail", 9)],
    "others": [*product(["first"], (2, 12, 22)), ("snail", 2), ("snail", 17)],
}


@pytest.mark.parametrize("depths", ["some", pytest.param("others", marks=pytest.mark.full)])
@pytest.mark.parametrize(("algorithm", "heuristic"), PAIRS)
def test_engines_agree_on_3x3_by_depth(algorithm: str, heuristic: str | None, depths: str) -> None:
    rng = random.Random(f"{algorithm} {heuristic}")
    for name, depth in DEPTHS[depths]:
        goal = Goal.named(name, 3, 3)
        state = rng.choice(list(distance_table(goal).states(depth)))
        assert_equal_engines(
            Board(3, 3, state),
            goal,
            algorithm=algorithm,
            heuristic=heuristic,
            limits=Limits(generated=3_000),
        )


# the tables of many shapes and goals take long to make, so they are tried with some searches
SOME_WITH_TABLES = [(a, h) for a, h in PAIRS if h != "pdb" or a in ("astar", "idastar", "beam")]


LARGER = {
    (4, 4): "last",
    (3, 5): "first",
    (5, 5): "first",
    (2, 8): "last",
    (4, 3): "snail",
    (6, 6): "snail",
    (2, 16): "first",
}


def in_threes(tiles: int) -> str:
    """A partition into patterns of three tiles, whose tables are quickly made on any shape."""
    return "-".join(str(min(3, tiles - done)) for done in range(0, tiles, 3))


def on_larger_boards() -> Iterator[ParameterSet]:
    """Every search on a shape or two, each shape with many; on the others in the full run."""
    for number, (algorithm, heuristic) in enumerate(SOME_WITH_TABLES):
        for place, shape in enumerate(LARGER):
            large_table = shape == (3, 5) and "walking_distance" in (heuristic or "")
            quick = (place - number) % len(LARGER) < 2 and not large_table
            marks = () if quick else pytest.mark.full
            yield pytest.param(shape, algorithm, heuristic, marks=marks)


@pytest.mark.parametrize(("shape", "algorithm", "heuristic"), list(on_larger_boards()))
def test_engines_agree_near_the_goal_of_larger_boards(
    shape: tuple[int, int], algorithm: str, heuristic: str | None
) -> None:
    rng = random.Random(f"{shape} {algorithm} {heuristic}")
    goal = Goal.named(LARGER[shape], *shape)
    board = goal.board
    for _ in range(rng.randint(1, 14)):
        board = board.move(rng.choice(board.legal_moves()))
    if "walking_distance" in (heuristic or "") and shape in TOO_LARGE_TO_WALK:
        with pytest.raises(TilewiseError, match="walking distance table"):
            solve(board, goal=goal, algorithm=algorithm, heuristic=heuristic, engine="native")
        return
    if heuristic == "pdb" and shape[0] * shape[1] > 25:
        heuristic = f"pdb({in_threes(shape[0] * shape[1] - 1)})"
    how = {"algorithm": algorithm, "heuristic": heuristic, "limits": Limits(generated=800)}
    assert_equal_engines(board, goal, **how)


@pytest.mark.parametrize("algorithm", ALGORITHM_SPECS)
def test_engines_stop_at_the_same_node(algorithm: str) -> None:
    board, goal = Board.parse("8b6 547 231"), Goal.blank_first(3, 3)
    for most in (1, 2, 3, 4, 7, 50, 51, 52, 53, 1023, 1024, 1025):
        how = {"algorithm": algorithm, "limits": Limits(generated=most)}
        assert_equal_engines(board, goal, **how)


@pytest.mark.parametrize("heuristic", ["manhattan", "linear_conflict"])
def test_the_fast_kernel_stops_at_the_same_node(heuristic: str) -> None:
    board, goal = Board.parse("8b6 547 231"), Goal.blank_first(3, 3)
    for most in (*range(1, 60), 500, 501, 502, 9_999, 10_000, 10_001):
        how = {"algorithm": "idastar", "heuristic": heuristic, "limits": Limits(generated=most)}
        assert_equal_engines(board, goal, **how)


def test_a_limit_just_behind_a_pass_of_the_fast_kernel_is_kept() -> None:
    goal = Goal.blank_first(4, 4)
    how = {"algorithm": "idastar", "heuristic": "manhattan"}
    for board, limits in (
        (Board.parse("0 1 6 3 5 2 7 15 8 10 12 11 14 9 4 13"), range(8193, 8200)),
        (Board.parse("1 14 5 8 4 6 2 3 9 10 7 15 12 13 11 0"), range(16388, 16395)),
    ):
        for most in limits:
            seen = observed(board, goal, "native", None, limits=Limits(generated=most), **how)
            assert (seen["status"], seen["generated"]) == ("limit", most)


@pytest.mark.parametrize("algorithm", ["astar", "astar(batch=32)"])
def test_a_search_whose_f_grows_far_goes_on_in_the_general_loop(algorithm: str) -> None:
    goal = Goal.blank_first(2, 4)
    table = distance_table(goal)
    for depth in range(30, len(table.levels)):
        board = Board(2, 4, next(iter(table.states(depth))))
        found = solve(
            board,
            goal=goal,
            algorithm=algorithm,
            heuristic="manhattan",
            engine="native",
            limits=Limits(seconds=60),  # a hang guard
        )
        assert (found.cost, found.optimal) == (depth, True)


@pytest.mark.full
def test_native_costs_equal_the_distance_table_on_all_of_3x3() -> None:
    goal = Goal.blank_first(3, 3)
    table = distance_table(goal)
    astar, h = build_algorithm("astar"), build_heuristic("linear_conflict", goal)
    meter = Meter(Limits(), 9)
    states = 0
    for depth in range(len(table.levels)):
        for state in table.states(depth):
            problem = Problem(Board.trusted(3, 3, state), goal)
            found = native.run("native", astar, problem, h, meter, Rules(), None)
            assert found.moves is not None and len(found.moves) == depth
            assert problem.replay(found.moves) == problem.goal
            states += 1
    assert states == 181_440


@pytest.mark.parametrize(
    ("algorithm", "heuristic", "limit"),
    [("astar", "linear_conflict", None), ("bfs", None, 2_000_000), ("astar", "manhattan", 999_999)],
)
def test_a_large_search_is_the_same_whether_or_not_it_is_watched(
    algorithm: str, heuristic: str | None, limit: int | None
) -> None:
    board, goal = suites.load("korf100").instances[4].board, Goal.blank_first(4, 4)
    how: dict[str, Any] = {"algorithm": algorithm, "heuristic": heuristic}
    how["limits"] = Limits(generated=limit)
    unwatched = observed(board, goal, "native", **how)
    assert unwatched == observed(board, goal, "native", Recorder(0, 4, 4), **how)
    assert unwatched["generated"] > 900_000


@pytest.mark.parametrize("order", ["ULRD", "LRUD", "RDLU"])
@pytest.mark.parametrize("algorithm", ALGORITHM_SPECS)
def test_engines_agree_in_every_order_of_successors(algorithm: str, order: str) -> None:
    goal = Goal.blank_last(4, 4)
    board = goal.board.after("UULLDDRULURD")
    how = {"algorithm": algorithm, "rules": f"order={order}", "limits": Limits(generated=2_000)}
    assert_equal_engines(board, goal, **how)
    if algorithm == "idastar":
        assert_equal_engines(board, goal, heuristic="manhattan", **how)


# Korf 1985, table 1: nodes generated, the root included; the ten easiest of the hundred
PUBLISHED = {
    79: 540_860,
    12: 546_344,
    42: 877_823,
    55: 927_212,
    97: 1_002_927,
    19: 1_280_495,
    94: 1_337_340,
    47: 1_411_294,
    93: 1_599_909,
    9: 1_650_696,
}


@pytest.mark.parametrize("number", PUBLISHED)
def test_iterative_deepening_generates_the_published_numbers_of_nodes(number: int) -> None:
    instance = suites.load("korf100").instances[number - 1]
    result = solve(
        instance.board,
        goal="first",
        algorithm="idastar",
        heuristic="manhattan",
        rules="order=ULRD",
        engine="native",
    )
    assert result.cost == instance.optimal
    assert result.stats.generated == PUBLISHED[number] - 1


def test_asking_for_native_where_it_cannot_serve_is_an_error() -> None:
    board = Board.parse("1b2 345 678")
    requests: list[dict[str, Any]] = [
        {"rules": "fifo", "algorithm": "astar"},
        {"heuristic": "gaschnig"},
        {"algorithm": "rbfs"},
        {"algorithm": "wastar(weight=1.0001)"},
    ]
    for how in requests:
        with pytest.raises(TilewiseError, match="native engine"):
            solve(board, engine="native", **how)
        assert solve(board, **how).engine == "python"


def test_auto_takes_the_native_engine_where_it_serves() -> None:
    result: Result = solve(Board.parse("1b2 345 678"), rules=Rules())
    assert result.engine == "native"


@pytest.mark.parametrize("algorithm", ["bfs", "dfs", "ucs"])
def test_ties_set_on_purpose_mean_the_same_on_either_engine(algorithm: str) -> None:
    how: dict[str, Any] = {"algorithm": algorithm, "rules": "ties=h-newest"}
    auto, python = (solve("315 624 b78", engine=name, **how) for name in ("auto", "python"))
    assert auto.stats.expanded == python.stats.expanded

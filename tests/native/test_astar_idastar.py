"""A*+IDA* of the native engine: optimal with words left out, within limits, repeatable."""

from __future__ import annotations

import random

import pytest

import tilewise as tw
from tests.oracles.samples import whole
from tilewise.defaults import FASTEST
from tilewise.scrambling import scramble
from tilewise.suites import load
from tilewise.tables.distances import distance_table

INCONSISTENT = "pdb(4-4, 3-5, 2-2-4)"
"""On 3x3: the largest of sums without the blank."""


@pytest.mark.parametrize(("partition", "generated"), [("6-6-3", 26_846_345), ("6-3-6", 21_474_546)])
def test_the_hundred_of_korf_are_solved_in_the_published_number_of_moves(
    partition: str, generated: int
) -> None:
    suite = load("korf100").instances
    results = [
        tw.solve(each.board, goal="first", algorithm=FASTEST, heuristic=f"pdb({partition})")
        for each in suite
    ]
    assert [result.cost for result in results] == [each.optimal for each in suite]
    assert sum(result.cost or 0 for result in results) == 5305
    assert all(result.optimal for result in results)
    # the numbers of docs/performance.md
    assert sum(result.stats.generated for result in results) == generated


@pytest.mark.parametrize("goal", ["first", "last", "snail"])
@pytest.mark.parametrize("nodes", [1, 12, 150, 4_000])
@pytest.mark.parametrize("words", [2, 7, 12])
def test_no_number_of_stored_states_and_no_words_lose_the_optimum_on_3x3(
    goal: str, nodes: int, words: int
) -> None:
    known = whole("3x3", goal)
    for number in random.Random(nodes + words).sample(range(len(known.tiles)), 150):
        board = tw.Board(3, 3, tuple(map(int, known.tiles[number])))
        result = tw.solve(
            board,
            goal=goal,
            algorithm=f"astar_idastar(nodes={nodes}, prune={words})",
            heuristic=INCONSISTENT,
        )
        assert result.cost == known.distance[number] and result.optimal


@pytest.mark.parametrize("heuristic", ["pdb(6-5)", "manhattan", "linear_conflict", "misplaced"])
def test_known_distances_of_3x4_are_found(heuristic: str) -> None:
    goal = tw.Goal.blank_last(3, 4)
    near = distance_table(tw.Goal.blank_last(2, 4))  # a part of the board moves, the rest is home
    for depth in (0, 1, 9, 18):
        state = next(iter(near.states(depth)))
        # the lower two rows of 3x4 are a board of 2x4 whose tiles are 4 higher
        tiles = (1, 2, 3, 4, *(tile + 4 if tile else 0 for tile in state))
        found = tw.solve(tw.Board(3, 4, tiles), goal=goal, algorithm=FASTEST, heuristic=heuristic)
        shortest = tw.solve(
            tw.Board(3, 4, tiles), goal=goal, algorithm="astar", heuristic="manhattan"
        )
        assert found.cost == shortest.cost and found.optimal


@pytest.mark.parametrize("shape", ["2x6", "6x2", "3x5", "2x8", "8x2", "4x4", "5x5"])
@pytest.mark.parametrize("goal", ["first", "last"])
def test_every_shape_is_solved_as_by_idastar(shape: str, goal: str) -> None:
    for board in scramble(shape, goal=goal, walk=40, count=4, seed=2):
        one, two = (
            tw.solve(board, goal=goal, algorithm=algorithm, heuristic="manhattan")
            for algorithm in ("idastar", "astar_idastar(nodes=40, prune=9)")
        )
        assert (one.cost, two.optimal) == (two.cost, True)


BEYOND_THE_CACHE = "pdb(7-4-4)"
"""Its tables are large enough for subtrees in turn."""


def test_subtrees_in_turn_find_shortest_solutions_the_same_each_time() -> None:
    for instance in load("korf100").instances[75:82]:
        found = [
            tw.solve(instance.board, goal="first", algorithm=FASTEST, heuristic=BEYOND_THE_CACHE)
            for _ in range(2)
        ]
        assert [(each.cost, each.optimal) for each in found] == [(instance.optimal, True)] * 2
        assert len({(each.moves, each.stats.generated) for each in found}) == 1


@pytest.mark.parametrize("heuristic", ["pdb(5-5-5)", BEYOND_THE_CACHE, "linear_conflict"])
def test_a_limit_of_nodes_is_kept_exactly_in_both_parts(heuristic: str) -> None:
    board = load("korf100").instances[78].board
    whole_search = tw.solve(board, goal="first", algorithm=FASTEST, heuristic=heuristic)
    needed = whole_search.stats.generated
    for most in (1, 2, 77, needed // 2, needed - 1, needed):
        result = tw.solve(
            board,
            goal="first",
            algorithm=FASTEST,
            heuristic=heuristic,
            limits=tw.Limits(generated=most),
        )
        assert result.stats.generated == most and result.solved == (most == needed)
        assert result.bound is not None and result.bound <= 42


def test_it_is_the_same_each_time_and_stores_what_it_is_allowed() -> None:
    board = load("korf100").instances[2].board
    counted = set()
    for _ in range(3):
        result = tw.solve(board, goal="first", algorithm=FASTEST, heuristic="pdb(6-6-3)")
        stats = result.stats
        assert stats.peak_stored is not None
        assert 1_997 <= stats.peak_stored - stats.max_depth <= 2_000 <= stats.stored
        assert stats.expanded_below_cost is not None
        assert stats.expanded_below_cost <= stats.expanded <= stats.generated
        counted.add((result.moves, stats.generated, stats.expanded, stats.stored))
    assert len(counted) == 1


def test_where_memory_is_short_it_stores_less_and_still_ends() -> None:
    board = load("korf100").instances[78].board
    for memory in (1_000, 100_000, 1_000_000):
        result = tw.solve(
            board,
            goal="first",
            algorithm="astar_idastar(nodes=1000000, prune=8)",
            heuristic="linear_conflict",
            limits=tw.Limits(memory=memory),
        )
        assert (result.cost, result.optimal) == (42, True)
        assert result.stats.peak_memory is not None
        assert result.stats.peak_memory <= max(memory, 25_000)


@pytest.mark.parametrize("engine", ["python", "native"])
def test_an_incumbent_is_proved_or_beaten(engine: str) -> None:
    known = whole("3x3", "first")
    algorithm = "astar_idastar(nodes=60" + (", prune=6)" if engine == "native" else ")")
    for number in random.Random(5).sample(range(len(known.tiles)), 40):
        board = tw.Board(3, 3, tuple(map(int, known.tiles[number])))
        best = tw.solve(board, goal="first", algorithm="astar").moves or ""
        for incumbent in (best, best + "RL" if best.endswith("L") else best + "DU"):
            proof = tw.solve(
                board,
                goal="first",
                algorithm=algorithm,
                heuristic="manhattan",
                engine=engine,
                incumbent=incumbent,
            )
            assert proof.optimal and proof.cost == known.distance[number]
            assert incumbent != best or proof.moves == best


def test_nothing_named_means_this_search_on_boards_of_11_to_16_cells() -> None:
    for shape, expected in (("3x3", "astar"), ("3x4", FASTEST), ("4x4", FASTEST)):
        (board,) = scramble(shape, goal="first", walk=20, count=1, seed=4)
        assert tw.solve(board, goal="first").algorithm == expected
    (board,) = scramble("4x4", goal="first", walk=20, count=1, seed=4)
    assert tw.solve(board, goal="first", engine="python").algorithm == "idastar"
    assert tw.solve(board, goal="first", heuristic="manhattan").algorithm == "idastar"
    assert tw.solve(board, goal="first", rules="order=ULRD").algorithm == "idastar"

"""Pattern databases looked up by cells: never above the distance, the same in both engines and in
every kernel, and wrong when the views of another cell of the blank are taken."""

from __future__ import annotations

import random

import pytest

import tilewise as tw
from tests.oracles.samples import whole
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.pattern_sum import PatternSum
from tilewise.native.twins import estimate_for
from tilewise.puzzle.board import Board, Goal
from tilewise.suites import load
from tilewise.tables.patterns.building import canonical
from tilewise.tables.patterns.partitions import (
    DRAWN,
    exchanged_partitions_of,
    partitions,
    patterns_of,
)

GENERAL = "max(pdb({}), zero)"
"""The same values, looked up by the loops that know nothing of tables."""


@pytest.mark.parametrize("goal", ["first", "last", "snail"])
@pytest.mark.parametrize("sizes", ["4-4", "3-3-2"])
def test_no_state_of_3x3_has_a_value_above_its_distance(goal: str, sizes: str) -> None:
    known = whole("3x3", goal)
    by_both = estimate_for(build_heuristic(f"pdb({sizes}+dual)", known.goal), known.goal)
    by_tiles = estimate_for(build_heuristic(f"pdb({sizes})", known.goal), known.goal)
    larger = 0
    for tiles, distance in zip(known.tiles, known.distance, strict=True):
        state = bytes(map(int, tiles))
        value = by_both(state)
        assert by_tiles(state) <= value <= distance and (value - distance) % 2 == 0
        larger += value > by_tiles(state)
    assert larger > len(known.distance) / 20


def test_the_views_of_another_cell_of_the_blank_promise_too_much() -> None:
    known = whole("3x3", "first")
    right = build_heuristic("pdb(4-4+dual)", known.goal).estimate
    assert isinstance(right, PatternSum)
    wrong = PatternSum(right.views, right.homes, right.by_cells[1:] + right.by_cells[:1])
    chosen = random.Random(1).sample(range(len(known.tiles)), 3000)
    states = [(tuple(map(int, known.tiles[i])), known.distance[i]) for i in chosen]
    assert all(right(state) <= distance for state, distance in states)
    assert any(wrong(state) > distance for state, distance in states)


@pytest.mark.parametrize(
    ("rows", "columns", "sizes"), [(2, 3, "3-2"), (3, 3, "4-4"), (4, 4, "6-6-3"), (4, 4, "5-5-5")]
)
@pytest.mark.parametrize("named", ["blank_first", "blank_last"])
def test_both_engines_look_up_the_same(rows: int, columns: int, sizes: str, named: str) -> None:
    goal: Goal = getattr(Goal, named)(rows, columns)
    heuristic = build_heuristic(f"pdb({sizes}+dual)", goal)
    native, dice = estimate_for(heuristic, goal), random.Random(rows * columns)
    board = goal.board
    for _ in range(400):
        board = board.move(dice.choice(board.legal_moves()))
        assert native(bytes(board.tiles)) == heuristic.estimate(board.tiles)


def test_both_engines_make_the_same_passes() -> None:
    known = whole("3x3", "first")
    for i in random.Random(4).sample(range(len(known.tiles)), 40):
        board = Board(3, 3, tuple(map(int, known.tiles[i])))
        python, native = (
            tw.solve(
                board,
                goal="first",
                algorithm="idastar",
                heuristic="pdb(4-4+dual)",
                engine=engine,
            )
            for engine in ("python", "native")
        )
        assert python.moves == native.moves and python.cost == known.distance[i]
        assert python.stats.expanded == native.stats.expanded
        assert python.stats.generated == native.stats.generated


@pytest.mark.parametrize("sizes", ["6-6-3", "5-5-5"])
@pytest.mark.parametrize("algorithm", ["idastar", "idastar(prune=8)", "idastar(prune=8,threads=2)"])
def test_the_kernel_makes_the_passes_of_the_general_loop(sizes: str, algorithm: str) -> None:
    for number in (4, 12, 37, 78):
        board = load("korf100").instances[number].board
        name = f"{sizes}+dual"
        best = tw.solve(board, goal="first").moves
        fast, general = (
            tw.solve(board, goal="first", algorithm=algorithm, heuristic=spec, incumbent=best)
            for spec in (f"pdb({name})", GENERAL.format(name))
        )
        assert fast.optimal and general.optimal and fast.cost == general.cost
        for counter in ("expanded", "generated", "iterations", "max_depth"):
            assert getattr(fast.stats, counter) == getattr(general.stats, counter), counter


def test_the_spread_form_makes_the_same_passes() -> None:
    board = load("korf100").instances[16].board
    best = tw.solve(board, goal="first").moves
    counted = set()
    for memory in (10**8, 10**10):  # the spread form has no room, and has it
        proof = tw.solve(
            board,
            goal="first",
            algorithm="idastar(prune=8)",
            heuristic="pdb(5-5-5+dual)",
            incumbent=best,
            limits=tw.Limits(memory=memory),
        )
        assert proof.optimal
        counted.add((proof.stats.expanded, proof.stats.generated))
    assert len(counted) == 1


def test_a_search_from_the_goal_to_the_board_finds_the_same_length() -> None:
    for number in (12, 37, 78):
        instance = load("korf100").instances[number]
        back = tw.solve(
            Goal.blank_first(4, 4).board,
            goal=Goal(instance.board),
            algorithm="idastar(prune=8)",
            heuristic="pdb(5-5-5+dual)",
        )
        assert back.optimal and back.cost == instance.optimal


@pytest.mark.parametrize("shape", ["3x3 4-4", "4x4 6-6-3", "4x4 7-8", "5x5 6-6-6-6", "3x4 5-6"])
def test_every_cell_of_the_blank_has_partitions_of_all_other_cells(shape: str) -> None:
    size, sizes = shape.split()
    rows, columns = map(int, size.split("x"))
    for blank in range(rows * columns):
        every = partitions(f"{sizes}+dual", rows, columns, blank)
        assert 1 <= len(every) <= 4 and len({frozenset(cells) for cells in every}) == len(every)
        for cells in every:
            assert sorted(len(part) for part in cells) == sorted(map(int, sizes.split("-")))
            assert sorted(cell for part in cells for cell in part) == [
                cell for cell in range(rows * columns) if cell != blank
            ]


def test_seven_tables_serve_all_goals_of_5x5() -> None:
    names = set()
    for blank in range(25):
        tiles = [*range(1, blank + 1), 0, *range(blank + 1, 25)]
        goal = Goal(Board(5, 5, tuple(tiles)))
        made = canonical(patterns_of(goal, "6-6-6-6+dual"))
        names.add(tuple(sorted(pattern.name for pattern in made)))
        by_cells = exchanged_partitions_of(goal, "6-6-6-6+dual")
        assert [len(views) for views in by_cells] == [2] * 25
    assert len(names) == 1 and len(names.pop()) == 7
    assert (5, 5, "6-6-6-6") in DRAWN


@pytest.mark.parametrize("name", ["6-6-6-6x4+dual", ".AB/BBA/AAB+dual", "4-5+dual", "+dual"])
def test_look_ups_by_cells_need_sizes(name: str) -> None:
    with pytest.raises(tw.TilewiseError, match="expected"):
        tw.solve("142 3b5 678", heuristic=f"pdb({name})")

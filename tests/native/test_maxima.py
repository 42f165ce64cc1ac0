"""The largest of several sums of pattern databases: equal to the Python search, and sound with all
options; a proof by the passes below a solution that is known."""

from __future__ import annotations

import random

import pytest

import tilewise as tw
from tests.oracles.samples import Sample, whole
from tilewise.puzzle.board import Board, Goal
from tilewise.suites import load
from tilewise.tables.patterns.partitions import COLLECTIONS, partitions, partitions_of, views_of

THREE, EIGHT = "pdb(4-4, 3-5, mirror=no)", "pdb(4-4, 3-5, 5-3, 2-2-4)"
ALL = "pdb(4-4, 3-5, 5-3, 2-2-4, 1-3-4)"
BELOW_THE_OPTIMUM = {"28": 58_618_287, "44": 24_862_657, "22": 116_557_177}
"""Nodes of the passes below the optimum, measured with another program (order U L R D)."""


def boards(known: Sample, count: int, seed: int) -> list[tuple[Board, int]]:
    rows, columns = known.goal.board.rows, known.goal.board.columns
    chosen = random.Random(seed).sample(range(len(known.tiles)), count)
    return [
        (Board(rows, columns, tuple(map(int, known.tiles[i]))), int(known.distance[i]))
        for i in chosen
    ]


@pytest.mark.parametrize("spec", [THREE, "pdb(4-4, 3-5)", EIGHT, ALL])
def test_both_engines_make_the_same_passes(spec: str) -> None:
    known = whole("3x3", "first")
    for board, depth in boards(known, 40, seed=len(spec)):
        python, native = (
            tw.solve(board, goal="first", algorithm="idastar", heuristic=spec, engine=engine)
            for engine in ("python", "native")
        )
        assert python.cost == native.cost == depth and python.moves == native.moves
        for counter in ("expanded", "generated", "iterations", "max_depth", "expanded_below_cost"):
            assert getattr(python.stats, counter) == getattr(native.stats, counter), counter


@pytest.mark.parametrize("goal", ["first", "last", "snail"])
@pytest.mark.parametrize("options", ["prune=12", "prune=12,threads=2", "prune=5,threads=3"])
def test_words_threads_and_several_partitions_keep_the_optimum(goal: str, options: str) -> None:
    known = whole("3x3", goal)
    for board, depth in boards(known, 120, seed=7):
        found = tw.solve(
            board, goal=goal, algorithm=f"idastar({options})", heuristic="pdb(4-4, 3-5, 2-2-4)"
        )
        assert found.cost == depth and found.optimal


def test_threads_do_not_change_the_counters_of_a_proof() -> None:
    board = load("korf100").instances[78].board
    goal = Goal.blank_first(4, 4)
    spec = "pdb(5-5-5, 4-4-4-3)"
    best = tw.solve(board, goal=goal, algorithm="idastar", heuristic=spec)
    assert best.moves is not None
    counted = set()
    for threads in (1, 2, 3):
        proof = tw.solve(
            board,
            goal=goal,
            algorithm=f"idastar(prune=9,threads={threads})",
            heuristic=spec,
            incumbent=best.moves,
        )
        assert proof.optimal and proof.moves == best.moves
        counted.add((proof.stats.generated, proof.stats.expanded, proof.stats.max_depth))
    assert len(counted) == 1


def test_a_proof_makes_the_passes_below_the_incumbent_and_no_other() -> None:
    for board, depth in boards(whole("3x3", "first"), 30, seed=3):
        full = tw.solve(board, goal="first", algorithm="idastar", heuristic="pdb(4-4)")
        for engine in ("python", "native"):
            proof = tw.solve(
                board,
                goal="first",
                algorithm="idastar",
                heuristic="pdb(4-4)",
                incumbent=full.moves,
                engine=engine,
            )
            assert proof.optimal and proof.cost == proof.bound == depth
            assert proof.stats.expanded == full.stats.expanded_below_cost
            assert proof.stats.expanded_below_cost == full.stats.expanded_below_cost
            assert proof.stats.iterations == full.stats.iterations - 1


@pytest.mark.parametrize("algorithm", ["idastar", "idastar(prune=12,threads=2)", "anytime"])
def test_an_incumbent_that_is_too_long_is_replaced(algorithm: str) -> None:
    board = Board.parse("8b6 547 231")
    longer = tw.solve(board, goal="first", algorithm="human").moves
    assert longer is not None and len(longer) > 31
    found = tw.solve(board, goal="first", algorithm=algorithm, incumbent=longer)
    assert found.cost == 31 and found.optimal


def test_an_incumbent_is_the_answer_where_a_limit_ends_the_proof() -> None:
    board = Board.parse("8b6 547 231")
    longer = tw.solve(board, goal="first", algorithm="human").moves
    assert longer is not None
    found = tw.solve(
        board, goal="first", algorithm="idastar", incumbent=longer, limits=tw.Limits(generated=50)
    )
    assert found.solved and found.moves == longer and not found.optimal
    assert found.bound is not None and found.bound <= 31 and found.gap == len(longer) - found.bound
    assert found.note is not None and "that was given" in found.note


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"algorithm": "idastar", "incumbent": "UU"}, "expected a legal move as number"),
        ({"algorithm": "idastar", "incumbent": "DU"}, "expected an incumbent that solves"),
        (
            {"algorithm": "astar", "incumbent": "UL"},
            "that takes an incumbent .anytime, astar_",
        ),
    ],
)
def test_an_incumbent_that_makes_no_sense_is_refused(how: dict[str, str], message: str) -> None:
    with pytest.raises(tw.TilewiseError, match=message):
        tw.solve("142 3b5 678", **how)  # type: ignore[arg-type]


def test_collections_share_out_all_tiles_in_every_corner() -> None:
    for (rows, columns, sizes), drawn in COLLECTIONS.items():
        for blank in (0, columns - 1, (rows - 1) * columns, rows * columns - 1):
            every = partitions(f"{sizes}x{len(drawn)}", rows, columns, blank)
            for cells in every:
                assert "-".join(str(len(part)) for part in cells) == sizes
                together = sorted(cell for part in cells for cell in part)
                assert together == [c for c in range(rows * columns) if c != blank]
            assert len({frozenset(cells) for cells in every}) == len(drawn)


def test_the_views_of_a_collection_are_its_partitions_and_their_mirror_images() -> None:
    for goal in (Goal.blank_first(5, 5), Goal.blank_last(5, 5)):
        views = views_of(goal, partitions_of(goal, "6-6-6-6x4"))
        assert len(views) == 8
        assert len(views_of(goal, partitions_of(goal, "6-6-6-6", "6-6-6-6x4"))) == 8


def test_a_collection_needs_a_blank_in_a_corner() -> None:
    with pytest.raises(tw.TilewiseError, match="blank in a corner for 6-6-6-6x4, got cell 12"):
        partitions("6-6-6-6x4", 5, 5, 12)
    with pytest.raises(tw.TilewiseError, match="expected 2 to 7 partitions of 6-6-6-6"):
        partitions("6-6-6-6x8", 5, 5, 0)


@pytest.mark.full
@pytest.mark.parametrize("threads", [1, 2])
def test_the_passes_of_24_puzzles_have_the_counts_of_another_program(threads: int) -> None:
    goal = Goal.blank_first(5, 5)
    instances = {each.number: each for each in load("korf24").instances}
    for number, nodes in BELOW_THE_OPTIMUM.items():
        found = tw.solve(
            instances[number].board,
            goal=goal,
            algorithm=f"idastar(prune=12,threads={threads})",
            heuristic="pdb(6-6-6-6x4)",
            rules="order=ULRD",
            limits=tw.Limits(generated=nodes),
        )
        # after exactly these nodes the bound is the optimum, and not one node earlier
        assert found.stats.generated == nodes and found.bound == instances[number].optimal

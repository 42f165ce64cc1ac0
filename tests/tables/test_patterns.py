"""Patterns, their canonical forms and partitions, and tables against plain Python."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest

from tests.oracles.patterns import placements, plain_table, room
from tests.oracles.puzzle import shuffled, walked
from tilewise import Goal, TilewiseError, make_heuristic
from tilewise.errors import TableError
from tilewise.tables.patterns.building import build, canonical, memory_to_build
from tilewise.tables.patterns.lookup import lookup_for
from tilewise.tables.patterns.partition_choice import default_partition, may_be_chosen
from tilewise.tables.patterns.partitions import drawing, mirrored, partition, patterns_of
from tilewise.tables.patterns.pattern import UNREACHABLE, Pattern, rank, symmetries
from tilewise.tables.patterns.proof import verify, verify_in_python

SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (2, 5), (3, 4), (4, 4), (5, 4), (5, 5), (6, 6)]
GOALS = [Goal.named(name, *shape) for shape in SHAPES for name in ("first", "last", "snail")]


def every_pattern(rows: int, columns: int, order: int) -> list[Pattern]:
    """All different canonical patterns of so many tiles, for every home of the blank."""
    area = range(rows * columns)
    return sorted(
        {
            Pattern.of(rows, columns, cells, blank).canonical()[0]
            for cells in combinations(area, order)
            for blank in area
            if blank not in cells
        },
        key=lambda pattern: pattern.name,
    )


def plainly(pattern: Pattern) -> bytes:
    return plain_table(pattern.rows, pattern.columns, pattern.cells, pattern.blank)


TABLES = [pattern for order in (1, 2, 3) for pattern in every_pattern(3, 3, order)]
TABLES += Random(5).sample(every_pattern(3, 3, 4), 8) + Random(5).sample(every_pattern(3, 3, 5), 1)
TABLES += [pattern for order in (1, 2) for pattern in every_pattern(2, 5, order)]
TABLES += Random(5).sample(every_pattern(2, 5, 3), 10) + Random(5).sample(every_pattern(2, 5, 4), 2)
TABLES += [Pattern.of(2, 2, (1, 2, 3), 0), Pattern.of(2, 3, (1, 2, 3, 4, 5), 0).canonical()[0]]
TABLES += Random(5).sample(every_pattern(3, 4, 3), 3)
LARGE = [Pattern.of(6, 6, (1, 6), 0), Pattern.of(7, 5, (33, 29), 34), Pattern.of(8, 8, (1, 8), 63)]
TABLES += [pattern.canonical()[0] for pattern in LARGE]
TABLES += [Pattern.of(8, 8, (8,), 63).canonical()[0]]
FULL = pytest.mark.full


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(each, id=each.name, marks=FULL if each.rows == 8 and each.order == 2 else ())
        for each in TABLES
    ],
)
def test_a_table_is_the_one_that_plain_python_builds_and_both_proofs_accept(
    pattern: Pattern,
) -> None:
    table = build(pattern)
    assert table.tobytes() == plainly(pattern)
    verify(pattern, table)
    verify_in_python(pattern, table)


@pytest.mark.parametrize("order", range(1, 9))
def test_every_placement_has_the_rank_of_its_place_in_the_table(order: int) -> None:
    area = 8 if order > 5 else 9
    for place, placed in enumerate(placements(area, order)):
        standing = sorted((cell, tile) for tile, cell in enumerate(placed))
        assert rank(standing, order) == place
        if place > 20_000:
            break


@pytest.mark.parametrize(
    "wrong_by", [1, pytest.param(2, marks=FULL), pytest.param(253, marks=FULL)]
)
def test_both_proofs_find_a_single_wrong_entry(wrong_by: int) -> None:
    rng = Random(wrong_by)
    for pattern in (
        Pattern.of(3, 3, (1, 2, 4), 0).canonical()[0],
        Pattern.of(2, 5, (1, 2, 6, 8), 0).canonical()[0],
        Pattern.of(3, 3, (1, 3, 4), 0).canonical()[0],
        Pattern.of(2, 2, (1, 2, 3), 0),
    ):
        good = np.array(build(pattern))
        for _ in range(8):
            bad = good.copy()
            entry = rng.randrange(len(bad))
            bad[entry] = (int(bad[entry]) + wrong_by) % 256
            with pytest.raises(TableError, match="wrong"):
                verify(pattern, bad.data)
            with pytest.raises(TableError, match="by its neighbours, got"):
                verify_in_python(pattern, bad.data)


def test_both_proofs_refuse_a_table_that_is_one_too_large_everywhere() -> None:
    pattern = Pattern.of(3, 3, (1, 2, 4), 0).canonical()[0]
    good = np.array(build(pattern))
    bad = np.where(good < UNREACHABLE, good + 1, good).astype(np.uint8)
    for proof in (verify, verify_in_python):
        with pytest.raises(TableError, match=r"wrong|by its neighbours"):
            proof(pattern, bad.data)


def test_a_proof_refuses_the_table_of_another_pattern() -> None:
    first, second = (Pattern.of(3, 3, (1, 3, 4), blank) for blank in (0, 8))
    assert first != second
    for table, pattern in ((build(first), second), (build(second), first)):
        with pytest.raises(TableError):
            verify(pattern, table)
    with pytest.raises(TableError, match="expected 504 entries, got 72"):
        verify(first, build(Pattern.of(3, 3, (1, 2), 0)))


def test_symmetric_patterns_share_a_table_only_if_the_region_of_the_blank_maps_along() -> None:
    for rows, columns, order in [(3, 3, 2), (3, 3, 3), (2, 5, 2), (3, 4, 2)]:
        for cells in combinations(range(rows * columns), order):
            homes = [cell for cell in range(rows * columns) if cell not in cells]
            forms: dict[Pattern, set[bytes]] = {}
            for blank in homes:
                form = Pattern.of(rows, columns, cells, blank).canonical()[0]
                forms.setdefault(form, set()).add(bytes(sorted(room(rows, columns, cells, blank))))
            for form, regions in forms.items():
                sizes = {len(region) for region in regions}
                assert len(sizes) == 1, (cells, form)
                assert form.order == order and form.rows <= form.columns


def test_the_trap_a_corner_cut_off_by_the_pattern_has_a_table_of_its_own() -> None:
    inside, outside = (Pattern.of(3, 3, (1, 3), blank).canonical()[0] for blank in (0, 8))
    assert inside != outside and inside.cells == outside.cells
    assert inside.name == "3x3-1.3-b0" and outside.name == "3x3-1.3-b2"
    too_much = np.array(build(inside), int) - np.array(build(outside))
    assert too_much.max() >= 2
    goal = Goal.blank_last(3, 3)
    shared = lookup_for(goal.board.tiles, Pattern.of(3, 3, (1, 3), 8), build(outside))
    wrong = lookup_for(goal.board.tiles, Pattern.of(3, 3, (1, 3), 8), build(inside))
    one_away = goal.board.after("UULDD").tiles
    assert shared(one_away) == 1 and wrong(one_away) == 3


@pytest.mark.parametrize("shape", SHAPES)
def test_all_turns_of_a_pattern_have_one_canonical_form(shape: tuple[int, int]) -> None:
    rng = Random(str(shape))
    rows, columns = shape
    for _ in range(50):
        area = list(range(rows * columns))
        rng.shuffle(area)
        order = rng.randrange(1, min(9, len(area)))
        pattern = Pattern.of(rows, columns, area[:order], area[-1])
        form, symmetry = pattern.canonical()
        assert pattern.under(symmetry) == form
        assert {pattern.under(turn).canonical()[0] for turn in symmetries(rows, columns)} == {form}
        assert form.canonical()[0] == form


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: f"{goal.board.shape}-{goal.name}")
def test_a_partition_by_sizes_covers_every_tile_once(goal: Goal) -> None:
    board = goal.board
    tiles = len(board.tiles) - 1
    for size in {1, 2, 3, 5, tiles // 2 + 1}:
        sizes = [min(size, tiles - start) for start in range(0, tiles, size)]
        cells = partition("-".join(map(str, sizes)), board.rows, board.columns, board.blank)
        assert list(map(len, cells)) == sizes
        covered = sorted(cell for part in cells for cell in part)
        assert covered == [cell for cell in range(tiles + 1) if cell != board.blank]
        drawn = drawing(cells, board.rows, board.columns)
        assert partition(drawn, board.rows, board.columns, board.blank) == cells


def test_the_named_partitions_are_those_of_the_papers() -> None:
    assert partition("6-6-3", 4, 4, 0) == (
        (1, 4, 5, 8, 9, 12),
        (6, 10, 11, 13, 14, 15),
        (2, 3, 7),
    )
    assert partition("7-8", 4, 4, 0) == (
        (1, 4, 5, 8, 9, 12, 13),
        (2, 3, 6, 7, 10, 11, 14, 15),
    )
    assert partition("6-6-6-6", 5, 5, 0) == (
        (1, 2, 5, 6, 7, 12),
        (3, 4, 8, 9, 13, 14),
        (10, 11, 15, 16, 20, 21),
        (17, 18, 19, 22, 23, 24),
    )


@pytest.mark.parametrize(
    ("name", "side", "count"),
    [
        ("6-6-3", 4, 3),
        ("6-3-6", 4, 3),
        ("7-8", 4, 2),
        ("6-6-6-6", 5, 2),
        ("5-5-5", 4, 3),
        ("5-5-5-5-4", 5, 5),
    ],
)
def test_goals_with_the_blank_in_any_corner_share_the_tables(
    name: str, side: int, count: int
) -> None:
    corners = [0, side - 1, side * side - side, side * side - 1]
    forms = set()
    for corner in corners:
        cells = partition(name, side, side, corner)
        patterns = tuple(Pattern.of(side, side, part, corner) for part in cells)
        forms.add(frozenset(canonical(patterns)))
    assert len(forms) == 1 and len(forms.pop()) == count


def test_mirror_images_are_looked_up_only_where_shape_and_goal_are_symmetric() -> None:
    views = {
        ("4x4", "first", "6-6-3"): 2,
        ("4x4", "last", "7-8"): 2,
        ("3x4", "first", "6-5"): 1,
        ("3x4", "last", "6-5"): 1,
        ("3x3", "snail", "4-4"): 4,
        ("3x5", "snail", "7-7"): 2,
    }
    for (shape, name, sizes), count in views.items():
        goal = Goal.named(name, *map(int, shape.split("x")))
        assert len(list(mirrored(goal, patterns_of(goal, sizes)))) == count, shape
    diagonal = Goal.named("3x3:1,2,3,4,5,6,7,0,8", 3, 3)
    assert len(list(mirrored(diagonal, patterns_of(diagonal, "4-4")))) == 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("4-5", r"add up to 8, the tiles of 3x3, got 4-5 \(9\)"),
        ("8-0", "add up to 8"),
        ("", "sizes such as 6-6-3, or 3 rows of 3 letters"),
        ("6-6-3", "add up to 8"),
        (".AB/AB/ABB", "3 rows of 3 letters"),
        ("AAA/AAA/AAA", "one blank .* got none"),
        ("A.A/BBB/BBB", "in cell 0 where the goal has it .* got 1"),
        ("..A/BBB/BBB", "got 0, 1"),
        (".A+/BBB/BBB", r"letters, digits, \. for the blank"),
        (".**/***/***", "a letter for at least one tile"),
    ],
)
def test_a_partition_that_makes_no_sense_is_explained(name: str, message: str) -> None:
    with pytest.raises(TilewiseError, match=message):
        partition(name, 3, 3, 0)


def test_pdb_without_a_name_stays_the_published_partition_of_4x4() -> None:
    goal = Goal.blank_first(4, 4)
    assert default_partition(goal) == "6-6-3"
    sizes = [[pattern.order for pattern in patterns_of(goal, name)] for name in ("6-3-6", "6-6-3")]
    assert sizes == [[6, 3, 6], [6, 6, 3]]
    assert may_be_chosen(goal, "6-3-6")


def test_the_limits_of_patterns_are_explained() -> None:
    with pytest.raises(TableError, match=r"at most 64 cells .* got 8x9"):
        partition("7-7-7-7-7-7-7-7-7-8", 8, 9, 0)
    with pytest.raises(TableError, match="at most 10 tiles, got one of 11"):
        patterns_of(Goal.blank_first(3, 4), "11")
    with pytest.raises(TableError, match="without the blank's"):
        Pattern.of(3, 3, (0, 1), 0)
    with pytest.raises(TableError, match="at most 64 cells"):
        default_partition(Goal.blank_first(8, 9))


def test_tiles_of_no_pattern_can_be_left_out_of_a_drawing() -> None:
    assert partition(".A*/A**/***", 3, 3, 0) == ((1, 3),)
    assert partition("_AB/ABB/111", 3, 3, 0) == ((6, 7, 8), (1, 3), (2, 4, 5))
    assert partition("01111/22222", 2, 5, 0) == ((1, 2, 3, 4), (5, 6, 7, 8, 9))


@pytest.mark.parametrize("name", ["first", "last", "snail"])
@pytest.mark.parametrize(("shape", "sizes"), [((3, 3), "4-4"), ((2, 5), "3-3-3"), ((3, 2), "3-2")])
def test_a_lookup_gives_the_value_of_the_placement(
    name: str, shape: tuple[int, int], sizes: str
) -> None:
    goal = Goal.named(name, *shape)
    board = goal.board
    home = {tile: cell for cell, tile in enumerate(board.tiles)}
    for pattern in patterns_of(goal, sizes):
        plain = plain_table(board.rows, board.columns, pattern.cells, pattern.blank)
        value_of = dict(zip(placements(len(board.tiles), pattern.order), plain, strict=True))
        lookup = lookup_for(goal.board.tiles, pattern, build(pattern.canonical()[0]))
        for seed in range(60):
            tiles = shuffled(goal, seed).tiles
            where = {home[tile]: cell for cell, tile in enumerate(tiles)}
            assert lookup(tiles) == value_of[tuple(where[cell] for cell in pattern.cells)]


def test_relabelling_the_tiles_of_a_goal_changes_nothing_but_the_labels() -> None:
    labels = next(p for p in permutations(range(1, 9)) if p[:3] == (4, 7, 2))
    renamed = dict(zip(range(1, 9), labels, strict=True)) | {0: 0}
    goal = Goal.blank_first(3, 3)
    other = Goal.named("3x3:" + ",".join(str(renamed[tile]) for tile in goal.board.tiles), 3, 3)
    pairs = zip(patterns_of(goal, "4-4"), patterns_of(other, "4-4"), strict=True)
    for pattern, same in pairs:
        assert pattern == same
        table = build(pattern.canonical()[0])
        here, there = (
            lookup_for(goal.board.tiles, pattern, table),
            lookup_for(other.board.tiles, same, table),
        )
        for seed in range(30):
            tiles = shuffled(goal, seed).tiles
            assert here(tiles) == there(tuple(renamed[tile] for tile in tiles))


GROWTH = """
import resource, sys
from tilewise.tables.patterns.building import build
from tilewise.tables.patterns.pattern import Pattern
build(Pattern(2, 2, (1, 2), 0))
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
build(eval(sys.argv[1]))
print(peak() - before)
"""


@pytest.mark.parametrize(
    "pattern",
    [
        Pattern(2, 5, tuple(range(1, 10)), 0),
        Pattern(8, 8, (1, 2, 3), 0),
        Pattern(6, 6, (1, 6, 7, 8), 0),
    ],
    ids=lambda pattern: pattern.name,
)
def test_building_takes_no_more_memory_than_it_says(pattern: Pattern) -> None:
    said = subprocess.run(
        [sys.executable, "-c", GROWTH, repr(pattern)], capture_output=True, text=True, check=True
    )
    assert int(said.stdout) <= memory_to_build((pattern,))


@pytest.mark.parametrize("shape", [(5, 6), (6, 6), pytest.param((8, 8), marks=FULL)])
def test_values_of_large_boards_are_at_most_the_moves_that_made_them(
    shape: tuple[int, int],
) -> None:
    goal = Goal.blank_last(*shape)
    h = make_heuristic("pdb", goal)
    for steps in (1, 10, 100, 301):
        value = h(walked(goal, steps, seed=steps))
        assert value <= steps and value % 2 == steps % 2

"""Plain Python functions as heuristics: by name of their file, and as they are."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import tilewise as tw
from tilewise.core.registry import ALGORITHMS, HEURISTICS
from tilewise.errors import SpecError
from tilewise.plain_functions import with_functions_of_files
from tilewise.scrambling import scramble

Run = Callable[..., subprocess.CompletedProcess[str]]
HARD = "8b6 547 231"
MIDDLE = "153 4b2 768"
TAKE_FRACTIONS = [name for name, entry in ALGORITHMS.items() if entry.fractions]
TAKE_NONE = [
    name
    for name, entry in ALGORITHMS.items()
    if entry.needs_heuristic and not entry.fractions and not entry.combines
]
FILE = '''
def places(board, goal):
    home = {tile: divmod(cell, 3) for cell, tile in enumerate(goal.tiles)}
    return [(divmod(cell, 3), home[tile]) for cell, tile in enumerate(board.tiles) if tile]


def euclid(board, goal):
    """As the crow flies."""
    return sum(((r - x) ** 2 + (c - y) ** 2) ** 0.5 for (r, c), (x, y) in places(board, goal))


def manhattan(tiles):
    return sum(abs(i // 3 - t // 3) + abs(i % 3 - t % 3) for i, t in enumerate(tiles) if t)


def minus(tiles):
    return -1


def text(tiles):
    return "5"
'''


def euclid(tiles: tuple[int, ...]) -> float:
    cells = [(divmod(cell, 3), divmod(tile, 3)) for cell, tile in enumerate(tiles) if tile]
    return sum(math.dist(here, home) for here, home in cells)


def rounded(tiles: tuple[int, ...]) -> int:
    return int(euclid(tiles))


def manhattan(tiles: tuple[int, ...]) -> int:
    return tw.make_heuristic("manhattan", tw.Goal.blank_first(3, 3)).estimate(tiles)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_a_function_gives_the_search_of_the_registered_heuristic_without_its_claim() -> None:
    result = tw.solve(HARD, algorithm="astar", heuristic=manhattan)
    usual = tw.solve(HARD, algorithm="astar", heuristic="manhattan", engine="python")
    assert (result.moves, result.stats.expanded) == (usual.moves, usual.stats.expanded)
    assert usual.optimal and not result.optimal and (result.bound, result.doubt) == (21, None)
    assert (result.heuristic, result.engine) == ("manhattan", "python")


@pytest.mark.parametrize("algorithm", TAKE_FRACTIONS)
def test_a_search_that_takes_fractions_obeys_them(algorithm: str) -> None:
    generated = set()
    for board in scramble("3x3", depth=11, count=3, seed=1):
        for h in (euclid, rounded):
            result = tw.solve(board, algorithm=algorithm, heuristic=h)
            assert result.status in (tw.Status.SOLVED, tw.Status.STUCK)
            generated.add((h, result.stats.generated))
    assert len({count for _, count in generated}) > len(generated) // 2


@pytest.mark.parametrize("algorithm", TAKE_NONE)
def test_a_search_whose_order_needs_whole_numbers_refuses_fractions(algorithm: str) -> None:
    with pytest.raises(SpecError, match=rf"^expected whole numbers from euclid for {algorithm}, "):
        tw.solve(HARD, algorithm=algorithm, heuristic=euclid)
    with pytest.raises(SpecError, match=r"astar, .*greedy.* take fractions$"):
        tw.solve(HARD, algorithm=algorithm, heuristic=euclid)
    board = "312 475 68b"
    assert tw.solve(board, algorithm=algorithm, heuristic=manhattan).status in (
        tw.Status.SOLVED,
        tw.Status.STUCK,
    )


def test_a_star_with_fractions_below_the_distance_finds_the_optimum() -> None:
    for board in scramble("3x3", depth=14, count=5, seed=2):
        assert tw.solve(board, algorithm="astar", heuristic=euclid).cost == 14


def test_a_registered_heuristic_may_have_fractions_and_prove_with_them() -> None:
    @tw.heuristic("crow", admissible=True, consistent=True, on_boards=False, fractions=True)
    def crow(goal: tw.Goal) -> Callable[[tuple[int, ...]], float]:
        return euclid

    result = tw.solve(MIDDLE, algorithm="astar", heuristic="crow")
    assert (result.cost, result.optimal) == (20, True)
    stopped = tw.solve(
        HARD, algorithm="astar", heuristic="max(crow, misplaced)", limits=tw.Limits(generated=50)
    )
    assert type(stopped.bound) is int and type(stopped.stats.bound) is int
    with pytest.raises(SpecError, match="expected whole numbers from crow for idastar"):
        tw.solve(HARD, algorithm="idastar", heuristic="crow")


def test_a_function_for_another_goal_is_noticed() -> None:
    result = tw.solve("1 2 3/4 0 6/7 5 8", algorithm="greedy", heuristic=manhattan)
    assert result.note == "manhattan is 12 at the goal, where 0 moves are left"


def test_a_function_is_taken_wherever_boards_are_solved() -> None:
    assert [each.cost for each in tw.solve_many(["1b2 345 678"], heuristic=manhattan)] == [1]
    assert tw.trace("1b2 345 678", algorithm="astar", heuristic=manhattan).result.cost == 1
    with pytest.raises(SpecError, match="expected a heuristic by name, a function of a board"):
        tw.solve(HARD, algorithm="astar", heuristic=3)  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="to take a board, or a board and a goal, got 3"):
        tw.solve(HARD, algorithm="astar", heuristic=lambda a, b, c: 0)


def test_events_have_whole_numbers_only() -> None:
    with pytest.raises(SpecError, match="expected whole numbers from euclid for events, got"):
        tw.trace(HARD, algorithm="astar", heuristic=euclid)


def test_a_function_of_a_file_is_named_by_its_file(file: Path) -> None:
    assert with_functions_of_files(f"max({file}:euclid, misplaced)") == (
        "max(mine.py:euclid, misplaced)"
    )
    assert HEURISTICS["mine.py:euclid"].about == "As the crow flies."
    result = tw.solve(MIDDLE, algorithm="astar", heuristic="mine.py:euclid")
    assert (result.cost, result.heuristic, result.optimal) == (20, "mine.py:euclid", False)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", "^expected a function of"),
        ("minus", "^expected a number of at least 0 from heuristic mine.py:minus, got -1"),
        ("text", "^expected a number from mine.py:text, got '5'$"),
    ],
)
def test_what_is_wrong_with_a_function_is_an_error(file: Path, name: str, message: str) -> None:
    def solve() -> None:
        spec = with_functions_of_files(f"{file}:{name}")
        tw.solve(HARD, algorithm="astar", heuristic=spec)

    with pytest.raises(SpecError, match=message):
        solve()


def test_commands_take_functions_of_files(file: Path, tilewise: Run) -> None:
    function = f"{file.name}:euclid"
    solved = tilewise("solve", MIDDLE, "-a", "astar", "-H", function, cwd=file.parent)
    assert solved.returncode == 0, solved.stderr
    assert solved.stdout.startswith("20 moves; at least 10 (gap 10): ")
    assert "astar, mine.py:euclid, goal first, python engine" in solved.stdout
    compared = tilewise(
        "compare", HARD, "-a", "astar", "-H", f"{file}:manhattan", "-H", "manhattan", "--json"
    )
    rows = [json.loads(line) for line in compared.stdout.splitlines()]
    assert [row["optimal"] for row in rows] == [False, True]
    assert rows[0]["stats"]["expanded"] > 0 and rows[0]["heuristic"] == "mine.py:manhattan"
    refused = tilewise("solve", HARD, "-a", "idastar", "-H", function, cwd=file.parent)
    assert refused.returncode == 2 and "take fractions" in refused.stderr

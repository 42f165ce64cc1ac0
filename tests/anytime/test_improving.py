"""Shortening paths: windows, the verb improve, and the outer lines of large boards."""

from __future__ import annotations

import json
import random

import pytest

import tilewise as tw
from tests.conftest import Run
from tests.oracles.puzzle import distances, replayed, sample, shuffled
from tilewise import Goal, Limits, TilewiseError, native
from tilewise.anytime.division import core_of, problem_of_core
from tilewise.anytime.windows import Round, shorten
from tilewise.core.problem import Problem

SEVEN = Goal.blank_last(7, 7)


def by_people(goal: Goal, seed: int) -> tuple[tw.Board, str]:
    board = shuffled(goal, seed)
    return board, tw.solve(board, goal=goal, algorithm="human").moves or ""


def test_a_path_gets_shorter_and_still_leads_to_the_goal() -> None:
    board, moves = by_people(SEVEN, 1)
    result = tw.improve(board, moves, goal=SEVEN, limits=Limits(generated=400_000))
    assert result.cost is not None and result.cost < 0.95 * len(moves)
    assert replayed(board, result.moves) == SEVEN.board.tiles
    assert result.note == f"{len(moves) - result.cost} moves fewer than given"


def test_on_small_boards_windows_find_the_optimum() -> None:
    goal = Goal.blank_first(3, 3)
    known = distances(goal)
    generator = random.Random(1)
    for board in sample(goal, 12, 4):
        tiles, detour = board, ""
        for _ in range(8):
            move = generator.choice(tiles.legal_moves())
            tiles, detour = tiles.move(move), detour + move.value
        rest = tw.solve(tiles, goal=goal).moves or ""
        result = tw.improve(board, detour + rest, goal=goal)
        assert result.cost == known[board.tiles] == 12 and result.stopped_by is None


@pytest.mark.parametrize("threads", [1, 3])
def test_both_engines_and_all_numbers_of_threads_shorten_alike(threads: int) -> None:
    board, moves = by_people(Goal.blank_first(4, 4), 2)
    problem = Problem(board, Goal.blank_first(4, 4))
    what = Round(length=14, nodes=400, offset=0)
    paths = [
        shorten(problem, moves, what, engine=engine, threads=threads, stopped=lambda: False)[0]
        for engine in ("native", "python")
    ]
    assert all(problem.replay(path) == problem.goal for path in paths)
    one = shorten(problem, moves, what, engine="native", threads=1, stopped=lambda: False)
    assert one[0] == paths[0]


def test_a_path_that_does_not_solve_is_refused() -> None:
    with pytest.raises(TilewiseError, match="expected moves that solve the board, got 'U'"):
        tw.improve("142 3b5 678", "U")
    with pytest.raises(TilewiseError, match="expected a legal move as number 2"):
        tw.improve("142 3b5 678", "UU")


def test_the_command_shortens_a_path_and_says_by_how_much(tilewise: Run) -> None:
    run = tilewise("improve", "142 3b5 678", "--path", "down up left right up left")
    assert run.returncode == 0
    assert run.stdout.splitlines()[:2] == ["4 moves fewer than given", "2 moves, optimal: UL"]
    answer = json.loads(tilewise("improve", "142 3b5 678", "--path", "DULRUL", "--json").stdout)
    assert (answer["cost"], answer["gap"], answer["algorithm"]) == (2, 0, "improve")
    assert tilewise("improve", "142 3b5 678", "--path", "ULD").returncode == 2


@pytest.mark.parametrize("goal", [Goal.blank_first(9, 11), Goal.blank_last(10, 9)])
def test_outer_lines_are_solved_around_the_core(goal: Goal) -> None:
    board = shuffled(goal, 5)
    problem = Problem(board, goal)
    core = core_of(problem)
    moves = native.solve_lines(problem, core, width=2, threads=2, seconds=0, stopped=lambda: False)
    state = problem.replay(moves)
    inside = set(core.cells(problem.columns))
    assert goal.board.blank in inside
    assert all(state[c] == goal.board.tiles[c] for c in range(len(state)) if c not in inside)
    again = native.solve_lines(problem, core, width=2, threads=1, seconds=0, stopped=lambda: False)
    assert again == moves
    rest = problem_of_core(problem, state, core)
    solved = tw.solve(rest.board(rest.start), goal=Goal(rest.board(rest.goal)), algorithm="human")
    assert problem.replay(moves + (solved.moves or "")) == problem.goal


def test_windows_end_within_few_nodes_when_they_are_stopped() -> None:
    problem = Problem(Goal.blank_first(6, 6).board, Goal.blank_first(6, 6))
    generator, state, moves = random.Random(4), problem.start, ""
    for _ in range(100):
        move, state = generator.choice(problem.successors(state, moves[-1:]))
        moves += move
    seen: list[int] = []

    def stopped() -> bool:
        seen.append(1)
        return True

    _, generated = native.shorten_path(
        problem,
        moves,
        length=72,
        nodes=2_000_000_000,
        offset=0,
        threads=1,
        seconds=0.0,
        stopped=stopped,
    )
    assert len(seen) == 1 and generated < 40_000_000


def test_a_gap_that_ends_improving_is_named() -> None:
    result = tw.improve("b12 345 678", "RLRL", goal="first", limits=Limits(gap=5))
    assert result.cost == 4 and str(result.stop) == "gap (4 of 5)"


@pytest.mark.parametrize("moves", [None, 5, ["U", "L"], b"UL"])
def test_moves_that_are_no_text_are_refused(moves: object) -> None:
    with pytest.raises(TilewiseError, match="expected the moves as letters"):
        tw.improve("142 3b5 678", moves)  # type: ignore[arg-type]


def test_limits_of_another_kind_are_refused() -> None:
    with pytest.raises(TilewiseError, match="expected Limits, got 5"):
        tw.improve("142 3b5 678", "UL", limits=5)  # type: ignore[arg-type]


def test_python_windows_know_the_boards_of_the_path_they_have_shortened() -> None:
    board, moves = by_people(Goal.blank_first(4, 4), 5)
    problem = Problem(board, Goal.blank_first(4, 4))
    for offset in range(3):
        what = Round(length=16, nodes=2000, offset=offset)
        moves, _ = shorten(problem, moves, what, engine="python", threads=1, stopped=lambda: False)
        assert problem.replay(moves) == problem.goal

"""States with known distances, for training: a whole space from its table, or solved boards.

Up to 10 cells all states are there. On larger shapes boards are solved, and each board on the way
of a shortest solution has a known distance, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from tilewise.core.limits import Limits
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import Problem, State
from tilewise.defaults import default_heuristic
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.shapes import solvable_states
from tilewise.solving import solve
from tilewise.tables.distances import SMALL_STATES, distance_table

HELD_OUT = 0.1
"""The share of the states, or of the solved boards, that a model is not trained on."""
SOLVE_SECONDS = 5.0
LONGEST_WALK = 400
SHARE_OF_TIME = 0.5
"""Of the time for a training, on shapes without a table."""


@dataclass(frozen=True)
class Sample:
    """States, their distances, and the moves that are on a shortest path."""

    states: list[State]
    distances: list[int]
    moves: list[str]
    """For each state the letters of all moves that are known to lead nearer; none at the goal."""
    held_out: list[bool]

    def part(self, held_out: bool) -> Sample:
        """Those to train on, or those held out."""
        chosen = [place for place, out in enumerate(self.held_out) if out is held_out]
        return Sample(
            [self.states[place] for place in chosen],
            [self.distances[place] for place in chosen],
            [self.moves[place] for place in chosen],
            [held_out] * len(chosen),
        )

    def every(self, step: int) -> Sample:
        """The first of so many states each."""
        every = slice(None, None, step)
        return Sample(
            self.states[every], self.distances[every], self.moves[every], self.held_out[every]
        )


def has_table(goal: Goal) -> bool:
    """Whether all distances of a shape are at hand."""
    return solvable_states(goal.board.rows, goal.board.columns) <= SMALL_STATES


def sample(
    goal: Goal,
    seed: int,
    seconds: float,
    most: int | None,
    cancelled: Callable[[], bool],
    *,
    moves: bool = True,
) -> Sample:
    """States for a training, at most a number of them; the same seed gives the same of a table."""
    if has_table(goal):
        return _of_table(goal, Random(seed), most, moves)
    return _of_solutions(goal, Random(seed), seconds * SHARE_OF_TIME, most, cancelled)


def _of_table(goal: Goal, draw: Random, most: int | None, moves: bool) -> Sample:
    table, problem = distance_table(goal), Problem(goal.board, goal)

    def nearer(state: State, distance: int) -> str:
        children = problem.successors(state)
        return "".join(move for move, child in children if table.distance(child) < distance)

    known = [(state, d) for d in range(len(table.levels)) for state in table.states(d)]
    draw.shuffle(known)
    test = known[: int(len(known) * HELD_OUT)]
    kept = known[len(test) :][:most]
    chosen = test + kept
    return Sample(
        [state for state, _ in chosen],
        [distance for _, distance in chosen],
        [nearer(state, distance) if moves else "" for state, distance in chosen],
        [True] * len(test) + [False] * len(kept),
    )


def _of_solutions(
    goal: Goal, draw: Random, seconds: float, most: int | None, cancelled: Callable[[], bool]
) -> Sample:
    """The boards on shortest solutions; a solution is held out as a whole."""
    found = Sample([], [], [], [])
    known: dict[State, int] = {}
    spec = default_heuristic(goal.board, goal, Limits()) or "linear_conflict"
    heuristic = build_heuristic(spec, goal)  # its tables are no part of a board's time
    end = time.monotonic() + seconds
    for board in _walks(goal, draw):
        enough = most is not None and len(found.held_out) - sum(found.held_out) >= most
        if enough or time.monotonic() > end or cancelled():
            break
        limits = Limits(seconds=min(SOLVE_SECONDS, max(0.1, end - time.monotonic())))
        result = solve(board, goal=goal, algorithm="idastar", heuristic=heuristic, limits=limits)
        if result.moves is None or not result.optimal:
            continue
        held_out = draw.random() < HELD_OUT
        boards = result.boards()
        for place, (state, move) in enumerate(zip(boards, [*result.moves, ""], strict=True)):
            if state.tiles not in known:
                known[state.tiles] = len(found.states)
                found.states.append(state.tiles)
                found.distances.append(len(result.moves) - place)
                found.moves.append(move)
                found.held_out.append(held_out)
    return found


def _walks(goal: Goal, draw: Random) -> Iterator[Board]:
    """Ends of walks of all lengths: near boards as well as boards like any other."""
    while True:
        board, last = goal.board, None
        for _ in range(draw.randrange(1, LONGEST_WALK)):
            moves = [move for move in board.legal_moves() if last is None or move != last.opposite]
            last = draw.choice(moves)
            board = board.move(last)
        yield board

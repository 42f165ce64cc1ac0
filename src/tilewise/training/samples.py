"""States with known distances, for training: a whole space from its table, or solved boards.

Up to 3x3 and 2x4 all states are there. On larger shapes boards are solved, and each board on the
way of a shortest solution has a known distance, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from tilewise.core.build_context import DEFAULT_CONTEXT
from tilewise.core.limits import Limits, Meter
from tilewise.core.made_heuristic import Heuristic, build_heuristic
from tilewise.core.problem import Problem, State
from tilewise.defaults import default_heuristic
from tilewise.errors import CancelledError
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.shapes import solvable_states
from tilewise.solving import solve
from tilewise.tables.distances import SMALL_STATES, distance_table

HELD_OUT = 0.1
"""The share of the states, or of the solved boards, that a model is not trained on."""
SOLVE_SECONDS = 5.0
LONGEST_WALK = 400
FINDING, TABLES = 0.5, 0.3
"""The share of a training's time after which no more states are found, and the one after which
boards are solved without tables that are not there by then."""
WITHOUT_LIMIT = 30.0
"""Seconds for boards that are solved where neither a time nor a number of states is wanted."""
PARTS = 200
"""Of a table whose states need some work; the clock is looked at after each."""


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


def has_table(goal: Goal) -> bool:
    """Whether all distances of a shape are at hand."""
    return solvable_states(goal.board.rows, goal.board.columns) <= SMALL_STATES


def sample(goal: Goal, seed: int, most: int | None, clock: Meter, *, moves: bool = True) -> Sample:
    """States for a training, at most a number of them; the same seed gives the same of a table.

    It ends at half of the clock's time, with the states that it has by then.

    Raises:
        CancelledError: The time was up before the table of all states was there.
    """
    if has_table(goal):
        return _of_table(goal, Random(seed), most, moves, clock)
    return _of_solutions(goal, Random(seed), most, clock)


def _of_table(goal: Goal, draw: Random, most: int | None, moves: bool, clock: Meter) -> Sample:
    context = DEFAULT_CONTEXT.within(clock)
    table, problem = distance_table(goal, context), Problem(goal.board, goal)

    def nearer(state: State, distance: int) -> str:
        children = problem.successors(state)
        return "".join(move for move, child in children if table.distance(child) < distance)

    known: list[tuple[State, int]] = []
    for distance in range(len(table.levels)):
        context.check()
        known += [(state, distance) for state in table.states(distance, context)]
    draw.shuffle(known)
    test = known[: int(len(known) * HELD_OUT)]
    kept = known[len(test) :][:most]
    good: tuple[list[str], list[str]] = [], []
    if not moves:
        good = [""] * len(test), [""] * len(kept)
    for part in range(PARTS if moves else 0):
        if part and clock.past(FINDING):
            break
        for states, found in zip((test, kept), good, strict=True):
            end = len(states) * (part + 1) // PARTS
            found += [nearer(*each) for each in states[len(found) : end]]
    chosen = test[: len(good[0])] + kept[: len(good[1])]
    return Sample(
        [state for state, _ in chosen],
        [distance for _, distance in chosen],
        good[0] + good[1],
        [True] * len(good[0]) + [False] * len(good[1]),
    )


def _of_solutions(goal: Goal, draw: Random, most: int | None, clock: Meter) -> Sample:
    """The boards on shortest solutions; a solution is held out as a whole."""
    found = Sample([], [], [], [])
    known: set[State] = set()
    heuristic, last = _heuristic(goal, clock), 0
    for board in _walks(goal, draw):
        enough = most is not None and len(found.held_out) - sum(found.held_out) >= most
        if (enough and any(found.held_out)) or _time_is_up(most, clock):
            break
        limits = Limits(seconds=max(0.1, min(SOLVE_SECONDS, _seconds_until(FINDING, clock))))
        result = solve(board, goal=goal, algorithm="idastar", heuristic=heuristic, limits=limits)
        if result.moves is None or not result.optimal:
            continue
        held_out, last = draw.random() < HELD_OUT or enough, len(found.states)
        boards = result.boards()
        for place, (state, move) in enumerate(zip(boards, [*result.moves, ""], strict=True)):
            if state.tiles not in known:
                known.add(state.tiles)
                found.states.append(state.tiles)
                found.distances.append(len(result.moves) - place)
                found.moves.append(move)
                found.held_out.append(held_out)
    if last and not any(found.held_out):  # with little time there may be few solutions
        found.held_out[last:] = [True] * (len(found.states) - last)
    return found


def _heuristic(goal: Goal, clock: Meter) -> Heuristic:
    """The best one at hand; its tables are no part of a board's time, but of the training's."""
    context = DEFAULT_CONTEXT.within(clock)
    soon = context.until(_seconds_until(TABLES, clock))
    with suppress(CancelledError):
        spec = default_heuristic(goal.board, goal, Limits(), soon)
        if spec is not None:
            return build_heuristic(spec, goal, soon)
    return build_heuristic("linear_conflict", goal, context)


def _seconds_until(share: float, clock: Meter) -> float:
    seconds = clock.limits.seconds
    return math.inf if seconds is None else share * seconds - clock.seconds


def _time_is_up(most: int | None, clock: Meter) -> bool:
    if clock.limits.seconds is None and most is None:
        return clock.seconds >= WITHOUT_LIMIT or clock.over
    return clock.past(FINDING)


def _walks(goal: Goal, draw: Random) -> Iterator[Board]:
    """Ends of walks of all lengths: near boards as well as boards like any other."""
    while True:
        board, last = goal.board, None
        for _ in range(draw.randrange(1, LONGEST_WALK)):
            moves = [move for move in board.legal_moves() if last is None or move != last.opposite]
            last = draw.choice(moves)
            board = board.move(last)
        yield board

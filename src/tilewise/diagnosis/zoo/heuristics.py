"""Wrong heuristics, each made for a goal as a right one would be."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from tilewise.core.entries import Estimate
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import State
from tilewise.diagnosis.rule_variants import estimate_of
from tilewise.puzzle.board import Goal

Rule = Callable[[list[int]], int]


def blank_counted(goal: Goal) -> Estimate:
    """Misplaced tiles, the blank counted."""
    return estimate_of(build_heuristic("misplaced", goal), blank=True)


def blank_walks(goal: Goal) -> Estimate:
    """Manhattan distance, the blank's steps counted."""
    return estimate_of(build_heuristic("manhattan", goal), blank=True)


def added_up(goal: Goal) -> Estimate:
    """Two admissible heuristics, added."""
    return build_heuristic("sum(misplaced, manhattan)", goal).estimate


def wrong_home(goal: Goal) -> Estimate:
    """The distance to the other goal."""
    rows, columns = goal.board.rows, goal.board.columns
    other = Goal.blank_last(rows, columns)
    if other == goal:
        other = Goal.blank_first(rows, columns)
    return build_heuristic("manhattan", other).estimate


def two_minds(goal: Goal) -> Estimate:
    """Manhattan while the blank is in an even cell, misplaced tiles while it is in an odd one."""
    manhattan = build_heuristic("manhattan", goal).estimate
    misplaced = build_heuristic("misplaced", goal).estimate

    def estimate(state: State) -> int:
        return misplaced(state) if state.index(0) % 2 else manhattan(state)

    return estimate


def pairwise_conflicts(goal: Goal) -> Estimate:
    """Linear conflict with 2 for each pair."""
    return _conflicts(goal, lambda line: 2 * sum(a > b for a, b in combinations(line, 2)))


def running_maximum(goal: Goal) -> Estimate:
    """Linear conflict with 2 for each tile that comes after a larger one."""

    def behind(line: list[int]) -> int:
        largest, found = -1, 0
        for home in line:
            found += home < largest
            largest = max(largest, home)
        return 2 * found

    return _conflicts(goal, behind)


def _conflicts(goal: Goal, rule: Rule) -> Estimate:
    """Manhattan distance plus what a rule says of the homes of each line's own tiles."""
    manhattan = build_heuristic("manhattan", goal).estimate
    rows, columns = goal.board.rows, goal.board.columns
    row_of = {tile: cell // columns for cell, tile in enumerate(goal.board.tiles)}
    column_of = {tile: cell % columns for cell, tile in enumerate(goal.board.tiles)}

    def estimate(state: State) -> int:
        value = manhattan(state)
        for row in range(rows):
            line = state[row * columns : (row + 1) * columns]
            value += rule([column_of[tile] for tile in line if tile and row_of[tile] == row])
        for column in range(columns):
            line = state[column::columns]
            value += rule([row_of[tile] for tile in line if tile and column_of[tile] == column])
        return value

    return estimate

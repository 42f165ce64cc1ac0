"""Measurements that are not searches: whole state spaces, values of heuristics, plain climbing.

Each is a function of a run that returns values JSON can hold; the store keeps them in `measured`.
"""

from __future__ import annotations

from typing import Any

from tilewise.core.entries import Estimate
from tilewise.core.problem import Problem, State
from tilewise.core.registry import build_heuristic
from tilewise.courses.eecs391 import search as eecs391
from tilewise.lab.run import Run
from tilewise.puzzle.board import Goal
from tilewise.puzzle.position import read_position
from tilewise.tables.distances import distance_table
from tilewise.tables.distances.spaces import space


def _goal(run: Run) -> Goal:
    return read_position(run.board, run.goal).goal


def levels(run: Run) -> dict[str, Any]:
    """All boards that reach the goal, by depth, and the hardest of them."""
    found = space(_goal(run))
    return {
        "states": found.states,
        "maximum": found.maximum,
        "mean": found.mean,
        "levels": list(found.levels),
        "hardest": len(found.hardest),
        "one_of_the_hardest": str(found.hardest[0]),
    }


def values(run: Run) -> dict[str, Any]:
    """A heuristic on every state: mean value, mean error, exact hits, and both by depth."""
    goal = _goal(run)
    h, table = build_heuristic(run.heuristic, goal).estimate, distance_table(goal)
    by_depth, exact, largest = [], 0, 0
    for depth in range(len(table.levels)):
        found = [h(state) for state in table.states(depth)]
        by_depth.append(sum(found) / len(found))
        exact += found.count(depth)
        largest = max(largest, depth - min(found))
    count = sum(table.levels)
    mean = sum(v * n for v, n in zip(by_depth, table.levels, strict=True)) / count
    mean_depth = sum(depth * n for depth, n in enumerate(table.levels)) / count
    return {
        "mean": mean,
        "error": mean_depth - mean,
        "largest_error": largest,
        "exact_share": exact / count,
        "by_depth": by_depth,
    }


def value(run: Run) -> dict[str, Any]:
    """A heuristic on the board of the run."""
    position = read_position(run.board, run.goal)
    return {"h": build_heuristic(run.heuristic, position.goal)(position.board)}


def course_heuristics(run: Run) -> dict[str, Any]:
    """Misplaced tiles with and without the blank, and Manhattan, on every state of 3x3."""
    goal = eecs391.GOAL
    table, home = distance_table(goal), goal.board.tiles
    counted, h2 = eecs391.h1(), eecs391.h2()
    found = {"states": 0, "blank_counted": 0, "worst": 0, "blank_left_out": 0, "h2_below_h1": 0}
    for depth in range(len(table.levels)):
        for state in table.states(depth):
            h1 = counted(state)
            plain = h1 - (state[home.index(0)] != 0)
            found["states"] += 1
            found["blank_counted"] += h1 > depth
            found["worst"] = max(found["worst"], h1 - depth)
            found["blank_left_out"] += plain > depth
            found["h2_below_h1"] += h2(state) < plain
    return found


def plain_climbing(run: Run) -> dict[str, Any]:
    """Hill climbing of the textbooks: to the best successor while it is better, then stop."""
    position = read_position(run.board, run.goal)
    problem = Problem(position.board, position.goal)
    h = build_heuristic(run.heuristic, position.goal).estimate
    state, moves = problem.start, ""
    while state != problem.goal:
        move, best = _best_successor(problem, state, h)
        if h(best) >= h(state):
            break
        state, moves = best, moves + move
    return {"solved": state == problem.goal, "steps": len(moves)}


def _best_successor(problem: Problem, state: State, h: Estimate) -> tuple[str, State]:
    return min(problem.successors(state), key=lambda pair: h(pair[1]))

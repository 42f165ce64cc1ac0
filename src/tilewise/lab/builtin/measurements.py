"""Measurements that are not searches: whole state spaces, values of heuristics, plain climbing.

Each is a function of a run that returns values JSON can hold; the store keeps them in `measured`.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from tilewise.core.entries import Estimate
from tilewise.core.made_heuristic import Heuristic, build_heuristic
from tilewise.core.problem import Problem, State
from tilewise.courses.eecs391 import search as eecs391
from tilewise.heuristics.learned import of_layers
from tilewise.lab.builtin.training_runs import TRAINED_BOARDS, TRAINED_DEPTH, TRAINING_STEPS
from tilewise.lab.run import Run
from tilewise.puzzle.board import Goal
from tilewise.puzzle.position import read_position
from tilewise.scrambling import scramble
from tilewise.solving import solve
from tilewise.tables.distances import distance_table
from tilewise.tables.distances.spaces import space

STATES_OF_A_DEPTH = 200


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


def estimates(run: Run) -> dict[str, Any]:
    """A heuristic that may be too large: its errors on states of every depth.

    The states of a depth that are taken stand for all of it, so means are those of all states.
    """
    goal = _goal(run)
    h, table = build_heuristic(run.heuristic, goal).estimate, distance_table(goal)
    by_depth, too_large, excess, total = list[float](), 0.0, 0, 0.0
    for depth, count in enumerate(table.levels):
        chosen = table.states(depth)[:: -(-count // STATES_OF_A_DEPTH)]
        errors = [h(state) - depth for state in chosen]
        by_depth.append(sum(map(abs, errors)) / len(errors))
        total += count * by_depth[-1]
        too_large += count * sum(error > 0 for error in errors) / len(errors)
        excess = max(excess, *errors, 0)
    states = sum(table.levels)
    return {
        "mean_error": total / states,
        "too_large_share": too_large / states,
        "largest_excess": excess,
        "by_depth": by_depth,
    }


def training_size(run: Run) -> dict[str, Any]:
    """A network trained on as many states of 3x3 as the run's limit says: error, and nodes."""
    from tilewise.training.fitting import Fit, fit

    goal, states = _goal(run), int(run.max_nodes or 0)
    epochs = max(1, TRAINING_STEPS // states)
    layers = fit(Fit("network", 3, 3, states=states, seed=run.seed, epochs=epochs))
    h = Heuristic("trained", goal, of_layers(goal, layers), admissible=False, consistent=False)
    nodes, moves = 0, 0
    boards = list(scramble("3x3", depth=TRAINED_DEPTH, count=TRAINED_BOARDS, seed=1))
    for board in boards:
        result = solve(board, goal=goal, algorithm="wastar", heuristic=h)
        nodes, moves = nodes + result.stats.generated, moves + (result.cost or 0)
    return {
        "states": layers.facts.states,
        "mean_error": layers.facts.mean_error,
        "nodes": nodes / len(boards),
        "moves": moves / len(boards),
    }


def work_with_lists(run: Run) -> dict[str, Any]:
    """A* as first programs have it: nodes in a list, and an open list sorted at every step.

    A node is a pair of parent and state, as in EECS 391. `steps`: entries scanned and sorted.
    """
    position = read_position(run.board, run.goal)
    problem = Problem(position.board, position.goal)
    h = build_heuristic(run.heuristic, position.goal).estimate
    nodes: list[tuple[State | None, State]] = [(None, problem.start)]
    waiting = [(h(problem.start), 0, problem.start)]
    steps = 0
    while True:  # boards of experiments reach their goal
        waiting.sort(key=lambda entry: entry[0])
        steps += len(waiting)
        _, g, state = waiting.pop(0)
        if state == problem.goal:
            return {"nodes": len(nodes) - 1, "steps": steps}
        for _, child in problem.successors(state):
            steps += _scanned(nodes, (state, child))
            if (state, child) not in nodes:
                nodes.append((state, child))
                waiting.append((g + 1 + h(child), g + 1, child))


def _scanned(entries: list[Any], wanted: Any) -> int:
    """Entries that a scan looks at before it finds one, or all."""
    return entries.index(wanted) + 1 if wanted in entries else len(entries)


class _CountedState(tuple[int, ...]):
    """A state that counts how often it is compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        _CountedState.compared += 1
        return super().__eq__(other)

    __hash__ = tuple.__hash__


def membership(run: Run) -> dict[str, Any]:
    """Breadth-first search: states compared to find those that are known, by a list and a set."""
    position = read_position(run.board, run.goal)
    problem = Problem(position.board, position.goal)
    known_list, known_set = [problem.start], {_CountedState(problem.start)}
    queue, looked_up, by_list = deque([problem.start]), 0, 0
    _CountedState.compared = 0
    while (state := queue.popleft()) != problem.goal:
        for _, child in problem.successors(state):
            looked_up += 1
            by_list += _scanned(known_list, child)
            if _CountedState(child) not in known_set:
                known_set.add(_CountedState(child))
                known_list.append(child)
                queue.append(child)
    return {"looked_up": looked_up, "list": by_list, "set": _CountedState.compared}

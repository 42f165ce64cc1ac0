"""The searches of eecs391 and eecs391-table: a random walk, A* and a beam.

Five knobs cannot say this. A node is a pair (parent state, state) that is made at most once, and
the first profile shuffles the legal actions whenever it looks them up, with one generator for a
whole run. A pair has all its siblings made with it, so "was this pair made" is the question
"was its parent expanded before": the searches keep the expanded states instead of the pairs.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from operator import ne
from typing import Any, NamedTuple

from tilewise.core.entries import Estimate
from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.result import Outcome, Result, Status
from tilewise.core.stats import Stats
from tilewise.courses.course import Task
from tilewise.heuristics.manhattan import manhattan
from tilewise.puzzle.board import Board, Goal

GOAL = Goal.blank_first(3, 3)
DEFAULT_SEED = 42
DEFAULT_MAX_NODES = 10_000

ProgramNode = tuple[State, int, str, Any, int, int]
"""A state, the number of moves to it, the last of them, the node it was made from, its own number
and its estimate."""


@dataclass(frozen=True)
class Dialect:
    """In what the searches of the two versions differ."""

    name: str
    shuffled: bool
    beam_stops_at_goal: bool


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("eecs391", shuffled=True, beam_stops_at_goal=False),
        Dialect("eecs391-table", shuffled=False, beam_stops_at_goal=True),
    )
}


class ProgramResult(NamedTuple):
    """How a search ended, the moves if it found any, and the number of pairs made."""

    status: Status
    moves: str | None
    nodes: int


class Actions:
    """The legal actions of states, with exactly the random draws of Koehrsen's program."""

    def __init__(self, dialect: Dialect, generator: random.Random) -> None:
        self._successors = Problem(GOAL.board, GOAL).successors
        self._shuffle: Callable[[list[Any]], None] = (
            generator.shuffle if dialect.shuffled else _keep_order
        )
        self._choice = generator.choice

    def look_up(self, state: State) -> list[tuple[str, State]]:
        """The legal moves and where they lead: up, down, left, right, shuffled in eecs391."""
        actions = self._successors(state)
        self._shuffle(actions)
        return actions

    def inner_look_up(self, actions: list[tuple[str, State]]) -> None:
        """The look-up inside a move, which checks that it is legal: only its draws matter."""
        self._shuffle([None] * len(actions))

    def random_walk(self, steps: int) -> State:
        """The state after that many random moves from the goal."""
        state = GOAL.board.tiles
        for _ in range(steps):
            actions = self.look_up(state)
            _, state = self._choice(actions)
            self.inner_look_up(actions)
        return state


def h1() -> Estimate:
    """Tiles that are not at home, the blank counted, so it is not admissible."""
    home = GOAL.board.tiles
    return lambda state: sum(map(ne, state, home))


def h2() -> Estimate:
    """Manhattan distance, without the blank."""
    estimate: Estimate = manhattan(GOAL)
    return estimate


HEURISTICS: dict[str, Callable[[], Estimate]] = {"h1": h1, "h2": h2}


def run_astar(dialect: Dialect, heuristic: str, task: Task) -> Outcome:
    """A* of one version, as `run_course` runs it."""
    stats, actions = Stats(), Actions(dialect, task.random)
    h, most = HEURISTICS[heuristic](), task.most or DEFAULT_MAX_NODES
    answer = astar(task.board, h, actions, most, task.meter, task.observer, stats)
    return Outcome(answer.status, answer.moves, stats)


def run_beam(dialect: Dialect, task: Task) -> Outcome:
    """The beam of one version, as `run_course` runs it."""
    stats, actions = Stats(), Actions(dialect, task.random)
    width, most = task.width or 1, task.most or DEFAULT_MAX_NODES
    answer = beam(task.board, width, dialect, actions, most, task.meter, task.observer, stats)
    return Outcome(answer.status, answer.moves, stats)


def nodes_made(result: Outcome | Result) -> int:
    """What A* prints as "Total nodes generated": the pairs made, each of which is stored."""
    return result.stats.stored


def beam_nodes_made(dialect: Dialect, result: Outcome | Result) -> int:
    """What the beam prints; a goal that ends the search when it is generated is not counted."""
    uncounted = dialect.beam_stops_at_goal and bool(result.moves)
    return result.stats.stored - uncounted


def astar(
    start: Board,
    h: Estimate,
    actions: Actions,
    max_nodes: int,
    meter: Meter | None = None,
    observer: Observer | None = None,
    stats: Stats | None = None,
) -> ProgramResult:
    """A* with ties first in first out, the goal tested when taken.

    The root is expanded before the first node is taken, and that may be the root itself, which
    stays on the open list: it is then tested, and expanded a second time, like any other node.
    To an observer it is two nodes, 0 and 1; pairs are numbered from 2 on. `stats` is filled.
    """
    goal = GOAL.board.tiles
    stats, tell = stats or Stats(), _teller(observer, lambda g, h: g + h)
    nodes = duplicates = expansions = 0
    expanded: set[State] = set()
    root_h = h(start.tiles)
    node: ProgramNode = (start.tiles, 0, "", None, 0, root_h)
    waiting: ProgramNode = (start.tiles, 0, "", None, 1, root_h)
    open_list = [(root_h, 0, waiting)]
    tell(Kind.START, node)
    tell(Kind.START, waiting)

    def count() -> Stats:
        stats.expanded, stats.stored, stats.duplicates = expansions, nodes, duplicates
        stats.generated, stats.peak_stored = nodes + duplicates, nodes + 1
        return stats

    def end(status: Status) -> ProgramResult:
        count()
        if status is Status.SOLVED:
            tell(Kind.GOAL, node)
        tell(Kind.STOP, node)
        return ProgramResult(status, _moves_to(node) if status is Status.SOLVED else None, nodes)

    while True:
        state, g = node[0], node[1] + 1
        expansions += 1
        tell(Kind.EXPAND, node)
        legal = actions.look_up(state)
        first_time = state not in expanded
        expanded.add(state)
        for move, child in legal:
            if nodes >= max_nodes:
                return end(Status.LIMIT)
            if meter and nodes + duplicates == meter.pause and meter.stop(count()):
                return end(meter.status)
            actions.inner_look_up(legal)
            if first_time:
                nodes += 1
                child_h = h(child)
                made: ProgramNode = (child, g, move, node, nodes + 1, child_h)
                heappush(open_list, (g + child_h, nodes, made))
                if observer:
                    tell(Kind.GENERATE, made)
            else:
                duplicates += 1
                if observer:
                    tell(Kind.DUPLICATE, (child, g, move, node, -1, h(child)))
        if first_time:
            stats.max_depth = max(stats.max_depth, g)
            stats.max_frontier = max(stats.max_frontier, len(open_list))
        if not open_list:
            return end(Status.UNSOLVABLE)
        node = heappop(open_list)[2]
        if node[0] == goal:
            return end(Status.SOLVED)


def beam(
    start: Board,
    width: int,
    dialect: Dialect,
    actions: Actions,
    max_nodes: int,
    meter: Meter | None = None,
    observer: Observer | None = None,
    stats: Stats | None = None,
) -> ProgramResult:
    """Layer by layer the `width` states that are best by h1 + h2; one state may fill two places."""
    goal = GOAL.board.tiles
    misplaced, distance = h1(), h2()
    stats, tell = stats or Stats(), _teller(observer, lambda g, h: h)
    counted = 0
    expanded: set[State] = set()
    root_h = misplaced(start.tiles) + distance(start.tiles)
    node: ProgramNode = (start.tiles, 0, "", None, 0, root_h)
    kept: list[ProgramNode] = [node]
    tell(Kind.START, node)

    def end(status: Status, last: ProgramNode) -> ProgramResult:
        if status is Status.SOLVED:
            tell(Kind.GOAL, last)
        tell(Kind.STOP, last)
        stats.peak_stored = stats.stored + 1
        moves = _moves_to(last) if status is Status.SOLVED else None
        return ProgramResult(status, moves, counted)

    if start.tiles == goal:
        return end(Status.SOLVED, node)
    while kept:
        if counted >= max_nodes:
            return end(Status.LIMIT, kept[0])
        layer: list[ProgramNode] = []
        stats.iterations += 1
        for node in kept:
            state, g = node[0], node[1] + 1
            stats.expanded += 1
            tell(Kind.EXPAND, node)
            legal = actions.look_up(state)
            first_time = state not in expanded
            expanded.add(state)
            for move, child in legal:
                if meter and stats.generated == meter.pause and meter.stop(stats):
                    return end(meter.status, node)
                actions.inner_look_up(legal)
                stats.generated += 1
                child_h = misplaced(child) + distance(child)
                if not first_time:
                    stats.duplicates += 1
                    tell(Kind.DUPLICATE, (child, g, move, node, -1, child_h))
                    continue
                stats.stored += 1
                stats.max_depth = g
                made: ProgramNode = (child, g, move, node, stats.stored, child_h)
                layer.append(made)
                tell(Kind.GENERATE, made)
                stats.max_frontier = max(stats.max_frontier, len(layer))
                if child == goal and dialect.beam_stops_at_goal:
                    return end(Status.SOLVED, made)  # which is not counted
                counted += 1
        layer.sort(key=lambda node: node[5])
        if layer and layer[0][0] == goal:  # the goal alone has an estimate of 0
            return end(Status.SOLVED, layer[0])
        kept = layer[:width]
    return end(Status.STUCK, node)


def _teller(
    observer: Observer | None, priority: Callable[[int, int], int]
) -> Callable[[Kind, ProgramNode], None]:
    """Reports nodes to an observer; a duplicate has the number of the pair that it repeats."""
    if observer is None:
        return _say_nothing
    number_of: dict[tuple[State, State], int] = {}

    def tell(kind: Kind, node: ProgramNode) -> None:
        state, g, move, parent, number, h = node
        if kind is Kind.GENERATE:
            number_of[parent[0], state] = number
        elif kind is Kind.DUPLICATE:
            number = number_of[parent[0], state]
        above = parent[4] if parent else -1
        observer(kind, number, above, move, g, h, (priority(g, h), 0), state)

    return tell


def _say_nothing(kind: Kind, node: ProgramNode) -> None:
    """Takes the place of an observer."""


def _moves_to(node: ProgramNode) -> str:
    moves = []
    while node[3] is not None:
        moves.append(node[2])
        node = node[3]
    return "".join(reversed(moves))


def _keep_order(actions: list[Any]) -> None:
    """What eecs391-table does instead of shuffling."""

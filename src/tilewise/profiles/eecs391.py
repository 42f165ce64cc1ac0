"""The searches of the profiles eecs391 and eecs391-table: a random walk, A* and a beam.

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

from tilewise.board import Board, Goal
from tilewise.heuristics.manhattan import manhattan
from tilewise.problem import Problem, State
from tilewise.registry import Estimate
from tilewise.result import Status

GOAL = Goal.blank_first(3, 3)
DEFAULT_SEED = 42
DEFAULT_MAX_NODES = 10_000

Node = tuple[State, int, str, Any]
"""A state, the number of moves to it, the last of them, and the node it was made from."""


@dataclass(frozen=True)
class Dialect:
    """In what the searches of the two profiles differ."""

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


class Answer(NamedTuple):
    """How a search ended, the moves if it found any, and the number of pairs made."""

    status: Status
    moves: str | None
    nodes: int


class Actions:
    """The legal actions of states, with exactly the random draws of the described program."""

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


def astar(start: Board, h: Estimate, actions: Actions, max_nodes: int) -> Answer:
    """A* with ties first in first out, the goal tested when taken.

    The root is expanded before the first node is taken, and that may be the root itself, which
    stays on the open list: it is then tested, and expanded a second time, like any other node.
    """
    goal = GOAL.board.tiles
    nodes = 0
    expanded: set[State] = set()
    node: Node = (start.tiles, 0, "", None)
    open_list = [(h(start.tiles), nodes, node)]
    while True:
        state, g = node[0], node[1] + 1
        legal = actions.look_up(state)
        first_time = state not in expanded
        expanded.add(state)
        for move, child in legal:
            if nodes >= max_nodes:
                return Answer(Status.LIMIT, None, nodes)
            actions.inner_look_up(legal)
            if first_time:
                nodes += 1
                heappush(open_list, (g + h(child), nodes, (child, g, move, node)))
        if not open_list:
            return Answer(Status.UNSOLVABLE, None, nodes)
        node = heappop(open_list)[2]
        if node[0] == goal:
            return Answer(Status.SOLVED, _moves_to(node), nodes)


def beam(start: Board, width: int, dialect: Dialect, actions: Actions, max_nodes: int) -> Answer:
    """Layer by layer the `width` states that are best by h1 + h2; one state may fill two places."""
    goal = GOAL.board.tiles
    misplaced, distance = h1(), h2()
    nodes = 0
    expanded: set[State] = set()
    kept: list[Node] = [(start.tiles, 0, "", None)]
    if start.tiles == goal:
        return Answer(Status.SOLVED, "", 0)
    while kept:
        if nodes >= max_nodes:
            return Answer(Status.LIMIT, None, nodes)
        layer: list[Node] = []
        for node in kept:
            state, g = node[0], node[1] + 1
            legal = actions.look_up(state)
            first_time = state not in expanded
            expanded.add(state)
            for move, child in legal:
                actions.inner_look_up(legal)
                if not first_time:
                    continue
                if child == goal and dialect.beam_stops_at_goal:
                    return Answer(Status.SOLVED, _moves_to((child, g, move, node)), nodes)
                nodes += 1
                layer.append((child, g, move, node))
        layer.sort(key=lambda node: misplaced(node[0]) + distance(node[0]))
        if layer and layer[0][0] == goal:  # the goal alone has an estimate of 0
            return Answer(Status.SOLVED, _moves_to(layer[0]), nodes)
        kept = layer[:width]
    return Answer(Status.STUCK, None, nodes)


def _moves_to(node: Node) -> str:
    moves = []
    while node[3] is not None:
        moves.append(node[2])
        node = node[3]
    return "".join(reversed(moves))


def _keep_order(actions: list[Any]) -> None:
    """What eecs391-table does instead of shuffling."""

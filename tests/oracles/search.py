"""Best-first search as the rules read: one sorted list, no tables, nothing is fast.

The searches of the package are compared with it under every setting of the five knobs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.oracles.puzzle import Tiles, neighbours
from tilewise import Board, Goal, Rules


@dataclass(eq=False)
class PlainNode:
    tiles: Tiles
    parent: PlainNode | None
    move: str
    g: int
    h: int
    number: int
    closed: bool = False
    stale: bool = False

    def path(self) -> list[PlainNode]:
        """The node, its parent, and so on to the root."""
        return [self, *(self.parent.path() if self.parent else [])]


@dataclass
class PlainAnswer:
    moves: str = ""
    order: list[Tiles] = field(default_factory=list)
    """The states in the order in which they were expanded."""
    generated: int = 0
    stored: int = 0
    duplicates: int = 0
    reopened: int = 0
    max_frontier: int = 0
    max_depth: int = 0
    goals_counted: int = 0

    @property
    def expanded(self) -> int:
        return len(self.order) + self.goals_counted


Priority = Callable[[int, int], int]


def plain_best_first(
    start: Board,
    goal: Goal,
    h: Callable[[Tiles], int],
    rules: Rules,
    priority: Priority,
    *,
    reopen: bool = True,
) -> PlainAnswer:
    """Take the best entry of the open list until it is the goal."""
    answer = PlainAnswer()
    frontier = [PlainNode(start.tiles, None, "", 0, h(start.tiles), 0)]
    made = list(frontier)
    answer.generated = answer.stored = int("root" in rules.count)

    def rank(node: PlainNode) -> tuple[int, int, int]:
        by_h = {"h": node.h, "largeh": -node.h}.get(rules.ties.split("-")[0], 0)
        age = -node.number if rules.ties.endswith("newest") else node.number
        return priority(node.g, node.h), by_h, age

    def finish(node: PlainNode) -> PlainAnswer:
        answer.goals_counted = int("goal" in rules.count)
        answer.moves = "".join(step.move for step in reversed(node.path()))
        return answer

    if rules.goal_test == "generated" and start == goal.board:
        return finish(frontier[0])
    while True:
        node = min(frontier, key=rank)
        frontier.remove(node)
        if node.stale:
            continue
        if rules.goal_test == "taken" and node.tiles == goal.board.tiles:
            return finish(node)
        node.closed = True
        answer.order.append(node.tiles)
        for move, tiles in neighbours(node.tiles, start.columns, rules.order):
            answer.generated += 1
            g = node.g + 1
            twins = [twin for twin in made if twin.tiles == tiles]
            if thrown_away(tiles, g, node, twins, rules, reopen):
                answer.duplicates += 1
                continue
            if not rules.duplicates.startswith("ancestors"):
                answer.reopened += any(twin.closed and not twin.stale for twin in twins)
                for twin in twins:
                    twin.stale = True
            child = PlainNode(tiles, node, move, g, h(tiles), len(made))
            made.append(child)
            frontier.append(child)
            answer.stored += 1
            answer.max_depth = max(answer.max_depth, g)
            if rules.goal_test == "generated" and tiles == goal.board.tiles:
                return finish(child)
        answer.max_frontier = max(answer.max_frontier, len(frontier))


def thrown_away(
    tiles: Tiles, g: int, parent: PlainNode, twins: list[PlainNode], rules: Rules, reopen: bool
) -> bool:
    """Whether a successor is thrown away, in the words of the knob `duplicates`."""
    if rules.duplicates.startswith("ancestors"):
        count = int(rules.duplicates[len("ancestors(") : -1])
        return any(ancestor.tiles == tiles for ancestor in parent.path()[:count])
    if not reopen or rules.duplicates == "closed-when-generated":
        return bool(twins)
    if any(twin.g <= g for twin in twins):
        return True
    on_the_list = any(not twin.closed and not twin.stale for twin in twins)
    return rules.duplicates == "skip-if-in-frontier" and on_the_list

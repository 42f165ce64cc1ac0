"""Bidirectional breadth-first search."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.puzzle.board import Move

Tree = dict[State, tuple[State, str, int]]
"""For each state reached from one end: the state before it, the move between, its number."""


@algorithm(
    "bidirectional",
    optimal=True,
    complete=True,
    title="Bidirectional breadth-first search",
    frontier=Frontier(FrontierKind.TWO_SIDED, g=1, reopens=False),
    choice="breadth-first by whole layers, from the side with fewer open states",
    pseudo_code="""
        one side begins at the start, the other at the goal <- start
        while both sides have a layer:
            for each node of the smaller layer, the oldest first: expand it <- expand
                for each of its successors:
                    if this side has its state: throw it away <- duplicate
                    else: put it in the next layer of this side <- generate
                    if the other side has its state: join the two paths, return them <- goal
        report that there is no solution
        """,
)
def bidirectional(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Breadth-first from both ends by whole layers, always from the end with fewer open states.

    No state was in both trees before the layer that first makes one, so every meeting of that
    layer has the same length and the first is optimal (Pohl 1971).
    """
    stats = Stats(peak_stored=2)
    start, goal = problem.start, problem.goal
    trees: tuple[Tree, Tree] = ({start: (start, "", 0)}, {goal: (goal, "", 1)})
    layers = ([start], [goal])
    depths = [0, 0]

    def end(status: Status, meeting: State) -> Outcome:
        stats.peak_stored = len(trees[0]) + len(trees[1])
        if observer:
            if status is Status.SOLVED:
                observer(Kind.GOAL, trees[0][meeting][2], board=meeting)
            observer(Kind.STOP, 0, board=meeting)
        moves = _joined(trees, meeting) if status is Status.SOLVED else None
        return Outcome(status, moves, stats)

    if observer:
        observer(Kind.START, 0, board=start)
        observer(Kind.START, 1, board=goal)
    if start == goal:
        return end(Status.SOLVED, start)
    while layers[0] and layers[1]:
        side = 0 if len(layers[0]) <= len(layers[1]) else 1
        tree, other = trees[side], trees[1 - side]
        stats.iterations += 1
        depths[side] += 1
        g = depths[side]
        layer: list[State] = []
        for state in layers[side]:
            stats.expanded += 1
            _, last, node = tree[state]
            if observer:
                observer(Kind.EXPAND, node, -1, last, g - 1, 0, (g - 1, 0), state)
            for move, child in problem.successors(state):
                if stats.generated == meter.pause and meter.stop(stats):
                    return end(meter.status, start)
                stats.generated += 1
                if child in tree:
                    stats.duplicates += 1
                    if observer:
                        known = tree[child][2]
                        observer(Kind.DUPLICATE, known, node, move, g, 0, (g, 0), child)
                    continue
                stats.stored += 1
                number = stats.stored + 1
                tree[child] = (state, move, number)
                stats.max_depth = max(stats.max_depth, g)
                layer.append(child)
                if observer:
                    observer(Kind.GENERATE, number, node, move, g, 0, (g, 0), child)
                if child in other:
                    return end(Status.SOLVED, child)
        layers[side][:] = layer
        stats.max_frontier = max(stats.max_frontier, len(layers[0]) + len(layers[1]))
    return end(Status.UNSOLVABLE, start)


def _joined(trees: tuple[Tree, Tree], meeting: State) -> str:
    """The moves from the start to the meeting, then those from the goal taken back."""
    forward = _walk(trees[0], meeting)
    backward = _walk(trees[1], meeting)
    return "".join(reversed(forward)) + "".join(Move(move).opposite for move in backward)


def _walk(tree: Tree, state: State) -> list[str]:
    moves = []
    before, move, _ = tree[state]
    while move:
        moves.append(move)
        before, move, _ = tree[before]
    return moves

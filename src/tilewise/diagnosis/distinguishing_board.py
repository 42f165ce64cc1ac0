"""A board that tells explanations apart: run your program on it, and fewer of them remain."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from tilewise.core.problem import Problem
from tilewise.diagnosis.budget import Budget, EndedEarlyError
from tilewise.diagnosis.counting import CountLimit, counted, run, serves
from tilewise.diagnosis.findings import Apart, Explanation, Observation
from tilewise.diagnosis.rule_variants import COUNTERS
from tilewise.puzzle.board import Board, Goal

WALKS, SEED = 24, 1
SHORTEST_WALK, LONGER_BY = 10, 2
MOST_EXPANDED = 1500


def telling_apart(
    explanations: Sequence[Explanation], goal: Goal, seen: Iterable[Observation], budget: Budget
) -> Apart | None:
    """The board, of some near the goal, on which the counts differ most; None if none helps.

    When the budget is spent, it is the best of those that were tried.
    """
    if len(explanations) < 2 or not all(serves(each.variant, goal) for each in explanations):
        return None
    used = {each.board for each in seen}
    best: tuple[int, Apart] | None = None
    for board in _boards(goal):
        try:
            counts = [_count(each, board, goal, budget) for each in explanations]
        except EndedEarlyError:
            break
        known = tuple(count for count in counts if count is not None)
        different = len(set(known))
        if board in used or len(known) < len(counts) or different < 2:
            continue
        if best is None or different > best[0]:
            best = different, Apart(board, goal, known)
        if different == len(counts):
            break
    return best[1] if best else None


def _boards(goal: Goal) -> Iterable[Board]:
    """Ends of random walks from the goal, longer and longer, always the same."""
    draw = random.Random(SEED)
    problem = Problem(goal.board, goal)
    for walk in range(WALKS):
        state, last = problem.goal, ""
        for _ in range(SHORTEST_WALK + LONGER_BY * walk):
            last, state = draw.choice(problem.successors(state, last))
        yield problem.board(state)


def _count(explanation: Explanation, board: Board, goal: Goal, budget: Budget) -> int | None:
    stop = CountLimit("expanded", MOST_EXPANDED)
    counts = counted(run(explanation.variant, board, goal, stop, budget))
    place = COUNTERS.index(explanation.counter)
    number = counts[place] if counts else None
    return None if number is None else number + explanation.counting.added[place]

"""Easy, medium and hard boards, drawn without a search that a player would have to wait for."""

from __future__ import annotations

from random import Random
from secrets import randbits

from tilewise.core.build_context import BuildContext
from tilewise.core.made_heuristic import build_heuristic
from tilewise.errors import SpecError, shortened
from tilewise.hints import GROUND
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.shapes import solvable_states
from tilewise.scrambling import Scrambles, scramble
from tilewise.tables.distances import SMALL_STATES, distance_table

BANDS = {"easy": (0.25, 0.45), "medium": (0.45, 0.7), "hard": (0.7, 0.95)}
"""Depths as parts of the greatest one, where there is a table of all distances."""
WALKS = {"easy": (10, 16), "medium": (26, 40)}
"""Steps of a walk that enters no board twice, where there is no table."""
DRAWN = 8
"""A hard board of a large shape is the farthest of this many, by the lower bound."""


def boards_of_level(
    goal: Goal, level: str, count: int, seed: int | None, context: BuildContext
) -> Scrambles:
    """Boards of a level; every one is drawn with a depth, a walk or a choice of its own."""
    if level not in BANDS:
        raise SpecError(f"expected easy, medium or hard as level, got {shortened(level)}")
    seed = randbits(32) if seed is None else seed
    random = Random(seed)
    states = (_drawn(goal, level, random, context).tiles for _ in range(count))
    return Scrambles(goal, seed, False, states)


def _drawn(goal: Goal, level: str, random: Random, context: BuildContext) -> Board:
    shape, seed = goal.board.shape, random.getrandbits(32)
    if solvable_states(goal.board.rows, goal.board.columns) <= SMALL_STATES:
        depth = _depth(goal, level, random, context)
        return next(scramble(shape, goal=goal, depth=depth, seed=seed, context=context))
    if level in WALKS:
        steps = random.randint(*WALKS[level])
        walks = scramble(shape, goal=goal, walk=steps, repeats=False, seed=seed, context=context)
        return next(walks)
    estimate = build_heuristic(GROUND, goal, context)
    return max(scramble(shape, goal=goal, count=DRAWN, seed=seed, context=context), key=estimate)


def _depth(goal: Goal, level: str, random: Random, context: BuildContext) -> int:
    """A depth of the level's band; on the smallest shapes at least 1."""
    most = len(distance_table(goal, context).levels) - 1
    low, high = (round(part * most) for part in BANDS[level])
    return random.randint(max(1, low), max(1, high))

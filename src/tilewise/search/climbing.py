"""Hill climbing as textbooks have it, with its variants as options."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.dice import Dice
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.errors import SpecError, shortened
from tilewise.search.walk import LimitReached, Step, Walk

CHOICES = ("steepest", "first", "stochastic")


@algorithm(
    "climbing",
    needs_heuristic=True,
    tree=True,
    title="Hill climbing by the textbook",
    frontier=Frontier(FrontierKind.WALK, h=1, reopens=False),
    choice="goes on to a successor with a smaller h than the current state; it keeps nothing else",
    pseudo_code="""
        the state is the start <- start
        repeat:
            if the state is the goal: return the path to it <- goal
            expand it: make its successors, all or one by one <- expand, generate, duplicate
            if one has a smaller h: go on to one of those, as `choice` says
            else if one has the same h, at most `sideways` times in a row: go on to it
            else if it climbed fewer than `climbs` times:
                go back to the start and `walk` random moves away from it
            else: report that the search is stuck
        """,
)
def climbing(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    choice: str = "steepest",
    sideways: int = 0,
    climbs: int = 100,
    walk: int = 30,
    seed: int = 1,
) -> Outcome:
    """Hill climbing (Russell and Norvig 2010): on to a better neighbour until there is none.

    `choice` is `steepest` (the smallest h), `first` (successors in random order, the first that is
    better) or `stochastic` (any that is better). `sideways` moves along a plateau are allowed in
    a row. At a local minimum it begins again, `walk` random moves from the start, until it has
    climbed `climbs` times. `seed` is the seed of all random choices.
    """
    if choice not in CHOICES:
        raise SpecError(f"expected {', '.join(CHOICES)} for choice, got {shortened(choice)}")
    dice, way = Dice(seed), Walk(problem, h, meter, observer)
    try:
        for climb in range(climbs):
            way.stats.iterations += 1
            if climb:
                way.restart()
                _stroll(way, walk, dice)
            if _climb(way, choice, sideways, dice):
                return way.end(Status.SOLVED)
    except LimitReached:
        return way.end(meter.status)
    return way.end(Status.STUCK)


def _climb(way: Walk, choice: str, sideways: int, dice: Dice) -> bool:
    """Climb until the goal, which is true, or a local minimum."""
    left = sideways
    while not way.solved:
        here = way.here.h
        made: list[Step] = []
        successors = way.expand()
        for move, state in dice.shuffled(successors) if choice == "first" else successors:
            made.append(way.make(move, state))
            if choice == "first" and made[-1].h < here:
                break
        better = [step for step in made if step.h < here]
        if choice == "steepest" and better:
            least = min(step.h for step in better)
            better = [step for step in better if step.h == least]
        level = [step for step in made if step.h == here]
        if not better and (not left or not level):
            return False
        left = sideways if better else left - 1
        way.go(dice.choice(better or level))
    return True


def _stroll(way: Walk, moves: int, dice: Dice) -> None:
    """Random moves, fewer if they meet the goal."""
    for _ in range(moves):
        if way.solved:
            return
        way.go(way.make(*dice.choice(way.expand())))

"""Simulated annealing."""

from __future__ import annotations

from fractions import Fraction
from math import exp

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.dice import Dice
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.search.walk import LimitReached, Walk


@algorithm(
    "annealing",
    needs_heuristic=True,
    tree=True,
    title="Simulated annealing",
    frontier=Frontier(FrontierKind.WALK, h=1, reopens=False),
    choice="takes any successor of the current state; a worse one only with a chance that falls "
    "with the temperature",
    pseudo_code="""
        the state is the start <- start
        for each of `steps` steps, while the temperature falls evenly from `temperature` to 0:
            if the state is the goal: return the path to it <- goal
            make any one of its successors <- expand, generate, duplicate
            if its h is not larger: go on to it
            else: go on to it with a chance of exp(-(how much larger) / temperature)
        report that the search is stuck
        """,
)
def annealing(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    temperature: Fraction = Fraction(2),
    steps: int = 20_000,
    seed: int = 1,
) -> Outcome:
    """Simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983): a walk that is less and less random.

    The path that is kept has no loops. `seed` is the seed of all random choices.
    """
    dice, way, hottest = Dice(seed), Walk(problem, h, meter, observer), float(temperature)
    try:
        for step in range(steps):
            if way.solved:
                return way.end(Status.SOLVED)
            made = way.make(*dice.choice(way.expand()))
            worse = made.h - way.here.h
            if worse <= 0 or dice.fraction() < exp(-worse * steps / (hottest * (steps - step))):
                way.go(made)
    except LimitReached:
        return way.end(meter.status)
    return way.end(Status.SOLVED if way.solved else Status.STUCK)

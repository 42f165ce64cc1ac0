"""Stochastic beam search."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.dice import Dice
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.search.beam import BEAM_HEURISTIC, Made, by_h, layered


@algorithm(
    "stochastic_beam",
    needs_heuristic=True,
    default_heuristic=BEAM_HEURISTIC,
    title="Stochastic beam search",
    frontier=Frontier(FrontierKind.OWN_ORDER, h=1, reopens=False),
    choice="goes layer by layer: what is kept of a layer is drawn, small h with a better chance, "
    "and expanded one after the other",
    pseudo_code="""
        the first layer is the start <- start
        while the layer is not empty:
            if the goal was made: return the path to it <- goal
            for each node of the layer, the smallest h first: expand it <- expand
                for each of its successors:
                    if its state was made before: throw it away <- duplicate
                    else: put it in the next layer <- generate
            for each node of the next layer: flip a coin until it shows tails
            keep the `width` nodes with the smallest h - heads: that is the layer
        report that the search is stuck
        """,
)
def stochastic_beam(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    width: int = 100,
    seed: int = 1,
) -> Outcome:
    """Stochastic beam search (Russell and Norvig 2010): a beam that is drawn, not cut.

    Each node gets a bonus of as many moves as a coin shows heads in a row, so one more move of h
    halves its chance; the `width` best are kept. `seed` is the seed of all coins.
    """
    dice = Dice(seed)

    def keep(made: Made) -> Made:
        luck = {number: value - dice.heads() for value, number in made}
        return by_h(sorted(made, key=lambda node: luck[node[1]])[:width])

    return layered(problem, h, meter, observer, keep)

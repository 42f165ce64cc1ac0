"""Values learned by a machine."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import floor

from tilewise.core.entries import Estimate, Tabled
from tilewise.core.learned_estimate import LearnedEstimate, PairEstimate
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import State
from tilewise.core.registry import heuristic
from tilewise.errors import SpecError
from tilewise.learning import models, networks, regressions
from tilewise.learning.frames import frame_of
from tilewise.learning.regressions import Layers
from tilewise.native import LearnedModel
from tilewise.puzzle.board import Goal

PAIRS = "pairs"
LOWERED = ("linear", "network")
"""Models whose largest excess is known: `learn train` keeps it with them."""


def version(goal: Goal, model: str, lowered: bool) -> Hashable:
    """The file that a model would be read from now: `learn train` replaces it."""
    if model == PAIRS:
        return models.version_for(goal)
    return regressions.version_for(model, goal)


@heuristic("learned", title="learned values", on_boards=False, version=version)
def learned(goal: Goal, model: str = PAIRS, lowered: bool = False) -> Estimate | Tabled:
    """Moves to the goal as learned from solved boards, by one of four models: not admissible.

    `pairs` has a value for each pair of tiles and cells; beams find much shorter solutions with it
    than with admissible heuristics. `linear` weighs other heuristics, `network` is a small
    multi-layer network, `policy` predicts the next move and counts how far it gets. They estimate
    the distance itself, not a bound on it. With `lowered=yes`, `linear` and `network` are reduced
    by as much as they exceed any distance that was known in their training; that is no proof that
    they are admissible.
    `tilewise learn train SHAPE --model MODEL` trains one.
    """
    if lowered and model not in LOWERED:
        raise SpecError(
            f"expected a model that can be lowered ({' or '.join(LOWERED)}), got {model}"
        )
    if model == PAIRS:
        return _of_pairs(goal)
    layers = regressions.layers_for(model, goal)
    return of_layers(goal, layers, layers.facts.lowered_by if lowered else 0)


def of_layers(goal: Goal, layers: Layers, lowered_by: int = 0) -> Estimate:
    """What a model says that was trained on known distances."""
    if layers.facts.model == "linear":
        return _of_linear(goal, layers, lowered_by)
    frame, network = frame_of(goal), networks.whole_network(layers)
    model = (
        networks.policy_model(network, frame)
        if layers.facts.model == "policy"
        else networks.network_model(network, frame, lowered_by)
    )
    return LearnedEstimate(model, frame.homes, build_heuristic("manhattan", goal).estimate)


def _of_pairs(goal: Goal) -> Tabled:
    frame, values = frame_of(goal), models.model_for(goal).values
    at_goal = values.value(frame.solved)
    model = LearnedModel.of_pairs(values, bytes(frame.cell), bytes(frame.home), at_goal)
    manhattan = build_heuristic("manhattan", goal).estimate
    return Tabled(
        PairEstimate(model, frame.homes, manhattan, values, frame.moves, frame.solved),
        values.bytes,
    )


def _of_linear(goal: Goal, layers: Layers, lowered_by: int) -> Estimate:
    """What a linear model says, as the nearest number of moves that is possible.

    Every solution of a board has the parity of its Manhattan distance.
    """
    value, manhattan = _weighed(goal, layers), build_heuristic("manhattan", goal).estimate

    def estimate(state: State) -> int:
        least = manhattan(state)
        if not least:
            return 0
        parity = least % 2
        moves = max(parity, 2 * floor((value(state) - parity) / 2 + 0.5) + parity)
        return max(0, moves - lowered_by)

    return estimate


def _weighed(goal: Goal, layers: Layers) -> Callable[[State], float]:
    weights = [float(weight) for weight in layers.matrices[0][:, 0]]
    constant = float(layers.biases[0][0])
    parts = [build_heuristic(name, goal).estimate for name in regressions.FEATURES]

    def value(state: State) -> float:
        return constant + sum(
            weight * part(state) for weight, part in zip(weights, parts, strict=True)
        )

    return value

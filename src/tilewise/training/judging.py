"""How good a trained model is: its error on states held out, and how far it is above a distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.limits import Meter
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import State
from tilewise.learning import regressions
from tilewise.learning.frames import frame_of
from tilewise.learning.networks import as_boards, in_moves, native_network, whole_network
from tilewise.learning.regressions import FEATURES, Layers, ModelFacts
from tilewise.native import NATIVE
from tilewise.puzzle.board import Goal
from tilewise.training.samples import Sample

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AT_ONCE = 2048
"""States that are judged between two looks at the clock: as many as take no time to speak of."""


def judged(goal: Goal, layers: Layers, found: Sample, clock: Meter) -> ModelFacts:
    """The error on states held out, and by how much any known distance is exceeded.

    States held out come first. When the time is over, the facts say how many were looked at.
    """
    import numpy as np

    facts, test, train = layers.facts, found.part(held_out=True), found.part(held_out=False)
    if facts.model == "policy":
        return _judged_moves(goal, layers, test, clock)
    above, errors = 0, []
    done = {True: 0, False: 0}
    for part, held_out in ((test, True), (train, False)):
        for at in range(0, len(part.states), AT_ONCE):
            if done[True] and clock.over:
                break
            states = part.states[at : at + AT_ONCE]
            excess = values(goal, layers, states) - np.asarray(part.distances[at : at + AT_ONCE])
            above, done[held_out] = max(above, int(excess.max())), done[held_out] + len(states)
            errors += [np.abs(excess)] if held_out else []
    error = round(float(np.concatenate(errors).mean()), 4)
    checked = done[True] + done[False]
    return replace(facts, held_out=done[True], checked=checked, mean_error=error, lowered_by=above)


def _judged_moves(goal: Goal, layers: Layers, test: Sample, clock: Meter) -> ModelFacts:
    wrong, known, done = 0, 0, 0
    for at in range(0, len(test.states), AT_ONCE):
        if done and clock.over:
            break
        states = test.states[at : at + AT_ONCE]
        best = _best_moves(goal, states, outputs(goal, layers, states))
        moves = test.moves[at : at + AT_ONCE]
        both = [(move, good) for move, good in zip(best, moves, strict=True) if good]
        wrong, known = wrong + sum(move not in good for move, good in both), known + len(both)
        done += len(states)
    error = round(wrong / max(1, known), 4)
    return replace(layers.facts, held_out=done, checked=done, mean_error=error)


def features(
    goal: Goal, states: Sequence[State], context: BuildContext = DEFAULT_CONTEXT
) -> NDArray[np.float32]:
    """The values of the heuristics that a linear model weighs, a row for each state."""
    import numpy as np

    parts = [build_heuristic(name, goal, context).estimate for name in FEATURES]
    return np.array([[part(state) for part in parts] for state in states], np.float32)


def values(goal: Goal, layers: Layers, states: Sequence[State]) -> NDArray[np.int64]:
    """What the heuristic says of many states at once: as `learned(linear)` and `(network)` do."""
    import numpy as np

    manhattan = build_heuristic("manhattan", goal).estimate
    least = np.array([manhattan(state) for state in states])
    if layers.facts.model == "network":
        bits = whole_network(layers).output_bits
        return in_moves(outputs(goal, layers, states)[:, 0], bits, least)
    parity = least % 2
    found = (features(goal, states) @ layers.matrices[0] + layers.biases[0])[:, 0]
    whole = 2 * np.floor((found - parity) / 2 + 0.5).astype(np.int64) + parity
    return np.where(least == 0, 0, np.maximum(parity, whole))


def outputs(goal: Goal, layers: Layers, states: Sequence[State]) -> NDArray[np.int64]:
    """The outputs of a network for many states at once, by the native engine where it is there."""
    import numpy as np

    frame, network = frame_of(goal), whole_network(layers)
    evaluate = native_network(network, len(frame.cell)).outputs if NATIVE else network.outputs
    parts = (states[at : at + AT_ONCE] for at in range(0, len(states), AT_ONCE))
    boards = (as_boards([frame.homes(state) for state in part]) for part in parts)
    return np.concatenate([evaluate(part) for part in boards])


def _best_moves(goal: Goal, states: Sequence[State], outputs: NDArray[np.int64]) -> list[str]:
    from tilewise.core.problem import Problem

    successors = Problem(goal.board, goal).successors
    return [
        max(
            (move for move, _ in successors(state)),
            key=lambda move: int(row[regressions.MOVES.index(move)]),
        )
        for state, row in zip(states, outputs, strict=True)
    ]

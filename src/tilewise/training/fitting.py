"""Fits of models to known distances: least squares, and networks by scikit-learn."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tilewise.core.build_context import never
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import State
from tilewise.errors import MissingExtraError, SpecError, shortened
from tilewise.learning import regressions
from tilewise.learning.frames import frame_of
from tilewise.learning.networks import as_boards, in_moves, native_network, whole_network
from tilewise.learning.regressions import FEATURES, MODELS, Layers, ModelFacts
from tilewise.native import NATIVE
from tilewise.puzzle.board import Goal
from tilewise.training.samples import Sample, sample

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HIDDEN = (128, 32)
"""The hidden layers of networks."""
BATCH, BATCHES_AT_ONCE = 256, 64
"""States for each step of a training, and steps between two looks at the clock."""
BATCH_OF_OUTPUTS = 8192
JUDGED_AT_LEAST = 2000
"""States on which a model is judged whose training was ended early, or all if there are fewer."""
LARGEST_STEP = 6e-3
"""The size of the first step; it falls evenly to 0 by the end of the training."""


@dataclass(frozen=True)
class Fit:
    """What is to be trained, for how long, on how many states."""

    model: str
    rows: int
    columns: int
    seconds: float = 60.0
    states: int | None = None
    """At most this many are trained on; None: all that there are time for."""
    seed: int = 1
    epochs: int | None = None
    """Instead of seconds: how often all states are gone through."""
    hidden: tuple[int, ...] = HIDDEN

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise SpecError(f"expected a model {', '.join(MODELS)}; got {shortened(self.model)}")


@dataclass(frozen=True)
class FitProgress:
    """Where a training stands."""

    seconds: float
    states: int
    epoch: int
    loss: float


FitWatch = Callable[[FitProgress], None]


def fit(
    plan: Fit, watch: FitWatch = lambda progress: None, cancelled: Callable[[], bool] = never
) -> Layers:
    """Train a model; `cancelled` ends it with what was learned so far."""
    began = time.monotonic()
    if plan.model != "linear":
        _scikit()  # before the work, not after it
    goal = Goal.blank_first(plan.rows, plan.columns)
    watch(FitProgress(0.0, 0, 0, 0.0))
    found = sample(
        goal, plan.seed, plan.seconds, plan.states, cancelled, moves=plan.model == "policy"
    )
    train, test = found.part(held_out=False), found.part(held_out=True)
    if len(train.states) < 10 or not test.states:
        raise SpecError(
            f"expected time to solve boards of {plan.rows}x{plan.columns}, got {plan.seconds:g} s"
        )

    to_train, share = time.monotonic(), 1.0

    def share_done(epochs: float, loss: float) -> float:
        nonlocal share
        share = share_of(epochs, loss)
        return 1.0 if cancelled() else share

    def share_of(epochs: float, loss: float) -> float:
        now = time.monotonic()
        watch(FitProgress(now - began, len(train.states), int(epochs), loss))
        if plan.epochs is not None:
            return epochs / plan.epochs
        return (now - to_train) / max(began + plan.seconds - to_train, 1e-9)

    make = {"linear": _linear, "network": _network, "policy": _policy}[plan.model]
    matrices, biases = make(goal, train, plan, share_done)
    sizes = (matrices[0].shape[0], *(matrix.shape[1] for matrix in matrices))
    facts = ModelFacts(
        plan.model,
        plan.rows,
        plan.columns,
        sizes,
        plan.seed,
        round(time.monotonic() - began, 1),
        len(train.states),
        len(test.states),
        mean_error=0.0,
        lowered_by=0,
        checked=len(found.states),
    )
    if share < 1 - 1e-9:  # who has ended it does not wait until all states are judged
        found = found.every(len(found.states) // JUDGED_AT_LEAST + 1)
        test = found.part(held_out=True)
        facts = replace(facts, checked=len(found.states), held_out=len(test.states))
    layers = Layers(facts, matrices, biases)
    return replace(layers, facts=_judged(goal, layers, found, test))


def _scikit() -> Any:
    try:
        from sklearn import neural_network  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise MissingExtraError("scikit-learn", "to train networks", "learn") from None
    return neural_network


ShareDone = Callable[[float, float], float]
"""From the times that all states were gone through, and the loss: the share of the training."""
Weights = tuple[tuple["NDArray[np.float32]", ...], tuple["NDArray[np.float32]", ...]]


def _linear(goal: Goal, train: Sample, plan: Fit, share_done: ShareDone) -> Weights:
    """Weights of the other heuristics by least squares."""
    import numpy as np

    values = features(goal, train.states)
    with_one = np.hstack([values, np.ones((len(values), 1), np.float32)])
    found, *_ = np.linalg.lstsq(with_one, np.asarray(train.distances, np.float32), rcond=None)
    return (found[:-1].reshape(-1, 1).astype(np.float32),), (found[-1:].astype(np.float32),)


def features(goal: Goal, states: Sequence[State]) -> NDArray[np.float32]:
    """The values of the heuristics that a linear model weighs, a row for each state."""
    import numpy as np

    parts = [build_heuristic(name, goal).estimate for name in FEATURES]
    return np.array([[part(state) for part in parts] for state in states], np.float32)


def _options(plan: Fit, train: Sample) -> dict[str, Any]:
    return {
        "hidden_layer_sizes": plan.hidden,
        "batch_size": min(BATCH, len(train.states)),
        "learning_rate_init": LARGEST_STEP,
        "random_state": plan.seed,
        "shuffle": False,  # they come in a new order
    }


def _network(goal: Goal, train: Sample, plan: Fit, share_done: ShareDone) -> Weights:
    """A multi-layer network for the distance (Peterson 2013), by Adam."""
    import numpy as np

    network = _scikit().MLPRegressor(**_options(plan, train))
    scale = float(max(train.distances))
    targets = np.asarray(train.distances, np.float32) / scale
    _epochs(network, goal, train, plan, share_done, targets)
    matrices, biases = _weights_of(network)
    last = len(matrices) - 1
    return (
        tuple(m * scale if n == last else m for n, m in enumerate(matrices)),
        tuple(b * scale if n == last else b for n, b in enumerate(biases)),
    )


def _policy(goal: Goal, train: Sample, plan: Fit, share_done: ShareDone) -> Weights:
    """A multi-layer network for the next move: of several good ones the first is learned."""
    import numpy as np

    network = _scikit().MLPClassifier(**_options(plan, train))
    places = [place for place, moves in enumerate(train.moves) if moves]
    draw = np.random.default_rng(plan.seed)
    targets = np.array(
        [regressions.MOVES.index(draw.choice(list(train.moves[place]))) for place in places]
    )
    part = Sample([train.states[place] for place in places], [], [], [])
    _epochs(network, goal, part, plan, share_done, targets, classes=np.arange(4))
    return _weights_of(network)


def _epochs(
    network: Any,
    goal: Goal,
    train: Sample,
    plan: Fit,
    share_done: ShareDone,
    targets: Any,
    **more: Any,
) -> None:
    """Go through all states, in a new order each time, by steps that become smaller."""
    inputs = one_hot(goal, train.states)
    done, epochs = 0.0, 0.0
    with _one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a training that ends by the clock has not converged
        try:
            for part in _parts(len(inputs), plan.seed):
                network.partial_fit(inputs[part], targets[part], **more)
                epochs += len(part) / len(inputs)
                done = share_done(epochs, float(network.loss_))
                if done > 1 - 1e-9:
                    return
                network._optimizer.learning_rate_init = LARGEST_STEP * (1 - done)
        except KeyboardInterrupt:
            if not done:
                raise
            # with what was learned so far


def _parts(count: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """All numbers below the count, some at a time, in a new order again and again."""
    import numpy as np

    draw, size = np.random.default_rng(seed), BATCH * BATCHES_AT_ONCE
    while True:
        order = draw.permutation(count)
        yield from (order[at : at + size] for at in range(0, count, size))


def _one_thread() -> AbstractContextManager[object]:
    """No threads for products of matrices: these are so small that the threads only wait."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped,unused-ignore]

    return threadpool_limits(limits=1)  # type: ignore[no-any-return,unused-ignore]


def one_hot(goal: Goal, states: Sequence[State]) -> NDArray[np.float32]:
    """A row for each state, with a 1 for every tile on its cell."""
    import numpy as np

    frame = frame_of(goal)
    boards = as_boards([frame.homes(state) for state in states])
    count, cells = boards.shape
    inputs = np.zeros((count, cells * cells), np.float32)
    inputs[np.arange(count)[:, None], np.arange(cells) * cells + boards] = 1
    return inputs


def _weights_of(network: Any) -> Weights:
    import numpy as np

    return (
        tuple(np.asarray(matrix, np.float32) for matrix in network.coefs_),
        tuple(np.asarray(bias, np.float32) for bias in network.intercepts_),
    )


def _judged(goal: Goal, layers: Layers, found: Sample, test: Sample) -> ModelFacts:
    """The error on states held out, and by how much any known distance is exceeded."""
    import numpy as np

    facts = layers.facts
    if facts.model == "policy":
        best = _best_moves(goal, test.states, outputs(goal, layers, test.states))
        known = [(move, moves) for move, moves in zip(best, test.moves, strict=True) if moves]
        wrong = sum(move not in moves for move, moves in known) / max(1, len(known))
        return replace(facts, mean_error=round(wrong, 4), lowered_by=0)
    estimates, distances = values(goal, layers, found.states), np.asarray(found.distances)
    held_out = np.asarray(found.held_out)
    error = float(np.abs(estimates - distances)[held_out].mean())
    above = int((estimates - distances).max())
    return replace(facts, mean_error=round(error, 4), lowered_by=max(0, above))


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
    parts = (states[at : at + BATCH_OF_OUTPUTS] for at in range(0, len(states), BATCH_OF_OUTPUTS))
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

"""Fits of models to known distances: least squares, and networks by scikit-learn.

A limit of time is one for everything: finding states, loading scikit-learn, training and measuring
the error. Each part looks at the same clock.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from threading import Event as CancelFlag
from threading import Thread
from typing import TYPE_CHECKING, Any

from tilewise.core.build_context import DEFAULT_CONTEXT
from tilewise.core.limits import Limits, Meter
from tilewise.core.problem import State
from tilewise.core.waiting import PATIENCE
from tilewise.errors import CancelledError, MissingExtraError, SpecError, shortened
from tilewise.learning import regressions
from tilewise.learning.frames import frame_of
from tilewise.learning.networks import as_boards
from tilewise.learning.regressions import MODELS, Layers, ModelFacts
from tilewise.puzzle.board import Goal
from tilewise.training.judging import features, judged
from tilewise.training.samples import Sample, sample

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SECONDS = 60.0
"""For a training with no limit of its own."""
HIDDEN = (128, 32)
"""The hidden layers of networks."""
BATCH, BATCHES_AT_ONCE, BATCHES_IN_A_LOOK = 256, 64, 8
"""States for each step of a training, steps of one size, and steps between looks at the clock."""
PREPARED_AT_ONCE = 2048
PREPARING, JUDGING, LONGER = 0.4, 0.3, 3.0
"""Of the time that is left, at most: for the inputs of the training, and for measuring the error
afterwards, which takes about three times as long as the inputs did."""
LARGEST_STEP = 6e-3
"""The size of the first step; it falls evenly to 0 by the end of the training."""


@dataclass(frozen=True)
class Fit:
    """What is to be trained, for how long, on how many states."""

    model: str
    rows: int
    columns: int
    seconds: float | None = None
    """For everything. None: `SECONDS`, or with epochs as long as they take."""
    states: int | None = None
    """At most this many are trained on; None: all that there are time for."""
    seed: int = 1
    epochs: int | None = None
    """How often all states are gone through, if there is time."""
    hidden: tuple[int, ...] = HIDDEN

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise SpecError(f"expected a model {', '.join(MODELS)}; got {shortened(self.model)}")

    def clock(self, cancel: CancelFlag | None = None) -> Meter:
        """The clock of a training that begins now; the flag ends it, too."""
        usual = SECONDS if self.epochs is None else None
        return Meter(Limits(seconds=self.seconds or usual), self.rows * self.columns, cancel)


@dataclass(frozen=True)
class FitProgress:
    """Where a training stands."""

    seconds: float
    states: int
    epoch: int
    loss: float


FitWatch = Callable[[FitProgress], None]


def fit(plan: Fit, watch: FitWatch = lambda progress: None, clock: Meter | None = None) -> Layers:
    """Train a model; a clock that runs already has counted what was done before.

    Ctrl-C, too, ends it with what was learned so far, measured on few states.

    Raises:
        CancelledError: The time was up before anything could be learned.
    """
    clock = clock or plan.clock()
    scikit = None if plan.model == "linear" else _Scikit()  # loads while states are found
    goal = Goal.blank_first(plan.rows, plan.columns)
    watch(FitProgress(0.0, 0, 0, 0.0))
    found = sample(goal, plan.seed, plan.states, clock, moves=plan.model == "policy")
    train = found.part(held_out=False)
    if len(train.states) < 10 or not any(found.held_out):
        raise CancelledError("stopped before there were enough states with known distances")
    work = _Work(goal, train, plan, clock, watch, scikit)
    trained, (matrices, biases) = {"linear": _linear, "network": _network, "policy": _policy}[
        plan.model
    ](work)
    sizes = (matrices[0].shape[0], *(matrix.shape[1] for matrix in matrices))
    facts = ModelFacts(
        plan.model,
        plan.rows,
        plan.columns,
        sizes,
        plan.seed,
        round(clock.seconds, 1),
        trained,
        held_out=0,
        mean_error=0.0,
        lowered_by=0,
        checked=0,
    )
    layers = Layers(facts, matrices, biases)
    try:
        facts = judged(goal, layers, found, clock)
    except KeyboardInterrupt:  # who has ended it does not wait until all states are judged
        clock.cancel()
        facts = judged(goal, layers, found, clock)
    return replace(layers, facts=facts)


def _missing() -> MissingExtraError:
    return MissingExtraError("scikit-learn", "to train networks", "learn")


class _Scikit:
    """The networks of scikit-learn, which takes a second to load: a thread does it."""

    def __init__(self) -> None:
        if find_spec("sklearn") is None:  # said before the work, not after it
            raise _missing()
        self._loaded: Any = None
        self._error: BaseException | None = None
        self._thread = Thread(target=self._load, daemon=True)
        self._thread.start()

    def _load(self) -> None:
        try:
            self._loaded = import_module("sklearn.neural_network")
        except BaseException as error:
            self._error = error

    def within(self, clock: Meter) -> Any:
        """The module; it is not waited for longer than there is time."""
        while self._thread.is_alive():
            if clock.over:
                raise CancelledError("stopped while scikit-learn was being loaded")
            self._thread.join(PATIENCE)
        if isinstance(self._error, ImportError):
            raise _missing() from self._error
        if self._error is not None:
            raise self._error
        return self._loaded


@dataclass(frozen=True)
class _Work:
    """What is trained, on what, and the clock of it all."""

    goal: Goal
    train: Sample
    plan: Fit
    clock: Meter
    watch: FitWatch
    scikit: _Scikit | None

    def networks(self) -> Any:
        """The module of scikit-learn, when it is loaded."""
        return self.scikit.within(self.clock) if self.scikit else None

    def share_after(self, part: float) -> float:
        """The share of the whole time at which a part of what is left now will be over."""
        seconds = self.clock.limits.seconds
        now = 0.0 if seconds is None else min(1.0, self.clock.seconds / seconds)
        return now + part * (1 - now)

    def prepared(
        self, function: Callable[[Sequence[State]], NDArray[np.float32]], states: Sequence[State]
    ) -> NDArray[np.float32]:
        """A row for each state, for as many states as there is time for."""
        import numpy as np

        rows: list[NDArray[np.float32]] = []
        end = self.share_after(PREPARING)
        for at in range(0, len(states), PREPARED_AT_ONCE):
            if rows and self.clock.past(end):
                break
            rows.append(function(states[at : at + PREPARED_AT_ONCE]))
        return np.concatenate(rows)


Weights = tuple[tuple["NDArray[np.float32]", ...], tuple["NDArray[np.float32]", ...]]
Fitted = tuple[int, Weights]
"""The number of states that were trained on, and what was learned."""


def _linear(work: _Work) -> Fitted:
    """Weights of the other heuristics by least squares."""
    import numpy as np

    context = DEFAULT_CONTEXT.within(work.clock)
    values = work.prepared(lambda some: features(work.goal, some, context), work.train.states)
    with_one = np.hstack([values, np.ones((len(values), 1), np.float32)])
    distances = np.asarray(work.train.distances[: len(values)], np.float32)
    found, *_ = np.linalg.lstsq(with_one, distances, rcond=None)
    matrices, biases = found[:-1].reshape(-1, 1), found[-1:]
    work.watch(FitProgress(work.clock.seconds, len(values), 1, 0.0))
    return len(values), ((matrices.astype(np.float32),), (biases.astype(np.float32),))


def _options(plan: Fit, states: int) -> dict[str, Any]:
    return {
        "hidden_layer_sizes": plan.hidden,
        "batch_size": min(BATCH, states),
        "learning_rate_init": LARGEST_STEP,
        "random_state": plan.seed,
        "shuffle": False,  # they come in a new order
    }


def _network(work: _Work) -> Fitted:
    """A multi-layer network for the distance (Peterson 2013), by Adam."""
    import numpy as np

    train = work.train
    scale = float(max(train.distances))
    targets = np.asarray(train.distances, np.float32) / scale
    networks = work.networks()
    began = work.clock.seconds
    inputs = work.prepared(lambda some: one_hot(work.goal, some), train.states)
    network = networks.MLPRegressor(**_options(work.plan, len(inputs)))
    _epochs(network, work, began, inputs, targets)
    matrices, biases = _weights_of(network)
    last = len(matrices) - 1
    return len(inputs), (
        tuple(m * scale if n == last else m for n, m in enumerate(matrices)),
        tuple(b * scale if n == last else b for n, b in enumerate(biases)),
    )


def _policy(work: _Work) -> Fitted:
    """A multi-layer network for the next move: of several good ones the first is learned."""
    import numpy as np

    train, networks, began = work.train, work.networks(), work.clock.seconds
    places = [place for place, moves in enumerate(train.moves) if moves]
    draw, end = np.random.default_rng(work.plan.seed), work.share_after(PREPARING)
    targets: list[int] = []
    for place in places:
        if targets and len(targets) % PREPARED_AT_ONCE == 0 and work.clock.past(end):
            break
        targets.append(regressions.MOVES.index(draw.choice(list(train.moves[place]))))
    states = [train.states[place] for place in places[: len(targets)]]
    inputs = work.prepared(lambda some: one_hot(work.goal, some), states)
    network = networks.MLPClassifier(**_options(work.plan, len(inputs)))
    _epochs(network, work, began, inputs, np.array(targets), classes=np.arange(4))
    whole = len(inputs) == len(places)  # the goal itself has no move
    return len(train.states) if whole else len(inputs), _weights_of(network)


def _epochs(
    network: Any,
    work: _Work,
    began: float,
    inputs: NDArray[np.float32],
    targets: Any,
    **more: Any,
) -> None:
    """Go through all states, in a new order each time, by steps that become smaller.

    Preparing the inputs `began` at that time: measuring the error will take a multiple.
    """
    plan, clock, seconds = work.plan, work.clock, work.clock.limits.seconds
    now, epochs, learned = clock.seconds, 0.0, False
    end = 1.0
    if seconds is not None:
        end = max(work.share_after(1 - JUDGING), 1 - LONGER * (now - began) / seconds)

    def tell() -> None:
        times = int(epochs + 1e-9)
        work.watch(FitProgress(clock.seconds, len(inputs), times, float(network.loss_)))

    def share_done() -> float:
        if clock.past(end):
            return 1.0
        if plan.epochs is not None:
            return epochs / plan.epochs
        return (clock.seconds - now) / max(end * (seconds or 1) - now, 1e-9)

    with _one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a training that ends by the clock has not converged
        try:
            for part in _parts(len(inputs), plan.seed):
                for some in _looks(part):
                    network.partial_fit(inputs[some], targets[some], **more)
                    learned = True
                    epochs += len(some) / len(inputs)
                    if clock.past(end):
                        break
                tell()
                done = share_done()
                if done > 1 - 1e-9:
                    return
                network._optimizer.learning_rate_init = LARGEST_STEP * (1 - done)
        except KeyboardInterrupt:
            if not learned:
                raise
            clock.cancel()  # with what was learned so far


def _looks(part: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Some batches at a time, between two looks at the clock; the batches stay the same."""
    size = BATCH * BATCHES_IN_A_LOOK
    return (part[at : at + size] for at in range(0, len(part), size))


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

"""Training of a model: rounds of solving boards with the values so far and learning from the paths.

A round solves boards by a narrow beam while another thread takes steps of gradient descent on
earlier paths. The boards are random walks from the goal, which grow from round to round, then also
boards drawn at random; none comes from a file. While the walks are short the values learn the
moves that are left; later they learn differences between two boards of one path, by steps that
become smaller from slice to slice of the training. A training by ranks goes on from there: it
learns which boards a narrow beam should keep so as not to lose the path that a wider one found.
Values of squares can be learned beside those of pairs.
A training of a large shape that begins with
nothing has its first slices on smaller boards, whose rounds are short, and stretches what it has
learned there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from tilewise.core.build_context import never
from tilewise.core.learned_estimate import SCALE
from tilewise.core.limits import Limits, Meter
from tilewise.core.waiting import Cancelled
from tilewise.errors import BoardError, CancelledError, SpecError, TableError, shortened
from tilewise.learning import model_file, models
from tilewise.learning.model_file import ModelHeader, Weights
from tilewise.learning.stretching import Shape, stretched
from tilewise.native import Training, train_round
from tilewise.puzzle.shapes import read_shape

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Part = NDArray[np.float32]
    Parts = tuple[Part, Part, Part, Part]
    """The weights of single tiles, of pairs, those that all shapes share, and those of squares."""

SHARED = "shared"
SHARED_SHAPES = ((4, 5), (5, 5), (4, 6), (5, 6))
"""What the weights of all shapes are trained on."""
SLICES = 20
"""Parts of a training; each has its own size of steps."""
GOING_ON = 0.3
"""Of the full step, in the first slice of a training that goes on with a model of the shape."""
SMALLEST_RATE = 0.05
"""Of the full step, in the last slice."""
SLICES_ON_SMALLER, SMALLEST_SIDE = 8, 5
"""Of a training from nothing: the slices on smaller boards, and the side that these begin with."""
MOST_FOR_SAVING = 0.1
"""Of the whole time, at most, that is left to the file at the end."""


@dataclass(frozen=True)
class TrainingProgress:
    """Where a training stands."""

    seconds: float
    rounds: int
    shape: str
    """Of the boards of the round, or `shared`."""
    walk: int
    mean_length: float | None
    """Of the solutions of the last round's boards that were drawn at random: new ones each time."""
    width: int
    """Of the beam that found them."""
    error: float


Watch = Callable[[TrainingProgress], None]


@dataclass(frozen=True)
class Trained:
    """What a training made."""

    header: ModelHeader
    weights: Weights


Save = Callable[[Trained], None]
"""Keeps a model while somebody waits for it."""


class Stage(NamedTuple):
    """Slices of a training that are on boards of one shape; their steps become smaller."""

    shape: Shape
    begin: int
    end: int
    first_rate: float

    def rate(self, number: int) -> float:
        """The share of the full step in a slice."""
        done = (number - self.begin) / max(1, self.end - self.begin - 1)
        return self.first_rate - (self.first_rate - SMALLEST_RATE) * done


@dataclass(frozen=True)
class TrainingPlan:
    """How long a training lasts: seconds, or rounds for each slice, which is reproducible."""

    seconds: float | None = None
    rounds: Sequence[int] | None = None
    seed: int = 1
    threads: int = 1
    begin: Weights | None = None
    """Weights to go on with."""
    begins_with: str = "nothing"
    ranks: bool = False
    """Learn which boards of a layer a beam should keep, once the walks are long."""
    squares: bool = False
    """Learn values of squares beside those of pairs."""
    beams: tuple[int, ...] = ()
    """Widths of the beams of ranks: of the one that finds paths, and of the one to keep to them."""

    def __post_init__(self) -> None:
        if (self.seconds is None) is (self.rounds is None):
            raise TableError("expected seconds or rounds for a training: one of the two")
        if self.rounds is not None and len(self.rounds) != SLICES:
            raise TableError(f"expected rounds for {SLICES} slices, got {len(self.rounds)}")

    def stages(self, rows: int, columns: int) -> list[Stage]:
        """The shapes that a training of this one goes through, each with its slices."""
        smaller = range(min(rows, columns) - SMALLEST_SIDE, 0, -1)
        if self.begins_with != "nothing" or not smaller:
            return [Stage(Shape(rows, columns), 0, SLICES, self._first_rate)]
        ends = [SLICES_ON_SMALLER * (number + 1) // len(smaller) for number in range(len(smaller))]
        shapes = [Shape(rows - less, columns - less) for less in (*smaller, 0)]
        rates = [self._first_rate, *[GOING_ON] * len(smaller)]
        return list(map(Stage, shapes, [0, *ends], [*ends, SLICES], rates))

    @property
    def _first_rate(self) -> float:
        return 1.0 if self.ranks or self.begins_with in ("nothing", SHARED) else GOING_ON


class _Timetable:
    """When the slices of a training end: after their rounds, or by the clock of the whole command.

    The clock ran while a model was read. What is left is shared out; some of it is for the file.
    """

    def __init__(self, rows: int, columns: int, plan: TrainingPlan, clock: Meter | None) -> None:
        self.clock = clock or Meter(Limits(seconds=plan.seconds), rows * columns)
        self._plan, self._begin = plan, self.clock.seconds
        saving = model_file.seconds_to_pack(rows, columns) / (plan.seconds or 1)
        self._end = 1 - min(saving, MOST_FOR_SAVING)

    def stopped(self) -> bool:
        """Whether all time is over."""
        return self.clock.over

    def over(self) -> bool:
        """Whether there is no time for another round, or for the rest of this one."""
        return self.clock.past(self._end)

    def ends(self, number: int, rounds: int) -> bool:
        """Whether a slice ends that had so far this number of rounds."""
        if self._plan.rounds is not None:
            return rounds >= self._plan.rounds[number]
        length = self._end * (self._plan.seconds or 0) - self._begin
        return self.over() or self.clock.seconds >= self._begin + length * (number + 1) / SLICES

    def check_learned(self, rounds: int) -> None:
        """Refuse a training that came to nothing."""
        if self._plan.rounds is None and not rounds:
            raise CancelledError("stopped before the first round had ended")


def train(
    rows: int,
    columns: int,
    plan: TrainingPlan,
    *,
    watch: Watch = lambda progress: None,
    save: Save = lambda trained: None,
    cancelled: Callable[[], bool] = never,
    clock: Meter | None = None,
) -> Trained:
    """Train a model. `save` gets it after each slice but the last, and when Ctrl-C ends it.

    Args:
        rows: Rows of the boards.
        columns: Columns of the boards.
        plan: How long it lasts, and what it begins with.
        watch: Called after each round.
        save: Keeps a model, quickly: somebody waits, or the training goes on.
        cancelled: Ends the training with what was learned so far.
        clock: The time of the whole command, if it has begun before; its limit is the plan's.

    Raises:
        CancelledError: The time was up before anything was learned.
    """
    began, done = time.perf_counter(), [0] * SLICES
    wanted, begin, table = Shape(rows, columns), plan.begin, _Timetable(rows, columns, plan, clock)
    last: Trained | None = None

    def made(weights: Weights, shape: Shape) -> Trained:
        spent = round(time.perf_counter() - began, 1)
        facts = ModelHeader(
            *wanted,
            plan.seed,
            tuple(done),
            spent,
            plan.begins_with,
            plan.ranks,
            plan.squares,
            plan.beams,
        )
        return Trained(facts, _climbed(weights, shape, wanted, table.stopped))

    for stage in plan.stages(rows, columns):
        learner = _Learner(stage.shape, plan, begin, long_walks=plan.begins_with != SHARED)
        try:
            for number in range(stage.begin, stage.end):
                while not table.ends(number, done[number]):
                    if cancelled():
                        return made(learner.weights(), stage.shape)
                    report = learner.round(stage.rate(number), table.over)
                    if report is None:
                        break
                    done[number] += 1
                    spent = time.perf_counter() - began
                    watch(_progress(spent, sum(done), str(stage.shape), report))
                if done[number] and number < SLICES - 1 and not table.over():
                    last = made(learner.weights(), stage.shape)
                    save(last)
            if stage.shape != wanted:
                begin = _climbed(
                    learner.weights(), stage.shape, _larger(stage.shape), table.stopped
                )
        except KeyboardInterrupt:
            if stage.shape == wanted:  # stretching takes too long: the last slice is kept
                save(made(learner.weights(), wanted))
            raise
        except CancelledError:  # the time was up while weights were being stretched
            if last is None:
                raise
            return last
    table.check_learned(sum(done))
    return made(learner.weights(), wanted)


def _larger(shape: Shape) -> Shape:
    return Shape(shape.rows + 1, shape.columns + 1)


def _climbed(weights: Weights, shape: Shape, wanted: Shape, cancelled: Cancelled) -> Weights:
    """Weights of a larger shape, stretched as the stages of a training would stretch them."""
    while shape != wanted:
        weights, shape = stretched(weights, shape, _larger(shape), cancelled), _larger(shape)
    return weights


class _Learner:
    """The training of one shape."""

    def __init__(
        self, shape: Shape, plan: TrainingPlan, begin: Weights | None, *, long_walks: bool
    ) -> None:
        self._threads, self._ranks = plan.threads, plan.ranks
        self._training = Training(*shape, plan.seed)
        self._fresh = self._training.weights()
        if begin is not None:
            _load(self._training, self._fresh, begin, long_walks=long_walks)
        if plan.squares:
            self._training.begin_squares()
        if plan.beams:
            self._training.set_beams(*plan.beams)

    def round(self, rate: float, cancelled: Cancelled) -> dict[str, Any] | None:
        """One round; steps are full while the walks are short. None if it was ended before."""
        return train_round(self._training, rate, self._threads, cancelled, ranks=self._ranks)

    def weights(self) -> Weights:
        """The weights so far as whole numbers, beyond those that every model begins with."""
        return Weights(*self._training.beyond(*self._fresh[:3]))


def train_shared(
    plan: TrainingPlan, *, watch: Watch = lambda progress: None, clock: Meter | None = None
) -> Trained:
    """Train the weights that all shapes share, on several shapes in turn.

    The model is written as one of 2x2, whose shared weights count alone.
    """
    trainings = [
        Training(*shape, plan.seed + number, shared_only=True)
        for number, shape in enumerate(SHARED_SHAPES)
    ]
    began, done = time.perf_counter(), [0] * SLICES
    stage, table = Stage(Shape(2, 2), 0, SLICES, 1.0), _Timetable(2, 2, plan, clock)
    shared = trainings[0].weights()[2]
    for number in range(SLICES):
        while not table.ends(number, done[number]):
            training = trainings[sum(done) % len(trainings)]
            singles, own, _, squares = training.weights()
            training.load(singles, own, shared, squares, False)
            report = train_round(training, stage.rate(number), plan.threads, table.over)
            if report is None:
                break
            shared = training.weights()[2]
            done[number] += 1
            watch(_progress(time.perf_counter() - began, sum(done), SHARED, report))
    table.check_learned(sum(done))
    spent = round(time.perf_counter() - began, 1)
    header = ModelHeader(2, 2, plan.seed, tuple(done), spent, plan.begins_with)
    nothing = models.shared_weights(2, 2)
    training = trainings[0]
    singles, own, _, squares = training.weights()
    training.load(singles, own, shared, squares, False)
    whole = training.beyond(singles, own, shared * 0)[2]
    return Trained(header, Weights(nothing.singles, nothing.own, whole, nothing.squares))


def _progress(seconds: float, rounds: int, shape: str, report: dict[str, Any]) -> TrainingProgress:
    mean = report["mean_length"] if report["random_boards"] else None
    walk, width, error = int(report["walk"]), report["width"], report["error"]
    return TrainingProgress(seconds, rounds, shape, walk, mean, width, error)


def beginning(
    rows: int, columns: int, wanted: str | None = None, cancelled: Cancelled = never
) -> tuple[Weights | None, str]:
    """What a training begins with, and its name: `nothing`, `shared`, or the model of a shape.

    With nothing wanted it is the model at hand, by its checksum, or that of the nearest shape.
    """
    if wanted == "nothing":
        return None, wanted
    if wanted == SHARED:
        return models.shared_weights(rows, columns), SHARED
    found = models.path_for(rows, columns)
    if wanted is None and found is not None:
        return model_file.read(found[1], cancelled)[1], model_file.checksum(found[1])
    if wanted is None:
        shape = models.stretched_shape(rows, columns)
    else:
        try:
            shape = Shape(*sorted(read_shape(wanted)))
        except BoardError:
            raise SpecError(
                f"expected to begin with nothing, shared or a shape, got {shortened(wanted)}"
            ) from None
    weights = models.weights_at_hand(shape, cancelled)
    return stretched(weights, shape, Shape(rows, columns), cancelled), str(shape)


def _in_moves(part: NDArray[np.int16]) -> NDArray[np.float32]:
    import numpy as np

    return part.astype(np.float32) / np.float32(SCALE)


def _load(training: Training, fresh: Parts, weights: Weights, *, long_walks: bool) -> None:
    training.load(
        fresh[0] + _in_moves(weights.singles),
        fresh[1] + _in_moves(weights.own),
        _in_moves(weights.shared),
        _in_moves(weights.squares),
        long_walks,
    )

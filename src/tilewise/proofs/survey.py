"""survey(): how long a proof would take, by a sample of the subtrees of its passes.

The passes that a proof still needs are cut into subtrees, as in the proof itself. Some of these,
drawn at random, are searched whole; the mean of their nodes, times the number of subtrees, is an
estimate without bias. Its standard error says how far it can be off. Where the subtrees of a pass
are too large for that, its nodes are guessed by the growth of the passes before.
"""

from __future__ import annotations

import math
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as CancelFlag

from tilewise import native
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.limits import Limits
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import Problem
from tilewise.errors import CancelledError
from tilewise.native import SubtreeCount
from tilewise.proofs import checkpoint as checkpoints
from tilewise.proofs.comparing import seen_from
from tilewise.proofs.executors import PassTask, SubtreeExecutor, ThreadsHere
from tilewise.proofs.proving import Watch, prove
from tilewise.proofs.state import MOST_SUBTREES, ProofState
from tilewise.puzzle.board import Board, way_back
from tilewise.puzzle.position import Position, WantedGoal, read_position

SECONDS = 60.0
FOR_PROOF, FOR_LAST = 0.4, 0.6
"""Of the time: for the proof itself, which may end or make its passes known; and of what is left
after the smaller passes, for the last one, which is by far the largest."""
FIRST_SAMPLE = 32
"""Subtrees that are searched before anything is known about their size."""
TOO_LONG = 4
"""A sample that takes this many times its share of the time is given up."""
MOST_TIME = 1.5
"""Of the time of a survey: a sample is given up then, whatever its share."""
LONG_PROOF = 2**40
"""Nodes of a proof that is worth a survey, for the choice of its tables' form."""


@dataclass(frozen=True)
class PassSurvey:
    """A pass that is still to be made, by some of its subtrees."""

    bound: int
    subtrees: int
    searched: int
    nodes: float
    """An estimate; exact if all subtrees were searched."""
    error: float | None
    """The standard error of the nodes; None if the subtrees were too large for a sample, and the
    nodes are guessed by the growth of the passes before."""
    nodes_per_second: float


@dataclass(frozen=True)
class Survey:
    """How far a proof has come in the time of a survey, and what is left of it."""

    position: Position
    cost: int | None
    bound: int
    heuristic: str
    nodes_done: int
    passes: tuple[PassSurvey, ...] = field(default=())
    """None where the proof is complete, or where nothing could be said in the time."""

    @property
    def proved(self) -> bool:
        return self.cost is not None and self.bound >= self.cost

    @property
    def nodes(self) -> float:
        """Nodes that are left, about."""
        return sum(each.nodes for each in self.passes)

    @property
    def error(self) -> float | None:
        """The standard error of the nodes that are left; None if a part of them is guessed."""
        errors = [each.error for each in self.passes if each.error is not None]
        return math.hypot(*errors) if len(errors) == len(self.passes) else None

    @property
    def seconds(self) -> float:
        """Seconds that are left, about, at the rates of the survey."""
        return sum(each.nodes / each.nodes_per_second for each in self.passes)


def survey(
    board: Position | Board | str,
    *,
    goal: WantedGoal = None,
    incumbent: str | None = None,
    heuristic: str | None = None,
    checkpoint: str | Path | None = None,
    executor: SubtreeExecutor | None = None,
    limits: Limits | None = None,
    seed: int = 1,
    subtrees: int | None = None,
    cancel: CancelFlag | None = None,
    watch: Watch | None = None,
    context: BuildContext = DEFAULT_CONTEXT,
) -> Survey:
    """Find out how long a proof takes: begin with it, then search samples of what is left.

    Args:
        board: The start, as for `prove`.
        goal: As for `solve`.
        incumbent: A solution that is known.
        heuristic: As for `prove`.
        checkpoint: The file of a proof, which goes on for a part of the time.
        executor: Who searches the subtrees; with none, all cores of this machine.
        limits: Seconds for all of it, 60 with none, and memory.
        seed: Which subtrees are drawn.
        subtrees: How many of each pass, at most: the same estimate on every machine, if the time
            suffices.
        cancel: A flag that ends it when it is set.
        watch: Called with the `ProofState` as it grows.
        context: How tables may be built.

    Example:
        >>> found = survey("8b6 547 231", goal="first", heuristic="manhattan")
        >>> found.proved, found.cost, found.nodes
        (True, 31, 0)
    """
    position = read_position(board, goal)
    limits = limits or Limits()
    clock = SurveyClock(limits.seconds or SECONDS, cancel)
    executor = executor or ThreadsHere(memory=limits.memory or ThreadsHere().memory)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "survey.proof") if checkpoint is None else Path(checkpoint)
        result = prove(
            position,
            incumbent=incumbent,
            heuristic=heuristic,
            checkpoint=path,
            executor=executor,
            limits=Limits(seconds=FOR_PROOF * clock.seconds, memory=limits.memory),
            cancel=cancel,
            watch=watch,
            context=context,
        )
        if not path.exists():  # unsolvable, or no tables in the time
            return Survey(position, result.cost, result.bound or 0, result.heuristic or "", 0)
        state = checkpoints.read(path)
    sampler = Sampler(position, state, executor, clock, seed, subtrees)
    try:
        passes = sampler.passes()
    except CancelledError:
        passes = ()
    return Survey(
        position, state.cost, state.bound, state.heuristic, state.generated + state.probed, passes
    )


class SurveyClock:
    """The time of a survey."""

    def __init__(self, seconds: float, cancel: CancelFlag | None) -> None:
        self.seconds, self._cancel = seconds, cancel
        self._began = time.monotonic()

    @property
    def left(self) -> float:
        return max(0.0, self.seconds - (time.monotonic() - self._began))

    @property
    def over(self) -> bool:
        """Whether it must end now, though a sample that is not whole is lost."""
        return self.cancelled or time.monotonic() - self._began > MOST_TIME * self.seconds

    @property
    def cancelled(self) -> bool:
        return self._cancel is not None and self._cancel.is_set()


class Sampler:
    """Searches samples of the passes that a proof still needs."""

    def __init__(
        self,
        position: Position,
        state: ProofState,
        executor: SubtreeExecutor,
        clock: SurveyClock,
        seed: int = 1,
        subtrees: int | None = None,
    ) -> None:
        self._position, self._state, self._executor = position, state, executor
        self._clock, self._drawn, self._most = clock, random.Random(seed), subtrees

    def passes(self) -> tuple[PassSurvey, ...]:
        """All passes that are left, the smallest first; none if nothing can be said of them.

        A solution that is found on the way makes the largest ones needless.
        """
        found: list[PassSurvey] = []
        state = self._state
        bound, guessing = state.bound, False
        while state.cost is not None and bound < state.cost:
            left = (state.cost - bound + 1) // 2
            share = 1.0 if left == 1 else (1 - FOR_LAST) / (left - 1)
            each = None if guessing else self._sampled(bound, share * self._clock.left)
            if each is None and bound < state.cost:  # no shorter solution, either
                guessing, each = True, self._guessed(bound, found)
                if each is None:
                    return ()
            if each is not None:
                found.append(each)
            bound += 2
        return tuple(each for each in found if each.bound < (state.cost or 0))

    def _guessed(self, bound: int, found: list[PassSurvey]) -> PassSurvey | None:
        """A pass by the growth of the two before it."""
        known = [*(each.generated for each in self._state.passes), *(each.nodes for each in found)]
        if self._clock.cancelled or len(known) < 2 or not known[-2]:
            return None
        rates = [each.generated / each.seconds for each in self._state.passes if each.seconds]
        rates += [each.nodes_per_second for each in found]
        nodes = known[-1] * known[-1] / known[-2]
        return PassSurvey(bound, 0, 0, nodes, None, rates[-1]) if rates else None

    def _sampled(self, bound: int, seconds: float) -> PassSurvey | None:
        state, seen = self._state, seen_from(self._position, self._state.side)
        heuristic = build_heuristic(state.heuristic, seen.goal)
        began = time.monotonic()

        def ended() -> bool:
            late = time.monotonic() - began > TOO_LONG * seconds
            return late or self._clock.over

        top = native.top_of_pass(
            Problem(seen.board, seen.goal, state.order),
            heuristic,
            bound=bound,
            wanted=MOST_SUBTREES,
            words=state.words,
            ended=ended,
        )
        if top.moves is not None:
            self._take(top.moves)
        if top.stopped or top.moves is not None:
            return None
        task = PassTask(
            str(seen.board),
            seen.goal.name,
            state.heuristic,
            state.words,
            state.order,
            bound,
            LONG_PROOF,
        )
        roots = list(enumerate(top.roots))
        self._drawn.shuffle(roots)
        drawn = roots[: self._most]
        counts: list[int] = []
        size, searching = FIRST_SAMPLE, time.monotonic()
        while len(counts) < len(drawn):
            done = self._searched(task, drawn[len(counts) : len(counts) + size], ended)
            if done is None:
                break
            counts += done
            spent = time.monotonic() - searching
            if spent >= seconds:
                break
            room = int(len(counts) * (seconds - spent) / max(spent, 1e-3))
            size = min(max(FIRST_SAMPLE, room), 4 * len(counts))
        if bound >= (state.cost or 0) or len(counts) < min(2, len(roots)):
            return None
        return _estimate(bound, len(roots), top.generated, counts, time.monotonic() - searching)

    def _searched(
        self, task: PassTask, roots: list[tuple[int, str]], ended: Callable[[], bool]
    ) -> list[int] | None:
        """The nodes of each of these subtrees; None if not all of them were searched."""
        counts: list[int] = []

        def report(done: list[SubtreeCount], unfinished: int) -> bool:
            counts.extend(each.generated for each in done)
            return ended()

        moves = self._executor.search(task, roots, report)
        if moves is not None:
            self._take(moves)
        return counts if len(counts) == len(roots) else None

    def _take(self, moves: str) -> None:
        """A solution within a bound below the incumbent."""
        if self._state.side == "goal":
            moves = way_back(moves)
        self._state.incumbent = moves


def _estimate(bound: int, subtrees: int, top: int, counts: list[int], seconds: float) -> PassSurvey:
    searched, nodes = len(counts), sum(counts)
    mean = nodes / searched if searched else 0.0
    variance = sum((each - mean) ** 2 for each in counts) / max(1, searched - 1)
    unseen = 1 - searched / subtrees if subtrees else 0.0
    error = subtrees * math.sqrt(variance * unseen / searched) if searched else 0.0
    rate = (top + nodes) / max(seconds, 1e-6)
    return PassSurvey(bound, subtrees, searched, top + subtrees * mean, error, rate)

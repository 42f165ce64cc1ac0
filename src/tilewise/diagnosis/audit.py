"""The heuristic doctor: is it admissible, is it consistent, and what is it worth?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.limits import Limits, Meter
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import Problem, State
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import DEFAULT
from tilewise.diagnosis.audited import CLAIMS, AuditedHeuristic, HeuristicFunction
from tilewise.diagnosis.state_samples import StateSample, state_samples
from tilewise.errors import TilewiseError
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.position import text_for
from tilewise.puzzle.shapes import read_shape

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEFAULT_SHAPES = ("3x3", "4x4")
ROUNDING = 1e-9
"""The rounding error allowed in sums of fractions."""
PROGRESS_EVERY = 2000
SAMPLE, SAMPLE_NODES = 16, 20_000
"""Boards on which nodes are compared with Manhattan, and nodes after which a search is ended."""
CHECKED_TWICE = 50

AuditProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class Violation:
    """The smallest state that breaks a property; for consistency also the neighbour."""

    board: Board
    h: float
    distance: int | None
    states: int
    neighbour: Board | None = None
    neighbour_h: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Strings, numbers and None only."""
        return {
            "board": str(self.board),
            "h": self.h,
            "distance": self.distance,
            "states": self.states,
            "neighbour": str(self.neighbour) if self.neighbour else None,
            "neighbour_h": self.neighbour_h,
        }


@dataclass(frozen=True)
class Examined:
    """What was found on one set of states."""

    goal: Goal
    what: str
    states: int
    violations: dict[str, Violation]
    mean: float
    mean_distance: float | None
    errors: dict[int, int]
    """Number of states for each error: distance minus h (negative: overestimated)."""
    edges: int
    """Number of moves between these states."""
    seconds_per_call: float

    @property
    def too_large(self) -> int:
        """The states on which it is more than the distance."""
        return sum(count for error, count in self.errors.items() if error < 0)

    @property
    def mean_excess(self) -> float:
        """By how much it is more than the distance there, on average."""
        excess = sum(-error * count for error, count in self.errors.items() if error < 0)
        return excess / max(1, self.too_large)

    @property
    def mean_error(self) -> float:
        """The mean of what it differs by from the distance."""
        states = sum(self.errors.values())
        return sum(abs(error) * count for error, count in self.errors.items()) / max(1, states)

    def to_dict(self) -> dict[str, Any]:
        """Strings, numbers and None only."""
        return {
            "shape": self.goal.board.shape,
            "goal": self.goal.name,
            "what": self.what,
            "states": self.states,
            **{
                name: self.violations[name].to_dict() if name in self.violations else None
                for name in CLAIMS
            },
            "moves": self.edges,
            "mean": self.mean,
            "mean_distance": self.mean_distance,
            "errors": {str(error): count for error, count in self.errors.items()},
            "too_large": self.too_large if self.errors else None,
            "mean_excess": self.mean_excess if self.errors else None,
            "mean_error": self.mean_error if self.errors else None,
            "seconds_per_call": self.seconds_per_call,
        }


@dataclass(frozen=True)
class Saving:
    """Nodes that A* expands with the heuristic and with Manhattan, on the same boards."""

    boards: int
    expanded: int
    manhattan: int
    limited: int
    longer: int
    """Boards that it solved with more moves than needed."""

    @property
    def share(self) -> float:
        """The part of Manhattan's nodes that are saved; negative if there are more."""
        return 1 - self.expanded / self.manhattan if self.manhattan else 0.0


@dataclass(frozen=True)
class Audit:
    """Everything that was found out about one heuristic."""

    name: str
    claims: frozenset[str]
    examined: tuple[Examined, ...]
    skipped: dict[str, str] = field(default_factory=dict)
    saving: Saving | None = None
    steady: bool = True
    """Whether it gave the same values when it was called again."""

    def violation(self, claim: str) -> tuple[Examined, Violation] | None:
        """The first set of states on which a property fails, with the smallest state there."""
        for each in self.examined:
            if claim in each.violations:
                return each, each.violations[claim]
        return None

    @property
    def failed(self) -> list[str]:
        """The claimed properties that do not hold."""
        return [name for name in CLAIMS if name in self.claims and self.violation(name)]

    @property
    def passed(self) -> bool:
        return not self.failed and self.steady

    @property
    def verdict(self) -> str:
        """One line."""
        if not self.steady:
            return f"{self.name}: not a heuristic: its values change from call to call"
        holds = [name for name in CLAIMS if not self.violation(name)]
        states: dict[str, int] = {}
        for each in self.examined:
            shape = each.goal.board.shape
            states[shape] = states.get(shape, 0) + each.states
        where = " and ".join(f"{number:,} states of {shape}" for shape, number in states.items())
        words = [f"{' and '.join(holds)} on {where}"] if holds else []
        words += [self._broken(name) for name in CLAIMS if name not in holds]
        return f"{self.name}: {'; '.join(words)}"

    def _broken(self, claim: str) -> str:
        """What is wrong with a property, in words."""
        found = self.violation(claim)
        if found is None:
            return claim
        where, wrong = found
        unclaimed = "" if claim in self.claims else " (and does not claim to be)"
        text = f"NOT {claim}{unclaimed}: h = {wrong.h:g} for {text_for(wrong.board, where.goal)}"
        if wrong.neighbour is not None:
            text += f" and {wrong.neighbour_h:g} one move on"
        elif wrong.distance == 0:
            text += ", the goal"
        else:
            text += f", {_moves(wrong.distance)} from the goal"
        return f"{text} ({where.goal.board.shape})"

    def to_dict(self) -> dict[str, Any]:
        """One JSON object."""
        saving = self.saving
        return {
            "name": self.name,
            "claims": sorted(self.claims),
            "verdict": self.verdict,
            "passed": self.passed,
            "steady": self.steady,
            **{name: self.violation(name) is None for name in CLAIMS},
            "examined": [each.to_dict() for each in self.examined],
            "skipped": self.skipped,
            "saving": saving
            and {
                "boards": saving.boards,
                "expanded": saving.expanded,
                "manhattan": saving.manhattan,
                "share": saving.share,
                "limited": saving.limited,
                "longer": saving.longer,
            },
        }


def audit(
    audited: AuditedHeuristic,
    shapes: Iterable[str] = (),
    goal: str = "auto",
    progress: AuditProgress | None = None,
) -> Audit:
    """Examine a heuristic on all states of small shapes and on known states of larger ones.

    Args:
        audited: The heuristic, as `read_audited` or `from_callable` takes it.
        shapes: The shapes to try, as in `3x3`. With none, 3x3 and 4x4; one of these that the
            heuristic is not made for is then left out.
        goal: A name of a goal; `auto` tries those that the heuristic knows.
        progress: Called while it works.

    Raises:
        SpecError: The heuristic fails on a board.

    Example:
        >>> from tilewise.diagnosis.audited import from_callable
        >>> with_blank = lambda tiles: sum(t != i for i, t in enumerate(tiles))
        >>> audit(from_callable(with_blank, "mine"), ["2x3"], goal="first").failed
        ['admissible', 'consistent']
    """
    named = tuple(shapes)
    examined: list[Examined] = []
    skipped: dict[str, str] = {}
    saving, steady = None, True
    for shape in named or DEFAULT_SHAPES:
        try:
            made = [
                (target, _tried(audited, target))
                for target in audited.goals_for(*read_shape(shape), goal)
            ]
        except TilewiseError as error:
            if named or (shape == DEFAULT_SHAPES[-1] and not examined):
                raise
            skipped[shape] = str(error)
            continue
        for sample, value in [
            (each, value) for target, value in made for each in state_samples(target)
        ]:
            values, seconds = _values(sample, value, progress)
            examined.append(_examined(sample, values, seconds))
            steady = steady and _same_again(sample, value, values)
            if saving is None and sample.whole:
                saving = _saving(sample, values)
    return Audit(audited.name, audited.claims, tuple(examined), skipped, saving, steady)


def _tried(audited: AuditedHeuristic, goal: Goal) -> HeuristicFunction:
    """The heuristic for a goal, tried on the goal itself before the long work."""
    value = audited.make(goal)
    value(goal.board.tiles)
    return value


def _values(
    sample: StateSample, value: HeuristicFunction, progress: AuditProgress | None
) -> tuple[NDArray[np.float64], float]:
    """The heuristic on every state, and the seconds that it took."""
    import numpy as np

    made = np.empty(len(sample), dtype=np.float64)
    spent = 0.0
    states = sample.states()
    for start in range(0, len(sample), PROGRESS_EVERY):
        some = list(islice(states, PROGRESS_EVERY))
        began = time.perf_counter()
        made[start : start + len(some)] = list(map(value, some))
        spent += time.perf_counter() - began
        if progress:
            progress(start + len(some), len(sample))
    return made, spent


def _examined(sample: StateSample, values: NDArray[np.float64], seconds: float) -> Examined:
    import numpy as np

    known = sample.distance >= 0
    errors = sample.distance[known] - values[known]
    rounded, counts = np.unique(np.round(errors).astype(np.int64), return_counts=True)
    violations = {
        name: found
        for name, found in (
            ("admissible", _overestimated(sample, values)),
            ("consistent", _inconsistent(sample, values)),
        )
        if found
    }
    return Examined(
        goal=sample.goal,
        what=sample.what,
        states=len(sample),
        violations=violations,
        mean=float(values.mean()),
        mean_distance=float(sample.distance[known].mean()) if known.any() else None,
        errors=dict(zip(rounded.tolist(), counts.tolist(), strict=True)),
        edges=len(sample.edges[0]),
        seconds_per_call=seconds / len(sample),
    )


def _overestimated(sample: StateSample, values: NDArray[np.float64]) -> Violation | None:
    """The state nearest to the goal whose distance is overestimated."""
    import numpy as np

    wrong = np.flatnonzero((values > sample.distance + ROUNDING) & (sample.distance >= 0))
    if not len(wrong):
        return None
    place = int(wrong[np.argmin(sample.distance[wrong])])  # the first of equals, by its tiles
    return Violation(
        sample.board(place), float(values[place]), int(sample.distance[place]), len(wrong)
    )


def _inconsistent(sample: StateSample, values: NDArray[np.float64]) -> Violation | None:
    """The move nearest to the goal along which the estimate changes by more than the move costs.

    Moves can be taken back, so it may neither rise nor fall by more; at the goal it must be 0.
    """
    import numpy as np

    here, there = sample.edges
    wrong = np.flatnonzero(np.abs(values[here] - values[there]) > 1 + ROUNDING)
    goal = np.flatnonzero((sample.distance == 0) & (np.abs(values) > ROUNDING))
    if len(goal):
        place = int(goal[0])
        return Violation(sample.board(place), float(values[place]), 0, len(wrong) + 1)
    if not len(wrong):
        return None
    ends = np.stack([here[wrong], there[wrong]])
    nearest = int(np.argmin(sample.distance[ends].max(axis=0)))
    first, second = sorted(ends[:, nearest].tolist(), key=lambda each: -values[each])
    distance = int(sample.distance[first])
    return Violation(
        sample.board(first),
        float(values[first]),
        distance if distance >= 0 else None,
        len(wrong),
        sample.board(second),
        float(values[second]),
    )


def _same_again(sample: StateSample, value: HeuristicFunction, values: NDArray[np.float64]) -> bool:
    """Whether the heuristic gives some states the same value on a second call."""
    step = max(1, len(sample) // CHECKED_TWICE)
    return all(value(sample.state(place)) == values[place] for place in range(0, len(sample), step))


def _saving(sample: StateSample, values: NDArray[np.float64]) -> Saving | None:
    """Nodes of A* on boards of about the mean depth, with the heuristic and with Manhattan."""
    import numpy as np

    middle = round(float(sample.distance.mean()))
    places = np.flatnonzero(sample.distance == middle)
    chosen = places[:: max(1, len(places) // SAMPLE)][:SAMPLE].tolist()
    table = {state: values[place] for place, state in enumerate(sample.states())}
    plain = build_heuristic("manhattan", sample.goal).estimate
    expanded = manhattan = limited = longer = 0
    for place in chosen:
        board = sample.board(place)
        mine, theirs = (_astar(board, sample.goal, h) for h in (table.__getitem__, plain))
        expanded += mine.stats.expanded
        manhattan += theirs.stats.expanded
        limited += mine.status is not Status.SOLVED
        longer += mine.moves is not None and len(mine.moves) > middle
    return Saving(len(chosen), expanded, manhattan, limited, longer)


def _astar(board: Board, goal: Goal, h: Callable[[State], Any]) -> Outcome:
    meter = Meter(Limits(generated=SAMPLE_NODES), len(board.tiles))
    search = build_algorithm("astar").entry.search
    return search(Problem(board, goal), h, meter, DEFAULT, None)


def _moves(number: int | None) -> str:
    return f"{number} move{'' if number == 1 else 's'}"

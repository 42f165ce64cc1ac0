"""The engines that can run a search. This is the only importer of the native module."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tilewise.board import Goal, Move
from tilewise.errors import EngineError, shortened
from tilewise.events import Kind, Observer, Recorder
from tilewise.limits import Meter
from tilewise.problem import Problem
from tilewise.registry import (
    ConfiguredAlgorithm,
    Heuristic,
    build_algorithm,
    heuristic_name,
    no_estimate,
)
from tilewise.result import Outcome, Status
from tilewise.rules import Rules
from tilewise.spec import Spec
from tilewise.stats import Stats

try:
    import tilewise._native as native
except ImportError:  # built without a C++ compiler
    NATIVE = False
else:
    NATIVE = True

ENGINES = {
    "python": "the searches of this package, as they can be read; always there",
    "native": "the same searches in C++, under the default rules and any order of successors: "
    "same moves, counters and events"
    if NATIVE
    else "not built in this installation: it needs a C++ compiler when it is installed",
}
"""Name and description of every engine."""

HEURISTICS = ("zero", "misplaced", "manhattan", "linear_conflict", "walking_distance")
"""The heuristics that the native engine has, alone or in one max(...) or sum(...)."""

# kind of open list, factors of g and h in the priority, whether cheaper paths re-open states
_SEARCHES = {
    "bfs": ("QUEUE", 1, 0, True),
    "dfs": ("STACK", -1, 0, False),
    "ucs": ("BUCKETS", 1, 0, True),
    "greedy": ("BUCKETS", 0, 1, False),
    "astar": ("BUCKETS", 1, 1, True),
    "wastar": ("BUCKETS", 1, 1, True),
    "ids": ("DEEPENING", 1, 0, False),
    "idastar": ("DEEPENING", 1, 1, False),
    "beam": ("BEAM", 0, 1, False),
    "hill_climbing": ("BEAM", 0, 1, False),
}
_STATUSES = (
    Status.SOLVED,
    Status.UNSOLVABLE,
    Status.LIMIT,
    Status.STUCK,
    Status.CANCELLED,
)
_KINDS, _MOVES = tuple(Kind), tuple(Move)
_FINEST_WEIGHT = 1000
LARGEST = 2**63 - 1


def choose(
    name: str,
    algorithm: ConfiguredAlgorithm,
    heuristic: Heuristic | None,
    rules: Rules,
    observer: Observer | None,
) -> str:
    """The engine that serves a request; only `auto` leaves the choice to us."""
    if name not in ("auto", *ENGINES):
        raise EngineError(f"expected engine auto, python or native, got {shortened(name)}")
    if name == "python":
        return name
    obstacle = _obstacle(algorithm, heuristic, rules, observer)
    if obstacle is None:
        return "native"
    if name == "native":
        raise EngineError(f"expected a request that the native engine serves; {obstacle}")
    return "python"


def may_serve(
    name: str, algorithm: str | None, heuristic: Heuristic | str | None, rules: Rules | str | None
) -> bool:
    """Whether requests of this kind can go to the native engine, whatever the board."""
    if name == "python" or not NATIVE:
        return False
    if rules is not None and not _usual(Rules.parse(rules) if isinstance(rules, str) else rules):
        return False
    if algorithm is not None and build_algorithm(algorithm).entry.name not in _SEARCHES:
        return False
    spec = heuristic.spec if isinstance(heuristic, Heuristic) else heuristic
    return spec is None or _parts(heuristic_name(spec)) is not None


def run(
    engine: str,
    algorithm: ConfiguredAlgorithm,
    problem: Problem,
    heuristic: Heuristic | None,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
) -> Outcome:
    """Run a search on an engine that `choose` has named."""
    if engine == "python":
        estimate = heuristic.estimate if heuristic else no_estimate
        outcome = algorithm.entry.search(
            problem, estimate, meter, rules, observer, **algorithm.options
        )
        outcome.stats.peak_memory = outcome.stats.peak_stored * meter.bytes_per_state
        return outcome
    return _run_native(algorithm, problem, heuristic, meter, observer)


def _obstacle(
    algorithm: ConfiguredAlgorithm,
    heuristic: Heuristic | None,
    rules: Rules,
    observer: Observer | None,
) -> str | None:
    """Why the native engine cannot serve a request, or None where it can."""
    if not NATIVE:
        return "this installation has none: it was built without a C++ compiler"
    if algorithm.entry.name not in _SEARCHES or not algorithm.entry.built_in:
        return f"it has no {algorithm.entry.name}"
    if not _usual(rules):
        return f"it has the default rules, in any order of successors, not {rules}"
    if algorithm.entry.name == "bfs" and "ties" in (rules.given or ()):
        return f"its bfs is a queue, which takes the oldest, not ties={rules.ties}"
    if heuristic is not None and (not heuristic.built_in or _parts(heuristic.spec) is None):
        return f"it has no heuristic {heuristic.spec}"
    if observer is not None and not isinstance(observer, Recorder):
        return "it can only be watched by a recorder"
    weight = algorithm.options.get("weight", 1)
    if max(weight.numerator, weight.denominator) > _FINEST_WEIGHT:
        return f"its weights are ratios of numbers up to {_FINEST_WEIGHT}, not {weight}"
    return None


def _usual(rules: Rules) -> bool:
    """Whether at most the order of successors departs from the default rules."""
    return set(rules.departures()) <= {"order"}


@lru_cache(maxsize=256)
def _parts(spec_text: str) -> tuple[str, tuple[str, ...]] | None:
    """How a heuristic is combined, and of what, if all of it is native."""
    spec = Spec.parse(spec_text)
    names = tuple(str(part) for part in spec.parts) if spec.parts else (spec.name,)
    combined = spec.name if spec.parts else "max"
    return (combined, names) if combined in ("max", "sum") and set(names) <= {*HEURISTICS} else None


@lru_cache(maxsize=64)
def _estimate(spec_text: str, goal: Goal) -> native.Estimate:
    """The native heuristic; its tables are made once for a goal."""
    parts = _parts(spec_text)
    if parts is None:
        raise EngineError(f"expected a native heuristic, got {spec_text}")
    board = goal.board
    return native.Estimate(board.rows, board.columns, bytes(board.tiles), list(parts[1]), parts[0])


def _run_native(
    algorithm: ConfiguredAlgorithm,
    problem: Problem,
    heuristic: Heuristic | None,
    meter: Meter,
    observer: Observer | None,
) -> Outcome:
    kind, for_g, for_h, reopen = _SEARCHES[algorithm.entry.name]
    weight = algorithm.options.get("weight")
    if weight is not None:
        for_g, for_h = weight.denominator, weight.numerator
    recorder = observer if isinstance(observer, Recorder) else None
    goal = heuristic.goal if heuristic else Goal(problem.board(problem.goal))
    status, moves, counters, events = native.search(
        getattr(native.Algorithm, kind),
        _estimate(heuristic.spec if heuristic else "zero", goal),
        bytes(problem.start),
        for_g=for_g,
        for_h=for_h,
        reopen=reopen,
        width=_in_64_bits(algorithm.options.get("width", 1)),
        order=problem.order,
        generated=_in_64_bits(meter.limits.generated or LARGEST),
        seconds=meter.limits.seconds or 0.0,
        memory=_in_64_bits(meter.memory),
        keep_events=None if recorder is None else _in_64_bits(recorder.keep),
        poll=lambda so_far: _poll(meter, so_far),
    )
    if recorder is not None and events is not None:
        _take_over(recorder, *events)
    solved = _STATUSES[status] is Status.SOLVED
    return Outcome(_STATUSES[status], moves if solved else None, Stats(**counters))


def _in_64_bits(number: int) -> int:
    return min(number, LARGEST)


def _poll(meter: Meter, counters: dict[str, int]) -> bool:
    meter.tell(Stats(**counters))
    return meter.cancelled


def _take_over(recorder: Recorder, events: list[tuple[Any, ...]], count: int, digest: int) -> None:
    """Give a recorder what the native one saw."""
    for kind, node, parent, move, g, h, priority, tie, board in events:
        letter = "" if move == 255 else _MOVES[move].value
        recorder.keep_event(_KINDS[kind], node, parent, letter, g, h, (priority, tie), tuple(board))
    recorder.count, recorder.digest = count, digest

"""The engines that can run a search. This is the only importer of the native module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from tilewise.core.events import Kind, Observer, Recorder
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import (
    ConfiguredAlgorithm,
    Heuristic,
    build_algorithm,
    heuristic_name,
    no_estimate,
)
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import DEFAULT, Rules
from tilewise.core.spec import Spec
from tilewise.core.stats import Stats
from tilewise.errors import EngineError, shortened
from tilewise.puzzle.board import Goal, Move

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

try:
    from tilewise.native import _native as native
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

HEURISTICS = ("zero", "misplaced", "manhattan", "linear_conflict", "walking_distance", "pdb")
"""The heuristics that the native engine has, alone or in one max(...) or sum(...)."""

ODD_AT_EACH_MOVE = {"manhattan", "linear_conflict", "walking_distance"}
"""Consistent heuristics with the parity of the distance, alone or in a max(...)."""

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
    demanded = ", ".join(algorithm.native_options)
    if name == "python":
        if demanded:
            raise EngineError(f"expected the native engine, which alone has {demanded}; got python")
        return name
    obstacle = _obstacle(algorithm, heuristic, rules, observer)
    if obstacle is None:
        return "native"
    if name == "native" or demanded:
        why = f", which alone has {demanded}" if demanded else ""
        raise EngineError(f"expected a request that the native engine{why} serves; {obstacle}")
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
        options = {
            name: value
            for name, value in algorithm.options.items()
            if name not in algorithm.entry.native_options
        }
        outcome = algorithm.entry.search(problem, estimate, meter, rules, observer, **options)
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
    if observer is not None and algorithm.native_options:
        return f"it cannot be watched with {', '.join(algorithm.native_options)}"
    if "batch" in algorithm.native_options and heuristic is not None:
        parts = _parts(heuristic.spec)
        if parts is None or parts[0] != "max" or not {*parts[1]} <= ODD_AT_EACH_MOVE:
            return f"batch needs heuristics that change by odd numbers, not {heuristic.spec}"
        if len(heuristic.goal.board.tiles) > 16:
            return f"batch serves boards of up to 16 cells, not {heuristic.goal.board.shape}"
    weight = algorithm.options.get("weight", 1)
    if max(weight.numerator, weight.denominator) > _FINEST_WEIGHT:
        return f"its weights are ratios of numbers up to {_FINEST_WEIGHT}, not {weight}"
    return None


def _usual(rules: Rules) -> bool:
    """Whether at most the order of successors departs from the default rules."""
    return rules is DEFAULT or set(rules.departures()) <= {"order"}


@lru_cache(maxsize=256)
def _parts(spec_text: str) -> tuple[str, tuple[str, ...]] | None:
    """How a heuristic is combined, and of what, if all of it is native."""
    spec = Spec.parse(spec_text)
    combined = spec.name if spec.name in ("max", "sum") else "max"
    parts = spec.parts if spec.name in ("max", "sum") else (spec,)
    names = tuple(part.name for part in parts)
    return (combined, names) if set(names) <= {*HEURISTICS} else None


_ESTIMATES: dict[tuple[str, Goal], native.Estimate] = {}
_MOST_ESTIMATES = 64


def _estimate(heuristic: Heuristic | None, goal: Goal) -> native.Estimate:
    """The native heuristic; its tables are made once for a goal."""
    key = (heuristic.spec if heuristic else "zero", goal)
    if key not in _ESTIMATES:
        parts = _parts(key[0])
        if parts is None:
            raise EngineError(f"expected a native heuristic, got {key[0]}")
        while len(_ESTIMATES) >= _MOST_ESTIMATES:
            _ESTIMATES.pop(next(iter(_ESTIMATES)), None)
        _ESTIMATES[key] = native.Estimate(
            goal.board.rows,
            goal.board.columns,
            bytes(goal.board.tiles),
            list(parts[1]),
            parts[0],
            [_pattern_groups(part) for part in _with_tables(heuristic)],
        )
    return _ESTIMATES[key]


def _with_tables(heuristic: Heuristic | None) -> list[Heuristic]:
    """The parts of a heuristic that look into pattern databases."""
    parts = () if heuristic is None else heuristic.parts or (heuristic,)
    return [part for part in parts if hasattr(part.estimate, "groups")]


def _pattern_groups(heuristic: Heuristic) -> list[list[tuple[Any, list[int], list[int]]]]:
    groups = getattr(heuristic.estimate, "groups", ())
    return [
        [(lookup.table, list(lookup.cells), list(lookup.tiles)) for lookup in group]
        for group in groups
    ]


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
        _estimate(heuristic, goal),
        bytes(problem.start),
        for_g=for_g,
        for_h=for_h,
        reopen=reopen,
        width=_in_64_bits(algorithm.options.get("width", 1)),
        order=problem.order,
        automaton=_automaton(algorithm.options.get("prune", 0), problem.order),
        batch=algorithm.options.get("batch", 0),
        threads=algorithm.options.get("threads", 1),
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


@lru_cache(maxsize=8)
def _automaton(length: int, order: str) -> native.MoveAutomaton | None:
    """The words of moves that a search leaves out; made once, in up to a second."""
    return native.MoveAutomaton(length, order) if length else None


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


# ---- tables: the native core builds, proves and reads them

Poll = Callable[[int, int], bool]
"""Told of the entries done and of all, about every 50 ms; True ends the building."""


def table_kernels() -> list[str]:
    """The levels of instructions that tables can be built with here, the best first."""
    return native.kernels() if NATIVE else []


def build_pattern(
    rows: int,
    columns: int,
    cells: Sequence[int],
    blank: int,
    out: NDArray[np.uint8],
    *,
    threads: int = 1,
    kernels: str = "",
    poll: Poll | None = None,
) -> None:
    """Fill the table of a pattern, see patterns/pattern.py for its index."""
    _needs_core("building a pattern database")
    done = native.build_pattern(
        rows, columns, list(cells), blank, out, threads=threads, kernels=kernels, poll=poll
    )
    _not_ended(done)


def wrong_entries(
    rows: int,
    columns: int,
    cells: Sequence[int],
    blank: int,
    table: NDArray[np.uint8],
    *,
    threads: int = 1,
    poll: Poll | None = None,
) -> int:
    """How many entries of a pattern's table a proof by local invariants finds wrong."""
    _needs_core("proving a pattern database")
    wrong = native.wrong_entries(
        rows, columns, list(cells), blank, table, threads=threads, poll=poll
    )
    return _not_ended(wrong)


def distance_bytes(rows: int, columns: int) -> int:
    """The size of the table of distances of a whole space of 4 to 12 cells."""
    _needs_core("a table of distances")
    return native.distance_bytes(rows, columns)


def build_distances(
    rows: int,
    columns: int,
    blank: int,
    out: NDArray[np.uint8] | None = None,
    *,
    threads: int = 1,
    poll: Poll | None = None,
) -> list[int]:
    """The number of states at each distance from the goal with its blank on a cell.

    `out` gets the table: for each state one bit, the second of its distance.
    """
    _needs_core("counting a space")
    return _not_ended(native.build_distances(rows, columns, blank, out, threads=threads, poll=poll))


def states_at(
    rows: int,
    columns: int,
    blank: int,
    depth: int,
    most: int,
    seed: int,
    *,
    threads: int = 1,
    poll: Poll | None = None,
) -> tuple[int, list[bytes]]:
    """The number of states at a distance, and `most` of them drawn at random (or all).

    A state has for each cell the cell at which its tile is at home in the goal.
    """
    _needs_core("drawing states of a space")
    count, states = _not_ended(
        native.states_at(rows, columns, blank, depth, most, seed, threads=threads, poll=poll)
    )
    return count, [bytes(state) for state in states]


def distance(rows: int, columns: int, blank: int, table: NDArray[np.uint8], homes: bytes) -> int:
    """The distance of a state, given as for `states_at`, by a table of distances."""
    return native.distance(rows, columns, blank, table, homes)


def _needs_core(what: str) -> None:
    if not NATIVE:
        raise EngineError(
            f"{what} needs the native engine, which this installation has not: it was built "
            "without a C++ compiler"
        )


T = TypeVar("T")


def _not_ended(answer: T | None) -> T:
    if answer is None or answer is False:
        raise EngineError("the table was not finished: it was cancelled")
    return answer

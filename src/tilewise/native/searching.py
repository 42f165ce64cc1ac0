"""Running a search on an engine: options and limits in, moves, counters and events out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewise.core.configured_algorithm import ConfiguredAlgorithm
from tilewise.core.entries import BACKWARD_OPTION, ENGINE_OPTION
from tilewise.core.events import Kind, Observer, Recorder
from tilewise.core.limits import CHECK_EVERY, Meter
from tilewise.core.made_heuristic import Heuristic, estimate_from_start
from tilewise.core.memo import CACHES, Memo
from tilewise.core.problem import Problem
from tilewise.core.registry import no_estimate
from tilewise.core.result import Outcome, Status, StoppedBy
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.errors import CancelledError
from tilewise.native.built_from import warn_if_stale
from tilewise.native.compiled import compiled
from tilewise.native.metering import ended_by, seconds_for
from tilewise.native.statuses import LARGEST, MET, STATUSES
from tilewise.native.twins import estimate_for, twin_of
from tilewise.native.wide_beam import is_wide_beam, run_wide_beam
from tilewise.puzzle.board import Goal, Move

EVENTS_IN_A_SECOND, FOR_EVENTS = 200_000, 0.25
"""Events of a search that become Python's, about; and the share of a limit of time that this may
take after the search has used it up."""
_KINDS, _MOVES = tuple(Kind), tuple(Move)


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
    entry = algorithm.entry
    if engine == "python" or entry.combines:
        estimate = heuristic.estimate if heuristic else no_estimate
        options = algorithm.python_options | ({ENGINE_OPTION: engine} if entry.combines else {})
        if entry.backward and heuristic is not None:
            start, otherwise = Goal(problem.board(problem.start)), str(entry.default_heuristic)
            options[BACKWARD_OPTION] = estimate_from_start(heuristic, start, otherwise)
        outcome = entry.search(problem, estimate, meter, rules, observer, **options)
        if not entry.combines:
            outcome.stats.peak_memory = outcome.stats.peak_stored * meter.bytes_per_state
        return outcome
    if meter.cancelled and observer is None:  # a short search would end before its first poll
        return Outcome(Status.CANCELLED, None, Stats())
    if is_wide_beam(algorithm) and heuristic is not None:
        return run_wide_beam(algorithm, problem, heuristic, meter)
    return _run_native(algorithm, problem, heuristic, meter, observer)


def _run_native(
    algorithm: ConfiguredAlgorithm,
    problem: Problem,
    heuristic: Heuristic | None,
    meter: Meter,
    observer: Observer | None,
) -> Outcome:
    warn_if_stale()
    twin = twin_of(algorithm)
    goal = heuristic.goal if heuristic else Goal(problem.board(problem.goal))
    try:
        ended = ended_by(meter)
        estimate = estimate_for(heuristic, goal, ended)
        words = algorithm.options.get("prune", 0)
        automaton = automaton_for(words, problem.order, ended) if words else None
    except CancelledError:
        return Outcome(meter.status, None, Stats())
    tables = estimate.nbytes
    recorder = observer if isinstance(observer, Recorder) else None
    code, out_of_time, moves, counters, events = compiled.search(
        compiled.Algorithm[twin.kind],
        estimate,
        bytes(problem.start),
        for_g=twin.for_g,
        for_h=twin.for_h,
        reopen=twin.reopen,
        width=_in_64_bits(int(algorithm.frontier.width or 1)),
        order=problem.order,
        automaton=automaton,
        batch=algorithm.options.get("batch", 0),
        threads=algorithm.options.get("threads") or 1,
        below=0 if meter.incumbent is None else max(1, len(meter.incumbent)),
        nodes=_in_64_bits(max(0, algorithm.options.get("nodes", 0))),
        generated=_in_64_bits(meter.limits.generated or LARGEST),
        seconds=seconds_for(meter),
        memory=_in_64_bits(meter.memory),
        keep_events=None if recorder is None else _events_to_keep(recorder, meter),
        poll=lambda so_far: _poll(meter, so_far),
    )
    if estimate.nbytes != tables:  # the search has made them larger
        CACHES.trim()
    if recorder is not None and events is not None:
        _take_over(recorder, meter, *events)
    stats = Stats(**counters)
    if code == MET:
        return Outcome(Status.SOLVED, meter.incumbent, stats)
    status = STATUSES[code]
    if status is Status.LIMIT:
        meter.stopped_by = _limit_reached(stats, meter, out_of_time)
    return Outcome(status, moves if status is Status.SOLVED else None, stats)


def _limit_reached(stats: Stats, meter: Meter, out_of_time: bool) -> StoppedBy:
    most = meter.limits.generated
    if most is not None and stats.generated >= most:
        return StoppedBy.NODES
    return StoppedBy.SECONDS if out_of_time else StoppedBy.MEMORY


_automata: Memo[tuple[int, str], compiled.MoveAutomaton] = Memo(
    8, lambda automaton: automaton.nbytes
)


def automaton_for(
    length: int, order: str, ended: Callable[[], bool]
) -> compiled.MoveAutomaton | None:
    """The words of moves that a search leaves out; made once, for 12 moves in some seconds."""
    if not length:
        return None

    def make() -> compiled.MoveAutomaton:
        try:
            return compiled.MoveAutomaton(length, order, ended)
        except compiled.Ended:
            raise CancelledError("stopped while words of moves were compared") from None

    return _automata.get((length, order), make, ended)


def _in_64_bits(number: int) -> int:
    return min(number, LARGEST)


def _poll(meter: Meter, counters: dict[str, int]) -> bool:
    meter.tell(Stats(**counters))
    return meter.cancelled


def _events_to_keep(recorder: Recorder, meter: Meter) -> int:
    """No more than can be taken over in a limited time; their number would take time by itself."""
    seconds = meter.limits.seconds
    most = LARGEST if seconds is None else 1 + int(EVENTS_IN_A_SECOND * seconds)
    return min(_in_64_bits(recorder.keep), most)


def _take_over(
    recorder: Recorder, meter: Meter, events: list[tuple[Any, ...]], count: int, digest: int
) -> None:
    """Give a recorder what the native one saw, while there is time."""
    for number, (kind, node, parent, move, g, h, priority, tie, board) in enumerate(events, 1):
        letter = "" if move == 255 else _MOVES[move].value
        recorder.keep_event(_KINDS[kind], node, parent, letter, g, h, (priority, tie), tuple(board))
        if number % CHECK_EVERY == 0 and meter.past(1 + FOR_EVENTS):
            break
    recorder.count, recorder.digest = count, digest

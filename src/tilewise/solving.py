"""solve(): check the board, fill in defaults, run the search, replay its moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil, floor
from threading import Event as CancelFlag
from typing import NamedTuple

from tilewise import anytime, heuristics, search
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.configured_algorithm import ConfiguredAlgorithm, build_algorithm
from tilewise.core.events import Observer
from tilewise.core.incumbent import Gap, Improved
from tilewise.core.limits import UNLIMITED, Limits, Meter, Progress
from tilewise.core.made_heuristic import Heuristic, build_heuristic, heuristic_name
from tilewise.core.problem import Problem, State
from tilewise.core.registry import ALGORITHMS
from tilewise.core.result import Outcome, Result, Status, Stop, StoppedBy
from tilewise.core.rules import DEFAULT, Rules
from tilewise.core.stats import Stats, effective_branching_factor
from tilewise.defaults import (
    advice,
    default_heuristic,
    default_search,
    search_of,
    with_patience,
)
from tilewise.doubts import SeenValues, reason_to_doubt
from tilewise.errors import (
    CancelledError,
    InternalError,
    LimitsError,
    MoveError,
    SpecError,
    TableError,
    TilewiseError,
    in_one_line,
    shortened,
)
from tilewise.native import NATIVE, choose, run
from tilewise.plain_functions import heuristic_of
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.parity import why_unsolvable
from tilewise.puzzle.position import Position, WantedGoal, read_position
from tilewise.tables.patterns.lookup import bytes_of

__all__ = ["anytime", "heuristics", "search", "solve"]

WantedHeuristic = str | Heuristic | Callable[..., float] | None
"""A heuristic by its spec, made for a goal, or a plain function; None is the algorithm's own."""


def solve(
    board: Position | Board | str,
    *,
    goal: WantedGoal = None,
    algorithm: str | None = None,
    heuristic: WantedHeuristic = None,
    rules: Rules | str | None = None,
    limits: Limits | None = None,
    engine: str = "auto",
    observer: Observer | None = None,
    cancel: CancelFlag | None = None,
    progress: Progress | None = None,
    improved: Improved | None = None,
    incumbent: str | None = None,
    context: BuildContext = DEFAULT_CONTEXT,
) -> Result:
    """Solve one board.

    Statuses other than `SOLVED` are ordinary answers, so look at `Result.status`. Errors are for
    requests that make no sense.

    Args:
        board: The start: a board, a position, or a text in any notation.
        goal: The goal: a name (`first`, `last`, `snail`), a board or a `Goal`. With none, the goal
            of the text's notation, and blank first for a `Board` (see `read_position`).
        algorithm: A spec such as `astar` or `beam(width=10)`. With none, an optimal search up to
            16 cells, which falls back to a solution row by row at its limit, and `anytime` on
            larger boards.
        heuristic: A spec such as `manhattan`, what `make_heuristic` returned, or a function of a
            board, which claims nothing. With none, the default of the algorithm.
        rules: A rule set by name or its knobs as text (`ties=fifo`), or `Rules`.
        limits: The most that the search may use. With no algorithm and no limits, boards of more
            than ten cells are searched for ten seconds.
        engine: `auto`, `python` or `native`. Only `auto` may choose.
        observer: Called for every event of the search, as `Observer` describes it.
        cancel: A `threading.Event`. Set it from another thread to stop the search; the status
            is then `CANCELLED`. `anytime` keeps its best solution.
        progress: Called with the `Stats` so far: about twenty times a second on the native engine,
            every thousand nodes or so on the Python engine. It runs in the thread of the search,
            so keep it short. `Stats.seconds` is 0 until the search has ended.
        improved: Called with each better solution and bound of `anytime`.
        incumbent: A solution that is known, as letters U D L R. `idastar`, `astar_idastar` and
            `anytime` then look for shorter ones only, and the result is that solution where there
            is none.
        context: How tables may be built for the heuristic: memory, progress, cancelling.
            The limits of memory and time and `cancel` hold for tables, too.

    Returns:
        The result. Its moves have been replayed on the board.

    Raises:
        BoardError: The text is not a board.
        GoalError: The goal is unknown or has another shape.
        SpecError: An algorithm, heuristic or rule is unknown or does not fit the others.
        LimitsError: A limit is not a positive number.
        EngineError: The engine cannot run this search.
        MoveError: The incumbent does not solve the board.
        TableError: A table for the heuristic is too large for the memory limit.

    Example:
        >>> result = solve("8b6 547 231", algorithm="astar", heuristic="manhattan")
        >>> result.summary, result.stats.expanded
        ('31 moves, optimal', 6728)
        >>> solve("8b6 547 231", limits=Limits(generated=100), algorithm="astar").status
        <Status.LIMIT: 'limit'>
    """
    position = read_position(board, goal)
    board, target, note = position.board, position.goal, position.note
    rules = Rules.parse(rules) if isinstance(rules, str) else rules or DEFAULT
    limits = UNLIMITED if limits is None else limits
    if not isinstance(rules, Rules):
        raise SpecError(f"expected Rules or their text, got {shortened(rules)}")
    if not isinstance(limits, Limits):
        raise LimitsError(f"expected Limits, got {shortened(limits)}")
    if algorithm is None and limits.seconds is None and limits.generated is None:
        limits = with_patience(limits, board)
    if algorithm is None:
        plain = heuristic is None and observer is None and not rules.given
        chosen = default_search(board, engine) if plain else search_of(board)
    configured = build_algorithm(chosen if algorithm is None else algorithm)
    _check_knobs(configured, rules)
    if observer is not None and configured.entry.combines:
        raise SpecError(
            f"expected an algorithm with events of its own, got {configured.spec}, "
            "which runs other searches"
        )
    if limits.gap is not None and not (configured.entry.combines or configured.entry.anytime):
        raise LimitsError(f"expected an anytime algorithm for a gap, got {configured.spec}")
    problem = Problem(board, target, rules.order)
    meter = Meter(limits, len(board.tiles), cancel, progress, improved)
    if incumbent is not None:
        if observer is not None:
            raise SpecError("expected no incumbent for a search that is watched")
        _check_incumbent(configured, problem, incumbent)
        meter.incumbent = incumbent
    context = context.within(meter)
    try:
        if algorithm is None and heuristic is None and configured.entry.needs_heuristic:
            heuristic = default_heuristic(board, target, limits, context)
        h = _heuristic_for(configured, heuristic, target, context)
        if h is not None and h.fractions and observer is not None:
            h = _in_whole_numbers(h, "events")
    except CancelledError:
        name = heuristic or configured.entry.default_heuristic
        result = _ended_early(position, configured, str(name), rules, meter)
        if result.status is Status.LIMIT and algorithm is None:
            return _as_people_do(result, problem, rules, observer, cancel)
        return result
    request = _Request(
        board,
        target,
        configured.spec,
        h.spec if h else None,
        str(rules),
        choose(engine, configured, h, rules, observer),
    )
    if not target.reachable_from(board):
        return _unsolvable(request, note)
    tables = bytes_of(h) if h else 0
    meter.memory = _memory_beside(tables, h, meter.memory)
    meter.begin_search()
    meter.admissible, meter.consistent = h is None or h.admissible, h is None or h.consistent
    proves = configured.entry.optimal and configured.entry.sound(rules)
    proves = proves and (h is None or h.admissible)
    seen = SeenValues(h.estimate) if proves and h is not None and not h.built_in else None
    searched = h if h is None or seen is None else replace(h, estimate=seen)
    outcome = _run(request.engine, configured, problem, searched, meter, rules, observer)
    if incumbent is not None and outcome.moves is None:
        status = Status.SOLVED if outcome.status is Status.LIMIT else outcome.status
        proved = outcome.stats.bound if proves else 0
        outcome, proves = Outcome(status, incumbent, outcome.stats, proved), False
        note = _joined(note, "the solution that was given; the search for a shorter one was ended")
    if outcome.status is Status.CANCELLED and outcome.moves is not None:
        note = _joined(note, "interrupted: this is the best solution so far")
    result = _finished(request, outcome, meter, h, proves, note, tables)
    if not (configured.entry.built_in and (h is None or h.built_in)):
        proves = proves and meter.stopped_by is None
        result = _doubted(result, problem, configured, h, seen, proves, cancel)
    if result.status is Status.LIMIT and algorithm is None:
        return _as_people_do(result, problem, rules, observer, cancel)
    return result


class _Request(NamedTuple):
    """What a result repeats of its request, in the order of its fields."""

    board: Board
    goal: Goal
    algorithm: str
    heuristic: str | None
    rules: str
    engine: str


def _memory_beside(tables: int, h: Heuristic | None, memory: int) -> int:
    """What a memory limit leaves to the search itself."""
    if tables >= memory and h is not None:
        raise TableError(
            f"expected a memory limit of more than {tables / 2**20:,.1f} MB for the tables of "
            f"{h.spec}, got {memory / 2**20:,.1f} MB"
        )
    return memory - tables


def _heuristic_for(
    configured: ConfiguredAlgorithm,
    heuristic: WantedHeuristic,
    goal: Goal,
    context: BuildContext,
) -> Heuristic | None:
    entry = configured.entry
    if not entry.needs_heuristic:
        if heuristic is not None:
            raise SpecError(f"expected no heuristic for {entry.name}, which {entry.without_one}")
        return None
    if isinstance(heuristic, Heuristic):
        if heuristic.goal != goal:
            raise SpecError(f"expected a heuristic for goal {goal.name}, got {heuristic.goal.name}")
        h = heuristic
    elif heuristic is None or isinstance(heuristic, str):
        spec = str(entry.default_heuristic) if heuristic is None else heuristic
        h = build_heuristic(spec, goal, context)
    elif callable(heuristic):
        h = heuristic_of(heuristic, goal)
    else:
        raise SpecError(
            "expected a heuristic by name, a function of a board, or one made by "
            f"tilewise.make_heuristic, got {shortened(heuristic)}"
        )
    return h if entry.fractions or not h.fractions else _in_whole_numbers(h, entry.name)


def _in_whole_numbers(h: Heuristic, what: str) -> Heuristic:
    """A heuristic for what needs whole numbers, as the order of a search may: others are errors."""

    def estimate(state: State) -> int:
        value = h.estimate(state)
        if type(value) is not int:
            able = ", ".join(name for name, entry in ALGORITHMS.items() if entry.fractions)
            raise SpecError(
                f"expected whole numbers from {h.spec} for {what}, got {value}; to solve a "
                f"board, {able} take fractions"
            )
        return value

    return replace(h, estimate=estimate, fractions=False)


def _check_incumbent(configured: ConfiguredAlgorithm, problem: Problem, incumbent: str) -> None:
    if not configured.entry.takes_incumbent:
        able = ", ".join(name for name, entry in ALGORITHMS.items() if entry.takes_incumbent)
        raise SpecError(
            f"expected an algorithm that takes an incumbent ({able}), got {configured.spec}"
        )
    if problem.replay(incumbent) != problem.goal:
        raise MoveError(f"expected an incumbent that solves the board, got {shortened(incumbent)}")


def _ended_early(
    position: Position,
    configured: ConfiguredAlgorithm,
    heuristic: str,
    rules: Rules,
    meter: Meter,
) -> Result:
    """The result of a search that was ended while its tables were being built."""
    name = heuristic_name(heuristic)
    request = _Request(position.board, position.goal, configured.spec, name, str(rules), "native")
    note = position.note
    if not position.goal.reachable_from(position.board):
        return _unsolvable(request, note)
    status = meter.status if meter.over else Status.CANCELLED
    if status is Status.LIMIT:
        note = _joined(note, f"the time was up while the tables of {name} were being built")
    stats = Stats(seconds=meter.seconds)
    return Result(
        status,
        None,
        *request,
        bound=least_moves(position.board, position.goal),
        stats=stats,
        note=note,
        stop=meter.reached(stats),
    )


def _unsolvable(request: _Request, note: str | None) -> Result:
    note = _joined(note, why_unsolvable(request.board, request.goal))
    return Result(Status.UNSOLVABLE, None, *request, bound=None, note=note)


def _check_knobs(configured: ConfiguredAlgorithm, rules: Rules) -> None:
    if not rules.given:
        return
    for knob in sorted(rules.given - set(configured.entry.knobs)):
        taken = ", ".join(configured.entry.knobs)
        raise SpecError(f"expected rules for {configured.entry.name} among {taken}; got {knob}")


def _run(
    engine: str,
    configured: ConfiguredAlgorithm,
    problem: Problem,
    h: Heuristic | None,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
) -> Outcome:
    """The outcome of the search, checked and its moves replayed; a user's own may be wrong."""
    entry = configured.entry
    try:
        outcome = run(engine, configured, problem, h, meter, rules, observer)
        _check_outcome(problem, outcome)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if entry.built_in or (
            isinstance(error, TilewiseError) and not isinstance(error, MoveError)
        ):
            raise
        raise SpecError(f"algorithm {entry.name} failed: {in_one_line(error)}") from error
    return outcome


def _check_outcome(problem: Problem, outcome: Outcome) -> None:
    """Refuse an outcome that contradicts itself or the puzzle."""
    if not isinstance(outcome, Outcome) or not isinstance(outcome.stats, Stats):
        raise InternalError(f"expected an Outcome with Stats, got {shortened(outcome)}")
    if not isinstance(outcome.status, Status):
        raise InternalError(f"expected a Status, got {shortened(outcome.status)}")
    if outcome.status is Status.UNSOLVABLE:
        raise InternalError("called a board unsolvable that can be solved")
    if outcome.status is not Status.SOLVED and outcome.moves is None:
        return
    if outcome.status not in (Status.SOLVED, Status.CANCELLED):
        raise InternalError(f"returned moves with status {outcome.status}")
    if not isinstance(outcome.moves, str):
        raise InternalError(f"expected the moves as text, got {shortened(outcome.moves)}")
    if problem.replay(outcome.moves) != problem.goal:
        raise InternalError(f"its moves {shortened(outcome.moves)} miss the goal")


def least_moves(board: Board, goal: Goal, h: Heuristic | None = None, proved: int = 0) -> int:
    """The moves that are needed at least: by Manhattan distance, an admissible h, what is proved.

    Every solution of a board has the same parity, so a bound of the other one grows by one.
    """
    manhattan = build_heuristic("manhattan", goal).estimate(board.tiles)
    by_h = ceil(h.estimate(board.tiles)) if h is not None and h.admissible else 0
    bound = max(manhattan, by_h, proved)
    return bound + (bound - manhattan) % 2


def _finished(
    request: _Request,
    outcome: Outcome,
    meter: Meter,
    h: Heuristic | None,
    proves: bool,
    note: str | None,
    tables: int = 0,
) -> Result:
    """The result with its counters completed."""
    stats = outcome.stats
    stats.bound = floor(stats.bound)  # with fractions it is one
    stats.seconds = meter.search_seconds
    solved = outcome.status is Status.SOLVED
    optimal = solved and proves and meter.stopped_by is None
    if not optimal:
        stats.expanded_below_cost = None
    if solved:
        depth = len(outcome.moves or "")
        stats.effective_branching_factor = effective_branching_factor(stats.generated, depth)
    if optimal:
        bound = len(outcome.moves or "")
    else:
        by_h = outcome.bound_by_h if meter.admissible else 0
        proved = max(outcome.bound, by_h, stats.bound if proves else 0)
        bound = least_moves(request.board, request.goal, h, proved)
    stop = meter.reached(stats, beside=tables)
    if meter.stopped_by is StoppedBy.GAP and outcome.moves is not None:
        cost = len(outcome.moves)
        stop = Stop(StoppedBy.GAP, cost - bound, Gap.parse(meter.limits.gap or 0).largest(cost))
    return Result(outcome.status, outcome.moves, *request, bound, stats, note, stop)


def _doubted(
    result: Result,
    problem: Problem,
    configured: ConfiguredAlgorithm,
    h: Heuristic | None,
    seen: SeenValues | None,
    proves: bool,
    cancel: CancelFlag | None,
) -> Result:
    """The result of a user's own algorithm or heuristic: what they declare proves no bound alone.

    A search that is declared to find the optimum is believed, unless a doubt comes up.
    """

    def search_again(limits: Limits) -> Result:
        algorithm = search_of(result.board)
        return solve(
            result.board, goal=result.goal, algorithm=algorithm, limits=limits, cancel=cancel
        )

    claimed = result.solved and proves
    doubt = None
    if claimed:
        doubt = reason_to_doubt(result, problem, configured, h, seen, search_again)
    if claimed and doubt is None:
        return result
    if doubt is None and h is not None and (at_goal := h.estimate(problem.goal)) > 0:
        doubt_of_goal = f"{h.spec} is {at_goal} at the goal, where 0 moves are left"
        result = replace(result, note=_joined(result.note, doubt_of_goal))
    result.stats.expanded_below_cost = None
    bound = least_moves(result.board, result.goal)
    return replace(result, bound=bound, doubt=doubt, note=_joined(result.note, doubt))


def _as_people_do(
    result: Result,
    problem: Problem,
    rules: Rules,
    observer: Observer | None,
    cancel: CancelFlag | None,
) -> Result:
    """The answer when no algorithm was named and the optimal one took too long.

    Its detours are looked for as long as a quarter of the limit of time.
    """
    configured = build_algorithm("human")
    meter = Meter(Limits(), len(problem.start))
    outcome = _run("python", configured, problem, None, meter, rules, observer)
    engine = "native" if NATIVE else "python"
    limit = result.stop.allowed if result.stopped_by is StoppedBy.SECONDS and result.stop else None
    tidying = Meter(Limits(seconds=limit and max(limit / 4, 1e-3)), len(problem.start), cancel)
    shorter = anytime.without_detours(problem, outcome.moves or "", engine, lambda: tidying.over)
    note = (
        f"not optimal: {result.algorithm} reached its limit after {result.stats.seconds:.1f} s "
        f"and {result.stats.generated:,} nodes; this is how people solve it, with detours taken "
        f"out{advice(result)}"
    )
    request = _Request(result.board, result.goal, configured.spec, None, result.rules, engine)
    return replace(
        _finished(request, replace(outcome, moves=shorter), meter, None, False, None),
        bound=result.bound,
        note=_joined(result.note, note),
        stop=result.stop,
    )


def _joined(*notes: str | None) -> str | None:
    return "; ".join(note for note in notes if note) or None

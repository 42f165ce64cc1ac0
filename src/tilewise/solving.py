"""solve() and trace(): check the board, fill in defaults, run the search, replay its moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from threading import Event as CancelFlag
from typing import NamedTuple

from tilewise import anytime, heuristics, search
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.events import Event, Observer, Recorder
from tilewise.core.incumbent import Gap, Improved
from tilewise.core.limits import Limits, Meter, Progress
from tilewise.core.problem import Problem
from tilewise.core.registry import (
    ConfiguredAlgorithm,
    Heuristic,
    build_algorithm,
    build_heuristic,
    heuristic_name,
)
from tilewise.core.result import Outcome, Result, Status, Stop, StoppedBy
from tilewise.core.rules import DEFAULT, Rules
from tilewise.core.stats import Stats, effective_branching_factor
from tilewise.doubts import reason_to_doubt
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
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.parity import why_unsolvable
from tilewise.puzzle.position import Position, WantedGoal, read_position
from tilewise.tables.patterns import partition_choice
from tilewise.tables.patterns.lookup import bytes_of

__all__ = ["Trace", "anytime", "heuristics", "search", "solve", "trace"]

ASTAR_CELLS, IDASTAR_CELLS = 10, 16
"""Boards of at most this many cells are solved by A*, by IDA* when no algorithm is named."""
PATIENCE = 10.0
"""Seconds that boards of more than 10 cells are searched when no limit is named."""


def solve(
    board: Position | Board | str,
    *,
    goal: WantedGoal = None,
    algorithm: str | None = None,
    heuristic: str | Heuristic | None = None,
    rules: Rules | str | None = None,
    limits: Limits | None = None,
    engine: str = "auto",
    observer: Observer | None = None,
    cancel: CancelFlag | None = None,
    progress: Progress | None = None,
    improved: Improved | None = None,
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
        heuristic: A spec such as `manhattan`, or what `make_heuristic` returned. With none, the
            default of the algorithm.
        rules: A rule set by name or its knobs as text (`ties=fifo`), or `Rules`.
        limits: The most that the search may use. With no algorithm and no limits, boards of more
            than ten cells are searched for a few seconds.
        engine: `auto`, `python` or `native`. Only `auto` may choose.
        observer: Called for every event of the search, as `Observer` describes it.
        cancel: A `threading.Event`. Set it from another thread to stop the search; the status
            is then `CANCELLED`.
        progress: Called with the `Stats` so far, every thousand nodes or so. It runs in the thread
            of the search, so keep it short.
        improved: Called with each better solution and bound of `anytime`.
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
    limits = Limits() if limits is None else limits
    if not isinstance(rules, Rules):
        raise SpecError(f"expected Rules or their text, got {shortened(rules)}")
    if not isinstance(limits, Limits):
        raise LimitsError(f"expected Limits, got {shortened(limits)}")
    if algorithm is None and limits.seconds is None and limits.generated is None:
        limits = _with_patience(limits, board)
    if algorithm is None:
        plain = heuristic is None and observer is None and not rules.given
        chosen = default_algorithm(board) if plain else search_of(board)
    configured = build_algorithm(chosen if algorithm is None else algorithm)
    _check_knobs(configured, rules)
    if observer is not None and configured.entry.combines:
        raise SpecError(
            f"expected an algorithm with events of its own, got {configured.spec}, "
            "which runs other searches"
        )
    if limits.gap is not None and not configured.entry.combines:
        raise LimitsError(f"expected the algorithm anytime for a gap, got {configured.spec}")
    problem = Problem(board, target, rules.order)
    meter = Meter(limits, len(board.tiles), cancel, progress, improved)
    context = context.within(meter)
    try:
        if algorithm is None and heuristic is None and configured.entry.needs_heuristic:
            heuristic = default_heuristic(board, target, limits, context)
        h = _heuristic_for(configured, heuristic, target, context)
    except CancelledError:
        name = heuristic or configured.entry.default_heuristic
        result = _ended_early(position, configured, str(name), rules, meter)
        if result.status is Status.LIMIT and algorithm is None:
            return _as_people_do(result, problem, rules, observer)
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
        unsolvable = _joined(note, why_unsolvable(board, target))
        return Result(Status.UNSOLVABLE, None, *request, bound=None, note=unsolvable)
    meter.memory = _memory_beside_tables(h, meter.memory)
    meter.begin_search()
    outcome = _run(request.engine, configured, problem, h, meter, rules, observer)
    proves = configured.entry.optimal and configured.entry.sound(rules)
    proves = proves and (h is None or h.admissible)
    if outcome.status is Status.CANCELLED and outcome.moves is not None:
        note = _joined(note, "interrupted: this is the best solution so far")
    result = _finished(request, outcome, meter, h, proves, note)
    if not (configured.entry.built_in and (h is None or h.built_in)):
        result = _doubted(result, problem, configured, h, proves, cancel)
    if result.status is Status.LIMIT and algorithm is None:
        return _as_people_do(result, problem, rules, observer)
    return result


class _Request(NamedTuple):
    """What a result repeats of its request, in the order of its fields."""

    board: Board
    goal: Goal
    algorithm: str
    heuristic: str | None
    rules: str
    engine: str


@dataclass(frozen=True)
class Trace:
    """A search on record. Iterating over it gives the events that were kept.

    Example:
        >>> record = trace("1b2 345 678", algorithm="bfs")
        >>> [event.kind.value for event in record][:3], record.count
        (['start', 'expand', 'generate'], 12)
    """

    events: tuple[Event, ...]
    """The first events of the search."""
    count: int
    """The number of all events, kept or not."""
    digest: int
    """64 bits over all events. Equal digests mean equal searches, step by step."""
    result: Result
    """What `solve` returned."""

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    def _repr_svg_(self) -> str | None:
        """The search tree as notebooks show it; None where it is too large for a picture."""
        from tilewise.drawing.search_tree import tree_svg

        try:
            return tree_svg(self.events)
        except SpecError:
            return None


def trace(
    board: Position | Board | str,
    *,
    events: int = 1000,
    goal: WantedGoal = None,
    algorithm: str | None = None,
    heuristic: str | Heuristic | None = None,
    rules: Rules | str | None = None,
    limits: Limits | None = None,
) -> Trace:
    """Solve a board and keep the first events of the search.

    Args:
        board: As for `solve`.
        events: How many events to keep. The digest covers all of them.
        goal: As for `solve`.
        algorithm: As for `solve`.
        heuristic: As for `solve`.
        rules: As for `solve`.
        limits: As for `solve`.

    Returns:
        The events with the result of the search.

    Raises:
        SpecError: `events` is negative.
        TilewiseError: Everything that `solve` raises.

    Example:
        >>> record = trace("312 475 68b", algorithm="astar", heuristic="manhattan", events=2)
        >>> [(event.kind.value, event.g, event.h) for event in record]
        [('start', 0, 4), ('expand', 0, 4)]
    """
    position = read_position(board, goal)
    if events < 0:
        raise SpecError(f"expected a number of events of at least 0, got {events}")
    recorder = Recorder(events, position.board.rows, position.board.columns)
    result = solve(
        position,
        algorithm=algorithm,
        heuristic=heuristic,
        rules=rules,
        limits=limits,
        observer=recorder,
    )
    return Trace(tuple(recorder.events), recorder.count, recorder.digest, result)


def search_of(board: Board) -> str:
    """A* where all states fit in memory, iterative deepening elsewhere."""
    return "astar" if len(board.tiles) <= ASTAR_CELLS else "idastar"


def default_algorithm(board: Board) -> str:
    """An optimal search where it ends soon, `anytime` on larger boards."""
    return search_of(board) if len(board.tiles) <= IDASTAR_CELLS else "anytime"


def default_heuristic(
    board: Board, goal: Goal, limits: Limits, context: BuildContext = DEFAULT_CONTEXT
) -> str | None:
    """The best pattern databases at hand for a larger board; None: the algorithm's own.

    Up to 10 cells the counters that people see depend on no table.
    """
    if len(board.tiles) <= ASTAR_CELLS or not goal.reachable_from(board):
        return None
    chosen = partition_choice.best_partition(goal, limits.memory, context.cancelled)
    return None if chosen is None else f"pdb({chosen})"


def _memory_beside_tables(h: Heuristic | None, memory: int) -> int:
    """What a memory limit leaves to the search itself."""
    tables = bytes_of(h) if h else 0
    if tables >= memory and h is not None:
        raise TableError(
            f"expected a memory limit of more than {tables / 2**20:,.1f} MB for the tables of "
            f"{h.spec}, got {memory / 2**20:,.1f} MB"
        )
    return memory - tables


def _with_patience(limits: Limits, board: Board) -> Limits:
    """How long to look for an optimal solution when no limit is set."""
    if len(board.tiles) <= ASTAR_CELLS or limits.gap is not None:
        return limits
    return replace(limits, seconds=PATIENCE)


def _heuristic_for(
    configured: ConfiguredAlgorithm,
    heuristic: str | Heuristic | None,
    goal: Goal,
    context: BuildContext,
) -> Heuristic | None:
    entry = configured.entry
    if not entry.needs_heuristic:
        if heuristic is not None:
            raise SpecError(f"expected no heuristic for {entry.name}, which uses none")
        return None
    if not isinstance(heuristic, str | Heuristic | None):
        raise SpecError(
            "expected a heuristic by name or made by tilewise.make_heuristic, "
            f"got {shortened(heuristic)}"
        )
    if isinstance(heuristic, Heuristic):
        if heuristic.goal != goal:
            raise SpecError(f"expected a heuristic for goal {goal.name}, got {heuristic.goal.name}")
        return heuristic
    spec = str(entry.default_heuristic) if heuristic is None else heuristic
    return build_heuristic(spec, goal, context)


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


def _check_knobs(configured: ConfiguredAlgorithm, rules: Rules) -> None:
    for knob in sorted((rules.given or set()) - set(configured.entry.knobs)):
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
    except (Exception, SystemExit) as error:
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
    by_h = h.estimate(board.tiles) if h is not None and h.admissible else 0
    bound = max(manhattan, by_h, proved)
    return bound + (bound - manhattan) % 2


def _finished(
    request: _Request,
    outcome: Outcome,
    meter: Meter,
    h: Heuristic | None,
    proves: bool,
    note: str | None,
) -> Result:
    """The result with its counters completed."""
    stats = outcome.stats
    stats.seconds = meter.search_seconds
    solved = outcome.status is Status.SOLVED
    if not (solved and proves):
        stats.expanded_below_cost = None
    if solved:
        depth = len(outcome.moves or "")
        stats.effective_branching_factor = effective_branching_factor(stats.generated, depth)
    if solved and proves:
        bound = len(outcome.moves or "")
    else:
        proved = max(outcome.bound, stats.bound if proves else 0)
        bound = least_moves(request.board, request.goal, h, proved)
    stop = meter.reached(stats, beside=bytes_of(h) if h else 0)
    if meter.stopped_by is StoppedBy.GAP and outcome.moves is not None:
        cost = len(outcome.moves)
        stop = Stop(StoppedBy.GAP, cost - bound, Gap.parse(meter.limits.gap or 0).largest(cost))
    return Result(outcome.status, outcome.moves, *request, bound, stats, note, stop)


def _doubted(
    result: Result,
    problem: Problem,
    configured: ConfiguredAlgorithm,
    h: Heuristic | None,
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
    doubt = reason_to_doubt(result, problem, configured, h, search_again) if claimed else None
    if claimed and doubt is None:
        return result
    result.stats.expanded_below_cost = None
    bound = least_moves(result.board, result.goal)
    return replace(result, bound=bound, doubt=doubt, note=_joined(result.note, doubt))


def _as_people_do(
    result: Result, problem: Problem, rules: Rules, observer: Observer | None
) -> Result:
    """The answer when no algorithm was named and the optimal one took too long."""
    configured = build_algorithm("human")
    meter = Meter(Limits(), len(problem.start))
    outcome = _run("python", configured, problem, None, meter, rules, observer)
    engine = "native" if NATIVE else "python"
    shorter = anytime.without_detours(problem, outcome.moves or "", engine)
    note = (
        f"not optimal: {result.algorithm} reached its limit after {result.stats.seconds:.1f} s "
        f"and {result.stats.generated:,} nodes; this is how people solve it, with detours taken "
        f"out{_advice(result)}"
    )
    request = _Request(result.board, result.goal, configured.spec, None, result.rules, engine)
    return replace(
        _finished(request, replace(outcome, moves=shorter), meter, None, False, None),
        bound=result.bound,
        note=_joined(result.note, note),
        stop=result.stop,
    )


def _advice(result: Result) -> str:
    """Where better tables exist that are only built by a command of their own."""
    best = partition_choice.worth_building(result.goal)
    if best is None or result.heuristic == f"pdb({best})":
        return ""
    return f" (`tilewise pdb build {result.board.shape} {best}` makes tables that help)"


def _joined(*notes: str | None) -> str | None:
    return "; ".join(note for note in notes if note) or None

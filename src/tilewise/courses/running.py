"""run_course: a search of a course, run like any other: limits, events, cancelling, a Result."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from threading import Event as CancelFlag

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.events import Observer
from tilewise.core.limits import Limits, Meter, Progress
from tilewise.core.result import Outcome, Result, Status, Stop, StoppedBy
from tilewise.core.rules import Rules
from tilewise.core.stats import effective_branching_factor
from tilewise.courses.course import Course, Method, OwnSearch, Task
from tilewise.errors import BoardError, InternalError
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.parity import why_unsolvable
from tilewise.solving import least_moves, solve


def run_course(
    course: Course,
    method: Method,
    board: Board,
    *,
    goal: Goal | None = None,
    rules: Rules | None = None,
    engine: str = "auto",
    seed: int | None = None,
    random: Random | None = None,
    limits: Limits | None = None,
    meter: Meter | None = None,
    cancel: CancelFlag | None = None,
    observer: Observer | None = None,
    progress: Progress | None = None,
    context: BuildContext = DEFAULT_CONTEXT,
    try_unsolvable: bool = False,
) -> Result:
    """Solve a board as a course's program does; everything that runs a course calls this.

    Args:
        course: The course.
        method: One of its searches, as `course.method` finds it.
        board: The board.
        goal: In place of the course's own.
        rules: In place of the course's own, where its search is one of tilewise's.
        engine: As for `solve`, where its search is one of tilewise's.
        seed: For a search that draws; with None the course's own.
        random: The generator of a session that goes on, in place of a seed.
        limits: The limits.
        meter: Watches a search of the course's own, in place of one made of the limits.
        cancel: A flag that ends the search when it is set.
        observer: Called for every event.
        progress: Called with the counters.
        context: How tables may be built.
        try_unsolvable: Run a course's own search although parity says that it is in vain.

    Raises:
        BoardError: The course has boards of another shape.

    Example:
        >>> from tilewise.courses import course_named
        >>> course = course_named("columbia")
        >>> board = Board.parse("1,2,5,3,4,0,6,7,8")
        >>> run_course(course, course.method("bfs"), board).stats.expanded
        10
    """
    if course.shape is not None and (board.rows, board.columns) != course.shape:
        rows, columns = course.shape
        raise BoardError(
            f"expected a {rows}x{columns} board for the profile {course.name}, got {board.shape}"
        )
    target = course.goal_for(board) if goal is None else goal
    limits = limits or Limits()
    if method.own is None:
        return solve(
            board,
            goal=target,
            algorithm=method.algorithm,
            heuristic=method.heuristic,
            rules=course.rules_for(method) if rules is None else rules,
            limits=limits,
            engine=engine,
            observer=observer,
            cancel=cancel,
            progress=progress,
            context=context,
        )
    draft = _draft(course, method, method.own, board, target)
    if not try_unsolvable and not target.reachable_from(board):
        return replace(draft, note=why_unsolvable(board, target))
    most = limits.generated or course.max_nodes
    if course.max_nodes is not None:  # the program counts its nodes by itself
        limits = replace(limits, generated=None)
    if meter is None:
        meter = Meter(limits, len(board.tiles), cancel, progress)
    generator = Random(course.seed if seed is None else seed) if random is None else random
    task = Task(board, target, method.width, meter, most, generator, observer)
    return _searched(course, method.own, task, draft)


def plain_rules(course: Course, method: Method) -> str:
    """The rules of a method that is not the course's own search, as `--rules` takes them.

    Only the knobs that its algorithm has; a queue or a stack keeps its own order of ties.
    """
    return rules_for_algorithm(course.rules_for(method), method.algorithm)


def rules_for_algorithm(rules: Rules, algorithm: str) -> str:
    """Rules as text, with the knobs that an algorithm has."""
    entry = build_algorithm(algorithm).entry
    own_order = entry.frontier.ties and "ties" not in (rules.given or ())
    knobs = [
        f"{knob}={getattr(rules, knob)}"
        for knob in rules.departures()
        if knob in entry.knobs and not (knob == "ties" and own_order)
    ]
    return ",".join(knobs) or "default"


def _draft(course: Course, method: Method, own: OwnSearch, board: Board, goal: Goal) -> Result:
    return Result(
        status=Status.UNSOLVABLE,
        moves=None,
        board=board,
        goal=goal,
        algorithm=method.search,
        heuristic=method.estimate,
        rules=course.name,
        engine="python",
        bound=least_moves(board, goal) if goal.reachable_from(board) else None,
    )


def _searched(course: Course, own: OwnSearch, task: Task, draft: Result) -> Result:
    """The result of a search of the course's own; its moves are replayed as those of all are."""
    outcome = own.run(task)
    stats, moves = outcome.stats, outcome.moves
    stats.seconds = task.meter.seconds
    stats.peak_memory = stats.peak_stored * task.meter.bytes_per_state
    if moves is not None:
        if draft.board.after(moves) != draft.goal.board:
            raise InternalError(f"the moves of {course.name} miss the goal from {draft.board}")
        stats.effective_branching_factor = effective_branching_factor(stats.generated, len(moves))
    ended = outcome.status in (Status.SOLVED, Status.STUCK)
    count = own.generated(outcome)
    counted = f"the course's program counts {count:,} nodes generated"
    return replace(
        draft,
        status=outcome.status,
        moves=moves,
        stats=stats,
        bound=len(moves or "") if outcome.status is Status.SOLVED and own.optimal else draft.bound,
        stop=_stop(task, outcome, count),
        note=counted if ended and course.max_nodes is not None else None,
    )


def _stop(task: Task, outcome: Outcome, count: int) -> Stop | None:
    """The limit that ended the search: one of the meter's, or the program's own count of nodes."""
    if outcome.status is Status.LIMIT and task.meter.stopped_by is None and task.most is not None:
        return Stop(StoppedBy.NODES, count, task.most)
    return task.meter.reached(outcome.stats)

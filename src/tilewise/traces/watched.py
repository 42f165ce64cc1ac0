"""A search with its events and its settings, for explain, worksheets and traces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Event as CancelFlag

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.events import Event, Recorder
from tilewise.core.limits import Limits, Progress
from tilewise.core.result import Status
from tilewise.core.rules import DEFAULT, KNOBS, Rules
from tilewise.courses import course_named, own_search
from tilewise.courses.running import run_course
from tilewise.errors import SpecError
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.position import Position, read_position
from tilewise.solving import solve

DEFAULT_ALGORITHM = "astar"
MOST_SUCCESSORS = 4
EVENTS_AN_EXPANSION = 12
"""An expansion, its successors, as many entries that become stale, a bound, the first and last."""


@dataclass(frozen=True)
class Watched:
    """A recorded search. `rules` are the knobs in force, ties of a queue or a stack included."""

    board: Board
    goal: Goal
    algorithm: str
    heuristic: str | None
    rules: Rules
    events: tuple[Event, ...]
    count: int
    status: Status
    moves: str | None
    note: str | None = None

    @property
    def rules_text(self) -> str:
        """The knobs that depart from the default; ties that belong to a queue do not count."""
        usual = DEFAULT.ties
        if not own_search(self.algorithm):
            usual = build_algorithm(self.algorithm).frontier.usual_ties
        knobs = [
            f"{knob}={getattr(self.rules, knob)}"
            for knob in KNOBS
            if getattr(self.rules, knob) != (usual if knob == "ties" else getattr(DEFAULT, knob))
        ]
        return ",".join(knobs)

    @property
    def whole(self) -> bool:
        """Whether all events were kept."""
        return self.count == len(self.events)


def watch(
    board: Position | Board | str,
    *,
    goal: Goal | str = "auto",
    algorithm: str | None = None,
    heuristic: str | None = None,
    rules: str | None = None,
    profile: str | None = None,
    steps: int | None = None,
    events: int = 1_000_000,
    limits: Limits | None = None,
    cancel: CancelFlag | None = None,
    progress: Progress | None = None,
    context: BuildContext = DEFAULT_CONTEXT,
) -> Watched:
    """Search and keep the events with all settings; `explain` and worksheets begin here.

    Args:
        board: A board, a position or a text.
        goal: As for `solve`.
        algorithm: As for `solve`; with none, `astar`.
        heuristic: As for `solve`.
        rules: As for `solve`, as text.
        profile: The course whose own program to run.
        steps: Stop after this many expansions.
        events: How many events to keep.
        limits: The limits.
        cancel: A flag that ends the search when it is set.
        progress: Called with the counters.
        context: How tables may be built.

    Raises:
        SpecError: Something is unknown, or both `rules` and `profile` are given.

    Example:
        >>> search = watch("312 475 68b", heuristic="manhattan", steps=2)
        >>> search.rules.ties, len(search.events)
        ('h-newest', 19)
    """
    limits = limits or Limits()
    if steps is not None:
        events = EVENTS_AN_EXPANSION * (steps + 1)
        enough = MOST_SUCCESSORS * (steps + 1)
        limits = replace(limits, generated=min(enough, limits.generated or enough))
    position = read_position(board, goal if profile is None else None)
    board = position.board
    recorder = Recorder(events, board.rows, board.columns)
    in_force = DEFAULT if rules is None else Rules.parse(rules)
    if profile is not None:
        if rules is not None:
            raise SpecError("expected --profile or --rules, got both")
        course = course_named(profile)
        method = course.method(algorithm, heuristic)
        result = run_course(
            course,
            method,
            board,
            goal=course.checked_goal(board, goal),
            limits=limits,
            observer=recorder,
            cancel=cancel,
            progress=progress,
            context=context,
        )
        in_force = course.rules_for(method)
    else:
        result = solve(
            position,
            algorithm=algorithm or DEFAULT_ALGORITHM,
            heuristic=heuristic,
            rules=in_force,
            limits=limits,
            observer=recorder,
            cancel=cancel,
            progress=progress,
            context=context,
        )
    return Watched(
        board=board,
        goal=result.goal,
        algorithm=result.algorithm,
        heuristic=result.heuristic,
        rules=in_force_for(result.algorithm, in_force),
        events=tuple(recorder.events),
        count=recorder.count,
        status=result.status,
        moves=result.moves,
        note=result.note,
    )


def in_force_for(algorithm: str, rules: Rules) -> Rules:
    """The rules as an algorithm obeys them, every knob as if it were set on purpose."""
    if own_search(algorithm):
        return replace(rules, given=frozenset())
    entry = build_algorithm(algorithm).entry
    knobs = {
        knob: getattr(rules, knob) if knob in entry.knobs else getattr(DEFAULT, knob)
        for knob in KNOBS
    }
    if entry.frontier.ties:
        knobs["ties"] = rules.ties_or(entry.frontier.ties)
    return Rules(**knobs, given=frozenset(entry.knobs))

"""Responses of searches: a solution, its events, several searches side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tilewise.comparing import USUAL
from tilewise.core.algorithm_facts import FrontierKind
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.limits import Limits
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.result import Result, Status
from tilewise.core.rules import DEFAULT, Rules
from tilewise.core.stats import COUNTERS
from tilewise.courses import COURSES, course_named, own_search
from tilewise.courses.course import Course
from tilewise.courses.running import run_course
from tilewise.defaults import default_algorithm
from tilewise.errors import LimitsError, SpecError
from tilewise.puzzle import formats
from tilewise.puzzle.position import Position
from tilewise.solving import solve
from tilewise.traces.explain import explain
from tilewise.web.budgets import Budgets
from tilewise.web.job_queue import Job
from tilewise.web.positions import read, stopped_or_done
from tilewise.web.recording import Columns, Samples
from tilewise.web.requests import (
    CompareRequest,
    PositionRequest,
    SearchChoice,
    SolveRequest,
    TraceRequest,
)
from tilewise.web.responses import (
    BoardData,
    ComparedSearch,
    CompareResponse,
    GoalData,
    OpenListRule,
    ParityExplanation,
    SolveResponse,
    TraceResponse,
)

MOST_WRITTEN = 5_000
"""Longer solutions are given as letters only."""


def response_of(result: Result, note: str | None = None) -> SolveResponse:
    """A result as the page gets it."""
    unsolvable = result.status is Status.UNSOLVABLE
    notes = [text for text in (note, result.note) if text]
    return SolveResponse.from_object(
        result,
        status=result.status.value,
        headline=result.summary,
        note="; ".join(dict.fromkeys(notes)) or None,
        board=BoardData.of(result.board),
        goal=GoalData.of_goal(result.goal),
        stats={counter.name: getattr(result.stats, counter.name) for counter in COUNTERS},
        written=_written(result.moves),
        explanation=ParityExplanation.of(result.board, result.goal) if unsolvable else None,
    )


def _written(moves: str | None) -> dict[str, dict[str, str]] | None:
    if moves is None or len(moves) > MOST_WRITTEN:
        return None
    return {
        style: {whose: formats.write_moves(moves, style, whose) for whose in ("blank", "tile")}
        for style in formats.MOVE_STYLES
    }


def solved(request: SolveRequest, budgets: Budgets, job: Job) -> SolveResponse:
    """The solution of a board."""
    placed = _placed(request, [request.profile])
    limits = budgets.limits(request.algorithm, request.max_nodes, request.seconds, request.memory)
    limits = _limits(request.profile, request.max_nodes, limits)
    result = _searched(placed, job, budgets, limits, **_how(request, request.engine, budgets))
    return response_of(result, placed.note)


def _placed(request: PositionRequest, profiles: Iterable[str | None]) -> Position:
    """The board and its goal, which is that of the first course where no other is named."""
    named = [COURSES[profile] for profile in profiles if profile in COURSES]
    if request.goal == "auto" and named:
        request = request.model_copy(update={"goal": named[0].goal})
    return read(request)


def _how(request: SearchChoice, engine: str, budgets: Budgets) -> dict[str, Any]:
    """The search that a request names: a course's own, or any with its rules and engine."""
    search = {"algorithm": request.algorithm, "heuristic": request.heuristic}
    if request.profile is None:
        budgets.check_options(request.algorithm)
        return {**search, "rules": request.rules, "engine": engine}
    if request.rules is not None:
        raise SpecError("expected a profile or rules, got both")
    return {**search, "profile": request.profile}


def _limits(profile: str | None, max_nodes: int | None, limits: Limits) -> Limits:
    """The limits; programs that count nodes differently stop at their own number of them."""
    own_limit = None if profile is None else course_named(profile).max_nodes
    return limits if own_limit is None else replace(limits, generated=max_nodes)


def _searched(
    placed: Position,
    job: Job,
    budgets: Budgets,
    limits: Limits,
    profile: str | None = None,
    **how: Any,
) -> Result:
    """The result of a search that stops when its job does."""
    how |= {
        "limits": limits,
        "cancel": job.stop,
        "progress": job.watch,
        "context": budgets.build_context(job.stopped),
    }
    if profile is None:
        result = solve(placed.board, goal=placed.goal, improved=job.improved, **how)
    else:
        course = course_named(profile)
        method = course.method(how.pop("algorithm"), how.pop("heuristic"))
        goal = course.checked_goal(placed.board, placed.goal)
        result = run_course(course, method, placed.board, goal=goal, **how)
    return stopped_or_done(job, result)


def traced(request: TraceRequest, budgets: Budgets, job: Job) -> TraceResponse:
    """A search event by event, with the reason of every choice."""
    budgets.check(events=request.events)
    keep = budgets.default_events if request.events is None else request.events
    if keep < 0:
        raise LimitsError(f"expected a number of events of at least 0, got {keep}")
    placed = _placed(request, [request.profile])
    if request.profile is None and request.algorithm is None:
        request = request.model_copy(update={"algorithm": default_algorithm(placed.board)})
    limits = budgets.limits("each", request.max_nodes, request.seconds, request.memory)
    recorder = Columns(keep, placed.board.rows, placed.board.columns)
    how = _how(request, request.engine, budgets)
    result = _searched(
        placed,
        job,
        budgets,
        _limits(request.profile, request.max_nodes, limits),
        observer=recorder,
        **how,
    )
    course = None if request.profile is None else course_named(request.profile)
    rules = _course_rules(course, request) if course else Rules.parse(request.rules or "default")
    reasons: list[str] | None = None
    if request.reasons:
        reasons = []
        for choice in explain(recorder, result.algorithm, rules):
            reasons.append(choice.reason)
            job.poll()
    return TraceResponse.from_object(
        recorder,
        events=recorder.as_columns(),
        result=response_of(result, placed.note),
        digest=f"{recorder.digest:016x}",
        open_list=open_list_rule(result.algorithm, rules),
        reasons=reasons,
    )


def _course_rules(course: Course, request: TraceRequest) -> Rules:
    return course.rules_for(course.method(request.algorithm, request.heuristic))


OWN_LISTS = (FrontierKind.OWN_ORDER, FrontierKind.TWO_SIDED, FrontierKind.WALK)
"""Kinds of frontiers that events alone do not tell."""


def open_list_rule(algorithm: str, rules: Rules) -> OpenListRule:
    """How the nodes that wait are ordered, so that the page can list them as they will be taken."""
    own = own_search(algorithm)
    if own is not None:
        _, method = own
        kind = method.own.frontier.kind if method.own else "queue"
        return OpenListRule(kind=kind, last="oldest", width=method.width, copies=True)
    frontier = build_algorithm(algorithm).frontier
    if frontier.best_first:
        last = "newest" if frontier.with_ties(rules).newest_first else "oldest"
        copies = rules.ancestors is not None
        return OpenListRule(kind="queue", last=last, width=None, copies=copies)
    if frontier.kind is FrontierKind.LAYERS:
        width = int(frontier.width or 1)
        return OpenListRule(kind="layers", last="oldest", width=width, copies=False)
    if frontier.kind is FrontierKind.TWO_SIDED and not frontier.h:
        kind = "two-sided"
    else:
        kind = "own" if frontier.kind in OWN_LISTS else "path"
    return OpenListRule(kind=kind, last=None, width=None, copies=False)


def compared(request: CompareRequest, budgets: Budgets, job: Job) -> CompareResponse:
    """Several searches on one board, with their counters on the clock of expansions."""
    placed = _placed(request, [each.profile for each in request.searches or ()])
    if not 0 <= request.points <= budgets.points:
        raise LimitsError(f"expected 0 to {budgets.points} points, got {request.points}")
    nodes = budgets.default_nodes_compared if request.max_nodes is None else request.max_nodes
    limits = budgets.limits("each", nodes, request.seconds, request.memory)
    searches = []
    for number, how in enumerate(_choices(request, budgets, placed, job)):
        job.search = number
        samples = _samples(how, request.points) if request.points else None
        own_limits = _limits(how.get("profile"), request.max_nodes, limits)
        result = _searched(placed, job, budgets, own_limits, observer=samples, **how)
        series = samples.series() if samples else None
        searches.append(ComparedSearch(result=response_of(result), series=series))
    return CompareResponse(
        board=BoardData.of(placed.board),
        goal=GoalData.of_goal(placed.goal),
        note=placed.note,
        searches=searches,
    )


def _choices(
    request: CompareRequest, budgets: Budgets, placed: Position, job: Job
) -> list[dict[str, Any]]:
    """The searches, all checked before the first one runs.

    A knob of the rules that an algorithm does not have is not used there.
    """
    chosen = request.searches
    if chosen is None:
        chosen = [SearchChoice(algorithm=name, heuristic=h) for name, h in USUAL]
    if not 1 <= len(chosen) <= budgets.searches:
        raise SpecError(f"expected 1 to {budgets.searches} searches, got {len(chosen)}")
    found = []
    for each in chosen:
        if each.profile is not None:
            course_named(each.profile).method(each.algorithm, each.heuristic)
            found.append(_how(each, request.engine, budgets))
            continue
        usual = default_algorithm(placed.board)
        configured = build_algorithm(usual if each.algorithm is None else each.algorithm)
        if each.heuristic is not None and configured.entry.needs_heuristic:
            context = budgets.build_context(job.stopped)
            build_heuristic(each.heuristic, placed.goal, context)
        rules = Rules.parse(each.rules) if each.rules is not None else DEFAULT
        usable = (rules.given or frozenset()) & {*configured.entry.knobs}
        rules = replace(rules, given=usable)
        how = _how(each, request.engine, budgets)
        found.append({**how, "algorithm": configured.spec, "rules": rules})
    return found


def _samples(how: dict[str, Any], points: int) -> Samples:
    profile, algorithm = how.get("profile"), how["algorithm"]
    if profile is None:
        name = algorithm
    else:
        name = course_named(profile).method(algorithm, how["heuristic"]).search
    kind = open_list_rule(name, how.get("rules") or DEFAULT).kind
    return Samples(points, kind)

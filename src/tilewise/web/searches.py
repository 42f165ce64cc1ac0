"""Answers that a search gives: a solution, its events, several searches side by side."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from tilewise.comparing import USUAL
from tilewise.core.limits import Limits
from tilewise.core.registry import build_algorithm, build_heuristic
from tilewise.core.result import Result, Status
from tilewise.core.rules import DEFAULT, Rules
from tilewise.core.stats import COUNTERS
from tilewise.courses import PROFILES
from tilewise.courses.eecs391.search import DIALECTS
from tilewise.courses.running import own_search, run_profile, search_name
from tilewise.errors import LimitsError, SpecError
from tilewise.puzzle import formats
from tilewise.solving import default_algorithm, solve
from tilewise.traces.explain import BEST_FIRST, explain
from tilewise.web.budgets import Budgets
from tilewise.web.job_queue import Job
from tilewise.web.positions import (
    Placed,
    read,
    stopped_or_done,
    told_board,
    told_explanation,
    told_goal,
)
from tilewise.web.recording import Columns, Samples
from tilewise.web.requests import AskedCompare, AskedSolve, AskedTrace, Contestant

MOST_WRITTEN = 5_000
"""Longer solutions are told as letters only."""


def told_result(result: Result, note: str | None = None) -> dict[str, Any]:
    """A result as the page gets it."""
    unsolvable = result.status is Status.UNSOLVABLE
    notes = [text for text in (note, result.note) if text]
    return {
        "status": result.status.value,
        "cost": result.cost,
        "moves": result.moves,
        "optimal": result.optimal,
        "headline": result.summary,
        "note": "; ".join(dict.fromkeys(notes)) or None,
        "board": told_board(result.board),
        "goal": told_goal(result.goal),
        "algorithm": result.algorithm,
        "heuristic": result.heuristic,
        "rules": result.rules,
        "engine": result.engine,
        "stats": {counter.name: getattr(result.stats, counter.name) for counter in COUNTERS},
        "written": _written(result.moves),
        "explanation": told_explanation(result.board, result.goal) if unsolvable else None,
    }


def _written(moves: str | None) -> dict[str, dict[str, str]] | None:
    if moves is None or len(moves) > MOST_WRITTEN:
        return None
    return {
        style: {whose: formats.write_moves(moves, style, whose) for whose in ("blank", "tile")}
        for style in formats.MOVE_STYLES
    }


def solved(asked: AskedSolve, budgets: Budgets, job: Job) -> dict[str, Any]:
    """The solution of a board."""
    placed = _placed(asked)
    limits = budgets.limits(asked.algorithm, asked.max_nodes, asked.seconds, asked.memory)
    result = _searched(
        placed,
        job,
        budgets,
        _limits(asked.profile, asked.max_nodes, limits),
        **_how(asked, asked.engine),
    )
    return told_result(result, placed.note)


def _placed(asked: AskedSolve) -> Placed:
    """The board and its goal, which is a course's own where no other is named."""
    if asked.goal == "auto" and asked.profile in PROFILES:
        asked = asked.model_copy(update={"goal": PROFILES[asked.profile].goal})
    return read(asked)


def _how(asked: AskedSolve | Contestant, engine: str) -> dict[str, Any]:
    """The search that is asked for: a course's own, or any with its rules and engine."""
    search = {"algorithm": asked.algorithm, "heuristic": asked.heuristic}
    if asked.profile is None:
        return {**search, "rules": asked.rules, "engine": engine}
    if asked.rules is not None:
        raise SpecError("expected a profile or rules, got both")
    return {**search, "profile": asked.profile}


def _limits(profile: str | None, max_nodes: int | None, limits: Limits) -> Limits:
    """The limits; programs that count nodes in their own way stop at their own number of them."""
    return replace(limits, generated=max_nodes) if profile in DIALECTS else limits


def _searched(
    placed: Placed,
    job: Job,
    budgets: Budgets,
    limits: Limits,
    profile: str | None = None,
    **how: Any,
) -> Result:
    """The result of a search that stops when its job does."""
    search = solve if profile is None else partial(run_profile, profile)
    result = search(
        placed.board,
        goal=placed.goal,
        limits=limits,
        cancel=job.stop,
        progress=job.watch,
        context=budgets.build_context(job.stop.is_set),
        **how,
    )
    return stopped_or_done(job, result)


def traced(asked: AskedTrace, budgets: Budgets, job: Job) -> dict[str, Any]:
    """A search event by event, with the reason of every choice."""
    budgets.check(events=asked.events)
    keep = budgets.default_events if asked.events is None else asked.events
    if keep < 0:
        raise LimitsError(f"expected a number of events of at least 0, got {keep}")
    placed = _placed(asked)
    if asked.profile is None and asked.algorithm is None:
        asked = asked.model_copy(update={"algorithm": default_algorithm(placed.board)})
    limits = budgets.limits("each", asked.max_nodes, asked.seconds, asked.memory)
    recorder = Columns(keep, placed.board.rows, placed.board.columns)
    how = _how(asked, asked.engine)
    result = _searched(
        placed,
        job,
        budgets,
        _limits(asked.profile, asked.max_nodes, limits),
        observer=recorder,
        **how,
    )
    rules = Rules.parse(asked.profile or asked.rules or "default")
    reasons: list[str] | None = None
    if asked.reasons:
        reasons = []
        for choice in explain(recorder, result.algorithm, rules):
            reasons.append(choice.reason)
            job.look_up()
    return {
        "result": told_result(result, placed.note),
        **recorder.told(),
        "digest": f"{recorder.digest:016x}",
        "open_list": told_open_list(result.algorithm, rules),
        "reasons": reasons,
    }


def told_open_list(algorithm: str, rules: Rules) -> dict[str, Any]:
    """How the nodes that wait are ordered, so that the page can list them as they will be taken."""
    own = own_search(algorithm)
    if own is not None:
        kind = "heap" if own.profile == "cs170" else "queue" if own.width is None else "layers"
        return {"kind": kind, "last": "oldest", "width": own.width}
    configured = build_algorithm(algorithm)
    name = configured.entry.name
    if name in BEST_FIRST:
        usual = {"bfs": "oldest", "dfs": "newest"}.get(name)
        ties = rules.ties_or(usual) if usual else rules.ties
        last = "newest" if ties.endswith("newest") else "oldest"
        return {"kind": "queue", "last": last, "width": None}
    if name in ("beam", "hill_climbing"):
        return {"kind": "layers", "last": "oldest", "width": configured.options.get("width", 1)}
    kind = "two-sided" if name == "bidirectional" else "path"
    return {"kind": kind, "last": None, "width": None}


def compared(asked: AskedCompare, budgets: Budgets, job: Job) -> dict[str, Any]:
    """Several searches on one board, with their counters on the clock of expansions."""
    placed = read(asked)
    if not 0 <= asked.points <= budgets.points:
        raise LimitsError(f"expected 0 to {budgets.points} points, got {asked.points}")
    nodes = budgets.default_nodes_compared if asked.max_nodes is None else asked.max_nodes
    limits = budgets.limits("each", nodes, asked.seconds, asked.memory)
    told = []
    for number, how in enumerate(_contestants(asked, budgets, placed, job)):
        job.search = number
        samples = _samples(how, asked.points, budgets, placed) if asked.points else None
        own_limits = _limits(how.get("profile"), asked.max_nodes, limits)
        result = _searched(placed, job, budgets, own_limits, observer=samples, **how)
        told.append({"result": told_result(result), "series": samples.told() if samples else None})
    return {
        "board": told_board(placed.board),
        "goal": told_goal(placed.goal),
        "note": placed.note,
        "searches": told,
    }


def _contestants(
    asked: AskedCompare, budgets: Budgets, placed: Placed, job: Job
) -> list[dict[str, Any]]:
    """The searches, all checked before the first one runs.

    A knob of the rules that an algorithm does not have is not used there.
    """
    chosen = asked.searches
    if chosen is None:
        chosen = [Contestant(algorithm=name, heuristic=h) for name, h in USUAL]
    if not 1 <= len(chosen) <= budgets.searches:
        raise SpecError(f"expected 1 to {budgets.searches} searches, got {len(chosen)}")
    found = []
    for each in chosen:
        if each.profile is not None:
            search_name(each.profile, each.algorithm)
            found.append(_how(each, asked.engine))
            continue
        usual = default_algorithm(placed.board)
        configured = build_algorithm(usual if each.algorithm is None else each.algorithm)
        if each.heuristic is not None and configured.entry.needs_heuristic:
            context = budgets.build_context(job.stop.is_set)
            build_heuristic(each.heuristic, placed.goal, context)
        rules = Rules.parse(each.rules) if each.rules is not None else DEFAULT
        usable = (rules.given or frozenset()) & {*configured.entry.knobs}
        rules = replace(rules, given=usable)
        found.append({**_how(each, asked.engine), "algorithm": configured.spec, "rules": rules})
    return found


def _samples(how: dict[str, Any], points: int, budgets: Budgets, placed: Placed) -> Samples:
    rows, columns = placed.board.rows, placed.board.columns
    profile, algorithm = how.get("profile"), how["algorithm"]
    name = algorithm if profile is None else search_name(profile, algorithm)
    kind = told_open_list(name, how.get("rules") or DEFAULT)["kind"]
    return Samples(budgets.events, rows, columns, points, kind)

"""Answers that a search gives: a solution, its events, several searches side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tilewise import formats
from tilewise.comparing import USUAL
from tilewise.errors import LimitsError, SpecError
from tilewise.limits import Limits
from tilewise.registry import ConfiguredAlgorithm, build_algorithm, build_heuristic
from tilewise.result import Result, Status
from tilewise.rules import DEFAULT, Rules
from tilewise.solving import default_algorithm, solve
from tilewise.stats import COUNTERS
from tilewise.teaching.explain import BEST_FIRST, explain
from tilewise.web.asked import AskedCompare, AskedSolve, AskedTrace, Contestant
from tilewise.web.budgets import Budgets
from tilewise.web.lanes import Job
from tilewise.web.positions import (
    Placed,
    read,
    stopped_or_done,
    told_board,
    told_explanation,
    told_goal,
)
from tilewise.web.recording import Columns, Samples

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
    placed = read(asked)
    limits = budgets.limits(asked.algorithm, asked.max_nodes, asked.seconds, asked.memory)
    how = {"heuristic": asked.heuristic, "rules": asked.rules, "engine": asked.engine}
    result = _searched(placed, job, limits, algorithm=asked.algorithm, **how)
    return told_result(result, placed.note)


def _searched(placed: Placed, job: Job, limits: Limits, **how: Any) -> Result:
    """The result of a search that stops when its job does."""
    result = solve(
        placed.board,
        goal=placed.goal,
        limits=limits,
        cancel=job.stop,
        progress=job.watch,
        **how,
    )
    return stopped_or_done(job, result)


def traced(asked: AskedTrace, budgets: Budgets, job: Job) -> dict[str, Any]:
    """A search event by event, with the reason of every choice."""
    budgets.check(events=asked.events)
    keep = budgets.default_events if asked.events is None else asked.events
    if keep < 0:
        raise LimitsError(f"expected a number of events of at least 0, got {keep}")
    placed = read(asked)
    algorithm = default_algorithm(placed.board) if asked.algorithm is None else asked.algorithm
    rules = Rules.parse(asked.rules) if asked.rules is not None else DEFAULT
    limits = budgets.limits(algorithm, asked.max_nodes, asked.seconds, asked.memory)
    recorder = Columns(keep, placed.board.rows, placed.board.columns)
    how = {"heuristic": asked.heuristic, "rules": rules, "engine": asked.engine}
    result = _searched(placed, job, limits, algorithm=algorithm, observer=recorder, **how)
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
        "open_list": told_open_list(build_algorithm(algorithm), rules),
        "reasons": reasons,
    }


def told_open_list(configured: ConfiguredAlgorithm, rules: Rules) -> dict[str, Any]:
    """How the nodes that wait are ordered, so that the page can list them as they will be taken."""
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
    for number, how in enumerate(_contestants(asked, budgets, placed)):
        job.search = number
        samples = _samples(how, asked.points, budgets, placed) if asked.points else None
        result = _searched(placed, job, limits, engine=asked.engine, observer=samples, **how)
        told.append({"result": told_result(result), "series": samples.told() if samples else None})
    return {
        "board": told_board(placed.board),
        "goal": told_goal(placed.goal),
        "note": placed.note,
        "searches": told,
    }


def _contestants(asked: AskedCompare, budgets: Budgets, placed: Placed) -> list[dict[str, Any]]:
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
        usual = default_algorithm(placed.board)
        configured = build_algorithm(usual if each.algorithm is None else each.algorithm)
        if each.heuristic is not None and configured.entry.needs_heuristic:
            build_heuristic(each.heuristic, placed.goal)
        rules = Rules.parse(each.rules) if each.rules is not None else DEFAULT
        usable = (rules.given or frozenset()) & {*configured.entry.knobs}
        rules = replace(rules, given=usable)
        found.append({"algorithm": configured.spec, "heuristic": each.heuristic, "rules": rules})
    return found


def _samples(how: dict[str, Any], points: int, budgets: Budgets, placed: Placed) -> Samples:
    rows, columns = placed.board.rows, placed.board.columns
    kind = told_open_list(build_algorithm(how["algorithm"]), how["rules"])["kind"]
    return Samples(budgets.events, rows, columns, points, kind)

"""Traces of other people's solvers: checked against what they claim, and told as replays."""

from __future__ import annotations

import time
from typing import Any

from tilewise.core.limits import Limits
from tilewise.courses.running import own_search
from tilewise.errors import LimitsError
from tilewise.traces.conformance import Report, check_trace
from tilewise.traces.json_lines import Claims, ReadTrace
from tilewise.traces.reader import read_trace
from tilewise.traces.replay import reasons
from tilewise.web.budgets import MEGABYTE, Budgets
from tilewise.web.job_queue import Job
from tilewise.web.positions import told_board, told_goal
from tilewise.web.recording import Columns
from tilewise.web.requests import AskedTraceCheck
from tilewise.web.searches import told_open_list

LONG_TEXT = 200_000
"""Characters; checking a trace takes longer than a short request should."""


def checked(asked: AskedTraceCheck, budgets: Budgets, job: Job) -> dict[str, Any]:
    """A trace as the page replays it, and whether it does what it claims."""
    budgets.check(seconds=asked.seconds)
    seconds = budgets.default_seconds if asked.seconds is None else asked.seconds
    limits = Limits(seconds=seconds, memory=budgets.memory * MEGABYTE)
    ends = time.monotonic() + seconds

    def between() -> None:
        job.look_up()
        if time.monotonic() > ends:
            raise LimitsError(
                f"expected a trace that is checked within {seconds:g} s, got a longer one"
            )

    context = budgets.build_context(job.stop.is_set)
    trace = read_trace(asked.trace, between, context)
    if len(trace) > budgets.events:
        raise LimitsError(f"expected at most {budgets.events:,} events, got {len(trace):,}")
    report = check_trace(
        trace, between, limits=limits, cancel=job.stop, progress=job.watch, context=context
    )
    job.look_up()
    why = []
    for reason in reasons(trace):
        between()
        why.append(reason)
    return {
        **_columns(trace).told(),
        "reasons": why,
        "open_list": _open_list(trace.claims),
        "claims": _claims(trace.claims),
        "verdict": _verdict(report),
    }


def _columns(trace: ReadTrace) -> Columns:
    board = trace.claims.board
    columns = Columns(len(trace), board.rows, board.columns)
    columns.count = len(trace)
    for event in trace:
        columns.keep_event(
            event.kind,
            event.node,
            event.parent,
            event.move,
            event.g,
            event.h,
            event.key,
            event.board.tiles,
        )
    return columns


def _open_list(claims: Claims) -> dict[str, Any]:
    if claims.algorithm is None:
        return {"kind": "queue", "last": "oldest", "width": None}
    return told_open_list(claims.algorithm, claims.rules)


def _claims(claims: Claims) -> dict[str, Any]:
    own = own_search(str(claims.algorithm))
    return {
        "board": told_board(claims.board),
        "goal": told_goal(claims.goal),
        "algorithm": claims.algorithm,
        "heuristic": claims.heuristic,
        "rules": own.profile if own else str(claims.rules),
        "stated": sorted(claims.stated),
        "profile": own.profile if own else None,
        "method": own.method if own else None,
        "program": claims.program,
    }


def _verdict(report: Report) -> dict[str, Any]:
    deviation = report.deviation
    return {
        "ok": deviation is None,
        "line": deviation.line if deviation else None,
        "event": deviation.event if deviation else None,
        "deviation": deviation.said if deviation else None,
        "checked": [] if deviation else list(report.checked),
        "not_checked": list(report.unchecked),
        "reached_goal": report.reached_goal,
    }

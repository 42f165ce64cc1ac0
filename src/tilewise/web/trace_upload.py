"""Traces of other solvers: checked against what they claim, and prepared for replay."""

from __future__ import annotations

import time

from tilewise.core.limits import Limits
from tilewise.courses import own_search
from tilewise.errors import LimitsError
from tilewise.traces.conformance import ConformanceReport, check_trace
from tilewise.traces.json_lines import ReadTrace, TraceHeader
from tilewise.traces.reader import read_trace
from tilewise.traces.replay import reasons
from tilewise.web.budgets import MEGABYTE, Budgets
from tilewise.web.job_queue import Job
from tilewise.web.recording import Columns
from tilewise.web.requests import TraceCheckRequest
from tilewise.web.responses import (
    BoardData,
    ClaimsData,
    GoalData,
    OpenListRule,
    TraceCheckResponse,
    TraceVerdict,
)
from tilewise.web.searches import open_list_rule

LONG_TEXT = 200_000
"""Characters; checking a trace takes longer than a short request should."""


def checked(request: TraceCheckRequest, budgets: Budgets, job: Job) -> TraceCheckResponse:
    """A trace as the page replays it, and whether it does what it claims."""
    budgets.check(seconds=request.seconds)
    seconds = budgets.default_seconds if request.seconds is None else request.seconds
    limits = Limits(seconds=seconds, memory=budgets.memory * MEGABYTE)
    ends = time.monotonic() + seconds

    def between() -> None:
        job.poll()
        if time.monotonic() > ends:
            raise LimitsError(
                f"expected a trace that is checked within {seconds:g} s, got a longer one"
            )

    context = budgets.build_context(job.stop.is_set)
    trace = read_trace(request.trace, between, context)
    if len(trace) > budgets.events:
        raise LimitsError(f"expected at most {budgets.events:,} events, got {len(trace):,}")
    report = check_trace(
        trace, between, limits=limits, cancel=job.stop, progress=job.watch, context=context
    )
    job.poll()
    why = []
    for reason in reasons(trace):
        between()
        why.append(reason)
    columns = _columns(trace)
    return TraceCheckResponse.from_object(
        columns,
        events=columns.as_columns(),
        reasons=why,
        open_list=_open_list(trace.claims),
        claims=_claims(trace.claims),
        verdict=_verdict(report),
    )


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


def _open_list(claims: TraceHeader) -> OpenListRule:
    if claims.algorithm is None:
        copies = claims.rules.ancestors is not None
        return OpenListRule(kind="queue", last="oldest", width=None, copies=copies)
    return open_list_rule(claims.algorithm, claims.rules)


def _claims(claims: TraceHeader) -> ClaimsData:
    course, method = own_search(claims.algorithm, claims.heuristic) or (None, None)
    return ClaimsData.from_object(
        claims,
        board=BoardData.of(claims.board),
        goal=GoalData.of_goal(claims.goal),
        rules=course.name if course else str(claims.rules),
        stated=sorted(claims.stated),
        profile=course.name if course else None,
        method=method.spec if method else None,
    )


def _verdict(report: ConformanceReport) -> TraceVerdict:
    deviation = report.deviation
    return TraceVerdict(
        ok=deviation is None,
        line=deviation.line if deviation else None,
        event=deviation.event if deviation else None,
        deviation=deviation.said if deviation else None,
        checked=[] if deviation else list(report.checked),
        not_checked=list(report.unchecked),
        reached_goal=report.reached_goal,
    )

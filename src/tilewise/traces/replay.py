"""A trace from another program, replayed: the reason for each step, as far as its claims go."""

from __future__ import annotations

from collections.abc import Iterator

from tilewise.core.events import Kind
from tilewise.traces.explain import Choice, explain
from tilewise.traces.json_lines import ReadTrace
from tilewise.traces.open_list import Order
from tilewise.traces.reader import order_of


def reasons(trace: ReadTrace) -> Iterator[str]:
    """Why each node was taken by the claimed rules, or which one they take instead."""
    claims = trace.claims
    if claims.algorithm is None:
        for event in trace:
            if event.kind in (Kind.EXPAND, Kind.GOAL):
                yield "the file takes it; its header names no algorithm"
        return
    order = order_of(claims)
    ties_open = order is not None and "ties" not in claims.stated
    for choice in explain(trace, claims.algorithm, claims.rules):
        yield _left_open(choice, order) if order and ties_open else choice.reason


def _left_open(choice: Choice, order: Order) -> str:
    """The reason where a header does not say which of equal nodes comes first."""
    others, event = choice.tied_count, choice.event
    if others < 1 or choice.expected not in (event.node, *choice.tied):
        return choice.reason
    many = f"{others:,} other{'' if others == 1 else 's'}"
    return f"{order.frontier.value(event.g, event.h)} ties with {many}; the header leaves ties open"

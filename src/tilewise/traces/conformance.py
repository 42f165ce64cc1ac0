"""Checking a trace against the rules that it claims: the first deviation, and what was expected.

Searches with an open list are followed step by step. What they claim is checked, what their
header leaves open is allowed: without `ties`, any node of the best priority may be taken. Other
searches are run again and their expansions compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event as CancelFlag

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.events import Event, Kind
from tilewise.core.limits import Limits, Progress
from tilewise.core.made_heuristic import Heuristic
from tilewise.core.result import Status
from tilewise.courses import own_search
from tilewise.traces.closed_list import KnownNode, Successor
from tilewise.traces.json_lines import ReadTrace, TraceHeader
from tilewise.traces.open_list import OpenList, Order, own_open_list
from tilewise.traces.reader import (
    Between,
    closed_list_of,
    go_on,
    has_own_values,
    has_two_sides,
    is_anytime,
    known_heuristic,
    order_of,
    own_method,
)
from tilewise.traces.watched import watch


@dataclass(frozen=True)
class Deviation:
    """Where a trace first does what its rules do not, and what they do.

    `event` is the number of the event, from 0; a line can stand for several.
    """

    line: int
    said: str
    event: int

    def __str__(self) -> str:
        return f"line {self.line}: {self.said}"


@dataclass(frozen=True)
class ConformanceReport:
    """What was checked, in words, and the first deviation if there is one."""

    checked: tuple[str, ...]
    unchecked: tuple[str, ...]
    expansions: int
    deviation: Deviation | None
    reached_goal: bool


def check_trace(
    trace: ReadTrace,
    between: Between = go_on,
    *,
    limits: Limits | None = None,
    cancel: CancelFlag | None = None,
    progress: Progress | None = None,
    context: BuildContext = DEFAULT_CONTEXT,
) -> ConformanceReport:
    """Follow a trace and compare it with what it claims.

    A search that has no open list to follow is run again and compared.

    Args:
        trace: What `read_trace` read.
        between: Called before each event; it may raise an error to stop the work.
        limits: The limits of a search that is run again.
        cancel: A flag that ends that search when it is set.
        progress: Called with the counters of that search.
        context: How tables may be built.

    Example:
        >>> from tilewise.traces.reader import read_trace
        >>> trace = read_trace('''{"format": "tilewise-trace", "version": 1,
        ... "board": "1b2 345 678"}'''.replace("\\n", ""))
        >>> check_trace(trace).deviation is None
        True
    """
    order = order_of(trace.claims)
    heuristic = known_heuristic(trace.claims, context)
    deviation = _first(trace, _Values(trace.claims, order, heuristic), between)
    compared = None
    if order is not None:
        deviation = _earlier(deviation, _first(trace, _Follower(trace, order), between))
    elif trace.claims.algorithm is not None:
        compared = _compared(trace, heuristic, limits, cancel, progress, context)
        deviation = _earlier(deviation, compared.deviation if compared else None)
    return ConformanceReport(
        checked=tuple(_checked(trace, order, heuristic, compared)),
        unchecked=tuple(_unchecked(trace, order, heuristic, compared)),
        expansions=sum(event.kind is Kind.EXPAND for event in trace.events),
        deviation=deviation,
        reached_goal=any(event.kind is Kind.GOAL for event in trace.events),
    )


def _first(trace: ReadTrace, follower: _Values | _Follower, between: Between) -> Deviation | None:
    for place, event in enumerate(trace.events):
        between()
        said = follower.problem_with(event, trace.given[place])
        if said is not None:
            return Deviation(trace.lines[place], said, place)
    return None


def _earlier(one: Deviation | None, other: Deviation | None) -> Deviation | None:
    found = [deviation for deviation in (one, other) if deviation is not None]
    return min(found, key=lambda deviation: deviation.event, default=None)


class _Values:
    """g, h and key of every event; the goal is the goal."""

    def __init__(
        self, claims: TraceHeader, order: Order | None, heuristic: Heuristic | None
    ) -> None:
        self._goal = claims.goal.board
        self._order, self._heuristic = order, heuristic
        self._g: dict[int, int] = {}
        self._own_values = has_own_values(claims)
        self._two_sided = has_two_sides(claims)
        self._no_h = claims.heuristic is None and claims.algorithm is not None

    def problem_with(self, event: Event, given: frozenset[str]) -> str | None:
        if event.kind in (Kind.STOP, Kind.BOUND):
            return None
        if event.kind is Kind.GOAL and event.board != self._goal:
            if self._two_sided:  # where the two sides meet
                return None
            return f"says goal on {event.board}; the goal is {self._goal}"
        if event.kind in (Kind.GENERATE, Kind.REOPEN, Kind.DUPLICATE):
            g = self._g[event.parent] + 1
        else:
            g = self._g.get(event.node, 0)
        if event.kind is not Kind.DUPLICATE:
            self._g.setdefault(event.node, g)
        if "g" in given and event.g != g and not (event.kind is Kind.GOAL and self._order is None):
            return f"g = {event.g} for node {event.node}; it is {g} moves from the start"
        return self._problem_with_h(event, given)

    def _problem_with_h(self, event: Event, given: frozenset[str]) -> str | None:
        if self._own_values:
            return None  # they are compared with those of our own run
        expected = self._heuristic(event.board) if self._heuristic else 0
        if "h" in given and (self._heuristic or self._no_h) and event.h != expected:
            name = self._heuristic.spec if self._heuristic else "a search without a heuristic"
            return f"h = {event.h} for {event.board}; {name} gives {expected}"
        if self._order is None or "key" not in given or event.kind is Kind.GOAL:
            return None
        key = self._order.key(event.g, event.h)
        return None if event.key == key else f"key {event.key}; by these rules it is {key}"


class _Follower:
    """Follows the trace and reports where the claimed rules would do something else."""

    def __init__(self, trace: ReadTrace, order: Order) -> None:
        claims = trace.claims
        self._claims, self._order, self._made_up = claims, order, trace.made_up
        self._open: OpenList = own_open_list(order, own_method(claims))
        self._known = closed_list_of(claims, order)
        self._expanding: Event | None = None
        self._pending: list[Successor] = []
        self._over: str | None = None

    def problem_with(self, event: Event, given: frozenset[str]) -> str | None:
        if self._over and event.kind not in (Kind.STOP, Kind.GOAL):
            return f"goes on with {event.kind} {self._over}"
        if event.kind is Kind.START:
            self._push(event)
            return None
        if event.kind in (Kind.GENERATE, Kind.REOPEN, Kind.DUPLICATE):
            return self._made(event)
        if event.kind is Kind.BOUND:
            return f"{self._claims.algorithm} has no bound"
        if event.kind is Kind.STOP:
            self._over = "after the stop"
            return None
        return self._taken(event)

    def _push(self, event: Event) -> None:
        stale = self._known.add(
            event.node, KnownNode(event.board.tiles, event.parent, self._depth(event))
        )
        if stale in self._open.live:
            self._open.supersede(stale)
        self._open.push(event)

    def _depth(self, event: Event) -> int:
        return 0 if event.parent < 0 else self._known.nodes[event.parent].g + 1

    def _made(self, event: Event) -> str | None:
        """A successor: of the node that is expanded, in order, treated as the rules treat it."""
        if self._expanding is None or event.parent != self._expanding.node:
            now = f"node {self._expanding.node}" if self._expanding else "none"
            return f"makes a successor of node {event.parent}; the node expanded now is {now}"
        match = next((each for each in self._pending if each.move == event.move), None)
        if match is None:
            return f"makes the successor {event.move} of node {event.parent} again"
        if "order" in self._claims.stated:
            before = self._pending[: self._pending.index(match)]
            missing = [each.move for each in before if each.kind is not Kind.DUPLICATE]
            if missing:
                order = " ".join(self._claims.rules.order)
                how = ", pushed in reverse" if self._order.frontier.pushes_reversed else ""
                return f"makes {event.move} before {missing[0]}; the order is {order}{how}"
            del self._pending[: len(before)]
        self._pending.remove(match)
        said = self._treated(event, match)
        if said is None and event.kind is not Kind.DUPLICATE:
            self._push(event)
            early = self._claims.rules.goal_test == "generated"
            if early and event.board == self._claims.goal.board:
                self._over = "after the goal was generated, which ends the search by these rules"
        return said

    def _treated(self, event: Event, match: Successor) -> str | None:
        if match.kind is Kind.DUPLICATE and event.kind is not Kind.DUPLICATE:
            return (
                f"keeps {event.board}, the state of node {match.known}; "
                f"{self._claims.rules.duplicates} throws it away"
            )
        if match.kind is not Kind.DUPLICATE and event.kind is Kind.DUPLICATE:
            why = "the new path is cheaper" if match.known is not None else "it is new"
            return f"throws {event.board} away; {self._claims.rules.duplicates} keeps it, {why}"
        if event.kind is Kind.REOPEN and match.kind is not Kind.REOPEN:
            return f"re-opens {event.board}, which was not expanded before"
        return None

    def _taken(self, event: Event) -> str | None:
        """A node leaves the open list: expanded, stale or the goal."""
        early_goal = event.kind is Kind.GOAL and self._claims.rules.goal_test == "generated"
        left = [each for each in self._pending if each.kind is not Kind.DUPLICATE]
        if left and not early_goal and self._expanding:
            return f"the successor {left[0].move} of node {self._expanding.node} was left out"
        if early_goal:
            self._over = "after the goal"
            return None
        if event.kind is Kind.STALE:
            return self._stale(event)
        said = self._not_open(event) or self._out_of_order(event)
        if said is None and event.kind is Kind.EXPAND:
            if event.board == self._claims.goal.board and self._tested_when_taken:
                return f"expands {event.board}, the goal; by these rules the search ends there"
            self._open.take(self._open.live[event.node])
            self._expanding, self._pending = event, self._known.expand(event.node)
        if event.kind is Kind.GOAL:
            self._over = "after the goal"
        return said

    @property
    def _ties_known(self) -> bool:
        """Ages are known where the trace, or a stated order, says in which order nodes came."""
        stated = self._claims.stated
        return "ties" in stated and ("order" in stated or not self._made_up)

    @property
    def _tested_when_taken(self) -> bool:
        return self._claims.rules.goal_test == "taken"

    def _stale(self, event: Event) -> str | None:
        if event.node in self._known.superseded:
            self._known.superseded.discard(event.node)
            self._open.take(event)
            return None
        return f"skips node {event.node} as stale; no cheaper path to {event.board} is known"

    def _not_open(self, event: Event) -> str | None:
        if event.node in self._open.live:
            return None
        what = "was expanded before" if event.node in self._known.closed else "has a cheaper copy"
        return f"takes node {event.node} ({event.board}), which {what}"

    def _out_of_order(self, event: Event) -> str | None:
        """Exactly the next node where ties are stated, else any of the best priority."""
        best = self._open.next()
        if best is None or best == event.node:
            return None
        mine, other = self._open.live[event.node], self._open.live[best]
        value = self._order.frontier.value
        if self._order.priority(mine.g, mine.h) != self._order.priority(other.g, other.h):
            return (
                f"takes node {event.node} with {value(mine.g, mine.h)}; node {best} with "
                f"{value(other.g, other.h)} comes first"
            )
        if not self._ties_known:
            return None
        method = own_method(self._claims)
        ties = method.own.frontier.ties if method and method.own else self._order.rules.ties
        return (
            f"takes node {event.node}; of those with {value(mine.g, mine.h)} the ties {ties} "
            f"take node {best} ({other.board})"
        )


@dataclass(frozen=True)
class _Comparison:
    """How many expansions were compared with those of our own run, and the first that differs."""

    steps: int
    deviation: Deviation | None = None
    complete: bool = False


def _compared(
    trace: ReadTrace,
    heuristic: Heuristic | None,
    limits: Limits | None,
    cancel: CancelFlag | None,
    progress: Progress | None,
    context: BuildContext,
) -> _Comparison | None:
    """The expansions of a search without an open list against those of our own run of it."""
    claims = trace.claims
    taken = (Kind.EXPAND, Kind.GOAL)
    theirs = [event for event in trace.events if event.kind in taken]
    searched = own_search(claims.algorithm, claims.heuristic)
    if claims.heuristic is not None and heuristic is None and searched is None:
        return None
    course, method = searched or (None, None)
    own = watch(
        claims.board,
        goal=claims.goal,
        algorithm=method.spec if method else claims.algorithm,
        heuristic=claims.heuristic,
        rules=None if course else f"order={claims.rules.order}",
        profile=course.name if course else None,
        steps=len(theirs) + 1,
        limits=limits,
        cancel=cancel,
        progress=progress,
        context=context,
    )
    ours = [event for event in own.events if event.kind in taken]
    own_values = has_own_values(claims)
    for place, event in enumerate(theirs):
        other = ours[place] if place < len(ours) else None
        if other is None and own.status in (Status.LIMIT, Status.CANCELLED):
            return _Comparison(place)
        if event.kind is Kind.GOAL and is_anytime(claims) and event is theirs[-1]:
            continue  # at a limit it ends with its best solution so far
        if other is None:
            said = f"expands {event.board}; {claims.algorithm} was over before"
        elif (event.board, event.kind) != (other.board, other.kind):
            said = (
                f"step {place + 1} is {event.kind} {event.board}; "
                f"by these rules it is {other.kind} {other.board}"
            )
        elif own_values and "h" in trace.given[event.seq] and event.h != other.h:
            said = f"h = {event.h} for {event.board}; {claims.algorithm} has {other.h} there"
        else:
            continue
        return _Comparison(place, Deviation(trace.lines[event.seq], said, event.seq))
    return _Comparison(len(theirs), complete=True)


def _checked(
    trace: ReadTrace,
    order: Order | None,
    heuristic: Heuristic | None,
    compared: _Comparison | None,
) -> list[str]:
    claims = trace.claims
    said = ["every parent exists, every move is legal and every board and g is right"]
    if heuristic is not None and not has_own_values(claims):
        said.append(f"every h is that of {heuristic.spec}")
    if order is not None:
        stated = "ties" in claims.stated
        ties = f", ties {order.rules.ties}" if stated and not own_method(claims) else ""
        said.append(f"nodes are taken as {claims.algorithm} takes them{ties}")
        if not trace.made_up:
            in_order = f", in the order {claims.rules.order}" if "order" in claims.stated else ""
            said.append(
                f"successors are all there{in_order}, duplicates are treated as "
                f"{claims.rules.duplicates}"
            )
        said.append(f"the goal is tested when {claims.rules.goal_test}")
    elif compared is not None and compared.complete:
        order_told = "" if own_method(claims) else f", order {claims.rules.order}"
        with_h = ", with their h," if has_own_values(claims) else ""
        said.append(f"expansions{with_h} are those of {claims.algorithm}{order_told}")
    return said


def _unchecked(
    trace: ReadTrace,
    order: Order | None,
    heuristic: Heuristic | None,
    compared: _Comparison | None,
) -> list[str]:
    claims = trace.claims
    said = []
    if claims.algorithm is None:
        said.append("the order of expansions: the header names no algorithm")
    if claims.heuristic is not None and heuristic is None:
        said.append(f"h: the heuristic {claims.heuristic} is not known here")
    if compared is not None and not compared.complete and not compared.deviation:
        said.append(f"expansions after the first {compared.steps:,}: that took too long here")
    if order is not None and "ties" not in claims.stated:
        said.append("ties: the header does not state them")
    if order is not None and "order" not in claims.stated:
        said.append("the order of successors: the header does not state it")
    if trace.made_up:
        said.append("successors: the file has only expansions, so they were filled in")
    return said

"""How `tilewise solve` shows a result: a page for one board, a line for each of many, or JSON.

Where a search has a limit of time, what is shown of it has one, too: what is left of the time, or
half of it again. What there is no time for is counted in a line of its own.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from itertools import islice
from typing import TypeVar

from tilewise.cli import render
from tilewise.core.build_context import BuildContext, never
from tilewise.core.events import Event, Recorder
from tilewise.core.result import Result, Status
from tilewise.errors import CancelledError
from tilewise.optimal_paths import OptimalPaths, optimal_paths
from tilewise.puzzle.board import Goal
from tilewise.puzzle.parity import explain

AGAIN = 0.5
"""The share of a limit of time that showing may take at least, after the search has used it up."""
COLLECTING = 0.5
"""The share of that time in which an object is put together: writing it as JSON takes as long."""
LINES_AT_ONCE = 64
"""Lines between two looks at the clock."""
_FIELDS = tuple(field.name for field in fields(Event))

Item = TypeVar("Item")
Late = Callable[[], bool]
"""Whether the time for showing is over."""


@dataclass(frozen=True)
class Show:
    """What to show, and how."""

    as_json: bool = False
    pretty: bool = False
    all_solutions: bool = False
    perspective: str = "blank"
    events: int | None = None
    seconds: float | None = None
    """The limit of time of each search."""

    def until(self, result: Result) -> Late:
        """Whether it is too late, for a result that is shown from now on."""
        if self.seconds is None:
            return never
        left = max(AGAIN * self.seconds, self.seconds - result.stats.seconds)
        end = time.monotonic() + left * (COLLECTING if self.as_json else 1.0)
        return lambda: time.monotonic() >= end

    def alone(
        self, name: str, result: Result, recorder: Recorder | None, late: Late = never
    ) -> None:
        """Print one result as a page, or as JSON."""
        if self.as_json:
            print(json.dumps({"name": name, **self._object(result, recorder, late)}))
        else:
            _print(self._page(result, recorder, late))

    def among_others(self, name: str, result: Result, recorder: Recorder | None) -> None:
        """Print one of many results as a line, or as JSON."""
        late = self.until(result)
        if self.as_json:
            print(json.dumps({"name": name, **self._object(result, recorder, late)}))
        else:
            _print(self._line(name, result, recorder, late))

    def _object(self, result: Result, recorder: Recorder | None, late: Late) -> dict[str, object]:
        answer = result.to_dict()
        unshown: dict[str, int | None] = {}
        if result.moves is not None:
            answer["moves"] = render.moves_text(result.moves, self.perspective)
        if self.all_solutions:
            try:
                paths = all_solutions(result, late)
            except CancelledError:
                paths, unshown["solutions"] = None, None
            written = (render.moves_text(path, self.perspective) for path in paths or ())
            answer["solution_count"] = paths.count if paths else None
            answer["solutions"] = shown = list(_in_time(written, late))
            if paths and len(shown) < paths.count:
                unshown["solutions"] = paths.count - len(shown)
        if recorder:
            answer["events"] = told = list(_in_time(map(_event_object, recorder.events), late))
            answer["event_count"] = recorder.count
            answer["event_digest"] = f"{recorder.digest:016x}"
            if missing := _wanted(recorder) - len(told):
                unshown["events"] = missing
        return {**answer, "no_time_for": unshown} if unshown else answer

    def _line(
        self, name: str, result: Result, recorder: Recorder | None, late: Late
    ) -> Iterator[str]:
        """One line, and below it the solutions, boards and events that are wanted."""
        note = f"  ({result.note})" if result.note else ""
        yield f"{name}: {render.headline(result, self.perspective)}{note}"
        if self.all_solutions and result.solved:
            yield from self._solutions(result, late)
        if self.pretty and result.solved:
            yield from self._boards(result, late)
        if recorder:
            yield from _events(recorder, result.goal, late)

    def _page(self, result: Result, recorder: Recorder | None, late: Late) -> Iterator[str]:
        width = render.terminal_width()
        if result.status is Status.UNSOLVABLE:
            yield explain(result.board, result.goal)
            return
        if result.note:
            yield result.note
        yield render.headline(result, self.perspective)
        if result.stop and result.moves is not None:
            yield f"stopped by {result.stop}"
        if self.all_solutions and result.solved:
            yield from self._solutions(result, late)
        if self.pretty and result.solved:
            yield ""
            yield from self._boards(result, late)
        if recorder:
            yield ""
            yield from _events(recorder, result.goal, late)
        yield ""
        yield render.search_line(result)
        yield from render.counter_lines(result.stats, width)

    def _boards(self, result: Result, late: Late) -> Iterator[str]:
        lines = render.solution_boards(result, render.terminal_width(), self.perspective)
        yield from _in_time(lines, late)
        if next(lines, None) is not None:
            yield f"no time left to show all of the {len(result.moves or '') + 1:,} boards"

    def _solutions(self, result: Result, late: Late) -> Iterator[str]:
        try:
            paths = all_solutions(result, late)
        except CancelledError:
            yield "no time left to find all optimal solutions"
            return
        if paths is None:
            yield "without a proof of the optimum not all optimal solutions can be named"
            return
        yield f"{paths.count:,} optimal solution{'s' if paths.count != 1 else ''}:"
        more = paths.count
        for path in _in_time(iter(paths), late):
            yield f"  {render.moves_text(path, self.perspective)}"
            more -= 1
        if more:
            yield f"{more:,} more; no time left to print them"


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        print(line)


def _in_time(items: Iterator[Item], late: Late) -> Iterator[Item]:
    """The items until it is too late, but some in any case."""
    while some := list(islice(items, LINES_AT_ONCE)):
        yield from some
        if late():
            return


def _events(recorder: Recorder, goal: Goal, late: Late) -> Iterator[str]:
    shown = -1  # the first line has the titles
    for line in _in_time(render.event_lines(recorder.events, goal), late):
        yield line
        shown += 1
    if more := _wanted(recorder) - shown:
        yield f"{more:,} more events; no time left to print them"
    rest = recorder.count - shown
    yield f"{recorder.count:,} events in all{f', {rest:,} not shown' if rest else ''}"


def _wanted(recorder: Recorder) -> int:
    """How many events were to be kept, of those that there were."""
    return min(recorder.keep, recorder.count)


def all_solutions(result: Result, late: Late = never) -> OptimalPaths | None:
    """Every solution as short as the result, if that is proved optimal."""
    if not result.optimal or result.cost is None:
        return None
    context = BuildContext(cancelled=late)
    return optimal_paths(result.board, result.goal, result.cost, context)


def _event_object(event: Event) -> dict[str, object]:
    told = {name: getattr(event, name) for name in _FIELDS}
    return {**told, "kind": event.kind.value, "board": str(event.board)}

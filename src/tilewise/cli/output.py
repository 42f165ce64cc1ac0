"""How `tilewise solve` shows a result: a page for one board, a line for each of many, or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from tilewise.cli import render
from tilewise.core.events import Event, Recorder
from tilewise.core.result import Result, Status
from tilewise.optimal_paths import OptimalPaths, optimal_paths
from tilewise.puzzle.board import Goal
from tilewise.puzzle.parity import explain


@dataclass(frozen=True)
class Show:
    """What to show, and how."""

    as_json: bool = False
    pretty: bool = False
    all_solutions: bool = False
    perspective: str = "blank"
    events: int | None = None

    def alone(self, name: str, result: Result, recorder: Recorder | None) -> None:
        """Print one result as a page, or as JSON."""
        if self.as_json:
            print(json.dumps({"name": name, **self._object(result, recorder)}))
        else:
            _print(self._page(result, recorder))

    def among_others(self, name: str, result: Result, recorder: Recorder | None) -> None:
        """Print one of many results as a line, or as JSON."""
        if self.as_json:
            print(json.dumps({"name": name, **self._object(result, recorder)}))
        else:
            _print(self._line(name, result, recorder))

    def _object(self, result: Result, recorder: Recorder | None) -> dict[str, object]:
        answer = result.to_dict()
        if result.moves is not None:
            answer["moves"] = render.moves_text(result.moves, self.perspective)
        if self.all_solutions:
            paths = all_solutions(result)
            answer["solution_count"] = paths.count if paths else None
            answer["solutions"] = [
                render.moves_text(path, self.perspective) for path in paths or ()
            ]
        if recorder:
            answer["events"] = [_event_object(event) for event in recorder.events]
            answer["event_count"] = recorder.count
            answer["event_digest"] = f"{recorder.digest:016x}"
        return answer

    def _line(self, name: str, result: Result, recorder: Recorder | None) -> Iterator[str]:
        """One line, and below it the solutions, boards and events that are wanted."""
        note = f"  ({result.note})" if result.note else ""
        yield f"{name}: {render.headline(result, self.perspective)}{note}"
        if self.all_solutions and result.solved:
            yield from self._solutions(result)
        if self.pretty and result.solved:
            yield from render.solution_boards(result, render.terminal_width(), self.perspective)
        if recorder:
            yield from _events(recorder, result.goal)

    def _page(self, result: Result, recorder: Recorder | None) -> Iterator[str]:
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
            yield from self._solutions(result)
        if self.pretty:
            boards = render.solution_boards(result, width, self.perspective)
            yield from ("", *boards) if result.solved else ()
        if recorder:
            yield ""
            yield from _events(recorder, result.goal)
        yield ""
        yield render.search_line(result)
        yield from render.counter_lines(result.stats, width)

    def _solutions(self, result: Result) -> Iterator[str]:
        paths = all_solutions(result)
        if paths is None:
            yield "without a proof of the optimum not all optimal solutions can be named"
            return
        yield f"{paths.count:,} optimal solution{'s' if paths.count != 1 else ''}:"
        for path in paths:
            yield f"  {render.moves_text(path, self.perspective)}"


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        print(line)


def _events(recorder: Recorder, goal: Goal) -> Iterator[str]:
    yield from render.event_lines(recorder.events, goal)
    more = recorder.count - len(recorder.events)
    yield f"{recorder.count:,} events in all{f', {more:,} not shown' if more else ''}"


def all_solutions(result: Result) -> OptimalPaths | None:
    """Every solution as short as the result, if that is proved optimal."""
    if not result.optimal or result.cost is None:
        return None
    return optimal_paths(result.board, result.goal, result.cost)


def _event_object(event: Event) -> dict[str, object]:
    return {**asdict(event), "kind": event.kind.value, "board": str(event.board)}

"""trace(): solve a board, and keep the first events of the search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewise.core.events import Event, Recorder
from tilewise.core.limits import Limits
from tilewise.core.result import Result
from tilewise.core.rules import Rules
from tilewise.errors import SpecError
from tilewise.puzzle.board import Board
from tilewise.puzzle.position import Position, WantedGoal, read_position
from tilewise.solving import WantedHeuristic, solve


@dataclass(frozen=True)
class Trace:
    """A search on record. Iterating over it gives the events that were kept.

    Example:
        >>> record = trace("1b2 345 678", algorithm="bfs")
        >>> [event.kind.value for event in record][:3], record.count
        (['start', 'expand', 'generate'], 12)
    """

    events: tuple[Event, ...]
    """The first events of the search."""
    count: int
    """The number of all events, kept or not."""
    digest: int
    """64 bits over all events. Equal digests mean equal searches, step by step."""
    result: Result
    """What `solve` returned."""

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    def _repr_svg_(self) -> str | None:
        """The search tree as notebooks show it; None where it is too large for a picture."""
        from tilewise.drawing.search_tree import tree_svg

        try:
            return tree_svg(self.events)
        except SpecError:
            return None


def trace(
    board: Position | Board | str,
    *,
    events: int = 1000,
    goal: WantedGoal = None,
    algorithm: str | None = None,
    heuristic: WantedHeuristic = None,
    rules: Rules | str | None = None,
    limits: Limits | None = None,
) -> Trace:
    """Solve a board and keep the first events of the search.

    Args:
        board: As for `solve`.
        events: How many events to keep. The digest covers all of them.
        goal: As for `solve`.
        algorithm: As for `solve`.
        heuristic: As for `solve`.
        rules: As for `solve`.
        limits: As for `solve`.

    Returns:
        The events with the result of the search.

    Raises:
        SpecError: `events` is negative.
        TilewiseError: Everything that `solve` raises.

    Example:
        >>> record = trace("312 475 68b", algorithm="astar", heuristic="manhattan", events=2)
        >>> [(event.kind.value, event.g, event.h) for event in record]
        [('start', 0, 4), ('expand', 0, 4)]
    """
    position = read_position(board, goal)
    if events < 0:
        raise SpecError(f"expected a number of events of at least 0, got {events}")
    recorder = Recorder(events, position.board.rows, position.board.columns)
    result = solve(
        position,
        algorithm=algorithm,
        heuristic=heuristic,
        rules=rules,
        limits=limits,
        observer=recorder,
    )
    return Trace(tuple(recorder.events), recorder.count, recorder.digest, result)
